//! Whether settings keep the conditions, with confidence.

use std::collections::BTreeSet;

use loadline_analysis::tuning::blocks::{BlockFit, BlockTrial};
use loadline_analysis::tuning::pairs::{self, TrialSpread};

use super::super::{GOAL_LOOKS, MOST_REJECTED};
use super::{RACE_ALPHA, TriedSettings, mean};

/// A setting nearly keeps conditions that it misses by less than this, as a logarithm.
const NEAR_GOAL: f64 = 0.1;
/// Blocks of a race after which is looked.
const RACE_LOOKS: f64 = 3.0;

impl TriedSettings {
    /// Settings whose noise tells about keeping the conditions: those that keep them, or nearly
    /// do. A target that collapses under a setting differs far more from trial to trial than one
    /// that holds. Those that keep them alone would be the ones that chance favoured.
    fn near_goal(&self) -> impl Iterator<Item = usize> {
        self.ids().filter(|id| {
            let tried = &self.settings[*id];
            let margins = tried.margins.iter().chain(&tried.fresh_margins);
            let margins: Vec<f64> = margins.copied().collect();
            mean(&margins).is_some_and(|middle| middle.is_finite() && middle >= -NEAR_GOAL)
        })
    }

    /// The standard deviation of margins of one setting, with its degrees of freedom, over all
    /// settings that keep the conditions or nearly do. What differs from block to block is in it.
    fn margin_deviation(&self) -> Option<(f64, f64)> {
        self.deviation_of(self.near_goal())
    }

    /// The same of other settings.
    fn deviation_of(&self, ids: impl Iterator<Item = usize>) -> Option<(f64, f64)> {
        let (mut squares, mut freedom) = (0.0, 0.0);
        for id in ids {
            let tried = &self.settings[id];
            for margins in [&tried.margins, &tried.fresh_margins] {
                let Some(middle) = mean(margins) else {
                    continue;
                };
                squares += margins
                    .iter()
                    .map(|one| (one - middle).powi(2))
                    .sum::<f64>();
                freedom += margins.len() as f64 - 1.0;
            }
        }
        (freedom >= 1.0).then(|| ((squares / freedom).sqrt(), freedom))
    }

    /// How fresh trials differ, by the settings that keep the conditions or nearly do: each is in a block of its own, and all
    /// come at the study's end, to which the machine may have drifted.
    fn fresh_spread(&self, winner: usize) -> Option<TrialSpread> {
        let (deviation, freedom) = self.usual_deviation()?;
        let near: BTreeSet<usize> = self.near_goal().collect();
        let trials = self.trials.iter().chain(&self.fresh);
        let trials: Vec<BlockTrial> = trials
            .filter(|trial| near.contains(&trial.setting))
            .copied()
            .collect();
        let between = BlockFit::from_trials(&trials, winner).map(|fit| fit.spread());
        Some(TrialSpread {
            deviation: between.map_or(deviation, |of| of.deviation.max(deviation)),
            freedom,
            drift: between.map_or(0.0, |of| of.drift),
        })
    }

    /// Whether its conditions hold with confidence, by the trials that chose it.
    pub(in super::super) fn meets(&self, id: usize, alpha: f64) -> bool {
        is_kept(&self.settings[id].margins, self.usual_deviation(), alpha)
    }

    /// The same by fresh trials alone.
    pub(in super::super) fn meets_afresh(&self, id: usize, alpha: f64) -> bool {
        let margins = &self.settings[id].fresh_margins;
        let least = self
            .fresh_spread(id)
            .and_then(|spread| pairs::at_least(margins, spread, of_fresh_look(alpha)));
        margins.len() >= GOAL_LOOKS[0] && least.is_some_and(|least| least > 0.0)
    }

    /// Fresh trials beyond those that it has after which its conditions would be seen to hold, about; `None` where no number
    /// of them would do.
    pub(in super::super) fn fresh_trials_missing(&self, id: usize, alpha: f64) -> Option<usize> {
        let margins = &self.settings[id].fresh_margins;
        if margins.is_empty() {
            return Some(GOAL_LOOKS[0]);
        }
        let spread = self.fresh_spread(id)?;
        let needed = pairs::needed_above_zero(margins, spread, of_fresh_look(alpha))?;
        Some(
            needed
                .max(GOAL_LOOKS[0])
                .saturating_sub(margins.len())
                .max(1),
        )
    }

    fn usual_deviation(&self) -> Option<(f64, f64)> {
        *self.deviation.get_or_init(|| self.margin_deviation())
    }

    /// Whether its conditions are clearly not kept.
    pub(in super::super) fn misses(&self, id: usize) -> bool {
        let margins: Vec<f64> = self.settings[id].margins.iter().map(|one| -one).collect();
        // Where none is near its conditions, those that are far off tell how much trials differ: by more, if anything.
        let far = || self.deviation_of(self.ids());
        let deviation = self.usual_deviation().or_else(far);
        !margins.is_empty() && is_kept(&margins, deviation, RACE_ALPHA)
    }
}

/// How often one look at fresh trials may be wrong: as many settings may be confirmed, one after the other.
fn of_fresh_look(alpha: f64) -> f64 {
    alpha / MOST_REJECTED as f64 / GOAL_LOOKS.len() as f64
}

/// Whether margins are above zero with confidence, given their deviation with its degrees of freedom.
fn is_kept(margins: &[f64], deviation: Option<(f64, f64)>, alpha: f64) -> bool {
    let least = deviation.and_then(|(deviation, freedom)| {
        let spread = TrialSpread {
            deviation,
            freedom,
            drift: 0.0,
        };
        pairs::at_least(margins, spread, alpha / RACE_LOOKS)
    });
    least.is_some_and(|least| least > 0.0)
}
