//! How a request's time grows with the load, and how well each such law fits to what was seen.

use super::evidence::{Seen, ValueByLimit, idle_values, queueing, steadiness};
use crate::slo::{Statistic, Term};
use crate::student::normal_beyond;

/// Loads that are tried for what the target can do at all.
const CAPACITIES_TRIED: usize = 64;
/// ... up to so many times the highest load, where none piled up.
const CAPACITY_FACTOR_MAX: f64 = 8.0;
/// How steeply a wait grows beside its pole at the capacity.
const STEEPNESSES: [f64; 6] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
/// By how much a target may vary from level to level, and how likely each is before anything is seen.
const VARYING_SHARES: [f64; 5] = [0.0, 0.01, 0.02, 0.04, 0.08];
const VARYING_WEIGHTS: [f64; 5] = [0.15, 0.25, 0.3, 0.2, 0.1];
/// A target that varies misses its objective in its slow phases: its line lies below the load at which it does on average by so much
/// of that (simulated: about as much where it wanders by 3 % for 5 or 20 s and by 5 % for 2 s).
const SLOW_SHARE: f64 = 0.7;
/// Of the logarithm: what is less likely than the likeliest by more does not matter.
const NEGLIGIBLE_LOG: f64 = 25.0;
/// What is less likely by more adds nothing to a sum.
const ADDED_LOG: f64 = 40.0;
/// How far the model may be off at the line, of the logarithm of a time, and how much more so a factor e away from it.
const MODEL_ERROR: f64 = 0.06;
const MODEL_ERROR_FAR: f64 = 0.8;
/// Within this share of the capacity a level of some seconds may or may not pile up.
const PILE_UP_ERROR: f64 = 0.012;
/// No observation makes a hypothesis less likely than this, of the logarithm: one of them may be disturbed.
const LEAST_LOG_LIKELIHOOD: f64 = -8.0;
/// A level that is far too short to tell is off by this, of the logarithm.
const WANDERING_MAX: f64 = 1.0;

/// What is known before any law is tried.
pub(super) struct Known<'a> {
    seen: &'a [Seen],
    levels: Vec<Level>,
    /// What a value by its limit may be without load.
    idle: Vec<f64>,
    /// How far below the load of a target's average phase its line lies, by how much it varies: a limit on failures is no speed.
    slow_share: f64,
    /// How likely it is that it varies so much, logarithms.
    varying: Logs,
}

/// What a level says of how times grow with the load.
#[derive(Debug, Clone, Copy)]
struct Level {
    load: f64,
    /// Of the value by its limit.
    log: f64,
    is_bound: bool,
    /// Its own error and the law's at the line.
    error: f64,
    /// By how much the mean wait of its seconds may be off what it comes to, of the logarithm, where one waits for as long as the
    /// limit. A queue's waits resemble each other over about 4 λ D² seconds, where λ arrivals a second wait D seconds on average.
    wandering: f64,
}

impl Level {
    /// `waiting` is the mean wait by the limit, seconds, as far as seconds resemble each other.
    fn new(one: &Seen, waiting: f64) -> Option<Self> {
        let ValueByLimit {
            value,
            error,
            is_bound,
        } = one.value?;
        Some(Self {
            load: one.load,
            log: value,
            is_bound,
            error: error.hypot(MODEL_ERROR),
            wandering: waiting * (8.0 * one.load / one.seconds.max(1.0)).sqrt(),
        })
    }

    /// The square of its error and of the law's, where the line is at this load.
    fn own(&self, line: f64) -> f64 {
        let far = (self.load / line).ln().abs();
        (self.error + MODEL_ERROR_FAR * far).powi(2)
    }

    /// How well it fits to a law by which it waits so long, by the limit.
    fn fit(&self, expected: Expected) -> [Fit; VARYING_SHARES.len()] {
        let Expected {
            idle,
            wait,
            own,
            growth,
        } = expected;
        // Beyond its capacity a target's times are as long as the level.
        let (middle, wandering) = if wait.is_finite() {
            let all = idle + wait;
            let wandering = (self.wandering * wait).min(WANDERING_MAX);
            (all.ln(), wandering * wait / all)
        } else {
            (self.log.max(0.5), WANDERING_MAX)
        };
        // What wanders is usually less than its mean, and a queue begins empty.
        let off = self.log - middle + wandering * wandering;
        let off = if self.is_bound { off.min(0.0) } else { off };
        let own = own + wandering * wandering;
        VARYING_SHARES.map(|varying| {
            let varies = (varying * growth).min(WANDERING_MAX);
            let variance = own + varies * varies;
            Fit {
                log: (-0.5 * off * off / variance).max(LEAST_LOG_LIKELIHOOD),
                variance,
            }
        })
    }
}

