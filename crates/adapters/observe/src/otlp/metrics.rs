//! Metrics, named as OpenTelemetry's exporter for Prometheus names them, so that one table of
//! names serves both.

use std::borrow::Cow;
use std::collections::BTreeMap;

use loadline_otlp::{
    AttributeValue, DELTA_TEMPORALITY, ExponentialHistogramDataPoint, HistogramDataPoint, KeyValue,
    MetricPoints, NumberDataPoint, NumberValue, OtlpMetric, Resource, ResourceMetrics, text,
};

use crate::exposition::Sample;

/// Most points that are kept, and most bytes of their names.
const POINTS_MAX: usize = 20_000;
const NAME_BYTES_MAX: usize = 8 << 20;
/// A name with its labels that is longer is no metric's.
const POINT_NAME_BYTES_MAX: usize = 8 << 10;
/// Most senders that are told apart.
const SENDERS_MAX: usize = 2_000;
/// A sender's values are told from so long after its first message on, ms: what it could not deliver before the
/// run comes first, in any order, and would look like growth.
const SETTLE_TIME_MS: u64 = 2_000;
/// A sender's values are dated before those known for so long, ms: its clock was set back. For less: they come late.
const SET_BACK_MIN_MS: u64 = 5_000;

/// The latest value of each point, by who told it.
#[derive(Default)]
pub(super) struct Metrics {
    points: BTreeMap<PointName, PointValue>,
    /// Bytes of all names, of senders' labels too.
    name_bytes: usize,
    /// Resources, by what they are called.
    resources: BTreeMap<String, Sender>,
    /// Points that did not fit.
    pub(super) left_out: u64,
}

/// A value, and when it was so, by the sender's clock.
#[derive(Clone, Copy)]
struct PointValue {
    at: u64,
    value: f64,
    is_delta: bool,
}

/// What is taken of a histogram, whatever its buckets are.
#[derive(Clone, Copy)]
struct HistogramTotals<'a> {
    attributes: &'a [KeyValue],
    /// When it was so, by the sender's clock.
    at: u64,
    count: u64,
    sum: Option<f64>,
}

impl<'a> From<&'a HistogramDataPoint> for HistogramTotals<'a> {
    fn from(point: &'a HistogramDataPoint) -> Self {
        Self {
            attributes: &point.attributes,
            at: point.time_unix_nano,
            count: point.count,
            sum: point.sum,
        }
    }
}

impl<'a> From<&'a ExponentialHistogramDataPoint> for HistogramTotals<'a> {
    fn from(point: &'a ExponentialHistogramDataPoint) -> Self {
        Self {
            attributes: &point.attributes,
            at: point.time_unix_nano,
            count: point.count,
            sum: point.sum,
        }
    }
}

struct Sender {
    labels: Vec<(String, String)>,
    /// When its first message came, ms.
    first_ms: u64,
    /// The newest date, by its clock.
    newest: u64,
    /// Since when all that came was older than that, ms.
    older_since: Option<u64>,
}

type PointName = (String, String, Vec<(String, String)>);

impl Metrics {
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    pub(super) fn take(&mut self, resources: &[ResourceMetrics], now_ms: u64) {
        for resource in resources {
            let attributes = resource.resource.as_ref();
            let instance = attributes.map_or_else(String::new, instance);
            if let Some(attributes) = attributes {
                if !self.knows_sender(&instance, attributes, now_ms) {
                    self.left_out += 1;
                    continue;
                }
                let sender = self.resources.get_mut(&instance);
                if sender.is_some_and(|sender| sender.was_set_back(newest(resource), now_ms)) {
                    self.forget_dates(&instance);
                }
            }
            let metrics = resource
                .scope_metrics
                .iter()
                .flat_map(|scope| &scope.metrics);
            for metric in metrics {
                self.take_metric(&instance, metric);
            }
        }
    }

    /// Whether a sender is known, or there is room for it; its labels are the newest it told.
    fn knows_sender(&mut self, instance: &str, attributes: &Resource, now_ms: u64) -> bool {
        let labels = labels(&attributes.attributes);
        let bytes = instance.len() + bytes_of(&labels);
        let known = self.resources.get(instance);
        let before = known.map_or(0, |sender| instance.len() + bytes_of(&sender.labels));
        let is_full = self.resources.len() >= SENDERS_MAX;
        let has_room =
            bytes <= POINT_NAME_BYTES_MAX && self.name_bytes + bytes <= NAME_BYTES_MAX + before;
        match self.resources.get_mut(instance) {
            Some(sender) if has_room => sender.labels = labels,
            // It is told by the labels of before.
            Some(_) => return true,
            None if has_room && !is_full => {
                let sender = Sender {
                    labels,
                    first_ms: now_ms,
                    newest: 0,
                    older_since: None,
                };
                self.resources.insert(instance.to_owned(), sender);
            }
            None => return false,
        }
        self.name_bytes = self.name_bytes + bytes - before;
        true
    }

