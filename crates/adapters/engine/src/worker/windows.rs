//! When a worker closes its windows.
//!
//! Window k covers [k, k+1) seconds from the origin. A worker closes it at its first turn
//! after the boundary and sends its whole part to the run.

use std::time::Duration;

use loadline_units::Time;

use super::Worker;
use crate::command::Report;

/// The length of a window.
const WINDOW: Duration = Duration::from_secs(1);

/// Which window is open, and until when.
#[derive(Debug, Default)]
pub(super) struct WindowClock {
    open: Option<(u64, Time)>,
}

impl WindowClock {
    pub(super) fn open(&mut self, origin: Time) {
        self.open = Some((0, origin + WINDOW));
    }

    pub(super) fn next_boundary(&self) -> Option<Time> {
        self.open.map(|(_, boundary)| boundary)
    }

    /// The window that ends at or before `now`, moving on to the next.
    fn take_ended(&mut self, now: Time) -> Option<u64> {
        let (number, boundary) = self.open?;
        if boundary > now {
            return None;
        }
        self.open = Some((number + 1, boundary + WINDOW));
        Some(number)
    }

    /// Closes the open window, which is the last.
    fn finish(&mut self) -> Option<u64> {
        self.open.take().map(|(number, _)| number)
    }
}

impl Worker {
    pub(super) fn close_due_windows(&mut self) {
        let now = self.handle.now();
        while let Some(number) = self.windows.take_ended(now) {
            if let Some(conductor) = &self.conductor {
                conductor.sample_users(&mut self.shard);
            }
            self.hand_over(number);
        }
    }

    /// Sends the last window, and reports that it was the last.
    pub(super) fn close_windows(&mut self) {
        self.hand_over_last_window();
        self.shared.report(Report::WindowsClosed);
    }

    /// Sends what was measured since the last window.
    pub(crate) fn hand_over_last_window(&mut self) {
        if let Some(number) = self.windows.finish() {
            self.hand_over(number);
        }
    }

    fn hand_over(&mut self, number: u64) {
        let part = self.shard.take_window(number);
        let requests = self.local.take_requests();
        self.shared.run_state.count_requests(requests);
        self.shared.report(Report::Window(Box::new(part)));
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
        assert_eq!(clock.next_boundary(), Some(origin + 3 * WINDOW));
        assert_eq!(clock.finish(), Some(2));
    }
}
