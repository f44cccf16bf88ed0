//! A whole run as a report: what was tested, whether its numbers can be believed, results by
//! endpoint and over time.
//!
//! [`document`] says it in words for pages and files, [`export`] gives the numbers to programs.
//!
//! Elsewhere: reading a run from the store (`session::reported`).

mod charts;
mod document;
pub mod export;
mod findings;
mod heat;
mod tables;
mod target;

pub(crate) use document::setup;
pub use document::{VerdictFacts, document, verdict};
pub use findings::section as findings;

use std::collections::BTreeMap;

use loadline_explain::Explanation;
use loadline_metrics::Histogram;
use loadline_record::signals::{Signals, SourceStatus};
use loadline_record::{LimitVerdict, Series, Summary, WarmUp, event_kind};
use loadline_text::Catalog;

use crate::document::DocumentCause;
use crate::explanation::verdict;

/// A run with everything its report tells.
#[derive(Debug, Clone)]
pub struct ReportedRun {
    /// What was tested, and where.
    pub tested: TestedRun,
    /// Its totals.
    pub summary: Summary,
    /// The warm-up, which the totals leave out.
    pub warm_up: Option<WarmUp>,
    /// What its target showed; `None` when nobody looked.
    pub target: Option<ObservedTarget>,
    /// Whether it goes on or lacks its end.
    pub progress: RunProgress,
    /// Results by endpoint, the busiest first.
    pub endpoints: Vec<EndpointFigures>,
    /// Results by the groups of a script, likewise.
    pub groups: Vec<EndpointFigures>,
    /// What was measured when.
    pub timeline: Timeline,
    /// Failed requests by what failed, the most frequent first.
    pub failures: Vec<FailureSpan>,
    /// What happened, for marks on the time axis.
    pub events: Vec<TimelineEvent>,
    /// What limits.
    pub explanation: Option<(Explanation, Vec<SourceStatus>)>,
    /// The same in short.
    pub limit: Option<LimitVerdict>,
}

impl ReportedRun {
    /// Load goes on and does not count yet.
    #[must_use]
    pub fn is_warming(&self) -> bool {
        let has = |kind| self.events.iter().any(|event| event.kind == kind);
        self.progress == RunProgress::Running
            && has(event_kind::WARMING)
            && !has(event_kind::WARMED_UP)
    }

    /// What limits, where there is something to show: the target was observed, or a limit is seen without.
    #[must_use]
    pub fn shown_explanation(&self) -> Option<&(Explanation, Vec<SourceStatus>)> {
        let found = self.explanation.as_ref();
        found.filter(|(found, _)| self.target.is_some() || found.cause().is_some())
    }

    /// What limits, in short.
    fn cause(&self, catalog: &Catalog) -> Option<DocumentCause> {
        let limit = self.limit.as_ref()?;
        Some(verdict::document_cause(limit, catalog))
    }

    /// The result of the search for capacity that the run was; `None` of any other run.
    #[must_use]
    pub fn capacity_found(&self) -> Option<&serde_json::Value> {
        let mut newest_first = self.events.iter().rev();
        let found = newest_first.find(|event| event.kind == event_kind::CAPACITY);
        found.map(|event| &event.detail)
    }

    /// Starts that count: planned ones, and of these those that never were; none where users loop.
    ///
    /// While a run goes on its generator's health is some seconds older than its windows, and
    /// would tell fewer planned starts than requests.
    #[must_use]
    pub fn starts(&self) -> (f64, f64) {
        if self.progress != RunProgress::Running {
            let (planned, dropped) = self.summary.run.starts().unwrap_or_default();
            return (planned as f64, dropped as f64);
        }
        let mut events = self.events.iter();
        let counted = events.find(|event| event.kind == "warmed-up");
        let counted = counted.map_or(0.0, |event| event.at);
        let windows = self.timeline.windows.iter();
        let windows = windows.filter(|window| window.at >= counted);
        windows.fold((0.0, 0.0), |(planned, dropped), window| {
            (planned + window.planned, dropped + window.dropped)
        })
    }

    /// How long load goes on and is planned to, in seconds since it began; `None` before its
    /// first second and where the number of iterations decides it.
    #[must_use]
    pub fn load_so_far(&self) -> Option<(f64, f64)> {
        let ends = self.tested.scenarios.iter().map(|scenario| scenario.ends);
        let planned = ends.collect::<Option<Vec<f64>>>()?.into_iter();
        let planned = planned.fold(0.0, f64::max);
        let last = self.timeline.windows.last()?;
        Some(((last.at + last.covered).min(planned), planned))
    }
}

