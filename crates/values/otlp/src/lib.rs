//! The OpenTelemetry protocol (opentelemetry-proto 1.x): its messages, as far as their fields are written or read here,
//! and its paths.
//!
//! Metrics are exported to collectors and received from targets, traces are received; both sides share these messages.
//! A field that is not listed is skipped when a message is read.
//!
//! Elsewhere: exports (`outputs`), the receiver (`observe`).

mod attribute;
mod decoded_size;
mod metrics;
mod trace;

pub use attribute::{
    AnyValue, AttributeValue, InstrumentationScope, KeyValue, Resource, integer, text,
};
pub use decoded_size::{ExportKind, decoded_bytes};
pub use metrics::{
    CUMULATIVE_TEMPORALITY, DELTA_TEMPORALITY, ExponentialHistogram, ExponentialHistogramDataPoint,
    ExportMetricsPartialSuccess, ExportMetricsServiceRequest, ExportMetricsServiceResponse,
    HistogramDataPoint, MetricPoints, NumberDataPoint, NumberValue, OtlpGauge, OtlpHistogram,
    OtlpMetric, OtlpSum, ResourceMetrics, ScopeMetrics,
};
pub use prost::Message;
pub use trace::{ExportTraceServiceRequest, ResourceSpans, ScopeSpans, Span, SpanStatus};

/// The path of metrics over gRPC.
pub const METRICS_GRPC_PATH: &str =
    "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
/// The path of traces over gRPC.
pub const TRACES_GRPC_PATH: &str = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
