//! A Spring configuration: where the database is, and where the page of metrics.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use loadline_text::observe;
use serde::Deserialize;

use super::given_file::GivenSources;
use super::grafana::{encoded, variable};

/// The settings of one document, by their whole names: `spring.datasource.url`, `list[0].name`.
pub(super) type Document = BTreeMap<String, String>;

/// Documents of one file, and lists in each, are bounded by the file; its depth by this.
const DEPTH_MAX: usize = 32;

/// Any YAML.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(BTreeMap<String, Value>),
    Nothing(()),
}

/// The documents of a YAML file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn yaml(text: &str) -> Result<Vec<Document>, String> {
    let mut documents = Vec::new();
    for part in parts(text, "---") {
        if part
            .lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        {
            continue;
        }
        let value: Value = serde_saphyr::from_str(&part).map_err(|error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().to_owned()
        })?;
        let mut document = Document::new();
        flatten("", &value, 0, &mut document);
        documents.push(document);
    }
    Ok(documents)
}

/// The documents of a properties file.
pub(super) fn properties(text: &str) -> Vec<Document> {
    let documents = parts(text, "#---").into_iter().map(|part| {
        let lines = part.lines().map(str::trim);
        let lines = lines.filter(|line| !line.starts_with(['#', '!']));
        let pairs = lines.filter_map(|line| line.split_once(['=', ':']));
        let pairs = pairs.map(|(key, value)| (plain(key.trim()), value.trim().to_owned()));
        pairs.collect()
    });
    documents.collect()
}

/// The text in parts, before and after each line that is the mark.
fn parts(text: &str, mark: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        if line.trim_end() == mark {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    parts
}

fn flatten(at: &str, value: &Value, depth: usize, document: &mut Document) {
    let mut put = |text: String| {
        document.insert(at.to_owned(), text);
    };
    match value {
        Value::Flag(flag) => put(flag.to_string()),
        Value::Whole(number) => put(number.to_string()),
        Value::Number(number) => put(number.to_string()),
        Value::Text(text) => put(text.clone()),
        Value::Nothing(()) => {}
        _ if depth == DEPTH_MAX => {}
        Value::List(all) => {
            for (number, one) in all.iter().enumerate() {
                flatten(&format!("{at}[{number}]"), one, depth + 1, document);
            }
        }
        Value::Map(all) => {
            for (key, one) in all {
                let key = plain(key);
                let at = if at.is_empty() {
                    key
                } else {
                    format!("{at}.{key}")
                };
                flatten(&at, one, depth + 1, document);
            }
        }
    }
}

/// A key as Spring's documentation spells it, where it is one that is read here.
fn plain(key: &str) -> String {
    key.replace("basePath", "base-path")
        .replace("contextPath", "context-path")
}

/// Adds what a configuration names: of the documents for all profiles, and of those that it makes active itself.
pub(super) fn add(
    documents: &[Document],
    environment: &BTreeMap<String, String>,
    given: &mut GivenSources,
) {
    let mut whole = Document::new();
    for document in documents.iter().filter(|one| profile(one).is_none()) {
        whole.extend(document.clone());
    }
    let active = environment.get("SPRING_PROFILES_ACTIVE").cloned();
    let active = active.or_else(|| whole.get("spring.profiles.active").cloned());
    let active = active.unwrap_or_default();
    let is_active = |name: &str| active.split(',').any(|one| one.trim() == name);
    for document in documents {
        match profile(document) {
            Some(name) if is_active(name) => whole.extend(document.clone()),
            Some(name) => given.left_out.push(observe::init_profile(name)),
            None => {}
        }
    }
    let configuration = Configuration {
        settings: whole,
        environment,
    };
    configuration.add_page(given);
    configuration.add_database(given);
    configuration.add_redis(given);
}

fn profile(document: &Document) -> Option<&str> {
    let keys = ["spring.config.activate.on-profile", "spring.profiles"];
    let found = keys.iter().find_map(|key| document.get(*key));
    found.map(String::as_str)
}

/// What holds.
struct Configuration<'a> {
    settings: Document,
    environment: &'a BTreeMap<String, String>,
}

