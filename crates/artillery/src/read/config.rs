//! `config`: phases, rows, defaults, plugins.

use std::time::Duration;

use super::{Reader, shown};
use crate::finding::FindingKind;
use crate::keys::Place;
use crate::model::{
    ByEndpoint, Check, Config, CsvOptions, Ensure, ExpectFormat, ExpectPlugin, OnExhausted, Order,
    PayloadSpec, Phase, PhaseArrivals, Tracing, WsConfig,
};
use crate::ms;
use crate::text::{is_true, text_to_number, to_text};
use crate::yaml::{Map, Node, Yaml};

/// How long an answer's head may take, unless written.
const TIMEOUT: f64 = 10.0;
/// What a request says it is, unless headers are configured.
const USER_AGENT: &str = "Artillery (https://artillery.io)";
/// The fastest arrivals there are; more is a slip of the keyboard.
const FASTEST: f64 = 1e7;
/// The longest phase: a hundred days.
const LONGEST: f64 = 100.0 * 86_400.0;

impl Default for ByEndpoint {
    /// What Artillery switches on by itself.
    fn default() -> Self {
        Self {
            only_names: false,
            strip_query: true,
            ignore_unnamed: false,
            namespace: "plugins.metrics-by-endpoint".to_owned(),
            group_dynamic: true,
        }
    }
}

