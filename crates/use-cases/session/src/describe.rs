//! Describes a test for its record.

use loadline_metrics::Origin;
use loadline_store::{MetricInfo, RunInfo, ScenarioInfo, ThresholdInfo};
use loadline_testplan::{ArrivalSpacing, Arrivals, Executor, Scenario};

use crate::planned_load;
use crate::test::Test;

/// Above this number, random starts are not counted in advance, because it takes too long.
const COUNTED_STARTS_MAX: f64 = 5e6;

/// How many starts a schedule has; `None` when that is only known after the run.
fn planned_starts(arrivals: &Arrivals) -> Option<u64> {
    let is_countable =
        arrivals.spacing() == ArrivalSpacing::Even || arrivals.expected() <= COUNTED_STARTS_MAX;
    is_countable.then(|| arrivals.total())
}

/// When a scenario's last iterations start, in seconds; `None` where their number decides it.
fn ends(scenario: &Scenario) -> Option<f64> {
    let is_counted = matches!(
        scenario.executor,
        Executor::SharedIterations(_) | Executor::PerVuIterations(_)
    );
    let ends = scenario.start_time + scenario.executor.duration();
    (!is_counted).then_some(ends.as_secs_f64())
}

/// Adds what the test is judged by.
pub(crate) fn describe_goals(test: &Test, about: &mut RunInfo) {
    let thresholds = test.thresholds.all().iter();
    about.thresholds = thresholds
        .map(|threshold| ThresholdInfo {
            metric: threshold.subject.name.clone(),
            condition: Some(threshold.condition.text.clone()),
        })
        .collect();
    let goals = test.goals.as_ref();
    about.conditions = goals.map_or_else(Vec::new, |goals| goals.conditions());
}

/// Adds thresholds, sub-metrics, the test's own metrics and its scenarios.
pub(crate) fn describe(test: &Test, about: &mut RunInfo) {
    describe_goals(test, about);
    let has_condition = |name: &str| about.thresholds.iter().any(|t| t.metric == name);
    let shown: Vec<ThresholdInfo> = test
        .thresholds
        .subjects()
        .iter()
        .filter(|subject| !has_condition(&subject.name))
        .map(|subject| ThresholdInfo {
            metric: subject.name.clone(),
            condition: None,
        })
        .collect();
    about.thresholds.extend(shown);
    about.submetrics = test
        .submetrics
        .iter()
        .map(|(_, s)| s.name.clone())
        .collect();
    let metrics = test.registry.all().into_iter();
    about.metrics = metrics
        .filter(|(_, metric)| metric.origin == Origin::Test)
        .map(|(_, metric)| MetricInfo {
            name: metric.name.to_string(),
            kind: metric.kind.name().to_owned(),
            contains: metric.contains.name().to_owned(),
        })
        .collect();
    let scenarios = test.plan.scenarios.iter();
    about.scenarios = scenarios
        .map(|scenario| ScenarioInfo {
            name: scenario.name.clone(),
            executor: scenario.executor.name().to_owned(),
            seconds: scenario.executor.duration().as_secs_f64(),
            ends: ends(scenario),
            starts: scenario.executor.arrivals().and_then(planned_starts),
            planned: planned_load::of_scenario(scenario),
            vus: scenario
                .requirements()
                .iter()
                .map(|r| r.planned + r.extra)
                .max()
                .unwrap_or(0),
        })
        .collect();
}
