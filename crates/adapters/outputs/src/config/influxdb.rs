//! `influxdb=http://user:password@host:8086/db?option=...` and `K6_INFLUXDB_*`.

use std::collections::BTreeMap;

use base64::Engine;
use loadline_net::Url;

use super::fields::{Env, duration, truth, unescaped, whole};
use crate::post::ReceiverOptions;

/// An InfluxDB 1.x server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InfluxDb {
    /// Its URL, without credentials.
    pub(crate) address: String,
    pub(crate) write_url: Url,
    pub(crate) create_url: Url,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) tags_as_fields: Vec<(String, FieldKind)>,
    pub(crate) wish: ReceiverOptions,
}

/// The type of field that a tag is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    String,
    Bool,
    Float,
    Int,
}

impl FieldKind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "" | "string" => Self::String,
            "bool" => Self::Bool,
            "float" => Self::Float,
            "int" => Self::Int,
            _ => return None,
        })
    }

    /// A value in the line protocol. A value that does not parse is written as text.
    pub(crate) fn written(self, value: &str) -> String {
        let text = || format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
        match self {
            Self::String => text(),
            Self::Bool => match value {
                "1" | "t" | "T" | "true" | "TRUE" | "True" => "true".to_owned(),
                "0" | "f" | "F" | "false" | "FALSE" | "False" => "false".to_owned(),
                _ => text(),
            },
            Self::Float => value
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
                .map_or_else(text, |number| number.to_string()),
            Self::Int => value
                .parse::<i64>()
                .map_or_else(|_| text(), |number| format!("{number}i")),
        }
    }
}

/// Settings, before a later source overrides them.
struct Draft {
    address: String,
    db: String,
    username: String,
    password: String,
    insecure: bool,
    retention: String,
    consistency: String,
    proxy: Option<String>,
    concurrent_writes: i64,
    tags_as_fields: Vec<String>,
}

impl InfluxDb {
    pub(super) fn read(
        argument: &str,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let env = Env(environment);
        let mut draft = Draft::of_environment(&env)?;
        if !argument.is_empty() {
            draft.read_url(argument)?;
        }
        draft.finish()
    }
}

impl Draft {
    fn of_environment(env: &Env<'_>) -> Result<Self, String> {
        let text = |name: &str, otherwise: &str| env.text(name).unwrap_or(otherwise).to_owned();
        // Only validated: bodies have our own size limit, pushes follow the windows, and times
        // are in nanoseconds.
        env.whole("K6_INFLUXDB_PAYLOAD_SIZE")?;
        env.duration("K6_INFLUXDB_PUSH_INTERVAL")?;
        let tags = env.text("K6_INFLUXDB_TAGS_AS_FIELDS");
        let tags = tags.unwrap_or("vu,iter,url").split(',');
        Ok(Self {
            address: text("K6_INFLUXDB_ADDR", "http://localhost:8086"),
            db: text("K6_INFLUXDB_DB", "k6"),
            username: text("K6_INFLUXDB_USERNAME", ""),
            password: text("K6_INFLUXDB_PASSWORD", ""),
            insecure: env.truth("K6_INFLUXDB_INSECURE")?.unwrap_or(false),
            retention: text("K6_INFLUXDB_RETENTION", ""),
            consistency: text("K6_INFLUXDB_CONSISTENCY", ""),
            proxy: env.owned("K6_INFLUXDB_PROXY"),
            concurrent_writes: env.whole("K6_INFLUXDB_CONCURRENT_WRITES")?.unwrap_or(4),
            tags_as_fields: tags.map(str::to_owned).collect(),
        })
    }

    fn read_url(&mut self, text: &str) -> Result<(), String> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        if !url.host().is_empty() {
            self.address = format!("{}://{}", url.scheme(), url.host());
        }
        let db = url.unescaped_path();
        let db = db.trim_start_matches('/');
        if !db.is_empty() {
            db.clone_into(&mut self.db);
        }
        if let Some(user) = url.user() {
            self.username = user.name.clone();
            self.password = user.password.clone().unwrap_or_default();
        }
        let mut tags = Vec::new();
        for pair in url.query().unwrap_or_default().split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = unescaped(&value.replace('+', " "));
            match key {
                "" => {}
                "insecure" if value.is_empty() => {}
                "insecure" => self.insecure = truth(key, &value)?,
                "payload_size" => drop(whole(key, &value)?),
                "precision" => {}
                "retention" => self.retention = value,
                "consistency" => self.consistency = value,
                "pushInterval" => drop(duration(key, &value)?),
                "concurrentWrites" => self.concurrent_writes = whole(key, &value)?,
                "tagsAsFields" => tags.push(value),
                _ => return Err(format!("unknown query parameter: {key}")),
            }
        }
        if !tags.is_empty() {
            self.tags_as_fields = tags;
        }
        Ok(())
    }

    fn finish(self) -> Result<InfluxDb, String> {
        if self.concurrent_writes <= 0 {
            return Err("influxdb's ConcurrentWrites must be a positive number".to_owned());
        }
        let address = self.address.trim_end_matches('/').to_owned();
        if !address.starts_with("http://") && !address.starts_with("https://") {
            return Err(format!(
                "{address} is no address that begins with http:// or https://"
            ));
        }
        let url = |path: &str, query: &[(&str, &str)]| {
            let pairs = query.iter().filter(|(_, value)| !value.is_empty());
            let pairs = pairs.map(|(key, value)| format!("{key}={}", escaped(value)));
            let query = pairs.collect::<Vec<_>>().join("&");
            let url = Url::parse(&format!("{address}{path}?{query}"));
            url.map_err(|error| error.to_string())
        };
        let mut fields = vec![("User-Agent".to_owned(), "k6".to_owned())];
        if !self.username.is_empty() {
            let pair = format!("{}:{}", self.username, self.password);
            let encoded = base64::engine::general_purpose::STANDARD.encode(pair);
            fields.push(("Authorization".to_owned(), format!("Basic {encoded}")));
        }
        let create = format!("CREATE DATABASE \"{}\"", self.db.replace('"', "\\\""));
        Ok(InfluxDb {
            write_url: url(
                "/write",
                &[
                    ("db", &self.db),
                    ("precision", "ns"),
                    ("rp", &self.retention),
                    ("consistency", &self.consistency),
                ],
            )?,
            create_url: url("/query", &[("q", &create)])?,
            fields,
            tags_as_fields: field_kinds(&self.tags_as_fields)?,
            wish: ReceiverOptions {
                skip_verification: self.insecure,
                proxy: self.proxy,
                ..ReceiverOptions::default()
            },
            address,
        })
    }
}

fn field_kinds(written: &[String]) -> Result<Vec<(String, FieldKind)>, String> {
    let mut kinds: Vec<(String, FieldKind)> = Vec::new();
    for text in written {
        let (name, kind) = text.split_once(':').unwrap_or((text, ""));
        if kinds.iter().any(|(known, _)| known == name) {
            return Err(format!(
                "a tag name ({name}) shows up more than once in InfluxDB field type configurations"
            ));
        }
        let kind = FieldKind::named(kind).ok_or_else(|| {
            format!("an invalid type ({kind}) is specified for an InfluxDB field ({name})")
        })?;
        kinds.push((name.to_owned(), kind));
    }
    Ok(kinds)
}

/// A value of a query.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
