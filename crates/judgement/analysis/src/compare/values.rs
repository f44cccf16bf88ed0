//! A measure's value over a side, and how much values of it spread.

use loadline_metrics::{Censored, Histogram, ValueBounds};

use super::{ComparedRun, ComparedWindow, Measure};

/// Runs a side from which on runs say how they differ.
pub(super) const RUNS_MIN: u32 = 3;
/// Fewer windows than this say nothing about blocks.
pub(super) const WINDOWS_MIN: u32 = 10;
/// From so many on there are [`BLOCKS_MAX`], else half as many.
const LONG_RUN_WINDOWS_MIN: usize = 20;
/// Blocks a single run is cut into: enough for a spread, few enough to be long.
const BLOCKS_MAX: usize = 10;
/// Blocks of a run with few requests, which are longer and fewer: with less there is no spread.
const BLOCKS_MIN: usize = 4;
/// Variances of the runs of two sides that differ by a greater factor are not alike: with four runs a side chance alone makes them so in
/// one comparison of ten.
const ALIKE_FACTOR_MAX: f64 = 9.0;
/// A block with fewer requests has no 95th percentile worth the name, ...
const REQUESTS_OF_TAIL_MIN: f64 = 20.0;
/// ... and with fewer than this no mean or median.
const REQUESTS_OF_MIDDLE_MIN: f64 = 5.0;

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

/// How many requests a block of a measure takes at least.
fn requests_of_block(measure: Measure) -> f64 {
    match measure {
        Measure::P95 => REQUESTS_OF_TAIL_MIN,
        _ => REQUESTS_OF_MIDDLE_MIN,
    }
}

/// How many requests whose times are known a single run takes at least for a measure's spread.
pub(super) fn requests_needed(measure: Measure) -> f64 {
    requests_of_block(measure) * BLOCKS_MIN as f64
}

/// Requests of windows whose times are known, those that were cut included.
pub(super) fn timed(windows: &[&ComparedWindow]) -> f64 {
    let of = |window: &&ComparedWindow| window.requests - window.failed + window.cut.count() as f64;
    windows.iter().map(of).sum()
}

/// The windows of a run in blocks; `None` when it is too short, or has too few requests.
fn blocks<'a>(
    measure: Measure,
    windows: &'a [&'a ComparedWindow],
) -> Option<Vec<&'a [&'a ComparedWindow]>> {
    if windows.len() < WINDOWS_MIN as usize {
        return None;
    }
    // What does not fill a block is left out at the beginning, where a run settles.
    let count = if windows.len() < LONG_RUN_WINDOWS_MIN {
        BLOCKS_MAX / 2
    } else {
        BLOCKS_MAX
    };
    let length = windows.len() / count;
    let used = &windows[windows.len() - length * count..];
    let even: Vec<&[&ComparedWindow]> = used.chunks(length).collect();
    let are_enough = |least: f64| even.iter().all(|block| timed(block) >= least);
    if measure == Measure::Rate || are_enough(REQUESTS_OF_TAIL_MIN) {
        return Some(even);
    }
    filled(windows, length, requests_of_block(measure))
}

/// Blocks of at least `length` windows that have as many requests as it takes; what is left
/// belongs to the last one.
fn filled<'a>(
    windows: &'a [&'a ComparedWindow],
    length: usize,
    requests: f64,
) -> Option<Vec<&'a [&'a ComparedWindow]>> {
    let (mut ends, mut start) = (Vec::new(), 0);
    for end in 1..=windows.len() {
        if end - start >= length && timed(&windows[start..end]) >= requests {
            ends.push(end);
            start = end;
        }
    }
    *ends.last_mut()? = windows.len();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let blocks: Vec<_> = starts
        .zip(&ends)
        .map(|(from, to)| &windows[from..*to])
        .collect();
    (blocks.len() >= BLOCKS_MIN).then_some(blocks)
}

fn of_blocks(measure: Measure, run: &ComparedRun) -> Option<Spread> {
    let windows: Vec<&ComparedWindow> = run.windows.iter().collect();
    let values: Option<Vec<f64>> = blocks(measure, &windows)?
        .into_iter()
        .map(|block| {
            // Times are those of good answers; where all fail, there is none to compare.
            let value = of_windows(measure, block).map(|value| value.at_least);
            // A block in which nothing ended has no ratio to others: half a request stands for none.
            let none = (measure == Measure::Rate).then(|| 0.5 / block.len() as f64);
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

/// The degrees of freedom of a difference: those of both sides together where their runs spread alike, else Welch's. Four runs a side show
/// spreads that differ by chance, and these would count as much as if there were fewer runs.
pub(super) fn freedom(a: Spread, b: Spread) -> f64 {
    let part = |s: Spread| s.variance_of_mean.powi(2) / s.freedom;
    let below = part(a) + part(b);
    if below <= 0.0 || are_alike(a, b) {
        return a.freedom + b.freedom;
    }
    ((a.variance_of_mean + b.variance_of_mean).powi(2) / below).max(1.0)
}

/// Whether runs of both sides spread by about as much. Blocks of single runs and two runs say nothing of that, and of sides with other numbers
/// of runs the smaller one makes most of the error, with its own few degrees of freedom.
fn are_alike(a: Spread, b: Spread) -> bool {
    let [of_a, of_b] = [a, b].map(|side| side.variance_of_mean * side.count);
    let are_runs = !a.is_single && !b.is_single;
    let are_as_many =
        a.count.min(b.count) >= f64::from(RUNS_MIN) && (a.count - b.count).abs() < 1.5;
    let is_as_much = of_a <= ALIKE_FACTOR_MAX * of_b && of_b <= ALIKE_FACTOR_MAX * of_a;
    are_runs && are_as_many && is_as_much
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(variance_of_run: f64, count: f64) -> Spread {
        Spread {
            mean: 0.0,
            variance_of_mean: variance_of_run / count,
            freedom: count - 1.0,
            count,
            is_single: false,
        }
    }

    #[test]
    fn sides_that_spread_alike_have_the_freedom_of_all_their_runs() {
        let of = |a, b| freedom(side(a, 4.0), side(b, 4.0));
        assert!((of(1.0, 1.0) - 6.0).abs() < 1e-9);
        assert!((of(1.0, 8.9) - 6.0).abs() < 1e-9 && (of(8.9, 1.0) - 6.0).abs() < 1e-9);
        let welch = 10.1_f64.powi(2) / (1.0 / 3.0 + 9.1_f64.powi(2) / 3.0);
        assert!((of(1.0, 9.1) - welch).abs() < 1e-9, "{}", of(1.0, 9.1));
        assert!((of(0.0, 1.0) - 3.0).abs() < 1e-9);
        assert!((of(0.0, 0.0) - 6.0).abs() < 1e-9);
    }

    #[test]
    fn two_runs_and_sides_of_other_sizes_are_not_pooled() {
        let of = |n, m| freedom(side(1.0, n), side(2.0, m));
        assert!((of(3.0, 4.0) - 5.0).abs() < 1e-9, "a cold run was left out");
        assert!(of(2.0, 2.0) < 1.9 && of(2.0, 6.0) < 4.0 && of(3.0, 5.0) < 5.9);
    }

    #[test]
    fn blocks_of_single_runs_are_not_pooled() {
        let block = Spread {
            is_single: true,
            ..side(1.0, 10.0)
        };
        let other = side(4.0, 10.0);
        assert!(freedom(block, other) < 18.0 - 1.0);
        assert!((freedom(side(1.0, 10.0), other) - 18.0).abs() < 1e-9);
    }
}
