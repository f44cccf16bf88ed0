//! Whether the generator itself was good enough.
//!
//! A run whose generator was the bottleneck says nothing about its target, so the rule
//! for "was the bottleneck" stands here, next to the facts, and nowhere else.

use std::time::Duration;

/// The generator's CPU use over the run, as shares (0 to 1) of what it may use.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CpuUse {
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
    /// The latest.
    pub max_ms: f64,
}

/// How much of something limited was used at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Level {
    /// Used.
    pub used: u64,
    /// There is.
    pub limit: u64,
}

impl Level {
    fn is_short(self) -> bool {
        u128::from(self.used) * 100 >= u128::from(self.limit) * 95
    }
}

/// Facts about the generator; what was not measured is `None` or zero.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct GeneratorHealth {
    /// Worker threads.
    pub workers: usize,
    /// CPU use.
    pub cpu: Option<CpuUse>,
    /// Time the system's CPU quota kept it waiting.
    pub throttled: Duration,
    /// How late planned starts were.
    pub start_lag: Option<StartLag>,
    /// Times a worker was away for longer than 100 ms.
    pub stalls: u64,
    /// The longest such time.
    pub longest_stall: Duration,
    /// Open files.
    pub open_files: Option<Level>,
    /// Local ports towards the busiest address.
    pub ports: Option<Level>,
    /// Connections that could not be made because no file could be opened.
    pub files_lacked: u64,
    /// Connections that could not be made because no local port was left.
    pub ports_lacked: u64,
    /// Starts that were planned.
    pub planned_starts: u64,
    /// Of these, starts that never were because no user was free.
    pub dropped_starts: u64,
    /// Samples folded into `(other)` because there were too many tag sets.
    pub folded: u64,
    /// Samples refused because they were infinite or not a number.
    pub not_finite: u64,
}

/// A way in which the generator limited the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// A worker was busy at least 95 % of the run.
    Cpu,
    /// The CPU quota took at least 1 % of the run.
    Throttling,
    /// 1 % of the starts were later than 10 ms.
    StartLag,
    /// Workers were away for at least 1 % of the run in one piece, or 1 s.
    Stalls,
    /// At least 95 % of the files it may open were open, or one could not be opened.
    OpenFiles,
    /// At least 95 % of the local ports were in use, or none was left for a connection.
    Ports,
}

impl GeneratorHealth {
    /// The ways in which the generator limited a run of this length; empty when its
    /// results may be trusted. Dropped starts are no such way: the target's slowness
    /// causes them, and they are shown for themselves.
    #[must_use]
    pub fn limits(&self, run: Duration) -> Vec<Limit> {
        let hundredth = run / 100;
        let checks = [
            (Limit::Cpu, self.cpu.is_some_and(|cpu| cpu.busiest >= 0.95)),
            (
                Limit::Throttling,
                !self.throttled.is_zero() && self.throttled >= hundredth,
            ),
            (
                Limit::StartLag,
                self.start_lag.is_some_and(|lag| lag.p99_ms > 10.0),
            ),
            (
                Limit::Stalls,
                self.stalls > 0 && self.longest_stall >= hundredth.min(Duration::from_secs(1)),
            ),
            (
                Limit::OpenFiles,
                self.files_lacked > 0 || self.open_files.is_some_and(Level::is_short),
            ),
            (
                Limit::Ports,
                self.ports_lacked > 0 || self.ports.is_some_and(Level::is_short),
            ),
        ];
        let limiting = checks.into_iter().filter(|(_, limiting)| *limiting);
        limiting.map(|(limit, _)| limit).collect()
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
            cpu: Some(CpuUse {
                mean: 0.4,
                peak: 1.0,
                busiest: 0.9,
            }),
            dropped_starts: 500,
            open_files: Some(Level {
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
    fn every_way_to_be_too_weak_is_named() {
        let short = Some(Level {
            used: 95,
            limit: 100,
        });
        let weak = GeneratorHealth {
            cpu: Some(CpuUse {
                mean: 0.99,
                peak: 1.0,
                busiest: 0.99,
            }),
            throttled: Duration::from_millis(300),
            start_lag: Some(StartLag {
                p50_ms: 0.0,
                p99_ms: 11.0,
                max_ms: 12.0,
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
            Limit::StartLag,
            Limit::Stalls,
            Limit::OpenFiles,
            Limit::Ports,
        ];
        assert_eq!(weak.limits(RUN), all);
    }
}
