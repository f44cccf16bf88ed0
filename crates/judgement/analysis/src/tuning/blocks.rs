//! Effects of settings from trials in blocks, by weighted least squares.
//!
//! The model is `value = setting + block + noise`. It is the intra-block analysis of
//! incomplete block designs (R. C. Bose, 1939): with complete blocks it is the mean of paired
//! differences. Trials far from what the others say weigh less (P. J. Huber, 1964), so that one
//! disturbed trial does not decide.

mod between;

use std::collections::BTreeMap;

pub use between::BlockSpread;

/// Iterations of the weights; they settle after a few.
const WEIGHT_ROUNDS: usize = 4;
/// Residuals beyond this many standard deviations weigh less.
const HUBER_DEVIATIONS: f64 = 1.8;
/// The residual degrees of freedom from which on outliers can be recognised.
const FREEDOM_MIN: f64 = 4.0;
/// A pivot below this is zero.
const PIVOT_MIN: f64 = 1e-9;
/// Standard deviations per median of absolute residuals of a normal distribution.
const PER_MEDIAN: f64 = 1.482_6;

/// A measured trial of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockTrial {
    /// The block it was run in.
    pub block: usize,
    /// The setting that was tried.
    pub setting: usize,
    /// The logarithm of what was measured.
    pub value: f64,
}

/// The difference between two settings, as a logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// The estimate: above zero if the first is higher.
    pub middle: f64,
    /// Its standard error.
    pub error: f64,
    /// Degrees of freedom of the standard error.
    pub freedom: f64,
}

/// What trials say of their settings.
#[derive(Debug, Clone)]
pub struct BlockFit {
    /// The place of each setting in `effects`.
    places: BTreeMap<usize, usize>,
    /// Effects against the reference, which stands first.
    effects: Vec<f64>,
    /// The inverse of the information matrix, without the reference.
    inverse: Vec<Vec<f64>>,
    /// The variance of one trial.
    variance: f64,
    freedom: f64,
    /// Of each block, its level and the weight of its trials.
    levels: Vec<(f64, f64)>,
    weighted: Vec<WeightedTrial>,
}

/// A trial with the weight that it has in a fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeightedTrial {
    pub(super) setting: usize,
    pub(super) block: usize,
    pub(super) value: f64,
    pub(super) weight: f64,
}

impl BlockFit {
    /// Fits the trials. Settings that no chain of blocks connects with `reference` cannot be
    /// compared with it and are left out. `None` when nothing repeats, so that the noise is
    /// not known.
    #[must_use]
    pub fn from_trials(trials: &[BlockTrial], reference: usize) -> Option<Self> {
        let trials = connected(trials, reference);
        let places = numbered(trials.iter().map(|trial| trial.setting), reference);
        let blocks = numbered(trials.iter().map(|trial| trial.block), usize::MAX);
        let freedom = trials.len() as f64 - places.len() as f64 - blocks.len() as f64 + 1.0;
        if trials.is_empty() || freedom < 1.0 {
            return None;
        }
        let mut weights = vec![1.0; trials.len()];
        let mut fit = solve(&trials, &weights, &places, &blocks)?;
        for _ in 0..WEIGHT_ROUNDS {
            if freedom < FREEDOM_MIN {
                break;
            }
            let residuals = fit.residuals(&trials, &weights, &blocks);
            let scale = robust_scale(&residuals, freedom);
            if scale <= 0.0 {
                break;
            }
            weights = residuals
                .iter()
                .map(|residual| (HUBER_DEVIATIONS * scale / residual.abs()).min(1.0))
                .collect();
            fit = solve(&trials, &weights, &places, &blocks)?;
        }
        let residuals = fit.residuals(&trials, &weights, &blocks);
        let squares = residuals.iter().zip(&weights);
        let squares: f64 = squares.map(|(rest, weight)| weight * rest * rest).sum();
        fit.variance = squares / freedom;
        fit.freedom = freedom;
        fit.levels = fit.levels(&trials, &weights, &blocks);
        let weighted = trials
            .iter()
            .zip(&weights)
            .map(|(trial, weight)| WeightedTrial {
                setting: trial.setting,
                block: trial.block,
                value: trial.value,
                weight: *weight,
            });
        fit.weighted = weighted.collect();
        fit.inverse = inverse(&Equations::new(&trials, &weights, &places, &blocks).matrix)?;
        Some(fit)
    }

