//! How a request's time grows with the load, and how well each such law fits to what was seen.

use super::evidence::{Seen, ValueByLimit, idle_values, queueing, steadiness};
use super::likelihood::{
    Fit, LEAST_LOG_LIKELIHOOD, Likelihoods, Logs, Sums, VARYING_SHARES, WANDERING_MAX, least,
};
use crate::slo::{Statistic, Term};
use crate::student::normal_beyond;

/// Loads that are tried for what the target can do at all.
const CAPACITIES_TRIED: usize = 64;
/// ... up to so many times the highest load, where none piled up.
const CAPACITY_FACTOR_MAX: f64 = 8.0;
/// How steeply a wait grows beside its pole at the capacity: powers of two.
const STEEPNESSES: [f64; 6] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
/// How likely each of `VARYING_SHARES` is before anything is seen.
const VARYING_WEIGHTS: [f64; 5] = [0.15, 0.25, 0.3, 0.2, 0.1];
/// A target that varies misses its objective in its slow phases: its line lies below the load at which it does on average by so much
/// of that (simulated: about as much where it wanders by 3 % for 5 or 20 s and by 5 % for 2 s).
const SLOW_SHARE: f64 = 0.7;
/// Of the logarithm: what is less likely than the likeliest by more does not matter.
const NEGLIGIBLE_LOG: f64 = 25.0;
/// How far the model may be off at the line, of the logarithm of a time, and how much more so a factor e away from it.
const MODEL_ERROR: f64 = 0.06;
const MODEL_ERROR_FAR: f64 = 0.8;
/// The logarithm of 1 and a wait so short, by what is taken without load, is known to the last digit from three terms of its series.
const SHORT_WAIT: f64 = 1e-4;
/// Within this share of the capacity a level of some seconds may or may not pile up.
const PILE_UP_ERROR: f64 = 0.012;

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

    /// What a law says of it by which it waits so long by the limit, where the line has the wait 1.
    fn expected(&self, wait: f64, growth: f64) -> Expected {
        // Beyond its capacity a target's times are as long as the level.
        let is_beyond = wait.is_infinite();
        Expected {
            wait: if is_beyond { 0.0 } else { wait },
            growth: if is_beyond { 0.0 } else { growth },
            wandering: if is_beyond { 0.0 } else { self.wandering },
            beyond: is_beyond.then(|| self.log.max(0.5)),
            log: self.log,
            off_max: if self.is_bound { 0.0 } else { f64::INFINITY },
        }
    }
}

/// What a law says of a level.
#[derive(Debug, Clone, Copy)]
struct Expected {
    /// How long it waits where the line waits for 1, and by how much that grows with the load, of the logarithms.
    wait: f64,
    growth: f64,
    /// By how much it wanders, where it waits for as long as the limit.
    wandering: f64,
    /// Beyond the capacity: what it comes to, as a logarithm.
    beyond: Option<f64>,
    /// What was seen, and by how much more than expected that may be.
    log: f64,
    off_max: f64,
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
        let mut sums = vec![Sums::default(); loads.len()];
        let mut fits = Fits::default();
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
                    let expected: Vec<Expected> = (self.levels.iter())
                        .map(|level| {
                            let is_below = level.load < capacity;
                            level.expected(if is_below { 0.0 } else { f64::INFINITY }, 0.0)
                        })
                        .collect();
                    let line = self.line(capacity);
                    let fits = fits.fit(&expected, &line, Scale { idle, wait: 1.0 });
                    let priors = of_capacity.map(|log| log + weight_of_step);
                    sums[nearest].add(&self.likelihoods(fits, priors));
                }
                for steepness in STEEPNESSES {
                    self.add_smooth(
                        &mut sums,
                        &mut fits,
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
        sums.into_iter().map(|sums| sums.logs()).collect()
    }

    /// A load as the line.
    fn line(&self, load: f64) -> Line {
        Line {
            load,
            own: self.levels.iter().map(|level| level.own(load)).collect(),
        }
    }

    /// Adds the laws of one capacity and steepness.
    fn add_smooth(&self, sums: &mut [Sums], fits: &mut Fits, lines: &[Line], law: Law) {
        let expected: Vec<Expected> = (self.levels.iter())
            .map(|level| level.expected(law.wait(level.load), law.growth(level.load)))
            .collect();
        let below = lines.iter().take_while(|line| line.load < law.capacity);
        for (sums, line) in sums.iter_mut().zip(below) {
            let scale = Scale {
                idle: law.idle,
                wait: (1.0 - law.idle) / law.wait(line.load),
            };
            let fits = fits.fit(&expected, line, scale);
            sums.add(&self.likelihoods(fits, law.of_capacity));
        }
    }

    /// The likelihoods of how levels fit, over how much a target may vary from level to level; `priors` are logarithms.
    fn likelihoods(&self, fits: &[Fit], priors: Logs) -> Likelihoods {
        let mut logs = priors;
        for (log, weight) in logs.iter_mut().zip(self.varying) {
            *log += weight;
        }
        Likelihoods::new(logs, fits)
    }
}

