//! How a request's time grows with the load, and how well each such law fits to what was seen.

use super::evidence::{Seen, ValueByLimit, idle_values, queueing};
use crate::slo::{Statistic, Term};
use crate::student::normal_beyond;

/// Loads that are tried for what the target can do at all.
const CAPACITIES_TRIED: usize = 64;
/// ... up to so many times the highest load, where none piled up.
const CAPACITY_FACTOR_MAX: f64 = 8.0;
/// How steeply a wait grows beside its pole at the capacity.
const STEEPNESSES: [f64; 6] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
/// Nothing waits below the capacity: a limit set on purpose, or starts that are evenly spaced.
const STEEPNESS_OF_STEP: f64 = f64::INFINITY;
/// How far the model may be off at the line, of the logarithm of a time, and how much more so a factor e away from it.
const MODEL_ERROR: f64 = 0.06;
const MODEL_ERROR_FAR: f64 = 0.8;
/// Within this share of the capacity a level of some seconds may or may not pile up.
const PILE_UP_ERROR: f64 = 0.012;
/// No observation makes a hypothesis less likely than this, of the logarithm: one of them may be disturbed.
const LEAST_LOG_LIKELIHOOD: f64 = -8.0;
/// Levels whose loads differ from the line by less than this, of the logarithm, show how much levels scatter, ...
const NEAR_LINE: f64 = 0.35;
/// ... by at most so many times of what they say themselves.
const SCATTER_MAX: f64 = 8.0;
/// A level that is far too short to tell is off by this, of the logarithm.
const WANDERING_MAX: f64 = 1.0;

/// What is known before any law is tried.
pub(super) struct Known<'a> {
    seen: &'a [Seen],
    /// What a value by its limit may be without load.
    idle: Vec<f64>,
    /// By how much more than by their own errors levels are off.
    scatter: f64,
    /// How far seconds resemble each other as those of a queue do, from 0 to 1.
    queueing: f64,
    /// A percentile's wait by the mean wait, of a queue near its limit, and the limit, s; `None` for shares.
    tail_and_limit: Option<(f64, f64)>,
}

/// How a request's time may grow with the load.
#[derive(Debug, Clone, Copy)]
struct Law {
    capacity: f64,
    steepness: f64,
    /// The load at which the limit is crossed.
    line: f64,
    /// The value by the limit without load.
    idle: f64,
}

impl Law {
    fn wait(self, load: f64) -> f64 {
        if self.is_step() {
            return 0.0;
        }
        (load / self.capacity).powf(self.steepness) / (1.0 - load / self.capacity)
    }

    fn wait_at_line(self) -> f64 {
        if self.is_step() {
            1.0
        } else {
            self.wait(self.line)
        }
    }

    const fn is_step(self) -> bool {
        self.steepness.is_infinite()
    }
}

impl<'a> Known<'a> {
    pub(super) fn new(seen: &'a [Seen], term: &Term) -> Self {
        Self {
            idle: idle_values(seen),
            scatter: 1.0,
            queueing: queueing(seen),
            tail_and_limit: tail_and_limit(term),
            seen,
        }
    }

