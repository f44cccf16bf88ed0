//! The generator watches itself: CPU, waiting for a core, throttling, open files.
//!
//! Read from `/proc` and the cgroup once a second, on the run's thread.

mod close_goals;
mod stalls;
mod touched;
mod workers;

pub(crate) use close_goals::{CloseGoals, CloseLook};
pub(crate) use touched::{CountedTime, Delays, TouchedSeconds, seconds_long};

use std::fs;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_metrics::{Censored, Histogram, Merger, MetricValue, Totals, builtin};
use loadline_observe::ControlGroup;
use loadline_record::{
    CoreWait, CpuUsage, DropCounts, GeneratorHealth, ReadLag, RequestTimes, ResourceUsage, StartLag,
};
use loadline_units::Time;
use loadline_vu::{DropReason, RunState};
use rustix::io::Errno;

use workers::CoreTime;

/// Watches the process while scenarios run.
#[derive(Debug, Default)]
pub(crate) struct HealthWatch {
    workers: usize,
    quota: ControlGroup,
    running: bool,
    /// The first and the latest reading, by worker.
    first: Option<PartMeasurement>,
    latest: Option<PartMeasurement>,
    peak: f64,
    second: Option<GeneratorSecond>,
    open_files: u64,
}

/// The generator's health between the last two readings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneratorSecond {
    /// The busiest worker's share of a core.
    pub cpu: f64,
    /// The share of time that a CPU quota took.
    pub throttled: f64,
    /// The share of time in which the worker that waited longest had work and no core.
    pub waited: f64,
}

/// Core time of each worker thread up to an instant.
#[derive(Debug, Clone)]
struct PartMeasurement {
    at: Time,
    workers: Vec<CoreTime>,
    throttled: Duration,
}

impl HealthWatch {
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            workers,
            quota: ControlGroup::of_self(),
            ..Self::default()
        }
    }

    pub(crate) fn begin(&mut self) {
        self.running = true;
    }

    /// Takes a reading.
    pub(crate) fn sample(&mut self, now: Time) {
        if !self.running {
            return;
        }
        self.open_files = self.open_files.max(count_open_files());
        let workers = workers::core_times();
        if workers.is_empty() {
            return; // nothing can be read while no file can be opened
        }
        let reading = PartMeasurement {
            at: now,
            workers,
            throttled: self.quota.throttled(),
        };
        if let Some(before) = &self.latest {
            let cpu = busiest(before, &reading);
            self.peak = self.peak.max(cpu);
            let span = reading.at.since(before.at).as_secs_f64().max(f64::EPSILON);
            let throttled = reading.throttled.saturating_sub(before.throttled);
            self.second = Some(GeneratorSecond {
                cpu,
                throttled: throttled.as_secs_f64() / span,
                waited: core_wait(before, &reading).map_or(0.0, |wait| wait.worst),
            });
        }
        self.first.get_or_insert_with(|| reading.clone());
        self.latest = Some(reading);
    }

    pub(crate) fn end(&mut self, now: Time) {
        self.sample(now);
        self.running = false;
    }

    /// The last second: the busiest worker's share of a core, and the share of time that a
    /// CPU quota took. `None` while fewer than two readings were taken.
    pub(crate) fn last_second(&self) -> Option<GeneratorSecond> {
        self.second
    }

    /// All that is known at the end of the run.
    pub(crate) fn report(&self, run_state: &RunState, totals: &Merger) -> GeneratorHealth {
        let span = self.first.as_ref().zip(self.latest.as_ref());
        let span = span.filter(|(first, latest)| latest.at > first.at);
        let cpu = span.map(|(first, latest)| {
            let shares = shares(first, latest, |time| time.running);
            CpuUsage {
                mean: shares.iter().sum::<f64>() / shares.len().max(1) as f64,
                peak: self.peak,
                busiest: shares.iter().copied().fold(0.0, f64::max),
            }
        });
        let dropped: u64 = run_state
            .scenarios()
            .iter()
            .map(|s| s.dropped.load(Ordering::Relaxed))
            .sum();
        let begun: u64 = run_state
            .scenarios()
            .iter()
            .map(|s| s.begun.load(Ordering::Relaxed))
            .sum();
        GeneratorHealth {
            workers: self.workers,
            cpu,
            throttled: span.map_or(Duration::ZERO, |(first, latest)| {
                latest.throttled.saturating_sub(first.throttled)
            }),
            core_wait: span.and_then(|(first, latest)| core_wait(first, latest)),
            read_lag: read_lag(totals.totals()),
            requests: request_times(totals.totals()),
            start_lag: start_lag(totals.totals()),
            stalls: run_state.stalls.count(),
            longest_stall: run_state.stalls.longest(),
            stalled: Some(run_state.stalls.total()),
            open_files: open_file_limit().map(|limit| ResourceUsage {
                used: self.open_files,
                limit,
            }),
            ports: None,
            files_lacked: run_state.files_lacked.load(Ordering::Relaxed),
            ports_lacked: run_state.ports_lacked.load(Ordering::Relaxed),
            planned_starts: begun + dropped,
            dropped_starts: dropped,
            drops: drops(run_state),
            folded: totals.totals().folded(),
            not_finite: totals.totals().not_finite(),
        }
    }
}

