//! The messages of the OpenTelemetry protocol (opentelemetry-proto 1.x): the fields that are read.

use prost::{Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub(super) struct TraceRequest {
    #[prost(message, repeated, tag = "1")]
    pub(super) resource_spans: Vec<ResourceSpans>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceSpans {
    #[prost(message, optional, tag = "1")]
    pub(super) resource: Option<Resource>,
    #[prost(message, repeated, tag = "2")]
    pub(super) scope_spans: Vec<ScopeSpans>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Resource {
    #[prost(message, repeated, tag = "1")]
    pub(super) attributes: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ScopeSpans {
    #[prost(message, repeated, tag = "2")]
    pub(super) spans: Vec<Span>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Span {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) trace_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) span_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    pub(super) parent_span_id: Vec<u8>,
    #[prost(string, tag = "5")]
    pub(super) name: String,
    /// 2: server, 3: client, 4: producer, 5: consumer.
    #[prost(int32, tag = "6")]
    pub(super) kind: i32,
    #[prost(fixed64, tag = "7")]
    pub(super) start_time_unix_nano: u64,
    #[prost(fixed64, tag = "8")]
    pub(super) end_time_unix_nano: u64,
    #[prost(message, repeated, tag = "9")]
    pub(super) attributes: Vec<KeyValue>,
    #[prost(message, optional, tag = "15")]
    pub(super) status: Option<Status>,
}

#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub(super) struct Status {
    /// 2: error.
    #[prost(int32, tag = "3")]
    pub(super) code: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct KeyValue {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(message, optional, tag = "2")]
    pub(super) value: Option<AnyValue>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AnyValue {
    #[prost(oneof = "AnyOf", tags = "1, 2, 3, 4")]
    pub(super) value: Option<AnyOf>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum AnyOf {
    #[prost(string, tag = "1")]
    Text(String),
    #[prost(bool, tag = "2")]
    Bool(bool),
    #[prost(int64, tag = "3")]
    Int(i64),
    #[prost(double, tag = "4")]
    Double(f64),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct MetricsRequest {
    #[prost(message, repeated, tag = "1")]
    pub(super) resource_metrics: Vec<ResourceMetrics>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceMetrics {
    #[prost(message, optional, tag = "1")]
    pub(super) resource: Option<Resource>,
    #[prost(message, repeated, tag = "2")]
    pub(super) scope_metrics: Vec<ScopeMetrics>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ScopeMetrics {
    #[prost(message, repeated, tag = "2")]
    pub(super) metrics: Vec<Metric>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Metric {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "3")]
    pub(super) unit: String,
    #[prost(oneof = "Data", tags = "5, 7, 9, 10")]
    pub(super) data: Option<Data>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Data {
    #[prost(message, tag = "5")]
    Gauge(Gauge),
    #[prost(message, tag = "7")]
    Sum(Sum),
    #[prost(message, tag = "9")]
    Histogram(Histogram),
    /// Its sums and counts stand where a histogram's do.
    #[prost(message, tag = "10")]
    ExponentialHistogram(Histogram),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Gauge {
    #[prost(message, repeated, tag = "1")]
    pub(super) data_points: Vec<NumberPoint>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Sum {
    #[prost(message, repeated, tag = "1")]
    pub(super) data_points: Vec<NumberPoint>,
    /// 1: growth since the last report, 2: counts so far.
    #[prost(int32, tag = "2")]
    pub(super) temporality: i32,
    #[prost(bool, tag = "3")]
    pub(super) is_monotonic: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct NumberPoint {
    #[prost(fixed64, tag = "3")]
    pub(super) time_unix_nano: u64,
    #[prost(message, repeated, tag = "7")]
    pub(super) attributes: Vec<KeyValue>,
    #[prost(oneof = "Number", tags = "4, 6")]
    pub(super) value: Option<Number>,
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub(super) enum Number {
    #[prost(double, tag = "4")]
    Double(f64),
    #[prost(sfixed64, tag = "6")]
    Int(i64),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Histogram {
    #[prost(message, repeated, tag = "1")]
    pub(super) data_points: Vec<HistogramPoint>,
    #[prost(int32, tag = "2")]
    pub(super) temporality: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct HistogramPoint {
    #[prost(fixed64, tag = "3")]
    pub(super) time_unix_nano: u64,
    #[prost(message, repeated, tag = "9")]
    pub(super) attributes: Vec<KeyValue>,
    /// An exponential histogram's stand here.
    #[prost(message, repeated, tag = "1")]
    pub(super) exponential_attributes: Vec<KeyValue>,
    #[prost(fixed64, tag = "4")]
    pub(super) count: u64,
    #[prost(double, optional, tag = "5")]
    pub(super) sum: Option<f64>,
}

/// The text of an attribute; empty without it.
pub(super) fn text<'a>(attributes: &'a [KeyValue], key: &str) -> &'a str {
    let found = attributes.iter().find(|one| one.key == key);
    match found.and_then(|one| one.value.as_ref()?.value.as_ref()) {
        Some(AnyOf::Text(text)) => text,
        _ => "",
    }
}

/// A whole number of an attribute.
pub(super) fn integer(attributes: &[KeyValue], key: &str) -> Option<i64> {
    let found = attributes.iter().find(|one| one.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        AnyOf::Int(number) => Some(*number),
        _ => None,
    }
}
