//! `config.socketio`: how connections are made.

use loadline_net::Url;
use serde_json::Value;

use crate::text::{is_true, to_text};

/// The options of a connection, rendered.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Options {
    /// Where the server listens for clients; ends with a slash.
    path: String,
    query: Vec<(String, String)>,
    /// Header fields of each request.
    pub(super) headers: Vec<(String, String)>,
    /// The first way to connect is polling.
    pub(super) polls: bool,
    /// A polled connection may become a WebSocket.
    pub(super) upgrades: bool,
    /// What a namespace is joined with.
    pub(super) auth: Option<Value>,
    /// Whether a lost connection is opened again.
    pub(super) reconnects: bool,
    /// Every namespace has a connection of its own.
    pub(super) never_shares: bool,
}

impl Options {
    /// Reads rendered options.
    pub(super) fn read(options: &Value) -> Self {
        let texts = |key: &str| match options.get(key) {
            Some(Value::Object(map)) => map
                .iter()
                .map(|(name, value)| (name.clone(), to_text(Some(value))))
                .collect(),
            Some(Value::String(text)) => url::form_urlencoded::parse(text.as_bytes())
                .into_owned()
                .collect(),
            _ => Vec::new(),
        };
        let path = options.get("path").and_then(Value::as_str);
        let path = path.unwrap_or("/socket.io").trim_end_matches('/');
        let transports: Vec<&str> = match options.get("transports") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => vec!["polling", "websocket"],
        };
        let is_off = |key: &str| options.get(key) == Some(&Value::Bool(false));
        Self {
            path: format!("{path}/"),
            query: texts("query"),
            headers: texts("extraHeaders"),
            polls: transports.first() == Some(&"polling"),
            upgrades: transports.contains(&"websocket") && !is_off("upgrade"),
            auth: options.get("auth").cloned(),
            reconnects: !is_off("reconnection"),
            never_shares: is_true(options.get("forceNew")) || is_off("multiplex"),
        }
    }

    /// The URL of a request at `origin`.
    pub(super) fn url(
        &self,
        origin: &str,
        transport: &str,
        session: Option<&str>,
        stamp: Option<&str>,
    ) -> Option<Url> {
        let mut pairs: Vec<(&str, &str)> = self
            .query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(|(name, _)| !["EIO", "transport", "sid", "t"].contains(name))
            .collect();
        pairs.extend([("EIO", "4"), ("transport", transport)]);
        pairs.extend(stamp.map(|stamp| ("t", stamp)));
        pairs.extend(session.map(|id| ("sid", id)));
        let query: Vec<String> = pairs
            .into_iter()
            .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
            .collect();
        Url::parse(&format!("{origin}{}?{}", self.path, query.join("&"))).ok()
    }
}

/// `encodeURIComponent`
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Origin and namespace of a target: what follows the host names the namespace.
pub(super) fn split(target: &str) -> (String, String) {
    let (scheme, rest) = target.split_once("://").unwrap_or(("http", target));
    let scheme = match scheme {
        "ws" => "http",
        "wss" => "https",
        other => other,
    };
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (host, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    (format!("{scheme}://{host}"), path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn urls_carry_the_query_before_what_the_protocol_adds() {
        let options = Options::read(&json!({"query": {"who": "a b"}, "path": "/live"}));
        let url = options.url("http://h:1", "polling", Some("x"), Some("t1"));
        let text = url.map(|url| url.to_string()).unwrap_or_default();
        assert_eq!(
            text,
            "http://h:1/live/?who=a%20b&EIO=4&transport=polling&t=t1&sid=x"
        );
    }

    #[test]
    fn a_target_names_its_namespace_after_the_host() {
        assert_eq!(split("ws://h:1"), ("http://h:1".into(), "/".into()));
        assert_eq!(
            split("https://h/chat"),
            ("https://h".into(), "/chat".into())
        );
    }

    #[test]
    fn connections_poll_first_unless_told_otherwise() {
        let told = |options: Value| {
            let options = Options::read(&options);
            (options.polls, options.upgrades)
        };
        assert_eq!(told(json!({})), (true, true));
        assert_eq!(told(json!({"transports": ["websocket"]})), (false, true));
        assert_eq!(told(json!({"transports": ["polling"]})), (true, false));
        assert_eq!(told(json!({"upgrade": false})), (true, false));
    }
}
