//! Whether answers are still the same kind of answers.

use std::collections::{BTreeMap, BTreeSet};

use super::Run;

/// A share of answers that has to move for a change to be told.
const SMALLEST_SHIFT: f64 = 0.01;
/// A mean size has to change by this share.
const SMALLEST_GROWTH: f64 = 0.05;
/// An answer of fewer requests may be one that was rare before.
const FEWEST: f64 = 50.0;

/// What answers of one endpoint were in one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// Answers by status; `0` is none.
    pub statuses: BTreeMap<String, f64>,
    /// Mean bytes of an answer, if known.
    pub bytes: Option<f64>,
    /// Kinds of content seen in samples: `json{id,name}`.
    pub shapes: BTreeSet<String>,
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
    /// The mean size in bytes.
    Size {
        /// Before.
        before: f64,
        /// After.
        after: f64,
    },
    /// Keys of JSON answers that are gone, and new ones.
    Keys {
        /// Seen only before.
        gone: Vec<String>,
        /// Seen only after.
        new: Vec<String>,
    },
}

/// What changed between two sides.
pub(super) fn changes(before: &[Run], after: &[Run]) -> Vec<AnswerChange> {
    let mut changes = statuses(before, after);
    changes.extend(sizes(before, after));
    changes.extend(keys(before, after));
    changes
}

fn statuses(before: &[Run], after: &[Run]) -> Vec<AnswerChange> {
    let (a, b) = (mix(before), mix(after));
    let (all_a, all_b): (f64, f64) = (a.values().sum(), b.values().sum());
    if all_a < FEWEST || all_b < FEWEST {
        return Vec::new();
    }
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let changes = names.into_iter().filter_map(|status| {
        let before = a.get(status).copied().unwrap_or(0.0) / all_a;
        let after = b.get(status).copied().unwrap_or(0.0) / all_b;
        // Two standard errors and more, and enough to matter.
        let share = f64::midpoint(before, after);
        let error = (share * (1.0 - share) * (1.0 / all_a + 1.0 / all_b)).sqrt();
        let shift = (after - before).abs();
        let is_change = shift >= SMALLEST_SHIFT && shift > 4.0 * error;
        is_change.then(|| AnswerChange::Status {
            status: status.clone(),
            before,
            after,
        })
    });
    changes.collect()
}

fn mix(runs: &[Run]) -> BTreeMap<String, f64> {
    let mut mix = BTreeMap::new();
    for (status, count) in runs.iter().flat_map(|run| &run.answers.statuses) {
        *mix.entry(status.clone()).or_default() += count;
    }
    mix
}

/// Sizes of several runs also say how much they vary; single ones are taken as they are.
fn sizes(before: &[Run], after: &[Run]) -> Option<AnswerChange> {
    let sizes =
        |runs: &[Run]| -> Vec<f64> { runs.iter().filter_map(|r| r.answers.bytes).collect() };
    let (a, b) = (sizes(before), sizes(after));
    let mean =
        |sizes: &[f64]| (!sizes.is_empty()).then(|| sizes.iter().sum::<f64>() / sizes.len() as f64);
    let (before, after) = (mean(&a)?, mean(&b)?);
    let least = |sizes: &[f64]| sizes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |sizes: &[f64]| sizes.iter().copied().fold(0.0, f64::max);
    let apart = most(&a) < least(&b) || most(&b) < least(&a);
    let moved = (after - before).abs() > SMALLEST_GROWTH * before.max(1.0);
    (apart && moved).then_some(AnswerChange::Size { before, after })
}

fn keys(before: &[Run], after: &[Run]) -> Option<AnswerChange> {
    let shapes = |runs: &[Run]| -> BTreeSet<String> {
        let all = runs
            .iter()
            .flat_map(|run| run.answers.shapes.iter().cloned());
        all.collect()
    };
    let (a, b) = (shapes(before), shapes(after));
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let gone: Vec<String> = a.difference(&b).cloned().collect();
    let new: Vec<String> = b.difference(&a).cloned().collect();
    (!gone.is_empty() || !new.is_empty()).then_some(AnswerChange::Keys { gone, new })
}
