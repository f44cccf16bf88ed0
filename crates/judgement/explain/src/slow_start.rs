//! Requests that are slow at first, until they are as fast as they stay.
//!
//! A process that was just started is cold for a part of a run that is no third of it: the first seconds are looked at
//! one by one, from the first on, and must be slower than the run's last third all along.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

/// From here on requests take at most so many times as long as in the end.
const WARM_FACTOR_MAX: f64 = 1.3;
/// Slow at first means so many times as long as in the end, in the mean ...
const MEAN_FACTOR_MIN: f64 = 1.5;
/// ... and for half of the requests: one that takes ages warms nothing up.
const MEDIAN_FACTOR_MIN: f64 = 1.25;
/// A second is judged with its neighbours: so many in all.
const SMOOTHED_SECONDS: usize = 3;
/// Fewer requests are slow by chance.
const REQUESTS_MIN: u64 = 30;
/// Seconds after the start that may be as slow, as a part of them: what is slow now and then is not slow at first.
const SLOW_AGAIN_SHARE_MAX: f64 = 0.1;
/// The run goes on for at least this part of it when requests have become fast.
const WARM_PART_MIN: f64 = 1.0 / 3.0;
/// Requests were as fast at first as in the end where the first so many seconds are.
const FIRST_SECONDS: usize = 10;

/// How the first requests of a run compare with its last ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FirstRequests {
    /// As fast as they stayed.
    AsFast,
    /// Slower, for so long.
    Slow(SlowStart),
    /// Slower or not: it is not seen.
    NotKnown,
}

/// A start that was slow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SlowStart {
    /// Seconds of it.
    pub(crate) seconds: usize,
    /// Requests that ended in it.
    pub(crate) requests: f64,
    /// Mean time of a request in it, ms.
    pub(crate) early_ms: f64,
    /// In the last third of the run, ms.
    pub(crate) late_ms: f64,
    /// Good answers a second in it.
    pub(crate) answered_early: f64,
    /// Good answers a second after it.
    pub(crate) answered_late: f64,
}

impl FirstRequests {
    /// Looks at the seconds of a run, or of a part of it.
    pub(crate) fn new(windows: &[ComparedWindow]) -> Self {
        let third = windows.len() / 3;
        let last = &windows[windows.len() - third..];
        let Some(late_ms) = mean_ms(last).filter(|_| third >= SMOOTHED_SECONDS) else {
            return Self::NotKnown;
        };
        let is_slow = |seconds: &[ComparedWindow]| {
            mean_ms(seconds).is_some_and(|mean| mean > WARM_FACTOR_MAX * late_ms)
        };
        let slow: Vec<bool> = windows.windows(SMOOTHED_SECONDS).map(is_slow).collect();
        let first = &windows[..FIRST_SECONDS.min(third)];
        let is_as_fast = !slow.iter().take(first.len()).any(|is_slow| *is_slow);
        if is_as_fast {
            let count: u64 = first.iter().map(|one| one.durations.count()).sum();
            return if count >= REQUESTS_MIN {
                Self::AsFast
            } else {
                Self::NotKnown
            };
        }
        // A single second among slow ones is no end of them.
        let end = slow.windows(2).position(|pair| !pair[0] && !pair[1]);
        let Some(end) = end.filter(|end| *end > 0) else {
            return Self::NotKnown;
        };
        let seconds = (end + SMOOTHED_SECONDS / 2).min(windows.len());
        let (start, rest) = windows.split_at(seconds);
        let again = slow[end..].iter().filter(|is_slow| **is_slow).count();
        let is_over = again as f64 <= SLOW_AGAIN_SHARE_MAX * rest.len() as f64
            && rest.len() as f64 >= WARM_PART_MIN * windows.len() as f64;
        if !is_over {
            return Self::NotKnown;
        }
        let slower = Times::new(start).zip(Times::new(last));
        match slower.filter(|(early, late)| early.is_slower_than(late)) {
            Some((early, late)) => Self::Slow(SlowStart {
                seconds,
                requests: start.iter().map(|window| window.requests).sum(),
                early_ms: early.mean_ms,
                late_ms: late.mean_ms,
                answered_early: answered(start),
                answered_late: answered(rest),
            }),
            None => Self::NotKnown,
        }
    }

    /// The start, where it was slow.
    pub(crate) const fn slow(self) -> Option<SlowStart> {
        match self {
            Self::Slow(start) => Some(start),
            Self::AsFast | Self::NotKnown => None,
        }
    }
}

/// How long requests of some seconds took.
struct Times {
    mean_ms: f64,
    median_ms: f64,
    count: u64,
}

impl Times {
    fn new(windows: &[ComparedWindow]) -> Option<Self> {
        let mut all = Histogram::new();
        for window in windows {
            all.merge(&window.durations);
        }
        Some(Self {
            mean_ms: all.mean()?,
            median_ms: all.percentile(0.5)?,
            count: all.count(),
        })
    }

