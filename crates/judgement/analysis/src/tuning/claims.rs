//! What may be claimed of settings, by the trials that also chose them.
//!
//! Two things make least squares claim what is not so. Later settings are compared with the best one so far, which was chosen
//! because it looked good: its luck is then everybody's, race after race. And of a setting that was tried once nobody can tell whether
//! that trial was disturbed. So settings are taken to differ by as much as all of them together show (a mixed model, C. R. Henderson,
//! 1975; a random effect is immune to having been chosen): where nothing differs, nothing is claimed. And a claim must
//! hold whichever single trial of a setting is left out.

use std::collections::BTreeMap;

use super::blocks::{BlockFit, WeightedTrial};
use crate::compare::Change;
use crate::student::{self, normal_beyond};

/// How far settings may differ, as a share of what trials of one differ by.
const SPREADS: [f64; 14] = [
    0.02, 0.06, 0.12, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0, 25.0, 60.0, 150.0,
];
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
    fits: Vec<SpreadFit>,
    freedom: f64,
    /// Of each setting, how far its value moves down and up at most without one of its trials.
    moves: Vec<(f64, f64)>,
}

/// The settings' values if they differ by so much.
#[derive(Debug, Clone)]
struct SpreadFit {
    weight: f64,
    values: Vec<f64>,
    /// Their covariances.
    covariances: Vec<Vec<f64>>,
}

/// The normal equations of settings with the blocks eliminated.
struct Equations {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
    /// What is left without any settings.
    squares: f64,
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
        for trial in trials {
            let next = places.len();
            places.entry(trial.setting).or_insert(next);
        }
        let deviation = fit.deviation().max(DEVIATION_MIN);
        let equations = Equations::new(trials, &places);
        let spreads = SPREADS.iter();
        let mut found: Vec<(f64, SpreadFit)> = spreads
            .filter_map(|spread| equations.solved(*spread, deviation))
            .collect();
        let most = found
            .iter()
            .map(|(log, _)| *log)
            .fold(f64::NEG_INFINITY, f64::max);
        for (log, fit) in &mut found {
            fit.weight = (*log - most).exp();
        }
        let mut fits: Vec<SpreadFit> = found.into_iter().map(|(_, fit)| fit).collect();
        fits.retain(|fit| fit.weight > 1e-6);
        let sum: f64 = fits.iter().map(|fit| fit.weight).sum();
        fits.iter_mut().for_each(|fit| fit.weight /= sum);
        let moves = moves(trials, &places, &fits);
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
        let normal = |fit: &SpreadFit| {
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

/// How far the value of each setting moves at most where one of its trials is left out.
fn moves(
    trials: &[WeightedTrial],
    places: &BTreeMap<usize, usize>,
    fits: &[SpreadFit],
) -> Vec<(f64, f64)> {
    // Levels of blocks as the settings' most likely values leave them.
    let Some(best) = fits.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)) else {
        return vec![(OFF_ALONE, OFF_ALONE); places.len()];
    };
    let mut levels: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for trial in trials {
        let (sum, all) = levels.entry(trial.block).or_default();
        *sum += trial.weight * (trial.value - best.values[places[&trial.setting]]);
        *all += trial.weight;
    }
    let mut of_setting: Vec<Vec<(f64, f64)>> = vec![Vec::new(); places.len()];
    for trial in trials {
        let (sum, all) = levels[&trial.block];
        of_setting[places[&trial.setting]].push((trial.value - sum / all, trial.weight));
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

impl Equations {
    fn new(trials: &[WeightedTrial], places: &BTreeMap<usize, usize>) -> Self {
        let count = places.len();
        let mut matrix = vec![vec![0.0; count]; count];
        let mut right = vec![0.0; count];
        let mut squares = 0.0;
        let mut blocks: BTreeMap<usize, Vec<&WeightedTrial>> = BTreeMap::new();
        for trial in trials {
            blocks.entry(trial.block).or_default().push(trial);
        }
        for members in blocks.values() {
            let all: f64 = members.iter().map(|trial| trial.weight).sum();
            let sum: f64 = members.iter().map(|trial| trial.weight * trial.value).sum();
            let level = sum / all;
            for trial in members {
                let at = places[&trial.setting];
                let off = trial.value - level;
                matrix[at][at] += trial.weight;
                right[at] += trial.weight * off;
                squares += trial.weight * off * off;
                for other in members {
                    matrix[at][places[&other.setting]] -= trial.weight * other.weight / all;
                }
            }
        }
        Self {
            matrix,
            right,
            squares,
        }
    }

    /// The values of settings that differ by `spread` deviations, and the logarithm of how likely that is.
    fn solved(&self, spread: f64, deviation: f64) -> Option<(f64, SpreadFit)> {
        let count = self.right.len();
        let ridge = spread.powi(-2);
        let mut matrix = self.matrix.clone();
        for (at, row) in matrix.iter_mut().enumerate() {
            row[at] += ridge;
        }
        let factor = factored(matrix)?;
        let log_determinant: f64 = (0..count).map(|at| 2.0 * factor[at][at].ln()).sum();
        let values = solved(&factor, &self.right);
        let explained: f64 = values.iter().zip(&self.right).map(|(a, b)| a * b).sum();
        let variance = deviation * deviation;
        let rest = (self.squares - explained).max(0.0) / variance;
        let log = -0.5 * (log_determinant - count as f64 * ridge.ln() + rest);
        let unit = |column: usize| {
            let column = (0..count).map(move |at| if at == column { 1.0 } else { 0.0 });
            column.collect::<Vec<f64>>()
        };
        let columns = (0..count).map(|column| solved(&factor, &unit(column)));
        let covariances = columns.map(|column| column.iter().map(|one| one * variance).collect());
        Some((
            log,
            SpreadFit {
                weight: 0.0,
                values,
                covariances: covariances.collect(),
            },
        ))
    }
}

/// The lower triangle whose square is a symmetric positive matrix (A.-L. Cholesky).
fn factored(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    for at in 0..count {
        for before in 0..=at {
            let part: f64 = (0..before).map(|k| matrix[at][k] * matrix[before][k]).sum();
            let rest = matrix[at][before] - part;
            matrix[at][before] = if at == before {
                (rest > 0.0).then(|| rest.sqrt())?
            } else {
                rest / matrix[before][before]
            };
        }
    }
    Some(matrix)
}

/// What a factored matrix makes of the values.
fn solved(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let count = right.len();
    let mut values = right.to_vec();
    for at in 0..count {
        let part: f64 = (0..at).map(|k| factor[at][k] * values[k]).sum();
        values[at] = (values[at] - part) / factor[at][at];
    }
    for at in (0..count).rev() {
        let part: f64 = (at + 1..count).map(|k| factor[k][at] * values[k]).sum();
        values[at] = (values[at] - part) / factor[at][at];
    }
    values
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

    #[test]
    fn what_is_clear_is_little_doubted() {
        let claims = claims(&[(1, &[-0.2, -0.2, -0.2]), (2, &[0.0, 0.001, -0.001])]);
        assert!(claims.doubt(1, 0).unwrap() < 1e-3);
        assert!(claims.doubt(2, 0).unwrap() > 0.2);
        assert_eq!(claims.doubt(7, 0), None);
    }
}
