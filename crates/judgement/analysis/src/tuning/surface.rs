//! What settings that are alike say of each other, where single trials say little.
//!
//! A Gaussian process over the levels of knobs (C. E. Rasmussen and C. K. I. Williams, 2006): main effects, and what knobs do together
//! as far as each does something alone. Blocks are steps of a random walk, so that a drifting machine is no effect of a setting. It is
//! for choosing: nothing is claimed by it, for what seems best has had luck in it.

mod estimate;
mod kernel;
mod returns;

use std::collections::BTreeMap;

pub use estimate::SettingEstimate;
use kernel::Kernel;
pub use kernel::KernelShape;

use super::linear::{Factor, dot};

/// Residuals beyond this many standard deviations weigh less.
const HUBER_DEVIATIONS: f64 = 2.0;
/// Rounds in which weights settle.
const WEIGHT_ROUNDS: usize = 2;
/// How much is not known of the level of all trials, of the logarithm.
const LEVEL_DEVIATION: f64 = 1.0;
/// Rounds in which the shape is looked for, one part after the other.
const SHAPE_ROUNDS: usize = 2;

/// A trial of a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceTrial {
    /// The level of each knob.
    pub setting: Vec<usize>,
    /// The block it was run in.
    pub block: usize,
    /// The logarithm of what was measured.
    pub value: f64,
}

/// A surface through trials.
#[derive(Debug, Clone)]
pub struct SurfaceFit {
    kernel: Kernel,
    trials: Vec<SurfaceTrial>,
    factor: Factor,
    /// What the covariances with the trials are multiplied with to tell a value.
    gains: Vec<f64>,
    middle: f64,
    /// The variance of one trial.
    noise: f64,
}

impl SurfaceFit {
    /// Through trials that deviate by so much, of knobs with so many levels, of a shape like that of `before`. `None` where they fit
    /// to nothing.
    #[must_use]
    pub fn new(
        levels: &[usize],
        trials: Vec<SurfaceTrial>,
        deviation: f64,
        before: Option<&KernelShape>,
    ) -> Option<Self> {
        let middle = trials.iter().map(|trial| trial.value).sum::<f64>() / trials.len() as f64;
        if !middle.is_finite() {
            return None;
        }
        let trials = in_order(trials);
        let off: Vec<f64> = trials.iter().map(|trial| trial.value - middle).collect();
        let weights = vec![1.0; trials.len()];
        let likely = |shape: &KernelShape| {
            let kernel = Kernel::new(levels, shape.clone());
            let factor = factored(&kernel, &trials, &weights, deviation)?;
            let half = factor.half_solved(&off);
            Some(shape.log_prior() - 0.5 * (factor.log_determinant() + dot(&half, &half)))
        };
        let shape = best_shape(levels.len(), before, likely)?;
        let kernel = Kernel::new(levels, shape);
        Self::weighted(kernel, trials, &off, middle, deviation)
    }

    /// Trials far from what the others say weigh less.
    fn weighted(
        kernel: Kernel,
        trials: Vec<SurfaceTrial>,
        off: &[f64],
        middle: f64,
        deviation: f64,
    ) -> Option<Self> {
        let noise = (deviation * kernel.shape().noise).powi(2);
        let mut weights = vec![1.0; trials.len()];
        let mut factor = factored(&kernel, &trials, &weights, deviation)?;
        let mut gains = factor.solved(off);
        for _ in 0..WEIGHT_ROUNDS {
            let rests = gains.iter().zip(&weights);
            weights = rests
                .map(|(gain, weight)| {
                    let rest = (gain * noise / weight).abs();
                    (HUBER_DEVIATIONS * noise.sqrt() / rest).min(1.0)
                })
                .collect();
            factor = factored(&kernel, &trials, &weights, deviation)?;
            gains = factor.solved(off);
        }
        Some(Self {
            kernel,
            trials,
            factor,
            gains,
            middle,
            noise,
        })
    }

    /// What is believed of these settings.
    #[must_use]
    pub fn belief(&self, settings: &[Vec<usize>]) -> SettingEstimate {
        let with_trials: Vec<Vec<f64>> = settings
            .iter()
            .map(|setting| {
                let trials = self.trials.iter();
                let each = trials.map(|trial| self.kernel.alike(setting, &trial.setting));
                each.map(|alike| alike + LEVEL_DEVIATION.powi(2)).collect()
            })
            .collect();
        let halves: Vec<Vec<f64>> = with_trials
            .iter()
            .map(|with| self.factor.half_solved(with))
            .collect();
        let means = with_trials
            .iter()
            .map(|with| self.middle + dot(with, &self.gains));
        let means = means.collect();
        let mut covariances = vec![vec![0.0; settings.len()]; settings.len()];
        for a in 0..settings.len() {
            for b in 0..=a {
                let prior = self.kernel.alike(&settings[a], &settings[b]);
                let known = dot(&halves[a], &halves[b]);
                covariances[a][b] = prior + LEVEL_DEVIATION.powi(2) - known;
                covariances[b][a] = covariances[a][b];
            }
        }
        SettingEstimate::new(means, covariances, self.noise)
    }

