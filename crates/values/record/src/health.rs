//! Generator health: whether the generator limited the run.
//!
//! A run whose generator was the bottleneck says nothing about its target. The rules for
//! whole runs and their limits are here. A capacity search judges single seconds by its own
//! limits (`experiment`).

use std::time::Duration;

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

/// A worker that waited for a CPU core for this share of the run is starved: half of the
/// events it handles arrived while it was not running.
const MOSTLY_WAITING: f64 = 0.5;
/// A worker that waited this share of the run is starved if results suffered.
const STARVED: f64 = 1.0 / 3.0;
/// A starved worker that had work for this share of the run would have sent more.
const NEARLY_ALWAYS_BUSY: f64 = 0.9;
/// Answers needed for a 95th percentile.
const ENOUGH_ANSWERS: u64 = 200;
/// Answers needed for a 99th percentile.
const ENOUGH_FOR_P99: u64 = 1000;
/// If the generator may have added this share of the median or of the 95th percentile, that
/// percentile is not the target's.
const MOST_OWN: f64 = 0.25;
/// The same for the 99th percentile, which rare delays reach first.
const MOST_OWN_P99: f64 = 0.5;
/// A smaller wait is ignored, ms.
const OWN_WAIT_MS: f64 = 0.5;
/// A worker that waited this share of the run for a core was sometimes kept from running.
const WAITING: f64 = 0.05;
/// A median read lag that is worth reporting, ms.
const LONG_WAIT: f64 = 0.25;
/// A 95th percentile of read lag that is worth reporting, ms.
const LONG_TAIL: f64 = 1.0;
/// In a shorter run, waits are too random to judge.
const LONG_ENOUGH: Duration = Duration::from_secs(5);
/// Starts are late when 1 % of them are later than this, ms.
const LATE_P99: f64 = 10.0;
/// The same when a worker is starved, ms.
const STARVED_P99: f64 = 5.0;
/// Starts are also late when half of them are later than this, ms.
const STARVED_P50: f64 = 1.0;

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
    /// How often a worker did not run for longer than 100 ms.
    pub stalls: u64,
    /// The longest such time.
    pub longest_stall: Duration,
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

/// A way in which the generator limited the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// A worker was busy at least 95 % of the run.
    Cpu,
    /// The CPU quota took at least 1 % of the run.
    Throttling,
    /// Other programs, or more workers than cores, kept a worker from running, and results
    /// suffered: the generator added much of the latency, starts were late, or the worker
    /// always had work.
    FreeCores,
    /// 1 % of the starts were later than 10 ms.
    StartLag,
    /// A worker did not run for at least 1 % of the run, or 1 s, without a break.
    Stalls,
    /// Workers read so late, although they had a core, that they added much of the latency.
    ReadLag,
    /// At least 95 % of the files it may open were open, or one could not be opened.
    OpenFiles,
    /// At least 95 % of the local ports were in use, or none was left for a connection.
    Ports,
}

impl GeneratorHealth {
    /// How the generator limited a run of this length; empty when the results can be trusted.
    /// Dropped starts do not count here: a slow target causes them, and they are shown
    /// separately.
    #[must_use]
    pub fn limits(&self, run: Duration) -> Vec<Limit> {
        let hundredth = run / 100;
        let checks = [
            (Limit::Cpu, self.cpu.is_some_and(|cpu| cpu.busiest >= 0.95)),
            (
                Limit::Throttling,
                !self.throttled.is_zero() && self.throttled >= hundredth,
            ),
            (Limit::FreeCores, self.is_starved(run)),
            (
                Limit::StartLag,
                self.start_lag.is_some_and(|lag| lag.p99_ms > LATE_P99),
            ),
            (
                Limit::Stalls,
                self.stalls > 0 && self.longest_stall >= hundredth.min(Duration::from_secs(1)),
            ),
            (
                Limit::ReadLag,
                self.is_latency_own() && !self.waits_for_cores(),
            ),
            (
                Limit::OpenFiles,
                self.files_lacked > 0 || self.open_files.is_some_and(ResourceUsage::is_short),
            ),
            (
                Limit::Ports,
                self.ports_lacked > 0 || self.ports.is_some_and(ResourceUsage::is_short),
            ),
        ];
        let limiting = checks.into_iter().filter(|(_, limiting)| *limiting);
        limiting.map(|(limit, _)| limit).collect()
    }