/// Why starts never were, over all scenarios.
fn drops(run_state: &RunState) -> DropCounts {
    let of = |reason| {
        let scenarios = run_state.scenarios().iter();
        scenarios.map(|scenario| scenario.dropped_for(reason)).sum()
    };
    DropCounts {
        no_free_user: of(DropReason::NoFreeUser),
        user_limit: of(DropReason::UserLimit),
        late: of(DropReason::Late),
        no_user_made: of(DropReason::NoUserMade),
        time_over: of(DropReason::TimeOver),
    }
}

fn start_lag(totals: &Totals) -> Option<StartLag> {
    let Some(MetricValue::Trend(lag)) = totals.metric(builtin::START_LAG) else {
        return None;
    };
    Some(StartLag {
        p50_ms: lag.percentile(0.5)?,
        p99_ms: lag.percentile(0.99)?,
        max_ms: lag.max()?,
        p95_ms: lag.percentile(0.95),
    })
}

fn read_lag(totals: &Totals) -> Option<ReadLag> {
    let Some(MetricValue::Trend(lag)) = totals.metric(builtin::READ_LAG) else {
        return None;
    };
    Some(ReadLag {
        count: lag.count(),
        p50_ms: lag.percentile(0.5)?,
        p95_ms: lag.percentile(0.95)?,
        p99_ms: lag.percentile(0.99)?,
    })
}

/// As they are shown: requests that were cut took at least their age.
fn request_times(totals: &Totals) -> Option<RequestTimes> {
    let nothing = Histogram::new();
    let trend = |metric| match totals.metric(metric) {
        Some(MetricValue::Trend(trend)) => trend,
        _ => &nothing,
    };
    let ended = trend(builtin::HTTP_REQ_DURATION);
    let shown = Censored::joining(ended, trend(builtin::HTTP_REQS_CUT));
    let shares = shown.percentiles(&[0.5, 0.95, 0.99])?;
    let [p50, p95, p99] = shares.as_slice() else {
        return None;
    };
    Some(RequestTimes {
        mean_ms: shown.mean()?.at_least,
        p95_ms: p95.at_least,
        p50_ms: Some(p50.at_least),
        p99_ms: Some(p99.at_least),
    })
}

/// Each worker's share of one core between two readings, or of waiting for one.
fn shares(
    before: &PartMeasurement,
    after: &PartMeasurement,
    of: fn(&CoreTime) -> Duration,
) -> Vec<f64> {
    let span = after.at.since(before.at).as_secs_f64();
    before
        .workers
        .iter()
        .zip(&after.workers)
        .map(|(b, a)| of(a).saturating_sub(of(b)).as_secs_f64() / span)
        .collect()
}

