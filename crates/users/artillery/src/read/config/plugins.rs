//! Reads `config.plugins`, and the settings of plugins elsewhere.

use crate::phrase::Phrase;

use super::{
    Config, DiagnosticKind, Ensure, EnsureCheck, ExpectFormat, ExpectPlugin, KeyScope,
    MetricsByEndpoint, Reader, YamlMap, YamlNode, is_true, node_of, shown,
};

impl Default for MetricsByEndpoint {
    /// Artillery enables this by default.
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
    pub(super) fn plugins(&mut self, map: &YamlMap, config: &mut Config) {
        let plugins = map
            .get("plugins")
            .and_then(|node| self.map_of("plugins", node));
        let mut ensure = map.get("ensure");
        let mut apdex = map.get("apdex");
        let mut by_endpoint_written = false;
        for entry in plugins.map(YamlMap::entries).unwrap_or_default() {
            if crate::keys::find(KeyScope::Plugins, &entry.key).is_none() {
                self.used
                    .insert((KeyScope::Plugins, entry.key.clone(), false));
                self.find(
                    entry.key_mark,
                    DiagnosticKind::Ignored {
                        key: entry.key.clone(),
                        reason: Phrase::OtherPlugins,
                    },
                );
                continue;
            }
            self.key(KeyScope::Plugins, &entry.key, entry.key_mark);
            let options = entry.value.as_map();
            if options.is_some_and(|options| self.flag_at(options, "suppressOutput") == Some(true))
            {
                config.suppressed.push(format!("plugins.{}", entry.key));
            }
            match entry.key.as_str() {
                "expect" => config.expect = self.expect_plugin(&entry.value),
                "ensure" => ensure = ensure.or(Some(&entry.value)),
                "publish-metrics" => {
                    let target = config.target.clone();
                    config.publish = self.publish(&entry.value, &target);
                }
                "slack" => config.slack = self.slack(&entry.value),
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
            if !loads_ensure {
                self.find(node.mark, DiagnosticKind::NoPlugin { plugin: "ensure" });
            }
            // `config.ensure` alone does not load the plugin, so nothing is checked.
            config.ensure = read.filter(|_| loads_ensure);
        }
        let loads_apdex = plugins.is_some_and(|plugins| plugins.get("apdex").is_some());
        if let Some(node) = apdex {
            let map = node.as_map();
            if let Some(map) = map {
                self.keys(KeyScope::Apdex, map);
            }
            let threshold = map.and_then(|map| self.number_at(map, "threshold"));
            config.apdex = loads_apdex.then_some(threshold.unwrap_or(500.0));
        }
    }

    fn expect_plugin(&mut self, node: &YamlNode) -> Option<ExpectPlugin> {
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
                self.key(KeyScope::ExpectPlugin, &entry.key, entry.key_mark);
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
                    Phrase::FormatNames,
                );
                return None;
            }
        };
        let failures = map.get("reportFailuresAsErrors").map(YamlNode::to_json);
        plugin.failures_are_errors = is_true(failures.as_ref());
        plugin.only_names = self.flag_at(map, "useOnlyRequestNames") == Some(true);
        plugin.default_200 = self.flag_at(map, "expectDefault200") == Some(true);
        Some(plugin)
    }

    fn by_endpoint(&mut self, node: &YamlNode) -> MetricsByEndpoint {
        // If it is written, it has its own defaults: the query stays.
        let mut plugin = MetricsByEndpoint {
            strip_query: false,
            ..MetricsByEndpoint::default()
        };
        let Some(map) = self.map_of("metrics-by-endpoint", node) else {
            return plugin;
        };
        self.keys(KeyScope::ByEndpoint, map);
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

    fn ensure(&mut self, node: &YamlNode) -> Option<Ensure> {
        let map = self.map_of("ensure", node)?;
        for entry in map.entries() {
            if entry.key != "suppressOutput" {
                self.key(KeyScope::Ensure, &entry.key, entry.key_mark);
            }
        }
        let mut checks = Vec::new();
        if let Some(thresholds) = map.get("thresholds").and_then(YamlNode::as_list) {
            for item in thresholds {
                let first = item.as_map().and_then(|map| map.entries().first());
                if let Some(entry) = first {
                    let expression = format!("{} < {}", entry.key, shown(&entry.value));
                    checks.push(EnsureCheck {
                        shown: expression.clone(),
                        expression,
                        strict: true,
                    });
                }
            }
        }
        if let Some(conditions) = map.get("conditions").and_then(YamlNode::as_list) {
            for item in conditions {
                let Some(condition) = item.as_map() else {
                    continue;
                };
                let Some(expression) = self.text_at(condition, "expression") else {
                    self.find(
                        item.mark,
                        DiagnosticKind::Missing {
                            key: "expression",
                            place: "ensure.conditions",
                        },
                    );
                    continue;
                };
                let strict = self.flag_at(condition, "strict").unwrap_or(true);
                checks.push(EnsureCheck {
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
                checks.push(EnsureCheck {
                    expression: format!("http.response_time.{} < {limit}", entry.key),
                    shown: format!("{} < {limit}", entry.key),
                    strict: true,
                });
            }
        }
        if let Some(limit) = self.number_at(map, "maxErrorRate") {
            let limit = crate::text::number_text(limit);
            checks.push(EnsureCheck {
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
