//! Whether the number of a line moves with what callers lose, second by second.
//!
//! Lines are counted between looks, callers by the second: growth is spread over the seconds between two looks,
//! both are smoothed over [`SMOOTHING_SECONDS`], and a line may come up to [`LAG_SECONDS_MAX`] before or after
//! the failure it is about. Then either holds:
//! - the two are correlated by at least [`CORRELATION_MIN`] (Pearson; [`STEADY_CORRELATION_MIN`] where the
//!   callers' number hardly changes), by at least [`BESIDE_TREND_MIN`] without their trends over the run (a load that
//!   grows makes everything grow), and of the lines at least [`MOVING_SHARE_MIN`] come and go with it: in
//!   lines = a + b · lost, b · lost is that share. A background that is there all along is `a`;
//! - the callers' number hardly changes, and there is a line for each of them: off by at most [`MATCH_TOLERANCE`]
//!   in all and [`THIRD_TOLERANCE`] in each third of the run, and correlated by [`MATCHED_CORRELATION_MIN`]
//!   unless the number is the same in all seconds.

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
const CORRELATION_MIN: f64 = 0.9;
const MOVING_SHARE_MIN: f64 = 0.7;
const BESIDE_TREND_MIN: f64 = 0.5;
/// A number whose deviation is below this share of its mean hardly changes, ...
const STEADY_VARIATION_MAX: f64 = 0.2;
const STEADY_CORRELATION_MIN: f64 = 0.85;
/// ... and below this one not at all.
const EVEN_VARIATION_MAX: f64 = 0.05;
const MATCH_TOLERANCE: f64 = 0.1;
const THIRD_TOLERANCE: f64 = 0.25;
const MATCHED_CORRELATION_MIN: f64 = 0.5;
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
    let (mut all, mut failed) = (Histogram::default(), Histogram::default());
    for window in windows {
        all.merge(&window.durations);
        failed.merge(&window.failed_durations);
    }
    // What fails at once is the fastest of all.
    let fastest = all
        .without(&failed)
        .percentile(FASTEST_PERCENTILE)
        .unwrap_or(0.0);
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
    let fits: Vec<LineFit> = lagged(&smooth_lines, &smooth_lost).collect();
    let is_correlated = fits.iter().any(|fit| {
        fit.correlation >= least
            && fit.moving_share >= MOVING_SHARE_MIN
            && fit.beside_trend >= BESIDE_TREND_MIN
    });
    let best = fits.iter().map(|fit| fit.correlation).fold(0.0, f64::max);
    if is_correlated || (is_steady && is_matched(lines, lost, best)) {
        LineMovement::Together
    } else if is_steady {
        LineMovement::Untold
    } else {
        LineMovement::Apart
    }
}

/// A line for each, in all and in each third, and second by second where the number of failures tells seconds apart.
fn is_matched(lines: &[f64], lost: &[f64], best: f64) -> bool {
    let is_near = |lines: &[f64], lost: &[f64], tolerance: f64| {
        let (lines, lost) = (lines.iter().sum::<f64>(), lost.iter().sum::<f64>());
        (lines - lost).abs() <= tolerance * lost
    };
    let third = lost.len().div_ceil(3);
    let mut thirds = lines.chunks(third).zip(lost.chunks(third));
    let spread = Spread::of(&smoothed(lost));
    let is_even = spread.deviation <= EVEN_VARIATION_MAX * spread.mean;
    is_near(lines, lost, MATCH_TOLERANCE)
        && thirds.all(|(lines, lost)| is_near(lines, lost, THIRD_TOLERANCE))
        && (is_even || best >= MATCHED_CORRELATION_MIN)
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
    /// The correlation of what is left of both without a straight line over the time: a load that grows makes
    /// everything grow.
    beside_trend: f64,
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
    let correlation = correlation(lines, lost)?;
    let slope = correlation * of_lines.deviation / of_lost.deviation;
    Some(LineFit {
        correlation,
        moving_share: slope * of_lost.mean / of_lines.mean,
        beside_trend: self::correlation(&without_trend(lines), &without_trend(lost))?,
    })
}

/// Pearson's; `None` where one of the two does not change.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (of_a, of_b) = (Spread::of(a), Spread::of(b));
    let count = f64::from(u32::try_from(a.len()).ok()?);
    let both = a.iter().zip(b);
    let product: f64 = both.map(|(a, b)| (a - of_a.mean) * (b - of_b.mean)).sum();
    let is_moving = of_a.deviation > 0.0 && of_b.deviation > 0.0;
    is_moving.then(|| product / count / (of_a.deviation * of_b.deviation))
}

