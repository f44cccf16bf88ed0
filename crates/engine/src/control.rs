//! Changing a running test, from any thread.

use std::sync::Arc;

use loadline_units::ScenarioId;
use loadline_vu::StopCause;

use crate::command::{Command, Level};
use crate::shared::Shared;

/// The one handle through which a run is changed: keys, web, searches all use it.
#[derive(Clone)]
pub struct Control {
    shared: Arc<Shared>,
}

impl Control {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Stops the run in good order. False: it was stopping already.
    pub fn stop(&self, cause: StopCause) -> bool {
        self.shared.board.request_stop(cause)
    }

    /// Lets a run that was started paused begin.
    pub fn release(&self) {
        self.shared.release();
    }

    /// Begins no iteration until [`Control::resume`]. Starts planned meanwhile are left
    /// out; the scenarios' ends stay where they are.
    pub fn hold(&self) {
        self.shared.tell_conductor(Command::Hold);
    }

    /// Goes on after a hold.
    pub fn resume(&self) {
        self.shared.tell_conductor(Command::Resume);
    }

    /// Runs a scenario at `level` from now on: users (closed model) or starts per
    /// second (open model).
    pub fn set_level(&self, scenario: ScenarioId, level: f64) {
        self.send_level(scenario, Level::Absolute(level));
    }

    /// Runs a scenario at `factor` times what its plan says from now on.
    pub fn scale(&self, scenario: ScenarioId, factor: f64) {
        self.send_level(scenario, Level::Scaled(factor));
    }

    fn send_level(&self, scenario: ScenarioId, level: Level) {
        self.shared
            .tell_conductor(Command::SetLevel { scenario, level });
    }
}
