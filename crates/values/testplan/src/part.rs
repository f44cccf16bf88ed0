//! The part of a plan that one of several generators runs.

use crate::executor::Executor;
use crate::plan::Plan;
use crate::stripe::Stripes;

impl Plan {
    /// The part with this index. Scenarios for which it has no users are left out; the timing of
    /// the others is that of the whole.
    #[must_use]
    pub fn part(mut self, stripes: &Stripes, index: usize) -> Self {
        let Some(stripe) = stripes.part(index) else {
            return self;
        };
        self.scenarios.retain_mut(|scenario| {
            // What users share (iterations, starts) is distributed by each part's users, as in
            // k6.
            let mut numbers = stripe.clone();
            let has_users = match &mut scenario.executor {
                Executor::ConstantVus(e) => {
                    e.vus = stripe.scale(e.vus);
                    e.vus > 0
                }
                Executor::RampingVus(e) => {
                    e.stripe = Some(stripe.clone());
                    e.steps().highest() > 0
                }
                Executor::PerVuIterations(e) => {
                    e.vus = stripe.scale(e.vus);
                    e.vus > 0
                }
                Executor::SharedIterations(e) => match stripes.by_shares_of(e.vus, index) {
                    Some(own) => {
                        e.vus = stripe.scale(e.vus);
                        e.iterations = own.scale(e.iterations);
                        numbers = own;
                        e.vus > 0 && e.iterations > 0
                    }
                    None => false,
                },
                Executor::ConstantArrivalRate(e) => match stripes.by_shares_of(e.vus.most, index) {
                    Some(own) => {
                        e.vus.ready = stripe.scale(e.vus.ready);
                        e.vus.most = stripe.scale(e.vus.most);
                        e.arrivals = e.arrivals.clone().striped(own.clone());
                        numbers = own;
                        true
                    }
                    None => false,
                },
                Executor::RampingArrivalRate(e) => match stripes.by_shares_of(e.vus.most, index) {
                    Some(own) => {
                        e.vus.ready = stripe.scale(e.vus.ready);
                        e.vus.most = stripe.scale(e.vus.most);
                        e.arrivals = e.arrivals.clone().striped(own.clone());
                        numbers = own;
                        true
                    }
                    None => false,
                },
                Executor::PhasedArrivals(e) => {
                    for phase in &mut e.phases {
                        phase.most = phase.most.map(|most| stripe.scale(most));
                    }
                    e.arrivals = e.arrivals.clone().striped(stripe.clone());
                    true
                }
            };
            scenario.stripe = Some(numbers);
            has_users
        });
        // A limit of requests per second applies to each generator, as in k6.
        self.stripe = Some(stripe.clone());
        self
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::draft::{ExecutorDraft, PlanDraft, ScenarioDraft, StageDraft};

    fn plan() -> Plan {
        let second = |n| Some(Duration::from_secs(n).into());
        let executors = [
            (
                "constant",
                ExecutorDraft::ConstantVus {
                    vus: Some(10),
                    duration: second(5),
                },
            ),
            (
                "shared",
                ExecutorDraft::SharedIterations {
                    vus: Some(6),
                    iterations: Some(100),
                    max_duration: None,
                },
            ),
            (
                "each",
                ExecutorDraft::PerVuIterations {
                    vus: Some(2),
                    iterations: Some(3),
                    max_duration: None,
                },
            ),
            (
                "rate",
                ExecutorDraft::ConstantArrivalRate {
                    rate: Some(50),
                    time_unit: None,
                    duration: second(3),
                    pre_allocated_vus: Some(9),
                    max_vus: Some(20),
                },
            ),
            (
                "ramp",
                ExecutorDraft::RampingVus {
                    start_vus: Some(0),
                    stages: vec![StageDraft {
                        duration: second(10),
                        target: Some(7),
                    }],
                    graceful_ramp_down: None,
                },
            ),
        ];
        let scenarios = executors.map(|(name, executor)| ScenarioDraft::new(name, executor));
        Plan::check(PlanDraft {
            scenarios: scenarios.into(),
            ..PlanDraft::default()
        })
        .unwrap()
    }

    fn executor<'a>(plan: &'a Plan, name: &str) -> Option<&'a Executor> {
        let mut all = plan.scenarios.iter();
        all.find(|s| s.name == name).map(|s| &s.executor)
    }

    #[test]
    fn the_parts_of_a_plan_make_its_load_start_by_start() {
        let stripes = Stripes::new(&[(1, 4), (1, 4), (1, 4), (1, 4)]).unwrap();
        let parts: Vec<Plan> = (0..4).map(|index| plan().part(&stripes, index)).collect();
        let whole = plan();
        let mut starts: Vec<Duration> = Vec::new();
        for part in &parts {
            let arrivals = executor(part, "rate").unwrap().arrivals().unwrap();
            let own = (0..).map_while(|index| arrivals.start_of(index));
            starts.extend(own);
        }
        starts.sort_unstable();
        let all = executor(&whole, "rate").unwrap().arrivals().unwrap();
        let expected: Vec<Duration> = (0..).map_while(|index| all.start_of(index)).collect();
        assert_eq!(starts, expected);
        assert_eq!(starts.len(), 151);

        let sum = |count: &dyn Fn(&Executor) -> u64, name: &str| -> u64 {
            parts
                .iter()
                .filter_map(|part| executor(part, name))
                .map(count)
                .sum()
        };
        let iterations = |e: &Executor| match e {
            Executor::SharedIterations(e) => e.iterations,
            Executor::PerVuIterations(e) => e.vus * e.iterations,
            Executor::ConstantVus(e) => e.vus,
            _ => 0,
        };
        assert_eq!(sum(&iterations, "shared"), 100);
        assert_eq!(sum(&iterations, "each"), 6);
        assert_eq!(sum(&iterations, "constant"), 10);
    }

    #[test]
    fn users_of_a_ramp_come_when_they_come_in_the_whole() {
        let stripes = Stripes::new(&[(1, 2), (1, 2)]).unwrap();
        let steps = |plan: &Plan| match executor(plan, "ramp").unwrap() {
            Executor::RampingVus(e) => e.steps(),
            _ => unreachable!(),
        };
        let whole = steps(&plan());
        let (a, b) = (
            steps(&plan().part(&stripes, 0)),
            steps(&plan().part(&stripes, 1)),
        );
        for tenth in 0..110 {
            let at = Duration::from_millis(tenth * 100);
            assert_eq!(a.vus_at(at) + b.vus_at(at), whole.vus_at(at), "{at:?}");
        }
    }

    #[test]
    fn a_part_without_users_of_a_scenario_does_not_run_it() {
        let stripes = Stripes::new(&[(1, 4), (1, 4), (1, 4), (1, 4)]).unwrap();
        let last = plan().part(&stripes, 3);
        assert!(executor(&last, "each").is_none());
        assert!(executor(&last, "constant").is_some());
    }
}
