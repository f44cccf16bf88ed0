//! What 120 trials can do at most: near-best shares of choosers that know more than a study does.
//!
//! The first knows the family that targets are drawn from and the distribution of the noise: it weighs 3,000 targets, among them
//! the one that is measured, by how likely they make what was seen (Thompson's sampling of the next trial). The second knows only
//! that neighbours are alike: a Gaussian process of main effects, pairs and all knobs together, with the noise as it is.

use loadline_experiment::tuning::{PlannedTrial, TrialPurpose, TrialResult};
use loadline_units::random::Random;

use super::target::{KNOB_LEVELS, Machine, Recorded, Truth};
use super::{FIRST_SEED, SHORTFALL_MAX};

/// Trials of each study.
const TRIALS_PER_STUDY: usize = 120;
/// Targets that are weighed.
const TARGETS_WEIGHED: usize = 3000;
/// Studies of each row.
const STUDIES_PER_ROW: u64 = 500;
/// How wide a recorded value counts, as a share of their standard deviation.
const BANDWIDTH_SHARE: f64 = 0.3;
/// Trials that are disturbed, and by how much at most: as the machine has them.
const DISTURBED: (f64, f64) = (0.04, 0.35);
const DISTURBED_STEPS: usize = 8;
/// Standard deviations of main effects, pairs and the rest of the Gaussian process, and the range of likeness in shares of a knob.
const MAIN_EFFECT_DEVIATION: f64 = 0.25;
const PAIR_EFFECT_DEVIATION: f64 = 0.08;
const REST_DEVIATION: f64 = 0.03;
const RANGE_SHARE: f64 = 0.4;

fn settings() -> Vec<Vec<usize>> {
    let [heap, threads, pool] = KNOB_LEVELS;
    let mut all = Vec::new();
    for a in 0..heap {
        for b in 0..threads {
            all.extend((0..pool).map(|c| vec![a, b, c]));
        }
    }
    all
}

/// Scores of all settings; those that let the target die are known.
fn values(truth: &Truth, settings: &[Vec<usize>]) -> Vec<f64> {
    let value = |setting: &Vec<usize>| truth.value(setting).unwrap_or(f64::NEG_INFINITY);
    settings.iter().map(value).collect()
}

fn measure(machine: &mut Machine, truth: &Truth, setting: &[usize]) -> Option<f64> {
    let trial = PlannedTrial {
        number: 1,
        setting: setting.to_vec(),
        block: 0,
        purpose: TrialPurpose::Race,
    };
    match machine.run(truth, &trial) {
        TrialResult::Measured { score, .. } => Some(score),
        _ => None,
    }
}

fn deviation(noise: Recorded) -> f64 {
    let values = noise.values();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / values.len() as f64).sqrt()
}

/// The density of noise, tabulated.
struct Density {
    logs: Vec<f64>,
}

impl Density {
    const LOG_STEP: f64 = 0.004;
    const LOG_REACH: f64 = 2.0;
    const STEPS_COUNT: usize = 1000;

    fn new(noise: Recorded) -> Self {
        let width = BANDWIDTH_SHARE * deviation(noise);
        let bell = |x: f64| (-0.5 * (x / width).powi(2)).exp() / width;
        let at = |x: f64| {
            let each = noise.values().iter().map(|value| {
                let steps = (0..DISTURBED_STEPS).map(|step| {
                    let by = DISTURBED.1 * (step as f64 + 0.5) / DISTURBED_STEPS as f64;
                    bell(x - value + by)
                });
                let disturbed = steps.sum::<f64>() / DISTURBED_STEPS as f64;
                (1.0 - DISTURBED.0) * bell(x - value) + DISTURBED.0 * disturbed
            });
            (each.sum::<f64>() + 1e-9).ln()
        };
        let logs = (0..Self::STEPS_COUNT).map(|n| at(n as f64 * Self::LOG_STEP - Self::LOG_REACH));
        Self {
            logs: logs.collect(),
        }
    }

    fn log(&self, x: f64) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in the table; the cast saturates"
        )]
        let place = ((x + Self::LOG_REACH) / Self::LOG_STEP).max(0.0) as usize;
        self.logs[place.min(self.logs.len() - 1)]
    }
}

fn best_of(values: &[f64]) -> usize {
    let all = values.iter().enumerate();
    all.max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(at, _)| at)
}

/// The setting that a chooser takes that weighs targets of the family.
fn of_family(
    targets: &mut [Vec<f64>],
    density: &Density,
    mut measured: impl FnMut(usize) -> Option<f64>,
    random: &Random,
) -> usize {
    let mut logs = vec![0.0; targets.len()];
    let weights = |logs: &[f64]| {
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logs.iter()
            .map(|log| (log - most).exp())
            .collect::<Vec<f64>>()
    };
    for _ in 0..TRIALS_PER_STUDY {
        let weighed = weights(&logs);
        let mut left = random.unit() * weighed.iter().sum::<f64>();
        let drawn = weighed.iter().position(|weight| {
            left -= weight;
            left <= 0.0
        });
        let setting = best_of(&targets[drawn.unwrap_or(0)]);
        let Some(score) = measured(setting) else {
            continue;
        };
        for (log, target) in logs.iter_mut().zip(targets.iter()) {
            *log += density.log(score - target[setting]);
        }
    }
    let weighed = weights(&logs);
    // How likely each setting is near the best.
    let mut near = vec![0.0; targets[0].len()];
    for (target, weight) in targets.iter().zip(weighed) {
        let best = target.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (near, value) in near.iter_mut().zip(target) {
            if best - value <= -(1.0 - SHORTFALL_MAX).ln() {
                *near += weight;
            }
        }
    }
    best_of(&near)
}

