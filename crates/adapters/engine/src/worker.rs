//! A worker: one thread's reactor, users, lanes and shard, and the order of a turn.
//!
//! Each turn drains the inbox, applies a stop, lets the conductor act (first worker),
//! begins due starts, wakes users and closes windows. Users are handled in
//! [`crate::worker::users`], planned starts in [`crate::worker::starts`].

mod inbox;
mod latency;
mod read_lag;
mod stage;
mod starts;
mod users;
mod vu_teardown;
mod waiting;
mod window_clock;
mod windows;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::{Shard, TagSetId, builtin};
use loadline_reactor::{Reactor, ReactorHandle, Registration, TaskId, WorkerProgress};
use loadline_units::{ScenarioId, Time, WorkerId};
use loadline_vu::{LifecycleStage, VirtualUser, WorkerLocal};

use crate::command::Inbox;
use crate::conductor::{Conductor, scenario_tags};
use crate::lane::{Lane, Phase};
use crate::shared::Shared;
use crate::user::User;
use read_lag::ReadLag;
use window_clock::WindowClock;

/// The task id of the user that runs stages. Other users' task ids are their indexes.
const STAGE_TASK: TaskId = TaskId(1 << 40);

/// A worker that did not run for longer than this has stalled.
const STALL_MIN: Duration = Duration::from_millis(100);

/// A stage that is running.
struct StageRun {
    stage: LifecycleStage,
    vu: Box<dyn VirtualUser>,
    registration: Registration,
}

/// The user teardowns of one worker.
#[derive(Debug, Default)]
struct VuTeardowns {
    waiting: VecDeque<u32>,
    under_way: usize,
    open: bool,
}

/// One worker of a run.
pub(crate) struct Worker {
    id: WorkerId,
    reactor: Reactor,
    handle: ReactorHandle,
    shared: Arc<Shared>,
    inbox: Inbox,
    shard: Shard,
    local: WorkerLocal,
    users: Vec<User>,
    lanes: Vec<Lane>,
    stage: Option<StageRun>,
    vu_teardowns: VuTeardowns,
    conductor: Option<Conductor>,
    windows: WindowClock,
    ready: Vec<TaskId>,
    /// Closed-model users wait instead of beginning an iteration.
    parking: bool,
    /// The stop was applied.
    stopped: bool,
    exiting: bool,
    /// When the last wait ended.
    awake_since: Time,
    read_lag: ReadLag,
    progress: Arc<WorkerProgress>,
}

impl Worker {
    /// Worker `id`, on the thread that will run it.
    pub(crate) fn new(
        id: WorkerId,
        reactor: Reactor,
        inbox: Inbox,
        shared: Arc<Shared>,
        mut shard: Shard,
    ) -> Self {
        let lanes = (0..shared.plan.scenarios.len())
            .map(|index| Lane::new(scenario_tags(&shared, &mut shard, scenario_id(index))))
            .collect();
        let handle = reactor.handle();
        let conductor = (id == WorkerId(0)).then(|| Conductor::new(shared.clone()));
        Self {
            id,
            reactor,
            handle,
            inbox,
            shard,
            local: WorkerLocal::default(),
            users: Vec::new(),
            lanes,
            stage: None,
            vu_teardowns: VuTeardowns::default(),
            conductor,
            windows: WindowClock::default(),
            ready: Vec::new(),
            parking: false,
            stopped: false,
            exiting: false,
            awake_since: Time::MAX,
            read_lag: ReadLag::default(),
            progress: shared.progress_of_workers[id.index()].clone(),
            shared,
        }
    }

