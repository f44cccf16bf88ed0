//! What a replica counts: how long its appends take, and how often its log was repaired.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper ends of the classes of append times, in seconds; the last class has none.
pub const APPEND_CLASSES_S: [f64; 7] = [0.002, 0.005, 0.02, 0.05, 0.1, 0.5, 2.5];

/// Counts of one replica, or the sum of several.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReplicaCounts {
    /// Appends by class of their time.
    pub appends: [u64; APPEND_CLASSES_S.len() + 1],
    /// The sum of their times, in seconds.
    pub append_s: f64,
    /// Logs that were lost or set back, and repaired.
    pub repairs: u64,
}

impl std::ops::AddAssign for ReplicaCounts {
    fn add_assign(&mut self, other: Self) {
        for (sum, count) in self.appends.iter_mut().zip(other.appends) {
            *sum += count;
        }
        self.append_s += other.append_s;
        self.repairs += other.repairs;
    }
}

/// The counts as they grow.
#[derive(Debug, Default)]
pub(super) struct Counters {
    appends: [AtomicU64; APPEND_CLASSES_S.len() + 1],
    append_us: AtomicU64,
    repairs: AtomicU64,
}

impl Counters {
    pub(super) fn appended(&self, took: Duration) {
        let class = APPEND_CLASSES_S.partition_point(|end| *end < took.as_secs_f64());
        self.appends[class].fetch_add(1, Ordering::Relaxed);
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.append_us.fetch_add(us, Ordering::Relaxed);
    }

    pub(super) fn repaired(&self) {
        self.repairs.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> ReplicaCounts {
        let mut appends = [0; APPEND_CLASSES_S.len() + 1];
        for (sum, count) in appends.iter_mut().zip(&self.appends) {
            *sum = count.load(Ordering::Relaxed);
        }
        ReplicaCounts {
            appends,
            append_s: Duration::from_micros(self.append_us.load(Ordering::Relaxed)).as_secs_f64(),
            repairs: self.repairs.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Counters;
    use std::time::Duration;

    #[test]
    fn appends_are_counted_by_how_long_they_took() {
        let counters = Counters::default();
        for ms in [1, 2, 3, 700, 9_000] {
            counters.appended(Duration::from_millis(ms));
        }
        counters.repaired();
        let mut figures = counters.read();
        assert_eq!(figures.appends, [2, 1, 0, 0, 0, 0, 1, 1]);
        assert!((figures.append_s - 9.706).abs() < 1e-9);
        figures += figures;
        assert_eq!((figures.appends[0], figures.repairs), (4, 2));
    }
}