/// The share of the time between two readings in which workers waited for a core, the quota's part
/// left out: some kernels count a throttled thread as waiting.
fn core_wait(first: &PartMeasurement, latest: &PartMeasurement) -> Option<CoreWait> {
    let throttled = latest.throttled.saturating_sub(first.throttled);
    let span = latest.at.since(first.at).as_secs_f64();
    let throttled = throttled.as_secs_f64() / span;
    let running = shares(first, latest, |time| time.running);
    let waiting: Vec<f64> = shares(first, latest, |time| time.waiting)
        .into_iter()
        .map(|waiting| (waiting - throttled).max(0.0))
        .collect();
    let by_wait = |a: &usize, b: &usize| waiting[*a].total_cmp(&waiting[*b]);
    let place = (0..waiting.len()).max_by(by_wait)?;
    let worst = waiting[place];
    let turns = (latest.workers[place].turns).saturating_sub(first.workers[place].turns);
    Some(CoreWait {
        mean: waiting.iter().sum::<f64>() / waiting.len() as f64,
        worst,
        wanted: (worst + running[place]).min(1.0),
        each_ms: (turns > 0).then(|| worst * span * 1000.0 / turns as f64),
    })
}

fn busiest(before: &PartMeasurement, after: &PartMeasurement) -> f64 {
    if after.at <= before.at {
        return 0.0;
    }
    shares(before, after, |time| time.running)
        .into_iter()
        .fold(0.0, f64::max)
        .min(1.0)
}

/// How many files are open; the limit if not even the count can be opened.
fn count_open_files() -> u64 {
    match fs::read_dir("/proc/self/fd") {
        Ok(files) => files.count() as u64,
        Err(error) if error.raw_os_error() == Some(Errno::MFILE.raw_os_error()) => {
            open_file_limit().unwrap_or_default()
        }
        Err(_) => 0,
    }
}

/// How many files this process may have open.
fn open_file_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use loadline_metrics::{Registry, Shard, Submetrics, TagSetId};
    use loadline_units::WorkerId;

    use super::*;

    fn reading(second: u64, workers: &[(u64, u64)], throttled_ms: u64) -> PartMeasurement {
        let times = workers.iter().map(|(running, waiting)| CoreTime {
            running: Duration::from_millis(*running),
            waiting: Duration::from_millis(*waiting),
            turns: *running,
        });
        PartMeasurement {
            at: Time::ZERO + Duration::from_secs(second),
            workers: times.collect(),
            throttled: Duration::from_millis(throttled_ms),
        }
    }

    #[test]
    fn waiting_is_that_between_the_readings_and_of_the_worker_that_waited_longest() {
        let first = reading(1, &[(500, 9000), (100, 7000)], 0);
        let latest = reading(11, &[(4500, 10_000), (3100, 13_000)], 0);
        let wait = core_wait(&first, &latest).unwrap();
        assert!((wait.worst - 0.6).abs() < 1e-9, "{wait:?}");
        assert!((wait.mean - 0.35).abs() < 1e-9, "{wait:?}");
        assert!((wait.wanted - 0.9).abs() < 1e-9, "{wait:?}");
        assert!(
            (wait.each_ms.unwrap() - 2.0).abs() < 1e-9,
            "6 s in 3,000 turns"
        );
    }

    #[test]
    fn what_the_quota_took_is_not_a_neighbours() {
        let first = reading(0, &[(0, 0)], 100);
        let latest = reading(10, &[(2000, 8000)], 8100);
        let wait = core_wait(&first, &latest).unwrap();
        assert!(wait.worst.abs() < 1e-9, "{wait:?}");
    }

    /// A target that answered a third of the requests at once and then no more is slow, and a
    /// fraction of a millisecond is no part of it.
    #[test]
    fn requests_that_were_cut_are_among_the_times_that_waits_are_held_against() {
        let registry = Arc::new(Registry::new());
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        for _ in 0..10 {
            shard.record(builtin::HTTP_REQ_DURATION, TagSetId::EMPTY, 0.5);
        }
        for _ in 0..20 {
            shard.record(builtin::HTTP_REQS_CUT, TagSetId::EMPTY, 9000.0);
        }
        let mut merger = Merger::new(1, registry, Submetrics::default());
        merger.absorb(shard.take_window(0));
        assert!(merger.next_ready().is_some());

        let times = request_times(merger.totals()).unwrap();
        assert!(times.p50_ms.unwrap() > 8900.0, "{times:?}");
        assert!(times.p95_ms > 8900.0, "{times:?}");
        assert!(times.mean_ms > 5000.0, "{times:?}");
    }
}
