//! What the levels say of the line.

use crate::capacity::step::{LevelOutcome, Step, Unit};
use crate::estimate::Estimate;
use crate::slo::Term;
use crate::student::normal_beyond;

/// The range of a judged value is that of so many standard errors each way.
const RANGE_ERRORS: f64 = 2.8;
/// A range from less than this part of its upper end on is one from there on.
const RANGE_FACTOR_MAX: f64 = 30.0;
/// The value without load by the limit, at least, at most, and where no level has one.
const IDLE_MIN: f64 = 1e-4;
const IDLE_MAX: f64 = 0.98;
const IDLE_UNKNOWN: f64 = 0.1;
/// Values known worse than this do not tell how little the target takes without load.
const IDLE_ERROR_MAX: f64 = 0.25;
/// Values without load that differ by less are one and the same.
const SAME_IDLE: f64 = 0.02;
/// A level near the line that is to tell what even an idle target takes is held for so long, seconds.
const IDLE_SECONDS_MIN: f64 = 10.0;
/// No value is known better than this, of the logarithm.
const VALUE_ERROR_MIN: f64 = 0.02;
/// Levels of which more fail complete what is good.
const FAILED_SHARE_MAX: f64 = 0.01;
/// How far what overloaded levels completed may be off the capacity, as a share.
const CAPACITY_ERROR: f64 = 0.012;
/// So much do the seconds of a queue resemble the one before, at least.
const RESEMBLANCE_OF_QUEUES: f64 = 0.4;
/// The fastest of fewer requests say little.
const FASTEST_REQUESTS_MIN: u64 = 40;
/// The share of requests that are the fastest, and between which shares their density is taken.
const FASTEST_SHARES: [f64; 3] = [0.025, 0.05, 0.1];
/// What they take is known no better than this share.
const FASTEST_ERROR_MIN: f64 = 0.003;
/// What a target varies by is seen in them by this part: they are those of a level's fast phases.
const SHOWN_SHARE: f64 = 0.5;
/// Levels that say how much it varies.
const FASTEST_LEVELS_MIN: usize = 4;
/// What they say either way leaves this much of the probability.
const TOLD_PROBABILITY_MIN: f64 = 0.05;

/// What one level says.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) load: f64,
    /// `None` where no value is stationary.
    pub(super) value: Option<ValueByLimit>,
    /// It piled up; completed per second, with its standard error.
    pub(super) capacity: Option<(f64, f64)>,
    /// It was carried: the target can do more.
    pub(super) is_carried: bool,
    /// How many seconds it was held, and how much these resembled the one before.
    pub(super) seconds: f64,
    pub(super) resemblance: Option<f64>,
    /// What its fastest requests take, which wait for nobody.
    pub(super) fastest: Option<FastestTime>,
    /// It changed late in it.
    pub(super) is_late: bool,
}

/// A low percentile of a level's requests, as a logarithm.
#[derive(Debug, Clone, Copy)]
pub(super) struct FastestTime {
    pub(super) log: f64,
    /// Its standard error.
    pub(super) error: f64,
}

impl FastestTime {
    fn new(step: &Step) -> Option<Self> {
        let count = step.durations.count();
        if count < FASTEST_REQUESTS_MIN || !step.outcome.is_carried() {
            return None;
        }
        let percentiles = step.durations.percentiles(&FASTEST_SHARES)?;
        let [low, middle, high] = percentiles[..] else {
            return None;
        };
        if middle <= 0.0 {
            return None;
        }
        let [before, at, after] = FASTEST_SHARES;
        let shares = (at * (1.0 - at) / count as f64).sqrt();
        let error = shares * (high - low) / (after - before) / middle;
        Some(Self {
            log: middle.ln(),
            error: error.max(FASTEST_ERROR_MIN),
        })
    }
}

/// A level's value by its limit, as a logarithm.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueByLimit {
    pub(super) value: f64,
    /// Its standard error.
    pub(super) error: f64,
    /// It is at most this: nothing failed.
    pub(super) is_bound: bool,
}

impl Seen {
    pub(super) fn new(step: &Step, place: usize, term: &Term, unit: Unit) -> Self {
        let piles_up = step.outcome == LevelOutcome::Overloaded;
        let value = step.terms.get(place).and_then(|judged| judged.value);
        let value = value
            .filter(|_| !piles_up)
            .and_then(|value| by_limit(term, value))
            .map(|value| ValueByLimit {
                error: value.error.hypot(seconds_error(term, step.held as f64)),
                ..value
            });
        let capacity = (piles_up && unit == Unit::Rate && step.sustained > 0.0).then(|| {
            let whole = step.throughput;
            let is_good = step.errors <= FAILED_SHARE_MAX;
            let rate = if is_good {
                whole.middle
            } else {
                step.sustained
            };
            let error = (whole.high - whole.low) / 4.0;
            (rate, error.max(CAPACITY_ERROR * rate))
        });
        Self {
            load: step.load,
            value,
            capacity,
            is_carried: step.outcome.is_carried(),
            seconds: step.held as f64,
            resemblance: step.resemblance.filter(|_| !piles_up),
            fastest: FastestTime::new(step),
            is_late: step.late > 0,
        }
    }
}

/// Failures come in some seconds and not in others, and a level may have ended at its worst: how far a share of so many seconds is off
/// by that, of the logarithm.
fn seconds_error(term: &Term, seconds: f64) -> f64 {
    if term.statistic.is_share() {
        1.0 / seconds.max(1.0).sqrt()
    } else {
        0.0
    }
}

