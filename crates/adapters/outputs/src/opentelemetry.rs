//! OpenTelemetry: exports the totals of all series at an interval.
//!
//! The data model is the one k6 gets from OpenTelemetry's own library: counters are sums of
//! doubles, trends are histograms with that library's default bounds, and rates are one sum with
//! an attribute that separates ones from zeros (or two sums, as in earlier versions of k6). All
//! values are cumulative from the run's start, so a delayed export loses nothing.

mod grpc;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_metrics::{Histogram as Trend, MetricValue, RateValue, ValueType};
use loadline_net::{NetworkSettings, Url};
use loadline_otlp::{
    CUMULATIVE_TEMPORALITY, ExportMetricsServiceRequest, ExportMetricsServiceResponse,
    HistogramDataPoint, InstrumentationScope, KeyValue, Message, MetricPoints, NumberDataPoint,
    NumberValue, OtlpGauge, OtlpHistogram, OtlpMetric, OtlpSum, Resource, ResourceMetrics,
    ScopeMetrics,
};

use crate::catalog::{Catalog, Tags};
use crate::config::opentelemetry::{OpenTelemetry, Protocol};
use crate::frame::{Frame, Sums};
use crate::post::{Answer, Poster};
use crate::sink::{Sink, Tally};
use grpc::GrpcPoster;

/// The timeout of an export (the default of OpenTelemetry's library).
const EXPORT_TIMEOUT: Duration = Duration::from_secs(10);

/// The default bounds of OpenTelemetry's library.
const BOUNDS: [f64; 15] = [
    0.0, 5.0, 10.0, 25.0, 50.0, 75.0, 100.0, 250.0, 500.0, 750.0, 1000.0, 2500.0, 5000.0, 7500.0,
    10000.0,
];

/// Exports series.
pub(crate) struct OpenTelemetrySink {
    config: OpenTelemetry,
    sender: MetricSender,
    /// By metric, then by series.
    metrics: BTreeMap<u32, BTreeMap<u32, Series>>,
    names: BTreeMap<u32, (String, String)>,
    /// When the run began.
    start: Option<i64>,
    last_export: i64,
    until: i64,
    changed: bool,
    body: Option<(Bytes, u64)>,
    tally: Tally,
}

/// Posts encoded metrics to one receiver.
pub(crate) struct MetricSender {
    url: Url,
    fields: Vec<(String, String)>,
    transport: Transport,
}

enum Transport {
    Http(Poster),
    /// gRPC over TLS, which `net` speaks.
    GrpcOverHttp(Poster),
    Grpc(Box<GrpcPoster>),
}

impl MetricSender {
    pub(crate) fn new(
        url: Url,
        protocol: Protocol,
        fields: Vec<(String, String)>,
        settings: Arc<NetworkSettings>,
    ) -> Self {
        let transport = match protocol {
            Protocol::Grpc if !url.is_secure() => {
                Transport::Grpc(Box::new(GrpcPoster::new(settings, EXPORT_TIMEOUT)))
            }
            Protocol::Grpc => Transport::GrpcOverHttp(Poster::new(settings, EXPORT_TIMEOUT)),
            Protocol::Http => Transport::Http(Poster::new(settings, EXPORT_TIMEOUT)),
        };
        Self {
            url,
            fields,
            transport,
        }
    }

    pub(crate) fn send(&mut self, body: Bytes) -> Result<Answer, String> {
        match &mut self.transport {
            Transport::Grpc(poster) => poster.post(&self.url, &self.fields, &body),
            Transport::GrpcOverHttp(poster) => {
                let answer = poster.post(&self.url, &self.fields, grpc::framed(&body))?;
                Ok(grpc::over_http(answer))
            }
            Transport::Http(poster) => poster.post(&self.url, &self.fields, body),
        }
    }
}

struct Series {
    value: MetricValue,
    attributes: Vec<KeyValue>,
}

impl OpenTelemetrySink {
    pub(crate) fn new(config: &OpenTelemetry, settings: Arc<NetworkSettings>) -> Self {
        let sender = MetricSender::new(
            config.url.clone(),
            config.protocol,
            config.fields.clone(),
            settings,
        );
        Self {
            config: config.clone(),
            sender,
            metrics: BTreeMap::new(),
            names: BTreeMap::new(),
            start: None,
            last_export: 0,
            until: 0,
            changed: false,
            body: None,
            tally: Tally::default(),
        }
    }

    fn add(&mut self, id: u32, gain: &MetricValue, catalog: &Catalog) {
        let (metric, tags) = catalog.series(id);
        self.names.entry(metric).or_insert_with(|| {
            let def = catalog.metric(metric);
            let unit = match def.contains {
                ValueType::Time => "ms",
                ValueType::Data => "By",
                ValueType::Default => "",
            };
            let name = format!("{}{}", self.config.metric_prefix, def.name);
            (name, unit.to_owned())
        });
        let all = self.metrics.entry(metric).or_default();
        let series = all.entry(id).or_insert_with(|| Series {
            value: MetricValue::empty(gain.kind()),
            attributes: attributes(catalog.tags(tags)),
        });
        series.value.merge(gain);
    }

