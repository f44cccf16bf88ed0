//! What a level must show to hold for certain.
//!
//! The short answer is in `analysis::slo`: enough evidence, on enough independent windows,
//! no queue that may still be far from rest, and no pause between spells of failures. Here is when it is asked for.

use loadline_analysis::capacity::{LevelOutcome, Purpose, Unit};
use loadline_analysis::slo::{Load, TermState, half_way, is_kept_at_rest};

use super::{Effort, LEVEL_ALPHA, Rules, Trial};
use crate::window::LoadWindow;

impl Trial {
    /// What a level comes to whose terms all hold; `None` where more time may make it certain.
    pub(super) fn outcome_of_holding(
        &self,
        effort: &Effort,
        rules: &Rules,
    ) -> Option<LevelOutcome> {
        // For sure only what was held for that: the level was not chosen by what it showed.
        let can_be_sure = match self.purpose {
            Purpose::Confirm => effort.most >= rules.sure,
            Purpose::Soak => true,
            _ => false,
        };
        if !can_be_sure {
            return Some(LevelOutcome::Likely);
        }
        if !self.is_look_for_holding(effort) {
            return None;
        }
        let is_certain =
            |held| self.is_kept_at_rest(held, rules) && self.outlasts_pauses(held, rules);
        if is_certain(self.windows.len()) {
            return Some(LevelOutcome::Holds);
        }
        (!is_certain(effort.most)).then_some(LevelOutcome::Likely)
    }

    /// Whether no term without a failure may owe that to a pause between spells of them, were
    /// the level held for so many windows.
    fn outlasts_pauses(&self, held: usize, rules: &Rules) -> bool {
        let mut spells = rules.spells.iter().enumerate();
        spells.all(|(place, usual)| {
            let is_clean = self.windows.samples(place).all(|sample| sample.bad == 0);
            !is_clean || usual.is_none_or(|usual| held as f64 >= usual.enough())
        })
    }

    /// Whether a level may be told to hold for certain now: at its shortest and at its longest
    /// time. Looks pay for themselves were the windows' spread known; it is estimated, and each
    /// look at another estimate is one more chance of one that is too small.
    fn is_look_for_holding(&self, effort: &Effort) -> bool {
        let n = self.windows.len();
        n == effort.least || n >= effort.most
    }

    /// Whether every term would be kept, too, once a queue as seen here has come to rest, were
    /// the level held for so many windows. Users in a closed loop wait for each other: their
    /// queue is at rest at once.
    fn is_kept_at_rest(&self, held: usize, rules: &Rules) -> bool {
        if rules.unit == Unit::Users {
            return true;
        }
        let sum = |of: fn(&LoadWindow) -> f64| self.windows.iter().map(of).sum::<f64>();
        let seconds = sum(|w| w.span);
        let mut terms = rules.terms.iter().enumerate();
        terms.all(|(place, term)| {
            let load = Load {
                rate: sum(|w| w.requests) / seconds,
                seconds: seconds * held as f64 / self.windows.len() as f64,
                idle_ms: rules.idle_term_ms.get(place).copied().unwrap_or(0.0),
            };
            let samples: Vec<_> = self.windows.samples(place).collect();
            is_kept_at_rest(term, &samples, load)
        })
    }

    /// Whether twice the time would hardly tell more: no term is half way to being missed for
    /// certain, and not all are half way to holding.
    pub(super) fn stays_open(&self, rules: &Rules) -> bool {
        let terms = rules.terms.iter().enumerate();
        let half: Vec<TermState> = terms
            .map(|(place, term)| half_way(term, &self.windows.seen_from(0, place), LEVEL_ALPHA))
            .collect();
        !half.contains(&TermState::Misses) && half.contains(&TermState::Open)
    }
}
