//! Metrics.

use prost::{Message, Oneof};

use crate::attribute::{InstrumentationScope, KeyValue, Resource};

/// Values are those of the time since the last export.
pub const DELTA_TEMPORALITY: i32 = 1;
/// Values are cumulative from the start.
pub const CUMULATIVE_TEMPORALITY: i32 = 2;

/// What is exported.
#[derive(Clone, PartialEq, Message)]
pub struct ExportMetricsServiceRequest {
    /// Metrics, by the sender.
    #[prost(message, repeated, tag = "1")]
    pub resource_metrics: Vec<ResourceMetrics>,
}

/// The receiver's answer.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct ExportMetricsServiceResponse {
    /// Not there when all was taken.
    #[prost(message, optional, tag = "1")]
    pub partial_success: Option<ExportMetricsPartialSuccess>,
}

/// What a receiver did not take.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct ExportMetricsPartialSuccess {
    /// How many points.
    #[prost(int64, tag = "1")]
    pub rejected_data_points: i64,
    /// Why.
    #[prost(string, tag = "2")]
    pub error_message: String,
}

/// Metrics of one sender.
#[derive(Clone, PartialEq, Message)]
pub struct ResourceMetrics {
    /// The sender.
    #[prost(message, optional, tag = "1")]
    pub resource: Option<Resource>,
    /// Metrics, by the part of the program.
    #[prost(message, repeated, tag = "2")]
    pub scope_metrics: Vec<ScopeMetrics>,
}

/// Metrics of one part of a program.
#[derive(Clone, PartialEq, Message)]
pub struct ScopeMetrics {
    /// The part.
    #[prost(message, optional, tag = "1")]
    pub scope: Option<InstrumentationScope>,
    /// The metrics.
    #[prost(message, repeated, tag = "2")]
    pub metrics: Vec<OtlpMetric>,
}

/// A metric, the protocol's `Metric`.
#[derive(Clone, PartialEq, Message)]
pub struct OtlpMetric {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Such as `ms` and `By`.
    #[prost(string, tag = "3")]
    pub unit: String,
    /// Its points.
    #[prost(oneof = "MetricPoints", tags = "5, 7, 9, 10")]
    pub data: Option<MetricPoints>,
}

/// A metric's points, by its kind.
#[derive(Clone, PartialEq, Oneof)]
pub enum MetricPoints {
    /// Values as they were at a moment.
    #[prost(message, tag = "5")]
    Gauge(OtlpGauge),
    /// Counts and other sums.
    #[prost(message, tag = "7")]
    Sum(OtlpSum),
    /// Counts of values between bounds.
    #[prost(message, tag = "9")]
    Histogram(OtlpHistogram),
    /// Counts of values between powers of a base.
    #[prost(message, tag = "10")]
    ExponentialHistogram(ExponentialHistogram),
}

/// Points of a gauge, the protocol's `Gauge`.
#[derive(Clone, PartialEq, Message)]
pub struct OtlpGauge {
    /// The points.
    #[prost(message, repeated, tag = "1")]
    pub data_points: Vec<NumberDataPoint>,
}

/// Points of a sum, the protocol's `Sum`.
#[derive(Clone, PartialEq, Message)]
pub struct OtlpSum {
    /// The points.
    #[prost(message, repeated, tag = "1")]
    pub data_points: Vec<NumberDataPoint>,
    /// [`DELTA_TEMPORALITY`] or [`CUMULATIVE_TEMPORALITY`].
    #[prost(int32, tag = "2")]
    pub aggregation_temporality: i32,
    /// Whether it only grows.
    #[prost(bool, tag = "3")]
    pub is_monotonic: bool,
}

/// Points of a histogram, the protocol's `Histogram`.
#[derive(Clone, PartialEq, Message)]
pub struct OtlpHistogram {
    /// The points.
    #[prost(message, repeated, tag = "1")]
    pub data_points: Vec<HistogramDataPoint>,
    /// [`DELTA_TEMPORALITY`] or [`CUMULATIVE_TEMPORALITY`].
    #[prost(int32, tag = "2")]
    pub aggregation_temporality: i32,
}

