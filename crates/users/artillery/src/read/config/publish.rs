//! Reads the plugins `publish-metrics` and `slack`.

use super::Reader;
use crate::finding::DiagnosticKind;
use crate::keys::KeyScope;
use crate::model::{OpenTelemetryTarget, PublishEvent, PublishTarget, SlackTarget, StatsdTarget};
use crate::phrase::Phrase;
use crate::text::to_text;
use crate::yaml::{Yaml, YamlMap, YamlNode};

/// statsd's port.
const STATSD_PORT: u16 = 8125;

impl Reader<'_> {
    pub(super) fn publish(&mut self, node: &YamlNode, target: &str) -> Vec<PublishTarget> {
        let Yaml::List(items) = &node.value else {
            self.wrong_type("publish-metrics", node, Phrase::List);
            return Vec::new();
        };
        let mut targets: Vec<PublishTarget> = Vec::new();
        for item in items {
            let Some(map) = self.map_of("publish-metrics", item) else {
                continue;
            };
            let Some(kind) = self.text_at(map, "type") else {
                let kind = DiagnosticKind::Missing {
                    key: "type",
                    place: "plugins.publish-metrics",
                };
                self.find(item.mark, kind);
                continue;
            };
            let has_key = map.get("apiKey").is_some();
            let read = match kind.as_str() {
                "datadog" if has_key => None,
                "statsd" | "influxdb-statsd" | "datadog" => self.statsd(map, &kind, target),
                "prometheus" => self.prometheus(map, item),
                "open-telemetry" => {
                    let is_second = targets
                        .iter()
                        .any(|target| matches!(target, PublishTarget::OpenTelemetry(_)));
                    let read = self.open_telemetry(map);
                    // The plugin uses the first one.
                    if is_second {
                        continue;
                    }
                    read
                }
                _ => None,
            };
            let is_known = matches!(
                kind.as_str(),
                "statsd" | "influxdb-statsd" | "prometheus" | "open-telemetry"
            ) || (kind == "datadog" && !has_key);
            if !is_known {
                let key = format!("type: {kind}");
                let reason = Phrase::OutsideServices;
                self.find(item.mark, DiagnosticKind::Ignored { key, reason });
            }
            targets.extend(read);
        }
        targets
    }

    fn statsd(&mut self, map: &YamlMap, kind: &str, target: &str) -> Option<PublishTarget> {
        self.keys(KeyScope::Publish, map);
        let port = match map.get("port") {
            None => STATSD_PORT,
            Some(node) => {
                let number = self.number_of("port", node)?;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "in the range of ports"
                )]
                if (1.0..=65_535.0).contains(&number) && number.fract() == 0.0 {
                    number as u16
                } else {
                    self.bad_value("port", node, Phrase::WholeNumber);
                    return None;
                }
            }
        };
        let text = |reader: &mut Self, key: &str, default: &str| {
            let written = reader.text_at(map, key);
            written.unwrap_or_else(|| default.to_owned())
        };
        Some(PublishTarget::Statsd(StatsdTarget {
            host: text(self, "host", "127.0.0.1"),
            port,
            prefix: text(self, "prefix", "artillery."),
            tags: self.texts_at(map, "tags"),
            is_telegraf: kind == "influxdb-statsd",
            include_only: self.texts_at(map, "includeOnly"),
            excluded: self.texts_at(map, "excluded"),
            event: self.publish_event(map.get("event"), target),
        }))
    }

    fn publish_event(&mut self, node: Option<&YamlNode>, target: &str) -> Option<PublishEvent> {
        let none = YamlMap::default();
        let map = node
            .and_then(|node| self.map_of("event", node))
            .unwrap_or(&none);
        self.keys(KeyScope::PublishEvent, map);
        // The plugin sends an event unless its own `event` leaves `send` out or says false.
        if self.text_at(map, "send").as_deref() == Some("false") {
            return None;
        }
        let text = |reader: &mut Self, key: &str, default: &str| {
            let written = reader.text_at(map, key);
            written.unwrap_or_else(|| default.to_owned())
        };
        Some(PublishEvent {
            title: self.text_at(map, "title"),
            text: text(self, "text", &format!("Target: {target}")),
            priority: text(self, "priority", "low"),
            alert_type: text(self, "alertType", "info"),
            aggregation_key: self.text_at(map, "aggregationKey"),
            source_type: self.text_at(map, "sourceTypeName"),
            tags: self.texts_at(map, "tags"),
        })
    }

    fn prometheus(&mut self, map: &YamlMap, node: &YamlNode) -> Option<PublishTarget> {
        self.keys(KeyScope::Publish, map);
        let Some(url) = self.text_at(map, "pushgateway") else {
            let kind = DiagnosticKind::Missing {
                key: "pushgateway",
                place: "plugins.publish-metrics",
            };
            self.find(node.mark, kind);
            return None;
        };
        let prefix = self.text_at(map, "prefix");
        Some(PublishTarget::Prometheus {
            url,
            prefix: prefix.unwrap_or_else(|| "artillery".to_owned()),
            tags: self.texts_at(map, "tags"),
        })
    }

    fn open_telemetry(&mut self, map: &YamlMap) -> Option<PublishTarget> {
        self.keys(KeyScope::Publish, map);
        let metrics = map.get("metrics")?;
        let metrics = self.map_of("metrics", metrics)?;
        self.keys(KeyScope::PublishMetrics, metrics);
        let exporter = metrics.get("exporter");
        let is_grpc = match exporter.map(|node| (node, self.text_of("exporter", node))) {
            None => false,
            Some((node, name)) => match name.as_deref() {
                Some("otlp-http" | "otlp-proto") => false,
                Some("otlp-grpc") => true,
                _ => {
                    self.bad_value("exporter", node, Phrase::ExporterNames);
                    return None;
                }
            },
        };
        let service = self.text_at(map, "serviceName");
        let meter = self.text_at(metrics, "meterName");
        Some(PublishTarget::OpenTelemetry(OpenTelemetryTarget {
            endpoint: self.text_at(metrics, "endpoint"),
            is_grpc,
            headers: texts_of(metrics.get("headers")),
            service_name: service.unwrap_or_else(|| "Artillery-test".to_owned()),
            resource: texts_of(map.get("resourceAttributes")),
            meter: meter.unwrap_or_else(|| "Artillery.io_metrics".to_owned()),
            attributes: texts_of(metrics.get("attributes")),
            include_only: self.texts_at(metrics, "includeOnly"),
            exclude: self.texts_at(metrics, "exclude"),
        }))
    }

    pub(super) fn slack(&mut self, node: &YamlNode) -> Option<SlackTarget> {
        let map = self.map_of("slack", node)?;
        self.keys(KeyScope::Slack, map);
        let Some(webhook) = self.text_at(map, "webhookUrl") else {
            let kind = DiagnosticKind::Missing {
                key: "webhookUrl",
                place: "plugins.slack",
            };
            self.find(node.mark, kind);
            return None;
        };
        Some(SlackTarget {
            webhook,
            on_failure_only: self.flag_at(map, "notifyOnFailureOnly") == Some(true),
        })
    }
}

/// The pairs of a map, as texts.
fn texts_of(node: Option<&YamlNode>) -> Vec<(String, String)> {
    let entries = node.and_then(YamlNode::as_map).map(YamlMap::entries);
    let entries = entries.unwrap_or_default().iter();
    let text = |node: &YamlNode| to_text(Some(&node.to_json()));
    entries
        .map(|entry| (entry.key.clone(), text(&entry.value)))
        .collect()
}
