//! Who is told what happens in a run.

use loadline_metrics::{Merger, Window};
use loadline_units::{ScenarioId, Time};
use loadline_vu::{Fault, Stage};

/// Something that happened, in the order it happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// Windows are counted from here: number k is over k + 1 seconds later.
    WindowsOpen(Time),
    /// So many of the planned users exist.
    UsersMade {
        /// Users that exist.
        made: u64,
        /// Users planned.
        planned: u64,
    },
    /// All users exist and the run is paused before its beginning.
    Waits,
    /// A stage begins.
    StageBegins(Stage),
    /// The scenarios' clock begins at this instant.
    Begins(Time),
    /// A window is complete (or as complete as it gets in time).
    Window(&'a Window),
    /// A scenario has no idle user and may make no more; said once a scenario.
    OutOfUsers {
        /// Which.
        scenario: ScenarioId,
        /// How many users it has.
        active: u64,
    },
    /// The scenarios are over.
    ScenariosOver,
    /// Something broke that ends the run.
    Failed(&'a Fault),
}

/// Told of a run's events on the run's thread. Slow observers delay later events,
/// never the load.
pub trait Observer {
    /// `totals` holds all windows so far; resetting them (after a warm-up) is the
    /// observer's to decide.
    fn observe(&mut self, event: &Event<'_>, now: Time, totals: &mut Merger);
}