    /// The part of the latency that the generator may have added. Reading late adds the read
    /// lag at a percentile if the target's times are even, and less if they are not.
    /// `None` with too few answers.
    #[must_use]
    pub fn own_latency(&self) -> Option<OwnLatency> {
        let lag = self.read_lag.filter(|lag| lag.count >= ENOUGH_ANSWERS)?;
        let shown = self.requests?;
        let at = |lag: f64, shown: f64| (lag.min(shown), (lag / shown).clamp(0.0, 1.0));
        Some(OwnLatency {
            p50: at(lag.p50_ms, shown.p50_ms?),
            p95: at(lag.p95_ms, shown.p95_ms),
            p99: at(lag.p99_ms, shown.p99_ms?),
        })
    }

    /// Whether the generator may have added so much latency that the figures are not the
    /// target's.
    fn is_latency_own(&self) -> bool {
        let Some(own) = self.own_latency() else {
            return false;
        };
        let is_much = |(ms, share): (f64, f64), most: f64| ms >= OWN_WAIT_MS && share >= most;
        let has_tail = self.read_lag.is_some_and(|lag| lag.count >= ENOUGH_FOR_P99);
        is_much(own.p50, MOST_OWN)
            || is_much(own.p95, MOST_OWN)
            || (has_tail && is_much(own.p99, MOST_OWN_P99))
    }

    /// Whether a worker was kept from running for long enough to report it.
    fn waits_for_cores(&self) -> bool {
        self.core_wait.is_some_and(|wait| wait.worst >= WAITING)
    }

    /// Whether a worker lacked a core and the run's numbers suffered. Waiting alone does not
    /// matter: on a busy machine, a generator with little to do waits a little each time and
    /// is still on time.
    fn is_starved(&self, run: Duration) -> bool {
        let Some(wait) = self.core_wait else {
            return false;
        };
        let is_late = |lag: StartLag| lag.p99_ms > STARVED_P99 || lag.p50_ms > STARVED_P50;
        let is_harmed = wait.wanted >= NEARLY_ALWAYS_BUSY || self.start_lag.is_some_and(is_late);
        if wait.worst >= STARVED && is_harmed {
            return true;
        }
        if self.read_lag.is_some() {
            return self.waits_for_cores() && self.is_latency_own();
        }
        // Records made before read lag was measured.
        wait.worst >= MOSTLY_WAITING || (run >= LONG_ENOUGH && self.makes_requests_long(wait))
    }

