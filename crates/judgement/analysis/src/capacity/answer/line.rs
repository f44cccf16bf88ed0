//! Where the line is, between the highest level that holds and the next that does not.

use super::{Line, SearchSpec, changed_late};
use crate::capacity::step::{LevelOutcome, Step, Unit};
use crate::curve::{self, Crossing, Level};
use crate::estimate::Estimate;

pub(super) fn line(asked: &SearchSpec, steps: &[Step], low: usize, high: Option<usize>) -> Line {
    let step = &steps[low];
    let beyond = high.map(|high| &steps[high]);
    Line {
        load: Estimate {
            low: step.load,
            middle: step.load,
            high: beyond.map_or(f64::INFINITY, |beyond| beyond.load),
        },
        step: low,
        beyond: high,
        throughput: step.throughput.middle,
        requests: requests(asked, step),
        is_sure: step.outcome == LevelOutcome::Holds && !is_brief(step, steps),
        is_doubted: false,
        interpolated: beyond.and_then(|beyond| interpolated(asked, step, beyond)),
    }
}

/// Requests per second at the line: what its load sends. Of starts at random more or fewer were sent by chance.
fn requests(asked: &SearchSpec, step: &Step) -> f64 {
    match asked.unit {
        Unit::Rate => step.requests_per_iteration() * step.load,
        Unit::Users => step.requests,
    }
}

/// Whether a level was held for less than the target takes to change.
pub(super) fn is_brief(step: &Step, steps: &[Step]) -> bool {
    changed_late(steps).is_some_and(|late| step.held <= late)
}

/// The load between two steps at which the limit is crossed.
fn interpolated(asked: &SearchSpec, low: &Step, high: &Step) -> Option<f64> {
    let load = match &high.outcome {
        LevelOutcome::Misses { term, .. } => {
            let excess = |step: &Step| {
                let value = step.terms.get(*term)?.value?.middle;
                Some(asked.terms[*term].excess(value))
            };
            let levels = [low, high].map(|step| Level {
                load: step.load,
                throughput: step.sustained,
            });
            match curve::crossing(&levels, &[excess(low), excess(high)]) {
                Crossing::Between { load, .. } => load?,
                Crossing::Below | Crossing::Above { .. } => return None,
            }
        }
        LevelOutcome::Overloaded if asked.unit == Unit::Rate => high.sustained,
        _ => return None,
    };
    (load > low.load && load < high.load).then_some(load)
}
