//! When a worker closes its windows.
//!
//! Window k covers [k, k+1) seconds from the origin. A worker closes it at its first turn
//! after the boundary and sends its whole part to the run.

use super::Worker;
use crate::command::Report;

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
