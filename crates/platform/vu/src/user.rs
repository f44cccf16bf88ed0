//! Virtual users and their factory.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use loadline_metrics::Shard;
use loadline_reactor::ReactorHandle;
use loadline_units::{ScenarioId, Time, VuId};

use crate::local::WorkerLocal;
use crate::run_state::RunState;
use crate::stop::Fault;

/// One simulated client: a state machine that never blocks and stays on one thread.
///
/// Between a `begin` and the [`IterationStatus::Done`] that ends it, the engine calls `wake` each
/// time [`Cx::waker`] was woken, and may call `interrupt`. No call takes longer than
/// about a millisecond; longer work is split and continued by waking itself.
pub trait VirtualUser {
    /// Starts one iteration, or one stage of the test. Called only when none is running.
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus;

    /// Continues after a wake-up. Spurious calls are allowed and change nothing.
    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus;

    /// Ends the running iteration now: blocked calls return, running code is stopped.
    /// Reaches [`IterationStatus::Done`] within one time slice (by later `wake`s if need be).
    fn interrupt(&mut self, why: InterruptReason, cx: &mut Cx<'_>) -> IterationStatus;
}

/// The context of one call of a virtual user: reactor, waker, samples, shared state.
pub struct Cx<'a> {
    /// The worker's reactor: sockets, timers, the clock.
    pub reactor: &'a ReactorHandle,
    /// Wakes this user.
    pub waker: &'a Waker,
    /// Where this worker's samples go.
    pub shard: &'a mut Shard,
    /// State shared by all workers.
    pub run_state: &'a Arc<RunState>,
    /// State shared by the users of this worker.
    pub local: &'a WorkerLocal,
}

impl Cx<'_> {
    /// The current instant, read from the clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.reactor.now()
    }
}

/// One iteration, or one run of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iteration {
    /// An iteration of a scenario, or a stage of the test.
    pub work: IterationKind,
    /// How many iterations this user began before this one, in all scenarios.
    pub of_user: u64,
    /// How many it began before this one in this scenario.
    pub of_user_in_scenario: u64,
    /// When the pacer meant it to begin; `None` where users set the pace (closed model).
    pub planned: Option<Time>,
    /// When it begins.
    pub started: Time,
}

/// The kinds of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IterationKind {
    /// Iteration `number` (from 0, unique within the scenario over all workers).
    Scenario {
        /// Which scenario.
        scenario: ScenarioId,
        /// Its number; the numbers of a finished scenario are 0..n without gaps.
        number: u64,
    },
    /// A part of the test outside any scenario.
    Stage(LifecycleStage),
    /// A user's own teardown: once after all scenarios, if it began an iteration.
    VuTeardown,
}

/// Parts of a test that run once, on a user of their own ([`VuId::LIFECYCLE`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LifecycleStage {
    /// Before the first iteration.
    Setup,
    /// After the last iteration, also after an abort.
    Teardown,
    /// After teardown: the test's own summary.
    Summarize,
}

/// Whether an iteration is finished after a call.
#[derive(Debug)]
#[must_use]
pub enum IterationStatus {
    /// Not finished; the user's waker will be woken.
    Pending,
    /// Finished; the user is idle.
    Done(IterationResult),
}

/// How an iteration or stage ended.
#[derive(Debug)]
pub enum IterationResult {
    /// Ran to its end. An iteration that threw counts as complete (k6's rule).
    Complete,
    /// The same, and what it asked for failed: for iterations of one request.
    CompleteWithFailure,
    /// Was ended by [`VirtualUser::interrupt`] or by the test's own abort.
    Interrupted,
    /// A stage failed; for iterations: the user cannot continue.
    Failed(Fault),
}

/// Why a running iteration is interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterruptReason {
    /// Its grace period is over.
    GraceOver,
    /// The run stops now.
    RunStops,
    /// A stage's time-out.
    TimedOut,
}

/// Makes the virtual users of one run. Shared by all workers.
pub trait VuFactory: Send + Sync {
    /// Makes user `id` on the worker it will live on, also in the middle of a run.
    ///
    /// # Errors
    /// A [`Fault`] that ends the run: the test's own start-up code failed.
    fn make(&self, id: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault>;

    /// Makes the user that runs `stage`; `None` when the test has no such stage. Results
    /// (set-up data, summary texts) stay with the factory.
    ///
    /// # Errors
    /// A [`Fault`], as for [`VuFactory::make`].
    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault>;

    /// Whether the test has such a stage: one that it lacks is never said to begin.
    fn has_stage(&self, _stage: LifecycleStage) -> bool {
        true
    }

    /// The next run of `stage` is asked for by hand: it runs even if the test switches it off.
    fn allow_stage(&self, _stage: LifecycleStage) {}

    /// How long `stage` may take.
    fn stage_timeout(&self, stage: LifecycleStage) -> Duration;

    /// How long all users together may take for their teardowns ([`IterationKind::VuTeardown`]);
    /// `None` when users have none.
    fn vu_teardown_timeout(&self) -> Option<Duration> {
        None
    }
}
