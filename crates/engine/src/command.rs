//! What is said between the run, its workers and the conductor.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_queue::SegQueue;
use loadline_metrics::ShardWindow;
use loadline_reactor::RemoteWaker;
use loadline_testplan::Arrivals;
use loadline_units::{ScenarioId, Time, VuId, WorkerId};
use loadline_vu::{Fault, Outcome, Stage, Why};

/// Where a user lives: its worker, and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct UserRef {
    pub(crate) worker: WorkerId,
    pub(crate) slot: u32,
}

/// A user's place among those of its scenario, from 0. Ramp-down takes the highest first.
pub(crate) type SeatNumber = u64;

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
    /// Give a user to a scenario.
    Seat {
        slot: u32,
        scenario: ScenarioId,
        seat: SeatNumber,
    },
    /// Let a seated user finish its iteration and come back.
    Unseat { slot: u32 },
    /// A user told to come back shall stay after all.
    Keep { slot: u32 },
    /// Cut a seated user's iteration; it comes back.
    Cut { slot: u32 },
    /// No start of an open-model scenario is planned from here on; answered by
    /// [`Command::StartsEnded`].
    EndStarts { scenario: ScenarioId },
    /// No more iterations of a scenario; users come back as they finish.
    CloseLane { scenario: ScenarioId },
    /// Cut all iterations of a scenario.
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
    /// Parked users go on.
    Unpark,
    /// Run a stage of the test (first worker only).
    RunStage(Stage),
    /// Cut the running stage.
    CutStage(Why),
    /// Let users take their leave.
    Farewell,
    /// Cut those that still do.
    CutFarewells,
    /// Hand over the last window.
    CloseWindows,
    /// Leave the loop.
    Leave,

    // To the conductor, which lives on the first worker.
    /// A user came back from its scenario.
    Returned {
        user: UserRef,
        scenario: ScenarioId,
        seat: SeatNumber,
    },
    /// A worker handed out the last of its planned starts.
    StartsEnded { scenario: ScenarioId },
    /// An extra user was made and seated.
    ExtraSeated { scenario: ScenarioId },
    /// A user that may be seated exists.
    UserReady { user: UserRef },
    /// Begin no iteration until resumed.
    Hold,
    /// Go on beginning iterations.
    Resume,
    /// Change a scenario's level (see [`crate::Control`]).
    SetLevel { scenario: ScenarioId, level: Level },
}

/// A level set by hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Level {
    /// So many users (closed) or starts per second (open).
    Absolute(f64),
    /// So many times what the plan says.
    Scaled(f64),
}

/// From a worker to the run.
#[derive(Debug)]
pub(crate) enum Report {
    /// One of the planned users exists.
    UserMade,
    /// A user cannot be made, or cannot go on.
    UserFailed(Fault),
    /// A stage ended; `None` when the test has no such stage.
    StageEnded(Stage, Option<Outcome>),
    /// The users of one worker have taken their leave.
    FarewellsOver,
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
    /// A worker left its loop.
    Left,
    /// A worker died.
    Died { worker: WorkerId, message: String },
}

/// A worker's letter box.
#[derive(Debug, Clone)]
pub(crate) struct Inbox {
    pub(crate) letters: Arc<SegQueue<Command>>,
    pub(crate) remote: RemoteWaker,
}

impl Inbox {
    pub(crate) fn new(remote: RemoteWaker) -> Self {
        Self {
            letters: Arc::new(SegQueue::new()),
            remote,
        }
    }

    pub(crate) fn send(&self, command: Command) {
        self.letters.push(command);
        self.remote.ring();
    }
}
