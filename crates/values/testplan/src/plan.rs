//! A validated test plan.

use std::time::Duration;

use loadline_metrics::threshold;
use loadline_units::{ScenarioId, seed_of_part};

use crate::arrivals::ArrivalSpacing;
use crate::draft::PlanDraft;
use crate::executor::{ConstantVus, Executor, PerVuIterations, PhasedArrivals};
use crate::mistake::PlanError;
use crate::requirement::{VuRequirement, combined};
use crate::scenario::Scenario;
use crate::stripe::Stripe;

/// The default timeout of set-up and of teardown.
const LIFECYCLE_TIMEOUT: Duration = Duration::from_secs(60);

/// At how many points a scenario's planned rate is sampled.
const RATE_SAMPLES: u32 = 1000;

/// How long a scenario that starts nothing is there.
const IDLE_SCENARIO: Duration = Duration::from_millis(1);

/// How load is made when its level is set during the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SteeredLoad {
    /// Iterations start at a rate; users are made as they are needed.
    Starts {
        /// The limit of users of each scenario.
        most_users: u64,
    },
    /// Looping users.
    Users,
}

/// A scenario's highest load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScenarioLoad {
    /// Starts per second.
    Starts(f64),
    /// Looping users.
    Users(f64),
}

fn of_scenario(executor: &Executor) -> ScenarioLoad {
    if let Some(arrivals) = executor.arrivals() {
        let end = arrivals.end();
        let rates = (0..RATE_SAMPLES).map(|look| arrivals.rate_at(end * look / RATE_SAMPLES));
        return ScenarioLoad::Starts(rates.fold(0.0, f64::max));
    }
    let needs = executor.requirements(Duration::ZERO);
    let most = needs.iter().map(|need| need.planned).max();
    ScenarioLoad::Users(most.unwrap_or(0) as f64)
}

/// A validated test plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Ordered by start time, then by name; a [`ScenarioId`] is an index.
    pub scenarios: Vec<Scenario>,
    /// As written; they are compiled when the test's metrics are registered.
    pub thresholds: Vec<threshold::ThresholdSource>,
    /// Tags of all samples.
    pub tags: Vec<(String, String)>,
    /// How long set-up may take.
    pub setup_timeout: Duration,
    /// How long teardown may take.
    pub teardown_timeout: Duration,
    /// The shortest time from the start of an iteration to the start of the same user's next one.
    pub min_iteration_duration: Duration,
    /// The limit of requests per second of all users together.
    pub max_requests_per_second: Option<u64>,
    /// Which users of all generators are its own, if several share the test.
    pub stripe: Option<Stripe>,
}

