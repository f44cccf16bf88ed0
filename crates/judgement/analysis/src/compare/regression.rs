//! Whether the second side is worse than it may be, or that cannot be ruled out.

use loadline_record::Shortfall;

use super::answers::are_harmless;
use super::own_delays::is_across_tolerance;
use super::{Comparison, Difference, Endpoint, Finding, Measure, SINGLE_FLOOR, UncertaintyReason};

/// A share of failures that may be more than this much larger is not ruled out to be worse, whatever limit was given for times: within
/// it the table says that no difference is larger.
pub const SHARE_CHANGE_MIN: f64 = 0.01;

/// Something that is worse, or may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    /// The endpoint; empty for all requests together.
    pub endpoint: String,
    /// What of it.
    pub of: ConcernKind,
}

/// What is worse, or may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConcernKind {
    /// A measure.
    Measure(Measure),
    /// The answers: their statuses or sizes.
    Answers,
    /// What every run fell short of, and none before.
    Shortfall(Shortfall),
}

/// What a check for regressions found at a limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Regression {
    /// What is worse by more than the limit for certain, and whose answers changed otherwise than
    /// from failures to successes.
    pub worse: Vec<Concern>,
    /// What of all requests together may be worse by more than the limit.
    pub unsure: Vec<Concern>,
}

impl ConcernKind {
    /// Whether it is of a share, to which the limit of times does not apply.
    #[must_use]
    pub const fn is_share(&self) -> bool {
        matches!(self, Self::Measure(measure) if measure.is_share())
    }
}

impl Regression {
    /// Judges a comparison at a limit, a share. A single endpoint is seldom long enough to rule
    /// anything out: all requests together must be.
    #[must_use]
    pub fn new(comparison: &Comparison, limit: f64) -> Self {
        let (before, after) = comparison.runs;
        let limit = RegressionLimit {
            share: limit,
            is_single: before == 1 || after == 1,
        };
        let all = std::iter::once(&comparison.whole).chain(&comparison.endpoints);
        let whole = &comparison.whole;
        let short = comparison.new_shortfalls.iter();
        let short = short.map(|short| concern(whole, ConcernKind::Shortfall(*short)));
        let worse = short.chain(all.flat_map(|endpoint| worse(endpoint, limit)));
        let worse = worse.collect();
        let unsure = whole.differences.iter();
        let unsure = unsure
            .filter(|difference| is_felt(difference) && may_be_worse(difference, limit))
            .map(|difference| concern(whole, ConcernKind::Measure(difference.measure)));
        Self {
            worse,
            unsure: unsure.collect(),
        }
    }
}

/// How much worse may be.
#[derive(Debug, Clone, Copy)]
struct RegressionLimit {
    share: f64,
    /// Whether a side has a single run, which never shows how runs differ.
    is_single: bool,
}

impl RegressionLimit {
    /// The share beyond which a difference is worse for certain, by what was found of it.
    fn share_beyond(self, finding: Finding) -> f64 {
        let is_within =
            matches!(finding, Finding::NoLargerThan { .. }) || is_across_tolerance(finding);
        if is_within && self.is_single {
            self.share.max(SINGLE_FLOOR)
        } else {
            self.share
        }
    }
}

fn concern(endpoint: &Endpoint, of: ConcernKind) -> Concern {
    Concern {
        endpoint: endpoint.name.clone(),
        of,
    }
}

fn worse(endpoint: &Endpoint, limit: RegressionLimit) -> Vec<Concern> {
    let is_other = !are_harmless(&endpoint.changed);
    let answers = is_other.then(|| concern(endpoint, ConcernKind::Answers));
    let differences = endpoint.differences.iter();
    let differences = differences
        .filter(|difference| is_worse(difference, limit))
        .map(|difference| concern(endpoint, ConcernKind::Measure(difference.measure)));
    answers.into_iter().chain(differences).collect()
}

/// What users feel; the median says no more than the mean and p95.
fn is_felt(difference: &Difference) -> bool {
    difference.measure != Measure::P50
}

/// Worse by more than the limit for certain; shares by any difference that is reported.
fn is_worse(difference: &Difference, limit: RegressionLimit) -> bool {
    let is_called = match difference.finding {
        Finding::Worse => true,
        // A wide tolerance was asked for, and the limit is below it.
        Finding::NoLargerThan { .. } => !difference.measure.is_share(),
        // The same, of one that may be larger; a value that is only a lower bound may have been as large before.
        finding => is_across_tolerance(finding) && !difference.at_least.0,
    };
    let limit = limit.share_beyond(difference.finding);
    let beyond = difference
        .change
        .is_some_and(|change| match difference.measure {
            Measure::Rate => change.high < -limit,
            measure if measure.is_share() => true,
            _ => change.low > limit,
        });
    is_felt(difference) && is_called && beyond
}

