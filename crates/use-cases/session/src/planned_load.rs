//! How many iterations a second a run's plan has, at each time.

use std::time::Duration;

use loadline_store::ScenarioInfo;
use loadline_testplan::Scenario;

/// Equal parts of a scenario whose planned starts are recorded: enough to tell a ramp's stages
/// apart, few enough for every record.
const PARTS_OF_SCENARIO: u32 = 60;

/// What is recorded of a scenario's planned starts, by the end of each part; nothing where they
/// are not planned.
pub(crate) fn of_scenario(scenario: &Scenario) -> Vec<f64> {
    let Some(arrivals) = scenario.executor.arrivals() else {
        return Vec::new();
    };
    let length = scenario.executor.duration();
    let by = |part: u32| {
        let nanos = length.as_nanos() * u128::from(part) / u128::from(PARTS_OF_SCENARIO);
        let at = Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX));
        arrivals.expected_by(at)
    };
    (1..=PARTS_OF_SCENARIO).map(by).collect()
}

/// The planned starts of all scenarios of a run.
#[derive(Debug, Default)]
pub(crate) struct PlannedLoad {
    scenarios: Vec<PlannedScenario>,
    /// All scenarios have a plan.
    is_whole: bool,
}

#[derive(Debug)]
struct PlannedScenario {
    /// When it begins, in seconds since load began.
    starts_at: f64,
    seconds: f64,
    /// Starts due by the end of each part.
    due: Vec<f64>,
}

impl PlannedLoad {
    /// The plan that a record has.
    pub(crate) fn new(scenarios: &[ScenarioInfo]) -> Self {
        let is_whole = !scenarios.is_empty() && scenarios.iter().all(|one| !one.planned.is_empty());
        let known = scenarios.iter().filter(|one| one.seconds > 0.0);
        let planned = known.map(|one| PlannedScenario {
            starts_at: one.ends.map_or(0.0, |ends| ends - one.seconds),
            seconds: one.seconds,
            due: one.planned.clone(),
        });
        Self {
            scenarios: planned.collect(),
            is_whole,
        }
    }

    /// Starts a second between the first start that is planned and the last; `None` without a
    /// plan of all scenarios.
    pub(crate) fn mean_rate(&self) -> Option<f64> {
        let starts_at = self.scenarios.iter().map(|one| one.starts_at);
        let ends = self.scenarios.iter().map(|one| one.starts_at + one.seconds);
        let length = ends.fold(0.0, f64::max) - starts_at.fold(f64::INFINITY, f64::min);
        let all = self.scenarios.iter().filter_map(|one| one.due.last());
        let all: f64 = all.sum();
        (self.is_whole && length > 0.0).then(|| all / length)
    }

    /// Starts planned in the second that begins at `at`, in seconds since load began; 0 without
    /// a plan of all scenarios.
    pub(crate) fn in_second(&self, at: f64) -> f64 {
        if !self.is_whole {
            return 0.0;
        }
        let scenarios = self.scenarios.iter();
        scenarios
            .map(|one| one.due_by(at + 1.0) - one.due_by(at))
            .sum()
    }
}

impl PlannedScenario {
    /// Starts due by `at`, in seconds since load began; between the ends of parts in a straight
    /// line.
    fn due_by(&self, at: f64) -> f64 {
        let parts = self.due.len() as f64;
        let place = ((at - self.starts_at) / self.seconds * parts).clamp(0.0, parts);
        let mut before = 0.0;
        for (due, part) in self.due.iter().zip(0_u32..) {
            let part = f64::from(part);
            if place <= part + 1.0 {
                return before + (due - before) * (place - part);
            }
            before = *due;
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(ends: f64, seconds: f64, planned: &[f64]) -> ScenarioInfo {
        ScenarioInfo {
            seconds,
            ends: Some(ends),
            planned: planned.to_vec(),
            ..ScenarioInfo::default()
        }
    }

    /// Seen: 50/s against 60/s for 11 s, and no line "different load": chance hid it.
    #[test]
    fn the_rate_of_a_plan_is_known_whatever_chance_drew() {
        let rate = |all: &[ScenarioInfo]| PlannedLoad::new(all).mean_rate();
        assert_eq!(rate(&[scenario(11.0, 11.0, &[275.0, 550.0])]), Some(50.0));
        let two = [
            scenario(10.0, 10.0, &[100.0, 200.0]),
            scenario(20.0, 10.0, &[50.0, 100.0]),
        ];
        assert_eq!(rate(&two), Some(15.0));
        assert_eq!(rate(&[scenario(11.0, 11.0, &[])]), None);
        assert_eq!(rate(&[]), None);
    }

    #[test]
    fn each_second_has_what_is_planned_for_it() {
        let plan = PlannedLoad::new(&[
            scenario(4.0, 4.0, &[10.0, 40.0]),
            scenario(6.0, 2.0, &[2.0, 4.0]),
        ]);
        let rates = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|at| plan.in_second(at));
        let expected = [5.0, 5.0, 15.0, 15.0, 2.0, 2.0, 0.0];
        let is_close = |(rate, expected): (f64, f64)| (rate - expected).abs() < 1e-9;
        assert!(rates.into_iter().zip(expected).all(is_close), "{rates:?}");
    }
}
