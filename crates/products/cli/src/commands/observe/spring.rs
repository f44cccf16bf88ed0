//! A Spring configuration: where the database is, and where the page of metrics.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::given_sources::GivenSources;
use super::settings::{Document, encoded, variable};
use loadline_text::observe;

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