    /// How likely each load is to be the one at which the limit is crossed; they sum up to one.
    pub(super) fn posterior(mut self, loads: &[f64]) -> Vec<f64> {
        let capacities = capacities(self.seen);
        let (_, best) = self.tried(loads, &capacities);
        // Levels that scatter more about the best fit than they say themselves all say less.
        self.scatter = best.map_or(1.0, |best| self.scatter(best));
        let (logs, _) = self.tried(loads, &capacities);
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// The logarithm of each load's likelihood, and the likeliest law.
    fn tried(&self, loads: &[f64], capacities: &[f64]) -> (Vec<f64>, Option<Law>) {
        let mut logs = vec![f64::NEG_INFINITY; loads.len()];
        let mut best: Option<(f64, Law)> = None;
        for capacity in capacities.iter().copied() {
            let fits = self.seen.iter().map(|one| one.log_of_capacity(capacity));
            let of_capacity: f64 = fits.sum();
            let is_tried = loads[0] <= capacity && capacity <= loads[loads.len() - 1];
            for idle in self.idle.iter().copied() {
                let mut add = |place: usize, law: Law, weight: f64| {
                    let at_line = law.wait_at_line();
                    let offs = self.seen.iter();
                    let offs = offs.filter_map(|one| self.off(one, law, at_line));
                    let likelihood = of_capacity + offs.map(Off::log).sum::<f64>();
                    logs[place] = add_logs(logs[place], likelihood + weight);
                    if best.is_none_or(|(most, _)| likelihood > most) {
                        best = Some((likelihood, law));
                    }
                };
                if is_tried {
                    let law = Law {
                        capacity,
                        steepness: STEEPNESS_OF_STEP,
                        line: capacity,
                        idle,
                    };
                    // There is one such law for each capacity, and one of the others for each load.
                    let nearest = loads.partition_point(|load| *load < capacity);
                    add(nearest.min(loads.len() - 1), law, (loads.len() as f64).ln());
                }
                let below = loads.iter().copied().enumerate();
                for (place, line) in below.take_while(|(_, line)| *line < capacity) {
                    for steepness in STEEPNESSES {
                        let law = Law {
                            capacity,
                            steepness,
                            line,
                            idle,
                        };
                        add(place, law, 0.0);
                    }
                }
            }
        }
        (logs, best.map(|(_, law)| law))
    }

    /// By how much more than by their own errors the levels near the line lie off, at least 1.
    fn scatter(&self, law: Law) -> f64 {
        let at_line = law.wait_at_line();
        let (mut sum, mut count) = (0.0, 0.0);
        for one in self.seen {
            let is_near = (one.load / law.line).ln().abs() < NEAR_LINE;
            if let Some(off) = self.off(one, law, at_line).filter(|_| is_near) {
                sum += off.by.powi(2).min(SCATTER_MAX * SCATTER_MAX);
                count += 1.0;
            }
        }
        // Three things are fitted.
        f64::sqrt(sum / f64::max(count - 2.0, 1.0)).clamp(1.0, SCATTER_MAX)
    }

    /// How far the value of a level lies off a law.
    fn off(&self, one: &Seen, law: Law, at_line: f64) -> Option<Off> {
        let ValueByLimit {
            value,
            error,
            is_bound,
        } = one.value?;
        let far = (one.load / law.line).ln().abs();
        // Beyond its capacity a target's times are as long as the level.
        let (expected, wandering) = if one.load < law.capacity {
            let wait = (1.0 - law.idle) * law.wait(one.load) / at_line;
            let all = law.idle + wait;
            (all.ln(), self.wandering(one, wait) * wait / all)
        } else {
            (value.max(0.5), 1.0)
        };
        let own = self.scatter * error.hypot(MODEL_ERROR) + MODEL_ERROR_FAR * far;
        let error = own.hypot(wandering);
        // What wanders is usually less than its mean, and a queue begins empty.
        let off = value - expected + wandering * wandering;
        let off = if is_bound { off.min(0.0) } else { off };
        Some(Off {
            by: off / error,
            error,
        })
    }

    /// How far the mean wait of a level's seconds lies off what it comes to, of the logarithm. A queue's waits resemble
    /// each other over about 4 λ D² seconds, where λ arrivals a second wait D seconds on average.
    fn wandering(&self, one: &Seen, wait: f64) -> f64 {
        let Some((tail, limit)) = self.tail_and_limit else {
            return 0.0;
        };
        let delay = wait * limit / tail;
        let rest_seconds = 4.0 * one.load * delay * delay;
        let error = (2.0 * rest_seconds / one.seconds.max(1.0)).sqrt();
        self.queueing * error.min(WANDERING_MAX)
    }
}

/// How far what was seen lies off.
#[derive(Debug, Clone, Copy)]
struct Off {
    /// In standard errors.
    by: f64,
    error: f64,
}

impl Off {
    fn log(self) -> f64 {
        (-0.5 * self.by * self.by).max(LEAST_LOG_LIKELIHOOD) - self.error.ln()
    }
}

/// The tail of a queue near its limit is exponential.
fn tail_and_limit(term: &Term) -> Option<(f64, f64)> {
    let tail = match term.statistic {
        Statistic::Percentile(percentile) => -(1.0 - percentile / 100.0).ln(),
        Statistic::Mean => 1.0,
        Statistic::Max | Statistic::Errors | Statistic::Checks => return None,
    };
    Some((tail.max(0.1), term.limit / 1000.0))
}

/// What the target may be able to do: about what overloaded levels completed, else anything, and rather what lies between
/// the highest level that was carried and the next.
fn capacities(seen: &[Seen]) -> Vec<f64> {
    let mut completed: Vec<f64> = seen
        .iter()
        .filter_map(|one| Some(one.capacity?.0))
        .collect();
    if !completed.is_empty() {
        completed.sort_by(f64::total_cmp);
        let (low, high) = (completed[0], completed[completed.len() - 1]);
        return grid(0.9 * low, 1.1 * high, CAPACITIES_TRIED);
    }
    let carried = seen.iter().filter(|one| one.is_carried).map(|one| one.load);
    let carried = carried.fold(f64::MIN_POSITIVE, f64::max);
    let most = seen.iter().map(|one| one.load).fold(carried, f64::max);
    let higher = seen
        .iter()
        .map(|one| one.load)
        .filter(|load| *load > carried);
    let next = higher
        .reduce(f64::min)
        .unwrap_or(most * CAPACITY_FACTOR_MAX);
    let mut capacities = grid(
        0.9 * carried,
        most * CAPACITY_FACTOR_MAX,
        CAPACITIES_TRIED / 2,
    );
    capacities.extend(grid(carried, next, CAPACITIES_TRIED / 2));
    capacities
}

pub(super) fn grid(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high / low).ln() / (count as f64 - 1.0);
    (0..count)
        .map(|place| low * (step * place as f64).exp())
        .collect()
}

fn add_logs(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if high == f64::NEG_INFINITY {
        return high;
    }
    high + (low - high).exp().ln_1p()
}

impl Seen {
    /// How well what piled up, or did not, fits to what the target can do.
    fn log_of_capacity(&self, capacity: f64) -> f64 {
        let off = (self.load - capacity) / (PILE_UP_ERROR * capacity);
        match self.capacity {
            Some((rate, error)) => {
                let rate_off = (rate - capacity) / error;
                normal_beyond(-off).ln().max(LEAST_LOG_LIKELIHOOD)
                    - (0.5 * rate_off * rate_off).min(-LEAST_LOG_LIKELIHOOD)
            }
            None if self.is_carried => normal_beyond(off).ln().max(LEAST_LOG_LIKELIHOOD),
            None => 0.0,
        }
    }
}
