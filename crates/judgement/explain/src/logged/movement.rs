//! Whether the number of a line moves with what callers lose, second by second.
//!
//! Lines are counted between looks, callers by the second: growth is spread over the seconds between two looks,
//! both are smoothed over [`SMOOTHING_SECONDS`], and a line may come up to [`LAG_SECONDS_MAX`] before or after
//! the failure it is about. Then either holds:
//! - the two are correlated by at least [`CORRELATION_MIN`] (Pearson; [`STEADY_CORRELATION_MIN`] where the
//!   callers' number hardly changes), and of the lines at least [`MOVING_SHARE_MIN`] come and go with it: in
//!   lines = a + b · lost, b · lost is that share. A background that is there all along is `a`;
//! - the callers' number hardly changes, and there is a line for each of them, in each third of the run, off by
//!   at most [`MATCH_TOLERANCE`].

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;
use loadline_record::signals::SignalPoint;

use super::super::input::{ExplainedRun, share};

/// Fewer seconds tell nothing.
const SECONDS_MIN: usize = 8;
/// The log is looked at from some time within the first second on.
const EDGE_SECONDS: usize = 1;
const SMOOTHING_SECONDS: usize = 3;
const LAG_SECONDS_MAX: usize = 2;
const CORRELATION_MIN: f64 = 0.7;
const STEADY_CORRELATION_MIN: f64 = 0.85;
/// A number whose deviation is below this share of its mean hardly changes.
const STEADY_VARIATION_MAX: f64 = 0.2;
const MOVING_SHARE_MIN: f64 = 0.5;
const MATCH_TOLERANCE: f64 = 0.25;
/// From this share of failed requests on they are what callers lose; below, slow ones are.
const FAILED_SHARE_MIN: f64 = 0.01;
/// A slow request takes so many times as long as the fastest tenth, and so many ms more.
const SLOW_FACTOR_MIN: f64 = 3.0;
const SLOW_MS_MIN: f64 = 20.0;
/// The middle of the fastest tenth.
const FASTEST_PERCENTILE: f64 = 0.05;

/// What callers lose in each second.
pub(in super::super) struct CallerLoss {
    from_ms: u64,
    /// Failed requests, or slow ones where hardly any fails.
    lost: Vec<f64>,
    requests: Vec<f64>,
}

/// How a number of lines moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum LineMovement {
    /// With what callers lose.
    Together,
    /// What callers lose hardly changes, so nothing tells what moves with it.
    Untold,
    /// By itself, or too little is known.
    Apart,
}

impl CallerLoss {
    pub(in super::super) fn new(run: &ExplainedRun) -> Self {
        let windows = &run.windows;
        let requests: Vec<f64> = windows.iter().map(|window| window.requests).collect();
        let failed: Vec<f64> = windows.iter().map(|window| window.failed).collect();
        let is_failing = share(failed.iter().sum(), requests.iter().sum()) >= FAILED_SHARE_MIN;
        Self {
            from_ms: run.from_ms,
            lost: if is_failing { failed } else { slow(windows) },
            requests,
        }
    }

    /// All that is lost.
    pub(super) fn total(&self) -> f64 {
        self.lost.iter().sum()
    }

    /// By how much a counter grows in each second, up to the last look: what came later is not known.
    pub(super) fn growth(&self, points: &[SignalPoint]) -> Vec<f64> {
        let looked_until = points.last().map_or(0, |last| last.at_ms);
        let known = looked_until.saturating_sub(self.from_ms) / 1000;
        let known = usize::try_from(known).unwrap_or(usize::MAX);
        let mut seconds = vec![0.0; self.lost.len().min(known)];
        for pair in points.windows(2) {
            let (from, to) = (pair[0].at_ms, pair[1].at_ms);
            let grown = (pair[1].value - pair[0].value).max(0.0);
            let length = millis(to - from);
            if grown <= 0.0 || to <= self.from_ms {
                continue;
            }
            let first = from.saturating_sub(self.from_ms) / 1000;
            let last = (to - self.from_ms).div_ceil(1000);
            for second in first..last {
                let begin = self.from_ms + second * 1000;
                let within = to.min(begin + 1000).saturating_sub(from.max(begin));
                let place = usize::try_from(second).ok();
                if let Some(sum) = place.and_then(|place| seconds.get_mut(place)) {
                    *sum += grown * millis(within) / length;
                }
            }
        }
        seconds
    }

