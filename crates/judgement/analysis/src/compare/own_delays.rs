//! Whether a difference may be the generator's own delays.
//!
//! An answer that waits to be read is shown as longer than it was. Seconds in which answers
//! waited about as long as two sides differ could make that difference: they are left out, and
//! what is found must be found without them, too.
//!
//! Who loops sends the next request only then, so a rate is lower by the share of the time that
//! answers waited. What is read late was waiting in the second before, too.

use super::judge::Judge;
use super::{ComparedRun, ComparedWindow, Difference, Finding, Measure, UncertaintyReason};

/// Rates differ by chance, too: a wait that explains nearly all of a difference may explain it.
const EXPLAINED_FACTOR: f64 = 1.1;

impl Judge<'_> {
    /// The same difference, where it is one also without the seconds whose delays could make it.
    pub(super) fn without_own_delays(
        &self,
        found: Difference,
        before: &[ComparedRun],
        after: &[ComparedRun],
    ) -> Difference {
        let is_told = matches!(found.finding, Finding::Better | Finding::Worse)
            || is_across_tolerance(found.finding);
        let (Some(first), Some(second)) = (found.before, found.after) else {
            return found;
        };
        if found.measure.is_share() || !is_told {
            return found;
        }
        let is_calm = |window: &ComparedWindow| {
            let apart = (second - first).abs();
            if found.measure == Measure::Rate {
                EXPLAINED_FACTOR * waited_share(window) * first.max(second) < apart
            } else {
                wait_ms(found.measure, window) < apart
            }
        };
        let mut windows = before.iter().chain(after).flat_map(|run| &run.windows);
        if windows.all(is_calm) {
            return found;
        }
        let calm_windows = |run: &ComparedRun| -> Vec<ComparedWindow> {
            let is_left = |place: &usize| {
                let next = run.windows.get(place + 1);
                let is_followed_calmly = found.measure != Measure::Rate || next.is_none_or(is_calm);
                is_calm(&run.windows[*place]) && is_followed_calmly
            };
            let left = (0..run.windows.len()).filter(is_left);
            left.map(|place| run.windows[place].clone()).collect()
        };
        let calm = |runs: &[ComparedRun]| -> Vec<ComparedRun> {
            let left = |run: &ComparedRun| ComparedRun {
                windows: calm_windows(run),
                is_planned: run.is_planned,
                ..ComparedRun::default()
            };
            runs.iter().map(left).collect()
        };
        let rest = self.difference(found.measure, &calm(before), &calm(after));
        let are_across = [rest.finding, found.finding].map(is_across_tolerance);
        if rest.finding == found.finding || are_across == [true, true] {
            return found;
        }
        let why = UncertaintyReason::OwnDelays;
        Difference {
            finding: Finding::CannotTell { why },
            ..found
        }
    }
}

/// Whether there is a difference, though perhaps one within what was asked for.
pub(super) fn is_across_tolerance(finding: Finding) -> bool {
    let why = match finding {
        Finding::CannotTell { why } => why,
        _ => return false,
    };
    matches!(why, UncertaintyReason::AcrossTolerance { .. })
}

/// How long answers of a second waited, at the place that a measure is about.
fn wait_ms(measure: Measure, window: &ComparedWindow) -> f64 {
    match measure {
        Measure::P50 => window.read_wait.p50_ms,
        _ => window.read_wait.p95_ms,
    }
}

/// The share of their times that answers of a second waited, at most.
fn waited_share(window: &ComparedWindow) -> f64 {
    let mean_ms = window.durations.mean().unwrap_or(0.0);
    if mean_ms <= 0.0 {
        return 0.0;
    }
    (window.read_wait.p95_ms / mean_ms).min(1.0)
}
