//! How a planned start finds an idle user, on its own worker or another.
//!
//! Each worker counts its idle users of a scenario in one atomic. The worker adds a user
//! to its list before it raises the count. Lowering the count by one reserves one user, so
//! the worker can always pop one for a reservation. Nothing is locked.

use crate::atomic::{AtomicU64, Ordering};

use loadline_units::WorkerId;

/// Idle users of one scenario, by worker.
#[derive(Debug)]
pub struct IdleCounts {
    counts: Box<[Padded]>,
}

/// Padded to a cache line, so that workers do not slow each other down.
#[derive(Debug)]
#[repr(align(64))]
struct Padded(AtomicU64);

impl IdleCounts {
    /// Counts for `workers` workers, all zero.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        Self {
            counts: (0..workers).map(|_| Padded(AtomicU64::new(0))).collect(),
        }
    }

    /// Announces one more idle user, already in `worker`'s list.
    pub fn add(&self, worker: WorkerId) {
        self.counts[worker.index()]
            .0
            .fetch_add(1, Ordering::Release);
    }

    /// Reserves one of `worker`'s idle users. True: that worker has one for the caller.
    #[must_use]
    pub fn reserve(&self, worker: WorkerId) -> bool {
        self.counts[worker.index()]
            .0
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, |count| {
                count.checked_sub(1)
            })
            .is_ok()
    }

    /// Whether no worker has an idle user that is not reserved.
    #[must_use]
    pub fn are_none(&self) -> bool {
        self.counts
            .iter()
            .all(|count| count.0.load(Ordering::Relaxed) == 0)
    }

    /// Reserves an idle user on any worker but `own` and returns that worker.
    #[must_use]
    pub fn reserve_elsewhere(&self, own: WorkerId) -> Option<WorkerId> {
        let workers = self.counts.len();
        (1..workers)
            .map(|step| (own.index() + step) % workers)
            .filter_map(|index| u16::try_from(index).ok().map(WorkerId))
            .find(|worker| self.reserve(*worker))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_can_be_reserved_once() {
        let idle = IdleCounts::new(2);
        assert!(!idle.reserve(WorkerId(0)));
        idle.add(WorkerId(1));
        assert_eq!(idle.reserve_elsewhere(WorkerId(0)), Some(WorkerId(1)));
        assert_eq!(idle.reserve_elsewhere(WorkerId(0)), None);
        assert_eq!(idle.reserve_elsewhere(WorkerId(1)), None, "never one's own");
    }
}
