//! How fast one visitor may ask again: a due time each, in a table that never grows.
//!
//! A visitor's entry says when the next call is due if all calls were sent at the pace
//! allowed. Calls may run ahead of that by a few, for tabs and reloads. Two visitors who fall
//! on the same entry make each other's calls free, which does no harm. No lock is taken:
//! calls of one visitor at the same moment may count once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

use crate::queue::VisitorId;

/// Entries; 1 MB.
const ENTRY_COUNT: usize = 1 << 17;
/// Bits of the due time; the rest tells visitors apart.
const TIME_BITS: u32 = 40;

/// Due times of visitors.
pub(super) struct Throttle {
    started: Instant,
    /// Calls that may come before they are due; 0 for no limit.
    ahead: u32,
    entries: Box<[AtomicU64]>,
}

impl Throttle {
    pub(super) fn new(ahead: u32) -> Self {
        Self {
            started: Instant::now(),
            ahead,
            entries: (0..ENTRY_COUNT).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Counts a call of a visitor who may send one each `interval`.
    ///
    /// # Errors
    /// How long to wait, when it comes too soon; then it does not count.
    pub(super) fn take(
        &self,
        wid: VisitorId,
        interval: Duration,
        now: Instant,
    ) -> Result<(), Duration> {
        if self.ahead == 0 {
            return Ok(());
        }
        let ms = |length: Duration| u64::try_from(length.as_millis()).unwrap_or(u64::MAX >> 32);
        let now_ms = ms(now.saturating_duration_since(self.started));
        let hash = wid.hash();
        #[expect(clippy::cast_possible_truncation, reason = "an index wraps around")]
        let entry = &self.entries[hash as usize % ENTRY_COUNT];
        let tag = hash >> TIME_BITS << TIME_BITS;
        let before = entry.load(Ordering::Relaxed);
        let time = (1 << TIME_BITS) - 1;
        let due_ms = if before & !time == tag {
            before & time
        } else {
            0
        };
        let begin_ms = due_ms.max(now_ms);
        let most_ms = ms(interval) * u64::from(self.ahead);
        if begin_ms - now_ms > most_ms {
            return Err(Duration::from_millis(begin_ms - now_ms - most_ms));
        }
        entry.store(tag | (begin_ms + ms(interval)) & time, Ordering::Relaxed);
        Ok(())
    }
}

/// How often something may happen in all; at once as often as in a second.
pub(super) struct OverallRate {
    per_s: f64,
    left: Mutex<(f64, Instant)>,
}

impl OverallRate {
    /// `per_s`; 0 for no limit.
    pub(super) fn new(per_s: u32) -> Self {
        let per_s = f64::from(per_s);
        Self {
            per_s,
            left: Mutex::new((per_s, Instant::now())),
        }
    }

    /// Takes one; `false` when there were as many as may be.
    pub(super) fn take(&self, now: Instant) -> bool {
        if self.per_s <= 0.0 {
            return true;
        }
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(left.1).as_secs_f64();
        let filled = (left.0 + passed * self.per_s).min(self.per_s);
        let is_there = filled >= 1.0;
        *left = (filled - if is_there { 1.0 } else { 0.0 }, now);
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::{OverallRate, Throttle};
    use crate::queue::VisitorId;
    use std::time::Duration;
    use tokio::time::Instant;

    #[test]
    fn so_many_a_second_and_no_more() {
        let rate = OverallRate::new(50);
        let start = Instant::now();
        let taken = |at: Instant| (0..1_000).filter(|_| rate.take(at)).count();
        assert_eq!(taken(start), 50);
        assert_eq!(taken(start + Duration::from_millis(100)), 5);
        assert_eq!(
            taken(start + Duration::from_secs(60)),
            50,
            "none are saved up"
        );
    }

    #[test]
    fn calls_run_ahead_by_a_few_and_then_keep_the_pace() {
        let throttle = Throttle::new(5);
        let (kim, lee) = (VisitorId([1; 16]), VisitorId([2; 16]));
        let second = Duration::from_secs(1);
        let start = Instant::now();
        let sent = (0..100).filter(|_| throttle.take(kim, second, start).is_ok());
        assert_eq!(sent.count(), 6);
        assert_eq!(throttle.take(lee, second, start), Ok(()), "another visitor");
        let wait = throttle.take(kim, second, start).unwrap_err();
        assert!(wait <= second, "{wait:?}");
        for n in 1..100 {
            assert_eq!(throttle.take(kim, second, start + second * n), Ok(()));
        }
    }
}