    /// Lines by the second, against what callers lose.
    pub(super) fn movement(&self, lines: &[f64]) -> LineMovement {
        movement(lines, &self.lost)
    }

    /// Lines by the second, against all requests: what is done for each of them, again and again.
    pub(super) fn movement_with_requests(&self, lines: &[f64]) -> LineMovement {
        movement(lines, &self.requests)
    }
}

fn millis(number: u64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Requests that take much longer than the fastest tenth.
fn slow(windows: &[ComparedWindow]) -> Vec<f64> {
    let mut all = Histogram::default();
    windows
        .iter()
        .for_each(|window| all.merge(&window.durations));
    let fastest = all.percentile(FASTEST_PERCENTILE).unwrap_or(0.0);
    let limit = (SLOW_FACTOR_MIN * fastest).max(fastest + SLOW_MS_MIN);
    let count = |window: &ComparedWindow| {
        let known = window.durations.count();
        let buckets = window.durations.buckets().into_iter();
        let slow: u64 = buckets
            .filter(|(bucket, _)| bucket.middle() > limit)
            .map(|(_, count)| count)
            .sum();
        let number = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        window.requests * share(number(slow), number(known))
    };
    windows.iter().map(count).collect()
}

fn movement(lines: &[f64], lost: &[f64]) -> LineMovement {
    let known = lines.len().min(lost.len());
    let first = EDGE_SECONDS.min(known);
    let (lines, lost) = (&lines[first..known], &lost[first..known]);
    let (lines_all, lost_all) = (lines.iter().sum::<f64>(), lost.iter().sum::<f64>());
    if lost.len() < SECONDS_MIN || lines_all <= 0.0 || lost_all <= 0.0 {
        return LineMovement::Apart;
    }
    let (smooth_lines, smooth_lost) = (smoothed(lines), smoothed(lost));
    let spread = Spread::of(&smooth_lost);
    let is_steady = spread.deviation <= STEADY_VARIATION_MAX * spread.mean;
    let least = if is_steady {
        STEADY_CORRELATION_MIN
    } else {
        CORRELATION_MIN
    };
    let is_correlated = lagged(&smooth_lines, &smooth_lost)
        .any(|fit| fit.correlation >= least && fit.moving_share >= MOVING_SHARE_MIN);
    if is_correlated || (is_steady && is_matched(lines, lost)) {
        LineMovement::Together
    } else if is_steady {
        LineMovement::Untold
    } else {
        LineMovement::Apart
    }
}

/// A line for each, in each third.
fn is_matched(lines: &[f64], lost: &[f64]) -> bool {
    let third = lost.len().div_ceil(3);
    let mut thirds = lines.chunks(third).zip(lost.chunks(third));
    thirds.all(|(lines, lost)| {
        let (lines, lost) = (lines.iter().sum::<f64>(), lost.iter().sum::<f64>());
        (lines - lost).abs() <= MATCH_TOLERANCE * lost
    })
}

fn smoothed(seconds: &[f64]) -> Vec<f64> {
    let few = seconds.windows(SMOOTHING_SECONDS);
    few.map(|few| few.iter().sum()).collect()
}

struct Spread {
    mean: f64,
    deviation: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Self {
        let count = f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX)).max(1.0);
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            mean,
            deviation: (squares / count).sqrt(),
        }
    }
}

/// Lines = a + b · lost.
struct LineFit {
    correlation: f64,
    /// Of the lines, those that come and go with what is lost: b · lost.
    moving_share: f64,
}

/// The fits with the lines later, or earlier, by some seconds.
fn lagged<'a>(lines: &'a [f64], lost: &'a [f64]) -> impl Iterator<Item = LineFit> + 'a {
    let count = lines.len().min(lost.len());
    let lags = 0..=LAG_SECONDS_MAX.min(count.saturating_sub(SECONDS_MIN / 2));
    lags.flat_map(move |lag| {
        let later = (&lines[lag..count], &lost[..count - lag]);
        let earlier = (&lines[..count - lag], &lost[lag..count]);
        [later, earlier]
    })
    .filter_map(|(lines, lost)| fit(lines, lost))
}

