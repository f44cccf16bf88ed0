//! Grafana's data sources, as its provisioning files name them.

use std::collections::BTreeMap;

use loadline_text::observe;

use super::given_sources::GivenSources;
use super::settings::{Document, encoded, variable};

/// Adds the data sources of a file.
pub(super) fn add(
    documents: &[Document],
    environment: &BTreeMap<String, String>,
    given: &mut GivenSources,
) {
    let all = documents.iter().flat_map(|document| {
        let numbers = (0..).take_while(|number| {
            let own = format!("datasources[{number}].");
            document.keys().any(|key| key.starts_with(&own))
        });
        numbers.map(move |number| DataSource { document, number })
    });
    for source in all {
        source.add(environment, given);
    }
}

/// One data source.
struct DataSource<'a> {
    document: &'a Document,
    number: usize,
}

impl DataSource<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let key = format!("datasources[{}].{key}", self.number);
        let found = self.document.get(&key).map(String::as_str);
        found.filter(|value| !value.is_empty())
    }

    fn add(&self, environment: &BTreeMap<String, String>, given: &mut GivenSources) {
        let (kind, name) = (
            self.get("type").unwrap_or(""),
            self.get("name").unwrap_or(""),
        );
        let mut secrets = BTreeMap::new();
        let web = |scheme: &str, secrets: &mut BTreeMap<String, String>| self.web(scheme, secrets);
        let named = match kind {
            "prometheus" => web("prometheus", &mut secrets),
            "tempo" => web("tempo", &mut secrets),
            "loki" => {
                // Which streams are the target's, no file of Grafana's says.
                let base = web("loki", &mut secrets).unwrap_or_default();
                let asked = format!("{base}?query={{app=\"NAME\"}}");
                given.left_out.push(observe::init_query(name, asked));
                return;
            }
            "postgres" | "grafana-postgresql-datasource" => self.database("postgres", &mut secrets),
            "mysql" => self.database("mysql", &mut secrets),
            _ => {
                given.left_out.push(observe::init_type(name, kind));
                return;
            }
        };
        match named {
            Some(named) => given.add(&named, environment, &secrets),
            None => given.left_out.push(observe::init_unread(name)),
        }
    }

    /// `http://host:9090/path` as `prometheus://user:${PASSWORD}@host:9090/path`.
    fn web(&self, scheme: &str, secrets: &mut BTreeMap<String, String>) -> Option<String> {
        let url = variables(self.get("url")?);
        let (protocol, rest) = url.split_once("://")?;
        let over_tls = if protocol == "https" { "+https" } else { "" };
        let user = self
            .get("basicAuthUser")
            .filter(|_| self.get("basicAuth") == Some("true"));
        let user = user.map_or(String::new(), |user| {
            let password = self.secret("basicAuthPassword", secrets);
            format!("{}:{password}@", encoded(user))
        });
        Some(format!(
            "{scheme}{over_tls}://{user}{}",
            rest.trim_end_matches('/')
        ))
    }

    fn database(&self, scheme: &str, secrets: &mut BTreeMap<String, String>) -> Option<String> {
        let host = variables(self.get("url")?);
        let host = host.rsplit("://").next().unwrap_or(&host);
        let user = variables(self.get("user")?);
        let password = self.secret("password", secrets);
        let database = self
            .get("jsonData.database")
            .or_else(|| self.get("database"));
        let database = variables(database.unwrap_or(""));
        // Names of Grafana's that the client does not know: it verifies where Grafana does.
        let mode = self
            .get("jsonData.sslmode")
            .filter(|_| scheme == "postgres");
        let mode = mode.filter(|mode| *mode != "disable");
        let mode = mode.map_or(String::new(), |mode| format!("?sslmode={mode}"));
        Some(format!(
            "{scheme}://{}:{password}@{host}/{database}{mode}",
            encoded(&user)
        ))
    }

    /// A secret as a variable of the environment; one that stands in the file gets a name.
    fn secret(&self, key: &str, secrets: &mut BTreeMap<String, String>) -> String {
        let Some(value) = self.get(&format!("secureJsonData.{key}")) else {
            return String::new();
        };
        let named = variables(value);
        if named.starts_with("${") && named.ends_with('}') {
            return named;
        }
        let variable = variable(self.get("name").unwrap_or("SOURCE"));
        let named = format!("${{{variable}}}");
        secrets.insert(variable, encoded(value));
        named
    }
}

/// `$NAME`, as Grafana also writes it, as `${NAME}`; `$__env{NAME}` too.
fn variables(text: &str) -> String {
    let text = text.replace("$__env{", "${");
    match text.strip_prefix('$') {
        Some(name) if !name.is_empty() && name.bytes().all(is_of_name) => format!("${{{name}}}"),
        _ => text,
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
