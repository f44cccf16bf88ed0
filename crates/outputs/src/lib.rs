//! Where samples go besides the summary: files, InfluxDB, Prometheus, OpenTelemetry.
//!
//! [`OutputConfig`] reads what k6's `-o` and `K6_*` variables say. [`Outputs`] takes every window of
//! a run on the run's thread and never makes it wait: each output has a queue of its own
//! (memory, then disk, bounded) and a thread that delivers from it in order, again and again
//! until the receiver has taken it.
//!
//! Outputs that k6 gives every sample get every sample. When such an output's queue is full,
//! single samples are replaced by their windows' sums, in which every sample still counts;
//! from when on, and how many were replaced, is told and reported. What holds sums anyway
//! waits in memory, joined, so counts, rates and distributions are never lost.
//!
//! Elsewhere: the samples themselves, in `metrics`; who starts outputs, in `session`.

mod batch;
mod catalog;
mod config;
mod deliver;
mod files;
mod frame;
mod go_text;
mod hub;
mod influxdb;
mod opentelemetry;
mod post;
mod prometheus;
mod queue;
mod sink;
mod spool;
mod weighted;

pub use config::{ConfigError, OutputConfig};
pub use files::{Facts, SubmetricFacts};
pub use hub::{Notice, NoticeKind, Outputs, Report, Setup, StartError};
pub use post::{NetworkFor, Wish};