    fn is_due(&self) -> bool {
        let interval = i64::try_from(self.config.export_interval.as_nanos()).unwrap_or(i64::MAX);
        self.changed && self.until - self.last_export >= interval
    }

    /// Encodes all series with their present values.
    fn export(&mut self) {
        let times = Times {
            start: self.start.unwrap_or_default().cast_unsigned(),
            now: self.until.cast_unsigned(),
        };
        let mut metrics = Vec::new();
        for (metric, series) in &self.metrics {
            let (name, unit) = &self.names[metric];
            metrics.extend(self.config.metrics(name, unit, series.values(), times));
        }
        let points = metrics.iter().map(points_of).sum();
        let request = ExportMetricsServiceRequest {
            resource_metrics: vec![ResourceMetrics {
                resource: Some(Resource {
                    attributes: vec![
                        KeyValue::text("service.name", &self.config.service_name),
                        KeyValue::text("service.version", &self.config.service_version),
                        KeyValue::text("telemetry.sdk.language", "rust"),
                        KeyValue::text("telemetry.sdk.name", "loadline"),
                        KeyValue::text("telemetry.sdk.version", env!("CARGO_PKG_VERSION")),
                    ],
                }),
                scope_metrics: vec![ScopeMetrics {
                    scope: Some(InstrumentationScope {
                        name: "k6".to_owned(),
                    }),
                    metrics,
                }],
            }],
        };
        self.last_export = self.until;
        self.changed = false;
        self.body = Some((request.encode_to_vec().into(), points));
    }
}

impl Sink for OpenTelemetrySink {
    fn take(&mut self, frame: Frame, catalog: &Catalog) {
        // This output asks for sums and gets no samples.
        let Frame::Sums(Sums {
            from,
            until,
            series,
        }) = frame
        else {
            return;
        };
        if self.start.is_none() {
            self.start = Some(from);
            self.last_export = from;
        }
        self.until = self.until.max(until);
        self.changed = true;
        for (id, gain) in &series {
            self.add(*id, gain, catalog);
        }
    }

    fn flush(&mut self, all: bool) -> Result<(), String> {
        if self.body.is_none() && (self.is_due() || (all && self.changed)) {
            self.export();
        }
        let Some((body, points)) = self.body.clone() else {
            return Ok(());
        };
        let answer = self.sender.send(body)?;
        if answer.is_taken() {
            let refused = refused(&answer);
            self.tally.points += points.saturating_sub(refused.0);
            if refused.0 > 0 {
                self.tally.refuse(refused.0, refused.1);
            }
        } else if answer.may_change() {
            return Err(answer.words());
        } else {
            self.tally.refuse(points, answer.words());
        }
        self.body = None;
        Ok(())
    }

