//! The store's time of day, as a gate knows it between two entries.
//!
//! What gates sign for each other (tickets, codes, sessions) ends at a time that all of
//! them must read alike, even if a machine's own clock is wrong. The store's time is the
//! only one they share. Each entry that this gate appended sets it: such an entry is fresh,
//! because the gate waited for it; entries read after a pause are not.

use std::sync::atomic::{AtomicU64, Ordering};
use tokio::time::Instant;

/// The store's time of day.
#[derive(Debug)]
pub struct StoreClock {
    started: Instant,
    /// The store's ms since 1970 when `started` was, plus one; 0 while it is not known.
    at_start: AtomicU64,
}

impl Default for StoreClock {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            at_start: AtomicU64::new(0),
        }
    }
}

impl StoreClock {
    /// Notes that the store's clock shows `taken_ms` now.
    pub(super) fn set(&self, taken_ms: u64) {
        let at_start = taken_ms.saturating_sub(self.passed_ms());
        self.at_start.store(at_start + 1, Ordering::Relaxed);
    }

    /// The store's ms since 1970; `None` while nothing came from it.
    #[must_use]
    pub fn now_ms(&self) -> Option<u64> {
        let at_start = self.at_start.load(Ordering::Relaxed).checked_sub(1)?;
        Some(at_start + self.passed_ms())
    }

    fn passed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::StoreClock;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn it_goes_on_from_what_the_store_said_last() {
        let clock = StoreClock::default();
        assert_eq!(clock.now_ms(), None);
        tokio::time::advance(Duration::from_secs(5)).await;
        clock.set(1_000_000);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(clock.now_ms(), Some(1_002_000));
        clock.set(1_001_000);
        assert_eq!(clock.now_ms(), Some(1_001_000), "the store's word counts");
    }
}
