//! Sees from outside when a task holds a worker, and when the worker does not come back.
//!
//! A task is to end within about a millisecond. A host function that computes for long, or a native
//! part of the script engine that cannot be interrupted, holds the worker: no time-out, no stop and
//! no other user gets its turn meanwhile. The run must end all the same.

use std::sync::Arc;
use std::time::Duration;

use loadline_reactor::TaskSnapshot;
use loadline_units::{Time, WorkerId};
use loadline_vu::RunPhase;

use crate::command::WorkerHold;
use crate::shared::Shared;

/// How often it looks.
pub(crate) const WATCH_INTERVAL: Duration = Duration::from_millis(50);
/// A task that takes longer than this is reported.
const HOLD_MIN: Duration = Duration::from_millis(100);
/// A worker may come back this long after all must have ended.
const COME_BACK_TIMEOUT: Duration = Duration::from_millis(1500);

/// Of a time in which nobody looked (the process was stopped, or had no core) this much counts.
const GAP_MAX: Duration = Duration::from_millis(200);
/// Holds that are reported in a run, beside those that lose a worker; all count as stalls.
const REPORTED_MAX: u32 = 10;

/// Watches the workers of a run.
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    workers: Vec<Watched>,
    /// When a stop of the run was first seen.
    stop_seen: Option<Time>,
    last_look: Time,
    reported: u32,
}

/// What was last seen of a worker.
#[derive(Debug, Clone, Default)]
struct Watched {
    beat: Option<TaskSnapshot>,
    /// How long it was seen in the present task.
    held: Duration,
    /// How long its thread had had a core when that was first seen, and when it was last.
    on_core: Option<(Duration, Duration)>,
    /// The call of a task that takes long.
    hold: Option<Option<String>>,
    is_lost: bool,
}

/// What a look at a worker showed.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    call: Option<String>,
    held: Duration,
    is_lost: bool,
}

impl Watchdog {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let workers = vec![Watched::default(); shared.options.workers];
        Self {
            shared,
            workers,
            stop_seen: None,
            last_look: Time::ZERO,
            reported: 0,
        }
    }

    /// Whether the worker was given up.
    pub(crate) fn has_lost(&self, worker: usize) -> bool {
        self.workers[worker].is_lost
    }

    /// A task that has held its worker: when it ended, or when the worker must be given up.
    pub(crate) fn look(&mut self, now: Time) -> Option<WorkerHold> {
        let gap = now.since(self.last_look).min(GAP_MAX);
        self.last_look = now;
        let is_over = now >= self.must_end(now) + COME_BACK_TIMEOUT;
        let is_running = self.shared.run_state.phase() == RunPhase::Running;
        let mut found = None;
        for (index, watched) in self.workers.iter_mut().enumerate() {
            let progress = &self.shared.progress_of_workers[index];
            let seen = watched.see(progress.look(), gap, is_over, || progress.call());
            watched.follow_core(|| progress.time_on_core());
            if let Some(seen) = seen {
                let is_told = is_running && self.reported < REPORTED_MAX && seen.call.is_some();
                if seen.is_lost || is_told {
                    self.reported += 1;
                    found = Some((index, seen));
                }
            }
        }
        let (index, seen) = found?;
        Some(WorkerHold {
            worker: WorkerId(u16::try_from(index).unwrap_or(u16::MAX)),
            call: seen.call,
            held: seen.held,
            is_lost: seen.is_lost,
        })
    }

    /// When what runs must have ended. The conductor tells, but it may be on the worker that is
    /// held when a stop comes.
    fn must_end(&mut self, now: Time) -> Time {
        let must_end = self.shared.must_end();
        let run_state = &self.shared.run_state;
        let Some(cause) = run_state.stop_cause() else {
            return must_end;
        };
        if matches!(run_state.phase(), RunPhase::Teardown | RunPhase::Ended) {
            return must_end;
        }
        let stop_seen = *self.stop_seen.get_or_insert(now);
        must_end.min(stop_seen + self.shared.options.drain(cause))
    }
}

impl Watched {
    /// Follows how long the thread of a task that takes long had a core.
    fn follow_core(&mut self, time_on_core: impl FnOnce() -> Option<Duration>) {
        if self.held.is_zero() || self.is_lost {
            return;
        }
        if let Some(now) = time_on_core() {
            let first = self.on_core.map_or(now, |(first, _)| first);
            self.on_core = Some((first, now));
        }
    }

    /// Takes in a look, `gap` after the one before. `is_over`: everything must have ended.
    fn see(
        &mut self,
        beat: TaskSnapshot,
        gap: Duration,
        is_over: bool,
        call: impl FnOnce() -> Option<String>,
    ) -> Option<Seen> {
        if self.is_lost {
            return None;
        }
        if self.beat != Some(beat) {
            self.beat = Some(beat);
            let held = std::mem::take(&mut self.held);
            let on_core = self
                .on_core
                .take()
                .map(|(first, last)| last.saturating_sub(first));
            let call = self.hold.take()?;
            // A thread that waited for a core was held by others.
            let held = on_core.map_or(held, |on_core| on_core.min(held));
            return (held >= HOLD_MIN).then_some(Seen {
                call,
                held,
                is_lost: false,
            });
        }
        if !beat.is_busy() {
            return None;
        }
        self.held += gap;
        if self.held < HOLD_MIN {
            return None;
        }
        let call = self.hold.get_or_insert_with(call).clone();
        self.is_lost = is_over && self.held >= COME_BACK_TIMEOUT;
        self.is_lost.then_some(Seen {
            call,
            held: self.held,
            is_lost: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use loadline_reactor::WorkerProgress;

    use super::*;

    const LOOK_INTERVAL_OF_TEST: Duration = Duration::from_millis(50);

    fn named() -> Option<String> {
        Some("parse".to_owned())
    }

    #[test]
    fn a_task_that_takes_long_is_named_when_it_ends() {
        let progress = WorkerProgress::default();
        let mut watched = Watched::default();
        let mut see = |progress: &WorkerProgress| {
            watched.see(progress.look(), LOOK_INTERVAL_OF_TEST, false, named)
        };
        progress.begin_task();
        for _ in 0..100 {
            assert_eq!(see(&progress), None);
        }
        progress.begin_task();
        let seen = see(&progress).unwrap();
        assert_eq!((seen.call, seen.is_lost), (named(), false));
        assert_eq!(seen.held, 99 * LOOK_INTERVAL_OF_TEST);
        progress.rest();
        for _ in 0..100 {
            assert_eq!(
                see(&progress),
                None,
                "short tasks and waits are not told of"
            );
        }
    }

    #[test]
    fn a_worker_that_does_not_come_back_is_given_up_once() {
        let progress = WorkerProgress::default();
        let mut watched = Watched::default();
        progress.begin_task();
        let mut see = |is_over| watched.see(progress.look(), LOOK_INTERVAL_OF_TEST, is_over, named);
        for _ in 0..20 {
            assert_eq!(see(false), None);
        }
        let mut looks = 0;
        while see(true).is_none() {
            looks += 1;
        }
        assert_eq!(looks, 10, "it had a second before");
        assert_eq!(see(true), None);
    }
}
