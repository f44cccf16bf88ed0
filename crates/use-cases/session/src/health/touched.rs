//! Which seconds of a run the generator's own delays touched, and how it fared in the others.
//!
//! A second is judged by the rules for whole runs, its lags held against the median of all
//! requests so far. A request that takes long ends in a later second than the one in which it
//! was delayed: as many seconds more are touched.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_metrics::{Histogram, Kind, MetricId, MetricValue, Totals, Window, builtin};
use loadline_record::{
    CoreWait, CpuUsage, GeneratorHealth, Limit, ReadLag, RequestTimes, StartLag,
};
use loadline_vu::RunState;

use super::stalls::{BUNCHED_MS, Stalls};
use super::{GeneratorSecond, read_lag, request_times, start_lag};

/// So many seconds after a delay are touched at most, however long requests take.
const TOUCHED_AFTER_MAX: u64 = 30;
/// Requests that take less than this end in the second in which they were sent, nearly all, ms.
const WITHIN_SECOND_MS: f64 = 100.0;

/// The generator's own delays in a second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Delays {
    /// Its CPU.
    pub(crate) generator: Option<GeneratorSecond>,
    /// How long a worker was away, the longest time of all.
    pub(crate) stalled: Duration,
    /// How often one was; one that goes on from a second before counts again.
    pub(crate) stalls: u64,
    /// For how long any was, those that were over in it.
    pub(crate) stood_still: Duration,
    /// Connections for which files or ports were lacking.
    lacked: (u64, u64),
}

/// Takes each second in, and knows which were touched.
#[derive(Debug, Default)]
pub(crate) struct TouchedSeconds {
    stalls: Stalls,
    /// Those of all workers so far.
    stalls_seen: u64,
    stalled_seen: Duration,
    lacked: (u64, u64),
    /// Windows before this one are touched by what came before.
    until: u64,
    /// In windows before this one starts that a stop kept back may still be answered.
    answered_until: u64,
    seconds: u64,
    touched: u64,
    /// Seconds of the load that lie in it as a whole, and of these those that were touched: the others
    /// may be as short as a few milliseconds.
    whole: u64,
    whole_touched: u64,
    /// The windows that were not touched, those in a row together.
    calm_windows: Vec<Range<u64>>,
    /// Of the seconds that were not touched.
    calm: CalmSums,
}

/// The time in which a run counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedTime {
    /// When it begins, since the first window did.
    pub(crate) after: Duration,
    /// How long it is.
    pub(crate) lasts: Duration,
}

impl CountedTime {
    /// How much of it lies in these windows.
    fn within(&self, windows: &Range<u64>) -> Duration {
        let from = Duration::from_secs(windows.start).max(self.after);
        let until = Duration::from_secs(windows.end).min(self.after + self.lasts);
        until.saturating_sub(from)
    }
}

/// Sums over seconds.
#[derive(Debug, Default)]
struct CalmSums {
    seconds: f64,
    cpu: f64,
    throttled: f64,
    waited: f64,
}

impl TouchedSeconds {
    /// What delayed the second that just arrived; taken once for each.
    pub(crate) fn delays(
        &mut self,
        run_state: &RunState,
        generator: Option<GeneratorSecond>,
    ) -> Delays {
        let noted = run_state.stalls.take_recent();
        let lacked = (
            run_state.files_lacked.load(Ordering::Relaxed),
            run_state.ports_lacked.load(Ordering::Relaxed),
        );
        let before = std::mem::replace(&mut self.lacked, lacked);
        let stalls_seen = run_state.stalls.count();
        let stalls = stalls_seen - std::mem::replace(&mut self.stalls_seen, stalls_seen);
        let stalled_seen = run_state.stalls.total();
        let stood_still = stalled_seen - std::mem::replace(&mut self.stalled_seen, stalled_seen);
        let stalled = self.stalls.of_second(noted);
        Delays {
            generator,
            stalled,
            stalls: stalls.max(u64::from(!stalled.is_zero())),
            stood_still,
            lacked: (lacked.0 - before.0, lacked.1 - before.1),
        }
    }

