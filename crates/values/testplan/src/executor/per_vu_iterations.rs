//! `per-vu-iterations`: each user runs a number of iterations.

use std::time::Duration;

use crate::draft::SignedDuration;
use crate::mistake::ScenarioError;

/// Each user runs a number of iterations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerVuIterations {
    /// How many users.
    pub vus: u64,
    /// Iterations of each user.
    pub iterations: u64,
    /// How long iterations may start; those left after that count as dropped.
    pub max_duration: Duration,
}

impl PerVuIterations {
    pub(super) fn check(
        vus: Option<i64>,
        iterations: Option<i64>,
        max_duration: Option<SignedDuration>,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<Self> {
        let vus = super::positive_vus(vus, mistakes);
        let iterations = u64::try_from(iterations.unwrap_or(1))
            .ok()
            .filter(|n| *n > 0);
        if iterations.is_none() {
            mistakes.push(ScenarioError::NoIterations);
        }
        let max_duration = super::max_duration(max_duration, mistakes);
        Some(Self {
            vus: vus?,
            iterations: iterations?,
            max_duration: max_duration?,
        })
    }
}
