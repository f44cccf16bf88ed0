//! A measure's value over a side, and how much values of it spread.

use loadline_metrics::{Censored, Histogram, ValueBounds};

use super::{ComparedRun, ComparedWindow, Measure};

/// Fewer windows than this say nothing about blocks.
const WINDOWS_MIN: usize = 10;
/// From so many on there are [`BLOCKS_MAX`], else half as many.
const LONG_RUN_WINDOWS_MIN: usize = 20;
/// Blocks a single run is cut into: enough for a spread, few enough to be long.
const BLOCKS_MAX: usize = 10;
/// A block with fewer requests has no percentile worth the name.
const REQUESTS_MIN: f64 = 20.0;

/// Values of one side, on the scale on which sides are subtracted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) mean: f64,
    pub(super) variance_of_mean: f64,
    pub(super) freedom: f64,
    /// How many values.
    pub(super) count: f64,
    /// They are blocks of one run.
    pub(super) is_single: bool,
}

impl Spread {
    /// Of nothing that spreads.
    pub(super) const NONE: Self = Self {
        mean: 0.0,
        variance_of_mean: 0.0,
        freedom: 0.0,
        count: 0.0,
        is_single: false,
    };
}

/// The measure over all requests of a side; `None` without any.
pub(super) fn whole(measure: Measure, runs: &[ComparedRun]) -> Option<ValueBounds> {
    let windows: Vec<&ComparedWindow> = runs.iter().flat_map(|run| &run.windows).collect();
    of_windows(measure, &windows)
}

/// The scale on which sides are subtracted: ratios become differences. A share of errors
/// stays what it is, as it may be zero.
pub(super) fn scale(measure: Measure, value: f64) -> f64 {
    if measure.is_share() {
        value
    } else {
        value.max(f64::MIN_POSITIVE).ln()
    }
}

/// Values by run, or by block of a single run; `None` when there are too few.
pub(super) fn spread(measure: Measure, runs: &[ComparedRun]) -> Option<Spread> {
    if let [run] = runs {
        return of_blocks(measure, run);
    }
    of_runs(measure, runs)
}

/// Values by run; `None` for fewer than two.
pub(super) fn of_runs(measure: Measure, runs: &[ComparedRun]) -> Option<Spread> {
    let values: Option<Vec<f64>> = runs
        .iter()
        .map(|run| {
            let windows: Vec<&ComparedWindow> = run.windows.iter().collect();
            of_windows(measure, &windows).map(|value| scale(measure, value.at_least))
        })
        .collect();
    let values = values.filter(|values| values.len() >= 2)?;
    let (mean, variance) = mean_and_variance(&values);
    let count = values.len() as f64;
    Some(Spread {
        mean,
        variance_of_mean: variance / count,
        freedom: count - 1.0,
        count,
        is_single: false,
    })
}

fn of_blocks(measure: Measure, run: &ComparedRun) -> Option<Spread> {
    if run.windows.len() < WINDOWS_MIN {
        return None;
    }
    let windows: Vec<&ComparedWindow> = run.windows.iter().collect();
    // What does not fill a block is left out at the beginning, where a run settles.
    let blocks = if windows.len() < LONG_RUN_WINDOWS_MIN {
        BLOCKS_MAX / 2
    } else {
        BLOCKS_MAX
    };
    let length = windows.len() / blocks;
    let used = &windows[windows.len() - length * blocks..];
    let values: Option<Vec<f64>> = used
        .chunks(length)
        .map(|block| {
            // Times are those of good answers; where all fail, there is none to compare.
            let ended: f64 = block.iter().map(|window| window.requests).sum();
            let cut: u64 = block.iter().map(|window| window.cut.count()).sum();
            let requests = ended + cut as f64;
            let enough = requests >= REQUESTS_MIN || measure == Measure::Rate;
            let value = enough.then(|| of_windows(measure, block)).flatten();
            let value = value.map(|value| value.at_least);
            // A block in which nothing ended has no ratio to others: half a request stands for none.
            let none = (measure == Measure::Rate).then(|| 0.5 / length as f64);
            value.or(none).map(|value| scale(measure, value))
        })
        .collect();
    let values = values?;
    let (mean, variance) = mean_and_variance(&values);
    let count = values.len() as f64;
    // What is left of autocorrelation makes the blocks worth fewer than they are.
    let rho = autocorrelation(&values, mean).clamp(0.0, 0.8);
    let worth = (count * (1.0 - rho) / (1.0 + rho)).max(2.0);
    Some(Spread {
        mean,
        variance_of_mean: variance / worth,
        freedom: worth - 1.0,
        count,
        is_single: true,
    })
}

/// The bad ones and all of them in a window.
pub(super) fn bad_and_all(measure: Measure, window: &ComparedWindow) -> (f64, f64) {
    match measure {
        Measure::Checks => (window.checks_failed, window.checks),
        // What was sent and cut off was never answered either.
        Measure::Dropped => {
            let unanswered = window.dropped + window.cut.count() as f64;
            (unanswered.min(window.planned), window.planned)
        }
        _ => (window.failed, window.requests),
    }
}

pub(super) fn of_windows(measure: Measure, windows: &[&ComparedWindow]) -> Option<ValueBounds> {
    let sum = |of: fn(&ComparedWindow) -> f64| windows.iter().map(|window| of(window)).sum::<f64>();
    match measure {
        Measure::Rate => {
            let requests = sum(|window| window.requests - window.drained);
            (requests > 0.0).then(|| ValueBounds::exactly(requests / windows.len() as f64))
        }
        Measure::Errors | Measure::Checks | Measure::Dropped => {
            let pairs = windows.iter().map(|window| bad_and_all(measure, window));
            let (bad, all) = pairs.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            (all > 0.0).then(|| ValueBounds::exactly(bad / all))
        }
        Measure::Mean => durations(windows).mean(),
        Measure::P50 => durations(windows).percentile(0.5),
        Measure::P95 => durations(windows).percentile(0.95),
    }
}

/// How long requests took that did not fail; those that were cut took longer than their age.
fn durations(windows: &[&ComparedWindow]) -> Censored {
    let (mut ended, mut cut) = (Histogram::new(), Histogram::new());
    let mut failed = Histogram::new();
    for window in windows {
        ended.merge(&window.durations);
        failed.merge(&window.failed_durations);
        cut.merge(&window.cut);
    }
    Censored::joining(&ended.without(&failed), &cut)
}

/// The 95th percentile of failed requests, ms.
pub(super) fn failed_p95(runs: &[ComparedRun]) -> Option<f64> {
    let mut failed = Histogram::new();
    for window in runs.iter().flat_map(|run| &run.windows) {
        failed.merge(&window.failed_durations);
    }
    failed.percentile(0.95)
}

/// Of the mean of independent values; `None` for fewer than two.
pub(super) fn variance_of_mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (values.len() >= 2).then(|| mean_and_variance(values).1 / count)
}

/// Of at least two values; the variance is the sample's.
fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (count - 1.0))
}

/// Of each value with the next.
fn autocorrelation(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    if squares <= 0.0 {
        return 0.0;
    }
    let pairs = values.windows(2);
    let products: f64 = pairs.map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    products / squares
}

/// Welch's degrees of freedom.
pub(super) fn freedom(a: Spread, b: Spread) -> f64 {
    let part = |s: Spread| s.variance_of_mean.powi(2) / s.freedom;
    let below = part(a) + part(b);
    if below <= 0.0 {
        return a.freedom + b.freedom;
    }
    ((a.variance_of_mean + b.variance_of_mean).powi(2) / below).max(1.0)
}
