//! Read lag: how long an answer that has arrived waits until this worker reads it.
//!
//! Three waits add up. First, the thread is runnable but another program has the core: the
//! growth of the thread's run delay during the wait (`schedstat`). Second, the thread was busy
//! when the answer arrived: half of the time it was running in that turn, because answers arrive
//! at any time in it, and the whole time it was kept from running, because answers to what it
//! had just sent arrive at the beginning of that. Third, other answers are handled first, or the
//! thread is kept from running while it handles them. Run delays are read at most once a
//! millisecond, which bounds the cost; turns with many answers in between are measured without.

use std::time::Duration;

use loadline_metrics::{Shard, TagSetId, builtin};
use loadline_reactor::{RunDelay, WaitSpan};
use loadline_units::Time;

/// A turn is measured at most this often.
const MEASURE_INTERVAL: Duration = Duration::from_millis(1);
/// A shorter wait is no sleep: the thread only polled for ready tasks.
const SLEEP_MIN: Duration = Duration::from_micros(50);
/// A turn with this many answers is measured even if the last measurement was just now: the
/// thread may be kept from running in the middle of it.
const MEASURED_ANSWERS_MIN: usize = 8;
/// How many answers of one turn are counted at most.
const COUNTED_ANSWERS_MAX: usize = 64;

/// Measures the turns of one worker.
#[derive(Debug, Default)]
pub(super) struct ReadLag {
    delay: Option<RunDelay>,
    next: Time,
    /// The last reading of the run delay.
    last_read: Duration,
    /// The run delay before the wait, in a measured turn.
    before: Option<Duration>,
    /// How long this turn's answers waited until the turn began.
    waited: Option<Duration>,
    /// The first of the turn's tasks that an answer woke, and how many did.
    answers: (usize, usize),
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

    /// Notes that the wait is over, after a turn of `last_turn`.
    pub(super) fn after(&mut self, waited: WaitSpan, last_turn: Duration) {
        self.waited = None;
        self.answers = (waited.first_by_socket, waited.by_socket);
        let Some(delay) = self.delay.as_ref().filter(|_| waited.by_socket > 0) else {
            return;
        };
        if self.before.is_none() && waited.to < self.next {
            if waited.by_socket >= MEASURED_ANSWERS_MIN {
                self.waited = Some(behind(waited, last_turn, RunDelayGrowth::default()));
            }
            return;
        }
        let Some(after) = delay.read() else {
            return;
        };
        self.next = waited.to + MEASURE_INTERVAL;
        let growth = RunDelayGrowth::between(self.last_read, self.before, after);
        // What is more than the wait came after it, and belongs to the turn that begins.
        let asleep = waited.to.since(waited.from);
        self.last_read = after - growth.in_wait.saturating_sub(asleep);
        self.waited = Some(behind(waited, last_turn, growth));
    }

    /// Whether the answers of this turn are measured.
    pub(super) fn is_measuring(&self) -> bool {
        self.waited.is_some()
    }

    /// Records the lag of the task at `place` of the turn that began at `begun`, if an answer woke it; it
    /// is handled `now`.
    pub(super) fn record(&self, place: usize, begun: Time, now: Time, shard: &mut Shard) {
        if self.is_counted(place)
            && let Some(lag) = self.lag(begun, now)
        {
            let lag_ms = lag.as_secs_f64() * 1000.0;
            shard.record(builtin::READ_LAG, TagSetId::EMPTY, lag_ms);
        }
    }

    fn is_counted(&self, place: usize) -> bool {
        let (first, count) = self.answers;
        let answers = first..first + count;
        answers.contains(&place)
            && (place - first).is_multiple_of(count.div_ceil(COUNTED_ANSWERS_MAX))
    }

    /// How long an answer that is handled `now` waited, in a turn that began at `begun`.
    fn lag(&self, begun: Time, now: Time) -> Option<Duration> {
        self.waited.map(|waited| waited + now.since(begun))
    }
}

/// How much longer the thread waited for a core.
#[derive(Debug, Clone, Copy, Default)]
struct RunDelayGrowth {
    /// Since the last reading, up to the end of the last turn.
    in_last_turn: Duration,
    /// During the wait for events.
    in_wait: Duration,
}

