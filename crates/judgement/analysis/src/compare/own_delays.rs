//! Whether a difference may be the generator's own delays.
//!
//! An answer that waits to be read is shown as longer than it was. Seconds in which answers
//! waited about as long as two sides differ could make that difference: they are left out, and
//! what is found must be found without them, too.

use super::judge::Judge;
use super::{ComparedRun, ComparedWindow, Difference, Finding, Measure, UncertaintyReason};

impl Judge<'_> {
    /// The same difference, where it is one also without the seconds whose delays could make it.
    pub(super) fn without_own_delays(
        &self,
        found: Difference,
        before: &[ComparedRun],
        after: &[ComparedRun],
    ) -> Difference {
        let is_time = !found.measure.is_share() && found.measure != Measure::Rate;
        let is_told = matches!(found.finding, Finding::Better | Finding::Worse);
        let (Some(first), Some(second)) = (found.before, found.after) else {
            return found;
        };
        if !is_time || !is_told {
            return found;
        }
        let apart_ms = (second - first).abs();
        let is_calm = |window: &ComparedWindow| wait_ms(found.measure, window) < apart_ms;
        let mut windows = before.iter().chain(after).flat_map(|run| &run.windows);
        if windows.all(is_calm) {
            return found;
        }
        let calm = |runs: &[ComparedRun]| -> Vec<ComparedRun> {
            let left = |run: &ComparedRun| ComparedRun {
                windows: run.windows.iter().filter(|w| is_calm(w)).cloned().collect(),
                is_planned: run.is_planned,
                ..ComparedRun::default()
            };
            runs.iter().map(left).collect()
        };
        let rest = self.difference(found.measure, &calm(before), &calm(after));
        if rest.finding == found.finding {
            return found;
        }
        let why = UncertaintyReason::OwnDelays;
        Difference {
            finding: Finding::CannotTell { why },
            ..found
        }
    }
}

/// How long answers of a second waited, at the place that a measure is about.
fn wait_ms(measure: Measure, window: &ComparedWindow) -> f64 {
    match measure {
        Measure::P50 => window.read_wait.p50_ms,
        _ => window.read_wait.p95_ms,
    }
}