/// A value by the limit is idle + wait × what a law expects.
#[derive(Debug, Clone, Copy)]
struct Scale {
    idle: f64,
    wait: f64,
}

/// How well levels fit, with room for those of one law and line after the other.
#[derive(Debug, Default)]
struct Fits {
    /// Of each level, the logarithm of what it comes to, and what it wanders by, the square.
    middles: Vec<f64>,
    wandered: Vec<f64>,
    fits: Vec<Fit>,
}

impl Fits {
    /// In three steps, as a loop that calls a logarithm keeps nothing else at hand.
    fn fit(&mut self, expected: &[Expected], line: &Line, scale: Scale) -> &[Fit] {
        let (by_idle, log_of_idle) = (1.0 / scale.idle, scale.idle.ln());
        let count = expected.len();
        self.middles.resize(count, 0.0);
        self.wandered.resize(count, 0.0);
        self.fits.resize(count, Fit::default());
        let rooms = self
            .middles
            .iter_mut()
            .zip(&mut self.wandered)
            .zip(&mut self.fits);
        for (level, ((middle, wandered), fit)) in expected.iter().zip(rooms) {
            let wait = level.wait * scale.wait;
            let part = wait / (scale.idle + wait);
            let wandering = least(level.wandering * wait, WANDERING_MAX) * part;
            *middle = wait * by_idle;
            *wandered = wandering * wandering;
            fit.growth = level.growth * part;
        }
        for middle in &mut self.middles {
            let more = *middle;
            *middle = log_of_idle
                + if more < SHORT_WAIT {
                    more * (1.0 - more * (0.5 - more / 3.0))
                } else {
                    (1.0 + more).ln()
                };
        }
        let rooms = self.middles.iter().zip(&self.wandered).zip(&mut self.fits);
        for ((level, own), ((middle, wandered), fit)) in expected.iter().zip(&line.own).zip(rooms) {
            let (middle, wandered) = match level.beyond {
                None => (*middle, *wandered),
                Some(log) => (log, WANDERING_MAX * WANDERING_MAX),
            };
            // What wanders is usually less than its mean, and a queue begins empty.
            let off = least(level.log - middle + wandered, level.off_max);
            fit.off_squared = off * off;
            fit.variance = own + wandered;
        }
        &self.fits
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
            let part = load / self.capacity;
            power(part, self.steepness) / (1.0 - part)
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

/// A power of one of `STEEPNESSES`: by squaring, a logarithm and an exponential take far longer.
fn power(part: f64, steepness: f64) -> f64 {
    let (mut power, mut reached) = if steepness < 1.0 {
        (part.sqrt(), 0.5)
    } else {
        (part, 1.0)
    };
    while reached < steepness {
        power *= power;
        reached *= 2.0;
    }
    power
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