/// What a law says of a level.
#[derive(Debug, Clone, Copy)]
struct Expected {
    /// By the limit, without load.
    idle: f64,
    /// The wait by the limit; infinite beyond the capacity.
    wait: f64,
    /// The square of the level's own error and the law's so far from the line.
    own: f64,
    /// By how much the value grows with the load there, of the logarithms.
    growth: f64,
}

/// How well a level fits: the logarithm of its likelihood without the width of its error, and the square of that.
#[derive(Debug, Clone, Copy)]
struct Fit {
    log: f64,
    variance: f64,
}

impl<'a> Known<'a> {
    pub(super) fn new(seen: &'a [Seen], term: &Term) -> Self {
        let waiting = tail_and_limit(term).map_or(0.0, |(tail, limit)| limit / tail);
        let waiting = waiting * queueing(seen);
        // A limit on failures is no speed.
        let is_time = tail_and_limit(term).is_some();
        let mut varying = VARYING_WEIGHTS.map(f64::ln);
        for (log, share) in varying.iter_mut().zip(VARYING_SHARES) {
            *log += if is_time {
                steadiness(seen, share).ln()
            } else {
                0.0
            };
        }
        Self {
            idle: idle_values(seen),
            varying,
            slow_share: if is_time { SLOW_SHARE } else { 0.0 },
            levels: seen
                .iter()
                .filter_map(|one| Level::new(one, waiting))
                .collect(),
            seen,
        }
    }

    /// How likely each load is to be the one at which the limit is crossed; they sum up to one.
    pub(super) fn posterior(&self, loads: &[f64]) -> Vec<f64> {
        let last = loads[loads.len() - 1];
        let step = (last / loads[0]).ln() / (loads.len() as f64 - 1.0);
        let shifts = VARYING_SHARES.map(|varying| Shift::new(self.slow_share * varying / step));
        let farthest = shifts
            .iter()
            .map(|shift| shift.whole + 1)
            .fold(0, usize::max);
        let mut crossings = loads.to_vec();
        crossings.extend((1..=farthest).map(|cell| last * (step * cell as f64).exp()));
        let logs = self.tried(&crossings, (loads.len() as f64).ln());
        let most = logs
            .iter()
            .flatten()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let weight = |place: usize, kind: usize| (logs[place][kind] - most).exp();
        let weights: Vec<f64> = (0..loads.len())
            .map(|place| {
                let parts = shifts.iter().enumerate().map(|(kind, shift)| {
                    let place = place + shift.whole;
                    (1.0 - shift.part) * weight(place, kind) + shift.part * weight(place + 1, kind)
                });
                parts.sum()
            })
            .collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// The logarithm of each load's likelihood; `weight_of_step` is how much more laws without any wait count each.
    fn tried(&self, loads: &[f64], weight_of_step: f64) -> Vec<Logs> {
        let mut logs = vec![[f64::NEG_INFINITY; VARYING_SHARES.len()]; loads.len()];
        let lines: Vec<Line> = loads.iter().map(|load| self.line(*load)).collect();
        let capacities = capacities(self.seen);
        let of_capacities: Vec<Logs> = capacities
            .iter()
            .map(|capacity| {
                VARYING_SHARES.map(|varying| {
                    let fits = self
                        .seen
                        .iter()
                        .map(|one| one.log_of_capacity(*capacity, varying));
                    fits.sum()
                })
            })
            .collect();
        let most = of_capacities
            .iter()
            .flatten()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        for (capacity, of_capacity) in capacities.into_iter().zip(of_capacities) {
            if of_capacity.iter().all(|log| *log < most - NEGLIGIBLE_LOG) {
                continue;
            }
            for idle in self.idle.iter().copied() {
                if loads[0] <= capacity && capacity <= loads[loads.len() - 1] {
                    // Nothing waits below the capacity: there is one such law for each, and one of the others for each load.
                    let nearest = loads
                        .partition_point(|load| *load < capacity)
                        .min(loads.len() - 1);
                    let expected = self.levels.iter().map(|level| Expected {
                        idle,
                        wait: if level.load < capacity {
                            0.0
                        } else {
                            f64::INFINITY
                        },
                        own: level.own(capacity),
                        growth: 0.0,
                    });
                    let log = self.logs(expected, of_capacity);
                    add_all(&mut logs[nearest], log.map(|log| log + weight_of_step));
                }
                for steepness in STEEPNESSES {
                    self.add_smooth(
                        &mut logs,
                        &lines,
                        Law {
                            capacity,
                            steepness,
                            idle,
                            of_capacity,
                        },
                    );
                }
            }
        }
        logs
    }

    /// A load as the line.
    fn line(&self, load: f64) -> Line {
        Line {
            load,
            own: self.levels.iter().map(|level| level.own(load)).collect(),
        }
    }

    /// Adds the laws of one capacity and steepness.
    fn add_smooth(&self, logs: &mut [Logs], lines: &[Line], law: Law) {
        // Of each level, the wait, and how steeply it grows.
        let waits: Vec<(f64, f64)> = self
            .levels
            .iter()
            .map(|level| (law.wait(level.load), law.growth(level.load)))
            .collect();
        for (log, line) in logs
            .iter_mut()
            .zip(lines)
            .take_while(|(_, line)| line.load < law.capacity)
        {
            let scale = (1.0 - law.idle) / law.wait(line.load);
            let expected =
                self.levels
                    .iter()
                    .zip(&waits)
                    .zip(&line.own)
                    .map(|((_, (wait, growth)), own)| {
                        let wait = wait * scale;
                        Expected {
                            idle: law.idle,
                            wait,
                            own: *own,
                            growth: if wait.is_finite() {
                                growth * wait / (law.idle + wait)
                            } else {
                                0.0
                            },
                        }
                    });
            add_all(log, self.logs(expected, law.of_capacity));
        }
    }

    /// The logarithm of the likelihood of what a law expects of each level, over how much a target may vary from level to level.
    fn logs(&self, expected: impl Iterator<Item = Expected>, of_capacity: Logs) -> Logs {
        let mut logs = of_capacity;
        let mut widths = [1.0_f64; VARYING_SHARES.len()];
        for (level, expected) in self.levels.iter().zip(expected) {
            let fits = level.fit(expected);
            for ((log, width), fit) in logs.iter_mut().zip(&mut widths).zip(fits) {
                *log += fit.log;
                *width *= fit.variance;
            }
        }
        for ((log, width), weight) in logs.iter_mut().zip(widths).zip(self.varying) {
            *log += weight - 0.5 * width.ln();
        }
        logs
    }
}

/// By how many places of a grid, and which part of one, something lies farther below.
#[derive(Debug, Clone, Copy)]
struct Shift {
    whole: usize,
    part: f64,
}

impl Shift {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number of places"
    )]
    fn new(places: f64) -> Self {
        Self {
            whole: places.floor() as usize,
            part: places.fract(),
        }
    }
}

