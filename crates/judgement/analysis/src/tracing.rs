//! What tracing costs a target: pairs of runs, one with every request traced and one with none.
//!
//! The two runs of a pair are neighbours in time, and which comes first changes from pair to pair, so
//! that what drifts cancels out ([`BlockFit`]). The intervals of all measures hold together.

use crate::compare::{Change, Finding, UncertaintyReason};
use crate::tuning::blocks::{BlockFit, BlockTrial, Contrast};
use crate::tuning::holm;

/// The intervals together are wrong at most so often.
const FALSE_SHARE_MAX: f64 = 0.05;
/// An interval within this share to both sides is no difference.
pub const TRACING_TOLERANCE: f64 = 0.05;
/// The fewest pairs whose spread tells anything.
pub const TRACED_PAIRS_MIN: u32 = 3;
/// The most pairs that are run, or foretold.
pub const TRACED_PAIRS_MAX: u32 = 100;
/// The place of the runs without traces among the settings of a fit.
const PLACE_OF_NONE: usize = 0;
/// The place of those with traces.
const PLACE_OF_ALL: usize = 1;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TracedMeasure {
    /// CPU time of the target for a request, ms.
    Cpu,
    /// Mean latency of good answers, ms.
    Mean,
    /// The 95th percentile of their latency, ms.
    P95,
}

impl TracedMeasure {
    const EACH: [Self; 3] = [Self::Cpu, Self::Mean, Self::P95];
}

/// What one run measured, ms; `None` where it was not measured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TracedRun {
    /// CPU time of the target for a request.
    pub cpu_ms: Option<f64>,
    /// Mean latency of good answers.
    pub mean_ms: Option<f64>,
    /// The 95th percentile of their latency.
    pub p95_ms: Option<f64>,
}

impl TracedRun {
    /// The logarithm of what was measured.
    fn value(&self, measure: TracedMeasure) -> Option<f64> {
        let value = match measure {
            TracedMeasure::Cpu => self.cpu_ms,
            TracedMeasure::Mean => self.mean_ms,
            TracedMeasure::P95 => self.p95_ms,
        };
        value.filter(|value| *value > 0.0).map(f64::ln)
    }
}

/// Two runs, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TracedRuns {
    /// The one in which no request asked for a trace.
    pub none: TracedRun,
    /// The one in which all did.
    pub all: TracedRun,
}

/// A measure without and with traces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracedDifference {
    /// What is compared.
    pub measure: TracedMeasure,
    /// Pairs in which both runs have it.
    pub pairs: usize,
    /// The usual value without traces, ms (geometric mean).
    pub none: f64,
    /// What traces change, as a share of it; `None` where too few pairs have it.
    pub change: Option<Change>,
    /// What can be said: worse is a cost.
    pub finding: Finding,
}

impl TracedDifference {
    /// The usual value with traces, ms.
    #[must_use]
    pub fn all(&self) -> Option<f64> {
        self.change.map(|change| self.none * (1.0 + change.middle))
    }
}

/// What tracing costs, by measure; what no pair has is left out.
#[must_use]
pub fn tracing_cost(pairs: &[TracedRuns]) -> Vec<TracedDifference> {
    let all = TracedMeasure::EACH.iter();
    let measured: Vec<MeasuredPairs> = all
        .map(|measure| MeasuredPairs::new(pairs, *measure))
        .filter(|measured| !measured.trials.is_empty())
        .collect();
    let contrasts: Vec<Contrast> = measured.iter().filter_map(|one| one.contrast).collect();
    let mut changes = holm::intervals(&contrasts, FALSE_SHARE_MAX).into_iter();
    let found = measured.into_iter().map(|one| {
        let change = one.contrast.and_then(|_| changes.next());
        one.judged(change)
    });
    found.collect()
}

/// One measure of all pairs that have it.
struct MeasuredPairs {
    measure: TracedMeasure,
    trials: Vec<BlockTrial>,
    contrast: Option<Contrast>,
}

impl MeasuredPairs {
    fn new(pairs: &[TracedRuns], measure: TracedMeasure) -> Self {
        let trials = pairs.iter().enumerate().filter_map(|(block, pair)| {
            let (none, all) = (pair.none.value(measure)?, pair.all.value(measure)?);
            let trial = |setting, value| BlockTrial {
                block,
                setting,
                value,
            };
            Some([trial(PLACE_OF_NONE, none), trial(PLACE_OF_ALL, all)])
        });
        let trials: Vec<BlockTrial> = trials.flatten().collect();
        let fit = BlockFit::from_trials(&trials, PLACE_OF_NONE);
        Self {
            measure,
            contrast: fit.and_then(|fit| fit.difference(PLACE_OF_ALL, PLACE_OF_NONE)),
            trials,
        }
    }

    fn judged(&self, change: Option<Change>) -> TracedDifference {
        let none = self
            .trials
            .iter()
            .filter(|trial| trial.setting == PLACE_OF_NONE);
        let values: Vec<f64> = none.map(|trial| trial.value).collect();
        let pairs = values.len();
        let mean = values.iter().sum::<f64>() / pairs.max(1) as f64;
        let finding = match change {
            None => Finding::CannotTell {
                why: UncertaintyReason::Nothing,
            },
            Some(change) if change.low > 0.0 => Finding::Worse,
            Some(change) if change.high < 0.0 => Finding::Better,
            Some(change) if change.high.max(-change.low) <= TRACING_TOLERANCE => {
                Finding::NoLargerThan {
                    share: change.high.max(-change.low),
                }
            }
            Some(change) => Finding::CannotTell {
                why: UncertaintyReason::Spread {
                    runs: pairs_needed(change, pairs),
                },
            },
        };
        TracedDifference {
            measure: self.measure,
            pairs,
            none: mean.exp(),
            change,
            finding,
        }
    }
}

