//! What may be claimed of settings, by the trials that also chose them.
//!
//! Two things make least squares claim what is not so. Later settings are compared with the best one so far, which was chosen
//! because it looked good: its luck is then everybody's, race after race. And of a setting that was tried once nobody can tell whether
//! that trial was disturbed. So settings are taken to differ by as much as all of them together show (a mixed model, C. R. Henderson,
//! 1975; a random effect is immune to having been chosen): where nothing differs, nothing is claimed. The setting that others are told
//! from was not chosen, and may be anything: drawn towards the others, it hid that nearly all of them were better by far. And a claim must
//! hold whichever single trial of a setting is left out.
//!
//! Levels of blocks are steps of a random walk, as large as the trials show. Taken for anything at all, settings of late blocks were
//! compared with the first setting through a chain of others, each with its noise.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{BlockFit, WeightedTrial};
use super::linear::{Factor, dot};
use crate::compare::Change;
use crate::student::{self, normal_beyond};

/// How far settings may differ, as a share of what trials of one differ by.
const SPREADS: [f64; 14] = [
    0.02, 0.06, 0.12, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0, 25.0, 60.0, 150.0,
];
/// How far the machine may move from one block to the next, likewise.
const STEPS: [f64; 6] = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
/// The place of the setting that others are told from.
const REFERENCE_PLACE: usize = 0;
/// What is less likely than the most likely spreads by this is left out.
const WEIGHT_MIN: f64 = 1e-6;
/// By how much the only trial of a setting may be off, of the logarithm.
const OFF_ALONE: f64 = 0.5;
/// Trials of no target scatter less, of the logarithm.
const DEVIATION_MIN: f64 = 0.001;
/// Steps in which the end of an interval is closed in on.
const BISECTION_STEPS: usize = 48;
/// How far it may lie away. What lies there is no figure: it may be any more.
const LOG_RATIO_MAX: f64 = 8.0;
/// By how much the last step of the bisection may miss the bound.
const BOUND_ROUNDING: f64 = 1e-6;

/// The change that an end of an interval lies at, if it is no figure: the bound up to which was looked.
#[must_use]
pub fn bound(is_above: bool) -> f64 {
    let sign = if is_above { 1.0 } else { -1.0 };
    (sign * LOG_RATIO_MAX).exp_m1()
}

/// Whether a change lies at the bound up to which was looked, or beyond: it is no figure.
#[must_use]
pub fn is_at_bound(change: f64) -> bool {
    change.ln_1p().abs() >= LOG_RATIO_MAX - BOUND_ROUNDING
}

/// What each setting may be worth.
#[derive(Debug, Clone)]
pub struct TrialClaims {
    places: BTreeMap<usize, usize>,
    /// One for each spread that is likely enough.
    fits: Vec<LikelyFit>,
    freedom: f64,
    /// Of each setting, how far its value moves down and up at most without one of its trials.
    moves: Vec<(f64, f64)>,
}

/// How far settings differ, and how far the machine moves from block to block, in deviations of a trial.
#[derive(Debug, Clone, Copy)]
struct Spreads {
    settings: f64,
    steps: f64,
}

/// What settings are worth if they differ by so much.
#[derive(Debug, Clone)]
struct LikelyFit {
    weight: f64,
    values: Vec<f64>,
    /// Their covariances.
    covariances: Vec<Vec<f64>>,
}

/// Values of settings and levels of blocks if those differ by so much.
struct SpreadFit {
    /// The logarithm of how likely that is.
    log: f64,
    values: Vec<f64>,
    factor: Factor,
}

/// The normal equations of settings, which stand first, and blocks. Below the diagonal alone.
struct Equations {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
    /// What is left without any settings.
    squares: f64,
    settings: usize,
    /// The place of each block.
    blocks: BTreeMap<usize, usize>,
    /// What all trials are on average.
    middle: f64,
}

/// A difference of settings: a mixture of normal distributions, each with its weight, middle and deviation.
struct Difference {
    parts: Vec<(f64, f64, f64)>,
    /// How far it may move down and up.
    moves: (f64, f64),
}

