//! Where the objective's limit is crossed, by a fit over all levels that were held.
//!
//! A staircase answers with the highest step that held: always below the line, by up to a step and by what it takes to be sure.
//! The levels around it know more. Here the time of a request is that of a queue, which waits the longer the nearer the load is to
//! what the target can do at all: idle + wait × g(load), g(λ) = (λ/C)^k / (1 − λ/C). What is not known, C and k and the load at
//! which the limit is crossed, is tried over a grid, each as likely as it makes what was seen (Bayes). Levels near the line weigh
//! more, as the model is only one: its own doubt grows with the distance.

mod evidence;
mod law;
mod likelihood;
#[cfg(test)]
mod tests;

use super::SearchSpec;
use crate::capacity::step::{LevelOutcome, Purpose, Step, Unit};
use crate::estimate::Estimate;
use crate::slo::Term;
use evidence::{Seen, without_colder};
use law::{Known, grid};

/// Loads that are tried for the crossing: first everywhere, then where it is likely.
const LOADS_ROUGH: usize = 64;
const LOADS_FINE: usize = 96;
/// What is less likely than this is left out of the second, which reaches so much farther on each side.
const FINE_AROUND: f64 = 1.02;
const PROBABILITY_MIN: f64 = 1e-4;
/// No range is narrower than this share on each side: what a target carries varies by as much.
const ERROR_MIN: f64 = 0.012;
/// A fit that makes what was held for certain less likely than this is of another target than the law's.
const POSSIBLE_MIN: f64 = 0.02;
/// A level that was held for certain is doubted unless the line lies above it with this probability by all levels together: of
/// several levels tried above the line of a target that wanders, the one that holds is the lucky one.
const CONFIRMED_MIN: f64 = 0.95;
/// So much less than a level that clearly held is what it proves: a target a little above its line
/// holds for as long as a short look, while its queue grows.
const CLEAR_SHARE: f64 = 0.95;
/// A level of fewer requests proves nothing against a fit.
const CLEAR_REQUESTS_MIN: f64 = 30.0;
/// A time that is longer than without load by at most this share of what it may be is far within its limit.
const FAR_WITHIN_SHARE: f64 = 0.1;
/// The probability on each side of the range.
const TAIL_PROBABILITY: f64 = 0.025;

/// The load at which the objective is crossed, with the range that it lies in with 95 %; `None` where no level was too much.
pub(super) fn crossing(asked: &SearchSpec, steps: &[Step], since: Since) -> Option<CrossedAt> {
    let used = believed(steps, since.step);
    let highest_of = |is: fn(&LevelOutcome) -> bool| {
        let loads = used
            .iter()
            .filter(|step| is(&step.outcome))
            .map(|step| step.load);
        loads.reduce(f64::max)
    };
    let lowest = 0.5 * highest_of(LevelOutcome::is_carried)?;
    let highest = 1.25 * highest_of(LevelOutcome::is_too_much)?;
    let terms = asked.terms.iter().enumerate();
    let seen: Vec<(Vec<Seen>, &Term)> = terms
        .map(|(place, term)| {
            let of_term = used
                .iter()
                .map(|step| Seen::new(step, place, term, asked.unit));
            (without_colder(of_term.collect()), term)
        })
        .collect();
    let rough = Tried::new(&seen, grid(lowest, highest, LOADS_ROUGH));
    let fine = grid(
        rough.at(1.0 - PROBABILITY_MIN) / FINE_AROUND,
        rough.at(PROBABILITY_MIN) * FINE_AROUND,
        LOADS_FINE,
    );
    let fine = Tried::new(&seen, fine);
    let confirmed = since.held.unwrap_or(0.0);
    let is_far_within = used
        .iter()
        .any(|step| step.load >= confirmed && is_far_within(step, &used, &asked.terms));
    let is_held_doubted = confirmed > 0.0
        && !is_far_within
        && above_by_times(&seen, &fine, lowest..highest, confirmed) < CONFIRMED_MIN;
    // Given that it lies above what was held for certain.
    let held = if is_held_doubted { 0.0 } else { confirmed };
    let range = fine.given(held)?;
    // Levels that clearly held, and that nothing later speaks against, outweigh a fit of levels that are too short for one.
    let clear = used.iter().filter(|step| is_clear(step, &asked.terms));
    let clear = clear
        .map(|step| CLEAR_SHARE * step.load)
        .fold(held, f64::max);
    let range = if range.middle < clear {
        fine.given(clear)?
    } else {
        range
    };
    let range = match asked.unit {
        Unit::Rate => range,
        Unit::Users => Estimate {
            low: range.low.floor(),
            middle: range.middle.round(),
            high: range.high.ceil(),
        },
    };
    Some(CrossedAt {
        range,
        is_held_doubted,
    })
}

/// Where the limit is crossed.
#[derive(Debug, Clone, Copy)]
pub(super) struct CrossedAt {
    /// The load, with the range it lies in with 95 %.
    pub(super) range: Estimate,
    /// All levels together make it doubtful that it lies above the load that was held for certain.
    pub(super) is_held_doubted: bool,
}

/// From where on a search is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Since {
    /// The step at which the target last got slower.
    pub(super) step: usize,
    /// The highest load that was held for certain.
    pub(super) held: Option<f64>,
}