/// The setting that a chooser takes that knows neighbours to be alike.
fn of_process(
    settings: &[Vec<usize>],
    noise: f64,
    mut measured: impl FnMut(usize) -> Option<f64>,
    random: &Random,
) -> usize {
    let likeness = |knob: usize, a: &[usize], b: &[usize]| {
        let apart = a[knob].abs_diff(b[knob]) as f64 / (KNOB_LEVELS[knob] - 1) as f64;
        (-0.5 * (apart / RANGE_SHARE).powi(2)).exp()
    };
    let count = settings.len();
    let mut covariance = vec![vec![0.0; count]; count];
    for (a, row) in covariance.iter_mut().enumerate() {
        for (b, cell) in row.iter_mut().enumerate() {
            let [x, y, z] = [0, 1, 2].map(|knob| likeness(knob, &settings[a], &settings[b]));
            let pairs = x * y + y * z + x * z;
            *cell = MAIN_EFFECT_DEVIATION.powi(2) * (x + y + z)
                + PAIR_EFFECT_DEVIATION.powi(2) * pairs
                + REST_DEVIATION.powi(2) * x * y * z
                + 0.25;
        }
    }
    let mut mean = vec![0.0; count];
    let mut first: Option<f64> = None;
    let mut dead = vec![false; count];
    for trial in 0..TRIALS_PER_STUDY {
        let setting = if trial < 12 {
            random.below(count)
        } else {
            // Thompson's sampling by single settings: mean and a normal number of its deviation.
            let drawn = (0..count).map(|at| {
                let twelve: f64 = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
                let value = mean[at] + covariance[at][at].max(0.0).sqrt() * twelve * 0.7;
                if dead[at] { f64::NEG_INFINITY } else { value }
            });
            best_of(&drawn.collect::<Vec<f64>>())
        };
        let Some(score) = measured(setting) else {
            dead[setting] = true;
            continue;
        };
        let base = *first.get_or_insert(score);
        let row = covariance[setting].clone();
        let variance = row[setting] + noise * noise;
        let rest =
            (score - base - mean[setting]).clamp(-3.0 * variance.sqrt(), 3.0 * variance.sqrt());
        for at in 0..count {
            let gain = row[at] / variance;
            mean[at] += gain * rest;
            for (cell, other) in covariance[at].iter_mut().zip(&row) {
                *cell -= gain * other;
            }
        }
    }
    let usable = mean.iter().zip(&dead);
    let usable = usable.map(|(mean, dead)| if *dead { f64::NEG_INFINITY } else { *mean });
    best_of(&usable.collect::<Vec<f64>>())
}

/// Near-best shares, in the order of the noise.
#[test]
#[ignore = "what 120 trials can do at most, in minutes"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
fn what_choosers_reach_that_know_more() {
    let settings = settings();
    let mut targets: Vec<Vec<f64>> = (0..TARGETS_WEIGHED as u64)
        .map(|seed| {
            values(
                &Truth::drawn(&Random::new(seed.wrapping_mul(7919) + 1)),
                &settings,
            )
        })
        .collect();
    for noise in Recorded::ALL {
        let density = Density::new(noise);
        let mut near = [0_u32; 2];
        for seed in FIRST_SEED..FIRST_SEED + STUDIES_PER_ROW {
            let truth = Truth::drawn(&Random::new(seed ^ 0x5eed));
            let known = values(&truth, &settings);
            let is_near =
                |setting: usize| known[setting] - truth.best() >= (1.0 - SHORTFALL_MAX).ln();
            targets[0].clone_from(&known);
            let random = Random::new(seed);
            let mut machine = Machine::steady(seed.wrapping_mul(31), noise);
            let family = of_family(
                &mut targets,
                &density,
                |setting| measure(&mut machine, &truth, &settings[setting]),
                &random,
            );
            let mut machine = Machine::new(seed.wrapping_mul(31), noise);
            let process = of_process(
                &settings,
                deviation(noise),
                |setting| measure(&mut machine, &truth, &settings[setting]),
                &random,
            );
            near[0] += u32::from(is_near(family));
            near[1] += u32::from(is_near(process));
        }
        let share = near.map(|count| 100.0 * f64::from(count) / STUDIES_PER_ROW as f64);
        println!(
            "| {} | {:.1} % | {:.1} % |",
            noise.name(),
            share[0],
            share[1]
        );
    }
}
