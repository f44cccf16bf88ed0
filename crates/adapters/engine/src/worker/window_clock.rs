//! Which window is open, and until when.

use std::time::Duration;

use loadline_units::Time;

/// The length of a window.
const WINDOW_LENGTH: Duration = Duration::from_secs(1);

/// Which window is open, and until when.
#[derive(Debug, Default)]
pub(super) struct WindowClock {
    open: Option<(u64, Time)>,
}

impl WindowClock {
    pub(super) fn open(&mut self, origin: Time) {
        self.open = Some((0, origin + WINDOW_LENGTH));
    }

    pub(super) fn next_boundary(&self) -> Option<Time> {
        self.open.map(|(_, boundary)| boundary)
    }

    /// The window that ends at or before `now`, moving on to the next.
    pub(super) fn take_ended(&mut self, now: Time) -> Option<u64> {
        let (number, boundary) = self.open?;
        if boundary > now {
            return None;
        }
        self.open = Some((number + 1, boundary + WINDOW_LENGTH));
        Some(number)
    }

    /// Closes the open window, which is the last.
    pub(super) fn finish(&mut self) -> Option<u64> {
        self.open.take().map(|(number, _)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_turn_closes_every_window_that_ended() {
        let mut clock = WindowClock::default();
        let origin = Time::from_nanos(7);
        clock.open(origin);
        let late = origin + Duration::from_millis(2500);
        assert_eq!(clock.take_ended(late), Some(0));
        assert_eq!(clock.take_ended(late), Some(1));
        assert_eq!(clock.take_ended(late), None);
        assert_eq!(clock.next_boundary(), Some(origin + 3 * WINDOW_LENGTH));
        assert_eq!(clock.finish(), Some(2));
    }
}
