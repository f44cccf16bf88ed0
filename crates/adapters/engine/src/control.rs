//! Changing a running test, from any thread.

use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use loadline_units::ScenarioId;
use loadline_vu::{LifecycleStage, StopCause};

use crate::command::{Command, Level, Report, StageAnswer, StageRequest};
use crate::shared::Shared;

/// Changes a running test. Keys, the REST API and capacity searches all use it.
#[derive(Clone)]
pub struct Control {
    shared: Arc<Shared>,
}

impl Control {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Stops the run gracefully. False: it was already stopping.
    pub fn stop(&self, cause: StopCause) -> bool {
        self.shared.run_state.request_stop(cause)
    }

    /// Lets a run that was started paused begin.
    pub fn release(&self) {
        self.shared.release();
    }

    /// Runs a stage by hand, before the release of a run that was started paused: stages run in
    /// the order in which they were asked for, once all users exist. What became of it comes
    /// over the channel; nothing comes when the run began or ended before its turn.
    #[must_use]
    pub fn run_stage(&self, stage: LifecycleStage) -> Receiver<StageAnswer> {
        let (answer, ended) = bounded(1);
        self.shared
            .report(Report::StageAsked(StageRequest { stage, answer }));
        ended
    }

    /// Begins no iteration until [`Control::resume`]. Starts planned meanwhile are
    /// skipped; the scenarios still end when planned.
    pub fn hold(&self) {
        self.shared.notify_conductor(Command::Hold);
    }

    /// Continues after a hold.
    pub fn resume(&self) {
        self.shared.notify_conductor(Command::Resume);
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
            .notify_conductor(Command::SetLevel { scenario, level });
    }
}
