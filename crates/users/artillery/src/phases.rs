//! Makes a plan of the phases.

use std::time::Duration;

use loadline_testplan::draft::{
    ExecutorDraft, PhaseDraft, PhaseShape, PlanDraft, ScenarioDraft, SignedDuration,
};

use crate::model::{PhaseArrivals, PhaseConfig};
use loadline_units::Random;

/// The name of the plan's only scenario.
pub const SCENARIO: &str = "artillery";
/// How long running users are waited for: a hundred years, that is without limit.
const UNLIMITED_GRACE: Duration = Duration::from_secs(100 * 365 * 86_400);
/// Rates are planned in millionths of a user per second.
const MILLIONTHS_PER_UNIT: f64 = 1e6;
/// The most arrivals that are drawn at random in advance; a longer phase has evenly spaced ones.
const DRAWN_ARRIVALS_MAX: f64 = 300_000.0;

/// The plan of these phases. With `steps`, ramps have steps of a second, as in Artillery;
/// otherwise they are exact.
#[must_use]
pub fn plan(phases: &[PhaseConfig], steps: bool, random: &Random) -> PlanDraft {
    let phases = phases
        .iter()
        .flat_map(|phase| drafts(phase, steps, random))
        .collect();
    let mut scenario = ScenarioDraft::new(SCENARIO, ExecutorDraft::PhasedArrivals { phases });
    scenario.graceful_stop = Some(SignedDuration::from(UNLIMITED_GRACE));
    PlanDraft {
        scenarios: vec![scenario],
        setup_timeout: Some(SignedDuration::from(UNLIMITED_GRACE)),
        teardown_timeout: Some(SignedDuration::from(UNLIMITED_GRACE)),
        ..PlanDraft::default()
    }
}

fn drafts(phase: &PhaseConfig, steps: bool, random: &Random) -> Vec<PhaseDraft> {
    let draft = |length, shape| PhaseDraft {
        length,
        shape,
        most: phase.most,
    };
    match phase.arrivals {
        PhaseArrivals::Pause => vec![draft(phase.length, PhaseShape::Pause)],
        PhaseArrivals::Count(0) => vec![draft(phase.length, PhaseShape::Pause)],
        PhaseArrivals::Count(count) => vec![draft(
            phase.length,
            PhaseShape::Rate {
                events: count,
                per: phase.length,
            },
        )],
        PhaseArrivals::Rate {
            rate,
            poisson: true,
        } if rate * phase.length.as_secs_f64() <= DRAWN_ARRIVALS_MAX => {
            let times = drawn(rate, phase.length, random);
            vec![draft(phase.length, PhaseShape::At(times))]
        }
        PhaseArrivals::Rate {
            rate,
            poisson: true,
        } => sliced(rate, phase.length, random)
            .into_iter()
            .map(|(length, shape)| draft(length, shape))
            .collect(),
        PhaseArrivals::Rate { rate, .. } => vec![draft(
            phase.length,
            PhaseShape::Rate {
                events: millionths(rate),
                per: Duration::from_secs(1_000_000),
            },
        )],
        PhaseArrivals::Ramp { from, to } if steps => stepped(from, to, phase.length)
            .into_iter()
            .map(|count| {
                let shape = match count {
                    0 => PhaseShape::Pause,
                    events => PhaseShape::Rate {
                        events,
                        per: Duration::from_secs(1),
                    },
                };
                draft(Duration::from_secs(1), shape)
            })
            .collect(),
        PhaseArrivals::Ramp { from, to } => vec![draft(
            phase.length,
            PhaseShape::Ramp {
                from: millionths(from),
                to: millionths(to),
                per: Duration::from_secs(1_000_000),
            },
        )],
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rates are checked to be between 0 and ten million"
)]
fn millionths(rate: f64) -> u64 {
    (rate * MILLIONTHS_PER_UNIT).round() as u64
}

