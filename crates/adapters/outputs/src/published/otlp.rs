//! OpenTelemetry: counters as sums of the period, rates and aggregations as gauges.

use std::sync::Arc;

use bytes::Bytes;
use loadline_net::{NetworkSettings, Url};
use loadline_otlp::{
    DELTA_TEMPORALITY, ExportMetricsServiceRequest, InstrumentationScope, KeyValue,
    METRICS_GRPC_PATH, Message, MetricPoints, NumberDataPoint, NumberValue, OtlpGauge, OtlpMetric,
    OtlpSum, Resource, ResourceMetrics, ScopeMetrics,
};

use super::{PeriodValues, Publish};
use crate::config::opentelemetry::Protocol;
use crate::opentelemetry::MetricSender;

/// A collector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtlpReceiver {
    /// Where metrics are sent; the exporter's own address without one.
    pub endpoint: Option<String>,
    /// gRPC instead of HTTP.
    pub is_grpc: bool,
    /// Header fields, or metadata.
    pub headers: Vec<(String, String)>,
    /// `service.name`
    pub service_name: String,
    /// Further attributes of the resource.
    pub resource: Vec<(String, String)>,
    /// The name of the meter.
    pub meter: String,
    /// Attributes of each value.
    pub attributes: Vec<(String, String)>,
    /// Only these names.
    pub include_only: Vec<String>,
    /// All names but these.
    pub exclude: Vec<String>,
}

impl OtlpReceiver {
    pub(super) fn open(self, network: &Arc<NetworkSettings>) -> Result<OpenCollector, String> {
        let (default, protocol) = if self.is_grpc {
            ("http://localhost:4317", Protocol::Grpc)
        } else {
            ("http://localhost:4318/v1/metrics", Protocol::Http)
        };
        let mut url = self.endpoint.clone().unwrap_or_else(|| default.to_owned());
        let mut fields = self.headers.clone();
        if self.is_grpc {
            if !url.contains("://") {
                url = format!("http://{url}");
            }
            url = format!("{}{METRICS_GRPC_PATH}", url.trim_end_matches('/'));
        } else {
            let kind = "application/x-protobuf";
            fields.push(("Content-Type".to_owned(), kind.to_owned()));
        }
        let url = Url::parse(&url).map_err(|_| "the endpoint is malformed")?;
        Ok(OpenCollector {
            sender: MetricSender::new(url, protocol, fields, network.clone()),
            to: self,
        })
    }

    fn is_wanted(&self, name: &str) -> bool {
        let has = |names: &[String]| names.iter().any(|other| other == name);
        !has(&self.exclude) && (self.include_only.is_empty() || has(&self.include_only))
    }

    fn request(&self, values: &PeriodValues) -> ExportMetricsServiceRequest {
        let pairs = self.attributes.iter();
        let mut attributes: Vec<KeyValue> = pairs
            .map(|(key, value)| KeyValue::text(key, value))
            .collect();
        for (key, at) in [("startTime", values.first_at), ("endTime", values.last_at)] {
            attributes.push(KeyValue::integer(key, at));
        }
        let nanos = |millis: i64| millis.max(0).cast_unsigned().saturating_mul(1_000_000);
        let point = |value: f64| NumberDataPoint {
            attributes: attributes.clone(),
            start_time_unix_nano: nanos(values.first_at),
            time_unix_nano: nanos(values.last_at),
            value: Some(NumberValue::Double(value)),
        };
        let metric = |name: String, data: MetricPoints| OtlpMetric {
            name,
            unit: String::new(),
            data: Some(data),
        };
        let gauge = |value: f64| {
            MetricPoints::Gauge(OtlpGauge {
                data_points: vec![point(value)],
            })
        };
        let mut metrics = Vec::new();
        for (name, value) in &values.counters {
            let sum = MetricPoints::Sum(OtlpSum {
                data_points: vec![point(*value)],
                aggregation_temporality: DELTA_TEMPORALITY,
                is_monotonic: true,
            });
            if self.is_wanted(name) {
                metrics.push(metric(name.clone(), sum));
            }
        }
        for (name, value) in &values.rates {
            if self.is_wanted(name) {
                metrics.push(metric(name.clone(), gauge(*value)));
            }
        }
        for (name, aggregations) in &values.summaries {
            if self.is_wanted(name) {
                for (aggregation, value) in aggregations {
                    metrics.push(metric(format!("{name}.{aggregation}"), gauge(*value)));
                }
            }
        }
        let mut resource = vec![KeyValue::text("service.name", &self.service_name)];
        resource.extend(
            self.resource
                .iter()
                .map(|(key, value)| KeyValue::text(key, value)),
        );
        resource.extend([
            KeyValue::text("telemetry.sdk.language", "rust"),
            KeyValue::text("telemetry.sdk.name", "loadline"),
            KeyValue::text("telemetry.sdk.version", env!("CARGO_PKG_VERSION")),
        ]);
        ExportMetricsServiceRequest {
            resource_metrics: vec![ResourceMetrics {
                resource: Some(Resource {
                    attributes: resource,
                }),
                scope_metrics: vec![ScopeMetrics {
                    scope: Some(InstrumentationScope {
                        name: self.meter.clone(),
                    }),
                    metrics,
                }],
            }],
        }
    }
}

/// A collector that is sent to.
pub(super) struct OpenCollector {
    to: OtlpReceiver,
    sender: MetricSender,
}

impl Publish for OpenCollector {
    fn publish(&mut self, values: &PeriodValues) -> Result<(), String> {
        let body = Bytes::from(self.to.request(values).encode_to_vec());
        let answer = self.sender.send(body)?;
        if answer.is_taken() {
            return Ok(());
        }
        Err(answer.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_attributes_are_those_of_artillerys_plugin() {
        let receiver = OtlpReceiver {
            endpoint: None,
            is_grpc: false,
            headers: Vec::new(),
            service_name: "shop".to_owned(),
            resource: vec![("env".to_owned(), "test".to_owned())],
            meter: "mine".to_owned(),
            attributes: vec![("team".to_owned(), "a".to_owned())],
            include_only: Vec::new(),
            exclude: vec!["vusers.failed".to_owned()],
        };
        let values = PeriodValues {
            counters: [
                ("http.requests".to_owned(), 4.0),
                ("vusers.failed".to_owned(), 1.0),
            ]
            .into(),
            rates: [("http.request_rate".to_owned(), 3.0)].into(),
            summaries: [("http.response_time".to_owned(), vec![("p95", 1.5)])].into(),
            first_at: 5,
            last_at: 7,
        };
        let request = receiver.request(&values);
        let of_resource = &request.resource_metrics[0];
        let metrics = &of_resource.scope_metrics[0].metrics;
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "http.requests",
                "http.request_rate",
                "http.response_time.p95"
            ]
        );
        let Some(MetricPoints::Sum(sum)) = &metrics[0].data else {
            panic!("counters are sums");
        };
        assert_eq!(
            (sum.aggregation_temporality, sum.is_monotonic),
            (DELTA_TEMPORALITY, true)
        );
        let keys = sum.data_points[0]
            .attributes
            .iter()
            .map(|pair| pair.key.as_str());
        assert_eq!(keys.collect::<Vec<_>>(), ["team", "startTime", "endTime"]);
    }
}
