//! A whole test.

use std::time::Duration;

use loadline_metrics::threshold;
use loadline_units::{ScenarioId, seed_of_part};

use crate::arrivals::Spacing;
use crate::draft::PlanDraft;
use crate::executor::{ConstantVus, Executor, PerVuIterations, PhasedArrivals};
use crate::mistake::PlanError;
use crate::requirement::{VuRequirement, combined};
use crate::scenario::Scenario;
use crate::stripe::Stripe;

/// How long set-up and teardown may take, unless written.
const LIFECYCLE_TIMEOUT: Duration = Duration::from_secs(60);

/// How finely a scenario's planned rate is looked at.
const LOOKS: u32 = 1000;

/// How load that is set by hand is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SteeredLoad {
    /// Iterations start at a rate; users are made as they are needed.
    Starts {
        /// Users of each scenario at most.
        most_users: u64,
    },
    /// Users loop.
    Users,
}

/// How much load a scenario makes at its highest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScenarioLoad {
    /// Starts per second.
    Starts(f64),
    /// Users in a loop.
    Users(f64),
}

fn of_scenario(executor: &Executor) -> ScenarioLoad {
    if let Some(arrivals) = executor.arrivals() {
        let end = arrivals.end();
        let rates = (0..LOOKS).map(|look| arrivals.rate_at(end * look / LOOKS));
        return ScenarioLoad::Starts(rates.fold(0.0, f64::max));
    }
    let needs = executor.requirements(Duration::ZERO);
    let most = needs.iter().map(|need| need.planned).max();
    ScenarioLoad::Users(most.unwrap_or(0) as f64)
}

/// A test without mistakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Ordered by start time, then name; a [`ScenarioId`] is a position in it.
    pub scenarios: Vec<Scenario>,
    /// As written; they are compiled once the test's metrics are declared.
    pub thresholds: Vec<threshold::Source>,
    /// Tags of all samples.
    pub tags: Vec<(String, String)>,
    /// How long set-up may take.
    pub setup_timeout: Duration,
    /// How long teardown may take.
    pub teardown_timeout: Duration,
    /// The least time from one iteration's start to the same user's next.
    pub min_iteration_duration: Duration,
    /// The most requests per second over all users, if limited.
    pub max_requests_per_second: Option<u64>,
    /// Which of all generators' users are its own, when several share the test.
    pub stripe: Option<Stripe>,
}

impl Plan {
    /// Fills in defaults and looks for mistakes.
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
            // k6 takes a negative one as none.
            min_iteration_duration: draft
                .min_iteration_duration
                .and_then(crate::draft::SignedDuration::length)
                .unwrap_or_default(),
            // k6 takes zero and less as no limit.
            max_requests_per_second: u64::try_from(rps).ok().filter(|rps| *rps > 0),
            stripe: None,
        })
    }

    /// The same test with one iteration of each scenario, by one user each, all of them
    /// at once; an iteration may take `at_most` this long.
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

    /// The same scenarios, to be loaded by hand for `length`: nothing starts until a level
    /// is set. Their shapes and starting times are replaced; what an iteration does is not.
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

    /// The same test with the starts of open scenarios spaced so. Scenarios are independent
    /// of each other: each has a seed of its own, made of this one and its name.
    #[must_use]
    pub fn spaced(mut self, spacing: Spacing) -> Self {
        for scenario in &mut self.scenarios {
            let spacing = match spacing {
                Spacing::Even => Spacing::Even,
                Spacing::Poisson { seed } => Spacing::Poisson {
                    seed: seed_of_part(seed, &scenario.name),
                },
            };
            scenario.executor = scenario.executor.clone().spaced(spacing);
        }
        self
    }

    /// Whether iterations of a scenario start at a rate, whatever the answers.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let mut scenarios = self.scenarios.iter();
        scenarios.any(|scenario| scenario.executor.arrivals().is_some())
    }

    /// How much load each scenario makes at its highest, in the order of the scenarios:
    /// starts per second of open ones, users of closed ones.
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
    /// When `id` belongs to another plan.
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

    /// How many users must be ready before the test starts.
    #[must_use]
    pub fn planned_vus(&self) -> u64 {
        let planned = self.requirements().into_iter().map(|r| r.planned);
        planned.max().unwrap_or(0)
    }

    /// How many users there may be at most.
    #[must_use]
    pub fn possible_vus(&self) -> u64 {
        let possible = self.requirements().into_iter().map(|r| r.planned + r.extra);
        possible.max().unwrap_or(0)
    }

    /// When no iteration starts any more, from the start of the test.
    #[must_use]
    pub fn regular_end(&self) -> Duration {
        let ends = self.scenarios.iter().map(Scenario::regular_end);
        ends.max().unwrap_or_default()
    }

    /// When the last iteration is over at the latest, from the start of the test.
    #[must_use]
    pub fn latest_end(&self) -> Duration {
        let ends = self.scenarios.iter().map(Scenario::latest_end);
        ends.max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
