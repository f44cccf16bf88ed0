//! Read lag: how long an answer that has arrived waits until this worker reads it.
//!
//! Three waits add up. First, the thread is runnable but another program has the core: the
//! growth of the thread's run delay during the wait (`schedstat`). Second, the thread was busy
//! when the answer arrived: half of that turn, because answers arrive at any time in it. Third,
//! other answers are handled first: half of those that were ready. The lag is measured at most
//! once a millisecond, which bounds the cost, and recorded once for each answer of the turn, so
//! that each answer has the same weight.

use std::time::Duration;

use loadline_metrics::{Shard, TagSetId, builtin};
use loadline_reactor::{RunDelay, WaitSpan};
use loadline_units::Time;

/// A turn is measured at most this often.
const EVERY: Duration = Duration::from_millis(1);
/// A shorter wait is no sleep: the thread only polled for ready tasks.
const SHORTEST_SLEEP: Duration = Duration::from_micros(50);
/// How many answers of one turn are counted at most.
const MOST_COUNTED: usize = 64;

/// Measures the turns of one worker.
#[derive(Debug, Default)]
pub(super) struct ReadLag {
    delay: Option<RunDelay>,
    next: Time,
    /// The run delay before the wait, in a measured turn.
    before: Option<Duration>,
    /// How long this turn's answers waited until the turn began.
    waited: Option<Duration>,
}

impl ReadLag {
    /// A measurement of the calling thread.
    pub(super) fn of_this_thread() -> Self {
        Self {
            delay: RunDelay::of_this_thread(),
            ..Self::default()
        }
    }

    /// Notes that the worker is about to wait.
    pub(super) fn before(&mut self, now: Time) {
        self.before = match &self.delay {
            Some(delay) if now >= self.next => delay.read(),
            _ => None,
        };
    }

    /// Notes that the wait is over with `ready` tasks to handle, after a turn of `last_turn`.
    pub(super) fn after(&mut self, waited: WaitSpan, last_turn: Duration, ready: usize) {
        self.waited = None;
        let (Some(delay), Some(before)) = (&self.delay, self.before) else {
            return;
        };
        if ready == 0 {
            return;
        }
        let Some(after) = delay.read() else {
            return;
        };
        self.next = waited.to + EVERY;
        self.waited = Some(behind(waited, last_turn, after.saturating_sub(before)));
    }

    /// Records the lag when half of the turn's tasks are handled.
    pub(super) fn record(&mut self, begun: Time, now: Time, ready: usize, shard: &mut Shard) {
        if let Some(waited) = self.waited.take() {
            let lag = (waited + now.since(begun)).as_secs_f64() * 1000.0;
            for _ in 0..ready.min(MOST_COUNTED) {
                shard.record(builtin::READ_LAG, TagSetId::EMPTY, lag);
            }
        }
    }
}

/// How long an answer waited until the worker began to handle ready tasks.
fn behind(waited: WaitSpan, last_turn: Duration, run_delay: Duration) -> Duration {
    let asleep = waited.to.since(waited.from);
    if asleep >= SHORTEST_SLEEP {
        return run_delay.min(asleep);
    }
    last_turn / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn waited(from: u32, to: u32) -> WaitSpan {
        WaitSpan {
            from: Time::ZERO + from * MS,
            to: Time::ZERO + to * MS,
        }
    }

    #[test]
    fn an_answer_that_wakes_the_worker_waits_for_a_core() {
        assert_eq!(behind(waited(10, 20), 3 * MS, 4 * MS), 4 * MS);
        // What was waited before the sleep is not the answer's.
        assert_eq!(behind(waited(10, 12), 3 * MS, 9 * MS), 2 * MS);
    }

    #[test]
    fn an_answer_that_finds_the_worker_at_work_waits_half_a_turn() {
        assert_eq!(behind(waited(10, 10), 6 * MS, Duration::ZERO), 3 * MS);
    }
}