    fn pending(&self) -> u64 {
        self.body
            .as_ref()
            .map_or(u64::from(self.changed), |(_, points)| *points)
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// How many points the receiver rejected of a body it accepted, and why.
fn refused(answer: &Answer) -> (u64, String) {
    let response = ExportMetricsServiceResponse::decode(answer.body.as_slice());
    let partial = response.ok().and_then(|response| response.partial_success);
    partial.map_or((0, String::new()), |partial| {
        let count = u64::try_from(partial.rejected_data_points).unwrap_or_default();
        (count, partial.error_message)
    })
}

#[derive(Clone, Copy)]
struct Times {
    start: u64,
    now: u64,
}

impl OpenTelemetry {
    /// A metric's series as metrics of the protocol.
    fn metrics<'a>(
        &self,
        name: &str,
        unit: &str,
        series: impl Iterator<Item = &'a Series>,
        times: Times,
    ) -> Vec<OtlpMetric> {
        let (mut sums, mut gauges, mut trends) = (Vec::new(), Vec::new(), Vec::new());
        let (mut zeros_and_ones, mut ones) = (Vec::new(), Vec::new());
        for series in series {
            match &series.value {
                MetricValue::Counter(sum) => {
                    let value = NumberValue::Double(sum.map_or(0.0, |sum| sum.value()));
                    sums.push(series.number(value, times));
                }
                MetricValue::Gauge(gauge) => {
                    let value = NumberValue::Double(gauge.map_or(0.0, |gauge| gauge.last));
                    gauges.push(NumberDataPoint {
                        start_time_unix_nano: 0,
                        ..series.number(value, times)
                    });
                }
                MetricValue::Trend(trend) => trends.push(series.histogram(trend, times)),
                MetricValue::Rate(rate) if self.single_counter_for_rate => {
                    zeros_and_ones.extend(series.conditions(*rate, times));
                }
                MetricValue::Rate(rate) => {
                    ones.push(series.number(whole(rate.trues), times));
                    zeros_and_ones.push(series.number(whole(rate.total), times));
                }
            }
        }
        let sum = |name: String, unit: &str, data_points: Vec<NumberDataPoint>| {
            let data = MetricPoints::Sum(OtlpSum {
                data_points,
                aggregation_temporality: CUMULATIVE_TEMPORALITY,
                is_monotonic: true,
            });
            metric(name, unit, data)
        };
        let mut metrics = Vec::new();
        if !sums.is_empty() {
            metrics.push(sum(name.to_owned(), unit, sums));
        }
        if !gauges.is_empty() {
            let data = MetricPoints::Gauge(OtlpGauge {
                data_points: gauges,
            });
            metrics.push(metric(name.to_owned(), unit, data));
        }
        if !trends.is_empty() {
            let data = MetricPoints::Histogram(OtlpHistogram {
                data_points: trends,
                aggregation_temporality: CUMULATIVE_TEMPORALITY,
            });
            metrics.push(metric(name.to_owned(), unit, data));
        }
        if !ones.is_empty() {
            metrics.push(sum(format!("{name}.occurred"), "", ones));
        }
        if !zeros_and_ones.is_empty() {
            metrics.push(sum(format!("{name}.total"), "", zeros_and_ones));
        }
        metrics
    }
}

fn metric(name: String, unit: &str, data: MetricPoints) -> OtlpMetric {
    OtlpMetric {
        name,
        unit: unit.to_owned(),
        data: Some(data),
    }
}

fn whole(count: u64) -> NumberValue {
    NumberValue::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn points_of(metric: &OtlpMetric) -> u64 {
    let count = match &metric.data {
        Some(MetricPoints::Sum(sum)) => sum.data_points.len(),
        Some(MetricPoints::Gauge(gauge)) => gauge.data_points.len(),
        Some(MetricPoints::Histogram(histogram)) => histogram.data_points.len(),
        Some(MetricPoints::ExponentialHistogram(histogram)) => histogram.data_points.len(),
        None => 0,
    };
    count as u64
}

impl Series {
    fn number(&self, value: NumberValue, times: Times) -> NumberDataPoint {
        NumberDataPoint {
            attributes: self.attributes.clone(),
            start_time_unix_nano: times.start,
            time_unix_nano: times.now,
            value: Some(value),
        }
    }

    /// A rate's counts of ones and zeros, each only if there were any.
    fn conditions(&self, rate: RateValue, times: Times) -> Vec<NumberDataPoint> {
        let parts = [("nonzero", rate.trues), ("zero", rate.total - rate.trues)];
        let parts = parts.into_iter().filter(|(_, count)| *count > 0);
        parts
            .map(|(condition, count)| {
                let mut point = self.number(whole(count), times);
                point
                    .attributes
                    .push(KeyValue::text("condition", condition));
                point
                    .attributes
                    .sort_by(|one, other| one.key.cmp(&other.key));
                point
            })
            .collect()
    }

    fn histogram(&self, trend: &Trend, times: Times) -> HistogramDataPoint {
        let mut counts = vec![0; BOUNDS.len() + 1];
        let mut add = |value: f64, count: u64| {
            counts[BOUNDS.partition_point(|bound| *bound < value)] += count;
        };
        match trend.raw() {
            Some(values) => values.iter().for_each(|value| add(*value, 1)),
            None => trend
                .buckets()
                .into_iter()
                .for_each(|(bucket, count)| add(bucket.middle(), count)),
        }
        HistogramDataPoint {
            attributes: self.attributes.clone(),
            start_time_unix_nano: times.start,
            time_unix_nano: times.now,
            count: trend.count(),
            sum: Some(trend.sum()),
            bucket_counts: counts,
            explicit_bounds: BOUNDS.to_vec(),
            min: trend.min(),
            max: trend.max(),
        }
    }
}

/// Tags as attributes, without those that have no value.
fn attributes(tags: &Tags) -> Vec<KeyValue> {
    let tags = tags.iter();
    tags.filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .map(|(key, value)| KeyValue::text(key, value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: Times = Times { start: 1, now: 2 };

    fn series(value: MetricValue) -> Series {
        Series {
            value,
            attributes: Vec::new(),
        }
    }

    #[test]
    fn a_value_on_a_bound_is_below_it_and_every_value_counts() {
        let trend = Trend::from_values(&[-1.0, 0.0, 5.0, 5.1, 20_000.0]);
        let point = series(MetricValue::Trend(trend.clone())).histogram(&trend, TIMES);
        assert_eq!(point.bucket_counts[..3], [2, 1, 1]);
        assert_eq!(point.bucket_counts[15], 1);
        assert_eq!(point.bucket_counts.iter().sum::<u64>(), point.count);
        assert_eq!((point.min, point.max), (Some(-1.0), Some(20_000.0)));
    }

    #[test]
    fn a_rate_is_one_sum_told_apart_by_condition_or_two() {
        let rate = RateValue { trues: 3, total: 3 };
        let rates = [series(MetricValue::Rate(rate))];
        let mut config = OpenTelemetry::for_tests();
        let one = config.metrics("checks", "", rates.iter(), TIMES);
        assert_eq!(one.len(), 1);
        assert_eq!(
            (one[0].name.as_str(), points_of(&one[0])),
            ("checks.total", 1)
        );
        config.single_counter_for_rate = false;
        let two = config.metrics("checks", "", rates.iter(), TIMES);
        let names: Vec<&str> = two.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["checks.occurred", "checks.total"]);
    }
}
