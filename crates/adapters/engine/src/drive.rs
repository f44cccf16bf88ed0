//! The properties of executors that the engine depends on, in one place.

use std::time::Duration;

use loadline_testplan::{Executor, Scenario, VuStep, VuSteps};

/// Whether iterations start independently of answers (otherwise each user loops).
pub(crate) fn is_open_model(executor: &Executor) -> bool {
    executor.arrivals().is_some()
}

/// How many users the scenario is to have, and from when.
pub(crate) fn targets(executor: &Executor) -> Vec<VuStep> {
    let steps = match executor {
        Executor::ConstantVus(e) => VuSteps::constant(e.vus),
        Executor::RampingVus(e) => e.steps(),
        Executor::SharedIterations(e) => VuSteps::constant(e.vus),
        Executor::PerVuIterations(e) => VuSteps::constant(e.vus),
        Executor::ConstantArrivalRate(e) => VuSteps::constant(e.vus.ready),
        Executor::RampingArrivalRate(e) => VuSteps::constant(e.vus.ready),
        Executor::PhasedArrivals(_) => VuSteps::constant(0),
    };
    steps.as_slice().to_vec()
}

/// How many users may still run an iteration, and from when; those above are interrupted.
/// Empty where iterations are interrupted only at the scenario's end.
pub(crate) fn limits(executor: &Executor, graceful_stop: Duration) -> Vec<VuStep> {
    match executor {
        Executor::RampingVus(e) => e.reserved(graceful_stop).as_slice().to_vec(),
        _ => Vec::new(),
    }
}

/// How many iterations the plan fixes, for executors with a fixed number.
pub(crate) fn promised_iterations(executor: &Executor) -> Option<u64> {
    match executor {
        Executor::SharedIterations(e) => Some(e.iterations),
        Executor::PerVuIterations(e) => Some(e.vus.saturating_mul(e.iterations)),
        _ => None,
    }
}

/// How many users may be added during the run.
pub(crate) fn extra_users(executor: &Executor) -> u64 {
    match executor {
        Executor::ConstantArrivalRate(e) => e.vus.most - e.vus.ready,
        Executor::RampingArrivalRate(e) => e.vus.most - e.vus.ready,
        _ => 0,
    }
}

/// Whether a start without an idle user makes one, instead of being dropped.
pub(crate) fn makes_users_as_they_come(executor: &Executor) -> bool {
    matches!(executor, Executor::PhasedArrivals(_))
}

/// Whether a start without an idle user waits for one. Where a user is made for each
/// arrival, no start waits.
pub(crate) fn starts_wait(scenario: &Scenario) -> bool {
    scenario.starts_wait && !makes_users_as_they_come(&scenario.executor)
}

/// The highest number of concurrent users at the scenario's time `at`.
pub(crate) fn most_at(executor: &Executor, at: Duration) -> Option<u64> {
    match executor {
        Executor::PhasedArrivals(e) => e.most_at(at),
        _ => None,
    }
}
