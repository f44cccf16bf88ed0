//! The totals of a run, for end-of-test reports.

mod build;
mod certain;
mod latency;
mod verdict;

pub use build::MergedPart;
pub use latency::{LowerBounds, SplitLatency};
pub use verdict::{
    PLANNED_LATENCY, SEARCH_VERDICT, Shortfall, Verdict, VerdictDetail, WindowedGoal,
};

use loadline_metrics::{Histogram, Kind, MetricValue, Origin, RateValue, ValueType};

use crate::answer::FailedAnswer;
use crate::run::Run;

/// A run's totals.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Metrics and sub-metrics that have samples or are named by thresholds, by name.
    pub metrics: Vec<Metric>,
    /// Checks of the whole run by name, whatever their group, in order of appearance.
    pub checks: Vec<Check>,
    /// The tree of groups with the checks in each, set-up and teardown included.
    pub root: Group,
    /// Results by group, of iterations outside named scenarios; without set-up and
    /// teardown, in order of appearance.
    pub groups: Vec<Section>,
    /// Results by scenario (all but one called `default`), by name, each with its groups.
    pub scenarios: Vec<Section>,
    /// HTTP answers by status, in order; `0` stands for none.
    pub statuses: Vec<(String, u64)>,
    /// HTTP requests that set-up and teardown sent.
    pub sent_outside_iterations: u64,
    /// HTTP requests that failed: without an answer, or with one that was not expected.
    pub failed: u64,
    /// Those by their status: a challenge to log in has a status of an error and is none.
    pub failed_statuses: Vec<(String, u64)>,
    /// How long those took, ms; `None` where the samples do not say which requests failed.
    pub failed_latency: Option<Histogram>,
    /// How long they waited for the first byte, ms.
    pub failed_first_byte: Histogram,
    /// The answers to failed requests that have a short text, the most frequent first.
    pub answers: Vec<FailedAnswer>,
    /// How large the answers with 200 were.
    pub sizes: Vec<SizedAnswers>,
    /// HTTP requests that got no answer, by error, the most frequent first.
    pub errors: Vec<RequestError>,
    /// How the run went.
    pub run: Run,
}

/// How large the good answers to one request were.
#[derive(Debug, Clone)]
pub struct SizedAnswers {
    /// Its method; empty if unknown.
    pub method: String,
    /// Its name, else its address.
    pub name: String,
    /// Bytes of their bodies, as sent.
    pub sizes: Histogram,
}

/// A kind of failure to get an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestError {
    /// k6's number for it; empty if unknown.
    pub code: String,
    /// What went wrong.
    pub text: String,
    /// How many requests it ended.
    pub count: u64,
}

/// A metric's or sub-metric's total.
#[derive(Debug, Clone)]
pub struct Metric {
    /// Its name, with the tags of a sub-metric in braces.
    pub name: String,
    /// How its samples add up.
    pub kind: Kind,
    /// What its numbers are.
    pub contains: ValueType,
    /// Who declared it.
    pub origin: Origin,
    /// The total.
    pub value: MetricValue,
    /// Its thresholds, in the order they are written.
    pub thresholds: Vec<ThresholdResult>,
}

/// A threshold's result at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct ThresholdResult {
    /// As written.
    pub source: String,
    /// Whether it held.
    pub ok: bool,
    /// The judged value; `None` without samples.
    pub observed: Option<f64>,
    /// The value is only a lower bound.
    pub at_least: bool,
    /// Each so many seconds had to meet it.
    pub is_windowed: bool,
}

/// A check's results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// Times it passed.
    pub passes: u64,
    /// Times it failed.
    pub fails: u64,
}

/// A node in the tree of groups.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// Its name; the root's is empty.
    pub name: String,
    /// Names from the root down to it, each after `::`; the root's is empty.
    pub path: String,
    /// The groups in it, in order of appearance.
    pub groups: Vec<Group>,
    /// The checks in it, in order of appearance.
    pub checks: Vec<Check>,
}

/// The results of one group or scenario, without those of the groups in it.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// The group's or scenario's name.
    pub name: String,
    /// All its checks together; `None` when it has none.
    pub check_rate: Option<RateValue>,
    /// Its checks by name, in order of appearance.
    pub checks: Vec<Check>,
    /// Its metrics by name; no sub-metrics.
    pub metrics: Vec<Metric>,
    /// The groups in it, in order of appearance.
    pub groups: Vec<Section>,
}

impl Summary {
    /// The total called `name`.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        let found = self.metrics.binary_search_by(|m| m.name.as_str().cmp(name));
        found.ok().map(|place| &self.metrics[place])
    }

    /// Names of the metrics with a failed threshold, in order.
    #[must_use]
    pub fn crossed(&self) -> Vec<&str> {
        let failed = |m: &&Metric| m.thresholds.iter().any(|t| !t.ok);
        let crossed = self.metrics.iter().filter(failed);
        crossed.map(|m| m.name.as_str()).collect()
    }
}

impl Metric {
    /// The name before any brace.
    #[must_use]
    pub fn parent(&self) -> &str {
        self.name.split('{').next().unwrap_or(&self.name)
    }
}

#[cfg(test)]
mod tests;