impl TrialClaims {
    /// From all trials of a fit.
    #[must_use]
    pub fn new(fit: &BlockFit) -> Self {
        let trials = fit.weighted_trials();
        let mut places = BTreeMap::new();
        places.extend(
            fit.reference()
                .map(|reference| (reference, REFERENCE_PLACE)),
        );
        for trial in trials {
            let next = places.len();
            places.entry(trial.setting).or_insert(next);
        }
        let deviation = fit.deviation().max(DEVIATION_MIN);
        let equations = Equations::new(trials, &places);
        let each = SPREADS.iter();
        let each = each.flat_map(|settings| {
            STEPS.map(|steps| Spreads {
                settings: *settings,
                steps,
            })
        });
        let mut found: Vec<SpreadFit> = each
            .filter_map(|spreads| equations.solved(spreads, deviation))
            .collect();
        found.sort_by(|a, b| b.log.total_cmp(&a.log));
        let most = found.first().map_or(0.0, |fit| fit.log);
        found.retain(|fit| (fit.log - most).exp() > WEIGHT_MIN);
        let sum: f64 = found.iter().map(|fit| (fit.log - most).exp()).sum();
        let moves = equations.moves(trials, &places, found.first());
        let fits = found.into_iter().map(|fit| LikelyFit {
            weight: (fit.log - most).exp() / sum,
            covariances: equations.covariances(&fit, deviation),
            values: fit.values,
        });
        let fits = fits.collect();
        Self {
            places,
            fits,
            freedom: fit.freedom(),
            moves,
        }
    }

    /// A sum of settings' values, each with its factor.
    fn sum(&self, parts: &[(usize, f64)]) -> Option<Difference> {
        let placed = parts.iter();
        let placed: Option<Vec<(usize, f64)>> = placed
            .map(|(setting, by)| Some((*self.places.get(setting)?, *by)))
            .collect();
        // Values that are no numbers fit to nothing: nothing is known of them.
        let placed = placed.filter(|_| !self.fits.is_empty())?;
        let normal = |fit: &LikelyFit| {
            let middle = placed.iter().map(|(at, by)| by * fit.values[*at]).sum();
            let mut variance = 0.0;
            for (a, by_a) in &placed {
                for (b, by_b) in &placed {
                    variance += by_a * by_b * fit.covariances[*a][*b];
                }
            }
            (fit.weight, middle, variance.max(f64::MIN_POSITIVE).sqrt())
        };
        let moves = placed.iter().fold((0.0, 0.0), |(down, up), (at, by)| {
            let (of_down, of_up) = self.moves[*at];
            if *by > 0.0 {
                (down + of_down, up + of_up)
            } else {
                (down + of_up, up + of_down)
            }
        });
        Some(Difference {
            parts: self.fits.iter().map(normal).collect(),
            moves,
        })
    }

    /// The probability that `a` is not on the side of `b` on which it seems to be, twice: what a claim must stay below.
    #[must_use]
    pub fn doubt(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.sum(&[(a, 1.0), (b, -1.0)])?;
        let (down, up) = difference.moves;
        let above = difference.beyond(down, 1.0);
        let below = 1.0 - difference.beyond(-up, 1.0);
        Some(2.0 * (1.0 - above).min(1.0 - below))
    }

    /// By how much `a` is higher than `b`, as a ratio, with an interval that is wrong with a probability of `alpha`.
    #[must_use]
    pub fn change(&self, a: usize, b: usize, alpha: f64) -> Option<Change> {
        let difference = self.sum(&[(a, 1.0), (b, -1.0)])?;
        Some(difference.interval(self.freedom, alpha))
    }

    /// How much more the settings `both` differs from `neither` than `one` and `other` do together: zero without an interaction.
    #[must_use]
    pub fn interaction(
        &self,
        [both, one, other, neither]: [usize; 4],
        alpha: f64,
    ) -> Option<Change> {
        let beyond = self.sum(&[(both, 1.0), (one, -1.0), (other, -1.0), (neither, 1.0)])?;
        Some(beyond.interval(self.freedom, alpha))
    }
}

impl Difference {
    fn interval(&self, freedom: f64, alpha: f64) -> Change {
        let tail = 1.0 - alpha / 2.0;
        let widened = student::quantile(tail, freedom.max(1.0)) / student::quantile(tail, 1e6);
        let at = |share: f64| self.at(share, widened);
        let (down, up) = self.moves;
        Change {
            low: (at(tail) - down).exp_m1(),
            middle: at(0.5).exp_m1(),
            high: (at(1.0 - tail) + up).exp_m1(),
        }
    }