/// Of each of `VARYING_SHARES`, the logarithm of a likelihood.
type Logs = [f64; VARYING_SHARES.len()];

fn add_all(sums: &mut Logs, logs: Logs) {
    for (sum, log) in sums.iter_mut().zip(logs) {
        *sum = add_logs(*sum, log);
    }
}

/// A load that may be the line.
#[derive(Debug, Clone)]
struct Line {
    load: f64,
    /// Of each level, the square of its error and of the law's so far from here.
    own: Vec<f64>,
}

/// How a request's time may grow with the load.
#[derive(Debug, Clone, Copy)]
struct Law {
    capacity: f64,
    steepness: f64,
    /// The value by the limit without load.
    idle: f64,
    of_capacity: Logs,
}

impl Law {
    fn wait(self, load: f64) -> f64 {
        if load < self.capacity {
            (load / self.capacity).powf(self.steepness) / (1.0 - load / self.capacity)
        } else {
            f64::INFINITY
        }
    }

    /// By how much it grows with the load, of the logarithms.
    fn growth(self, load: f64) -> f64 {
        let part = load / self.capacity;
        self.steepness + part / (1.0 - part)
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
    if low < high - ADDED_LOG || high == f64::NEG_INFINITY {
        return high;
    }
    high + (low - high).exp().ln_1p()
}

impl Seen {
    /// How well what piled up, or did not, fits to what the target can do, where that varies by a share from level to level.
    fn log_of_capacity(&self, capacity: f64, varying: f64) -> f64 {
        let off = (self.load - capacity) / (PILE_UP_ERROR.hypot(varying) * capacity);
        match self.capacity {
            Some((rate, error)) => {
                let error = error.hypot(varying * capacity);
                let rate_off = (rate - capacity) / error;
                normal_beyond(-off).ln().max(LEAST_LOG_LIKELIHOOD)
                    - (0.5 * rate_off * rate_off).min(-LEAST_LOG_LIKELIHOOD)
                    - (error / capacity / PILE_UP_ERROR).ln()
            }
            None if self.is_carried => normal_beyond(off).ln().max(LEAST_LOG_LIKELIHOOD),
            None => 0.0,
        }
    }
}
