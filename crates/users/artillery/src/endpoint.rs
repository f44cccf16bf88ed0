//! The names of requests in metrics by endpoint.

use crate::model::Config;

/// A request's name before its templates are rendered; `None` if it is not counted.
pub(crate) fn static_key(config: &Config, url: &str, name: Option<&str>) -> Option<String> {
    key(config, url, name)
}

/// The name for a URL (base prepended) and a request's name.
pub(crate) fn key(config: &Config, url: &str, name: Option<&str>) -> Option<String> {
    let plugin = &config.by_endpoint;
    match name.filter(|name| !name.is_empty()) {
        None if plugin.ignore_unnamed => None,
        None => Some(base(config, url)),
        Some(name) if plugin.only_names => Some(name.to_owned()),
        Some(name) => Some(format!("{} ({name})", base(config, url))),
    }
}

/// Host and port if they differ from the target's, the path, and possibly the query.
fn base(config: &Config, url: &str) -> String {
    let target = Parts::new(&config.target);
    let request = Parts::new(url);
    let mut out = String::new();
    if !request.host.is_empty() && request.host != target.host {
        out.push_str(request.host);
    }
    if !request.port.is_empty() && request.port != target.port {
        out.push(':');
        out.push_str(request.port);
    }
    let path = if config.by_endpoint.strip_query {
        request.path.split('?').next().unwrap_or_default()
    } else {
        request.path
    };
    if path.is_empty() && !request.host.is_empty() {
        out.push('/');
    }
    out.push_str(&decoded(path));
    out
}

struct Parts<'u> {
    host: &'u str,
    port: &'u str,
    /// With the query, without the fragment.
    path: &'u str,
}

impl<'u> Parts<'u> {
    fn new(url: &'u str) -> Self {
        let url = url.split('#').next().unwrap_or_default();
        let Some((_, rest)) = url
            .split_once("://")
            .filter(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()))
        else {
            return Self {
                host: "",
                port: "",
                path: url,
            };
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let authority = authority.rsplit('@').next().unwrap_or_default();
        match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => {
                Self { host, port, path }
            }
            _ => Self {
                host: authority,
                port: "",
                path,
            },
        }
    }
}

/// `%41` as `A`, where it is valid.
fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let raw = text.as_bytes();
    let mut at = 0;
    while at < raw.len() {
        let hex = |b: u8| char::from(b).to_digit(16);
        if raw[at] == b'%'
            && let (Some(high), Some(low)) = (
                raw.get(at + 1).copied().and_then(hex),
                raw.get(at + 2).copied().and_then(hex),
            )
            && let Ok(byte) = u8::try_from(high * 16 + low)
        {
            bytes.push(byte);
            at += 3;
        } else {
            bytes.push(raw[at]);
            at += 1;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(url: &str, strip: bool) -> String {
        let mut config = Config {
            target: "http://a.test:8080".to_owned(),
            ..Config::default()
        };
        config.by_endpoint.strip_query = strip;
        key(&config, url, None).unwrap()
    }

    #[test]
    fn endpoints_are_named_as_upstream_names_them() {
        assert_eq!(name("http://a.test:8080/deers?x={{ y }}", true), "/deers");
        assert_eq!(
            name("http://a.test:8080/deers?x={{ y }}", false),
            "/deers?x={{ y }}"
        );
        assert_eq!(name("http://a.test:8080/a/{{ id }}", true), "/a/{{ id }}");
        assert_eq!(name("http://b.test:9/a%20b", true), "b.test:9/a b");
        assert_eq!(name("http://a.test:8080", true), "/");
        assert_eq!(name("{{ base }}/x", true), "{{ base }}/x");
    }
}
