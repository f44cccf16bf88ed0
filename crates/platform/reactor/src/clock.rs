//! The real clock.

use loadline_units::{Clock, Time};
use rustix::time::{ClockId, clock_gettime};

/// `CLOCK_MONOTONIC`, counted from the moment this value was made. Copies share the origin.
#[derive(Debug, Clone, Copy)]
pub struct MonotonicClock {
    origin_nanos: u64,
}

impl MonotonicClock {
    /// A clock that reads zero now.
    #[must_use]
    pub fn start() -> Self {
        Self {
            origin_nanos: raw_nanos(),
        }
    }
}

impl Clock for MonotonicClock {
    fn now(&self) -> Time {
        Time::from_nanos(raw_nanos() - self.origin_nanos)
    }
}

/// Nanoseconds since boot; neither field of the kernel's answer is ever negative.
fn raw_nanos() -> u64 {
    let spec = clock_gettime(ClockId::Monotonic);
    spec.tv_sec.unsigned_abs() * 1_000_000_000 + spec.tv_nsec.unsigned_abs()
}
