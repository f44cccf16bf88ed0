//! Divides a level among a test's scenarios.

use loadline_analysis::capacity::Unit;
use loadline_testplan::{Plan, ScenarioLoad};

use super::SteerError;

/// The shares of a test's scenarios.
#[derive(Debug, Clone)]
pub(super) struct Mix {
    loads: Vec<ScenarioLoad>,
    /// Iterations seen of each: how long they took together, ms, and how many.
    lengths: Vec<(f64, f64)>,
    /// At the lowest level the mix is still being measured.
    first: Option<f64>,
    /// The final mix.
    shares: Option<Vec<f64>>,
}

impl Mix {
    /// The scenarios of a plan, or one of them alone.
    pub(super) fn new(plan: &Plan, only: Option<&str>) -> Result<Self, SteerError> {
        let mut loads = plan.mix();
        if let Some(name) = only {
            let known = || plan.scenarios.iter().map(|s| s.name.clone()).collect();
            let Some(place) = plan.scenarios.iter().position(|s| s.name == name) else {
                return Err(SteerError::NoScenario {
                    name: name.to_owned(),
                    known: known(),
                });
            };
            for (other, load) in loads.iter_mut().enumerate() {
                *load = if other == place {
                    ScenarioLoad::Starts(1.0)
                } else {
                    ScenarioLoad::Starts(0.0)
                };
            }
        }
        if let [load] = loads.as_mut_slice() {
            *load = ScenarioLoad::Starts(1.0); // a single scenario gets the whole level
        }
        let lengths = vec![(0.0, 0.0); loads.len()];
        let mix = Self {
            loads,
            lengths,
            first: None,
            shares: None,
        };
        if mix.weights(Unit::Users).iter().sum::<f64>() > 0.0 {
            Ok(mix)
        } else {
            Err(SteerError::Nothing)
        }
    }

    /// Takes in iterations that ended: how long they took together, ms, and how many.
    pub(super) fn learn(&mut self, by_scenario: &[(f64, f64)]) {
        for ((sum, count), (more, n)) in self.lengths.iter_mut().zip(by_scenario) {
            *sum += more;
            *count += n;
        }
    }

    /// From the second level on the mix stays as it is.
    pub(super) fn settle(&mut self, level: f64) {
        match self.first {
            None => self.first = Some(level),
            Some(first) if level > first && self.shares.is_none() => {
                self.shares = Some(self.weights(Unit::Rate));
            }
            Some(_) => {}
        }
    }

    /// Each scenario's part of a level, in whole users.
    pub(super) fn levels(&self, level: f64, unit: Unit) -> Vec<f64> {
        let weights = match (unit, &self.shares) {
            (Unit::Rate, Some(shares)) => shares.clone(),
            _ => self.weights(unit),
        };
        let all: f64 = weights.iter().sum();
        let parts: Vec<f64> = weights.iter().map(|w| level * w / all).collect();
        if unit == Unit::Rate {
            return parts;
        }
        whole(&parts, level.round())
    }

    /// Iterations per second of a loop are its users by how long an iteration takes.
    fn weights(&self, unit: Unit) -> Vec<f64> {
        let all = self.loads.iter().zip(&self.lengths);
        all.map(|(load, (sum, count))| {
            let seconds = if *count > 0.0 {
                sum / count / 1000.0
            } else {
                1.0
            };
            match (load, unit) {
                (ScenarioLoad::Starts(rate), Unit::Rate) => *rate,
                (ScenarioLoad::Starts(rate), Unit::Users) => rate * seconds,
                (ScenarioLoad::Users(users), Unit::Users) => *users,
                (ScenarioLoad::Users(users), Unit::Rate) => users / seconds.max(1e-3),
            }
        })
        .collect()
    }
}

/// Whole parts that add up: the largest remainders are rounded up.
fn whole(parts: &[f64], all: f64) -> Vec<f64> {
    let mut floors: Vec<f64> = parts.iter().map(|part| part.floor()).collect();
    let mut missing = all - floors.iter().sum::<f64>();
    let mut places: Vec<usize> = (0..parts.len()).collect();
    places.sort_by(|a, b| {
        let rest = |place: &usize| parts[*place] - parts[*place].floor();
        rest(b).total_cmp(&rest(a))
    });
    for place in places {
        if missing < 0.5 {
            break;
        }
        floors[place] += 1.0;
        missing -= 1.0;
    }
    floors
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};

    use super::*;

    fn plan(scenarios: &[(&str, Option<i64>, Option<i64>)]) -> Plan {
        let length = Some(Duration::from_secs(10).into());
        let scenarios = scenarios.iter().map(|(name, rate, vus)| {
            let executor = match rate {
                Some(_) => ExecutorDraft::ConstantArrivalRate {
                    rate: *rate,
                    time_unit: None,
                    duration: length,
                    pre_allocated_vus: Some(1),
                    max_vus: None,
                },
                None => ExecutorDraft::ConstantVus {
                    vus: *vus,
                    duration: length,
                },
            };
            ScenarioDraft::new(*name, executor)
        });
        Plan::check(PlanDraft {
            scenarios: scenarios.collect(),
            ..PlanDraft::default()
        })
        .unwrap()
    }

    #[test]
    fn a_level_is_shared_as_the_test_shares_it() {
        let mix = Mix::new(
            &plan(&[("buy", Some(10), None), ("look", Some(30), None)]),
            None,
        )
        .unwrap();
        assert_eq!(mix.levels(100.0, Unit::Rate), [25.0, 75.0]);
        assert_eq!(mix.levels(0.0, Unit::Rate), [0.0, 0.0]);
    }

    #[test]
    fn one_scenario_can_have_all_of_it() {
        let both = plan(&[("buy", Some(10), None), ("look", None, Some(30))]);
        let mix = Mix::new(&both, Some("look")).unwrap();
        assert_eq!(mix.levels(100.0, Unit::Rate), [0.0, 100.0]);
        assert_eq!(mix.levels(7.0, Unit::Users), [0.0, 7.0]);
        assert!(matches!(
            Mix::new(&both, Some("no")),
            Err(SteerError::NoScenario { .. })
        ));
    }

    #[test]
    fn loops_count_by_the_iterations_they_make() {
        let mut mix =
            Mix::new(&plan(&[("a", None, Some(10)), ("b", None, Some(10))]), None).unwrap();
        mix.settle(1.0);
        assert_eq!(mix.levels(10.0, Unit::Rate), [5.0, 5.0]);
        // Iterations of a take 1 s, those of b 4 s: a makes four times as many.
        mix.learn(&[(10_000.0, 10.0), (40_000.0, 10.0)]);
        mix.settle(2.0);
        assert_eq!(mix.levels(10.0, Unit::Rate), [8.0, 2.0]);
        mix.learn(&[(1e9, 10.0), (1.0, 10.0)]);
        assert_eq!(mix.levels(10.0, Unit::Rate), [8.0, 2.0], "it stays");
    }

    #[test]
    fn users_are_shared_in_whole_ones_that_add_up() {
        let three = [
            ("a", None, Some(10)),
            ("b", None, Some(10)),
            ("c", None, Some(10)),
        ];
        let mix = Mix::new(&plan(&three), None).unwrap();
        for users in 0..30 {
            let levels = mix.levels(f64::from(users), Unit::Users);
            assert!((levels.iter().sum::<f64>() - f64::from(users)).abs() < 1e-9);
            assert!(levels.iter().all(|l| (l - l.round()).abs() < 1e-9));
        }
    }
}