    /// What comes next is newer, whatever its date.
    fn forget_dates(&mut self, instance: &str) {
        let of = |name: &PointName| name.0 == instance;
        for (_, point) in self.points.iter_mut().filter(|(name, _)| of(name)) {
            point.at = 0;
        }
    }

    fn take_metric(&mut self, instance: &str, metric: &OtlpMetric) {
        let name = |is_counter| prometheus_name(&metric.name, &metric.unit, is_counter);
        match &metric.data {
            Some(MetricPoints::Gauge(gauge)) => {
                for point in &gauge.data_points {
                    self.take_number(instance, &name(false), point, false);
                }
            }
            Some(MetricPoints::Sum(sum)) => {
                let is_delta = sum.aggregation_temporality == DELTA_TEMPORALITY;
                for point in &sum.data_points {
                    self.take_number(instance, &name(sum.is_monotonic), point, is_delta);
                }
            }
            Some(MetricPoints::Histogram(histogram)) => {
                let is_delta = histogram.aggregation_temporality == DELTA_TEMPORALITY;
                for point in &histogram.data_points {
                    let totals = HistogramTotals::from(point);
                    self.take_histogram(instance, &name(false), totals, is_delta);
                }
            }
            Some(MetricPoints::ExponentialHistogram(histogram)) => {
                let is_delta = histogram.aggregation_temporality == DELTA_TEMPORALITY;
                for point in &histogram.data_points {
                    let totals = HistogramTotals::from(point);
                    self.take_histogram(instance, &name(false), totals, is_delta);
                }
            }
            None => {}
        }
    }

    fn take_number(&mut self, instance: &str, name: &str, point: &NumberDataPoint, is_delta: bool) {
        #[expect(clippy::cast_precision_loss, reason = "as Prometheus does")]
        let value = match point.value {
            Some(NumberValue::Double(value)) => value,
            Some(NumberValue::Int(value)) => value as f64,
            None => return,
        };
        let value = PointValue {
            at: point.time_unix_nano,
            value,
            is_delta,
        };
        self.set(instance, name.to_owned(), labels(&point.attributes), value);
    }

    fn take_histogram(
        &mut self,
        instance: &str,
        name: &str,
        totals: HistogramTotals<'_>,
        is_delta: bool,
    ) {
        let labels = labels(totals.attributes);
        #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
        let count = totals.count as f64;
        let of = |value| PointValue {
            at: totals.at,
            value,
            is_delta,
        };
        self.set(instance, format!("{name}_count"), labels.clone(), of(count));
        if let Some(sum) = totals.sum {
            self.set(instance, format!("{name}_sum"), labels, of(sum));
        }
    }

    fn set(
        &mut self,
        instance: &str,
        name: String,
        labels: Vec<(String, String)>,
        new: PointValue,
    ) {
        let key = (instance.to_owned(), name, labels);
        if let Some(known) = self.points.get_mut(&key) {
            if new.is_delta {
                known.value += new.value;
            } else if new.at >= known.at {
                // An older one was delivered late.
                *known = new;
            }
            return;
        }
        let bytes = key.0.len() + key.1.len() + bytes_of(&key.2);
        let has_room = self.points.len() < POINTS_MAX
            && bytes <= POINT_NAME_BYTES_MAX
            && self.name_bytes + bytes <= NAME_BYTES_MAX;
        if has_room {
            self.points.insert(key, new);
            self.name_bytes += bytes;
        } else {
            self.left_out += 1;
        }
    }

