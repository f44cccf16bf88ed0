//! What one run of one script showed, before anybody judges it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Line;
use crate::server::Stats;

/// A metric of the exported summary.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// `counter`, `gauge`, `rate` or `trend`, told from the keys.
    pub kind: String,
    /// Value of each statistic.
    pub values: BTreeMap<String, f64>,
    /// Threshold expression to whether it FAILED, as k6 exports it.
    pub thresholds: BTreeMap<String, bool>,
}

/// Passes and fails of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How often it held.
    pub passes: u64,
    /// How often it did not.
    pub fails: u64,
}

/// What one run of one script showed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observation {
    /// Exit code; -1 when it had to be killed.
    pub exit: i32,
    /// Lines the script wrote with `console`.
    pub console: Vec<Line>,
    /// All other log lines.
    pub log: Vec<Line>,
    /// Check path (`::group::name`) to its tally.
    pub checks: BTreeMap<String, Tally>,
    /// Paths of the groups.
    pub groups: BTreeSet<String>,
    /// Metrics of the exported summary.
    pub metrics: BTreeMap<String, Metric>,
    /// Whether a summary was exported at all.
    pub summary: bool,
    /// What `@compare` asked for, by its name.
    pub texts: BTreeMap<String, Vec<String>>,
    /// What the server was asked.
    pub server: Stats,
    /// "N max VUs" of the banner, where there is one.
    pub max_vus: Option<u64>,
    /// How many times longer than usual the machine took for the same work meanwhile; less than 1: not known.
    pub slowness: f64,
}

impl Observation {
    /// Seconds the test ran, told from a counter's count and rate; None without a counter.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        ["iterations", "http_reqs", "dropped_iterations", "data_sent"]
            .iter()
            .find_map(|name| {
                let values = &self.metrics.get(*name)?.values;
                let (count, rate) = (values.get("count")?, values.get("rate")?);
                (*rate > 0.0).then(|| count / rate)
            })
    }
}