impl RunDelayGrowth {
    /// From the last reading, the one before the wait, and the one after it. Without the one
    /// before the wait the last reading is less than [`MEASURE_INTERVAL`] older.
    fn between(last: Duration, before: Option<Duration>, after: Duration) -> Self {
        let before = before.unwrap_or(last);
        Self {
            in_last_turn: before.saturating_sub(last),
            in_wait: after.saturating_sub(before),
        }
    }
}

/// How long an answer waited until the worker began to handle ready tasks.
fn behind(waited: WaitSpan, last_turn: Duration, run_delay: RunDelayGrowth) -> Duration {
    let asleep = waited.to.since(waited.from);
    if asleep >= SLEEP_MIN {
        return run_delay.in_wait.min(asleep);
    }
    let stopped = run_delay.in_last_turn.min(last_turn);
    stopped + (last_turn - stopped) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_MILLISECOND: Duration = Duration::from_millis(1);

    fn waited(from: u32, to: u32) -> WaitSpan {
        WaitSpan {
            from: Time::ZERO + from * ONE_MILLISECOND,
            to: Time::ZERO + to * ONE_MILLISECOND,
            first_by_socket: 0,
            by_socket: 1,
        }
    }

    fn grown(in_last_turn: Duration, in_wait: Duration) -> RunDelayGrowth {
        RunDelayGrowth {
            in_last_turn,
            in_wait,
        }
    }

    #[test]
    fn an_answer_that_wakes_the_worker_waits_for_a_core() {
        let asleep = |from, to, delay| {
            behind(
                waited(from, to),
                3 * ONE_MILLISECOND,
                grown(ONE_MILLISECOND, delay),
            )
        };
        assert_eq!(asleep(10, 20, 4 * ONE_MILLISECOND), 4 * ONE_MILLISECOND);
        // What was waited before the sleep is not the answer's.
        assert_eq!(asleep(10, 12, 9 * ONE_MILLISECOND), 2 * ONE_MILLISECOND);
    }

    #[test]
    fn an_answer_that_finds_the_worker_at_work_waits_half_a_turn() {
        let running = grown(Duration::ZERO, Duration::ZERO);
        assert_eq!(
            behind(waited(10, 10), 6 * ONE_MILLISECOND, running),
            3 * ONE_MILLISECOND
        );
    }

    #[test]
    fn an_answer_that_comes_while_the_worker_is_kept_from_running_waits_all_that_time() {
        let stopped = grown(300 * ONE_MILLISECOND, Duration::ZERO);
        assert_eq!(
            behind(waited(10, 10), 304 * ONE_MILLISECOND, stopped),
            302 * ONE_MILLISECOND
        );
        // The growth may be older than the turn.
        assert_eq!(
            behind(waited(10, 10), 6 * ONE_MILLISECOND, stopped),
            6 * ONE_MILLISECOND
        );
    }

    #[test]
    fn answers_handled_late_in_a_turn_count_with_their_own_wait() {
        let measured = ReadLag {
            waited: Some(ONE_MILLISECOND),
            ..ReadLag::default()
        };
        let begun = Time::ZERO;
        assert_eq!(measured.lag(begun, begun), Some(ONE_MILLISECOND));
        assert_eq!(
            measured.lag(begun, begun + 8 * ONE_MILLISECOND),
            Some(9 * ONE_MILLISECOND)
        );
        assert_eq!(ReadLag::default().lag(begun, begun), None);
    }
    #[test]
    fn a_wait_that_begins_just_after_a_measurement_is_measured_from_that_one() {
        let between =
            |before| RunDelayGrowth::between(5 * ONE_MILLISECOND, before, 300 * ONE_MILLISECOND);
        assert_eq!(between(None).in_wait, 295 * ONE_MILLISECOND);
        assert_eq!(
            between(Some(200 * ONE_MILLISECOND)).in_wait,
            100 * ONE_MILLISECOND
        );
        assert_eq!(
            between(Some(200 * ONE_MILLISECOND)).in_last_turn,
            195 * ONE_MILLISECOND
        );
    }

    #[test]
    fn tasks_that_no_answer_woke_are_not_counted() {
        let counted = |answers| {
            let lag = ReadLag {
                answers,
                ..ReadLag::default()
            };
            (0..200).filter(|place| lag.is_counted(*place)).count()
        };
        assert_eq!(counted((3, 0)), 0);
        assert_eq!(counted((3, 2)), 2);
        assert_eq!(counted((20, 130)), 44, "every third of many");
    }
}