    fn is_slower_than(&self, late: &Self) -> bool {
        self.count >= REQUESTS_MIN
            && self.mean_ms >= MEAN_FACTOR_MIN * late.mean_ms
            && self.median_ms >= MEDIAN_FACTOR_MIN * late.median_ms
    }
}

/// Mean time of the requests of some seconds, ms.
fn mean_ms(windows: &[ComparedWindow]) -> Option<f64> {
    let sum: f64 = windows.iter().map(|window| window.durations.sum()).sum();
    let count: u64 = windows.iter().map(|window| window.durations.count()).sum();
    (count > 0).then(|| sum / count as f64)
}

fn answered(windows: &[ComparedWindow]) -> f64 {
    let good = windows.iter().map(|window| window.requests - window.failed);
    good.sum::<f64>() / windows.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: usize = 10;

    /// A second whose requests take so long, ms.
    fn second(times_ms: &[f64]) -> ComparedWindow {
        ComparedWindow {
            requests: times_ms.len() as f64,
            durations: Histogram::from_values(times_ms),
            ..ComparedWindow::default()
        }
    }

    /// Sixty seconds at ten a second: the time of each request by its number.
    fn minute(time_ms: impl Fn(usize) -> f64) -> Vec<ComparedWindow> {
        let seconds = (0..60).map(|at| {
            let times: Vec<f64> = (0..RATE).map(|one| time_ms(at * RATE + one)).collect();
            second(&times)
        });
        seconds.collect()
    }

    fn seconds(windows: &[ComparedWindow]) -> Option<usize> {
        FirstRequests::new(windows)
            .slow()
            .map(|start| start.seconds)
    }

    /// Seen: "as fast at first as in the end" of each of these.
    #[test]
    fn a_start_of_any_length_is_seen_as_it_is() {
        let even =
            |slow: usize| move |at: usize| 40.0 + 360.0 * (1.0 - at as f64 / slow as f64).max(0.0);
        let found = seconds(&minute(even(200))).unwrap();
        assert!((17..=21).contains(&found), "{found}");
        let found = seconds(&minute(even(60))).unwrap();
        assert!((4..=8).contains(&found), "{found}");
        let step = minute(|at| if at < 120 { 400.0 } else { 40.0 });
        assert!((11..=13).contains(&seconds(&step).unwrap()));
        let falling = minute(|at| 40.0 + 360.0 * (-(at as f64) / 40.0).exp());
        let start = FirstRequests::new(&falling).slow().unwrap();
        assert!((10..=17).contains(&start.seconds), "{start:?}");
        assert!(start.early_ms > 100.0 && start.late_ms < 41.0, "{start:?}");
        assert!((start.requests - 10.0 * start.seconds as f64).abs() < 1e-9);
    }

    #[test]
    fn what_is_slow_now_and_then_is_not_slow_at_first() {
        let steady = minute(|_| 40.0);
        assert_eq!(FirstRequests::new(&steady), FirstRequests::AsFast);
        let periods = minute(|at| if at / 50 % 3 == 0 { 400.0 } else { 40.0 });
        assert_eq!(FirstRequests::new(&periods), FirstRequests::NotKnown);
        // One request that takes ages, and a single slow second.
        let one = minute(|at| if at == 4 { 9_000.0 } else { 40.0 });
        assert_eq!(FirstRequests::new(&one), FirstRequests::NotKnown);
        let until_the_end = minute(|at| 400.0 - 0.6 * at as f64);
        assert_eq!(seconds(&until_the_end), None);
    }

    #[test]
    fn of_few_requests_or_seconds_nothing_is_known() {
        assert_eq!(FirstRequests::new(&[]), FirstRequests::NotKnown);
        let short = &minute(|_| 40.0)[..8];
        assert_eq!(FirstRequests::new(short), FirstRequests::NotKnown);
        let rare: Vec<ComparedWindow> = (0..30).map(|_| second(&[40.0])).collect();
        assert_eq!(FirstRequests::new(&rare), FirstRequests::NotKnown);
    }

    /// Random times of one steady server: slow starts are seen in hardly any run.
    #[test]
    fn chance_makes_hardly_any_start_slow() {
        let mut state = 20_261_130_u64;
        let mut uniform = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        };
        let runs = 400;
        let mut seen = 0;
        for run in 0..runs {
            let rate = [1, 3, 10][run % 3];
            let windows: Vec<ComparedWindow> = (0..60)
                .map(|_| {
                    second(
                        &(0..rate)
                            .map(|_| -50.0 * uniform().ln())
                            .collect::<Vec<_>>(),
                    )
                })
                .collect();
            seen += usize::from(FirstRequests::new(&windows).slow().is_some());
        }
        assert!(seen * 100 <= runs, "{seen} of {runs}");
    }
}
