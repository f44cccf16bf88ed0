//! Executors, one file each.
//!
//! Closed-model executors loop a number of users ([`ConstantVus`], [`RampingVus`]) or run a
//! number of iterations ([`SharedIterations`], [`PerVuIterations`]). Open-model ones start
//! iterations at a rate that does not depend on the answers ([`ConstantArrivalRate`],
//! [`RampingArrivalRate`], [`PhasedArrivals`]). Validation finds all mistakes, in k6's order.

mod constant_arrival_rate;
mod constant_vus;
mod open;
mod per_vu_iterations;
mod phased_arrivals;
mod ramping_arrival_rate;
mod ramping_vus;
mod shared_iterations;
mod stages;

pub use constant_arrival_rate::ConstantArrivalRate;
pub use constant_vus::ConstantVus;
pub use open::OpenVus;
pub use per_vu_iterations::PerVuIterations;
pub use phased_arrivals::PhasedArrivals;
pub use ramping_arrival_rate::RampingArrivalRate;
pub use ramping_vus::RampingVus;
pub use shared_iterations::SharedIterations;
pub use stages::Stage;

use std::time::Duration;

use crate::arrivals::{ArrivalSpacing, Arrivals};
use crate::draft::{ExecutorDraft, SignedDuration};
use crate::mistake::{GoDuration, SCENARIO_DURATION_MIN, ScenarioError};
use crate::requirement::VuRequirement;

/// A validated executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Executor {
    /// A fixed number of looping users.
    ConstantVus(ConstantVus),
    /// A number of looping users that follows stages.
    RampingVus(RampingVus),
    /// Users share a number of iterations.
    SharedIterations(SharedIterations),
    /// Each user runs a number of iterations.
    PerVuIterations(PerVuIterations),
    /// Iterations start at a fixed rate.
    ConstantArrivalRate(ConstantArrivalRate),
    /// Iterations start at a rate that follows stages.
    RampingArrivalRate(RampingArrivalRate),
    /// Users arrive phase by phase.
    PhasedArrivals(PhasedArrivals),
}

impl Executor {
    pub(crate) fn check(draft: &ExecutorDraft, mistakes: &mut Vec<ScenarioError>) -> Option<Self> {
        match draft {
            ExecutorDraft::ConstantVus { vus, duration } => {
                ConstantVus::check(*vus, *duration, mistakes).map(Self::ConstantVus)
            }
            ExecutorDraft::RampingVus {
                start_vus,
                stages,
                graceful_ramp_down,
            } => RampingVus::check(*start_vus, stages, *graceful_ramp_down, mistakes)
                .map(Self::RampingVus),
            ExecutorDraft::SharedIterations {
                vus,
                iterations,
                max_duration,
            } => SharedIterations::check(*vus, *iterations, *max_duration, mistakes)
                .map(Self::SharedIterations),
            ExecutorDraft::PerVuIterations {
                vus,
                iterations,
                max_duration,
            } => PerVuIterations::check(*vus, *iterations, *max_duration, mistakes)
                .map(Self::PerVuIterations),
            ExecutorDraft::ConstantArrivalRate {
                rate,
                time_unit,
                duration,
                pre_allocated_vus,
                max_vus,
            } => {
                let load = ConstantArrivalRate::check(*rate, *time_unit, *duration, mistakes);
                let vus = OpenVus::check(*pre_allocated_vus, *max_vus, mistakes);
                load.zip(vus)
                    .and_then(|(load, vus)| load.build(vus, mistakes))
                    .map(Self::ConstantArrivalRate)
            }
            ExecutorDraft::RampingArrivalRate {
                start_rate,
                time_unit,
                stages,
                pre_allocated_vus,
                max_vus,
            } => {
                let load = RampingArrivalRate::check(*start_rate, *time_unit, stages, mistakes);
                let vus = OpenVus::check(*pre_allocated_vus, *max_vus, mistakes);
                load.zip(vus)
                    .and_then(|(load, vus)| load.build(vus, mistakes))
                    .map(Self::RampingArrivalRate)
            }
            ExecutorDraft::PhasedArrivals { phases } => {
                PhasedArrivals::check(phases, mistakes).map(Self::PhasedArrivals)
            }
        }
    }