    /// Does one round of work, after waiting if there is none. False: the worker's loop ended.
    ///
    /// # Errors
    /// The kernel's error when waiting fails.
    pub(crate) fn turn(&mut self) -> io::Result<bool> {
        let until = self.next_due();
        let mut ready = std::mem::take(&mut self.ready);
        if self.is_loaded() {
            self.read_lag.before(self.handle.now());
        }
        self.progress.rest();
        let waited = self.reactor.turn(&mut ready, until)?;
        self.progress.begin_task();
        let last_turn = waited.from.since(self.awake_since);
        self.read_lag.after(waited, last_turn);
        self.note_stall(self.awake_since, waited.from);
        let now = waited.to;
        self.note_stall(until.max(waited.from), now);
        self.awake_since = now;
        self.shard.set_now(now);
        self.drain_inbox();
        self.apply_stop();
        self.conduct(now);
        self.start_due();
        for (place, task) in ready.drain(..).enumerate() {
            if self.read_lag.is_measuring() {
                let handled = self.handle.now();
                self.read_lag.record(place, now, handled, &mut self.shard);
            }
            self.progress.begin_task();
            self.wake(task);
            self.apply_stop();
            // Users can take a time slice each; starts must not wait for all of them.
            self.start_due();
        }
        self.ready = ready;
        self.close_due_windows();
        Ok(!self.exiting)
    }

    /// When the worker has work even if nothing wakes it.
    pub(crate) fn next_due(&self) -> Time {
        let starts = self.lanes.iter().filter_map(Lane::next_start);
        let conductor = self.conductor.as_ref().and_then(Conductor::next_due);
        starts
            .chain(conductor)
            .chain(self.windows.next_boundary())
            .min()
            .unwrap_or(Time::MAX)
    }

    /// For simulations: when [`Worker::turn`] has work next.
    pub(crate) fn next_wake(&self) -> Time {
        if !self.inbox.commands.is_empty() || (self.shared.stop_requested() && !self.stopped) {
            return self.handle.now();
        }
        let due = self.next_due();
        self.reactor.next_wake().map_or(due, |at| at.min(due))
    }

    /// Measures how late this worker reads, on the thread that calls.
    pub(crate) fn measure_read_lag(&mut self) {
        self.read_lag = ReadLag::of_this_thread();
    }

    fn is_loaded(&self) -> bool {
        self.lanes.iter().any(|lane| lane.phase == Phase::Open)
    }

    /// Records a time in which the worker did not run, as a stall of the generator.
    fn note_stall(&mut self, from: Time, until: Time) {
        let away = until.since(from);
        if away < STALL_MIN || !self.is_loaded() {
            return;
        }
        self.shared.run_state.stalls.note(from, until);
        let away_ms = away.as_secs_f64() * 1_000.0;
        (self.shard).record(builtin::WORKER_STALL, TagSetId::EMPTY, away_ms);
    }

    /// Reports that the worker's loop ended; for simulations, which have no worker thread.
    pub(crate) fn report_exit(&self) {
        self.shared.report(crate::command::Report::Exited);
    }

    fn conduct(&mut self, now: Time) {
        if let Some(conductor) = &mut self.conductor {
            conductor.act(now, &mut self.shard);
        }
    }

    /// Applies a requested stop, once: closes all lanes, and interrupts iterations unless the
    /// cause lets them finish (the conductor then interrupts those that take too long).
    fn apply_stop(&mut self) {
        if self.stopped {
            return;
        }
        let Some(cause) = self.shared.run_state.stop_cause() else {
            return;
        };
        let drain = self.shared.options.drain(cause);
        self.stopped = true;
        if let Some(conductor) = &mut self.conductor {
            conductor.stop(self.handle.now() + drain);
        }
        for scenario in self.scenario_ids() {
            self.close_lane(scenario);
            if drain.is_zero() {
                self.cut_lane(scenario);
            }
        }
    }

    fn scenario_ids(&self) -> impl Iterator<Item = ScenarioId> + use<> {
        (0..self.lanes.len()).map(scenario_id)
    }
}

/// A position in the plan as an id.
fn scenario_id(index: usize) -> ScenarioId {
    ScenarioId(u16::try_from(index).expect("plans have fewer than 65,536 scenarios"))
}
