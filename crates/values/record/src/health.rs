//! Generator health: whether the generator limited the run.
//!
//! A run whose generator was the bottleneck says nothing about its target. What was measured of
//! it is here, the rules for whole runs in `limits`. A capacity search judges single seconds by
//! its own limits (`experiment`).

use std::time::Duration;

mod limits;

pub use limits::Limit;

/// The generator's CPU use over the run, as shares (0 to 1) of what it may use.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CpuUsage {
    /// Over the whole run.
    pub mean: f64,
    /// In the busiest second of the busiest worker.
    pub peak: f64,
    /// Over the run, of the busiest worker.
    pub busiest: f64,
}

/// How late planned starts were, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StartLag {
    /// Half of the starts were at most this late.
    pub p50_ms: f64,
    /// 99 % of the starts were at most this late.
    pub p99_ms: f64,
    /// The latest start.
    pub max_ms: f64,
    /// 95 % of the starts were at most this late; `None` in records made before it was kept.
    #[serde(default)]
    pub p95_ms: Option<f64>,
}

/// How long requests took, in milliseconds; the generator's waits are compared with it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RequestTimes {
    /// On average.
    pub mean_ms: f64,
    /// 95 % of them at most.
    pub p95_ms: f64,
    /// Half of them at most; `None` in records made before it was kept.
    #[serde(default)]
    pub p50_ms: Option<f64>,
    /// 99 % of them at most.
    #[serde(default)]
    pub p99_ms: Option<f64>,
}

/// Read lag: how long an answer that had arrived waited until a worker read it, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ReadLag {
    /// Number of answers measured.
    pub count: u64,
    /// Median.
    pub p50_ms: f64,
    /// 95th percentile.
    pub p95_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
}

/// The part of the measured latency that the generator may have added, at three percentiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OwnLatency {
    /// At the median: ms, and the share (0 to 1) of the latency shown.
    pub p50: (f64, f64),
    /// At the 95th percentile.
    pub p95: (f64, f64),
    /// At the 99th percentile.
    pub p99: (f64, f64),
}

/// How long workers with work to do waited for a CPU core, as shares (0 to 1) of the run.
/// Waiting caused by the CPU quota is not included.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CoreWait {
    /// Over all workers.
    pub mean: f64,
    /// Of the worker that waited longest.
    pub worst: f64,
    /// The share of the run in which that worker had work: core time plus waiting time.
    pub wanted: f64,
    /// How long that worker waited for a core each time, on average, ms.
    #[serde(default)]
    pub each_ms: Option<f64>,
}

/// The highest use of a limited resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ResourceUsage {
    /// Used.
    pub used: u64,
    /// The limit.
    pub limit: u64,
}

impl ResourceUsage {
    fn is_short(self) -> bool {
        u128::from(self.used) * 100 >= u128::from(self.limit) * 95
    }
}

/// Measurements of the generator; what was not measured is `None` or zero.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct GeneratorHealth {
    /// Worker threads.
    pub workers: usize,
    /// CPU use.
    pub cpu: Option<CpuUsage>,
    /// Time the CPU quota stopped the process.
    pub throttled: Duration,
    /// How long workers waited for a core; `None` in records made before it was measured.
    #[serde(default)]
    pub core_wait: Option<CoreWait>,
    /// How late planned starts were.
    pub start_lag: Option<StartLag>,
    /// How late workers read answers; `None` in records made before it was measured.
    #[serde(default)]
    pub read_lag: Option<ReadLag>,
    /// How long requests took, the waits of the generator included.
    #[serde(default)]
    pub requests: Option<RequestTimes>,
    /// How often a worker did not run for longer than 100 ms; those of several at the same time are one.
    pub stalls: u64,
    /// The longest such time.
    pub longest_stall: Duration,
    /// All of them together; `None` in records made before it was measured.
    #[serde(default)]
    pub stalled: Option<Duration>,
    /// Open files.
    pub open_files: Option<ResourceUsage>,
    /// Local ports towards the busiest address.
    pub ports: Option<ResourceUsage>,
    /// Connections that failed because no file could be opened.
    pub files_lacked: u64,
    /// Connections that failed because no local port was free.
    pub ports_lacked: u64,
    /// Starts that were planned.
    pub planned_starts: u64,
    /// Of these, starts that were dropped.
    pub dropped_starts: u64,
    /// Why they never were; all zero in older records.
    #[serde(default)]
    pub drops: DropCounts,
    /// Samples folded into `(other)` because there were too many tag sets.
    pub folded: u64,
    /// Samples refused because they were infinite or not a number.
    pub not_finite: u64,
}

/// Why starts never were, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct DropCounts {
    /// All virtual users were busy.
    pub no_free_user: u64,
    /// The test allows no more users at once.
    pub user_limit: u64,
    /// The generator came to them late.
    pub late: u64,
    /// The generator could not make a user.
    pub no_user_made: u64,
    /// Their scenario was over.
    pub time_over: u64,
}

impl std::ops::AddAssign for DropCounts {
    fn add_assign(&mut self, other: Self) {
        self.no_free_user += other.no_free_user;
        self.user_limit += other.user_limit;
        self.late += other.late;
        self.no_user_made += other.no_user_made;
        self.time_over += other.time_over;
    }
}

#[cfg(test)]
mod tests;
