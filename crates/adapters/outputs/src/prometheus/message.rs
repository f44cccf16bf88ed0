//! The messages of Prometheus remote write 1.0 (`prometheus.WriteRequest`).

/// The body of a request.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct WriteRequest {
    #[prost(message, repeated, tag = "1")]
    pub(crate) timeseries: Vec<TimeSeries>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TimeSeries {
    #[prost(message, repeated, tag = "1")]
    pub(crate) labels: Vec<Label>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) samples: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    pub(crate) histograms: Vec<Histogram>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub(crate) struct Label {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, tag = "2")]
    pub(crate) value: String,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(crate) struct Sample {
    #[prost(double, tag = "1")]
    pub(crate) value: f64,
    /// Milliseconds since 1970.
    #[prost(int64, tag = "2")]
    pub(crate) timestamp: i64,
}

/// A native histogram with whole counts.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Histogram {
    /// A oneof in the protocol; always written here.
    #[prost(uint64, optional, tag = "1")]
    pub(crate) count_int: Option<u64>,
    #[prost(double, tag = "3")]
    pub(crate) sum: f64,
    #[prost(sint32, tag = "4")]
    pub(crate) schema: i32,
    #[prost(double, tag = "5")]
    pub(crate) zero_threshold: f64,
    #[prost(uint64, optional, tag = "6")]
    pub(crate) zero_count_int: Option<u64>,
    #[prost(message, repeated, tag = "8")]
    pub(crate) negative_spans: Vec<BucketSpan>,
    #[prost(sint64, repeated, tag = "9")]
    pub(crate) negative_deltas: Vec<i64>,
    #[prost(message, repeated, tag = "11")]
    pub(crate) positive_spans: Vec<BucketSpan>,
    #[prost(sint64, repeated, tag = "12")]
    pub(crate) positive_deltas: Vec<i64>,
    #[prost(int64, tag = "15")]
    pub(crate) timestamp: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct BucketSpan {
    #[prost(sint32, tag = "1")]
    pub(crate) offset: i32,
    #[prost(uint32, tag = "2")]
    pub(crate) length: u32,
}
