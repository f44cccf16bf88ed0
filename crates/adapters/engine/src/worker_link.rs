//! How a run receives its workers' reports: from threads, or from a simulation in one thread.

use loadline_units::Time;

use crate::command::Report;
use crate::error::EngineError;

/// The run's connection to its workers.
pub(crate) trait WorkerLink {
    /// The current instant.
    fn now(&self) -> Time;

    /// The next report; `None` when `until` comes first.
    fn next_report(&mut self, until: Time) -> Result<Option<Report>, EngineError>;
}
