//! Whether answers are still the same kind of answers.

use std::collections::{BTreeMap, BTreeSet};

use super::{BodyChange, BodyState, ComparedRun, ComparedWindow, Side, bodies, values};
use crate::estimate::longer;
use crate::student;

/// A share of answers that has to move for a change to be reported.
const SHIFT_MIN: f64 = 0.01;
/// A mean size has to change by this share.
const GROWTH_MIN: f64 = 0.05;
/// A share or size has to move by so many of its standard errors: with the many statuses and
/// endpoints of a test chance alone does so in one of 16,000.
const STANDARD_ERRORS: f64 = 4.0;
/// Where more requests fail for certain, which is held against chance by itself, so many show by which statuses.
const STANDARD_ERRORS_OF_FAILURES: f64 = 2.0;
/// An answer of fewer requests may be one that was rare before.
const REQUESTS_MIN: f64 = 50.0;

/// What answers of one endpoint were in one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// Answers by status; `0` is none.
    pub statuses: BTreeMap<String, f64>,
}

/// A change of answers.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerChange {
    /// The share of a status, before and after.
    Status {
        /// The status.
        status: String,
        /// Its share before.
        before: f64,
        /// Its share after.
        after: f64,
    },
    /// The mean size of good answers, in bytes.
    Size {
        /// Before.
        before: f64,
        /// After.
        after: f64,
    },
    /// What stands in good answers.
    Body(BodyChange),
}

impl AnswerChange {
    /// Whether fewer answers are failures, and nothing else.
    #[must_use]
    pub fn is_mended(&self) -> bool {
        match self {
            Self::Status {
                status,
                before,
                after,
            } if is_failure(status) => after < before,
            Self::Status {
                status,
                before,
                after,
            } => matches!(status.parse(), Ok(200..=299)) && after > before,
            Self::Size { .. } | Self::Body(_) => false,
        }
    }
}

impl AnswerChange {
    /// Whether answers have one more field, which clients may leave unread.
    #[must_use]
    pub fn is_added(&self) -> bool {
        matches!(self, Self::Body(change) if change.state == BodyState::Added)
    }

    /// Whether more answers are failures, or fewer are good.
    fn is_failing(&self) -> bool {
        match self {
            Self::Status {
                status,
                before,
                after,
            } if is_failure(status) => after > before,
            Self::Status {
                status,
                before,
                after,
            } => matches!(status.parse(), Ok(200..=299)) && after < before,
            Self::Size { .. } | Self::Body(_) => false,
        }
    }
}

/// Whether these changes harm no client: fewer failures, and fields that were added, by which answers grow.
pub(super) fn are_harmless(changes: &[AnswerChange]) -> bool {
    let have_more = changes.iter().any(AnswerChange::is_added);
    let grew = |change: &AnswerChange| match change {
        AnswerChange::Size { before, after } => have_more && after > before,
        AnswerChange::Status { .. } | AnswerChange::Body(_) => false,
    };
    changes
        .iter()
        .all(|change| change.is_mended() || change.is_added() || grew(change))
}

/// Whether a status is that of a failure; `0` is no answer.
pub(super) fn is_failure(status: &str) -> bool {
    matches!(status.parse(), Ok(0 | 400..=599))
}

/// An endpoint that answers otherwise than it did.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherAnswers {
    /// Its name; empty for all requests together.
    pub endpoint: String,
    /// What changed.
    pub changes: Vec<AnswerChange>,
    /// The shares of checks that failed before and after, where more fail.
    pub failed_checks: Option<(f64, f64)>,
}

