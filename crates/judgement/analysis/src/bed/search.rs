//! Which rate to try next, to learn how much a part carries.

use super::{PartCapacity, PartJudgement, PartMeasurement};

/// What holds and what does not are near enough where they are this many times apart, at most.
const APART_FACTOR_MAX: f64 = 1.25;

/// Finds the highest rate that a part stands, first at the planned rate, never above a few
/// times that.
#[derive(Debug, Clone)]
pub struct RateSearch {
    planned: f64,
    /// The highest rate to try.
    highest: f64,
    /// The highest rate that held.
    holds: Option<f64>,
    /// The lowest that did not, and what was answered then.
    fails: Option<(f64, f64)>,
    /// So many rates may still be tried.
    tries_left: usize,
    is_begun: bool,
}

impl RateSearch {
    /// Up to `times` the planned rate, at `tries_max` rates at most. `low` is a rate that is known
    /// to hold.
    #[must_use]
    pub fn new(planned: f64, times: f64, tries_max: usize, low: Option<f64>) -> Self {
        Self {
            planned,
            highest: planned * times.max(1.0),
            holds: low.filter(|low| *low < planned),
            fails: None,
            tries_left: tries_max,
            is_begun: false,
        }
    }

    /// The rate to try next; `None` when enough is known.
    #[must_use]
    pub fn next_rate(&self) -> Option<f64> {
        if self.tries_left == 0 {
            return None;
        }
        if !self.is_begun {
            return Some(self.planned);
        }
        let Some((fails, answered)) = self.fails else {
            let is_below = self.holds.is_some_and(|holds| holds < self.highest * 0.999);
            return is_below.then_some(self.highest);
        };
        let holds = self.holds.unwrap_or(0.0);
        if holds * APART_FACTOR_MAX >= fails {
            return None;
        }
        // What it answered while it was offered too much is close to what it can do.
        if answered > holds * 1.05 && answered < fails / APART_FACTOR_MAX {
            return Some(answered);
        }
        let next = if holds > 0.0 {
            (holds * fails).sqrt()
        } else {
            fails / 2.0
        };
        (next > 0.0).then_some(next)
    }

    /// Takes in what a part did at a rate, and how that is judged.
    pub fn record(&mut self, measured: &PartMeasurement, judgement: PartJudgement) {
        self.is_begun = true;
        self.tries_left = self.tries_left.saturating_sub(1);
        let rate = measured.offered;
        if judgement == PartJudgement::Holds {
            self.holds = Some(self.holds.map_or(rate, |holds| holds.max(rate)));
        } else if self.fails.is_none_or(|(fails, _)| rate < fails) {
            self.fails = Some((rate, measured.answered));
        }
    }

    /// What the part carries, as far as is known.
    #[must_use]
    pub fn capacity(&self) -> PartCapacity {
        match (self.holds, self.fails) {
            (Some(holds), None) => PartCapacity::AtLeast(holds),
            (Some(holds), Some(_)) => PartCapacity::Measured(holds),
            (None, Some((_, answered))) => PartCapacity::Measured(answered),
            (None, None) => PartCapacity::NotKnown,
        }
    }
}
