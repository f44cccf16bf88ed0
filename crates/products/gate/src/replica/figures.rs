//! What a replica counts: how long its appends and its commands take, and how often its log was repaired.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper ends of the classes of append times, in seconds; the last class has none.
pub const APPEND_CLASSES_S: [f64; 7] = [0.002, 0.005, 0.02, 0.05, 0.1, 0.5, 2.5];

/// The same for the work on one command, while everybody else who asks about the queue waits.
pub const COMMAND_CLASSES_S: [f64; 4] = [0.001, 0.005, 0.02, 0.1];

/// Counts of one replica, or the sum of several.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReplicaCounts {
    /// Appends by class of their time.
    pub appends: [u64; APPEND_CLASSES_S.len() + 1],
    /// The sum of their times, in seconds.
    pub append_s: f64,
    /// Commands by class of their time, those of other gates too.
    pub commands: [u64; COMMAND_CLASSES_S.len() + 1],
    /// The sum of their times, in seconds.
    pub command_s: f64,
    /// Logs that were lost or set back, and repaired.
    pub repairs: u64,
}

impl std::ops::AddAssign for ReplicaCounts {
    fn add_assign(&mut self, other: Self) {
        let appends = self.appends.iter_mut().zip(other.appends);
        let commands = self.commands.iter_mut().zip(other.commands);
        for (sum, count) in appends.chain(commands) {
            *sum += count;
        }
        self.append_s += other.append_s;
        self.command_s += other.command_s;
        self.repairs += other.repairs;
    }
}

/// The counts as they grow.
#[derive(Debug, Default)]
pub(super) struct Counters {
    appends: Classes<{ APPEND_CLASSES_S.len() + 1 }>,
    commands: Classes<{ COMMAND_CLASSES_S.len() + 1 }>,
    repairs: AtomicU64,
}

impl Counters {
    pub(super) fn appended(&self, took: Duration) {
        self.appends.note(&APPEND_CLASSES_S, took);
    }

    pub(super) fn did_command(&self, took: Duration) {
        self.commands.note(&COMMAND_CLASSES_S, took);
    }

    pub(super) fn repaired(&self) {
        self.repairs.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> ReplicaCounts {
        ReplicaCounts {
            appends: self.appends.counts(),
            append_s: self.appends.sum_s(),
            commands: self.commands.counts(),
            command_s: self.commands.sum_s(),
            repairs: self.repairs.load(Ordering::Relaxed),
        }
    }
}

/// Times of one kind: a count for each class, and their sum.
#[derive(Debug)]
struct Classes<const N: usize> {
    counts: [AtomicU64; N],
    sum_ns: AtomicU64,
}

impl<const N: usize> Default for Classes<N> {
    fn default() -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; N],
            sum_ns: AtomicU64::new(0),
        }
    }
}

impl<const N: usize> Classes<N> {
    fn note(&self, ends_s: &[f64], took: Duration) {
        let class = ends_s.partition_point(|end| *end < took.as_secs_f64());
        self.counts[class].fetch_add(1, Ordering::Relaxed);
        let ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.sum_ns.fetch_add(ns, Ordering::Relaxed);
    }

    fn counts(&self) -> [u64; N] {
        std::array::from_fn(|class| self.counts[class].load(Ordering::Relaxed))
    }

    fn sum_s(&self) -> f64 {
        Duration::from_nanos(self.sum_ns.load(Ordering::Relaxed)).as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::Counters;
    use std::time::Duration;

    #[test]
    fn appends_and_commands_are_counted_by_how_long_they_took() {
        let counters = Counters::default();
        for ms in [1, 20, 21] {
            counters.did_command(Duration::from_millis(ms));
        }
        for ms in [1, 2, 3, 700, 9_000] {
            counters.appended(Duration::from_millis(ms));
        }
        counters.repaired();
        let mut figures = counters.read();
        assert_eq!(figures.appends, [2, 1, 0, 0, 0, 0, 1, 1]);
        assert!((figures.append_s - 9.706).abs() < 1e-9);
        assert_eq!(figures.commands, [1, 0, 1, 1, 0]);
        assert!((figures.command_s - 0.042).abs() < 1e-9);
        figures += figures;
        let firsts = (figures.appends[0], figures.commands[0]);
        assert_eq!((firsts, figures.repairs), ((4, 2), 2));
    }
}
