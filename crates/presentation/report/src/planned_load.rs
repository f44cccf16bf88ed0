//! The load that a test plans, before it is run: charts and the few numbers that matter.

use std::time::Duration;

use loadline_testplan::{Executor, Plan, Scenario};
use loadline_text::{Catalog, Message, grouped, report, significant};
use loadline_units::duration::go_string;
use serde::Serialize;

use crate::document::{AxisKind, Chart, ChartAxis, ChartSeries, SeriesShape, TimeAxis, printable};

/// Places in a scenario's time that are looked at.
const SAMPLED_PLACES: u32 = 240;
/// Scenarios with a line of their own; the sum of all others is one more.
const SCENARIO_LINES_MAX: usize = 5;
/// Scenarios that are told in words.
const DESCRIBED_SCENARIOS_MAX: usize = 10;
/// How lines are told apart, those of percentiles left out.
const STYLES: [(&str, SeriesShape); SCENARIO_LINES_MAX + 1] = [
    ("rate", SeriesShape::Line),
    ("users", SeriesShape::Line),
    ("raw", SeriesShape::Line),
    ("rate", SeriesShape::Dashed),
    ("users", SeriesShape::Dashed),
    ("plan", SeriesShape::Dashed),
];

/// The load of a plan in one language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedLoad {
    /// How long, how much.
    pub facts: Vec<String>,
    /// Starts of iterations and looping users over time; without those that the plan has none of.
    pub charts: Vec<Chart>,
}

/// What a scenario's line shows.
type Level = fn(&Executor, Duration) -> Option<f64>;

impl PlannedLoad {
    /// The load of `plan`.
    #[must_use]
    pub fn new(plan: &Plan, catalog: &Catalog) -> Self {
        let writer = Writer { plan, catalog };
        let charts = [
            writer.chart(
                "planned-starts",
                report::chart_planned_starts(),
                report::axis_iterations(),
                rate,
            ),
            writer.chart(
                "planned-users",
                report::chart_planned_users(),
                report::axis_users(),
                loops,
            ),
        ];
        Self {
            facts: writer.facts(),
            charts: charts
                .into_iter()
                .filter(|chart| !chart.is_empty())
                .collect(),
        }
    }
}

/// Starts per second.
fn rate(executor: &Executor, at: Duration) -> Option<f64> {
    Some(executor.arrivals()?.rate_at(at))
}

/// Users that loop.
fn loops(executor: &Executor, at: Duration) -> Option<f64> {
    let users = match executor {
        Executor::ConstantVus(of) => of.vus,
        Executor::RampingVus(of) => of.steps().vus_at(at),
        Executor::SharedIterations(of) => of.vus,
        Executor::PerVuIterations(of) => of.vus,
        Executor::ConstantArrivalRate(_)
        | Executor::RampingArrivalRate(_)
        | Executor::PhasedArrivals(_) => return None,
    };
    Some(users as f64)
}

struct Writer<'a> {
    plan: &'a Plan,
    catalog: &'a Catalog,
}

impl Writer<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    /// The moments that are looked at, from the beginning of the test: evenly, and on both sides
    /// of where scenarios begin and end.
    fn looks(&self) -> Vec<Duration> {
        const EDGE_MARGIN: Duration = Duration::from_millis(1);
        let end = self.plan.regular_end();
        let mut looks: Vec<Duration> = (0..=SAMPLED_PLACES)
            .map(|look| end * look / SAMPLED_PLACES)
            .collect();
        for scenario in &self.plan.scenarios {
            for edge in [scenario.start_time, scenario.regular_end()] {
                looks.extend([edge.saturating_sub(EDGE_MARGIN), edge]);
            }
        }
        looks.sort();
        looks.dedup();
        looks
    }

    /// A scenario's level at a moment of the test; none outside of its time.
    fn level(scenario: &Scenario, at: Duration, of: Level) -> Option<f64> {
        let since = at.checked_sub(scenario.start_time)?;
        let lasts = since < scenario.executor.duration();
        lasts.then(|| of(&scenario.executor, since)).flatten()
    }

    fn chart(&self, id: &'static str, title: Message, label: Message, of: Level) -> Chart {
        let scenarios = self.plan.scenarios.iter();
        let shown: Vec<&Scenario> = scenarios
            .filter(|scenario| of(&scenario.executor, Duration::ZERO).is_some())
            .collect();
        let (own, others) = shown.split_at(shown.len().min(SCENARIO_LINES_MAX));
        let mut lines: Vec<(String, &[&Scenario])> = own
            .chunks(1)
            .map(|one| (printable::line(&one[0].name), one))
            .collect();
        if !others.is_empty() {
            let name = self.text(report::series_other_scenarios(others.len()));
            lines.push((name, others));
        }
        let looks = self.looks();
        let series = lines
            .into_iter()
            .zip(STYLES)
            .map(|((name, of_line), style)| {
                let at = |moment: &Duration| {
                    let levels = of_line
                        .iter()
                        .filter_map(|one| Self::level(one, *moment, of));
                    let sum = levels.fold(None, |sum: Option<f64>, level| {
                        Some(sum.unwrap_or(0.0) + level)
                    });
                    (moment.as_secs_f64(), sum)
                };
                ChartSeries {
                    role: style.0,
                    name,
                    shape: style.1,
                    points: looks.iter().map(at).collect(),
                }
            });
        let axis = |label: Message, kind| ChartAxis {
            label: self.text(label),
            kind,
            most: None,
        };
        Chart {
            id,
            title: self.text(title),
            caption: self.text(report::caption_planned()),
            x: axis(report::axis_time(), AxisKind::Time(TimeAxis { from_ms: 0 })),
            y: axis(label, AxisKind::Linear),
            series: series.collect(),
            marks: Vec::new(),
            heat: None,
        }
    }

    /// The most of all scenarios together.
    fn most(&self, of: Level) -> f64 {
        let sums = self.looks().into_iter().map(|at| {
            let scenarios = self.plan.scenarios.iter();
            scenarios.filter_map(|one| Self::level(one, at, of)).sum()
        });
        sums.fold(0.0, f64::max)
    }

    fn facts(&self) -> Vec<String> {
        let length = self.plan.regular_end();
        // Artillery's phases end a moment after their last second.
        let length = match length.as_secs() {
            0..10 => length,
            seconds => Duration::from_secs(seconds),
        };
        let length = go_string(length);
        let mut facts = vec![self.text(report::planned_length(length))];
        let (starts, users) = (self.most(rate), self.most(loops));
        if starts > 0.0 {
            facts.push(self.text(report::planned_starts(significant(starts))));
        }
        if users > 0.0 {
            facts.push(self.text(report::planned_users(grouped(users, 0))));
        }
        let iterations = self.plan.scenarios.iter().filter_map(|scenario| {
            let (count, users) = match &scenario.executor {
                Executor::SharedIterations(of) => (of.iterations, of.vus),
                Executor::PerVuIterations(of) => (of.iterations.saturating_mul(of.vus), of.vus),
                _ => return None,
            };
            let at_most = go_string(scenario.executor.duration());
            let (count, users) = (grouped(count as f64, 0), grouped(users as f64, 0));
            let name = printable::line(&scenario.name);
            Some(self.text(report::planned_iterations(name, count, users, at_most)))
        });
        facts.extend(iterations.take(DESCRIBED_SCENARIOS_MAX));
        facts
    }
}