    /// Whether waiting for a core is a large part of the request times, on average or at the
    /// 95th percentile (late starts show how long a worker waits).
    fn makes_requests_long(&self, wait: CoreWait) -> bool {
        let Some(requests) = self.requests else {
            return false;
        };
        let of_ready = wait.worst / wait.wanted.max(f64::EPSILON);
        let is_much = |wait: f64, request: f64| wait >= MOSTLY_WAITING * request;
        let on_average = wait
            .each_ms
            .is_some_and(|each| each >= LONG_WAIT && is_much(each, requests.mean_ms));
        let late = self.start_lag.and_then(|lag| lag.p95_ms);
        let at_the_tail =
            late.is_some_and(|late| late >= LONG_TAIL && is_much(late, requests.p95_ms));
        of_ready >= STARVED && (on_average || at_the_tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Duration = Duration::from_secs(30);

    #[test]
    fn a_generator_of_which_nothing_bad_is_known_limits_nothing() {
        assert!(GeneratorHealth::default().limits(RUN).is_empty());
        let busy_but_fine = GeneratorHealth {
            cpu: Some(CpuUsage {
                mean: 0.4,
                peak: 1.0,
                busiest: 0.9,
            }),
            dropped_starts: 500,
            open_files: Some(ResourceUsage {
                used: 94,
                limit: 100,
            }),
            ..GeneratorHealth::default()
        };
        assert!(busy_but_fine.limits(RUN).is_empty());
    }

    #[test]
    fn one_connection_that_could_not_be_made_is_enough() {
        let no_file = GeneratorHealth {
            files_lacked: 1,
            ..GeneratorHealth::default()
        };
        assert_eq!(no_file.limits(RUN), [Limit::OpenFiles]);
        let no_port = GeneratorHealth {
            ports_lacked: 1,
            ..GeneratorHealth::default()
        };
        assert_eq!(no_port.limits(RUN), [Limit::Ports]);
    }

    #[test]
    fn waiting_for_a_core_counts_only_with_harm() {
        let waiting = |worst: f64, wanted: f64, lag: Option<(f64, f64)>| {
            let health = GeneratorHealth {
                core_wait: Some(CoreWait {
                    mean: worst / 2.0,
                    worst,
                    wanted,
                    each_ms: None,
                }),
                start_lag: lag.map(|(p50_ms, p99_ms)| StartLag {
                    p50_ms,
                    p99_ms,
                    max_ms: p99_ms,
                    p95_ms: None,
                }),
                ..GeneratorHealth::default()
            };
            health.limits(RUN).contains(&Limit::FreeCores)
        };
        let on_time = Some((0.1, 5.0));
        assert!(!waiting(0.45, 0.89, None), "had time left");
        assert!(!waiting(0.45, 0.89, on_time));
        let late = Some((2.0, 20.0));
        assert!(!waiting(0.3, 1.0, late), "late for other reasons");
        assert!(waiting(0.34, 0.9, None), "hardly ever had enough");
        assert!(waiting(0.34, 0.4, Some((1.1, 5.0))), "half came late");
        assert!(waiting(0.34, 0.4, Some((0.1, 5.1))), "some came very late");
        assert!(waiting(0.5, 0.55, None), "mostly waited");
    }

    #[test]
    fn waits_that_make_requests_look_long_are_the_generators() {
        let waiting = |share: f64, (each, late): (f64, f64), request: f64, run: u64| {
            let health = GeneratorHealth {
                core_wait: Some(CoreWait {
                    mean: share,
                    worst: share,
                    wanted: share + 0.07,
                    each_ms: Some(each),
                }),
                requests: Some(RequestTimes {
                    mean_ms: request,
                    p95_ms: 3.0,
                    p50_ms: None,
                    p99_ms: None,
                }),
                start_lag: Some(StartLag {
                    p50_ms: 0.1,
                    p99_ms: 4.9,
                    max_ms: 9.0,
                    p95_ms: Some(late),
                }),
                ..GeneratorHealth::default()
            };
            health.limits(Duration::from_secs(run))
        };
        let mean = (0.4, 0.2);
        assert_eq!(waiting(0.25, mean, 0.5, 8), [Limit::FreeCores]);
        assert!(waiting(0.25, mean, 0.5, 2).is_empty(), "by chance");
        assert!(waiting(0.25, mean, 5.0, 8).is_empty(), "the target's");
        assert!(waiting(0.02, mean, 0.5, 8).is_empty(), "hardly waits");
        assert!(waiting(0.25, (0.02, 0.2), 0.03, 8).is_empty(), "no time");
        let tail = (0.2, 1.5);
        assert_eq!(waiting(0.25, tail, 0.5, 8), [Limit::FreeCores]);
        assert!(
            waiting(0.25, (0.2, 1.4), 0.5, 8).is_empty(),
            "less than half"
        );
    }

    /// The figures are those of a run beside eight busy loops on the generator's core: it had
    /// little to do, and what the target answered in 5.23 ms was read after 7.95.
    #[test]
    fn a_mostly_idle_generator_is_judged_by_how_late_it_reads() {
        let starved = |lag: [f64; 3], shown: [f64; 3], count: u64| {
            let health = GeneratorHealth {
                core_wait: Some(CoreWait {
                    mean: 0.08,
                    worst: 0.08,
                    wanted: 0.1,
                    each_ms: Some(0.2),
                }),
                read_lag: Some(ReadLag {
                    count,
                    p50_ms: lag[0],
                    p95_ms: lag[1],
                    p99_ms: lag[2],
                }),
                requests: Some(RequestTimes {
                    mean_ms: shown[0],
                    p50_ms: Some(shown[0]),
                    p95_ms: shown[1],
                    p99_ms: Some(shown[2]),
                }),
                ..GeneratorHealth::default()
            };
            health.limits(RUN)
        };
        let by_loops = [[2.7, 5.1, 6.0], [7.95, 10.7, 12.0]];
        assert_eq!(starved(by_loops[0], by_loops[1], 2000), [Limit::FreeCores]);
        let at_the_tail = [[0.1, 0.4, 226.0], [5.3, 6.0, 233.0]];
        assert_eq!(
            starved(at_the_tail[0], at_the_tail[1], 2000),
            [Limit::FreeCores]
        );
        assert!(
            starved(at_the_tail[0], at_the_tail[1], 900).is_empty(),
            "chance"
        );
        assert!(starved(by_loops[0], by_loops[1], 100).is_empty(), "chance");
        let slow_target = [[2.7, 5.1, 6.0], [80.0, 107.0, 120.0]];
        assert!(starved(slow_target[0], slow_target[1], 2000).is_empty());
        let quick = [[0.02, 0.1, 0.3], [0.05, 0.2, 0.5]];
        assert!(starved(quick[0], quick[1], 2000).is_empty(), "harms nobody");
    }

    #[test]
    fn reading_late_without_lacking_a_core_has_a_name_of_its_own() {
        let busy = GeneratorHealth {
            read_lag: Some(ReadLag {
                count: 5000,
                p50_ms: 3.0,
                p95_ms: 9.0,
                p99_ms: 12.0,
            }),
            requests: Some(RequestTimes {
                mean_ms: 6.0,
                p50_ms: Some(6.0),
                p95_ms: 15.0,
                p99_ms: Some(20.0),
            }),
            ..GeneratorHealth::default()
        };
        assert_eq!(busy.limits(RUN), [Limit::ReadLag]);
        let own = busy.own_latency().unwrap();
        assert_eq!(own.p50, (3.0, 0.5));
    }

    /// Records are kept for years.
    #[test]
    fn health_written_before_waiting_was_measured_is_read() {
        let mut old = serde_json::to_value(GeneratorHealth::default()).unwrap();
        old.as_object_mut().unwrap().remove("core_wait").unwrap();
        let read: GeneratorHealth = serde_json::from_value(old).unwrap();
        assert_eq!(read, GeneratorHealth::default());
    }

    #[test]
    fn every_way_to_be_too_weak_is_named() {
        let short = Some(ResourceUsage {
            used: 95,
            limit: 100,
        });
        let weak = GeneratorHealth {
            cpu: Some(CpuUsage {
                mean: 0.99,
                peak: 1.0,
                busiest: 0.99,
            }),
            throttled: Duration::from_millis(300),
            core_wait: Some(CoreWait {
                mean: 0.4,
                worst: 0.4,
                wanted: 0.99,
                each_ms: None,
            }),
            start_lag: Some(StartLag {
                p50_ms: 0.0,
                p99_ms: 11.0,
                max_ms: 12.0,
                p95_ms: None,
            }),
            stalls: 1,
            longest_stall: Duration::from_millis(300),
            open_files: short,
            ports: short,
            ..GeneratorHealth::default()
        };
        let all = [
            Limit::Cpu,
            Limit::Throttling,
            Limit::FreeCores,
            Limit::StartLag,
            Limit::Stalls,
            Limit::OpenFiles,
            Limit::Ports,
        ];
        assert_eq!(weak.limits(RUN), all);
    }
}
