//! Traces.

use prost::Message;

use crate::attribute::{KeyValue, Resource};

/// What is exported.
#[derive(Clone, PartialEq, Message)]
pub struct ExportTraceServiceRequest {
    /// Spans, by the sender.
    #[prost(message, repeated, tag = "1")]
    pub resource_spans: Vec<ResourceSpans>,
}

/// Spans of one sender.
#[derive(Clone, PartialEq, Message)]
pub struct ResourceSpans {
    /// The sender.
    #[prost(message, optional, tag = "1")]
    pub resource: Option<Resource>,
    /// Spans, by the part of the program.
    #[prost(message, repeated, tag = "2")]
    pub scope_spans: Vec<ScopeSpans>,
}

/// Spans of one part of a program.
#[derive(Clone, PartialEq, Message)]
pub struct ScopeSpans {
    /// The spans.
    #[prost(message, repeated, tag = "2")]
    pub spans: Vec<Span>,
}

/// Some work of a service, and how long it took.
#[derive(Clone, PartialEq, Message)]
pub struct Span {
    /// 16 bytes.
    #[prost(bytes = "vec", tag = "1")]
    pub trace_id: Vec<u8>,
    /// 8 bytes.
    #[prost(bytes = "vec", tag = "2")]
    pub span_id: Vec<u8>,
    /// 8 bytes; none for the first span of a trace.
    #[prost(bytes = "vec", tag = "4")]
    pub parent_span_id: Vec<u8>,
    /// Its name.
    #[prost(string, tag = "5")]
    pub name: String,
    /// 2: server, 3: client, 4: producer, 5: consumer.
    #[prost(int32, tag = "6")]
    pub kind: i32,
    /// Nanoseconds since 1970.
    #[prost(fixed64, tag = "7")]
    pub start_time_unix_nano: u64,
    /// Nanoseconds since 1970.
    #[prost(fixed64, tag = "8")]
    pub end_time_unix_nano: u64,
    /// What it is about.
    #[prost(message, repeated, tag = "9")]
    pub attributes: Vec<KeyValue>,
    /// How it ended.
    #[prost(message, optional, tag = "15")]
    pub status: Option<SpanStatus>,
}

/// How a span ended.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct SpanStatus {
    /// What went wrong, in words.
    #[prost(string, tag = "2")]
    pub message: String,
    /// 2: error.
    #[prost(int32, tag = "3")]
    pub code: i32,
}