    /// The name in test files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ConstantVus(_) => "constant-vus",
            Self::RampingVus(_) => "ramping-vus",
            Self::SharedIterations(_) => "shared-iterations",
            Self::PerVuIterations(_) => "per-vu-iterations",
            Self::ConstantArrivalRate(_) => "constant-arrival-rate",
            Self::RampingArrivalRate(_) => "ramping-arrival-rate",
            Self::PhasedArrivals(_) => "phased-arrivals",
        }
    }

    /// The longest time in which iterations may start.
    #[must_use]
    pub fn duration(&self) -> Duration {
        match self {
            Self::ConstantVus(e) => e.duration,
            Self::RampingVus(e) => e.duration(),
            Self::SharedIterations(e) => e.max_duration,
            Self::PerVuIterations(e) => e.max_duration,
            Self::ConstantArrivalRate(e) => e.duration,
            Self::RampingArrivalRate(e) => e.duration(),
            Self::PhasedArrivals(e) => e.duration(),
        }
    }

    /// The users needed over the scenario's time, including those of running iterations.
    #[must_use]
    pub fn requirements(&self, graceful_stop: Duration) -> Vec<VuRequirement> {
        let end = self.duration() + graceful_stop;
        match self {
            Self::ConstantVus(e) => VuRequirement::constant(e.vus, 0, end),
            Self::RampingVus(e) => VuRequirement::of_steps(&e.reserved(graceful_stop)),
            Self::SharedIterations(e) => VuRequirement::constant(e.vus, 0, end),
            Self::PerVuIterations(e) => VuRequirement::constant(e.vus, 0, end),
            Self::ConstantArrivalRate(e) => e.vus.requirements(end),
            Self::RampingArrivalRate(e) => e.vus.requirements(end),
            // The number is unknown: users are made as they arrive.
            Self::PhasedArrivals(_) => VuRequirement::constant(0, 0, end),
        }
    }

    /// When iterations start; `None` for closed-model executors.
    #[must_use]
    pub fn arrivals(&self) -> Option<&Arrivals> {
        match self {
            Self::ConstantArrivalRate(e) => Some(&e.arrivals),
            Self::RampingArrivalRate(e) => Some(&e.arrivals),
            Self::PhasedArrivals(e) => Some(&e.arrivals),
            _ => None,
        }
    }

    /// The same executor with another spacing of starts, if it is an open-model one.
    #[must_use]
    pub fn spaced(self, spacing: ArrivalSpacing) -> Self {
        match self {
            Self::ConstantArrivalRate(mut e) => {
                e.arrivals = e.arrivals.spaced(spacing);
                Self::ConstantArrivalRate(e)
            }
            Self::RampingArrivalRate(mut e) => {
                e.arrivals = e.arrivals.spaced(spacing);
                Self::RampingArrivalRate(e)
            }
            Self::PhasedArrivals(e) => Self::PhasedArrivals(e.spaced(spacing)),
            closed => closed,
        }
    }

    /// Whether it can run anything; an open-model executor without users cannot.
    #[must_use]
    pub fn has_work(&self) -> bool {
        match self {
            Self::ConstantArrivalRate(e) => e.vus.most > 0,
            Self::RampingArrivalRate(e) => e.vus.most > 0,
            _ => true,
        }
    }
}

/// A number of users above zero.
fn positive_vus(vus: Option<i64>, mistakes: &mut Vec<ScenarioError>) -> Option<u64> {
    let vus = u64::try_from(vus.unwrap_or(1)).ok().filter(|vus| *vus > 0);
    if vus.is_none() {
        mistakes.push(ScenarioError::NoVus);
    }
    vus
}

/// A mandatory duration.
fn required_duration(
    duration: Option<SignedDuration>,
    mistakes: &mut Vec<ScenarioError>,
) -> Option<Duration> {
    let Some(span) = duration else {
        mistakes.push(ScenarioError::NoDuration);
        return None;
    };
    let long_enough = span
        .length()
        .filter(|length| *length >= SCENARIO_DURATION_MIN);
    if long_enough.is_none() {
        mistakes.push(ScenarioError::ShortDuration(GoDuration(span)));
    }
    long_enough
}

/// The longest time of an executor with a number of iterations.
fn max_duration(
    duration: Option<SignedDuration>,
    mistakes: &mut Vec<ScenarioError>,
) -> Option<Duration> {
    let span = duration.unwrap_or(Duration::from_secs(600).into());
    let long_enough = span
        .length()
        .filter(|length| *length >= SCENARIO_DURATION_MIN);
    if long_enough.is_none() {
        mistakes.push(ScenarioError::ShortMaxDuration(GoDuration(span)));
    }
    long_enough
}

/// A time unit above zero; 1 s by default.
fn time_unit(unit: Option<SignedDuration>, mistakes: &mut Vec<ScenarioError>) -> Option<Duration> {
    let unit = unit.unwrap_or(Duration::from_secs(1).into()).length();
    let unit = unit.filter(|unit| !unit.is_zero());
    if unit.is_none() {
        mistakes.push(ScenarioError::TimeUnitNotPositive);
    }
    unit
}