/// What a target showed of itself.
#[derive(Debug, Clone)]
pub struct ObservedTarget {
    /// Its signals.
    pub signals: Signals,
    /// When the run's load began, in seconds on the clock of the signals.
    pub begins: f64,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunProgress {
    /// It goes on.
    Running,
    /// Its process was gone before its end was stored.
    CutOff,
    /// It ended.
    Ended,
}

/// What was tested, and where.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TestedRun {
    /// The run's name.
    pub name: String,
    /// The test as typed.
    pub test: String,
    /// `url`, `k6`, `artillery`.
    pub kind: String,
    /// SHA-256 of the test's files.
    pub hash: String,
    /// When it started, milliseconds since 1970.
    pub started_ms: i64,
    /// A person's words.
    pub note: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Settings of the target.
    pub settings: BTreeMap<String, String>,
    /// What was typed.
    pub arguments: Vec<String>,
    /// The program's version.
    pub version: String,
    /// The generator's host name.
    pub host: String,
    /// Its system.
    pub kernel: String,
    /// CPUs that may be used, and all.
    pub cpus: (usize, usize),
    /// The part of the test it ran; empty for all.
    pub segment: String,
    /// Its place among repetitions.
    pub series: Option<Series>,
    /// The test's scenarios.
    pub scenarios: Vec<TestedScenario>,
    /// The test's source.
    pub source: Option<String>,
    /// Thresholds that cannot be judged from totals.
    pub unjudged: Vec<String>,
    /// How the target was set up, as its signals tell.
    pub target: BTreeMap<String, String>,
}

/// A scenario as it was planned.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TestedScenario {
    /// Its name.
    pub name: String,
    /// How its iterations start.
    pub executor: String,
    /// How long, in seconds.
    pub seconds: f64,
    /// When its last iterations start, in seconds since load began; `None` where their number
    /// decides it.
    pub ends: Option<f64>,
    /// Starts that are planned.
    pub starts: Option<u64>,
    /// The most virtual users.
    pub vus: u64,
}

/// Results of one endpoint.
#[derive(Debug, Clone, Default)]
pub struct EndpointFigures {
    /// Its name.
    pub name: String,
    /// Requests that ended.
    pub requests: f64,
    /// Of these, requests that failed.
    pub failed: f64,
    /// How long requests took that were answered well, in milliseconds; all of them where it is
    /// not known which failed.
    pub durations: Histogram,
    /// How long failed requests took; `None` where that is not known.
    pub failed_durations: Option<Histogram>,
    /// The same in the last seconds of a run that goes on: requests, failed, durations of good ones.
    pub recent: Option<(f64, f64, Histogram)>,
}

/// What was measured when, in windows of equal length.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// How long a window is, in seconds.
    pub step: u64,
    /// The windows in order; between them there may be gaps.
    pub windows: Vec<TimelineWindow>,
}

/// A start is late that was delayed by so many milliseconds.
pub const LATE_MS: f64 = 10.0;

/// What was measured in a window.
#[derive(Debug, Clone, Default)]
pub struct TimelineWindow {
    /// When it begins, in seconds since load began.
    pub at: f64,
    /// How much of it lies within the run, in seconds.
    pub covered: f64,
    /// Requests that ended.
    pub requests: f64,
    /// Of these, requests that failed.
    pub failed: f64,
    /// Iterations that were to start, where that was planned.
    pub planned: f64,
    /// Of these, iterations that never began.
    pub dropped: f64,
    /// Of these, iterations that began later than planned, by [`LATE_MS`] or more.
    pub late: f64,
    /// Virtual users at its end.
    pub vus: Option<f64>,
    /// How long requests took that were answered well, in milliseconds; all of them where it is
    /// not known which failed.
    pub durations: Histogram,
    /// How long failed requests took.
    pub failed_durations: Histogram,
    /// How long all took from intended starts.
    pub intended: Histogram,
    /// Of these, those that failed.
    pub failed_intended: Histogram,
}

/// Failures of one kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FailureSpan {
    /// What failed: a status or an error.
    pub what: String,
    /// How often.
    pub count: f64,
    /// When it was seen first, in seconds since load began.
    pub first: f64,
    /// When it was seen last.
    pub last: f64,
}

/// Something that happened during a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TimelineEvent {
    /// When, in seconds since load began.
    pub at: f64,
    /// Its kind, as recorded.
    pub kind: String,
    /// More about it.
    pub detail: serde_json::Value,
}

#[cfg(test)]
mod tests;
