//! How a run hears from its workers: threads in earnest, one thread in a simulation.

use loadline_units::Time;

use crate::command::Report;
use crate::error::EngineError;

/// Workers, seen from the run.
pub(crate) trait Fabric {
    /// The current instant.
    fn now(&self) -> Time;

    /// The next report; `None` when `until` comes first.
    fn next_report(&mut self, until: Time) -> Result<Option<Report>, EngineError>;
}
