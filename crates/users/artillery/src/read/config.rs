//! Reads `config` and its parts.

mod payload;
mod phases;
mod plugins;
mod publish;

use std::time::Duration;

use super::{Reader, shown};
use crate::finding::DiagnosticKind;
use crate::keys::KeyScope;
use crate::model::{
    Config, CsvOptions, Ensure, EnsureCheck, ExhaustionPolicy, ExpectFormat, ExpectPlugin,
    MetricsByEndpoint, PayloadConfig, PhaseArrivals, PhaseConfig, RowOrder, TlsConfig, Tracing,
    WsConfig,
};
use crate::ms;
use crate::phrase::Phrase;
use crate::text::{is_true, text_to_number, to_text};
use crate::yaml::{Yaml, YamlMap, YamlNode};

/// The default limit for the head of an answer, in seconds.
const DEFAULT_TIMEOUT_SECONDS: f64 = 10.0;
/// The default `User-Agent`.
const USER_AGENT: &str = "Artillery (https://artillery.io)";
/// The highest arrival rate; more is taken for a typing error.
const ARRIVAL_RATE_MAX: f64 = 1e7;
/// The longest phase in seconds: a hundred days.
const PHASE_SECONDS_MAX: f64 = 100.0 * 86_400.0;

impl Reader<'_> {
    pub(super) fn config(&mut self, node: &YamlNode) -> Option<Config> {
        let map = match &node.value {
            Yaml::Null => return Some(Config::default()),
            Yaml::Map(map) => map,
            _ => {
                self.wrong_type("config", node, Phrase::Map);
                return None;
            }
        };
        self.keys(KeyScope::Config, map);
        let mut config = Config {
            target: self.text_at(map, "target").unwrap_or_default(),
            phases: self.phases(map),
            variables: self.variables(map),
            dates: map.get("variables").map_or_else(Vec::new, dates),
            payloads: self.payloads(map),
            processor: map.get("processor").and_then(|node| {
                let path = self.text_of("processor", node)?;
                Some((path, node.mark))
            }),
            strict_capture: true,
            default_headers: vec![("user-agent".to_owned(), self.text_template(USER_AGENT))],
            suppressed: Vec::new(),
            ..Config::default()
        };
        let of_config = self.seconds(map, "timeout");
        config.timeout_written = of_config.is_some();
        let of_http = self.http(map, &mut config);
        let seconds = of_config.or(of_http).unwrap_or(DEFAULT_TIMEOUT_SECONDS);
        config.timeout = ms::duration(seconds * 1000.0);
        self.tls(map, &mut config);
        self.plugins(map, &mut config);
        if let Some(ws) = map.get("ws").and_then(|node| self.map_of("ws", node)) {
            self.keys(KeyScope::Ws, ws);
            config.ws = self.ws(ws);
        }
        if let Some(node) = map.get("socketio") {
            config.socket_io = self.socket_io(node).map(|_| self.template(node));
        }
        Some(config)
    }

    /// A number of seconds other than zero.
    fn seconds(&mut self, map: &YamlMap, key: &str) -> Option<f64> {
        let node = map.get(key)?;
        let seconds = self.number_of(key, node)?;
        if seconds < 0.0 {
            self.bad_value(key, node, Phrase::NegativeTimeout);
            return None;
        }
        Some(seconds).filter(|seconds| *seconds > 0.0)
    }

    fn variables(&mut self, map: &YamlMap) -> Vec<(String, serde_json::Value)> {
        let Some(node) = map.get("variables") else {
            return Vec::new();
        };
        let variables = self.map_of("variables", node);
        variables.map_or_else(Vec::new, |variables| {
            variables
                .entries()
                .iter()
                .map(|entry| (entry.key.clone(), entry.value.to_json()))
                .collect()
        })
    }

    /// Reads `http`; returns its timeout, if it has one.
    fn http(&mut self, map: &YamlMap, config: &mut Config) -> Option<f64> {
        if let Some(node) = map.get("defaults") {
            self.defaults(node, config);
        }
        let http = map.get("http").and_then(|node| self.map_of("http", node))?;
        self.keys(KeyScope::Http, http);
        if let Some(node) = http.get("defaults") {
            self.defaults(node, config);
        }
        config.extended_metrics = self.flag_at(http, "extendedMetrics").unwrap_or(false);
        if let Some(node) = http.get("pool")
            && is_true(Some(&node.to_json()))
            && let Some(pool) = self.number_of("pool", node)
        {
            if (1.0..=1e6).contains(&pool) {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "between 1 and a million"
                )]
                {
                    config.pool = Some(pool as usize);
                }
            } else {
                self.bad_value("pool", node, Phrase::PoolRange);
            }
        }
        config.tracing = http.get("distributedTracing").and_then(|node| {
            let enabled = match &node.value {
                Yaml::Map(map) => self.flag_at(map, "enabled").unwrap_or(true),
                _ => is_true(Some(&node.to_json())),
            };
            let map = node.as_map();
            let prefix = map.and_then(|map| self.text_at(map, "traceIdPrefix"));
            let prefix: String = prefix
                .unwrap_or_default()
                .to_lowercase()
                .chars()
                .filter(char::is_ascii_hexdigit)
                .take(8)
                .collect();
            enabled.then(|| Tracing {
                sampled: map
                    .and_then(|map| self.flag_at(map, "sampled"))
                    .unwrap_or(true),
                prefix: if prefix.is_empty() {
                    "a9".to_owned()
                } else {
                    prefix
                },
            })
        });
        self.seconds(http, "timeout")
    }

    /// Reads `http.defaults`, which override `defaults`.
    fn defaults(&mut self, node: &YamlNode, config: &mut Config) {
        let Some(map) = self.map_of("defaults", node) else {
            return;
        };
        self.keys(KeyScope::Defaults, map);
        if let Some(headers) = map.get("headers").filter(|node| node.as_map().is_some()) {
            config.default_headers = self.headers(headers, "config.http.defaults.headers");
        }
        if let Some(cookies) = map.get("cookie").filter(|node| node.as_map().is_some()) {
            config.default_cookies = Some(self.pairs("cookie", cookies));
        }
        if self.flag_at(map, "strictCapture") == Some(false) {
            config.strict_capture = false;
        }
        if let Some(think) = map.get("think").and_then(YamlNode::as_map) {
            config.think_jitter = self.text_at(think, "jitter");
        }
    }

    fn tls(&mut self, map: &YamlMap, config: &mut Config) {
        if let Some(tls) = map.get("tls").and_then(|node| self.map_of("tls", node)) {
            self.keys(KeyScope::Tls, tls);
            config.insecure = self.flag_at(tls, "rejectUnauthorized") == Some(false);
            let mut pem = |names: [&str; 2]| {
                let (name, node) = names
                    .into_iter()
                    .find_map(|name| Some((name, tls.get(name)?)))?;
                let text = self.text_of(name, node)?;
                if !text.contains("-----BEGIN") {
                    self.bad_value(name, node, Phrase::PemText);
                    return None;
                }
                Some(text)
            };
            // Those of got first, then those of Node, which WebSockets take.
            let certificate = pem(["certificate", "cert"]);
            let key = pem(["key", "key"]);
            let authorities = pem(["certificateAuthority", "ca"]);
            config.tls = TlsConfig {
                authorities,
                identity: certificate.zip(key),
                passphrase: self.text_at(tls, "passphrase"),
            };
        }
    }

    /// `proxy: {url: ...}` of WebSockets.
    pub(super) fn proxy(&mut self, map: &YamlMap) -> Option<String> {
        let node = map.get("proxy").filter(|node| node.value != Yaml::Null)?;
        let proxy = self.map_of("proxy", node)?;
        let Some(url) = self.text_at(proxy, "url") else {
            let kind = DiagnosticKind::Missing {
                key: "url",
                place: "proxy",
            };
            self.find(node.mark, kind);
            return None;
        };
        if loadline_net::Url::parse(&url).is_err() {
            self.bad_value("url", node, Phrase::ProxyUrl);
            return None;
        }
        Some(url)
    }

    fn ws(&mut self, ws: &YamlMap) -> WsConfig {
        let headers = ws
            .get("headers")
            .and_then(|node| self.map_of("headers", node));
        WsConfig {
            subprotocols: self.texts_at(ws, "subprotocols"),
            headers: headers.map_or_else(Vec::new, |headers| {
                headers
                    .entries()
                    .iter()
                    .map(|entry| (entry.key.clone(), to_text(Some(&entry.value.to_json()))))
                    .collect()
            }),
            timeout: self
                .seconds(ws, "timeout")
                .map(|s| ms::duration(s * 1000.0)),
            proxy: self.proxy(ws),
        }
    }
}

/// The node to report if a map's own node is not available.
fn node_of<'n>(map: &'n YamlMap, node: Option<&'n YamlNode>) -> &'n YamlNode {
    static NOTHING: YamlNode = YamlNode {
        mark: crate::yaml::Mark {
            file: 0,
            line: 1,
            column: 1,
        },
        value: Yaml::Null,
    };
    node.or_else(|| map.entries().first().map(|entry| &entry.value))
        .unwrap_or(&NOTHING)
}

/// The dates among variables, and within the maps that they hold. From a list, users get one of its items.
fn dates(variables: &YamlNode) -> Vec<(String, String)> {
    fn collect(node: &YamlNode, path: &str, into: &mut Vec<(String, String)>) {
        match &node.value {
            Yaml::Date(text) => into.push((path.to_owned(), text.clone())),
            Yaml::List(items) => items.iter().for_each(|item| collect(item, path, into)),
            Yaml::Map(map) => {
                for entry in map.entries() {
                    let path = match path {
                        "" => entry.key.clone(),
                        path => format!("{path}.{}", entry.key),
                    };
                    collect(&entry.value, &path, into);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(variables, "", &mut found);
    found
}