/// A value by its limit; `None` where it has none.
fn by_limit(term: &Term, value: Estimate) -> Option<ValueByLimit> {
    let (limit, value) = match term.allowed_failures() {
        Some(allowed) if term.statistic.wants_more() => {
            let failed = Estimate {
                low: 1.0 - value.high,
                middle: 1.0 - value.middle,
                high: 1.0 - value.low,
            };
            (allowed, failed)
        }
        Some(allowed) => (allowed, value),
        None => (term.limit, value),
    };
    if limit <= 0.0 || value.high <= 0.0 || !value.high.is_finite() {
        return None;
    }
    let floor = value.high / RANGE_FACTOR_MAX;
    let is_bound = value.middle < floor;
    let middle = if is_bound { value.high } else { value.middle };
    let error = (value.high / value.low.max(floor)).ln() / (2.0 * RANGE_ERRORS);
    Some(ValueByLimit {
        value: (middle / limit).ln(),
        error: error.max(VALUE_ERROR_MIN),
        is_bound,
    })
}

/// A target that later carried more than it completed in a level was colder in that.
pub(super) fn without_colder(mut seen: Vec<Seen>) -> Vec<Seen> {
    let mut most = 0.0_f64;
    for one in seen.iter_mut().rev() {
        one.capacity = one
            .capacity
            .filter(|(rate, error)| most <= rate + 2.0 * error);
        if one.is_carried {
            most = most.max(one.load);
        }
    }
    seen
}

/// What a value by its limit may be without load: the least seen, and the least of those that are well known, which levels of
/// few requests are not. A cold target's first levels are not its idle time either, and of requests of which few are slow the usual
/// and the least of levels that were held for long tell more.
pub(super) fn idle_values(seen: &[Seen]) -> Vec<f64> {
    let carried = seen.iter().filter(|one| one.is_carried).map(|one| one.load);
    let half = 0.5 * carried.fold(0.0, f64::max);
    let values = |is_asked: &dyn Fn(&Seen, &ValueByLimit) -> bool| {
        let values = seen.iter().filter_map(|one| Some((one, one.value?)));
        let values = values.filter(|(one, value)| is_asked(one, value));
        let mut values: Vec<f64> = values.map(|(_, value)| value.value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let is_known = |value: &ValueByLimit| value.error <= IDLE_ERROR_MAX && !value.is_bound;
    let little = values(&|one, value| one.load <= half && is_known(value));
    let tried = [
        values(&|_, _| true).first().copied(),
        values(&|_, value| is_known(value)).first().copied(),
        little.get(little.len() / 2).copied(),
        values(&|one, value| one.seconds >= IDLE_SECONDS_MIN && one.load > half && is_known(value))
            .first()
            .copied(),
    ];
    let mut tried: Vec<f64> = tried
        .into_iter()
        .flatten()
        .map(|value| value.exp().clamp(IDLE_MIN, IDLE_MAX))
        .collect();
    tried.sort_by(f64::total_cmp);
    tried.dedup_by(|a, b| (*a / *b - 1.0).abs() < SAME_IDLE);
    if tried.is_empty() {
        tried.push(IDLE_UNKNOWN);
    }
    tried
}

/// How much the seconds of levels above half of the highest carried resemble each other.
pub(super) fn queueing(seen: &[Seen]) -> f64 {
    let carried = seen.iter().filter(|one| one.is_carried).map(|one| one.load);
    let least = 0.5 * carried.fold(0.0, f64::max);
    let (mut sum, mut seconds) = (0.0, 0.0);
    for one in seen.iter().filter(|one| one.load >= least) {
        if let Some(resemblance) = one.resemblance {
            sum += resemblance * one.seconds;
            seconds += one.seconds;
        }
    }
    if seconds > 0.0 {
        (sum / seconds / RESEMBLANCE_OF_QUEUES).clamp(0.0, 1.0)
    } else {
        1.0
    }
}

/// How likely it is that the fastest requests of levels differ by as little, and by as much, as they do, were the target to vary by this
/// share from level to level. Near the line, too, some wait for nobody, so that it is told over the whole search.
pub(super) fn steadiness(seen: &[Seen], varying: f64) -> f64 {
    let fastest: Vec<FastestTime> = seen.iter().filter_map(|one| one.fastest).collect();
    if fastest.len() < FASTEST_LEVELS_MIN || seen.iter().any(|one| one.is_late) {
        return 1.0;
    }
    let shown = SHOWN_SHARE * varying;
    let weight = |one: &FastestTime| 1.0 / (one.error * one.error + shown * shown);
    let weights: f64 = fastest.iter().map(weight).sum();
    let mean = fastest.iter().map(|one| weight(one) * one.log).sum::<f64>() / weights;
    let squares: f64 = fastest
        .iter()
        .map(|one| weight(one) * (one.log - mean).powi(2))
        .sum();
    // Wilson and Hilferty: the cube root of a chi-squared number is nearly normal.
    let freedom = fastest.len() as f64 - 1.0;
    let off = 2.0 / (9.0 * freedom);
    let score = ((squares / freedom).cbrt() - (1.0 - off)) / off.sqrt();
    let as_little = normal_beyond(-score).max(TOLD_PROBABILITY_MIN);
    let as_much = (2.0 * normal_beyond(score)).clamp(TOLD_PROBABILITY_MIN, 1.0);
    as_little * as_much
}