impl Reader<'_> {
    pub(super) fn config(&mut self, node: &Node) -> Option<Config> {
        let map = match &node.value {
            Yaml::Null => return Some(Config::default()),
            Yaml::Map(map) => map,
            _ => {
                self.wrong_type("config", node, "a map");
                return None;
            }
        };
        self.keys(Place::Config, map);
        let mut config = Config {
            target: self.text_at(map, "target").unwrap_or_default(),
            phases: self.phases(map),
            variables: self.variables(map),
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
        let of_http = self.http(map, &mut config);
        let seconds = of_config.or(of_http).unwrap_or(TIMEOUT);
        config.timeout = ms::duration(seconds * 1000.0);
        self.tls(map, &mut config);
        self.plugins(map, &mut config);
        if let Some(ws) = map.get("ws").and_then(|node| self.map_of("ws", node)) {
            self.keys(Place::Ws, ws);
            config.ws = self.ws(ws);
        }
        Some(config)
    }

    /// A number of seconds that is not zero.
    fn seconds(&mut self, map: &Map, key: &str) -> Option<f64> {
        let node = map.get(key)?;
        let seconds = self.number_of(key, node)?;
        if seconds < 0.0 {
            self.bad_value(key, node, "a time-out is not negative");
            return None;
        }
        Some(seconds).filter(|seconds| *seconds > 0.0)
    }

    fn variables(&mut self, map: &Map) -> Vec<(String, serde_json::Value)> {
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

    /// Reads `http`; its time-out, if it has one.
    fn http(&mut self, map: &Map, config: &mut Config) -> Option<f64> {
        if let Some(node) = map.get("defaults") {
            self.defaults(node, config);
        }
        let http = map.get("http").and_then(|node| self.map_of("http", node))?;
        self.keys(Place::Http, http);
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
                self.bad_value("pool", node, "between 1 and 1000000 sockets");
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

    /// `http.defaults`, which come after `defaults` and win.
    fn defaults(&mut self, node: &Node, config: &mut Config) {
        let Some(map) = self.map_of("defaults", node) else {
            return;
        };
        self.keys(Place::Defaults, map);
        if let Some(headers) = map.get("headers").filter(|node| node.as_map().is_some()) {
            config.default_headers = self.headers(headers, "config.http.defaults.headers");
        }
        if let Some(cookies) = map.get("cookie").filter(|node| node.as_map().is_some()) {
            config.default_cookies = Some(self.pairs("cookie", cookies));
        }
        if self.flag_at(map, "strictCapture") == Some(false) {
            config.strict_capture = false;
        }
        if let Some(think) = map.get("think").and_then(Node::as_map) {
            config.think_jitter = self.text_at(think, "jitter");
        }
    }

    fn tls(&mut self, map: &Map, config: &mut Config) {
        if let Some(tls) = map.get("tls").and_then(|node| self.map_of("tls", node)) {
            self.keys(Place::Tls, tls);
            config.insecure = self.flag_at(tls, "rejectUnauthorized") == Some(false);
        }
    }

    fn ws(&mut self, ws: &Map) -> WsConfig {
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
        }
    }

    fn phases(&mut self, map: &Map) -> Vec<Phase> {
        let Some(node) = map.get("phases") else {
            return Vec::new();
        };
        match &node.value {
            Yaml::List(items) => {
                let mode = map.get("mode").and_then(Node::as_text);
                items
                    .iter()
                    .filter_map(|item| self.phase(item, mode))
                    .collect()
            }
            Yaml::Null => Vec::new(),
            _ => {
                self.wrong_type("phases", node, "a list");
                Vec::new()
            }
        }
    }

    fn phase(&mut self, node: &Node, mode: Option<&str>) -> Option<Phase> {
        let map = self.map_of("phases", node)?;
        self.keys(Place::Phase, map);
        let present = |key: &str| map.get(key).is_some_and(|node| node.value != Yaml::Null);
        let rate = if present("arrivalRate") {
            Some(self.rate(map, "arrivalRate")?)
        } else {
            None
        };
        let ramp = if present("rampTo") {
            Some(self.rate(map, "rampTo")?)
        } else {
            None
        };
        let length_key =
            if present("pause") && rate.is_none() && ramp.is_none() && !present("arrivalCount") {
                "pause"
            } else {
                "duration"
            };
        let (length, written) = match map.get(length_key) {
            Some(node) if node.value != Yaml::Null => {
                (self.phase_length(length_key, node)?, shown(node))
            }
            _ => {
                self.find(
                    node.mark,
                    FindingKind::Missing {
                        key: "duration",
                        place: "phase",
                    },
                );
                return None;
            }
        };
        let poisson = match map.get("mode").and_then(Node::as_text).or(mode) {
            None | Some("uniform") => false,
            Some("poisson") => true,
            Some(other) => {
                let reason = format!("`{other}` is neither uniform nor poisson");
                self.bad_value("mode", map.get("mode").unwrap_or(node), reason);
                return None;
            }
        };
        // Of several, Artillery takes the first of these.
        let arrivals = match (ramp, rate) {
            _ if length_key == "pause" => PhaseArrivals::Pause,
            (Some(to), from) if to > 0.0 || from.is_some() => PhaseArrivals::Ramp {
                from: from.unwrap_or(0.0),
                to,
            },
            (_, Some(rate)) if rate > 0.0 => PhaseArrivals::Rate { rate, poisson },
            _ if present("arrivalCount") => PhaseArrivals::Count(self.count(map, "arrivalCount")?),
            (_, Some(_)) => PhaseArrivals::Pause,
            _ => {
                self.find(
                    node.mark,
                    FindingKind::Missing {
                        key: "arrivalRate",
                        place: "phase",
                    },
                );
                return None;
            }
        };
        let most = if present("maxVusers") {
            Some(self.count(map, "maxVusers")?)
        } else {
            None
        };
        Some(Phase {
            name: self.text_at(map, "name"),
            length,
            written,
            arrivals,
            most,
        })
    }

    fn rate(&mut self, map: &Map, key: &str) -> Option<f64> {
        let node = map.get(key)?;
        let rate = self.number_of(key, node)?;
        if !(0.0..=FASTEST).contains(&rate) {
            self.bad_value(key, node, "a rate is between 0 and 10000000 per second");
            return None;
        }
        Some(rate)
    }

    fn count(&mut self, map: &Map, key: &str) -> Option<u64> {
        let node = map.get(key)?;
        let count = self.number_of(key, node)?;
        if !(0.0..=1e12).contains(&count) || count.fract() != 0.0 {
            self.bad_value(key, node, "a whole number is needed");
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number up to 10^12"
        )]
        Some(count as u64)
    }

    /// Whole numbers are seconds, texts are read by `ms`.
    fn phase_length(&mut self, key: &str, node: &Node) -> Option<Duration> {
        let text = match &node.value {
            Yaml::Number(_) | Yaml::Text(_) => to_text(Some(&node.to_json())),
            _ => {
                self.wrong_type(key, node, "a number of seconds or a text such as 10min");
                return None;
            }
        };
        let number = text_to_number(&text);
        let seconds = if !number.is_nan() && number.fract() == 0.0 && !text.trim().is_empty() {
            Some(number)
        } else if matches!(node.value, Yaml::Number(_)) && !self.options.strict_compat {
            Some(number) // upstream takes 0.5 for half a millisecond
        } else {
            ms::parse(&text).map(|millis| millis / 1000.0)
        };
        match seconds {
            Some(seconds) if seconds > 0.0 && seconds <= LONGEST => {
                Some(ms::duration(seconds * 1000.0))
            }
            Some(_) => {
                self.bad_value(
                    key,
                    node,
                    "a phase is longer than 0 and no longer than 100 days",
                );
                None
            }
            None => {
                self.bad_value(
                    key,
                    node,
                    "expected seconds, or a text such as 90s, 10min, 1h",
                );
                None
            }
        }
    }

    fn payloads(&mut self, map: &Map) -> Vec<PayloadSpec> {
        let Some(node) = map.get("payload") else {
            return Vec::new();
        };
        match &node.value {
            Yaml::List(items) => items.iter().filter_map(|item| self.payload(item)).collect(),
            Yaml::Map(_) => self.payload(node).into_iter().collect(),
            Yaml::Null => Vec::new(),
            _ => {
                self.wrong_type("payload", node, "a map or a list of maps");
                Vec::new()
            }
        }
    }

    fn payload(&mut self, node: &Node) -> Option<PayloadSpec> {
        let map = self.map_of("payload", node)?;
        self.keys(Place::Payload, map);
        let Some(path_node) = map.get("path") else {
            self.find(
                node.mark,
                FindingKind::Missing {
                    key: "path",
                    place: "payload",
                },
            );
            return None;
        };
        let path = self.text_of("path", path_node)?;
        let load_all = self.flag_at(map, "loadAll").unwrap_or(false);
        let name = self.text_at(map, "name");
        let order = match map.get("order").and_then(Node::as_text) {
            Some("sequence") => Order::Sequence,
            Some("unique") => Order::Unique,
            None | Some("random") => Order::Random,
            Some(_) => {
                let node = map.get("order").unwrap_or(node);
                self.bad_value("order", node, "random, sequence or unique");
                return None;
            }
        };
        let on_exhausted = match map.get("onExhausted").and_then(Node::as_text) {
            None | Some("stop") => OnExhausted::Stop,
            Some("wrap") => OnExhausted::Wrap,
            Some("fail") => OnExhausted::Fail,
            Some(_) => {
                let node = map.get("onExhausted").unwrap_or(node);
                self.bad_value("onExhausted", node, "stop, wrap or fail");
                return None;
            }
        };
        Some(PayloadSpec {
            path,
            mark: path_node.mark,
            fields: self.texts_at(map, "fields"),
            order,
            on_exhausted,
            csv: self.csv(map)?,
            load_all: name.filter(|_| load_all),
            order_written: map.get("order").is_some(),
        })
    }

    fn csv(&mut self, map: &Map) -> Option<CsvOptions> {
        let mut options = CsvOptions {
            delimiter: self
                .text_at(map, "delimiter")
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| ",".to_owned()),
            cast: self.flag_at(map, "cast").unwrap_or(true),
            skip_empty: self.flag_at(map, "skipEmptyLines").unwrap_or(true),
            skip_header: self.flag_at(map, "skipHeader").unwrap_or(false),
            quote: '"',
            trim: false,
            comment: None,
            relax_columns: false,
        };
        let Some(more) = map
            .get("options")
            .and_then(|node| self.map_of("options", node))
        else {
            return Some(options);
        };
        for entry in more.entries() {
            let flag = || is_true(Some(&entry.value.to_json()));
            let text = || to_text(Some(&entry.value.to_json()));
            match entry.key.as_str() {
                "delimiter" => options.delimiter = text(),
                "cast" => options.cast = flag(),
                "skip_empty_lines" | "skipEmptyLines" => options.skip_empty = flag(),
                "quote" => options.quote = text().chars().next().unwrap_or('"'),
                "trim" | "ltrim" | "rtrim" => options.trim = flag(),
                "comment" => options.comment = Some(text()).filter(|text| !text.is_empty()),
                "relax_column_count" | "relaxColumnCount" => options.relax_columns = flag(),
                "from_line" | "fromLine" if text() == "2" => options.skip_header = true,
                "from_line" | "fromLine" if text() == "1" => options.skip_header = false,
                _ => {
                    self.find(
                        entry.key_mark,
                        FindingKind::Refused {
                            what: format!("options.{}", entry.key),
                            reason: "this option of csv-parse is not supported",
                        },
                    );
                    return None;
                }
            }
        }
        Some(options)
    }

    fn plugins(&mut self, map: &Map, config: &mut Config) {
        let plugins = map
            .get("plugins")
            .and_then(|node| self.map_of("plugins", node));
        let mut ensure = map.get("ensure");
        let mut apdex = map.get("apdex");
        let mut by_endpoint_written = false;
        for entry in plugins.map(Map::entries).unwrap_or_default() {
            if crate::keys::find(Place::Plugins, &entry.key).is_none() {
                self.used.insert((Place::Plugins, entry.key.clone(), false));
                self.find(
                    entry.key_mark,
                    FindingKind::Ignored {
                        key: entry.key.clone(),
                        reason: "plugins of others cannot be loaded",
                    },
                );
                continue;
            }
            self.key(Place::Plugins, &entry.key, entry.key_mark);
            let options = entry.value.as_map();
            if options.is_some_and(|options| self.flag_at(options, "suppressOutput") == Some(true))
            {
                config.suppressed.push(format!("plugins.{}", entry.key));
            }
            match entry.key.as_str() {
                "expect" => config.expect = self.expect_plugin(&entry.value),
                "ensure" => ensure = ensure.or(Some(&entry.value)),
                "apdex" => apdex = apdex.or(Some(&entry.value)),
                "metrics-by-endpoint" => {
                    by_endpoint_written = true;
                    config.by_endpoint = self.by_endpoint(&entry.value);
                }
                _ => {}
            }
        }
        if !by_endpoint_written {
            config
                .suppressed
                .push("plugins.metrics-by-endpoint".to_owned());
        }
        let loads_ensure = plugins.is_some_and(|plugins| plugins.get("ensure").is_some());
        if let Some(node) = ensure {
            let read = self.ensure(node);
            // `config.ensure` alone loads no plugin, so nothing is checked.
            config.ensure = read.filter(|_| loads_ensure);
        }
        let loads_apdex = plugins.is_some_and(|plugins| plugins.get("apdex").is_some());
        if let Some(node) = apdex {
            let map = node.as_map();
            if let Some(map) = map {
                self.keys(Place::Apdex, map);
            }
            let threshold = map.and_then(|map| self.number_at(map, "threshold"));
            config.apdex = loads_apdex.then_some(threshold.unwrap_or(500.0));
        }
    }

    fn expect_plugin(&mut self, node: &Node) -> Option<ExpectPlugin> {
        let mut plugin = ExpectPlugin {
            format: ExpectFormat::Pretty,
            failures_are_errors: false,
            only_names: false,
            default_200: false,
        };
        let Some(map) = self.map_of("expect", node) else {
            return Some(plugin);
        };
        for entry in map.entries() {
            if entry.key != "suppressOutput" {
                self.key(Place::ExpectPlugin, &entry.key, entry.key_mark);
            }
        }
        let format = self
            .text_at(map, "formatter")
            .or_else(|| self.text_at(map, "outputFormat"));
        plugin.format = match format.as_deref() {
            None | Some("pretty") => ExpectFormat::Pretty,
            Some("json") => ExpectFormat::Json,
            Some("prettyError") => ExpectFormat::PrettyError,
            Some("silent") => ExpectFormat::Silent,
            Some(_) => {
                let node = map.get("formatter").or_else(|| map.get("outputFormat"));
                self.bad_value(
                    "outputFormat",
                    node.unwrap_or(node_of(map, node)),
                    "pretty, json, prettyError or silent",
                );
                return None;
            }
        };
        let failures = map.get("reportFailuresAsErrors").map(Node::to_json);
        plugin.failures_are_errors = is_true(failures.as_ref());
        plugin.only_names = self.flag_at(map, "useOnlyRequestNames") == Some(true);
        plugin.default_200 = self.flag_at(map, "expectDefault200") == Some(true);
        Some(plugin)
    }

    fn by_endpoint(&mut self, node: &Node) -> ByEndpoint {
        // Written, it has its own defaults: the query stays.
        let mut plugin = ByEndpoint {
            strip_query: false,
            ..ByEndpoint::default()
        };
        let Some(map) = self.map_of("metrics-by-endpoint", node) else {
            return plugin;
        };
        self.keys(Place::ByEndpoint, map);
        let flag = |key: &str, default: bool| {
            map.get(key)
                .map_or(default, |node| is_true(Some(&node.to_json())))
        };
        plugin.only_names = flag("useOnlyRequestNames", false);
        plugin.strip_query = flag("stripQueryString", false);
        plugin.ignore_unnamed = flag("ignoreUnnamedRequests", false);
        plugin.group_dynamic = flag("groupDynamicURLs", true);
        if let Some(namespace) = self
            .text_at(map, "metricsNamespace")
            .filter(|text| !text.is_empty())
        {
            plugin.namespace = namespace;
        }
        plugin
    }

    fn ensure(&mut self, node: &Node) -> Option<Ensure> {
        let map = self.map_of("ensure", node)?;
        for entry in map.entries() {
            if entry.key != "suppressOutput" {
                self.key(Place::Ensure, &entry.key, entry.key_mark);
            }
        }
        let mut checks = Vec::new();
        if let Some(thresholds) = map.get("thresholds").and_then(Node::as_list) {
            for item in thresholds {
                let first = item.as_map().and_then(|map| map.entries().first());
                if let Some(entry) = first {
                    let expression = format!("{} < {}", entry.key, shown(&entry.value));
                    checks.push(Check {
                        shown: expression.clone(),
                        expression,
                        strict: true,
                    });
                }
            }
        }
        if let Some(conditions) = map.get("conditions").and_then(Node::as_list) {
            for item in conditions {
                let Some(condition) = item.as_map() else {
                    continue;
                };
                let Some(expression) = self.text_at(condition, "expression") else {
                    self.find(
                        item.mark,
                        FindingKind::Missing {
                            key: "expression",
                            place: "ensure.conditions",
                        },
                    );
                    continue;
                };
                let strict = self.flag_at(condition, "strict").unwrap_or(true);
                checks.push(Check {
                    shown: expression.clone(),
                    expression,
                    strict,
                });
            }
        }
        for entry in map.entries() {
            if matches!(entry.key.as_str(), "min" | "max" | "median" | "p95" | "p99")
                && let Some(limit) = self.number_of(&entry.key, &entry.value)
            {
                let limit = crate::text::number_text(limit.trunc());
                checks.push(Check {
                    expression: format!("http.response_time.{} < {limit}", entry.key),
                    shown: format!("{} < {limit}", entry.key),
                    strict: true,
                });
            }
        }
        if let Some(limit) = self.number_at(map, "maxErrorRate") {
            let limit = crate::text::number_text(limit);
            checks.push(Check {
                expression: format!(
                    "((vusers.created - vusers.completed)/vusers.created * 100) <= {limit}"
                ),
                shown: format!("maxErrorRate < {limit}"),
                strict: true,
            });
        }
        Some(Ensure { checks })
    }
}

/// The node to point at where a map's own is not at hand.
fn node_of<'n>(map: &'n Map, node: Option<&'n Node>) -> &'n Node {
    static NOTHING: Node = Node {
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
