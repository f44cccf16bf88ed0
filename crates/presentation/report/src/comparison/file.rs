//! A comparison as a document for programs: what `compare --json` writes.
//!
//! The form is described by `docs/schemas/comparison.schema.json`. Members may be added within
//! a version. Times are in milliseconds, rates in requests per second, shares from 0 to 1.

mod members;

use loadline_analysis::compare::{
    AnswerChange, Caveat, Change, ColdRun, Comparison, ComparisonSettings, Concern, ConcernKind,
    Difference, Endpoint, Finding, LoadChanges, Measure, Regression, SettingChange,
    UncertaintyReason,
};
use loadline_explain::UsageChange;

use super::ComparisonFacts;
use crate::bodies;
use crate::telling_interval::is_informative;
pub use members::{
    AnswerChangeInFile, CaveatInFile, ChangeInFile, ColdInFile, ComparisonFile, ConcernInFile,
    DifferenceInFile, EndpointInFile, FindingInFile, LimitsInFile, LoadChangeInFile,
    RegressionInFile, SettingChangeInFile, SideInFile, StageMeansInFile, UsageChangeInFile,
};

/// The version written.
pub const COMPARISON_VERSION: u32 = 1;

impl ComparisonFile {
    /// The document on a comparison; `regression` with its limit, where one was asked for.
    #[must_use]
    pub fn new(
        comparison: &Comparison,
        facts: &ComparisonFacts,
        settings: &ComparisonSettings,
        regression: Option<(&Regression, f64)>,
    ) -> Self {
        let side = |name: &str, runs, requests, seconds| SideInFile {
            name: name.to_owned(),
            runs,
            requests,
            seconds,
        };
        let (runs, requests, seconds) = (comparison.runs, comparison.requests, comparison.seconds);
        Self {
            loadline_comparison: COMPARISON_VERSION,
            before: side(&facts.before, runs.0, requests.0, seconds.0),
            after: side(&facts.after, runs.1, requests.1, seconds.1),
            confidence: settings.confidence,
            within: settings.tolerance,
            intervals: comparison.intervals,
            endpoint_looks: comparison.endpoint_looks,
            cold: comparison.cold.map(|cold| cold.map(cold_run)),
            caveats: facts.caveats.iter().flat_map(caveats).collect(),
            moved: facts.moved.iter().map(usage_change).collect(),
            limits: LimitsInFile {
                before: facts.limits.before.clone(),
                after: facts.limits.after.clone(),
            },
            new_shortfalls: comparison.new_shortfalls.clone(),
            stages: comparison.stages,
            all: endpoint(&comparison.whole),
            endpoints: comparison.endpoints.iter().map(endpoint).collect(),
            only_before: comparison.only_before.clone(),
            only_after: comparison.only_after.clone(),
            endpoints_left_out: comparison.left_out,
            regression: regression.map(|(found, limit)| RegressionInFile::new(found, limit)),
        }
    }

    /// As JSON, on one line.
    ///
    /// # Panics
    /// Never: all keys are strings.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("all keys are strings")
    }
}

impl RegressionInFile {
    fn new(found: &Regression, limit: f64) -> Self {
        let concerns = |all: &[Concern]| all.iter().map(concern).collect();
        Self {
            limit,
            result: match (found.worse.is_empty(), found.unsure.is_empty()) {
                (false, _) => "worse",
                (true, false) => "cannot-judge",
                (true, true) => "none",
            },
            worse: concerns(&found.worse),
            unsure: concerns(&found.unsure),
        }
    }
}

fn cold_run(cold: ColdRun) -> ColdInFile {
    ColdInFile {
        first_ms: cold.first_ms,
        later_ms: cold.later_ms,
    }
}

fn concern(of: &Concern) -> ConcernInFile {
    ConcernInFile {
        endpoint: of.endpoint.clone(),
        of: match of.of {
            ConcernKind::Measure(measure) => word(measure),
            ConcernKind::Answers => "answers",
            ConcernKind::Shortfall(short) => short.word(),
        },
    }
}

const fn word(measure: Measure) -> &'static str {
    match measure {
        Measure::Rate => "tps",
        Measure::Mean => "mean",
        Measure::P50 => "p50",
        Measure::P95 => "p95",
        Measure::Errors => "errors",
        Measure::Checks => "checks",
        Measure::Dropped => "dropped",
    }
}

