//! `constant-arrival-rate`: iterations start at a fixed rate.

use std::time::Duration;

use loadline_units::Rate;

use super::open::OpenVus;
use crate::arrivals::Arrivals;
use crate::draft::SignedDuration;
use crate::mistake::ScenarioError;

/// Iterations start at a fixed rate that does not depend on the answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantArrivalRate {
    /// Starts per time unit.
    pub rate: Rate,
    /// Its length.
    pub duration: Duration,
    /// Its users.
    pub vus: OpenVus,
    /// When each iteration starts.
    pub arrivals: Arrivals,
}

/// A validated rate and duration.
pub(super) struct Load {
    rate: Rate,
    duration: Duration,
}

impl ConstantArrivalRate {
    pub(super) fn check(
        rate: Option<i64>,
        time_unit: Option<SignedDuration>,
        duration: Option<SignedDuration>,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<Load> {
        let rate = match rate.map(u64::try_from) {
            None => {
                mistakes.push(ScenarioError::NoRate);
                None
            }
            Some(Ok(rate)) if rate > 0 => Some(rate),
            Some(_) => {
                mistakes.push(ScenarioError::RateNotPositive);
                None
            }
        };
        let unit = super::time_unit(time_unit, mistakes);
        let duration = super::required_duration(duration, mistakes);
        Some(Load {
            rate: Rate::new(rate?, unit?).ok()?,
            duration: duration?,
        })
    }
}

impl Load {
    pub(super) fn build(
        self,
        vus: OpenVus,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<ConstantArrivalRate> {
        match Arrivals::constant(self.rate, self.duration) {
            Ok(arrivals) => Some(ConstantArrivalRate {
                rate: self.rate,
                duration: self.duration,
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
