//! A run as Artillery shows it: periods of ten seconds, its result file, its console.
//!
//! [`Collector`] sorts what windows bring into periods; [`Report`] is what Artillery's
//! `-o` file holds, written by [`Report::to_json`] and read by [`Report::from_json`];
//! [`console`] prints a period. Quantiles come from our histograms (error at most 0.2 %,
//! upstream's 1 %), values are rounded to 0.1 as upstream rounds them.

mod collect;
pub mod console;
mod json;
pub mod slack;

pub use collect::{Collector, Gain};
pub use json::ResultFileError;

use std::collections::BTreeMap;

use loadline_metrics::Histogram;

/// How long a period is, ms.
pub const PERIOD_MS: i64 = 10_000;

/// What Artillery's result file holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// The whole run.
    pub aggregate: Period,
    /// Each period, the earliest first.
    pub intermediate: Vec<Period>,
}

/// What was measured in a period, or over all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Period {
    /// When it begins, ms since 1970.
    pub begins: i64,
    /// Sums.
    pub counters: BTreeMap<String, f64>,
    /// Things per second.
    pub rates: BTreeMap<String, f64>,
    /// Distributions.
    pub summaries: BTreeMap<String, Distribution>,
    /// When the first counter was raised, ms since 1970; 0 without one.
    pub first_counter_at: i64,
    /// When the last was.
    pub last_counter_at: i64,
    /// When the first distribution got a value.
    pub first_histogram_at: i64,
    /// When the last did.
    pub last_histogram_at: i64,
}

/// A distribution's numbers, rounded to 0.1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distribution {
    /// Least.
    pub min: f64,
    /// Greatest.
    pub max: f64,
    /// How many values.
    pub count: f64,
    /// Mean.
    pub mean: f64,
    /// 50th percentile.
    pub p50: f64,
    /// 75th percentile.
    pub p75: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    pub p999: f64,
}

impl Distribution {
    /// A histogram's numbers.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a count of samples")]
    pub fn from_histogram(histogram: &Histogram) -> Self {
        let at = |share: f64| rounded(lower_rank(histogram, share), 10.0);
        Self {
            min: rounded(histogram.min().unwrap_or(0.0), 10.0),
            max: rounded(histogram.max().unwrap_or(0.0), 10.0),
            count: histogram.count() as f64,
            mean: rounded(histogram.mean().unwrap_or(0.0), 10.0),
            p50: at(0.5),
            p75: at(0.75),
            p90: at(0.9),
            p95: at(0.95),
            p99: at(0.99),
            p999: at(0.999),
        }
    }

    /// Names and numbers in upstream's order; the median is there twice.
    #[must_use]
    pub fn named(&self) -> [(&'static str, f64); 11] {
        [
            ("min", self.min),
            ("max", self.max),
            ("count", self.count),
            ("mean", self.mean),
            ("p50", self.p50),
            ("median", self.p50),
            ("p75", self.p75),
            ("p90", self.p90),
            ("p95", self.p95),
            ("p99", self.p99),
            ("p999", self.p999),
        ]
    }
}

/// Artillery's quantile: the value at the rank `share * (count - 1)`, rounded down. Of nine fast answers and a
/// slow one p95 is a fast one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rank is no larger than the count of samples"
)]
fn lower_rank(histogram: &Histogram, share: f64) -> f64 {
    let rank = (share * histogram.count().saturating_sub(1) as f64) as u64;
    if let Some(raw) = histogram.raw() {
        let mut sorted = raw.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = usize::try_from(rank).ok();
        return at.and_then(|at| sorted.get(at)).copied().unwrap_or(0.0);
    }
    let mut before = 0;
    for (bucket, count) in histogram.buckets() {
        before += count;
        if before > rank {
            let (least, most) = (histogram.min(), histogram.max());
            let value = bucket.middle();
            return value.max(least.unwrap_or(value)).min(most.unwrap_or(value));
        }
    }
    0.0
}

/// `Math.round(value * scale) / scale`
fn rounded(value: f64, scale: f64) -> f64 {
    (value * scale + 0.5).floor() / scale
}

impl Period {
    /// When anything was measured first.
    #[must_use]
    pub fn first_metric_at(&self) -> i64 {
        earliest(self.first_counter_at, self.first_histogram_at)
    }

    /// When anything was measured last.
    #[must_use]
    pub fn last_metric_at(&self) -> i64 {
        self.last_counter_at.max(self.last_histogram_at)
    }

    /// A counter's sum; 0 for one that was never raised.
    #[must_use]
    pub fn counter(&self, name: &str) -> f64 {
        self.counters.get(name).copied().unwrap_or(0.0)
    }
}

/// The earlier of two instants, where 0 stands for none.
fn earliest(a: i64, b: i64) -> i64 {
    match (a, b) {
        (0, b) => b,
        (a, 0) => a,
        (a, b) => a.min(b),
    }
}

#[cfg(test)]
mod tests;
