//! The contract between an experiment and the load it controls.

use loadline_analysis::capacity::Unit;
use loadline_analysis::slo::Term;

use crate::window::LoadWindow;

/// What an experiment requires of a runner.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnerRequirements {
    /// The unit of levels.
    pub unit: Unit,
    /// The most virtual users.
    pub most_users: u64,
    /// The longest time the experiment may take, seconds.
    pub longest: f64,
    /// The only scenario to load; `None` loads all of them in their planned mix.
    pub scenario: Option<String>,
    /// Terms whose requests windows count separately.
    pub terms: Vec<Term>,
}

/// Makes load at the levels of an experiment.
pub trait Runner {
    /// Load that is running.
    type Running: Running;
    /// Why the load cannot be started.
    type Error;

    /// Starts, with no load.
    ///
    /// # Errors
    /// The runner's error.
    fn start(&mut self, requirements: &RunnerRequirements) -> Result<Self::Running, Self::Error>;
}

/// Load that is running.
pub trait Running {
    /// Loads the target at `level` from now on: iterations per second or users.
    fn set_level(&mut self, level: f64);

    /// Waits for the next window; `None` after the last one.
    fn next_window(&mut self) -> Option<LoadWindow>;

    /// Ends the load at once.
    fn stop(&mut self);
}
