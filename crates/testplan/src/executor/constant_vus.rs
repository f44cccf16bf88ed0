//! `constant-vus`: a fixed number of users loops for a time.

use std::time::Duration;

use crate::draft::SignedDuration;
use crate::mistake::ScenarioError;

/// A fixed number of users loops for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantVus {
    /// How many.
    pub vus: u64,
    /// How long new iterations start.
    pub duration: Duration,
}

impl ConstantVus {
    pub(super) fn check(
        vus: Option<i64>,
        duration: Option<SignedDuration>,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<Self> {
        let vus = super::positive_vus(vus, mistakes);
        let duration = super::required_duration(duration, mistakes);
        Some(Self {
            vus: vus?,
            duration: duration?,
        })
    }
}