/// Pairs whose interval would be within the tolerance, about, if there is no difference; `None` where not even the most that
/// are foretold would do.
fn pairs_needed(change: Change, pairs: usize) -> Option<u32> {
    let half = (change.high.ln_1p() - change.low.ln_1p()) / 2.0;
    let needed = pairs as f64 * (half / TRACING_TOLERANCE.ln_1p()).powi(2);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a small whole number"
    )]
    let needed = (needed <= f64::from(TRACED_PAIRS_MAX))
        .then(|| needed.ceil().max(pairs as f64 + 1.0) as u32);
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(cpu: f64, mean: f64) -> TracedRun {
        TracedRun {
            cpu_ms: Some(cpu),
            mean_ms: Some(mean),
            p95_ms: Some(2.0 * mean),
        }
    }

    /// Six pairs on a machine that gets slower, of which traces cost `cost` of the CPU.
    fn pairs(cost: f64, noise: f64) -> Vec<TracedRuns> {
        let wobble = [0.4, -1.0, 0.8, -0.3, 1.0, -0.9];
        let pair = |(place, by): (usize, f64)| {
            let slower = 1.0 + 0.1 * place as f64;
            TracedRuns {
                none: run(slower, 10.0 * slower),
                all: run(
                    slower * (1.0 + cost) * (1.0 + noise * by),
                    10.0 * slower * (1.0 + noise * by),
                ),
            }
        };
        wobble.into_iter().enumerate().map(pair).collect()
    }

    fn difference(found: &[TracedDifference], measure: TracedMeasure) -> TracedDifference {
        *found.iter().find(|one| one.measure == measure).unwrap()
    }

    #[test]
    fn a_cost_is_told_with_its_interval_although_the_machine_drifts() {
        let found = tracing_cost(&pairs(0.3, 0.01));
        let cpu = difference(&found, TracedMeasure::Cpu);
        assert_eq!(cpu.finding, Finding::Worse);
        let change = cpu.change.unwrap();
        assert!(change.low > 0.25 && change.high < 0.35, "{change:?}");
        assert!(
            (cpu.all().unwrap() / cpu.none - 1.3).abs() < 0.01,
            "{cpu:?}"
        );
        assert_eq!(cpu.pairs, 6);
        let mean = difference(&found, TracedMeasure::Mean);
        assert!(matches!(mean.finding, Finding::NoLargerThan { share } if share < 0.03));
    }

    #[test]
    fn what_costs_nothing_is_no_difference_and_noise_cannot_be_told() {
        for one in tracing_cost(&pairs(0.0, 0.01)) {
            assert!(
                matches!(one.finding, Finding::NoLargerThan { share } if share < 0.03),
                "{one:?}"
            );
        }
        let wild = tracing_cost(&pairs(0.0, 0.06));
        let why = difference(&wild, TracedMeasure::Cpu).finding;
        let Finding::CannotTell {
            why: UncertaintyReason::Spread { runs: Some(runs) },
        } = why
        else {
            panic!("{why:?}");
        };
        assert!(runs > 12, "{runs}");
    }

    #[test]
    fn what_was_not_observed_is_left_out_and_one_pair_says_nothing() {
        let unseen = |mut pair: TracedRuns| {
            pair.all.cpu_ms = None;
            pair
        };
        let blind: Vec<TracedRuns> = pairs(0.3, 0.01).into_iter().map(unseen).collect();
        let found = tracing_cost(&blind);
        assert!(found.iter().all(|one| one.measure != TracedMeasure::Cpu));
        assert_eq!(found.len(), 2);
        let one = tracing_cost(&pairs(0.3, 0.01)[..1]);
        let nothing = Finding::CannotTell {
            why: UncertaintyReason::Nothing,
        };
        assert!(one.iter().all(|one| one.finding == nothing), "{one:?}");
        assert_eq!(tracing_cost(&[]), []);
    }

    /// Of 200 targets whose traces cost nothing, about 10 may be called otherwise in any measure.
    #[test]
    fn nothing_is_called_a_cost_seldom_enough() {
        use loadline_units::random::Random;
        let random = Random::new(20_261_129);
        // Sums of uniform numbers are nearly normal.
        let noise = || (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
        let mut wrong = 0;
        for _ in 0..200 {
            let one = || run((0.1 * noise()).exp(), 10.0 * (0.1 * noise()).exp());
            let pairs: Vec<TracedRuns> = (0..6)
                .map(|_| TracedRuns {
                    none: one(),
                    all: one(),
                })
                .collect();
            let is_called =
                |one: &TracedDifference| matches!(one.finding, Finding::Worse | Finding::Better);
            wrong += usize::from(tracing_cost(&pairs).iter().any(is_called));
        }
        assert!(wrong <= 18, "{wrong} of 200");
    }
}
