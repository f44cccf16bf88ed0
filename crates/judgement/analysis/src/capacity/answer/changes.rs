//! Targets that changed during a search.

use super::ABOUT_AS_LONG;
use crate::capacity::step::{LevelOutcome, Purpose, Step, Unit};

/// After how many windows of load the target changed, if it was seen to do so late: in two
/// levels at least, after about as long. Near the line a queue may begin to grow late by chance.
#[must_use]
pub fn changed_late(steps: &[Step]) -> Option<usize> {
    let seen = steps
        .iter()
        .filter(|s| s.late > 0 && s.outcome.is_too_much());
    let mut seen: Vec<usize> = seen.map(|s| s.late).collect();
    seen.sort_unstable();
    let pairs = seen.windows(2);
    let alike = pairs.filter(|pair| pair[1] as f64 <= pair[0] as f64 * ABOUT_AS_LONG);
    alike.map(|pair| pair[1]).next_back()
}

/// How far above a load an earlier throughput must lie, as a ratio, to show that the target got
/// slower: a queue may grow by chance at nine tenths of what a target completes.
const FAR_ABOVE: f64 = 1.15;

/// Two steps by their places: a load that was carried, or so many iterations completed a second,
/// and one that was lower and too much later, if the target stayed so slow: nothing as high was
/// carried after that.
#[must_use]
pub(super) fn got_slower(steps: &[Step], unit: Unit) -> Option<(usize, usize)> {
    let is_sure = |s: &Step| {
        let counts = s.purpose != Purpose::Knee && s.purpose != Purpose::Soak;
        let too_much = matches!(
            s.outcome,
            LevelOutcome::Misses { sure: true, .. } | LevelOutcome::Overloaded
        );
        counts && too_much && s.late == 0
    };
    let mut all = steps.iter().enumerate();
    all.find_map(|(now, worse)| {
        let stayed = |s: &Step| !s.outcome.is_carried() || s.load < worse.load;
        if !is_sure(worse) || !steps[now..].iter().all(stayed) {
            return None;
        }
        // Held as long as it took to fail later: no short look that merely saw nothing yet.
        let carried = |s: &Step| {
            s.outcome.is_carried() && s.load > worse.load * 1.05 && s.held >= worse.held.min(10)
        };
        let before = &steps[..now];
        let then = before.iter().position(carried);
        let then = then.or_else(|| completed_more(before, worse).filter(|_| unit == Unit::Rate))?;
        Some((then, now))
    })
}

/// The place of a level at which a target completed more iterations a second than it did later,
/// when it was asked for less, and could not.
fn completed_more(before: &[Step], now: &Step) -> Option<usize> {
    let is_more = |s: &Step| {
        let completed = s.throughput.low;
        completed > now.load * FAR_ABOVE && completed > now.throughput.high
    };
    let is_overload = now.outcome == LevelOutcome::Overloaded;
    before.iter().position(is_more).filter(|_| is_overload)
}

/// Whether a load was too much and, later, was not.
#[must_use]
pub fn got_faster(steps: &[Step]) -> bool {
    let carried = |at: usize, load: f64| {
        let later = &steps[at + 1..];
        later
            .iter()
            .any(|s| s.outcome.is_carried() && s.load >= load && s.purpose != Purpose::Soak)
    };
    let too_much = |s: &Step| {
        matches!(
            s.outcome,
            LevelOutcome::Misses { sure: true, .. } | LevelOutcome::Overloaded
        )
    };
    let mut all = steps.iter().enumerate();
    all.any(|(place, step)| too_much(step) && carried(place, step.load * 1.05))
}
