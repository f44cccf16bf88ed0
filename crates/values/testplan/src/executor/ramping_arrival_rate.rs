//! `ramping-arrival-rate`: iterations start at a rate that follows stages.

use std::time::Duration;

use super::open::OpenVus;
use super::stages::{self, Stage};
use crate::arrivals::Arrivals;
use crate::draft::{SignedDuration, StageDraft};
use crate::mistake::ScenarioError;

/// Iterations start at a rate that follows stages and does not depend on the answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RampingArrivalRate {
    /// Starts per time unit at the start.
    pub start_rate: u64,
    /// The time unit.
    pub time_unit: Duration,
    /// The stages; targets are starts per time unit.
    pub stages: Vec<Stage>,
    /// Its users.
    pub vus: OpenVus,
    /// When each iteration starts.
    pub arrivals: Arrivals,
}

/// Validated rates.
pub(super) struct Load {
    start_rate: u64,
    time_unit: Duration,
    stages: Vec<Stage>,
}

impl RampingArrivalRate {
    pub(super) fn check(
        start_rate: Option<i64>,
        time_unit: Option<SignedDuration>,
        drafts: &[StageDraft],
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<Load> {
        let start_rate = u64::try_from(start_rate.unwrap_or(0)).ok();
        if start_rate.is_none() {
            mistakes.push(ScenarioError::NegativeStartRate);
        }
        let time_unit = super::time_unit(time_unit, mistakes);
        let stages = stages::check(drafts, mistakes);
        Some(Load {
            start_rate: start_rate?,
            time_unit: time_unit?,
            stages: stages?,
        })
    }

    /// How long iterations may start.
    #[must_use]
    pub fn duration(&self) -> Duration {
        stages::total(&self.stages)
    }
}

impl Load {
    pub(super) fn build(
        self,
        vus: OpenVus,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<RampingArrivalRate> {
        let pairs = stages::pairs(&self.stages);
        match Arrivals::ramping(self.start_rate, &pairs, self.time_unit) {
            Ok(arrivals) => Some(RampingArrivalRate {
                start_rate: self.start_rate,
                time_unit: self.time_unit,
                stages: self.stages,
                vus,
                arrivals,
            }),
            Err(error) => {
                mistakes.push(ScenarioError::Shape(error));
                None
            }
        }
    }
}
