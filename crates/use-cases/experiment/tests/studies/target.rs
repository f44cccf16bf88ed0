//! A target whose best setting is known: heap, threads and pool, with an interaction, a region
//! where it dies, and noise as recorded.

use std::sync::Arc;

use loadline_experiment::tuning::{KnobSpace, PlannedTrial, StudySpace, TrialResult};
use loadline_units::random::Random;

use super::recorded::{CPU_RATE, POOL_P95, POOL_RATE};

/// Levels of heap, threads and pool.
pub(crate) const KNOB_LEVELS: [usize; 3] = [5, 6, 6];
/// The share of trials that somebody else disturbs, and by how much at most.
const OUTLIERS: (f64, f64) = (0.04, 0.35);
/// The share of trials that the generator spoils.
const INVALID_SHARE: f64 = 0.02;
/// How far the machine drifts from trial to trial, and over a hundred trials.
const DRIFT_PER_TRIAL: f64 = 0.004;
const DRIFT_PER_HUNDRED: f64 = 0.08;

/// Recorded noise of trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recorded {
    PoolRate,
    PoolP95,
    CpuRate,
}

impl Recorded {
    pub(crate) const ALL: [Self; 3] = [Self::PoolRate, Self::PoolP95, Self::CpuRate];

    pub(crate) const fn values(self) -> &'static [f64] {
        match self {
            Self::PoolRate => &POOL_RATE,
            Self::PoolP95 => &POOL_P95,
            Self::CpuRate => &CPU_RATE,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::PoolRate => "throughput behind a pool",
            Self::PoolP95 => "p95 behind a pool",
            Self::CpuRate => "throughput on a shared CPU",
        }
    }
}

/// What is true of the target.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    /// How much too little heap costs, from the smallest.
    heap: [f64; 3],
    /// The best number of threads with enough heap, and what each step off costs.
    threads: (f64, f64),
    /// Steps that the best number of threads falls for each step of heap below the middle.
    interaction: f64,
    /// The pool that is needed, what each missing step costs, and each step too many.
    pool: (f64, f64, f64),
    /// Whether all settings are the same.
    is_flat: bool,
}

impl Truth {
    pub(crate) fn drawn(random: &Random) -> Self {
        let between = |low: f64, high: f64| low + (high - low) * random.unit();
        Self {
            heap: [between(0.3, 0.8), between(0.05, 0.25), between(0.0, 0.06)],
            threads: (between(0.0, 5.0), between(0.02, 0.10)),
            interaction: between(0.3, 1.2),
            pool: (between(0.5, 5.0), between(0.08, 0.3), between(0.0, 0.03)),
            is_flat: false,
        }
    }

    pub(crate) fn flat(random: &Random) -> Self {
        Self {
            is_flat: true,
            ..Self::drawn(random)
        }
    }

    /// The logarithm of the throughput; `None` where the target dies.
    pub(crate) fn value(&self, setting: &[usize]) -> Option<f64> {
        if self.is_flat {
            return Some(0.0);
        }
        let [heap, threads, pool] = [setting[0], setting[1], setting[2]];
        // Many threads with little heap: out of memory.
        if heap == 0 && threads >= 4 || heap == 1 && threads == 5 {
            return None;
        }
        let lacking = self.heap.get(heap).copied().unwrap_or(0.0);
        let best = self.threads.0 - self.interaction * 2_usize.saturating_sub(heap) as f64;
        let off = (threads as f64 - best).abs();
        let missing = (self.pool.0 - pool as f64).max(0.0);
        let surplus = (pool as f64 - self.pool.0).max(0.0);
        let pool = self.pool.1 * missing.powi(2) / 3.0 + self.pool.2 * surplus;
        Some(-lacking - self.threads.1 * off.powf(1.5) - pool)
    }

    /// The best of all settings.
    pub(crate) fn best(&self) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for heap in 0..KNOB_LEVELS[0] {
            for threads in 0..KNOB_LEVELS[1] {
                for pool in 0..KNOB_LEVELS[2] {
                    best = best.max(self.value(&[heap, threads, pool]).unwrap_or(best));
                }
            }
        }
        best
    }
}

/// All settings, with a start somewhere in the middle.
pub(crate) fn space(random: &Random) -> StudySpace {
    let knob = |levels: usize, start: usize| KnobSpace {
        costs: (0..levels)
            .map(|level| level as f64 / (levels - 1) as f64)
            .collect(),
        start,
        has_order: true,
    };
    StudySpace {
        knobs: vec![
            knob(KNOB_LEVELS[0], 1 + random.below(2)),
            knob(KNOB_LEVELS[1], 1 + random.below(3)),
            knob(KNOB_LEVELS[2], 1 + random.below(3)),
        ],
        allowed: Arc::new(|_| true),
    }
}

/// The machine it runs on.
pub(crate) struct Machine {
    random: Random,
    /// How much the machine drifts: 1 as [`DRIFT_PER_TRIAL`] and [`DRIFT_PER_HUNDRED`] say, 0 not at all.
    moves: f64,
    drifts: f64,
    drift: f64,
    trend: f64,
    trials: f64,
    noise: &'static [f64],
}

impl Machine {
    pub(crate) fn new(seed: u64, noise: Recorded) -> Self {
        let random = Random::new(seed);
        let trend = DRIFT_PER_HUNDRED * (2.0 * random.unit() - 1.0) / 100.0;
        Self {
            random,
            moves: 1.0,
            drifts: 0.0,
            drift: 0.0,
            trend,
            trials: 0.0,
            noise: noise.values(),
        }
    }

    /// The same on a machine that does not drift.
    pub(crate) fn steady(seed: u64, noise: Recorded) -> Self {
        Self {
            moves: 0.0,
            ..Self::new(seed, noise)
        }
    }

    /// By how much it was faster than at first, on average over its trials.
    pub(crate) fn mean_drift(&self) -> f64 {
        self.drifts / self.trials.max(1.0)
    }

    /// What noise and disturbances come to on average.
    pub(crate) fn mean(noise: Recorded) -> f64 {
        let values = noise.values();
        let noise = values.iter().sum::<f64>() / values.len() as f64;
        noise - OUTLIERS.0 * OUTLIERS.1 / 2.0
    }

    /// The same for a goal: a margin above `limit`.
    pub(crate) fn run_for(
        &mut self,
        truth: &Truth,
        trial: &PlannedTrial,
        limit: f64,
    ) -> TrialResult {
        match self.run(truth, trial) {
            TrialResult::Measured { score, .. } => TrialResult::Measured {
                score: score - limit,
                margin: score - limit,
            },
            other => other,
        }
    }

    pub(crate) fn run(&mut self, truth: &Truth, trial: &PlannedTrial) -> TrialResult {
        self.trials += 1.0;
        self.drift +=
            self.moves * (DRIFT_PER_TRIAL * (2.0 * self.random.unit() - 1.0) + self.trend);
        self.drifts += self.drift;
        let Some(value) = truth.value(&trial.setting) else {
            return TrialResult::Failed;
        };
        if self.random.unit() < INVALID_SHARE {
            return TrialResult::Invalid;
        }
        let mut score = value + self.drift;
        score += self.noise[self.random.below(self.noise.len())];
        if self.random.unit() < OUTLIERS.0 {
            score -= OUTLIERS.1 * self.random.unit();
        }
        TrialResult::Measured {
            score,
            margin: f64::INFINITY,
        }
    }
}