/// Arrival times with exponentially distributed gaps.
fn drawn(rate: f64, length: Duration, random: &Random) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut at = 0.0;
    let end = length.as_secs_f64();
    loop {
        at += -(1.0 - random.unit()).ln() / rate;
        if at >= end {
            break;
        }
        times.push(Duration::from_secs_f64(at));
    }
    times
}

/// How many slices a phase with too many arrivals is cut into.
const PHASE_SLICES: u32 = 1_000;

/// Slices of a phase, each with a random number of arrivals, as random gaps leave room for.
fn sliced(rate: f64, length: Duration, random: &Random) -> Vec<(Duration, PhaseShape)> {
    let slice = length / PHASE_SLICES;
    let rest = length - slice * PHASE_SLICES;
    (0..PHASE_SLICES)
        .map(|number| {
            let length = if number == 0 { slice + rest } else { slice };
            let shape = match many(rate * length.as_secs_f64(), random) {
                0 => PhaseShape::Pause,
                events => PhaseShape::Rate {
                    events,
                    per: length,
                },
            };
            (length, shape)
        })
        .collect()
}

/// A number of random arrivals where `mean` are expected. A slice expects hundreds at least, so
/// the normal distribution stands for Poisson's.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rates and lengths are checked"
)]
fn many(mean: f64, random: &Random) -> u64 {
    let distance = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    let normal = distance * (std::f64::consts::TAU * random.unit()).cos();
    (mean + mean.sqrt() * normal).round().max(0.0) as u64
}

/// Artillery's arrivals per second in a ramp, on one worker.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rates and lengths are checked"
)]
fn stepped(from: f64, to: f64, length: Duration) -> Vec<u64> {
    let seconds = length.as_secs_f64().ceil().max(1.0);
    let bumped = |raw: f64| {
        let whole = raw.floor();
        let bump = (raw - whole).round() >= 1.0;
        (whole + f64::from(u8::from(bump))) as u64
    };
    if seconds <= 1.0 {
        return vec![bumped((from + to) / 2.0)];
    }
    (0..seconds as u64)
        .map(|second| {
            #[expect(clippy::cast_precision_loss, reason = "seconds of a phase")]
            let at = second as f64;
            bumped((to - from) / (seconds - 1.0) * at + from)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_testplan::Plan;

    fn starts(arrivals: PhaseArrivals, seconds: u64, steps: bool) -> u64 {
        let phase = PhaseConfig {
            name: None,
            length: Duration::from_secs(seconds),
            written: seconds.to_string(),
            arrivals,
            most: None,
        };
        let plan = Plan::check(plan(&[phase], steps, &Random::new(1))).unwrap();
        plan.scenarios[0].executor.arrivals().unwrap().total()
    }

    #[test]
    fn phases_start_what_they_say() {
        let rate = |rate| PhaseArrivals::Rate {
            rate,
            poisson: false,
        };
        assert_eq!(starts(rate(5.0), 10, false), 50);
        assert_eq!(starts(rate(0.3), 10, false), 3);
        assert_eq!(starts(rate(300.0), 60, false), 18_000);
        assert_eq!(starts(PhaseArrivals::Count(7), 3, false), 7);
        assert_eq!(starts(PhaseArrivals::Pause, 3, false), 0);
        let ramp = PhaseArrivals::Ramp { from: 1.0, to: 9.0 };
        assert_eq!(starts(ramp.clone(), 10, false), 50);
        assert_eq!(starts(ramp, 10, true), 50);
    }

    #[test]
    fn random_arrivals_come_at_their_rate() {
        let count = starts(
            PhaseArrivals::Rate {
                rate: 50.0,
                poisson: true,
            },
            20,
            false,
        );
        assert!((800..1200).contains(&count), "{count}");
        let rate = PhaseArrivals::Rate {
            rate: 100_000.0,
            poisson: true,
        };
        let count = starts(rate, 10, false);
        assert!((990_000..1_010_000).contains(&count), "{count}");
        assert_ne!(count, 1_000_000);
    }
}