impl Configuration<'_> {
    /// A setting, with `${NAME:default}` filled.
    fn get(&self, key: &str) -> Option<String> {
        let text = self.settings.get(key)?;
        let text = self.filled(text);
        Some(text).filter(|text| !text.is_empty())
    }

    /// The text with variables that have a value in their place; those without stay.
    fn filled(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inner, behind)) = after.split_once('}') else {
                break;
            };
            let (name, default) = inner
                .split_once(':')
                .map_or((inner, None), |(name, default)| (name, Some(default)));
            filled.push_str(before);
            match self.environment.get(name).map(String::as_str).or(default) {
                Some(value) => filled.push_str(value),
                None => {
                    let _ = write!(filled, "${{{name}}}");
                }
            }
            rest = behind;
        }
        filled + rest
    }

    fn is_exposed(&self) -> bool {
        let key = "management.endpoints.web.exposure.include";
        self.settings.iter().any(|(known, value)| {
            let is_of_key = known == key || known.starts_with(&format!("{key}["));
            is_of_key
                && value
                    .split(',')
                    .any(|one| ["*", "prometheus"].contains(&one.trim()))
        })
    }

    /// The page of metrics, at the host that this is run on.
    fn add_page(&self, given: &mut GivenSources) {
        if !self
            .settings
            .keys()
            .any(|key| key.starts_with("management.") || key.starts_with("server."))
        {
            return;
        }
        if !self.is_exposed() {
            given.left_out.push(observe::init_not_exposed(
                "management.endpoints.web.exposure.include",
            ));
            return;
        }
        let own = self.get("management.server.port");
        let context = self
            .get("server.servlet.context-path")
            .filter(|_| own.is_none());
        let context = context.or_else(|| self.get("management.server.base-path"));
        let port = own
            .or_else(|| self.get("server.port"))
            .unwrap_or_else(|| "8080".to_owned());
        let base = self.get("management.endpoints.web.base-path");
        let base = base.unwrap_or_else(|| "/actuator".to_owned());
        let page = self.get("management.endpoints.web.path-mapping.prometheus");
        let page = page.unwrap_or_else(|| "prometheus".to_owned());
        let path = [context.unwrap_or_default(), base, page];
        let path: Vec<&str> = path.iter().map(|part| part.trim_matches('/')).collect();
        let path: Vec<&str> = path.into_iter().filter(|part| !part.is_empty()).collect();
        let named = format!("http://127.0.0.1:{port}/{}", path.join("/"));
        given.add(&named, self.environment, &BTreeMap::new());
    }

    fn add_database(&self, given: &mut GivenSources) {
        let Some(url) = self.get("spring.datasource.url") else {
            return;
        };
        let schemes = [
            ("jdbc:postgresql://", "postgres"),
            ("jdbc:mysql://", "mysql"),
            ("jdbc:mariadb://", "mysql"),
        ];
        let known = schemes
            .iter()
            .find_map(|(jdbc, scheme)| Some((*scheme, url.strip_prefix(jdbc)?)));
        let Some((scheme, place)) = known else {
            let kind = url.split("//").next().unwrap_or_default();
            given
                .left_out
                .push(observe::init_type("spring.datasource.url", kind));
            return;
        };
        // Parameters are the driver's own but for TLS.
        let (place, query) = place.split_once('?').unwrap_or((place, ""));
        let mode = query.split('&').find(|pair| pair.starts_with("sslmode="));
        let mode = mode.filter(|_| scheme == "postgres");
        let mode = mode.map_or(String::new(), |mode| format!("?{mode}"));
        let mut secrets = BTreeMap::new();
        let user = self.get("spring.datasource.username").unwrap_or_default();
        let password = self.secret("spring.datasource.password", "datasource", &mut secrets);
        let named = format!("{scheme}://{}:{password}@{place}{mode}", encoded(&user));
        given.add(&named, self.environment, &secrets);
    }

    fn add_redis(&self, given: &mut GivenSources) {
        for beginning in ["spring.data.redis", "spring.redis"] {
            let Some(host) = self.get(&format!("{beginning}.host")) else {
                continue;
            };
            let port = self
                .get(&format!("{beginning}.port"))
                .unwrap_or_else(|| "6379".to_owned());
            let mut secrets = BTreeMap::new();
            let password = self.secret(&format!("{beginning}.password"), "redis", &mut secrets);
            let user = if password.is_empty() {
                String::new()
            } else {
                format!(":{password}@")
            };
            given.add(
                &format!("redis://{user}{host}:{port}"),
                self.environment,
                &secrets,
            );
        }
    }

    /// A secret as a variable of the environment: its own, or one that is named after what it is for.
    fn secret(&self, key: &str, of: &str, secrets: &mut BTreeMap<String, String>) -> String {
        let Some(value) = self.settings.get(key).filter(|value| !value.is_empty()) else {
            return String::new();
        };
        let inner = value
            .strip_prefix("${")
            .and_then(|rest| rest.strip_suffix('}'));
        let inner = inner.filter(|inner| !inner.contains("${"));
        let (name, plain) = match inner.map(|inner| inner.split_once(':').unwrap_or((inner, ""))) {
            Some((name, default)) => (name.to_owned(), default),
            None => (variable(of), value.as_str()),
        };
        if !plain.is_empty() {
            secrets.insert(name.clone(), encoded(plain));
        }
        format!("${{{name}}}")
    }
}

#[cfg(test)]
mod tests;