    /// Calls `each` with all points of each sender, and what it is called.
    pub(super) fn each(&self, now_ms: u64, mut each: impl FnMut(&str, &[Sample<'_>])) {
        let settled = self.resources.iter();
        let settled = settled.filter(|(_, sender)| now_ms >= sender.first_ms + SETTLE_TIME_MS);
        for (instance, sender) in settled {
            let first = (instance.clone(), String::new(), Vec::new());
            let own = self.points.range(first..);
            let own = own.take_while(|((of, _, _), _)| of == instance);
            let mut samples: Vec<Sample<'_>> = own
                .map(|((_, name, labels), point)| sample(name, labels, point.value))
                .collect();
            samples.push(sample("target_info", &sender.labels, 1.0));
            each(instance, &samples);
        }
    }

    pub(super) fn senders(&self) -> usize {
        self.resources.len()
    }
}

/// What names and values of labels take.
fn bytes_of(labels: &[(String, String)]) -> usize {
    labels
        .iter()
        .map(|(name, value)| name.len() + value.len() + size_of::<(String, String)>())
        .sum()
}

impl Sender {
    /// Takes the newest date of a message; whether the sender's clock was set back since the one before.
    fn was_set_back(&mut self, newest: u64, now_ms: u64) -> bool {
        if newest >= self.newest {
            self.older_since = None;
        } else if now_ms < *self.older_since.get_or_insert(now_ms) + SET_BACK_MIN_MS {
            return false;
        } else {
            self.older_since = None;
            self.newest = newest;
            return true;
        }
        self.newest = newest;
        false
    }
}

/// The newest date of a message, by its sender's clock; 0 without one.
pub(super) fn newest(resource: &ResourceMetrics) -> u64 {
    let metrics = resource.scope_metrics.iter();
    let metrics = metrics.flat_map(|scope| &scope.metrics);
    let dates = metrics.filter_map(|metric| match metric.data.as_ref()? {
        MetricPoints::Gauge(gauge) => gauge.data_points.iter().map(|p| p.time_unix_nano).max(),
        MetricPoints::Sum(sum) => sum.data_points.iter().map(|p| p.time_unix_nano).max(),
        MetricPoints::Histogram(all) => all.data_points.iter().map(|p| p.time_unix_nano).max(),
        MetricPoints::ExponentialHistogram(all) => {
            all.data_points.iter().map(|p| p.time_unix_nano).max()
        }
    });
    dates.max().unwrap_or(0)
}

fn sample<'a>(name: &'a str, labels: &'a [(String, String)], value: f64) -> Sample<'a> {
    let labels = labels
        .iter()
        .map(|(name, value)| (name.as_str(), Cow::Borrowed(value.as_str())));
    Sample {
        name,
        labels: labels.collect(),
        value,
        is_gauge: false,
    }
}

/// What a sender is called: its instance, or the process on its host.
pub(super) fn instance(resource: &Resource) -> String {
    let attributes = &resource.attributes;
    let keys = [
        "k8s.pod.name",
        "service.instance.id",
        "host.name",
        "service.name",
    ];
    let mut names = keys.iter().map(|key| text(attributes, key));
    names.find(|name| !name.is_empty()).unwrap_or("").to_owned()
}

fn labels(attributes: &[KeyValue]) -> Vec<(String, String)> {
    let label = |one: &KeyValue| {
        let value = match one.value()? {
            AttributeValue::String(text) => text.clone(),
            AttributeValue::Bool(is_so) => is_so.to_string(),
            AttributeValue::Int(number) => number.to_string(),
            AttributeValue::Double(number) => number.to_string(),
        };
        Some((plain(&one.key), value))
    };
    attributes.iter().filter_map(label).collect()
}

fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(letter).collect()
}

/// `http.server.request.duration` in `s` is `http_server_request_duration_seconds`.
fn prometheus_name(name: &str, unit: &str, is_counter: bool) -> String {
    let mut full = plain(name);
    let unit = match unit {
        "s" => "seconds",
        "ms" => "milliseconds",
        "By" => "bytes",
        _ => "",
    };
    if !unit.is_empty() && !full.ends_with(unit) {
        full.push('_');
        full.push_str(unit);
    }
    if is_counter && !full.ends_with("_total") {
        full.push_str("_total");
    }
    full
}

#[cfg(test)]
mod tests {
    use loadline_otlp::{OtlpGauge, OtlpHistogram, OtlpSum, ScopeMetrics};

    use super::*;

    fn metric(name: &str, unit: &str, data: MetricPoints) -> ResourceMetrics {
        ResourceMetrics {
            resource: Some(Resource::default()),
            scope_metrics: vec![ScopeMetrics {
                scope: None,
                metrics: vec![OtlpMetric {
                    name: name.to_owned(),
                    unit: unit.to_owned(),
                    data: Some(data),
                }],
            }],
        }
    }

