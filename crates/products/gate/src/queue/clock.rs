//! The queue's own time.
//!
//! It is driven by the times at which the store took the commands, so it is one clock for
//! all gates, and it stands still while the store is away: between two commands it goes on
//! by two seconds at most. An outage therefore ends no lease, makes nobody absent and
//! saves up no burst. A gate that has anybody to look after writes at least one command a
//! second, so in ordinary times nothing is cut.

use serde::{Deserialize, Serialize};
use std::ops::Add;
use std::time::Duration;

/// The most that passes between two commands, in ms.
const STEP_MS_MAX: u64 = 2_000;

/// Milliseconds of queue time since the queue was made.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct QueueTime(pub u64);

impl QueueTime {
    /// From `earlier` to here; zero when `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for QueueTime {
    type Output = Self;

    fn add(self, length: Duration) -> Self {
        let ms = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(ms))
    }
}

/// Turns the store's times into queue time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct QueueClock {
    /// The store's time of the last command, in ms; only differences are used.
    taken_ms: Option<u64>,
    now: QueueTime,
}

impl QueueClock {
    pub(super) fn now(&self) -> QueueTime {
        self.now
    }

    /// Goes on to a command taken at `taken_ms`; gives what passed, in ms.
    pub(super) fn advance(&mut self, taken_ms: u64) -> u64 {
        let last = self.taken_ms.unwrap_or(taken_ms);
        let step = taken_ms.saturating_sub(last).min(STEP_MS_MAX);
        // A store whose clock was set back begins to count from there: waiting for the
        // old time to return would stop the queue.
        self.taken_ms = Some(taken_ms);
        self.now.0 += step;
        step
    }
}

#[cfg(test)]
mod tests {
    use super::{QueueClock, QueueTime};

    #[test]
    fn an_outage_passes_in_two_seconds_and_a_clock_set_back_in_none() {
        let mut clock = QueueClock::default();
        assert_eq!(
            clock.advance(1_700_000_000_000),
            0,
            "the first time is the origin"
        );
        assert_eq!(clock.advance(1_700_000_000_050), 50);
        assert_eq!(clock.advance(1_700_000_300_050), 2_000);
        assert_eq!(clock.advance(1_600_000_000_000), 0);
        assert_eq!(clock.advance(1_600_000_001_000), 1_000);
        assert_eq!(clock.now(), QueueTime(3_050));
    }
}