/// Which endpoints of `after` answer otherwise than those of `before`. Where `are_failures_judged` by a goal, answers that fail
/// are left to it.
#[must_use]
pub fn other_answers(before: &Side, after: &Side, are_failures_judged: bool) -> Vec<OtherAnswers> {
    let parts = before.endpoints.iter().filter_map(|(name, runs)| {
        let others = after.endpoints.iter().find(|(other, _)| other == name);
        others.map(|(_, others)| (name.as_str(), runs.as_slice(), others.as_slice()))
    });
    let mut parts: Vec<(&str, &[ComparedRun], &[ComparedRun])> = parts.collect();
    // Of several endpoints the mean size of all answers also follows from how often each is asked.
    if parts.is_empty() {
        parts.push(("", &before.whole, &after.whole));
    }
    let found = parts.into_iter().map(|(name, before, after)| OtherAnswers {
        endpoint: name.to_owned(),
        changes: changes_unless_mended(before, after, are_failures_judged),
        failed_checks: failed_checks(before, after),
    });
    let found = found.filter(|one| !one.changes.is_empty() || one.failed_checks.is_some());
    found.collect()
}

fn changes_unless_mended(
    before: &[ComparedRun],
    after: &[ComparedRun],
    are_failures_judged: bool,
) -> Vec<AnswerChange> {
    let all = statuses(before, after, |_| true);
    // Which answers succeed may go by what is in them: that says something where as many do as before.
    let same_succeed = all.is_empty();
    let contents: Vec<AnswerChange> = contents(before, after).filter(|_| same_succeed).collect();
    let is_harmless = are_harmless(&contents);
    let contents = contents.into_iter().filter(|_| !is_harmless);
    let told = if are_failures_judged {
        statuses(before, after, |status| !is_failure(status))
    } else {
        all
    };
    let is_mended = told.iter().all(AnswerChange::is_mended);
    let told = told.into_iter().filter(|_| !is_mended);
    told.chain(contents).collect()
}

/// The shares of checks that failed before and after, where more fail for certain.
fn failed_checks(before: &[ComparedRun], after: &[ComparedRun]) -> Option<(f64, f64)> {
    let counted = |runs: &[ComparedRun]| {
        let windows = runs.iter().flat_map(|run| &run.windows);
        windows.fold((0.0, 0.0), |(failed, all), window| {
            (failed + window.checks_failed, all + window.checks)
        })
    };
    let ((failed_before, all_before), (failed_after, all_after)) =
        (counted(before), counted(after));
    let is_enough = all_before >= REQUESTS_MIN && all_after >= REQUESTS_MIN;
    let (before, after) = (failed_before / all_before, failed_after / all_after);
    (is_enough
        && after > before
        && is_shift(before, after, [all_before, all_after], STANDARD_ERRORS))
    .then_some((before, after))
}

/// What changed between two sides, of which the second may fail more for certain.
pub(super) fn changes(
    before: &[ComparedRun],
    after: &[ComparedRun],
    fails_more: bool,
) -> Vec<AnswerChange> {
    let mut changes = statuses(before, after, |_| true);
    if fails_more && changes.is_empty() {
        let moved = shifts(before, after, |_| true, STANDARD_ERRORS_OF_FAILURES);
        changes = moved.into_iter().filter(AnswerChange::is_failing).collect();
    }
    changes.extend(contents(before, after));
    changes
}

/// What changed in good answers: their size, and what stands in them.
fn contents<'a>(
    before: &'a [ComparedRun],
    after: &'a [ComparedRun],
) -> impl Iterator<Item = AnswerChange> + use<'a> {
    let bodies = bodies::changes(before, after).into_iter();
    let sizes = sizes(before, after).into_iter();
    sizes.chain(bodies.map(AnswerChange::Body))
}

/// How the shares of statuses changed for certain, of those that count.
fn statuses(
    before: &[ComparedRun],
    after: &[ComparedRun],
    counts: fn(&str) -> bool,
) -> Vec<AnswerChange> {
    shifts(before, after, counts, STANDARD_ERRORS)
}

/// How the shares of statuses changed by so many standard errors.
fn shifts(
    before: &[ComparedRun],
    after: &[ComparedRun],
    counts: fn(&str) -> bool,
    errors: f64,
) -> Vec<AnswerChange> {
    let (a, b) = (mix(before, counts), mix(after, counts));
    let (all_a, all_b): (f64, f64) = (a.values().sum(), b.values().sum());
    if all_a < REQUESTS_MIN || all_b < REQUESTS_MIN {
        return Vec::new();
    }
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let changes = names.into_iter().filter_map(|status| {
        let before = a.get(status).copied().unwrap_or(0.0) / all_a;
        let after = b.get(status).copied().unwrap_or(0.0) / all_b;
        is_shift(before, after, [all_a, all_b], errors).then(|| AnswerChange::Status {
            status: status.clone(),
            before,
            after,
        })
    });
    changes.collect()
}

