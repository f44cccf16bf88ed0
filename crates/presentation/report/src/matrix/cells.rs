//! What each test of a row came to, as it is kept with its run.

use loadline_analysis::capacity::{LevelOutcome, Step};
use loadline_analysis::slo::Term;
use loadline_record::{LimitVerdict, Summary};
use loadline_text::{Dialect, Exit};
use serde::{Deserialize, Serialize};

use crate::capacity::compare::ComparedLine;
use crate::capacity::file::{CapacityFile, StepInFile, step_in_file};
use crate::facts;

/// One iteration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SmokeCell {
    /// Requests sent.
    pub requests: u64,
    /// Of them, those that failed.
    pub failed: u64,
    /// Of these, those that nobody answered.
    pub unanswered: u64,
    /// Kinds of failures with their counts.
    pub failures: Vec<String>,
    /// Checks, and of them those that failed.
    pub checks: u64,
    /// Of them, those that failed.
    pub failed_checks: u64,
    /// Iterations that threw, and users that gave up.
    pub broken: u64,
    /// Iterations that were cut off.
    pub cut: u64,
    /// Answers to a URL that point elsewhere.
    pub redirects: u64,
    /// Why the test did not begin, or broke; empty where it did not.
    pub fault: String,
    /// The stored run.
    pub run: Option<String>,
}

impl SmokeCell {
    /// Of the run of one iteration.
    #[must_use]
    pub fn new(summary: &Summary) -> Self {
        use loadline_metrics::MetricValue;
        let metric = |name: &str| summary.metric(name).map(|metric| &metric.value);
        let (failed, requests) = match metric("http_req_failed") {
            Some(MetricValue::Rate(rate)) => (rate.trues, rate.total),
            _ => (0, 0),
        };
        let (passed, checks) = match metric("checks") {
            Some(MetricValue::Rate(rate)) => (rate.trues, rate.total),
            _ => (0, 0),
        };
        let unanswered = summary.errors.iter().map(|error| error.count).sum();
        // What is sent over other protocols is no request of HTTP.
        let other = u64::from(requests == 0 && !summary.sent_nothing());
        Self {
            requests: requests.max(other),
            failed,
            unanswered,
            failures: facts::failures(summary),
            checks,
            failed_checks: checks - passed,
            broken: summary.run.exceptions + summary.run.failed_users,
            cut: summary.run.interrupted_iterations,
            redirects: summary.redirects().0,
            fault: String::new(),
            run: None,
        }
    }

    /// Whether all of it was as it should be.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        let wrong = [
            self.failed,
            self.failed_checks,
            self.broken,
            self.cut,
            self.redirects,
        ];
        self.fault.is_empty() && self.requests > 0 && wrong.iter().all(|count| *count == 0)
    }
}

/// Loads that were held.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HeldCell {
    /// In order; none after the first that was too much.
    pub levels: Vec<HeldLevel>,
    /// The rate that loads are multiples of is a share of the capacity: none was planned.
    pub of_capacity: bool,
    /// Mean of an iteration without load, ms; `None` where that was not looked at.
    pub idle_iteration_ms: Option<f64>,
    /// Median of a request without load, ms.
    pub idle_request_ms: Option<f64>,
    /// Why nothing was held; empty where something was.
    pub fault: String,
    /// The stored run.
    pub run: Option<String>,
}

/// A load that was held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldLevel {
    /// How many times the planned rate it is.
    pub times: f64,
    /// What it came to.
    #[serde(flatten)]
    pub level: StepInFile,
    /// The term that is missed.
    #[serde(default)]
    pub missed: Option<MissedTerm>,
}

/// A term that a level misses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MissedTerm {
    /// As it was written.
    pub term: String,
    /// What was seen; `None` where that is not known.
    pub value: Option<f64>,
    /// It is a share; a time in ms otherwise.
    pub is_share: bool,
}

impl HeldLevel {
    /// Of a level, judged by these terms.
    #[must_use]
    pub fn new(step: &Step, base: f64, terms: &[Term]) -> Self {
        let missed = match &step.outcome {
            LevelOutcome::Misses { term, .. } => terms.get(*term).map(|asked| MissedTerm {
                term: asked.to_string(),
                value: step
                    .terms
                    .get(*term)
                    .and_then(|judged| judged.value)
                    .map(|value| value.middle)
                    .filter(|value| value.is_finite()),
                is_share: asked.statistic.is_share(),
            }),
            _ => None,
        };
        Self {
            times: step.load / base,
            level: step_in_file(step, terms),
            missed,
        }
    }

