//! Outputs of samples while a run is going on: files, InfluxDB, Prometheus, OpenTelemetry.
//!
//! [`OutputConfig`] reads k6's `-o` and `K6_*` variables. [`Outputs`] takes every window of a run
//! on the run's thread and never makes it wait. Each output has a bounded queue of its own
//! (memory first, then disk) and a thread that delivers from it in order; a delivery is retried
//! until the receiver accepts it.
//!
//! Outputs that get every sample in k6 get every sample here. When such an output's queue is
//! full, the single samples of a window are replaced by sums, in which every sample still counts.
//! A notice says when this begins, and the report says how many samples were replaced. Outputs
//! that work with sums keep what waits in memory, merged, so counts, rates and distributions are
//! never lost.
//!
//! Elsewhere: the samples (`metrics`), who starts outputs (`session`).

mod batch;
mod catalog;
mod config;
mod deliver;
mod files;
mod frame;
mod go_text;
mod hub;
mod influxdb;
mod notice;
mod opentelemetry;
mod post;
mod prometheus;
mod published;
mod queue;
mod sink;
mod spool;
mod weighted;

pub use config::{ConfigError, OutputConfig};
pub use files::{FileMetadata, SubmetricInfo};
pub use hub::{OutputSetup, Outputs, StartError};
pub use notice::{NoticeKind, OutputNotice, OutputReport};
pub use post::{NetworkFor, ReceiverOptions};
pub use published::{
    OtlpReceiver, PeriodSender, PeriodValues, PrometheusReceiver, PublishReceiver, StatsdEvent,
    StatsdReceiver,
};
pub use queue::ReplaceCause;