/// The probability that the line lies above a load by the terms that are times: the law of a queue says nothing certain of
/// failures, which may begin all at once. `fine` is that of all terms.
fn above_by_times(
    terms: &[(Vec<Seen>, &Term)],
    fine: &Tried,
    loads: std::ops::Range<f64>,
    load: f64,
) -> f64 {
    let times = terms.iter().filter(|(_, term)| term.time().is_some());
    let times: Vec<(Vec<Seen>, &Term)> = times.cloned().collect();
    if times.len() == terms.len() {
        return fine.above(load);
    }
    Tried::new(&times, grid(loads.start, loads.end, LOADS_FINE)).above(load)
}

/// Loads, and how likely the line lies above each.
struct Tried {
    loads: Vec<f64>,
    above: Vec<f64>,
}

impl Tried {
    /// The first term that is crossed is what limits: the others' lines lie above.
    fn new(terms: &[(Vec<Seen>, &Term)], loads: Vec<f64>) -> Self {
        let mut above = vec![1.0; loads.len()];
        for (seen, term) in terms {
            let weights = Known::new(seen, term).posterior(&loads);
            let mut beyond = 1.0;
            for (above, weight) in above.iter_mut().zip(weights) {
                // Half of a place's own weight lies above it.
                *above *= f64::max(beyond - weight / 2.0, 0.0);
                beyond -= weight;
            }
        }
        Self { loads, above }
    }

    /// The probability that the line lies above a load.
    fn above(&self, load: f64) -> f64 {
        let place = self.loads.partition_point(|tried| *tried < load);
        let before = place.checked_sub(1).map(|before| self.above[before]);
        before.unwrap_or(1.0)
    }

    /// Where the line lies, given that it lies above what was held.
    fn given(&self, held: f64) -> Option<Estimate> {
        let possible = self.above(held);
        if possible < POSSIBLE_MIN {
            return None;
        }
        let at = |share: f64| self.at(share * possible);
        // Between two loads of the grid it may come out a hair below.
        let middle = at(0.5).max(held);
        Some(Estimate {
            low: at(1.0 - TAIL_PROBABILITY)
                .min(middle * (1.0 - ERROR_MIN))
                .max(held),
            middle,
            high: at(TAIL_PROBABILITY).max(middle * (1.0 + ERROR_MIN)),
        })
    }

    /// The load that the line lies above with this probability.
    fn at(&self, share: f64) -> f64 {
        let next = self.above.partition_point(|above| *above > share);
        let last = self.loads.len() - 1;
        let (before, next) = (next.saturating_sub(1).min(last), next.min(last));
        let (high, low) = (self.above[before], self.above[next]);
        let part = if high > low {
            (high - share) / (high - low)
        } else {
            0.0
        };
        self.loads[before] * (self.loads[next] / self.loads[before]).powf(part.clamp(0.0, 1.0))
    }
}

/// Whether a level was carried with all of what its values may be within the objective, on enough requests to say so.
fn is_clear(step: &Step, terms: &[Term]) -> bool {
    let mut judged = step.terms.iter().zip(terms);
    let is_within = judged.all(|(judged, term)| {
        judged.value.is_some_and(|value| {
            let is_share = term.allowed_failures().is_some();
            // That nothing fails is all that few requests can say of a small share.
            let nothing = if term.statistic.wants_more() {
                1.0
            } else {
                0.0
            };
            let fails_never = is_share && (value.middle - nothing).abs() < f64::EPSILON;
            fails_never || (term.holds(value.low) && term.holds(value.high))
        })
    });
    let requests = step.requests * step.held as f64;
    step.outcome.is_carried() && is_within && requests >= CLEAR_REQUESTS_MIN
}

/// Whether a level was held to confirm it with all times hardly longer than without load: that is no luck of a target near its line,
/// at which they would be about as long as the objective allows.
fn is_far_within(step: &Step, used: &[&Step], terms: &[Term]) -> bool {
    let is_far = |place: usize, term: &Term| {
        let value = |step: &Step| step.terms.get(place)?.value;
        let idle = used
            .iter()
            .filter_map(|step| Some(value(step)?.middle))
            .reduce(f64::min);
        let most = idle.map(|idle| idle + FAR_WITHIN_SHARE * (term.limit - idle));
        value(step)
            .zip(most)
            .is_some_and(|(value, most)| value.high <= most)
    };
    let mut times = terms
        .iter()
        .enumerate()
        .filter(|(_, term)| term.time().is_some())
        .peekable();
    times.peek().is_some()
        && times.all(|(place, term)| is_far(place, term))
        && step.outcome == LevelOutcome::Holds
        && step.purpose == Purpose::Confirm
        && is_clear(step, terms)
}

/// Levels that later ones do not contradict, since the target last got slower.
fn believed(steps: &[Step], since: usize) -> Vec<&Step> {
    let is_contradicted = |place: usize, step: &Step| {
        let mut later = steps.iter().skip(place + 1);
        if step.outcome.is_too_much() {
            later.any(|other| other.outcome.is_carried() && other.load >= step.load)
        } else {
            later.any(|other| {
                let is_bound = other.outcome.is_too_much() && other.purpose != Purpose::Knee;
                is_bound && other.load <= step.load
            })
        }
    };
    let numbered = steps.iter().enumerate().skip(since);
    let kept = numbered.filter(|(place, step)| match step.outcome {
        LevelOutcome::Unclear => true,
        LevelOutcome::Invalid(_) | LevelOutcome::Aborted(_) | LevelOutcome::Cut => false,
        _ => !is_contradicted(*place, step),
    });
    kept.map(|(_, step)| step).collect()
}