impl Plan {
    /// Adds defaults and validates.
    ///
    /// # Errors
    /// All mistakes: scenarios in the order of their names, then the rest.
    pub fn check(draft: PlanDraft) -> Result<Self, Vec<PlanError>> {
        let mut mistakes = Vec::new();
        let mut scenarios: Vec<Scenario> = Vec::new();
        let mut drafts = draft.scenarios;
        drafts.sort_by(|a, b| a.name.cmp(&b.name));
        for pair in drafts
            .windows(2)
            .filter(|pair| pair[0].name == pair[1].name)
        {
            mistakes.push(PlanError::SameName(pair[0].name.clone()));
        }
        for draft in drafts {
            let name = draft.name.clone();
            match Scenario::check(draft) {
                Ok(scenario) => scenarios.push(scenario),
                Err(found) => mistakes.push(PlanError::Scenario {
                    name,
                    mistakes: found,
                }),
            }
        }
        scenarios.sort_by_key(|scenario| scenario.start_time); // stable: names stay in order

        let default = LIFECYCLE_TIMEOUT.into();
        let positive = |span: Option<crate::draft::SignedDuration>| {
            let length = span.unwrap_or(default).length();
            length.filter(|length| !length.is_zero())
        };
        let setup_timeout = positive(draft.setup_timeout);
        if setup_timeout.is_none() {
            mistakes.push(PlanError::SetupTimeout);
        }
        let teardown_timeout = positive(draft.teardown_timeout);
        if teardown_timeout.is_none() {
            mistakes.push(PlanError::TeardownTimeout);
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let rps = draft.max_requests_per_second.unwrap_or(0);
        Ok(Self {
            scenarios,
            thresholds: draft.thresholds,
            tags: draft.tags,
            setup_timeout: setup_timeout.unwrap_or(LIFECYCLE_TIMEOUT),
            teardown_timeout: teardown_timeout.unwrap_or(LIFECYCLE_TIMEOUT),
            // k6 treats a negative one as unset.
            min_iteration_duration: draft
                .min_iteration_duration
                .and_then(crate::draft::SignedDuration::length)
                .unwrap_or_default(),
            // k6 treats zero and less as unlimited.
            max_requests_per_second: u64::try_from(rps).ok().filter(|rps| *rps > 0),
            stripe: None,
        })
    }

    /// The same test with one iteration of each scenario, by one user each, all at once. An
    /// iteration may take up to `at_most`.
    #[must_use]
    pub fn once(mut self, at_most: Duration) -> Self {
        for scenario in &mut self.scenarios {
            scenario.start_time = Duration::ZERO;
            scenario.graceful_stop = Duration::ZERO;
            scenario.executor = Executor::PerVuIterations(PerVuIterations {
                vus: 1,
                iterations: 1,
                max_duration: at_most,
            });
        }
        self
    }

    /// The same of the scenario `name` alone: no other starts anything.
    #[must_use]
    pub fn once_alone(self, name: &str, at_most: Duration) -> Self {
        let mut plan = self.once(at_most);
        for scenario in plan.scenarios.iter_mut().filter(|s| s.name != name) {
            scenario.executor = Executor::ConstantVus(ConstantVus {
                vus: 0,
                duration: IDLE_SCENARIO,
            });
        }
        plan
    }

    /// The same with one user that makes so many iterations, one after another.
    #[must_use]
    pub fn once_each(self, iterations: u64, at_most: Duration) -> Self {
        let mut plan = self.once(at_most);
        for scenario in &mut plan.scenarios {
            if let Executor::PerVuIterations(executor) = &mut scenario.executor {
                executor.iterations = iterations.max(1);
            }
        }
        plan
    }

    /// The same scenarios for a load that is set during the run, for `length`: nothing starts
    /// until a level is set. Their shapes and start times are replaced; their functions are not.
    #[must_use]
    pub fn steered(mut self, length: Duration, load: SteeredLoad) -> Self {
        for scenario in &mut self.scenarios {
            scenario.start_time = Duration::ZERO;
            scenario.graceful_stop = Duration::ZERO;
            scenario.executor = match load {
                SteeredLoad::Starts { most_users } => {
                    Executor::PhasedArrivals(PhasedArrivals::waiting(length, most_users))
                }
                SteeredLoad::Users => Executor::ConstantVus(ConstantVus {
                    vus: 0,
                    duration: length,
                }),
            };
        }
        self
    }

    /// The same test with another spacing of starts in open-model scenarios. Each scenario has a
    /// seed of its own, made of this seed and the scenario's name, so scenarios are independent.
    #[must_use]
    pub fn spaced(mut self, spacing: ArrivalSpacing) -> Self {
        for scenario in &mut self.scenarios {
            let spacing = match spacing {
                ArrivalSpacing::Even => ArrivalSpacing::Even,
                ArrivalSpacing::Poisson { seed } => ArrivalSpacing::Poisson {
                    seed: seed_of_part(seed, &scenario.name),
                },
            };
            scenario.executor = scenario.executor.clone().spaced(spacing);
        }
        self
    }

    /// Whether iterations of a scenario start at a rate (open model).
    #[must_use]
    pub fn is_open(&self) -> bool {
        let mut scenarios = self.scenarios.iter();
        scenarios.any(|scenario| scenario.executor.arrivals().is_some())
    }

    /// Each scenario's highest load, in the order of the scenarios: starts per second or users.
    #[must_use]
    pub fn mix(&self) -> Vec<ScenarioLoad> {
        let scenarios = self.scenarios.iter();
        scenarios
            .map(|scenario| of_scenario(&scenario.executor))
            .collect()
    }

    /// A scenario.
    ///
    /// # Panics
    /// If `id` belongs to another plan.
    #[must_use]
    pub fn scenario(&self, id: ScenarioId) -> &Scenario {
        &self.scenarios[id.index()]
    }

    /// The users all scenarios together need, over the test's time.
    #[must_use]
    pub fn requirements(&self) -> Vec<VuRequirement> {
        let each = self.scenarios.iter();
        let each: Vec<_> = each.map(|s| (s.start_time, s.requirements())).collect();
        combined(&each)
    }

    /// How many users must be made before the test starts.
    #[must_use]
    pub fn planned_vus(&self) -> u64 {
        let planned = self.requirements().into_iter().map(|r| r.planned);
        planned.max().unwrap_or(0)
    }

    /// The largest possible number of users.
    #[must_use]
    pub fn possible_vus(&self) -> u64 {
        let possible = self.requirements().into_iter().map(|r| r.planned + r.extra);
        possible.max().unwrap_or(0)
    }

    /// When the last iteration may start, from the start of the test.
    #[must_use]
    pub fn regular_end(&self) -> Duration {
        let ends = self.scenarios.iter().map(Scenario::regular_end);
        ends.max().unwrap_or_default()
    }

    /// When the last iteration must be over, from the start of the test.
    #[must_use]
    pub fn latest_end(&self) -> Duration {
        let ends = self.scenarios.iter().map(Scenario::latest_end);
        ends.max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
