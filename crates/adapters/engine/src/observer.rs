//! The events of a run, and the trait that receives them.

use loadline_metrics::{Merger, Window};
use loadline_units::{ScenarioId, Time};
use loadline_vu::{Fault, LifecycleStage};

use crate::command::WorkerHold;

/// An event of a run. Events come in the order in which they happened.
#[derive(Debug)]
pub enum EngineEvent<'a> {
    /// Windows are counted from this instant: window k ends k + 1 seconds later.
    WindowsOpen(Time),
    /// The number of planned users made so far.
    UsersMade {
        /// Users that exist.
        made: u64,
        /// Users planned.
        planned: u64,
    },
    /// All users exist and the run waits, paused, before its first start.
    Waits,
    /// A stage begins.
    StageBegins(LifecycleStage),
    /// The scenarios' clock begins at this instant.
    Begins(Time),
    /// A window is complete (or as complete as it gets in time).
    Window(&'a Window),
    /// A scenario has no idle user and may make no more. Sent once per scenario.
    OutOfUsers {
        /// Which.
        scenario: ScenarioId,
        /// How many users it has.
        active: u64,
    },
    /// The test's own code failed while a user beyond the planned ones was made; the run goes on
    /// without it.
    ExtraFailed {
        /// The scenario it was for.
        scenario: ScenarioId,
        /// What failed.
        fault: &'a Fault,
    },
    /// A task held a worker for long.
    WorkerHeld(&'a WorkerHold),
    /// The scenarios are over.
    ScenariosOver,
    /// A fault that ends the run.
    Failed(&'a Fault),
}

/// Receives a run's events on the run's thread. A slow observer delays later events,
/// never the load.
pub trait Observer {
    /// Handles one event. `totals` holds all windows so far; the observer may reset them
    /// (after a warm-up).
    fn observe(&mut self, event: &EngineEvent<'_>, now: Time, totals: &mut Merger);
}