    /// Whether the target carried it; `None` where that cannot be told.
    #[must_use]
    pub fn carried(&self) -> Option<bool> {
        match self.level.outcome.as_str() {
            "holds" | "likely" => Some(true),
            "misses" | "overloaded" | "asks-to-wait" | "aborted" => Some(false),
            _ => None,
        }
    }
}

impl HeldCell {
    /// Whether the target carried the first level; `None` where that cannot be told.
    #[must_use]
    pub fn carries_first(&self) -> Option<bool> {
        self.levels.first().and_then(HeldLevel::carried)
    }

    /// The highest load that surely held; zero for none.
    pub(super) fn surely_held(&self) -> f64 {
        let sure = self.levels.iter().filter(|l| l.level.outcome == "holds");
        sure.map(|level| level.level.load).fold(0.0, f64::max)
    }
}

/// The break point, and the soak below it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CapacityCell {
    /// How the search ended: `found`, `at-least-generator`, ...; empty where it did not begin.
    pub end: String,
    /// What is carried; `None` where no load holds.
    pub line: Option<CapacityRange>,
    /// Beyond it latency grows and little is gained.
    pub knee: Option<KneePoint>,
    /// 85 % of the line for long; `None` where it was not held.
    pub soak: Option<SoakCell>,
    /// With what `loadline capacity` ends of this answer.
    pub exit_code: u8,
    /// Why no search was made; empty where one was.
    pub fault: String,
    /// The stored run.
    pub run: Option<String>,
    /// What limits, as `explain` says it; `None` where the run was not stored.
    #[serde(default)]
    pub limit: Option<LimitVerdict>,
}

/// A load between two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CapacityRange {
    /// The best estimate, iterations per second.
    pub middle: f64,
    /// The least it may be.
    pub low: f64,
    /// The most it may be; `None` where no load was seen to be too much.
    pub high: Option<f64>,
    /// Held long enough to be sure.
    pub sure: bool,
}

/// The lowest load with at least 90 % of the peak's throughput: it lies between two that were tried.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct KneePoint {
    /// The lowest that was tried and has it, iterations per second.
    pub load: f64,
    /// The one before, which has not; `None` where there was none.
    #[serde(default)]
    pub low: Option<f64>,
}

/// 85 % of the line, held for long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SoakCell {
    /// Iterations per second.
    pub load: f64,
    /// How long, seconds.
    pub held_s: f64,
    /// Whether it was carried to the end; `None` where that is not known.
    pub holds: Option<bool>,
    /// What it came to.
    pub outcome: String,
}

impl CapacityCell {
    /// The search ended as nothing answered any more.
    pub(super) fn is_unanswered(&self) -> bool {
        self.end == "no-answer"
    }

    /// Of a search's answer; `exit` is how the search ends a program.
    #[must_use]
    pub fn new(file: &CapacityFile, exit: Exit) -> Self {
        let soaked = file.steps.iter().rev().find(|step| step.why == "soak");
        Self {
            end: file.end.clone(),
            line: ComparedLine::of_file(file).map(|line| CapacityRange {
                middle: line.middle,
                low: line.low,
                high: line.high,
                sure: file.line.as_ref().is_some_and(|line| line.sure),
            }),
            knee: file.knee.as_ref().map(|knee| KneePoint {
                load: knee.load,
                low: Some(knee.low).filter(|low| *low < knee.load),
            }),
            soak: file.soak.as_ref().map(|soak| SoakCell {
                load: soak.load,
                held_s: soak.held_s,
                holds: soak.holds,
                outcome: soaked.map_or_else(String::new, |step| step.outcome.clone()),
            }),
            exit_code: exit.code(Dialect::Loadline),
            fault: String::new(),
            run: None,
            limit: None,
        }
    }

    /// Whether no load is carried.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.line.is_none()
            && matches!(
                self.end.as_str(),
                "none-holds" | "missed-at-any-load" | "fails-without-load" | "no-answer"
            )
    }

    /// With what the search ends a program.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let is_code = |exit: &Exit| exit.code(Dialect::Loadline) == self.exit_code;
        Exit::ALL.into_iter().find(is_code).unwrap_or(Exit::Other)
    }
}
