//! The answer as a file: what a waiting room imports and `compare --capacity` reads.
//!
//! The form is described by `docs/schemas/capacity.schema.json`. Readers refuse newer
//! versions by number; members may be added within one.

mod form;

use std::collections::BTreeMap;

use loadline_analysis::capacity::{
    Answer, Ceiling, LevelOutcome, Purpose, SearchEnd, SentAtLoad, SoakEnd, Step, Unit,
    UnsureReason,
};
use loadline_analysis::slo::Term;
use loadline_record::LimitVerdict;

pub use form::{
    BaselineInFile, CapacityFile, FaultsInFile, GoalRequestsInFile, KneeInFile, LikelyLineInFile,
    LineInFile, PeakInFile, SoakInFile, StepInFile, TestInFile, UnitInFile,
};

/// The version written, and the newest that is read.
pub const CAPACITY_VERSION: u32 = 1;

/// Why a level that held is not sure.
pub(super) const NEAR_LIMIT: &str = "near-limit";
pub(super) const FEW_REQUESTS: &str = "few-requests";

/// Why a file is no capacity.
#[derive(Debug, thiserror::Error)]
pub enum CapacityFileError {
    /// It is not JSON of the form.
    #[error("no capacity: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It was written by a newer version.
    #[error("a capacity of version {found}; this program reads version {CAPACITY_VERSION}")]
    Version {
        /// The version found.
        found: u32,
    },
}

/// Outcomes of levels that were carried.
const CARRIED: [&str; 2] = ["holds", "likely"];

impl CapacityFile {
    /// What was sent at the load that held, where that is so little that it is no answer.
    pub(super) fn hardly_tried(&self) -> Option<SentAtLoad> {
        let (line, end) = (self.line.as_ref()?, self.end.as_str());
        let is_over = ["found", "out-of-time"].contains(&end) || end.starts_with("at-least");
        let mut sent = SentAtLoad::default();
        let is_carried = |step: &&StepInFile| CARRIED.contains(&step.outcome.as_str());
        for step in self.steps.iter().filter(is_carried) {
            if step.load >= line.load {
                sent.add(step.requests_per_second, step.held_s);
            }
        }
        (is_over && !line.sure && sent.is_few()).then_some(sent)
    }

    /// An answer with what it does not know of itself.
    #[must_use]
    pub fn new(answer: &Answer, test: TestInFile, environment: serde_json::Value) -> Self {
        let line = answer.line.as_ref();
        let at_line = answer.line_step();
        Self {
            loadline_capacity: CAPACITY_VERSION,
            test,
            unit: match answer.unit {
                Unit::Rate => UnitInFile::IterationsPerSecond,
                Unit::Users => UnitInFile::VirtualUsers,
            },
            end: end(&answer.end).to_owned(),
            objective: answer.terms.iter().map(ToString::to_string).collect(),
            confidence: 0.95,
            line: line.map(|line| LineInFile {
                load: line.load.middle,
                beyond: line.beyond.map(|place| answer.steps[place].load),
                throughput: line.throughput,
                requests_per_second: line.requests,
                sure: line.is_sure,
                held_s: answer.steps[line.step].held as f64,
                interpolated: line.interpolated,
                about: None,
                safe: answer.safe_load(),
                likely: answer.crossing.map(|likely| LikelyLineInFile {
                    load: likely.middle,
                    low: likely.low,
                    high: likely.high,
                }),
                faults: answer.steps[line.step].faults.into(),
            }),
            knee: answer.knee.as_ref().map(KneeInFile::from),
            peak: answer.peak.as_ref().map(|peak| PeakInFile {
                throughput: peak.throughput.middle,
                low: peak.throughput.low,
                high: peak.throughput.high,
                load: peak.load,
            }),
            baseline: BaselineInFile {
                load: answer.baseline.load,
                median_ms: answer.baseline.request_ms,
                p95_ms: answer.baseline.p95_ms,
                iteration_ms: answer.baseline.iteration_ms,
            },
            requests_per_session: at_line.map(Step::requests_per_iteration),
            session_ms: at_line.and_then(|step| step.iteration_ms),
            think_ms: at_line.and_then(Step::think_ms),
            soak: answer.soak.map(|soak| SoakInFile {
                load: answer.steps[soak.step].load,
                held_s: answer.steps[soak.step].held as f64,
                holds: match soak.end {
                    SoakEnd::Held => Some(true),
                    SoakEnd::Missed => Some(false),
                    SoakEnd::Unknown => None,
                },
            }),
            goal: None,
            goal_requests: None,
            limited_by: answer.asks_to_wait.map(|_| "asks-to-wait".to_owned()),
            limit: None,
            environment,
            target: BTreeMap::new(),
            steps: (answer.steps.iter())
                .map(|held| step_in_file(held, &answer.terms))
                .collect(),
        }
    }

