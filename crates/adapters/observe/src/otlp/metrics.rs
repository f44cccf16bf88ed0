//! Metrics, named as OpenTelemetry's exporter for Prometheus names them, so that one table of
//! names serves both.

mod names;
mod sender;

use std::borrow::Cow;
use std::collections::BTreeMap;

use loadline_otlp::{
    DELTA_TEMPORALITY, ExponentialHistogramDataPoint, HistogramDataPoint, KeyValue, MetricPoints,
    NumberDataPoint, NumberValue, OtlpMetric, Resource, ResourceMetrics,
};

use crate::exposition::Sample;
pub(super) use names::instance;
use names::{labels, prometheus_name};
use sender::Sender;

/// Most points that are kept, and most bytes of their names.
const POINTS_MAX: usize = 20_000;
const NAME_BYTES_MAX: usize = 8 << 20;
/// A name with its labels that is longer is no metric's.
const POINT_NAME_BYTES_MAX: usize = 8 << 10;
/// Most senders that are told apart.
const SENDERS_MAX: usize = 2_000;

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
                let sender = Sender::new(labels, now_ms);
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
        let settled = settled.filter(|(_, sender)| sender.is_settled(now_ms));
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
        at_ms: None,
    }
}

#[cfg(test)]
mod tests;
