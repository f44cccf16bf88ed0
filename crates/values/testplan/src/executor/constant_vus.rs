//! `constant-vus`: a fixed number of looping users.

use std::time::Duration;

use crate::draft::SignedDuration;
use crate::mistake::ScenarioError;

/// A fixed number of looping users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantVus {
    /// The number of users.
    pub vus: u64,
    /// How long iterations may start.
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
