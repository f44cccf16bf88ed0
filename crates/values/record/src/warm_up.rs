//! The record of a warm-up.

use std::time::Duration;

/// A warm-up: measured, shown, and left out of totals and thresholds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WarmUp {
    /// How long it took.
    pub duration: Duration,
    /// What ended it.
    pub end: WarmUpEnd,
    /// Requests in it.
    pub requests: f64,
    /// The 95th percentile of their durations, in milliseconds.
    pub p95_ms: Option<f64>,
    /// The share of them that failed.
    pub errors: f64,
}

impl WarmUp {
    /// Requests per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        if self.duration.is_zero() {
            return 0.0;
        }
        self.requests / self.duration.as_secs_f64()
    }
}

/// What ended a warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum WarmUpEnd {
    /// Its time was over.
    Time,
    /// Throughput and latency had no trend any longer.
    Steady,
    /// They still had a trend when the longest time was over.
    Longest,
    /// The run ended first, so everything was counted.
    Never,
}