    /// The probability that it is above a value.
    fn beyond(&self, at: f64, widened: f64) -> f64 {
        let each = self.parts.iter();
        each.map(|(weight, middle, error)| {
            weight * normal_beyond((at - middle) / (widened * error))
        })
        .sum()
    }

    /// The value that it is above with this probability.
    fn at(&self, share: f64, widened: f64) -> f64 {
        let (mut low, mut high) = (-LOG_RATIO_MAX, LOG_RATIO_MAX);
        for _ in 0..BISECTION_STEPS {
            let middle = f64::midpoint(low, high);
            if self.beyond(middle, widened) > share {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

impl Equations {
    fn new(trials: &[WeightedTrial], places: &BTreeMap<usize, usize>) -> Self {
        let settings = places.len();
        let blocks: BTreeSet<usize> = trials.iter().map(|trial| trial.block).collect();
        let blocks: BTreeMap<usize, usize> = blocks.into_iter().zip(settings..).collect();
        let count = settings + blocks.len();
        let all: f64 = trials.iter().map(|trial| trial.weight).sum();
        let sum: f64 = trials.iter().map(|trial| trial.weight * trial.value).sum();
        let middle = sum / all;
        let mut matrix = vec![vec![0.0; count]; count];
        let mut right = vec![0.0; count];
        let mut squares = 0.0;
        for trial in trials {
            let (setting, block) = (places[&trial.setting], blocks[&trial.block]);
            let off = trial.value - middle;
            matrix[setting][setting] += trial.weight;
            matrix[block][block] += trial.weight;
            matrix[block][setting] += trial.weight;
            right[setting] += trial.weight * off;
            right[block] += trial.weight * off;
            squares += trial.weight * off * off;
        }
        Self {
            matrix,
            right,
            squares,
            settings,
            blocks,
            middle,
        }
    }

    /// Values of settings that differ by so much while the machine moves by so much, and the logarithm of how likely that is.
    fn solved(&self, spreads: Spreads, deviation: f64) -> Option<SpreadFit> {
        let ridge = spreads.settings.powi(-2);
        let tie = spreads.steps.powi(-2);
        let mut matrix = self.matrix.clone();
        for (at, row) in matrix.iter_mut().enumerate().take(self.settings) {
            if at != REFERENCE_PLACE {
                row[at] += ridge;
            }
        }
        // A random walk from each block to the next.
        for next in self.settings + 1..self.right.len() {
            matrix[next - 1][next - 1] += tie;
            matrix[next][next] += tie;
            matrix[next][next - 1] -= tie;
        }
        let factor = Factor::new(matrix)?;
        let values = factor.solved(&self.right);
        let explained = dot(&values, &self.right);
        let rest = (self.squares - explained).max(0.0) / (deviation * deviation);
        let steps = self.blocks.len() as f64 - 1.0;
        let of_settings = (self.settings as f64 - 1.0) * ridge.ln();
        let log = -0.5 * (factor.log_determinant() - of_settings - steps * tie.ln() + rest);
        Some(SpreadFit {
            log,
            values,
            factor,
        })
    }

    /// How far the value of each setting moves at most where one of its trials is left out; levels of blocks stay as they most
    /// likely are.
    fn moves(
        &self,
        trials: &[WeightedTrial],
        places: &BTreeMap<usize, usize>,
        likely: Option<&SpreadFit>,
    ) -> Vec<(f64, f64)> {
        let mut of_setting: Vec<Vec<(f64, f64)>> = vec![Vec::new(); self.settings];
        for (trial, fit) in trials.iter().filter_map(|trial| Some((trial, likely?))) {
            let level = self.middle + fit.values[self.blocks[&trial.block]];
            of_setting[places[&trial.setting]].push((trial.value - level, trial.weight));
        }
        let of_values = |values: &Vec<(f64, f64)>| {
            if values.len() < 2 {
                return (OFF_ALONE, OFF_ALONE);
            }
            let sum: f64 = values.iter().map(|(value, weight)| value * weight).sum();
            let all: f64 = values.iter().map(|(_, weight)| weight).sum();
            let without = values.iter();
            let without = without.map(|(value, weight)| (sum - value * weight) / (all - weight));
            without.fold((0.0_f64, 0.0_f64), |(down, up), mean| {
                let by = mean - sum / all;
                (down.max(-by), up.max(by))
            })
        };
        of_setting.iter().map(of_values).collect()
    }

    /// How values vary together.
    fn covariances(&self, fit: &SpreadFit, deviation: f64) -> Vec<Vec<f64>> {
        let variance = deviation * deviation;
        let columns = (0..self.settings).map(|column| {
            let mut unit = vec![0.0; self.right.len()];
            unit[column] = 1.0;
            let mut column = fit.factor.solved(&unit);
            column.truncate(self.settings);
            column.iter_mut().for_each(|one| *one *= variance);
            column
        });
        columns.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::BlockTrial;
    use super::*;

    /// Six blocks of a setting against another that is the same, and further settings in the first ones.
    fn claims(others: &[(usize, &[f64])]) -> TrialClaims {
        let mut trials = Vec::new();
        let mut add = |block: usize, setting: usize, value: f64| {
            trials.push(BlockTrial {
                block,
                setting,
                value,
            });
        };
        for block in 0..6_usize {
            let noise = [0.001, -0.001, 0.002][block % 3];
            add(block, 0, noise);
            add(block, 9, -noise);
        }
        for (setting, values) in others {
            for (block, value) in values.iter().enumerate() {
                add(block, *setting, *value);
            }
        }
        TrialClaims::new(&BlockFit::from_trials(&trials, 0).unwrap())
    }

    fn is_clear(claims: &TrialClaims, setting: usize) -> bool {
        let change = claims.change(setting, 0, 0.01).unwrap();
        change.low > 0.0 || change.high < 0.0
    }

    #[test]
    fn a_setting_tried_once_is_never_clear_and_two_trials_that_agree_are() {
        let claims = claims(&[(1, &[-0.2]), (2, &[-0.2, -0.199]), (3, &[-0.2, 0.001])]);
        assert!(!is_clear(&claims, 1));
        assert!(is_clear(&claims, 2));
        assert!(
            !is_clear(&claims, 3),
            "one of the two was disturbed: which?"
        );
        let change = claims.change(2, 0, 0.05).unwrap();
        assert!(
            (change.middle - (-0.2_f64).exp_m1()).abs() < 0.01,
            "{change:?}"
        );
    }

    /// Seen: "-41 % to +74 %" of a setting that doubles the throughput: the setting before the study was drawn towards the others, and
    /// compared with late blocks through a chain of trials that differ by 19 % each.
    #[test]
    fn a_start_far_from_all_others_is_known_to_be() {
        let noise = [0.12, -0.2, 0.05, 0.21, -0.16, -0.04, 0.18, -0.12];
        let mut trials = Vec::new();
        for block in 0..12_usize {
            let start = usize::from(block < 3);
            let better = (block..block + 6).map(|setting| 1 + setting % 12);
            let settings = std::iter::repeat_n(0, 2 * start).chain(better);
            for (place, setting) in settings.enumerate() {
                let value = if setting == 0 { 0.0 } else { 0.7 };
                trials.push(BlockTrial {
                    block,
                    setting,
                    value: value + noise[(block * 3 + place) % noise.len()],
                });
            }
        }
        let claims = TrialClaims::new(&BlockFit::from_trials(&trials, 0).unwrap());
        for setting in 1..=12 {
            let change = claims.change(setting, 0, 0.05 / 24.0).unwrap();
            let middle = change.middle.ln_1p();
            assert!((0.5..0.9).contains(&middle), "{setting}: {change:?}");
            assert!(change.low > 0.0, "{setting}: {change:?}");
        }
    }

    #[test]
    fn what_is_clear_is_little_doubted() {
        let claims = claims(&[(1, &[-0.2, -0.2, -0.2]), (2, &[0.0, 0.001, -0.001])]);
        assert!(claims.doubt(1, 0).unwrap() < 1e-3);
        assert!(claims.doubt(2, 0).unwrap() > 0.2);
        assert_eq!(claims.doubt(7, 0), None);
    }
}