/// Whether it may be worse by more than the limit, as far as the runs tell.
fn may_be_worse(difference: &Difference, limit: RegressionLimit) -> bool {
    if is_worse(difference, limit) || difference.finding == Finding::Planned {
        return false;
    }
    let limit = limit.share;
    let Some(change) = difference.change else {
        // No checks, nothing planned: nothing to be worse.
        let nothing = Finding::CannotTell {
            why: UncertaintyReason::Nothing,
        };
        let is_missing = difference.finding == nothing && difference.measure != Measure::Errors;
        return !(is_missing && difference.measure.is_share());
    };
    match difference.measure {
        Measure::Rate => change.low < -limit,
        measure if measure.is_share() => change.high > SHARE_CHANGE_MIN,
        _ => change.high > limit,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Change;
    use super::super::{AnswerChange, BodyChange, BodyCount, BodyState};
    use super::*;

    fn comparison(differences: Vec<Difference>, endpoints: Vec<Endpoint>) -> Comparison {
        Comparison {
            whole: Endpoint {
                name: String::new(),
                changed: Vec::new(),
                differences,
                failed_p95: [None, None],
            },
            endpoints,
            only_before: Vec::new(),
            only_after: Vec::new(),
            runs: (1, 1),
            requests: (1000.0, 1000.0),
            seconds: (30, 30),
            intervals: 7,
            left_out: 0,
            new_shortfalls: Vec::new(),
            stages: None,
            endpoint_looks: 0,
            cold: [None, None],
        }
    }

    fn difference(measure: Measure, ends: Option<(f64, f64)>, finding: Finding) -> Difference {
        Difference {
            measure,
            before: Some(1.0),
            after: Some(1.0),
            at_least: (false, false),
            of_stages: None,
            change: ends.map(|(low, high)| Change {
                low,
                middle: f64::midpoint(low, high),
                high,
            }),
            finding,
        }
    }

    /// Found worse, found unsure, of one measure at a limit of 5 %.
    fn judged(measure: Measure, ends: Option<(f64, f64)>, finding: Finding) -> (bool, bool) {
        let all = comparison(vec![difference(measure, ends, finding)], Vec::new());
        let found = Regression::new(&all, 0.05);
        (!found.worse.is_empty(), !found.unsure.is_empty())
    }

    #[test]
    fn what_is_worse_beyond_the_limit_for_certain_is_told_apart_from_what_may_be() {
        let spread = Finding::CannotTell {
            why: UncertaintyReason::Spread { runs: Some(9) },
        };
        let few = Finding::CannotTell {
            why: UncertaintyReason::TooFew { runs: Some(4) },
        };
        let none = Finding::NoLargerThan { share: 0.0094 };
        // A single run a side, and a tolerance of 30 %.
        let within = Finding::NoLargerThan { share: 0.3 };
        let across = Finding::CannotTell {
            why: UncertaintyReason::AcrossTolerance { runs: Some(9) },
        };
        for (measure, ends, finding, expected) in [
            (Measure::P95, (0.06, 0.2), Finding::Worse, (true, false)),
            (Measure::P95, (0.02, 0.1), Finding::Worse, (false, true)),
            (Measure::P95, (0.02, 0.04), Finding::Worse, (false, false)),
            (Measure::P95, (0.06, 0.09), within, (false, true)),
            (Measure::P95, (0.12, 0.2), within, (true, false)),
            (Measure::P95, (0.19, 0.48), across, (true, false)),
            (Measure::P95, (0.01, 0.04), within, (false, false)),
            (Measure::Mean, (-0.2, 0.04), spread, (false, false)),
            (Measure::Mean, (-0.2, 0.06), spread, (false, true)),
            (Measure::Rate, (-0.2, -0.06), Finding::Worse, (true, false)),
            (Measure::Rate, (-0.06, 0.06), spread, (false, true)),
            (Measure::Rate, (0.06, 0.2), Finding::Better, (false, false)),
            (Measure::P50, (0.5, 0.9), Finding::Worse, (false, false)),
            (
                Measure::Errors,
                (0.006, 0.02),
                Finding::Worse,
                (true, false),
            ),
            (Measure::Dropped, (-0.01, 0.06), spread, (false, true)),
            // Seen: the errors of 300 requests a side, "cannot tell", and the check passed: a limit of 5 % is one of times.
            (Measure::Errors, (-0.0194, 0.0192), few, (false, true)),
            (Measure::Errors, (-0.0094, 0.0092), none, (false, false)),
            (Measure::Errors, (-0.04, 0.0092), few, (false, false)),
        ] {
            let found = judged(measure, Some(ends), finding);
            assert_eq!(found, expected, "{measure:?} {ends:?}");
        }
    }

    #[test]
    fn what_was_not_measured_cannot_be_judged_but_checks_nobody_made_can() {
        let nothing = Finding::CannotTell {
            why: UncertaintyReason::Nothing,
        };
        for (measure, expected) in [
            (Measure::Rate, true),
            (Measure::P95, true),
            (Measure::Errors, true),
            (Measure::Checks, false),
            (Measure::Dropped, false),
        ] {
            let found = judged(measure, None, nothing);
            assert_eq!(found, (false, expected), "{measure:?}");
        }
    }

    #[test]
    fn changed_answers_and_single_endpoints_are_named() {
        let endpoint = Endpoint {
            name: "/orders".to_owned(),
            changed: vec![AnswerChange::Size {
                before: 100.0,
                after: 50.0,
            }],
            differences: vec![difference(Measure::P95, Some((0.2, 0.3)), Finding::Worse)],
            failed_p95: [None, None],
        };
        let found = Regression::new(&comparison(Vec::new(), vec![endpoint]), 0.05);
        let of = |of| Concern {
            endpoint: "/orders".to_owned(),
            of,
        };
        let expected = [
            of(ConcernKind::Answers),
            of(ConcernKind::Measure(Measure::P95)),
        ];
        assert_eq!(found.worse, expected);
        assert!(found.unsure.is_empty());
    }

    #[test]
    fn failures_that_are_gone_and_fields_that_were_added_are_not_worse() {
        let status = |status: &str, before, after| AnswerChange::Status {
            status: status.to_owned(),
            before,
            after,
        };
        let size = AnswerChange::Size {
            before: 100.0,
            after: 50.0,
        };
        let is_worse = |changed: Vec<AnswerChange>| {
            let endpoint = Endpoint {
                name: String::new(),
                changed,
                differences: Vec::new(),
                failed_p95: [None, None],
            };
            let found = Regression::new(&comparison(Vec::new(), vec![endpoint]), 0.05);
            !found.worse.is_empty()
        };
        let of_body = |state| {
            let counts = |count| BodyCount { count, of: 20.0 };
            AnswerChange::Body(BodyChange {
                field: "extra".to_owned(),
                state,
                before: counts(0.0),
                after: counts(20.0),
            })
        };
        let grown = AnswerChange::Size {
            before: 50.0,
            after: 100.0,
        };
        let added = of_body(BodyState::Added);
        assert!(!is_worse(vec![added.clone(), grown]));
        assert!(is_worse(vec![added.clone(), size.clone()]));
        assert!(is_worse(vec![added.clone(), of_body(BodyState::Missing)]));
        assert!(is_worse(vec![of_body(BodyState::New)]));
        let mended = [status("200", 0.9, 1.0), status("503", 0.1, 0.0)];
        assert!(!is_worse([mended.to_vec(), vec![added]].concat()));
        assert!(!is_worse(mended.to_vec()));
        assert!(is_worse([mended.to_vec(), vec![size]].concat()));
        for other in [
            [status("200", 1.0, 0.9), status("503", 0.0, 0.1)],
            [status("503", 0.1, 0.0), status("404", 0.0, 0.1)],
            [status("200", 0.9, 0.0), status("302", 0.1, 1.0)],
        ] {
            assert!(is_worse(other.to_vec()), "{other:?}");
        }
    }

    #[test]
    fn what_every_run_fell_short_of_for_the_first_time_is_worse_whatever_the_measures_say() {
        let mut all = comparison(Vec::new(), Vec::new());
        let short = Shortfall::Cut { sent: 9, cut: 4 };
        all.new_shortfalls.push(short);
        let found = Regression::new(&all, 0.05);
        let expected = Concern {
            endpoint: String::new(),
            of: ConcernKind::Shortfall(short),
        };
        assert_eq!(found.worse, [expected]);
    }
}
