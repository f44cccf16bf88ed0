//! The generator watches itself: CPU, throttling, open files.
//!
//! Read from `/proc` and the cgroup once a second, on the run's thread.

use std::fs;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_metrics::{Merger, Value, builtin};
use loadline_record::{CpuUse, GeneratorHealth, Level, StartLag};
use loadline_units::Time;
use loadline_vu::Board;
use rustix::io::Errno;

/// Watches the process while scenarios run.
#[derive(Debug, Default)]
pub(crate) struct HealthWatch {
    workers: usize,
    running: bool,
    /// The first and the latest reading, by worker.
    first: Option<Reading>,
    latest: Option<Reading>,
    peak: f64,
    second: Option<GeneratorSecond>,
    open_files: u64,
}

/// How the generator fared between the last two readings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneratorSecond {
    /// The busiest worker's share of a core.
    pub cpu: f64,
    /// The share of time that a CPU quota took.
    pub throttled: f64,
}

/// CPU time of each worker thread at an instant.
#[derive(Debug, Clone)]
struct Reading {
    at: Time,
    workers: Vec<Duration>,
    throttled: Duration,
}

impl HealthWatch {
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            workers,
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
        let workers = worker_cpu_times();
        if workers.is_empty() {
            return; // nothing can be read while no file can be opened
        }
        let reading = Reading {
            at: now,
            workers,
            throttled: throttled_time().unwrap_or_default(),
        };
        if let Some(before) = &self.latest {
            let cpu = busiest(before, &reading);
            self.peak = self.peak.max(cpu);
            let span = reading.at.since(before.at).as_secs_f64().max(f64::EPSILON);
            let throttled = reading.throttled.saturating_sub(before.throttled);
            self.second = Some(GeneratorSecond {
                cpu,
                throttled: throttled.as_secs_f64() / span,
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
    pub(crate) fn report(&self, board: &Board, totals: &Merger) -> GeneratorHealth {
        let span = self.first.as_ref().zip(self.latest.as_ref());
        let span = span.filter(|(first, latest)| latest.at > first.at);
        let cpu = span.map(|(first, latest)| {
            let shares = shares(first, latest);
            CpuUse {
                mean: shares.iter().sum::<f64>() / shares.len().max(1) as f64,
                peak: self.peak,
                busiest: shares.iter().copied().fold(0.0, f64::max),
            }
        });
        let dropped: u64 = board
            .scenarios()
            .iter()
            .map(|s| s.dropped.load(Ordering::Relaxed))
            .sum();
        let begun: u64 = board
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
            start_lag: start_lag(totals),
            stalls: board.stalls.load(Ordering::Relaxed),
            longest_stall: Duration::from_nanos(board.longest_stall.load(Ordering::Relaxed)),
            open_files: open_file_limit().map(|limit| Level {
                used: self.open_files,
                limit,
            }),
            ports: None,
            files_lacked: board.files_lacked.load(Ordering::Relaxed),
            ports_lacked: board.ports_lacked.load(Ordering::Relaxed),
            planned_starts: begun + dropped,
            dropped_starts: dropped,
            folded: totals.totals().folded(),
            not_finite: totals.totals().not_finite(),
        }
    }
}

fn start_lag(totals: &Merger) -> Option<StartLag> {
    let Some(Value::Trend(lag)) = totals.totals().metric(builtin::START_LAG) else {
        return None;
    };
    Some(StartLag {
        p50_ms: lag.percentile(0.5)?,
        p99_ms: lag.percentile(0.99)?,
        max_ms: lag.max()?,
    })
}

/// Each worker's share of one core between two readings.
fn shares(before: &Reading, after: &Reading) -> Vec<f64> {
    let span = after.at.since(before.at).as_secs_f64();
    before
        .workers
        .iter()
        .zip(&after.workers)
        .map(|(b, a)| a.saturating_sub(*b).as_secs_f64() / span)
        .collect()
}

fn busiest(before: &Reading, after: &Reading) -> f64 {
    if after.at <= before.at {
        return 0.0;
    }
    shares(before, after)
        .into_iter()
        .fold(0.0, f64::max)
        .min(1.0)
}

/// CPU time of our worker threads, in order of their names.
fn worker_cpu_times() -> Vec<Duration> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let mut workers: Vec<(String, Duration)> = tasks
        .flatten()
        .filter_map(|task| {
            let path = task.path();
            let name = fs::read_to_string(path.join("comm")).ok()?;
            if !name.starts_with("worker-") {
                return None;
            }
            let schedstat = fs::read_to_string(path.join("schedstat")).ok()?;
            let on_cpu: u64 = schedstat.split_whitespace().next()?.parse().ok()?;
            Some((name, Duration::from_nanos(on_cpu)))
        })
        .collect();
    workers.sort();
    workers.into_iter().map(|(_, time)| time).collect()
}

/// How long the CPU quota has kept this process's cgroup waiting, in the second version of
/// cgroups or the first.
fn throttled_time() -> Option<Duration> {
    let cgroup = fs::read_to_string("/proc/self/cgroup").ok()?;
    let second = || {
        let path = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?;
        let stat = fs::read_to_string(format!("/sys/fs/cgroup{path}/cpu.stat")).ok()?;
        let micros = field(&stat, "throttled_usec ")?;
        Some(Duration::from_micros(micros))
    };
    let first = || {
        let path = cgroup.lines().find_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            controllers.split(',').any(|c| c == "cpu").then_some(path)
        })?;
        let stat = fs::read_to_string(format!("/sys/fs/cgroup/cpu{path}/cpu.stat")).ok()?;
        let nanos = field(&stat, "throttled_time ")?;
        Some(Duration::from_nanos(nanos))
    };
    second().or_else(first)
}

/// A number of a file with a name and a number in each line.
fn field(stat: &str, name: &str) -> Option<u64> {
    let number = stat.lines().find_map(|line| line.strip_prefix(name))?;
    number.trim().parse().ok()
}

/// How many files are open; all that may be when even looking needs one more.
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
