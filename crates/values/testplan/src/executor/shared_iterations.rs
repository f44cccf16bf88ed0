//! `shared-iterations`: users share a number of iterations.

use std::time::Duration;

use crate::draft::SignedDuration;
use crate::mistake::ScenarioError;

/// Users share a number of iterations; each takes the next one when it is free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedIterations {
    /// The number of users; no more than iterations.
    pub vus: u64,
    /// Iterations of all users together.
    pub iterations: u64,
    /// How long iterations may start; those left after that count as dropped.
    pub max_duration: Duration,
}

impl SharedIterations {
    pub(super) fn check(
        vus: Option<i64>,
        iterations: Option<i64>,
        max_duration: Option<SignedDuration>,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<Self> {
        let written = (iterations.unwrap_or(1), vus.unwrap_or(1));
        let vus = super::positive_vus(vus, mistakes);
        if written.0 < written.1 {
            mistakes.push(ScenarioError::FewerIterationsThanVus {
                iterations: written.0,
                vus: written.1,
            });
        }
        let max_duration = super::max_duration(max_duration, mistakes);
        Some(Self {
            vus: vus?,
            iterations: u64::try_from(written.0)
                .ok()
                .filter(|_| written.0 >= written.1)?,
            max_duration: max_duration?,
        })
    }
}