/// Points of a histogram with exponential buckets.
#[derive(Clone, PartialEq, Message)]
pub struct ExponentialHistogram {
    /// The points.
    #[prost(message, repeated, tag = "1")]
    pub data_points: Vec<ExponentialHistogramDataPoint>,
    /// [`DELTA_TEMPORALITY`] or [`CUMULATIVE_TEMPORALITY`].
    #[prost(int32, tag = "2")]
    pub aggregation_temporality: i32,
}

/// A number at a time.
#[derive(Clone, PartialEq, Message)]
pub struct NumberDataPoint {
    /// What it is about.
    #[prost(message, repeated, tag = "7")]
    pub attributes: Vec<KeyValue>,
    /// Since when it counts, nanoseconds since 1970; 0 where that means nothing.
    #[prost(fixed64, tag = "2")]
    pub start_time_unix_nano: u64,
    /// Nanoseconds since 1970.
    #[prost(fixed64, tag = "3")]
    pub time_unix_nano: u64,
    /// The number.
    #[prost(oneof = "NumberValue", tags = "4, 6")]
    pub value: Option<NumberValue>,
}

/// A point's number.
#[derive(Clone, Copy, PartialEq, Oneof)]
pub enum NumberValue {
    /// Any.
    #[prost(double, tag = "4")]
    Double(f64),
    /// A whole one.
    #[prost(sfixed64, tag = "6")]
    Int(i64),
}

/// A histogram at a time.
#[derive(Clone, PartialEq, Message)]
pub struct HistogramDataPoint {
    /// What it is about.
    #[prost(message, repeated, tag = "9")]
    pub attributes: Vec<KeyValue>,
    /// Since when it counts, nanoseconds since 1970.
    #[prost(fixed64, tag = "2")]
    pub start_time_unix_nano: u64,
    /// Nanoseconds since 1970.
    #[prost(fixed64, tag = "3")]
    pub time_unix_nano: u64,
    /// How many values.
    #[prost(fixed64, tag = "4")]
    pub count: u64,
    /// Their sum.
    #[prost(double, optional, tag = "5")]
    pub sum: Option<f64>,
    /// One more than there are bounds.
    #[prost(fixed64, repeated, tag = "6")]
    pub bucket_counts: Vec<u64>,
    /// Upper bounds of all buckets but the last; a value on a bound is below it.
    #[prost(double, repeated, tag = "7")]
    pub explicit_bounds: Vec<f64>,
    /// The smallest value.
    #[prost(double, optional, tag = "11")]
    pub min: Option<f64>,
    /// The largest value.
    #[prost(double, optional, tag = "12")]
    pub max: Option<f64>,
}

/// An exponential histogram at a time, without its buckets, which nobody here reads.
#[derive(Clone, PartialEq, Message)]
pub struct ExponentialHistogramDataPoint {
    /// What it is about.
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<KeyValue>,
    /// Nanoseconds since 1970.
    #[prost(fixed64, tag = "3")]
    pub time_unix_nano: u64,
    /// How many values.
    #[prost(fixed64, tag = "4")]
    pub count: u64,
    /// Their sum.
    #[prost(double, optional, tag = "5")]
    pub sum: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Java's and Go's libraries write buckets of both signs.
    #[test]
    fn buckets_of_an_exponential_histogram_are_skipped() {
        let buckets = [0x08, 0x02, 0x12, 0x01, 0x03]; // offset 1, one bucket of 3
        let mut bytes = vec![0x21, 3, 0, 0, 0, 0, 0, 0, 0]; // count 3
        bytes.push(0x29);
        bytes.extend(1.5_f64.to_le_bytes());
        bytes.extend([0x30, 0x02]); // scale 1
        for sign in [0x42, 0x4a] {
            bytes.extend([sign, 5]);
            bytes.extend(buckets);
        }
        let point = ExponentialHistogramDataPoint::decode(&bytes[..]).unwrap();
        let expected = ExponentialHistogramDataPoint {
            count: 3,
            sum: Some(1.5),
            ..ExponentialHistogramDataPoint::default()
        };
        assert_eq!(point, expected);
    }
}