    /// How much higher `a` is than `b`; `None` for a setting that is not comparable.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Contrast> {
        let (a, b) = (*self.places.get(&a)?, *self.places.get(&b)?);
        Some(self.combined(&[(a, 1.0), (b, -1.0)]))
    }

    /// The standard deviation of one trial.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// Degrees of freedom of the noise.
    #[must_use]
    pub const fn freedom(&self) -> f64 {
        self.freedom
    }

    /// The setting that others are compared with.
    pub(super) fn reference(&self) -> Option<usize> {
        let mut places = self.places.iter();
        places.find_map(|(setting, place)| (*place == 0).then_some(*setting))
    }

    pub(super) fn weighted_trials(&self) -> &[WeightedTrial] {
        &self.weighted
    }

    fn combined(&self, parts: &[(usize, f64)]) -> Contrast {
        let middle = parts.iter().map(|(at, by)| by * self.effects[*at]).sum();
        let mut variance = 0.0;
        for (a, by_a) in parts {
            for (b, by_b) in parts {
                if *a > 0 && *b > 0 {
                    variance += by_a * by_b * self.inverse[a - 1][b - 1];
                }
            }
        }
        Contrast {
            middle,
            error: (self.variance * variance.max(0.0)).sqrt(),
            freedom: self.freedom,
        }
    }

    /// What each trial is off its fit.
    fn residuals(
        &self,
        trials: &[BlockTrial],
        weights: &[f64],
        blocks: &BTreeMap<usize, usize>,
    ) -> Vec<f64> {
        let levels = self.levels(trials, weights, blocks);
        let rest = |trial: &BlockTrial| {
            let (level, _) = levels[blocks[&trial.block]];
            trial.value - self.effects[self.places[&trial.setting]] - level
        };
        trials.iter().map(rest).collect()
    }

    /// Of each block, what its trials are beyond their settings, and their weight.
    fn levels(
        &self,
        trials: &[BlockTrial],
        weights: &[f64],
        blocks: &BTreeMap<usize, usize>,
    ) -> Vec<(f64, f64)> {
        let mut sums = vec![(0.0, 0.0); blocks.len()];
        for (trial, weight) in trials.iter().zip(weights) {
            let (sum, all) = &mut sums[blocks[&trial.block]];
            *sum += weight * (trial.value - self.effects[self.places[&trial.setting]]);
            *all += weight;
        }
        sums.into_iter()
            .map(|(sum, all)| (sum / all, all))
            .collect()
    }
}

/// The trials of blocks that are connected with the reference.
fn connected(trials: &[BlockTrial], reference: usize) -> Vec<BlockTrial> {
    let mut settings = std::collections::BTreeSet::from([reference]);
    let mut blocks = std::collections::BTreeSet::new();
    loop {
        let before = (settings.len(), blocks.len());
        for trial in trials {
            if settings.contains(&trial.setting) {
                blocks.insert(trial.block);
            }
            if blocks.contains(&trial.block) {
                settings.insert(trial.setting);
            }
        }
        if before == (settings.len(), blocks.len()) {
            break;
        }
    }
    let is_in = |trial: &&BlockTrial| blocks.contains(&trial.block);
    trials.iter().filter(is_in).copied().collect()
}

/// Numbers from 0 in order, the first one for `first` if it is there.
fn numbered(ids: impl Iterator<Item = usize>, first: usize) -> BTreeMap<usize, usize> {
    let ids: std::collections::BTreeSet<usize> = ids.collect();
    let order = ids.contains(&first).then_some(first).into_iter();
    let order = order.chain(ids.iter().copied().filter(|id| *id != first));
    order.zip(0..).collect()
}

