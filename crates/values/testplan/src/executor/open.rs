//! The users of an open-model executor: some are made before the start, more when all are busy.

use std::time::Duration;

use crate::mistake::ScenarioError;
use crate::requirement::VuRequirement;

/// The users of an open-model executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenVus {
    /// Made before the start.
    pub ready: u64,
    /// The limit; not below `ready`.
    pub most: u64,
}

impl OpenVus {
    pub(super) fn check(
        ready: Option<i64>,
        most: Option<i64>,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<Self> {
        let written = ready.unwrap_or(0);
        match ready {
            None => mistakes.push(ScenarioError::NoPreAllocatedVus),
            Some(n) if n < 0 => mistakes.push(ScenarioError::NegativePreAllocatedVus),
            Some(_) => {}
        }
        let most = most.unwrap_or(written);
        if most < written {
            mistakes.push(ScenarioError::MaxVusBelowPreAllocated);
        }
        let vus = Self {
            ready: u64::try_from(ready?).ok()?,
            most: u64::try_from(most).ok()?,
        };
        (vus.ready <= vus.most).then_some(vus)
    }

    pub(super) fn requirements(self, end: Duration) -> Vec<VuRequirement> {
        VuRequirement::constant(self.ready, self.most - self.ready, end)
    }
}
