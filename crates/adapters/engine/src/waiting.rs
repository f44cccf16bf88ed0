//! Which workers have starts waiting for a user, and since when.
//!
//! A worker whose start finds no idle user stores the time that start was planned for. The
//! next worker with an idle user reads it and offers the user. A worker stores the time before
//! it looks for an idle user again, and a user is announced before this list is read, so at
//! least one of the two sees the other.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use loadline_units::{Time, WorkerId};

/// No start waits.
const NO_START: u64 = u64::MAX;

/// The oldest waiting start of each worker, for one scenario.
#[derive(Debug)]
pub(crate) struct WaitingStarts {
    since: Box<[AtomicU64]>,
}

impl WaitingStarts {
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            since: (0..workers).map(|_| AtomicU64::new(NO_START)).collect(),
        }
    }

    /// Stores when the worker's oldest waiting start was planned. The caller must look for an
    /// idle user again after this.
    pub(crate) fn wait(&self, worker: WorkerId, since: Time) {
        self.since[worker.index()].store(since.as_nanos(), Ordering::Relaxed);
        fence(Ordering::SeqCst);
    }

    /// Clears the worker's entry: none of its starts waits.
    pub(crate) fn clear(&self, worker: WorkerId) {
        self.since[worker.index()].store(NO_START, Ordering::Relaxed);
    }

    /// The other worker whose start has waited longest, and since when. Call it after a user
    /// was announced.
    pub(crate) fn longest_elsewhere(&self, own: WorkerId) -> Option<(WorkerId, Time)> {
        if self.since.len() == 1 {
            return None;
        }
        fence(Ordering::SeqCst);
        let all = self.since.iter().enumerate();
        let waiting = all.filter_map(|(index, since)| {
            let since = since.load(Ordering::Relaxed);
            let is_elsewhere = index != own.index() && since != NO_START;
            let worker = WorkerId(u16::try_from(index).ok()?);
            is_elsewhere.then(|| (worker, Time::from_nanos(since)))
        });
        waiting.min_by_key(|(_, since)| *since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worker_whose_start_waited_longest_is_found_among_the_others() {
        let waiting = WaitingStarts::new(3);
        let at = Time::from_nanos;
        assert_eq!(waiting.longest_elsewhere(WorkerId(0)), None);
        waiting.wait(WorkerId(1), at(20));
        waiting.wait(WorkerId(2), at(10));
        assert_eq!(
            waiting.longest_elsewhere(WorkerId(0)),
            Some((WorkerId(2), at(10)))
        );
        assert_eq!(
            waiting.longest_elsewhere(WorkerId(2)),
            Some((WorkerId(1), at(20))),
            "never one's own"
        );
        waiting.clear(WorkerId(2));
        assert_eq!(
            waiting.longest_elsewhere(WorkerId(0)),
            Some((WorkerId(1), at(20)))
        );
    }
}