/// A standard deviation that outliers hardly move. As many residuals are zero as there are
/// parameters, about; they say nothing.
fn robust_scale(residuals: &[f64], freedom: f64) -> f64 {
    let mut sizes: Vec<f64> = residuals.iter().map(|rest| rest.abs()).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes.retain(|size| *size > PIVOT_MIN);
    if sizes.is_empty() {
        return 0.0;
    }
    let widened = (residuals.len() as f64 / freedom).sqrt().min(2.0);
    sizes[sizes.len() / 2] * PER_MEDIAN * widened
}

/// The effects for given weights; how sure they are is not worked out.
fn solve(
    trials: &[BlockTrial],
    weights: &[f64],
    places: &BTreeMap<usize, usize>,
    blocks: &BTreeMap<usize, usize>,
) -> Option<BlockFit> {
    let equations = Equations::new(trials, weights, places, blocks);
    let mut rows = equations.matrix;
    for (row, right) in rows.iter_mut().zip(&equations.right) {
        row.push(*right);
    }
    let effects = eliminated(rows)?.into_iter().map(|row| row[0]);
    Some(BlockFit {
        places: places.clone(),
        effects: std::iter::once(0.0).chain(effects).collect(),
        inverse: Vec::new(),
        variance: 0.0,
        freedom: 0.0,
        levels: Vec::new(),
        weighted: Vec::new(),
    })
}

/// The normal equations with the blocks eliminated, without the reference, which is zero.
struct Equations {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
}

impl Equations {
    fn new(
        trials: &[BlockTrial],
        weights: &[f64],
        places: &BTreeMap<usize, usize>,
        blocks: &BTreeMap<usize, usize>,
    ) -> Self {
        let count = places.len() - 1;
        let mut matrix = vec![vec![0.0; count]; count];
        let mut right = vec![0.0; count];
        // Of each block, the settings in it with their weights.
        let mut met: Vec<Vec<(usize, f64)>> = vec![Vec::new(); blocks.len()];
        let mut sums = vec![(0.0, 0.0); blocks.len()];
        for (trial, weight) in trials.iter().zip(weights) {
            let block = blocks[&trial.block];
            sums[block].0 += weight * trial.value;
            sums[block].1 += weight;
            if let Some(at) = places[&trial.setting].checked_sub(1) {
                matrix[at][at] += weight;
                right[at] += weight * trial.value;
                met[block].push((at, *weight));
            }
        }
        for (members, (sum, all)) in met.iter().zip(sums) {
            for (a, weight) in members {
                right[*a] -= weight * sum / all;
                for (b, other) in members {
                    matrix[*a][*b] -= weight * other / all;
                }
            }
        }
        Self { matrix, right }
    }
}

/// The inverse of a symmetric positive matrix.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let unit = |at: usize| (0..count).map(move |column| if column == at { 1.0 } else { 0.0 });
    let rows = matrix.iter().enumerate();
    let rows = rows.map(|(at, row)| row.iter().copied().chain(unit(at)).collect());
    eliminated(rows.collect())
}