    /// Counts a second, which is `whole` or cut by an end of the load, and whether it was touched.
    pub(crate) fn count(
        &mut self,
        window: &Window,
        is_whole: bool,
        delays: Delays,
        totals: &Totals,
    ) -> bool {
        let median = request_times(totals).and_then(|times| times.p50_ms);
        let delayed = window.is_partial() || !in_second(window, delays, median).is_empty();
        if delayed {
            self.until = self.until.max(window.index + 1 + seconds_after(median));
            let stopped = whole_seconds(stopped_ms(window, delays));
            let answered = self.until + stopped + u64::from(stopped > 0);
            self.answered_until = self.answered_until.max(answered);
        }
        // What was due in a stop is sent when it is over, and may be answered in a second without any delay.
        if window.index < self.answered_until && is_answering_kept_back(window) {
            self.until = self.until.max(window.index + 1);
        }
        let is_touched = window.index < self.until;
        self.seconds += 1;
        self.touched += u64::from(is_touched);
        self.whole += u64::from(is_whole);
        self.whole_touched += u64::from(is_whole && is_touched);
        if !is_touched {
            self.add_calm(window.index);
        }
        if !is_touched && let Some(second) = delays.generator {
            self.calm.seconds += 1.0;
            self.calm.cpu += second.cpu;
            self.calm.throttled += second.throttled;
            self.calm.waited += second.waited;
        }
        is_touched
    }

    fn add_calm(&mut self, window: u64) {
        match self.calm_windows.last_mut() {
            Some(last) if last.end == window => last.end += 1,
            _ => self.calm_windows.push(window..window + 1),
        }
    }

    /// Forgets the seconds so far: what counts begins here.
    pub(crate) fn restart(&mut self) {
        (self.seconds, self.touched) = (0, 0);
        (self.whole, self.whole_touched) = (0, 0);
        self.calm_windows.clear();
        self.calm = CalmSums::default();
    }

    /// Seconds that count, and of these those that were touched.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.seconds, self.touched)
    }

    /// How long the seconds that were not touched are together, each by the part of it in which the run counts: its first and
    /// its last one may be as short as a few milliseconds. `None` where none is left that says anything.
    pub(crate) fn calm_time(&self, counted: &CountedTime) -> Option<Duration> {
        let left = self.seconds.checked_sub(self.touched)?;
        let whole_left = self.whole - self.whole_touched;
        if left == 0 || (whole_left == 0 && self.whole > 0) {
            return None;
        }
        let calm = self.calm_windows.iter();
        let calm: Duration = calm.map(|windows| counted.within(windows)).sum();
        (!calm.is_zero()).then_some(calm)
    }

    /// How the generator fared in the seconds that were not touched, whose totals are `rest`; what
    /// is counted for the whole run is that of `whole`.
    pub(crate) fn health_of_rest(&self, whole: &GeneratorHealth, rest: &Totals) -> GeneratorHealth {
        let calm = &self.calm;
        let mean = |sum: f64| sum / calm.seconds.max(1.0);
        let is_read = calm.seconds > 0.0;
        let cpu = mean(calm.cpu);
        let waited = mean(calm.waited);
        GeneratorHealth {
            cpu: is_read.then_some(CpuUsage {
                mean: cpu,
                peak: cpu,
                busiest: cpu,
            }),
            throttled: Duration::from_secs_f64(calm.throttled.max(0.0)),
            core_wait: is_read.then_some(CoreWait {
                mean: waited,
                worst: waited,
                wanted: (waited + cpu).min(1.0),
                each_ms: None,
            }),
            start_lag: start_lag(rest),
            read_lag: read_lag(rest),
            requests: request_times(rest),
            stalls: 0,
            longest_stall: Duration::ZERO,
            stalled: None,
            // Where none was lacking, it does not matter how many were used.
            open_files: None,
            ports: None,
            files_lacked: 0,
            ports_lacked: 0,
            ..whole.clone()
        }
    }
}