#[cfg(test)]
mod tests {
    use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft, StageDraft};
    use loadline_text::Lang;

    use super::*;

    fn seconds(count: u64) -> Option<loadline_testplan::draft::SignedDuration> {
        Some(Duration::from_secs(count).into())
    }

    fn scenario(name: &str, start: u64, executor: ExecutorDraft) -> ScenarioDraft {
        ScenarioDraft {
            start_time: seconds(start),
            ..ScenarioDraft::new(name, executor)
        }
    }

    fn plan(scenarios: Vec<ScenarioDraft>) -> Plan {
        Plan::check(PlanDraft {
            scenarios,
            ..PlanDraft::default()
        })
        .unwrap()
    }

    fn ramp() -> ExecutorDraft {
        let stage = |length, target| StageDraft {
            duration: seconds(length),
            target: Some(target),
        };
        ExecutorDraft::RampingVus {
            start_vus: Some(0),
            stages: vec![stage(10, 20), stage(10, 0)],
            graceful_ramp_down: None,
        }
    }

    fn at(series: &ChartSeries, second: f64) -> Option<f64> {
        let near = |place: &&(f64, Option<f64>)| (place.0 - second).abs() < 0.02;
        series.points.iter().find(near).and_then(|place| place.1)
    }

    #[test]
    fn stages_and_rates_are_drawn_where_their_scenarios_are() {
        let steady = ExecutorDraft::ConstantArrivalRate {
            rate: Some(30),
            time_unit: None,
            duration: seconds(20),
            pre_allocated_vus: Some(5),
            max_vus: None,
        };
        let plan = plan(vec![
            scenario("browse", 0, ramp()),
            scenario("pay", 5, steady),
        ]);
        let load = PlannedLoad::new(&plan, &Catalog::new(Lang::En));
        assert_eq!(
            load.facts,
            [
                "load for 25s",
                "at most 30.0 starts/s",
                "at most 20 looping virtual users"
            ]
        );
        let [starts, users] = &load.charts[..] else {
            panic!("{:?}", load.charts);
        };
        assert_eq!((starts.series.len(), users.series.len()), (1, 1));
        assert_eq!(at(&starts.series[0], 2.5), None);
        assert_eq!(at(&starts.series[0], 10.0), Some(30.0));
        assert_eq!(at(&users.series[0], 7.5), Some(15.0));
        assert_eq!(at(&users.series[0], 22.5), None);
    }

    #[test]
    fn many_scenarios_share_a_line_and_counted_ones_are_told() {
        let some = |number: u64| ExecutorDraft::PerVuIterations {
            vus: Some(2),
            iterations: Some(10),
            max_duration: seconds(number + 60),
        };
        let scenarios = (0..9).map(|number| scenario(&format!("s{number}"), 0, some(number)));
        let load = PlannedLoad::new(&plan(scenarios.collect()), &Catalog::new(Lang::Ko));
        assert_eq!(load.charts.len(), 1);
        let series = &load.charts[0].series;
        assert_eq!(series.len(), SCENARIO_LINES_MAX + 1);
        assert_eq!(at(&series[SCENARIO_LINES_MAX], 0.0), Some(8.0));
        assert_eq!(
            load.facts[2],
            "s0: 가상 사용자 2명이 반복 20회, 길어야 1m0s"
        );
    }
}