    /// What it is like: the next one, with some trials more, is looked for from here.
    #[must_use]
    pub const fn shape(&self) -> &KernelShape {
        self.kernel.shape()
    }
}

/// Blocks numbered from 0, in the order in which they were run.
fn in_order(mut trials: Vec<SurfaceTrial>) -> Vec<SurfaceTrial> {
    let mut blocks: BTreeMap<usize, usize> = BTreeMap::new();
    blocks.extend(trials.iter().map(|trial| (trial.block, 0)));
    for (place, number) in blocks.values_mut().enumerate() {
        *number = place;
    }
    for trial in &mut trials {
        trial.block = blocks[&trial.block];
    }
    trials
}

fn factored(
    kernel: &Kernel,
    trials: &[SurfaceTrial],
    weights: &[f64],
    deviation: f64,
) -> Option<Factor> {
    let shape = kernel.shape();
    let noise = (deviation * shape.noise).powi(2);
    let step = (deviation * shape.steps).powi(2);
    let rows = trials.iter().enumerate().map(|(at, trial)| {
        let before = &trials[..=at];
        let mut row: Vec<f64> = before
            .iter()
            .map(|other| {
                kernel.alike(&trial.setting, &other.setting)
                    + LEVEL_DEVIATION.powi(2)
                    + step * trial.block.min(other.block) as f64
            })
            .collect();
        row[at] += noise / weights[at];
        row
    });
    Factor::new(rows.collect())
}

