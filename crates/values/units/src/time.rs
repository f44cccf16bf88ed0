//! Instants on the run's own clock.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::time::Duration;

/// An instant: nanoseconds since the clock's origin (one `CLOCK_MONOTONIC` reading
/// taken when the process started, or zero on a simulated clock).
///
/// Wall time is known only at the edges (files, reports), never here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(u64);

impl Time {
    /// The clock's origin.
    pub const ZERO: Self = Self(0);
    /// Later than any instant a run reaches (584 years).
    pub const MAX: Self = Self(u64::MAX);

    /// An instant `nanos` ns after the origin.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the origin.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The time from `earlier` to here; zero when `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// Milliseconds from `earlier` to here, the unit of every time metric; zero when
    /// `earlier` is later.
    #[must_use]
    pub fn millis_since(self, earlier: Self) -> f64 {
        self.0.saturating_sub(earlier.0) as f64 / 1e6
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    /// Saturates at [`Time::MAX`].
    fn add(self, length: Duration) -> Self {
        let nanos = u64::try_from(length.as_nanos()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(nanos))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, length: Duration) {
        *self = *self + length;
    }
}

impl Sub<Duration> for Time {
    type Output = Self;

    /// Saturates at the origin.
    fn sub(self, length: Duration) -> Self {
        let nanos = u64::try_from(length.as_nanos()).unwrap_or(u64::MAX);
        Self(self.0.saturating_sub(nanos))
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t+{:?}", Duration::from_nanos(self.0))
    }
}

/// Something that tells the time. Real clocks live in `reactor`; tests bring their own.
pub trait Clock {
    /// The current instant; never earlier than one it returned before.
    fn now(&self) -> Time;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_before_another_is_zero_after_it() {
        let early = Time::from_nanos(5);
        let late = Time::from_nanos(1_500_005);

        assert_eq!(late.since(early), Duration::from_micros(1500));
        assert_eq!(early.since(late), Duration::ZERO);
        assert!((late.millis_since(early) - 1.5).abs() < f64::EPSILON);
    }

    #[test]
    fn arithmetic_saturates_instead_of_wrapping() {
        assert_eq!(Time::MAX + Duration::from_secs(1), Time::MAX);
        assert_eq!(Time::ZERO - Duration::from_secs(1), Time::ZERO);
    }
}