/// What stands right of a square matrix after it was made the unit matrix (Gauss and Jordan).
fn eliminated(mut rows: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = rows.len();
    for at in 0..count {
        let pivot = (at..count).max_by(|a, b| {
            let size = |row: usize| rows[row][at].abs();
            size(*a).total_cmp(&size(*b))
        })?;
        if rows[pivot][at].abs() < PIVOT_MIN {
            return None;
        }
        rows.swap(at, pivot);
        let by = rows[at][at];
        rows[at][at..].iter_mut().for_each(|cell| *cell /= by);
        let pivot = rows[at].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            let by = row[at];
            if other != at && by != 0.0 {
                for (cell, from) in row[at..].iter_mut().zip(&pivot[at..]) {
                    *cell -= by * from;
                }
            }
        }
    }
    Some(rows.into_iter().map(|row| row[count..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn trial(block: usize, setting: usize, value: f64) -> BlockTrial {
        BlockTrial {
            block,
            setting,
            value,
        }
    }

    /// With two settings in complete blocks it is the paired t test of every textbook.
    #[test]
    fn two_settings_in_whole_blocks_are_paired_differences() {
        let pairs = [(1.0, 1.4), (2.0, 2.1), (5.0, 5.2), (3.0, 3.5)];
        let trials: Vec<BlockTrial> = (0..)
            .zip(pairs)
            .flat_map(|(block, (a, b))| [trial(block, 0, a), trial(block, 1, b)])
            .collect();
        let fit = solve(
            &trials,
            &[1.0; 8],
            &numbered([0, 1].into_iter(), 0),
            &numbered(0..4, 0),
        );
        assert!((fit.unwrap().effects[1] - 0.3).abs() < 1e-12);
        let difference = BlockFit::from_trials(&trials, 0)
            .unwrap()
            .difference(1, 0)
            .unwrap();
        // Standard deviation of the differences 0.4 0.1 0.2 0.5 is 0.1826; over 2 is 0.0913.
        assert!((difference.error - 0.0913).abs() < 0.001, "{difference:?}");
        assert!((difference.freedom - 3.0).abs() < 1e-12);
    }

    /// A machine that gets slower from block to block moves no difference.
    #[test]
    fn what_differs_from_block_to_block_cancels_out() {
        let mut trials = Vec::new();
        for block in 0..5_usize {
            let drift = block as f64 * 10.0;
            for setting in 0..3_usize {
                let wobble = ((block * 3 + setting) % 2) as f64 * 0.01;
                trials.push(trial(block, setting, drift + setting as f64 + wobble));
            }
        }
        let fit = BlockFit::from_trials(&trials, 0).unwrap();
        let difference = fit.difference(2, 0).unwrap();
        assert!((difference.middle - 2.0).abs() < 0.02, "{difference:?}");
        assert!(fit.deviation() < 0.02);
    }

    #[test]
    fn settings_of_different_blocks_are_compared_through_the_one_they_share() {
        let mut trials = Vec::new();
        for (block, other) in [(0, 1), (1, 2), (2, 1), (3, 2)] {
            let noise = if block < 2 { 0.001 } else { -0.001 };
            trials.push(trial(block, 0, block as f64));
            trials.push(trial(block, other, block as f64 + other as f64 + noise));
        }
        let fit = BlockFit::from_trials(&trials, 0).unwrap();
        let difference = fit.difference(2, 1).unwrap();
        assert!((difference.middle - 1.0).abs() < 1e-9);
        let direct = fit.difference(2, 0).unwrap();
        assert!(direct.error < difference.error);
    }

    #[test]
    fn one_disturbed_trial_does_not_decide() {
        let mut trials = Vec::new();
        for block in 0..6_usize {
            for setting in 0..3_usize {
                let noise = ((block * 7 + setting * 5) % 4) as f64 * 0.01 - 0.015;
                trials.push(trial(block, setting, noise));
            }
        }
        trials[7].value -= 1.0;
        let fit = BlockFit::from_trials(&trials, 0).unwrap();
        let moved = fit.difference(trials[7].setting, 0).unwrap();
        assert!(moved.middle.abs() < 0.03, "{moved:?}");
    }

    #[test]
    fn without_repetition_there_is_nothing_to_tell_noise_from() {
        let trials = [trial(0, 0, 1.0), trial(0, 1, 2.0)];
        assert!(BlockFit::from_trials(&trials, 0).is_none());
        assert!(BlockFit::from_trials(&[], 0).is_none());
    }

    #[test]
    fn settings_that_never_met_the_reference_are_left_out() {
        let trials = [
            trial(0, 0, 1.0),
            trial(0, 0, 1.1),
            trial(1, 5, 9.0),
            trial(1, 6, 9.5),
        ];
        let fit = BlockFit::from_trials(&trials, 0).unwrap();
        assert!(fit.difference(5, 0).is_none());
    }
}
