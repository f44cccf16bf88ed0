//! Other ways to search, as they are described: stochastic approximation and probabilistic bisection. Both climb by doubling first, as
//! ours does, and let the target drain after each level.

use loadline_analysis::slo::Statistic;
use loadline_experiment::capacity::{Search, SearchSettings};
use loadline_experiment::runner::{Runner, Running};
use loadline_experiment::simulated::{SimulatedTarget, Simulation};

use crate::forty::Law;
use crate::score::Told;

/// As long as four minutes, which is what ours shall take.
const BUDGET_SECONDS: f64 = 240.0;
const CLIMB_SECONDS: usize = 5;
const LEVEL_SECONDS: usize = 15;
/// Seconds of a level that do not count.
const SETTLING_SECONDS: usize = 2;
/// The first step of the approximation, of the logarithm of the load.
const FIRST_STEP: f64 = 0.3;
/// How often what a level seems to say is taken to be right.
const TRUSTED_SHARE: f64 = 0.8;
const GRID_PLACES: usize = 400;

struct Asked {
    allowed: f64,
    limit_ms: f64,
    is_errors: bool,
}

impl Asked {
    fn new(law: &Law) -> Self {
        let term: loadline_analysis::slo::Term = law.term.parse().unwrap();
        let is_errors = term.statistic == Statistic::Errors;
        Self {
            allowed: if is_errors { term.limit } else { 0.05 },
            limit_ms: term.limit,
            is_errors,
        }
    }
}

struct Level {
    running: Simulation,
    asked: Asked,
    clock: f64,
}

impl Level {
    fn new(law: &Law, mut target: SimulatedTarget) -> Self {
        let settings = SearchSettings::new(vec![law.term.parse().unwrap()]);
        let Ok(running) = target.start(&Search::new(settings).plan());
        Self {
            running,
            asked: Asked::new(law),
            clock: 0.0,
        }
    }

    /// The share of the planned requests that were not answered well in time.
    fn bad_share(&mut self, load: f64, seconds: usize) -> f64 {
        self.running.set_level(load);
        let (mut bad, mut planned) = (0.0, 0.0);
        for second in 0..seconds {
            let Some(window) = self.running.next_window() else {
                break;
            };
            self.clock = window.end;
            if second < SETTLING_SECONDS {
                continue;
            }
            let limit = self.asked.limit_ms;
            let late = window.durations.count_where(|ms| ms > limit) as f64;
            let failed = if self.asked.is_errors {
                window.failed
            } else {
                late
            };
            planned += window.started + window.dropped;
            bad += failed + window.dropped;
        }
        // Nobody is waited for longer than a minute.
        self.running.set_level(0.0);
        for _ in 0..60 {
            let Some(window) = self.running.next_window() else {
                break;
            };
            self.clock = window.end;
            if window.in_flight < 0.5 {
                break;
            }
            if !self.asked.is_errors {
                let limit = self.asked.limit_ms;
                bad += window.durations.count_where(|ms| ms > limit) as f64;
            }
        }
        (bad / f64::max(planned, 1.0)).min(1.0)
    }

    /// The first load of a doubling climb that is too much, and the one before.
    fn climb(&mut self) -> (f64, f64) {
        let mut load = 2.0;
        while load < 10_000.0 && self.bad_share(load, CLIMB_SECONDS) <= self.asked.allowed {
            load *= 2.0;
        }
        (load / 2.0, load)
    }
}

/// Robbins and Monro: up or down by how far the share of bad answers is off, in steps that become smaller; told is the mean of the
/// second half of the levels.
pub(crate) fn approximate(law: &Law, target: SimulatedTarget) -> Told {
    let mut level = Level::new(law, target);
    let (low, high) = level.climb();
    let mut log = (low * high).sqrt().ln();
    let mut tried = Vec::new();
    while level.clock < BUDGET_SECONDS {
        let bad = level.bad_share(log.exp(), LEVEL_SECONDS);
        tried.push(log);
        let allowed = level.asked.allowed;
        // A share is off by at most its limit below it, and by far more above.
        let off = ((allowed - bad) / allowed).max(-1.0);
        log += FIRST_STEP / tried.len() as f64 * off;
    }
    let half = &tried[tried.len() / 2..];
    let mean = half.iter().sum::<f64>() / half.len() as f64;
    Told {
        estimate: Some(mean.exp()),
        range: None,
        sure: None,
        safe: None,
        held: None,
        seconds: level.clock,
        fingerprint: 0,
    }
}

/// Probabilistic bisection: the median of what is believed is tried, and what that level seems to say is believed with a fixed trust.
pub(crate) fn bisect(law: &Law, target: SimulatedTarget) -> Told {
    let mut level = Level::new(law, target);
    let (low, high) = level.climb();
    let (low, high) = ((0.5 * low).ln(), (1.5 * high).ln());
    let at = |place: usize| low + (high - low) * place as f64 / (GRID_PLACES - 1) as f64;
    let mut believed = vec![1.0 / GRID_PLACES as f64; GRID_PLACES];
    let quantile = |believed: &[f64], share: f64| {
        let mut sum = 0.0;
        let place = believed.iter().position(|belief| {
            sum += belief;
            sum >= share
        });
        at(place.unwrap_or(GRID_PLACES - 1)).exp()
    };
    while level.clock < BUDGET_SECONDS {
        let load = quantile(&believed, 0.5);
        let is_too_much = level.bad_share(load, LEVEL_SECONDS) > level.asked.allowed;
        for (place, belief) in believed.iter_mut().enumerate() {
            let is_below = at(place).exp() < load;
            *belief *= if is_below == is_too_much {
                TRUSTED_SHARE
            } else {
                1.0 - TRUSTED_SHARE
            };
        }
        let sum: f64 = believed.iter().sum();
        believed.iter_mut().for_each(|belief| *belief /= sum);
    }
    Told {
        estimate: Some(quantile(&believed, 0.5)),
        range: Some((quantile(&believed, 0.025), quantile(&believed, 0.975))),
        sure: None,
        safe: None,
        held: None,
        seconds: level.clock,
        fingerprint: 0,
    }
}
