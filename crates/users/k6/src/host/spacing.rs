//! Limits the requests of all users together: k6's `rps`.
//!
//! All workers share one number: the earliest time the next request may start. The user that
//! takes it moves it on. Unused time is not saved up: after a pause, requests are again one
//! interval apart.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loadline_units::Time;

/// The times at which requests may start.
#[derive(Debug)]
pub(crate) struct RequestSpacing {
    /// Nanoseconds from one start to the next.
    space: u64,
    next: AtomicU64,
}

impl RequestSpacing {
    /// `per_second` starts a second; not zero.
    pub(crate) fn new(per_second: u64) -> Self {
        Self {
            space: 1_000_000_000 / per_second.max(1),
            next: AtomicU64::new(0),
        }
    }

    /// Takes the next start; it is never before `now`.
    pub(crate) fn take(&self, now: Time) -> Time {
        let now = now.as_nanos();
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                Some(next.max(now).saturating_add(self.space))
            });
        let start = taken.unwrap_or_else(|next| next).max(now);
        Time::ZERO + Duration::from_nanos(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_a_space_apart_and_nothing_is_saved_up() {
        let spacing = RequestSpacing::new(4);
        let at = |millis| Time::ZERO + Duration::from_millis(millis);
        let starts: Vec<_> = [0, 0, 10, 2000, 2000]
            .map(|now| spacing.take(at(now)))
            .into();
        assert_eq!(starts, [0, 250, 500, 2000, 2250].map(at));
    }
}
