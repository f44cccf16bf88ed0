//! What a scenario does, in the words of k6's banner.

use std::time::Duration;

use loadline_testplan::{Executor, Scenario};
use loadline_units::duration::go_string;

/// `3 iterations shared among 3 VUs (maxDuration: 10m0s, gracefulStop: 30s)`
pub(super) fn description(scenario: &Scenario) -> String {
    let mut facts = Vec::new();
    let shape = match &scenario.executor {
        Executor::SharedIterations(shared) => {
            facts.push(fact("maxDuration", shared.max_duration));
            let (iterations, vus) = (shared.iterations, shared.vus);
            format!("{iterations} iterations shared among {vus} VUs")
        }
        Executor::PerVuIterations(each) => {
            facts.push(fact("maxDuration", each.max_duration));
            let (iterations, vus) = (each.iterations, each.vus);
            format!("{iterations} iterations for each of {vus} VUs")
        }
        Executor::ConstantVus(constant) => {
            let duration = go_string(constant.duration);
            format!("{} looping VUs for {duration}", constant.vus)
        }
        Executor::RampingVus(ramp) => {
            facts.push(fact("gracefulRampDown", ramp.graceful_ramp_down));
            let most = ramp.steps().highest();
            let (duration, stages) = (go_string(ramp.duration()), ramp.stages.len());
            format!("Up to {most} looping VUs for {duration} over {stages} stages")
        }
        Executor::ConstantArrivalRate(constant) => {
            facts.push(vus(constant.vus.ready, constant.vus.most));
            let rate = constant.rate.as_per_second();
            format!(
                "{rate:.2} iterations/s for {}",
                go_string(constant.duration)
            )
        }
        Executor::RampingArrivalRate(ramp) => {
            facts.push(vus(ramp.vus.ready, ramp.vus.most));
            let targets = ramp.stages.iter().map(|stage| stage.target);
            let most = targets.chain([ramp.start_rate]).max().unwrap_or_default();
            let rate = most as f64 / ramp.time_unit.as_secs_f64();
            let (duration, stages) = (go_string(ramp.duration()), ramp.stages.len());
            format!("Up to {rate:.2} iterations/s for {duration} over {stages} stages")
        }
        other => format!("{} for up to {}", other.name(), go_string(other.duration())),
    };
    if scenario.exec_written {
        facts.push(format!("exec: {}", scenario.exec));
    }
    for (name, time) in [
        ("startTime", scenario.start_time),
        ("gracefulStop", scenario.graceful_stop),
    ] {
        if time > Duration::ZERO {
            facts.push(fact(name, time));
        }
    }
    if facts.is_empty() {
        return shape;
    }
    format!("{shape} ({})", facts.join(", "))
}

fn fact(name: &str, time: Duration) -> String {
    format!("{name}: {}", go_string(time))
}

fn vus(ready: u64, most: u64) -> String {
    if most > ready {
        return format!("maxVUs: {ready}-{most}");
    }
    format!("maxVUs: {ready}")
}