fn fit(lines: &[f64], lost: &[f64]) -> Option<LineFit> {
    let (of_lines, of_lost) = (Spread::of(lines), Spread::of(lost));
    let count = f64::from(u32::try_from(lines.len()).ok()?);
    let both = lines.iter().zip(lost);
    let product: f64 = both
        .map(|(line, lost)| (line - of_lines.mean) * (lost - of_lost.mean))
        .sum();
    let covariance = product / count;
    let is_moving = of_lines.deviation > 0.0 && of_lost.deviation > 0.0 && of_lines.mean > 0.0;
    is_moving.then(|| LineFit {
        correlation: covariance / (of_lines.deviation * of_lost.deviation),
        moving_share: covariance / of_lost.deviation.powi(2) * of_lost.mean / of_lines.mean,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use LineMovement::{Apart, Together, Untold};

    /// A second's number, noisy by at most a share of it; the same for the same seed.
    fn noisy(mean: f64, noise: f64, seed: u64) -> Vec<f64> {
        let random = loadline_units::random::Random::new(seed);
        (0..60)
            .map(|_| mean * (1.0 + noise * (2.0 * random.unit() - 1.0)))
            .collect()
    }

    fn from(second: usize, numbers: &[f64]) -> Vec<f64> {
        let at = |(number, value): (usize, &f64)| if number < second { 0.0 } else { *value };
        numbers.iter().enumerate().map(at).collect()
    }

    #[test]
    fn lines_that_begin_with_the_failures_move_with_them_and_a_background_does_not() {
        for seed in 0..20 {
            let failed = from(25, &noisy(12.0, 0.3, seed));
            let lines = from(26, &noisy(9.0, 0.3, seed + 100));
            assert_eq!(movement(&lines, &failed), Together, "{seed}");
            let background = noisy(9.0, 0.5, seed + 200);
            assert_eq!(movement(&background, &failed), Apart, "{seed}");
            let over = from(45, &noisy(9.0, 0.3, seed + 300));
            assert_eq!(
                movement(&over, &from(10, &noisy(12.0, 0.3, seed))),
                Apart,
                "{seed}"
            );
        }
    }

    #[test]
    fn a_line_for_each_failure_of_a_steady_number_counts_and_another_number_does_not() {
        for seed in 0..20 {
            let failed = noisy(12.0, 0.1, seed);
            assert_eq!(
                movement(&noisy(12.0, 0.1, seed + 100), &failed),
                Together,
                "{seed}"
            );
            for mean in [0.2, 5.0, 60.0] {
                let lines = noisy(mean, 0.3, seed + 200);
                assert_eq!(movement(&lines, &failed), Untold, "{mean} {seed}");
            }
            let thrice: Vec<f64> = failed.iter().map(|failed| 3.0 * failed).collect();
            assert_eq!(movement(&thrice, &failed), Together, "{seed}");
        }
    }

    #[test]
    fn half_a_background_hides_no_lines_that_move() {
        let failed = from(25, &noisy(12.0, 0.3, 1));
        let with = |share: f64| -> Vec<f64> {
            let background = noisy(1.0, 0.3, 2).into_iter();
            failed
                .iter()
                .zip(background)
                .map(|(failed, noise)| failed + share * noise)
                .collect()
        };
        assert_eq!(movement(&with(2.0), &failed), Together);
        assert_eq!(movement(&with(40.0), &failed), Apart);
    }

    #[test]
    fn growth_is_spread_over_the_seconds_between_two_looks() {
        let loss = CallerLoss {
            from_ms: 1000,
            lost: vec![1.0; 4],
            requests: vec![1.0; 4],
        };
        let point = |at_ms, value| SignalPoint { at_ms, value };
        let points = [
            point(500, 0.0),
            point(1500, 10.0),
            point(3500, 30.0),
            point(9000, 30.0),
        ];
        assert_eq!(loss.growth(&points), [10.0, 10.0, 5.0, 0.0]);
    }
}