/// Whether a share moved by so many standard errors, of so many on each side.
fn is_shift(before: f64, after: f64, counts: [f64; 2], errors: f64) -> bool {
    let share = f64::midpoint(before, after);
    let error = (share * (1.0 - share) * (1.0 / counts[0] + 1.0 / counts[1])).sqrt();
    let shift = (after - before).abs();
    shift >= SHIFT_MIN && shift > errors * error
}

fn mix(runs: &[ComparedRun], counts: fn(&str) -> bool) -> BTreeMap<String, f64> {
    let mut mix = BTreeMap::new();
    let all = runs.iter().flat_map(|run| &run.answers.statuses);
    for (status, count) in all.filter(|(status, _)| counts(status)) {
        *mix.entry(status.clone()).or_default() += count;
    }
    mix
}

/// The mean size of a good answer's body on both sides, where it changed for certain.
fn sizes(before: &[ComparedRun], after: &[ComparedRun]) -> Option<AnswerChange> {
    let (a, b) = (Size::from_runs(before)?, Size::from_runs(after)?);
    let moved = (b.mean - a.mean).abs();
    let error = (a.variance + b.variance).sqrt();
    if moved <= GROWTH_MIN * a.mean.max(1.0) {
        return None;
    }
    let errors = student::as_seldom_as(STANDARD_ERRORS, a.freedom.min(b.freedom));
    let is_change = moved > errors * error;
    is_change.then_some(AnswerChange::Size {
        before: a.mean,
        after: b.mean,
    })
}

/// A mean size in bytes, and the variance of that mean.
struct Size {
    mean: f64,
    variance: f64,
    freedom: f64,
}

impl Size {
    /// `None` for too few good answers of known size, or seconds to see how sizes vary; bodies that are all empty do not. The mean is a ratio of sums over windows; how
    /// far windows lie off it gives its variance (Cochran, Sampling Techniques, 6.3), and how
    /// far runs do where that is more.
    fn from_runs(runs: &[ComparedRun]) -> Option<Self> {
        let windows: Vec<&ComparedWindow> = runs.iter().flat_map(|run| &run.windows).collect();
        let answers: f64 = windows.iter().map(|window| window.sized).sum();
        let bytes: f64 = windows.iter().map(|window| window.bytes).sum();
        if answers < REQUESTS_MIN {
            return None;
        }
        if bytes <= 0.0 {
            return Some(Self {
                mean: 0.0,
                variance: 0.0,
                freedom: f64::INFINITY,
            });
        }
        if windows.len() < 2 {
            return None;
        }
        let mean = bytes / answers;
        let rests: Vec<f64> = windows
            .iter()
            .map(|window| window.bytes - mean * window.sized)
            .collect();
        let squares: f64 = rests.iter().map(|rest| rest * rest).sum();
        let n = rests.len() as f64;
        let within = squares * n / (n - 1.0) * longer(&rests) / (answers * answers);
        let means = means_of(runs);
        let between = values::variance_of_mean(&means).unwrap_or_default();
        let (variance, freedom) = if between > within {
            (between, means.len() as f64 - 1.0)
        } else {
            (within, n - 1.0)
        };
        Some(Self {
            mean,
            variance,
            freedom,
        })
    }
}

/// The mean size in each run that has answers of known size.
fn means_of(runs: &[ComparedRun]) -> Vec<f64> {
    let sums = runs.iter().map(|run| {
        let answers: f64 = run.windows.iter().map(|window| window.sized).sum();
        let bytes: f64 = run.windows.iter().map(|window| window.bytes).sum();
        (answers, bytes)
    });
    let known = sums.filter(|(answers, _)| *answers > 0.0);
    known.map(|(answers, bytes)| bytes / answers).collect()
}