/// What is left without a straight line over the time.
fn without_trend(values: &[f64]) -> Vec<f64> {
    let times: Vec<f64> = (0..u32::try_from(values.len()).unwrap_or(u32::MAX))
        .map(f64::from)
        .collect();
    let (of_times, of_values) = (Spread::of(&times), Spread::of(values));
    let Some(correlation) = correlation(&times, values) else {
        return values.to_vec();
    };
    let slope = correlation * of_values.deviation / of_times.deviation;
    let at = |(time, value): (&f64, &f64)| value - slope * (time - of_times.mean);
    times.iter().zip(values).map(at).collect()
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
                movement(&looked_at(&failed, 0.6), &failed),
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

    /// How failures, or a background, come over a minute.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Shape {
        Steady,
        Step,
        Ramp,
        Bursts,
    }

    const SHAPES: [Shape; 4] = [Shape::Steady, Shape::Step, Shape::Ramp, Shape::Bursts];

    /// Counts of a minute with about the noise of counts.
    fn drawn(shape: Shape, mean: f64, seed: u64) -> Vec<f64> {
        let random = loadline_units::random::Random::new(seed);
        let begin = 10.0 + 35.0 * random.unit();
        let period = 3.0 + 9.0 * random.unit();
        (0..60)
            .map(|second| {
                let at = f64::from(second);
                let level = match shape {
                    Shape::Steady => 1.0,
                    Shape::Step => f64::from(u8::from(at >= begin)),
                    Shape::Ramp => at / 30.0,
                    Shape::Bursts => f64::from(u8::from(at % period < 1.5)) * period / 1.5,
                };
                let noise: f64 = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
                let mean = mean * level;
                (mean + noise * mean.sqrt()).round().max(0.0)
            })
            .collect()
    }

    /// What is read of counts by looks at `offset` of each second.
    fn looked_at(seconds: &[f64], offset: f64) -> Vec<f64> {
        let before = std::iter::once(&0.0).chain(seconds);
        let pairs = before.zip(seconds);
        pairs
            .map(|(before, now)| (1.0 - offset) * before + offset * now)
            .collect()
    }

    /// Each with this probability.
    fn written(counts: &[f64], probability: f64, seed: u64) -> Vec<f64> {
        let random = loadline_units::random::Random::new(seed);
        let of = |count: &f64| {
            let each = std::iter::successors(Some(1.0), |number| Some(number + 1.0));
            let each = each.take_while(|number| number <= count);
            each.map(|_| f64::from(u8::from(random.unit() < probability)))
                .sum()
        };
        counts.iter().map(of).collect()
    }

    fn share_of(count: usize, all: u64) -> f64 {
        let number = |count: u64| f64::from(u32::try_from(count).unwrap());
        number(u64::try_from(count).unwrap()) / number(all)
    }

    const DRAWN: u64 = 1000;

    /// Backgrounds of all shapes beside failures of all shapes that are not theirs.
    #[test]
    fn hardly_any_drawn_background_passes_for_lines_of_the_failures() {
        let random = loadline_units::random::Random::new(43);
        let mut wrong = Vec::new();
        for seed in 0..DRAWN {
            for shape in SHAPES {
                let failed = drawn(shape, random_rate(&random), seed);
                let other = SHAPES[usize::try_from(seed % 4).unwrap()];
                let background = drawn(other, random_rate(&random), seed + 50_000);
                if movement(&looked_at(&background, random.unit()), &failed) == Together {
                    wrong.push((shape, other));
                }
            }
        }
        let share = share_of(wrong.len(), 4 * DRAWN);
        assert!(share <= 0.02, "{share}: {wrong:?}");
    }

    #[test]
    fn nearly_all_lines_of_the_failures_pass_where_each_failure_has_one() {
        let random = loadline_units::random::Random::new(44);
        for shape in SHAPES {
            let missed = |probability: f64| {
                let one = |seed: &u64| {
                    let failed = drawn(shape, random_rate(&random), *seed);
                    let lines = written(&failed, probability, *seed + 70_000);
                    movement(&looked_at(&lines, random.unit()), &failed) != Together
                };
                share_of((0..DRAWN).filter(one).count(), DRAWN)
            };
            let each = missed(1.0);
            // A look a second smears bursts of a second.
            let is_short = shape == Shape::Bursts;
            assert!(each <= 0.02 || is_short && each <= 0.1, "{shape:?}: {each}");
            // Every second failure is written: of a number that never changes, that tells too little.
            let half = missed(0.5);
            assert!(half <= 0.2 || shape == Shape::Steady, "{shape:?}: {half}");
        }
    }

    /// A second.
    fn random_rate(random: &loadline_units::random::Random) -> f64 {
        2.0 + 40.0 * random.unit()
    }
}
