//! Commands and reports between the run, its workers and the conductor.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Sender;
use crossbeam_queue::SegQueue;
use loadline_metrics::ShardWindow;
use loadline_reactor::RemoteWaker;
use loadline_testplan::Arrivals;
use loadline_units::{ScenarioId, Time, VuId, WorkerId};
use loadline_vu::{Fault, InterruptReason, IterationResult, LifecycleStage};

/// A user's worker, and its index in that worker's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct UserRef {
    pub(crate) worker: WorkerId,
    pub(crate) index: u32,
}

/// A slot of a scenario, from 0. Ramp-down releases the highest first.
pub(crate) type SlotNumber = u64;

/// To a worker.
#[derive(Debug)]
pub(crate) enum Command {
    /// Windows are counted from here.
    OpenWindows { origin: Time },
    /// Make these users; each is reported.
    MakeUsers { ids: Vec<VuId> },
    /// Make one more user for an open-model scenario, in the middle of the run.
    MakeExtra { id: VuId, scenario: ScenarioId },
    /// The scenarios' clock starts at `at`.
    Begin { at: Time },
    /// Scenario begins on this worker.
    OpenLane {
        scenario: ScenarioId,
        from: Time,
        until: Time,
    },
    /// Assign a user to a slot of a scenario.
    AssignSlot {
        index: u32,
        scenario: ScenarioId,
        slot: SlotNumber,
    },
    /// Let a user finish its iteration, then return it to the pool.
    ReleaseSlot { index: u32 },
    /// Undo [`Command::ReleaseSlot`]: the user keeps its slot.
    KeepSlot { index: u32 },
    /// Interrupt a user's iteration and return the user to the pool.
    Cut { index: u32 },
    /// No start of an open-model scenario is planned from here on; answered by
    /// [`Command::StartsEnded`].
    EndStarts { scenario: ScenarioId },
    /// No more iterations of a scenario; users return to the pool as they finish.
    CloseLane { scenario: ScenarioId },
    /// Interrupt all iterations of a scenario.
    CutLane { scenario: ScenarioId },
    /// A planned start handed over; one of this worker's idle users is reserved for it.
    Start { scenario: ScenarioId, planned: Time },
    /// One of `worker`'s idle users is reserved for a start of this worker's that waits.
    Offer {
        worker: WorkerId,
        scenario: ScenarioId,
    },
    /// From `at` on (the scenario's own time), starts follow `shape` as it is from its
    /// own time `shape_from` on.
    Reshape {
        scenario: ScenarioId,
        at: Duration,
        shape: Arc<Arrivals>,
        shape_from: Duration,
    },
    /// Closed-model users begin no iteration until resumed.
    Park,
    /// Parked users continue.
    Unpark,
    /// Run a stage of the test (first worker only).
    RunStage(LifecycleStage),
    /// Interrupt the running stage.
    CutStage(InterruptReason),
    /// Run the teardown of each user that began an iteration.
    RunVuTeardowns,
    /// Interrupt the teardowns that still run.
    CutVuTeardowns,
    /// Hand over the last window.
    CloseWindows,
    /// End the worker's loop.
    Exit,

    // To the conductor, which lives on the first worker.
    /// A user gave its slot back.
    Returned {
        user: UserRef,
        scenario: ScenarioId,
        slot: SlotNumber,
    },
    /// A worker handed out the last of its planned starts.
    StartsEnded { scenario: ScenarioId },
    /// An extra user was made and assigned.
    ExtraAssigned { scenario: ScenarioId },
    /// A new user is free for a slot.
    UserReady { user: UserRef },
    /// Begin no iteration until resumed.
    Hold,
    /// Begin iterations again.
    Resume,
    /// Change a scenario's level (see [`crate::Control`]).
    SetLevel { scenario: ScenarioId, level: Level },
}

/// A level set by hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Level {
    /// Users (closed model) or starts per second (open model).
    Absolute(f64),
    /// A multiple of the plan's level.
    Scaled(f64),
}

/// From a worker to the run.
#[derive(Debug)]
pub(crate) enum Report {
    /// One of the planned users exists.
    UserMade,
    /// A user cannot be made, or cannot continue.
    UserFailed(Fault),
    /// The test's own code failed while a user beyond the planned ones was made.
    ExtraFailed { scenario: ScenarioId, fault: Fault },
    /// A stage ended; `None` when the test has no such stage.
    StageEnded(LifecycleStage, Option<IterationResult>),
    /// All user teardowns of one worker ended.
    VuTeardownsOver,
    /// One worker's part of a window.
    Window(Box<ShardWindow>),
    /// A worker handed over its last window.
    WindowsClosed,
    /// All scenarios are over.
    ScenariosOver,
    /// An open-model scenario has no idle user and may make no more.
    OutOfUsers { scenario: ScenarioId, active: u64 },
    /// A paused run may begin.
    Released,
    /// Somebody asks for a stage by hand.
    StageAsked(StageRequest),
    /// A worker's loop ended.
    Exited,
    /// A task held a worker, which comes back or does not.
    Held(WorkerHold),
    /// A worker died.
    Died { worker: WorkerId, message: String },
}

/// How long a task held a worker, as its watchdog saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerHold {
    /// Which.
    pub worker: WorkerId,
    /// The host function that ran; `None` for code of the script itself.
    pub call: Option<String>,
    /// How long.
    pub held: Duration,
    /// The worker did not come back when the run ended: what it measured last is lost.
    pub is_lost: bool,
}

/// A stage asked for by hand, and who hears how it ended; the answer is lost when the run began or
/// ended before it came to the stage.
#[derive(Debug)]
pub(crate) struct StageRequest {
    pub(crate) stage: LifecycleStage,
    pub(crate) answer: Sender<StageAnswer>,
}

/// What became of a stage that was asked for by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageAnswer {
    /// It ended, with this fault if it did not end well.
    Ended(Option<Fault>),
    /// It did not run: the run was not started paused, or began before.
    NotWaiting,
}

/// The queue of commands to one worker.
#[derive(Debug, Clone)]
pub(crate) struct Inbox {
    pub(crate) commands: Arc<SegQueue<Command>>,
    pub(crate) remote: RemoteWaker,
}

impl Inbox {
    pub(crate) fn new(remote: RemoteWaker) -> Self {
        Self {
            commands: Arc::new(SegQueue::new()),
            remote,
        }
    }

    pub(crate) fn send(&self, command: Command) {
        self.commands.push(command);
        self.remote.wake();
    }
}