fn caveats(caveat: &Caveat) -> Vec<CaveatInFile> {
    vec![match caveat.clone() {
        Caveat::OtherLoad { before, after } => CaveatInFile::OtherLoad { before, after },
        Caveat::LoadChanged { runs } => return runs.iter().map(load_changed).collect(),
        Caveat::OtherTest => CaveatInFile::OtherTest,
        Caveat::OtherMachine => CaveatInFile::OtherMachine,
        Caveat::OtherTarget { changes } => CaveatInFile::OtherTarget {
            settings: changes.into_iter().map(setting).collect(),
        },
        Caveat::OneSideObserved { before, after } => {
            CaveatInFile::OneSideObserved { before, after }
        }
        Caveat::NotValid { runs } => CaveatInFile::NotValid { runs },
        Caveat::SecondsLeft { before, after } => CaveatInFile::SecondsLeft { before, after },
    }]
}

fn usage_change(change: &UsageChange) -> UsageChangeInFile {
    UsageChangeInFile {
        name: change.before.name,
        unit: change.before.unit.name(),
        before: change.before.value,
        after: change.after,
    }
}

fn setting(change: SettingChange) -> SettingChangeInFile {
    SettingChangeInFile {
        name: change.name,
        before: change.before,
        after: change.after,
    }
}

fn load_changed(of: &LoadChanges) -> CaveatInFile {
    let changes = of.changes.iter().map(|change| LoadChangeInFile {
        at_s: change.at_seconds,
        by: change.by.clone(),
        change: change.change.clone(),
        to: change.to,
    });
    CaveatInFile::LoadChanged {
        run: of.run.clone(),
        changes: changes.collect(),
    }
}

fn endpoint(of: &Endpoint) -> EndpointInFile {
    EndpointInFile {
        name: of.name.clone(),
        changed_answers: of.changed.iter().cloned().map(answer_change).collect(),
        differences: of.differences.iter().map(difference).collect(),
        failed_p95_ms: of.failed_p95,
    }
}

fn answer_change(change: AnswerChange) -> AnswerChangeInFile {
    match change {
        AnswerChange::Status {
            status,
            before,
            after,
        } => AnswerChangeInFile::Status {
            status,
            before,
            after,
        },
        AnswerChange::Size { before, after } => AnswerChangeInFile::Size { before, after },
        AnswerChange::Body(change) => AnswerChangeInFile::Body {
            field: change.field,
            state: bodies::name(change.state),
            before: change.before.count,
            before_of: change.before.of,
            after: change.after.count,
            after_of: change.after.of,
        },
    }
}

fn difference(of: &Difference) -> DifferenceInFile {
    DifferenceInFile {
        measure: word(of.measure),
        scale: if of.measure.is_share() {
            "difference"
        } else {
            "ratio"
        },
        before: of.before,
        after: of.after,
        before_at_least: of.at_least.0,
        after_at_least: of.at_least.1,
        of_stages: of
            .of_stages
            .map(|[before, after]| StageMeansInFile { before, after }),
        change: informative_change(of).map(|change| ChangeInFile {
            low: change.low,
            middle: change.middle,
            high: change.high,
        }),
        finding: finding(of.finding),
    }
}

/// The change, unless nothing can be told and its interval tells nothing either: the finding says
/// why.
fn informative_change(of: &Difference) -> Option<Change> {
    let is_open = matches!(of.finding, Finding::CannotTell { .. });
    of.change
        .filter(|change| !is_open || is_informative(*change))
}

fn finding(of: Finding) -> FindingInFile {
    match of {
        Finding::Better => FindingInFile::Better,
        Finding::Worse => FindingInFile::Worse,
        Finding::NoLargerThan { share } => FindingInFile::NoDifference { largest: share },
        Finding::Planned => FindingInFile::Planned,
        Finding::CannotTell { why } => {
            let (reason, runs_needed) = match why {
                UncertaintyReason::TooShort { run } => ("too-short", Some(run.runs_needed)),
                UncertaintyReason::SingleRuns => ("single-runs", None),
                UncertaintyReason::Spread { runs } => ("spread", runs),
                UncertaintyReason::AcrossTolerance { runs } => ("across-within", runs),
                UncertaintyReason::TooFew { runs } => ("too-few", runs),
                UncertaintyReason::MoreErrors => ("more-errors", None),
                UncertaintyReason::OwnDelays => ("own-delays", None),
                UncertaintyReason::Cut => ("cut", None),
                UncertaintyReason::Nothing => ("nothing-measured", None),
            };
            FindingInFile::CannotTell {
                reason,
                runs_needed,
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
