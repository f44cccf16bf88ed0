//! A worker: one thread's reactor, users, lanes and shard, and the order of a turn.
//!
//! Each turn takes letters, heeds a stop, lets the conductor act (first worker), starts
//! what is due, wakes users, and closes windows. What happens to a user is in
//! [`crate::worker::users`], to planned starts in [`crate::worker::starts`].

mod farewell;
mod latency;
mod letters;
mod stage;
mod starts;
mod users;
mod waiting;
mod windows;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_metrics::{Shard, TagSetId, builtin};
use loadline_reactor::{Handle, Reactor, TaskId};
use loadline_units::{ScenarioId, Time, WorkerId};
use loadline_vu::Local;

use crate::command::Inbox;
use crate::conductor::{Conductor, scenario_tags};
use crate::lane::{Lane, Phase};
use crate::probe::Probes;
use crate::shared::Shared;
use crate::user::User;
use farewell::Farewells;
use stage::StageRun;
use windows::WindowClock;

/// The task number of the user that runs stages; other users' numbers are their slots.
const STAGE_TASK: TaskId = TaskId(1 << 40);

/// A worker away for longer than this has stalled.
const STALL: Duration = Duration::from_millis(100);

/// One worker of a run.
pub(crate) struct Worker {
    id: WorkerId,
    reactor: Reactor,
    handle: Handle,
    shared: Arc<Shared>,
    inbox: Inbox,
    shard: Shard,
    local: Local,
    users: Vec<User>,
    lanes: Vec<Lane>,
    stage: Option<StageRun>,
    farewells: Farewells,
    conductor: Option<Conductor>,
    windows: WindowClock,
    ready: Vec<TaskId>,
    /// Closed-model users wait instead of beginning an iteration.
    parking: bool,
    /// The stop was seen and acted upon.
    stopped: bool,
    leaving: bool,
    /// When the last wait ended.
    awake_since: Time,
    probes: Probes,
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
            local: Local::default(),
            users: Vec::new(),
            lanes,
            stage: None,
            farewells: Farewells::default(),
            conductor,
            windows: WindowClock::default(),
            ready: Vec::new(),
            parking: false,
            stopped: false,
            leaving: false,
            awake_since: Time::MAX,
            probes: Probes::default(),
            shared,
        }
    }

    /// Does one round of work, waiting first if there is none. False: the worker left.
    ///
    /// # Errors
    /// The kernel's, should waiting fail.
    pub(crate) fn turn(&mut self) -> io::Result<bool> {
        let until = self.next_due();
        let mut ready = std::mem::take(&mut self.ready);
        let waited = self.reactor.turn(&mut ready, until)?;
        self.note_stall(waited.from.since(self.awake_since));
        let now = waited.to;
        self.note_stall(now.since(until.max(waited.from)));
        self.awake_since = now;
        self.shard.set_now(now);
        self.take_letters();
        self.heed_stop();
        self.conduct(now);
        self.start_due();
        let half = ready.len() / 2;
        for (place, task) in ready.drain(..).enumerate() {
            if place == half {
                self.answer_probes();
            }
            self.wake(task);
            // Users can take a time slice each; starts must not wait for all of them.
            self.start_due();
        }
        self.answer_probes(); // nothing was ready beside them
        self.ready = ready;
        self.close_due_windows();
        Ok(!self.leaving)
    }

    /// The next instant at which something is to be done without being woken.
    pub(crate) fn next_due(&self) -> Time {
        let starts = self.lanes.iter().filter_map(Lane::next_start);
        let conductor = self.conductor.as_ref().and_then(Conductor::next_due);
        starts
            .chain(conductor)
            .chain(self.windows.next_boundary())
            .min()
            .unwrap_or(Time::MAX)
    }

    /// For drivers of simulated worlds: when [`Worker::turn`] has something to do.
    pub(crate) fn next_wake(&self) -> Time {
        if !self.inbox.letters.is_empty() || (self.shared.stop_requested() && !self.stopped) {
            return self.handle.now();
        }
        let due = self.next_due();
        self.reactor.next_wake().map_or(due, |at| at.min(due))
    }

    /// Records how long the probes of this turn had to wait.
    fn answer_probes(&mut self) {
        if self.probes.is_empty() {
            return;
        }
        let is_loaded = self.lanes.iter().any(|lane| lane.phase == Phase::Open);
        for lag in self.probes.answer(self.handle.now()) {
            if is_loaded {
                self.shard.record(builtin::READ_LAG, TagSetId::EMPTY, lag);
            }
        }
    }

    /// Counts a time the worker was away against the generator.
    fn note_stall(&self, away: Duration) {
        if away < STALL || !self.lanes.iter().any(|lane| lane.phase == Phase::Open) {
            return;
        }
        let board = &self.shared.board;
        board.stalls.fetch_add(1, Ordering::Relaxed);
        let nanos = u64::try_from(away.as_nanos()).unwrap_or(u64::MAX);
        board.longest_stall.fetch_max(nanos, Ordering::Relaxed);
        board.recent_stall.fetch_max(nanos, Ordering::Relaxed);
    }

    /// Reports that the worker left its loop; for drivers that own no thread.
    pub(crate) fn say_left(&self) {
        self.shared.report(crate::command::Report::Left);
    }

    fn conduct(&mut self, now: Time) {
        if let Some(conductor) = &mut self.conductor {
            conductor.act(now, &mut self.shard);
        }
    }

    /// Acts on a requested stop, once: closes all lanes, and cuts them unless the cause
    /// allows running iterations some time (the conductor then cuts what is left).
    fn heed_stop(&mut self) {
        if self.stopped {
            return;
        }
        let Some(cause) = self.shared.board.stop_cause() else {
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
