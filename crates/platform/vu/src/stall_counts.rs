//! Times in which workers of a run stood still.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loadline_units::Time;

/// How often and for how long workers did not reach their loop (not scheduled, or busy with one task) while a scenario was
/// open. StallCounts of several workers at the same time are one. Reading never blocks.
#[derive(Debug, Default)]
pub struct StallCounts {
    count: AtomicU64,
    /// All of them together, ns.
    total: AtomicU64,
    /// The longest of one worker, ns.
    longest: AtomicU64,
    /// The longest since it was last taken, ns.
    recent: AtomicU64,
    /// When the latest one was over.
    until: AtomicU64,
}

impl StallCounts {
    /// Notes that a worker stood still.
    pub fn note(&self, from: Time, until: Time) {
        let length = nanos(until.since(from));
        self.longest.fetch_max(length, Ordering::Relaxed);
        self.recent.fetch_max(length, Ordering::Relaxed);
        let seen = self.until.fetch_max(until.as_nanos(), Ordering::Relaxed);
        let seen = Time::from_nanos(seen);
        if from >= seen {
            self.count.fetch_add(1, Ordering::Relaxed);
        }
        let unseen = nanos(until.since(from.max(seen)));
        self.total.fetch_add(unseen, Ordering::Relaxed);
    }

    /// How often.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// For how long in all.
    #[must_use]
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.total.load(Ordering::Relaxed))
    }

    /// The longest time.
    #[must_use]
    pub fn longest(&self) -> Duration {
        Duration::from_nanos(self.longest.load(Ordering::Relaxed))
    }

    /// The longest time since this was last asked.
    pub fn take_recent(&self) -> Duration {
        Duration::from_nanos(self.recent.swap(0, Ordering::Relaxed))
    }
}

fn nanos(length: Duration) -> u64 {
    u64::try_from(length.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(stalls: &[(u64, u64)]) -> (u64, Duration, Duration) {
        let counts = StallCounts::default();
        for (from, until) in stalls {
            let at = |ms: &u64| Time::from_nanos(ms * 1_000_000);
            counts.note(at(from), at(until));
        }
        (counts.count(), counts.total(), counts.longest())
    }

    #[test]
    fn stalls_of_two_workers_at_the_same_time_are_one() {
        let ms = Duration::from_millis;
        assert_eq!(noted(&[(100, 300), (100, 300)]), (1, ms(200), ms(200)));
        assert_eq!(noted(&[(100, 300), (150, 400)]), (1, ms(300), ms(250)));
        assert_eq!(noted(&[(100, 300), (120, 280)]), (1, ms(200), ms(200)));
        assert_eq!(noted(&[(100, 300), (500, 620)]), (2, ms(320), ms(200)));
    }

    #[test]
    fn the_longest_since_it_was_asked_is_told_once() {
        let counts = StallCounts::default();
        counts.note(Time::from_nanos(1_000), Time::from_nanos(5_000));
        assert_eq!(counts.take_recent(), Duration::from_nanos(4_000));
        assert_eq!(counts.take_recent(), Duration::ZERO);
        assert_eq!(counts.longest(), Duration::from_nanos(4_000));
    }
}
