//! How much a task reads before others get their turn.
//!
//! A peer that never stops sending must not keep the worker that reads: its timers, the other
//! users and the end of the run come before more input. Each poll of a task begins with a fresh
//! budget. [`TcpStream::try_read`](crate::TcpStream::try_read) takes from it; when it is used up,
//! the socket seems empty, and waiting for it wakes the task again in the next turn of the loop.
//! All protocols read through the socket, so this one place bounds them all.

use std::cell::Cell;
use std::time::Duration;

/// Bytes that are read in one poll without a look at the clock. In the smallest frames of HTTP/2
/// these are some 7,000, which take 1 to 2 ms.
pub(crate) const GRANT_BYTES: usize = 64 * 1024;
/// Bytes that one poll reads at most, however fast.
pub(crate) const POLL_BYTES_MAX: usize = 1024 * 1024;
/// After this long in a turn of the loop, a poll gets no further grant.
pub(crate) const TURN_LENGTH_MAX: Duration = Duration::from_micros(500);

/// The budget of the task that is being polled. One for each reactor, since tasks run one by one.
#[derive(Debug)]
pub(crate) struct InputBudget {
    /// Bytes left of the present grant.
    left: Cell<usize>,
    /// Bytes of later grants that may still be given.
    reserve: Cell<usize>,
    /// A read was refused.
    is_spent: Cell<bool>,
}

impl Default for InputBudget {
    fn default() -> Self {
        Self {
            left: Cell::new(GRANT_BYTES),
            reserve: Cell::new(POLL_BYTES_MAX - GRANT_BYTES),
            is_spent: Cell::new(false),
        }
    }
}

impl InputBudget {
    /// A task is polled: it may read again.
    pub(crate) fn refill(&self) {
        self.left.set(GRANT_BYTES);
        self.reserve.set(POLL_BYTES_MAX - GRANT_BYTES);
        self.is_spent.set(false);
    }

    /// Whether the task may read more; `turn` is how long the loop's turn has lasted. It is asked,
    /// which reads the clock, once a grant only.
    pub(crate) fn allows_read(&self, turn: impl FnOnce() -> Duration) -> bool {
        if self.left.get() > 0 {
            return true;
        }
        let reserve = self.reserve.get();
        if self.is_spent.get() || reserve == 0 || turn() >= TURN_LENGTH_MAX {
            self.is_spent.set(true);
            return false;
        }
        let grant = reserve.min(GRANT_BYTES);
        self.reserve.set(reserve - grant);
        self.left.set(grant);
        true
    }

    /// Accounts for bytes that were read. A read may exceed the grant by its own buffer.
    pub(crate) fn take(&self, bytes: usize) {
        self.left.set(self.left.get().saturating_sub(bytes));
    }

    /// Whether the task must let others have their turn before it reads on.
    pub(crate) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much a task reads that is given `piece` bytes each `micros`, however long it asks.
    fn read_by(piece: usize, micros: u64) -> usize {
        let budget = InputBudget::default();
        let (mut bytes, mut reads) = (0, 0);
        while budget.allows_read(|| Duration::from_micros(reads * micros)) {
            budget.take(piece);
            bytes += piece;
            reads += 1;
        }
        assert!(budget.is_spent());
        bytes
    }

    #[test]
    fn a_fast_reader_gets_its_megabyte_and_a_slow_one_its_first_grant() {
        assert_eq!(read_by(16 * 1024, 1), POLL_BYTES_MAX);
        assert!(read_by(9, 0) < POLL_BYTES_MAX + 9 * 16);
        assert_eq!(read_by(16 * 1024, 1000), GRANT_BYTES);
    }

    #[test]
    fn the_clock_is_read_once_a_grant() {
        let budget = InputBudget::default();
        let looks = Cell::new(0);
        let turn = || {
            looks.set(looks.get() + 1);
            Duration::ZERO
        };
        while budget.allows_read(turn) {
            budget.take(1000);
        }
        assert_eq!(looks.get(), POLL_BYTES_MAX / GRANT_BYTES - 1);
    }

    #[test]
    fn a_spent_budget_stays_spent_until_the_next_poll() {
        let budget = InputBudget::default();
        budget.take(GRANT_BYTES);
        assert!(!budget.allows_read(|| TURN_LENGTH_MAX));
        assert!(!budget.allows_read(|| Duration::ZERO));
        budget.refill();
        assert!(!budget.is_spent());
        assert!(budget.allows_read(|| unreachable!("the grant is fresh")));
    }
}