/// The most likely shape, found one part after the other.
fn best_shape(
    knobs: usize,
    before: Option<&KernelShape>,
    likely: impl Fn(&KernelShape) -> Option<f64>,
) -> Option<KernelShape> {
    let mut best = before.cloned().unwrap_or_else(|| KernelShape::new(knobs));
    let mut most = likely(&best)?;
    let rounds = if before.is_some() { 1 } else { SHAPE_ROUNDS };
    for _ in 0..rounds {
        let before = most;
        for part in 0..KernelShape::parts(knobs) {
            for shape in best.others(part) {
                if let Some(log) = likely(&shape).filter(|log| *log > most) {
                    (best, most) = (shape, log);
                }
            }
        }
        if most <= before {
            break;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use loadline_units::random::Random;

    use super::*;

    const LEVELS: [usize; 2] = [6, 5];

    /// Best at 4 of the first knob, by 10 % and more; the second one does nothing.
    fn value(setting: &[usize]) -> f64 {
        -0.1 * (setting[0] as f64 - 4.0).abs()
    }

    fn settings() -> Vec<Vec<usize>> {
        let first = 0..LEVELS[0];
        first
            .flat_map(|a| (0..LEVELS[1]).map(move |b| vec![a, b]))
            .collect()
    }

    /// Two trials of each setting, in blocks of six, on a machine that moves by `drift` from block to block.
    fn trials(deviation: f64, drift: f64, random: &Random) -> Vec<SurfaceTrial> {
        let all = settings().into_iter().cycle().take(60);
        let mut trials: Vec<SurfaceTrial> = all
            .map(|setting| {
                let value = value(&setting) + deviation * 3.4 * (random.unit() - 0.5);
                SurfaceTrial {
                    setting,
                    block: 0,
                    value,
                }
            })
            .collect();
        for last in (1..trials.len()).rev() {
            trials.swap(last, random.below(last + 1));
        }
        for (place, trial) in trials.iter_mut().enumerate() {
            trial.block = place / 6;
            trial.value += drift * trial.block as f64;
        }
        trials
    }

    fn best(trials: Vec<SurfaceTrial>, deviation: f64) -> Vec<usize> {
        let surface = SurfaceFit::new(&LEVELS, trials, deviation, None).unwrap();
        let belief = surface.belief(&settings());
        let means = belief.means();
        let best = (0..means.len()).max_by(|a, b| means[*a].total_cmp(&means[*b]));
        settings()[best.unwrap()].clone()
    }

    /// Of single settings two trials that differ by 20 % say nothing of 10 %.
    #[test]
    fn settings_that_are_alike_tell_of_each_other_whatever_the_machine_does() {
        for seed in 0..10 {
            let random = Random::new(seed);
            let found = best(trials(0.2, 0.05, &random), 0.2);
            assert!((3..=5).contains(&found[0]), "{seed}: {found:?}");
        }
    }

    /// Seen: a surface that might have any bends took noise for some.
    #[test]
    fn a_best_place_between_the_ends_is_found_beside_noise_as_large_as_what_knobs_do() {
        let of = |setting: &[usize]| {
            let off = [setting[0] as f64 - 3.3, setting[1] as f64 - 1.4];
            -0.03 * off[0].powi(2) - 0.05 * off[1].powi(2)
        };
        let short = (0..40).map(|seed| {
            let mut trials = trials(0.2, 0.0, &Random::new(seed));
            for trial in &mut trials {
                trial.value += of(&trial.setting) - value(&trial.setting);
            }
            of(&[3, 1]) - of(&best(trials, 0.2))
        });
        let mean = short.sum::<f64>() / 40.0;
        assert!(mean < 0.02, "{mean}");
    }

    #[test]
    fn one_disturbed_trial_does_not_decide() {
        let mut trials = trials(0.05, 0.0, &Random::new(1));
        let disturbed = trials.iter_mut().find(|trial| trial.setting == [0, 0]);
        disturbed.unwrap().value += 0.7;
        assert_eq!(best(trials, 0.05)[0], 4);
    }

    #[test]
    fn what_is_near_the_best_is_known_better_with_less_noise() {
        let random = Random::new(7);
        let near = |deviation: f64| {
            let surface =
                SurfaceFit::new(&LEVELS, trials(deviation, 0.0, &random), deviation, None).unwrap();
            let chances = surface.belief(&settings()).near_best(0.05, &random);
            chances.into_iter().fold(0.0, f64::max)
        };
        let (little, much) = (near(0.01), near(0.3));
        assert!(little > 0.95 && much < 0.9, "{little} {much}");
    }

    /// Beside noise of 20 % more of either knob helps up to a point: the chosen setting falls short by less than by the surface alone.
    #[test]
    fn settings_are_chosen_better_where_returns_diminish() {
        let of = |setting: &[usize]| {
            let missing = (3.0 - setting[0] as f64).max(0.0);
            let off = (setting[1] as f64 - 1.6).abs();
            -0.06 * missing.powi(2) - 0.05 * off.powf(1.5)
        };
        let best = (settings().iter().map(|setting| of(setting))).fold(f64::MIN, f64::max);
        let short = |choose: &dyn Fn(&SettingEstimate, &Random) -> Vec<f64>| {
            let each = (0..40).map(|seed| {
                let random = Random::new(seed);
                let mut trials = trials(0.2, 0.0, &random);
                for trial in &mut trials {
                    trial.value += of(&trial.setting) - value(&trial.setting);
                }
                let surface = SurfaceFit::new(&LEVELS, trials, 0.2, None).unwrap();
                let near = choose(&surface.belief(&settings()), &random);
                let at = (0..near.len()).max_by(|a, b| near[*a].total_cmp(&near[*b]));
                best - of(&settings()[at.unwrap()])
            });
            each.sum::<f64>() / 40.0
        };
        let alone = short(&|belief, random| belief.near_best(0.03, random));
        let by_returns = short(&|belief, random| {
            belief.near_best_by_returns(&settings(), &[0, 1], 0.03, random)
        });
        assert!(by_returns < 0.8 * alone, "{by_returns} {alone}");
    }

    /// A knob whose ends are better than what lies between.
    #[test]
    fn a_knob_that_is_seen_to_do_otherwise_is_not_held_to_diminishing_returns() {
        let random = Random::new(3);
        let mut trials = trials(0.02, 0.0, &random);
        for trial in &mut trials {
            let end = trial.setting[0] == 0 || trial.setting[0] == 5;
            trial.value += if end { 0.5 } else { 0.0 } - value(&trial.setting);
        }
        let surface = SurfaceFit::new(&LEVELS, trials, 0.02, None).unwrap();
        let near =
            (surface.belief(&settings())).near_best_by_returns(&settings(), &[0, 1], 0.03, &random);
        for (setting, near) in settings().iter().zip(near) {
            let is_end = setting[0] == 0 || setting[0] == 5;
            assert!(is_end || near < 0.01, "{setting:?}: {near}");
        }
    }

    #[test]
    fn values_that_are_no_numbers_fit_to_nothing() {
        let mut trials = trials(0.02, 0.0, &Random::new(1));
        trials[3].value = f64::NEG_INFINITY;
        assert!(SurfaceFit::new(&LEVELS, trials, 0.02, None).is_none());
        assert!(SurfaceFit::new(&LEVELS, Vec::new(), 0.02, None).is_none());
    }
}