    /// The same with what `explain` says of it.
    #[must_use]
    pub fn explained(mut self, limit: Option<LimitVerdict>) -> Self {
        // Where the target asks to come back later, that nothing else is seen is no answer.
        let is_asked = self.limited_by.is_some();
        if let Some(limit) = limit.filter(|limit| limit.is_cause() || !is_asked) {
            self.limited_by = limit.rule.clone().or(self.limited_by);
            self.limit = Some(limit);
        }
        self
    }

    /// In what its loads are counted.
    #[must_use]
    pub const fn load_unit(&self) -> Unit {
        match self.unit {
            UnitInFile::IterationsPerSecond => Unit::Rate,
            UnitInFile::VirtualUsers => Unit::Users,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`CapacityFileError`].
    pub fn parse(text: &str) -> Result<Self, CapacityFileError> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        let found = value["loadline_capacity"].as_u64().unwrap_or(0);
        let found = u32::try_from(found).unwrap_or(u32::MAX);
        if found > CAPACITY_VERSION {
            return Err(CapacityFileError::Version { found });
        }
        Ok(serde_json::from_value(value)?)
    }

    /// The file's text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n")
    }
}

/// How a search ended, for programs.
#[must_use]
pub const fn end(end: &SearchEnd) -> &'static str {
    match end {
        SearchEnd::Found => "found",
        SearchEnd::AtLeast(Ceiling::Generator(_)) => "at-least-generator",
        SearchEnd::AtLeast(Ceiling::Users) => "at-least-test",
        SearchEnd::AtLeast(Ceiling::Highest) => "at-least-highest",
        SearchEnd::AtLeast(Ceiling::Goal) => "at-least-goal",
        SearchEnd::OutOfTime => "out-of-time",
        SearchEnd::NoneHolds => "none-holds",
        SearchEnd::MissedAtAnyLoad { .. } => "missed-at-any-load",
        SearchEnd::FailsWithoutLoad(_) => "fails-without-load",
        SearchEnd::NoSample { .. } => "no-sample",
        SearchEnd::NoRequests { .. } => "no-requests",
        SearchEnd::NoAnswer => "no-answer",
        SearchEnd::NotRecovered => "not-recovered",
        SearchEnd::Interrupted => "interrupted",
    }
}

/// A level as a file has it.
#[must_use]
pub fn step_in_file(step: &Step, terms: &[Term]) -> StepInFile {
    let at = |share: f64| step.durations.percentile(share);
    StepInFile {
        load: step.load,
        why: match step.purpose {
            Purpose::Baseline => "baseline",
            Purpose::Climb => "climb",
            Purpose::Refine => "refine",
            Purpose::Confirm => "confirm",
            Purpose::Knee => "knee",
            Purpose::Soak => "soak",
        }
        .to_owned(),
        outcome: match &step.outcome {
            LevelOutcome::Holds => "holds",
            LevelOutcome::Likely => "likely",
            LevelOutcome::Misses { .. } => "misses",
            LevelOutcome::Unclear => "unclear",
            LevelOutcome::Overloaded => "overloaded",
            LevelOutcome::AsksToWait => "asks-to-wait",
            LevelOutcome::Aborted(_) => "aborted",
            LevelOutcome::Invalid(_) => "invalid",
            LevelOutcome::Cut => "cut",
        }
        .to_owned(),
        began_s: step.began,
        held_s: step.held as f64,
        throughput: step.throughput.middle,
        requests_per_second: step.requests,
        mean_ms: step.durations.mean(),
        p50_ms: at(0.5),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        errors: Some(step.errors),
        in_flight: step.in_flight,
        target_cpu: step.target_cpu,
        doubt: (step.outcome == LevelOutcome::Likely).then(|| {
            let doubt = match step.doubt(terms) {
                UnsureReason::NearLimit => NEAR_LIMIT,
                UnsureReason::FewRequests => FEW_REQUESTS,
            };
            doubt.to_owned()
        }),
    }
}

/// A level, judged by these terms, as it is kept with its run.
#[must_use]
pub fn step_json(held: &Step, terms: &[Term]) -> serde_json::Value {
    serde_json::to_value(step_in_file(held, terms)).unwrap_or_default()
}
