//! How long an answer that is there waits until this worker reads it.
//!
//! Three waits add up. The kernel makes the thread runnable and another program has the core:
//! that is the growth of the thread's run delay over the wait (`schedstat`). The thread was at
//! work when the answer came: half of the turn it was in, as answers come at any time of it.
//! And others are handled first: half of those that were ready with it. Taken at most once a
//! millisecond and counted once for each answer of the turn, so that the cost is bounded and
//! each answer has the same weight.

use std::time::Duration;

use loadline_metrics::{Shard, TagSetId, builtin};
use loadline_reactor::{RunDelay, WaitSpan};
use loadline_units::Time;

/// A turn is measured at most this often.
const EVERY: Duration = Duration::from_millis(1);
/// Waits shorter than this were none: the thread only asked what is ready.
const SHORTEST_SLEEP: Duration = Duration::from_micros(50);
/// The most answers of one turn that are counted.
const MOST_COUNTED: usize = 64;

/// Measures the turns of one worker.
#[derive(Debug, Default)]
pub(super) struct ReadLag {
    delay: Option<RunDelay>,
    next: Time,
    /// The run delay before the wait of a turn that is measured.
    before: Option<Duration>,
    /// What answers of this turn waited until it began.
    waited: Option<Duration>,
}

impl ReadLag {
    /// For the thread that calls.
    pub(super) fn of_this_thread() -> Self {
        Self {
            delay: RunDelay::of_this_thread(),
            ..Self::default()
        }
    }

    /// The worker is about to wait.
    pub(super) fn before(&mut self, now: Time) {
        self.before = match &self.delay {
            Some(delay) if now >= self.next => delay.read(),
            _ => None,
        };
    }

    /// The wait is over and `ready` tasks are to be handled; the last turn took so long.
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

    /// Half of the turn's tasks are handled.
    pub(super) fn record(&mut self, begun: Time, now: Time, ready: usize, shard: &mut Shard) {
        if let Some(waited) = self.waited.take() {
            let lag = (waited + now.since(begun)).as_secs_f64() * 1000.0;
            for _ in 0..ready.min(MOST_COUNTED) {
                shard.record(builtin::READ_LAG, TagSetId::EMPTY, lag);
            }
        }
    }
}

/// What an answer waited until the worker turned to what is ready.
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
