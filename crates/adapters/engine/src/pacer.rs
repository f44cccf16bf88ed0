//! A worker's share of an open-model scenario: which starts are its own, and when.
//!
//! Start i of a scenario belongs to worker i mod W. Every worker holds the whole
//! schedule, so workers never have to agree on a start, and random starts are the same
//! for any number of workers. The pacer computes times; it starts nothing.

use std::time::Duration;

use loadline_testplan::{Arrivals, Starts};
use loadline_units::Time;

/// The starts of one scenario that belong to one worker.
pub(crate) struct Pacer {
    starts: Starts,
    began: Time,
    /// The next own start's index.
    next: u64,
    stride: u64,
    next_at: Option<Time>,
}

impl Pacer {
    /// Starts `first`, `first + stride`, ... of `schedule`, whose clock began at `began`.
    pub(crate) fn new(schedule: &Arrivals, began: Time, first: u64, stride: u64) -> Self {
        let mut pacer = Self {
            starts: schedule.starts(),
            began,
            next: first,
            stride,
            next_at: None,
        };
        pacer.plan_next();
        pacer
    }

    /// When the next own start is due; `None` when there is none left.
    pub(crate) fn next_at(&self) -> Option<Time> {
        self.next_at
    }

    /// The next own start if it is due at `now`: the instant it was planned for.
    pub(crate) fn take_due(&mut self, now: Time) -> Option<Time> {
        let planned = self.next_at.filter(|at| *at <= now)?;
        self.next += self.stride;
        self.plan_next();
        Some(planned)
    }

    /// Follows `shape` from `at` on (the scenario's own time), as it is from its own time
    /// `shape_from` on. Starts before `at` keep their numbers.
    pub(crate) fn reshape(&mut self, at: Duration, shape: &Arrivals, shape_from: Duration) {
        self.starts.append(at, shape, shape_from);
        self.plan_next();
    }

    fn plan_next(&mut self) {
        self.next_at = self
            .starts
            .start_of(self.next)
            .map(|offset| self.began + offset);
    }
}