    fn names_and_values(metrics: &Metrics) -> Vec<(String, f64)> {
        let mut all = Vec::new();
        metrics.each(SETTLE_TIME_MS, |_, samples| {
            all.extend(samples.iter().map(|one| (one.name.to_owned(), one.value)));
        });
        all.retain(|(name, _)| name != "target_info");
        all
    }

    fn number(value: f64) -> NumberDataPoint {
        NumberDataPoint {
            value: Some(NumberValue::Double(value)),
            ..NumberDataPoint::default()
        }
    }

    #[test]
    fn names_are_those_of_the_exporter_for_prometheus() {
        let mut metrics = Metrics::default();
        let sum = |temporality, value| OtlpSum {
            data_points: vec![number(value)],
            aggregation_temporality: temporality,
            is_monotonic: true,
        };
        let histogram = OtlpHistogram {
            data_points: vec![HistogramDataPoint {
                count: 4,
                sum: Some(2.5),
                ..HistogramDataPoint::default()
            }],
            aggregation_temporality: 2,
        };
        let gauge = OtlpGauge {
            data_points: vec![number(7.0)],
        };
        metrics.take(
            &[
                metric("jvm.cpu.time", "s", MetricPoints::Sum(sum(2, 3.0))),
                metric(
                    "http.server.request.duration",
                    "s",
                    MetricPoints::Histogram(histogram),
                ),
                metric(
                    "db.client.connections.max",
                    "{connections}",
                    MetricPoints::Gauge(gauge),
                ),
            ],
            0,
        );
        let expected = [
            ("db_client_connections_max", 7.0),
            ("http_server_request_duration_seconds_count", 4.0),
            ("http_server_request_duration_seconds_sum", 2.5),
            ("jvm_cpu_time_seconds_total", 3.0),
        ];
        assert_eq!(
            names_and_values(&metrics),
            expected.map(|(name, value)| (name.to_owned(), value))
        );
    }

    #[test]
    fn growth_is_added_up_and_counts_so_far_replace_each_other() {
        for (temporality, expected) in [(1, 5.0), (2, 3.0)] {
            let mut metrics = Metrics::default();
            for value in [2.0, 3.0] {
                let sum = OtlpSum {
                    data_points: vec![number(value)],
                    aggregation_temporality: temporality,
                    is_monotonic: true,
                };
                metrics.take(&[metric("a", "", MetricPoints::Sum(sum))], 0);
            }
            assert_eq!(
                names_and_values(&metrics),
                [("a_total".to_owned(), expected)]
            );
        }
    }

    #[test]
    fn what_a_sender_could_not_deliver_before_is_neither_growth_nor_a_new_start() {
        let mut metrics = Metrics::default();
        let mut take = |at: u64, value: f64, now_ms: u64| {
            let sum = OtlpSum {
                data_points: vec![NumberDataPoint {
                    time_unix_nano: at,
                    ..number(value)
                }],
                aggregation_temporality: 2,
                is_monotonic: true,
            };
            metrics.take(&[metric("a", "", MetricPoints::Sum(sum))], now_ms);
            let mut all = Vec::new();
            metrics.each(now_ms, |_, samples| all.push(samples[0].value));
            all
        };
        assert!(take(20, 900.0, 100).is_empty(), "it may be old");
        assert!(take(50, 1000.0, 300).is_empty());
        assert_eq!(take(30, 950.0, 2_100), [1000.0], "an older one came late");
        assert_eq!(take(60, 1010.0, 3_000), [1010.0]);
    }

    #[test]
    fn values_of_a_sender_whose_clock_is_set_back_go_on_after_some_seconds() {
        let mut metrics = Metrics::default();
        let send = |metrics: &mut Metrics, at_s: u64, now_ms: u64, value: f64| {
            let mut point = number(value);
            point.time_unix_nano = at_s * 1_000_000_000;
            let gauge = OtlpGauge {
                data_points: vec![point],
            };
            metrics.take(&[metric("a", "", MetricPoints::Gauge(gauge))], now_ms);
        };
        send(&mut metrics, 1000, 0, 1.0);
        send(&mut metrics, 999, 1_000, 9.0);
        assert_eq!(
            names_and_values(&metrics),
            [("a".to_owned(), 1.0)],
            "it came late"
        );
        send(&mut metrics, 1002, 2_000, 2.0);
        for second in 3..=9 {
            // Five minutes back from here on.
            send(&mut metrics, 700 + second, second * 1_000, second as f64);
        }
        assert_eq!(names_and_values(&metrics), [("a".to_owned(), 9.0)]);
    }
}