/// What the rules for whole runs say of a single second.
fn in_second(window: &Window, delays: Delays, median: Option<f64>) -> Vec<Limit> {
    let (lag, read, took) = (
        trend(window, builtin::START_LAG),
        trend(window, builtin::READ_LAG),
        trend(window, builtin::HTTP_REQ_DURATION),
    );
    let second = delays.generator;
    let health = GeneratorHealth {
        cpu: second.map(|second| CpuUsage {
            mean: second.cpu,
            peak: second.cpu,
            busiest: second.cpu,
        }),
        throttled: Duration::from_secs_f64(second.map_or(0.0, |second| second.throttled.max(0.0))),
        core_wait: second.map(|second| CoreWait {
            mean: second.waited,
            worst: second.waited,
            wanted: (second.waited + second.cpu).min(1.0),
            each_ms: None,
        }),
        start_lag: lag_of(&lag),
        read_lag: read_of(&read),
        requests: times_of(&took, median),
        stalls: u64::from(!delays.stalled.is_zero()),
        longest_stall: delays.stalled,
        files_lacked: delays.lacked.0,
        ports_lacked: delays.lacked.1,
        ..GeneratorHealth::default()
    };
    health.limits_of_second()
}

fn lag_of(lag: &Histogram) -> Option<StartLag> {
    Some(StartLag {
        p50_ms: lag.percentile(0.5)?,
        p99_ms: lag.percentile(0.99)?,
        max_ms: lag.max()?,
        p95_ms: lag.percentile(0.95),
    })
}

fn read_of(lag: &Histogram) -> Option<ReadLag> {
    Some(ReadLag {
        count: lag.count(),
        p50_ms: lag.percentile(0.5)?,
        p95_ms: lag.percentile(0.95)?,
        p99_ms: lag.percentile(0.99)?,
    })
}

/// The times of a second, with the median of the run so far: its own may be that of a delay.
fn times_of(took: &Histogram, median: Option<f64>) -> Option<RequestTimes> {
    Some(RequestTimes {
        mean_ms: took.mean()?,
        p95_ms: took.percentile(0.95)?,
        p50_ms: median.or_else(|| took.percentile(0.5)),
        p99_ms: took.percentile(0.99),
    })
}

/// In how many later seconds requests end that a delay caught.
pub(crate) fn seconds_long(totals: &Totals) -> u64 {
    seconds_after(request_times(totals).and_then(|times| times.p50_ms))
}

fn seconds_after(median: Option<f64>) -> u64 {
    let median = median.unwrap_or(0.0);
    if median < WITHIN_SECOND_MS {
        return 0;
    }
    whole_seconds(median)
}

/// In how many seconds a time ends, at most.
fn whole_seconds(ms: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time; the cast saturates"
    )]
    let seconds = (ms / 1000.0).ceil() as u64;
    seconds.min(TOUCHED_AFTER_MAX)
}

/// For how long starts were kept back in a second, ms, by what is known of it; 0 where nobody notices.
fn stopped_ms(window: &Window, delays: Delays) -> f64 {
    let latest = trend(window, builtin::START_LAG).max().unwrap_or(0.0);
    let stopped = latest.max(delays.stalled.as_secs_f64() * 1_000.0);
    if stopped > BUNCHED_MS { stopped } else { 0.0 }
}

/// Starts are answered so long after they were due as no iteration of the second took: they began late. A start that waits for
/// a user is not counted as late itself, and after a stop many do.
fn is_answering_kept_back(window: &Window) -> bool {
    let waited = trend(window, builtin::INTENDED_LATENCY);
    let longest = trend(window, builtin::ITERATION_DURATION).max();
    longest.is_some_and(|longest| waited.count_where(|ms| ms > longest + BUNCHED_MS) > 0)
}

fn trend(window: &Window, metric: MetricId) -> Histogram {
    match window.of_metric(metric, Kind::Trend) {
        MetricValue::Trend(histogram) => histogram,
        _ => Histogram::default(),
    }
}

#[cfg(test)]
mod tests;
