//! What can be wrong with a plan.
//!
//! The texts are those of k6, recorded from it, because its files get its messages. `text`
//! has other texts for other kinds of tests.

use std::fmt;
use std::time::Duration;

use loadline_units::duration::go_string;

use crate::arrivals::ShapeError;
use crate::draft::SignedDuration;

/// The shortest duration a scenario may have.
pub(crate) const SCENARIO_DURATION_MIN: Duration = Duration::from_secs(1);

/// The most virtual users a stage may ask for.
pub(crate) const MOST_VUS: u64 = 100_000_000;

/// What is wrong with one scenario. Stages are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// The name is empty.
    #[error("scenario name can't be empty")]
    EmptyName,
    /// The name has other characters than letters, digits, `_` and `-`.
    #[error(
        "the scenario name should contain only numbers, latin letters, underscores, and dashes"
    )]
    BadName,
    /// The function's name is empty.
    #[error("exec value cannot be empty")]
    EmptyExec,
    /// The start time is negative.
    #[error("the startTime can't be negative")]
    NegativeStartTime,
    /// The graceful stop is negative.
    #[error("the gracefulStop timeout can't be negative")]
    NegativeGracefulStop,
    /// There are no users.
    #[error("the number of VUs must be more than 0")]
    NoVus,
    /// The duration is missing.
    #[error("the duration is unspecified")]
    NoDuration,
    /// The duration is below 1 s.
    #[error("the duration must be at least 1s, but is {0}")]
    ShortDuration(GoDuration),
    /// The longest duration is below 1 s.
    #[error("the maxDuration must be at least 1s, but is {0}")]
    ShortMaxDuration(GoDuration),
    /// Fewer iterations than users.
    #[error("the number of iterations ({iterations}) can't be less than the number of VUs ({vus})")]
    FewerIterationsThanVus {
        /// Iterations as written.
        iterations: i64,
        /// Users as written.
        vus: i64,
    },
    /// There are no iterations.
    #[error("the number of iterations must be more than 0")]
    NoIterations,
    /// A negative number of users at the start.
    #[error("the number of start VUs can't be negative")]
    NegativeStartVus,
    /// No stage has any users.
    #[error("either startVUs or one of the stages' target values must be greater than 0")]
    NeverAnyVus,
    /// There are no stages.
    #[error("at least one stage has to be specified")]
    NoStages,
    /// A stage lacks its duration.
    #[error("stage {0} doesn't have a duration")]
    StageWithoutDuration(usize),
    /// A stage's duration is negative.
    #[error("the duration for stage {0} can't be negative")]
    NegativeStageDuration(usize),
    /// A stage lacks its target.
    #[error("stage {0} doesn't have a target")]
    StageWithoutTarget(usize),
    /// A stage's target is negative.
    #[error("the target for stage {0} can't be negative")]
    NegativeStageTarget(usize),
    /// Too many users at the start.
    #[error("the startVUs exceed max limit of 100000000")]
    TooManyStartVus,
    /// Too many users in a stage.
    #[error("target for stage {0} exceeds max limit of 100000000")]
    TooManyStageVus(usize),
    /// The graceful ramp-down is negative; k6 treats it as unset.
    #[error("the gracefulRampDown timeout can't be negative")]
    NegativeGracefulRampDown,
    /// The rate is missing.
    #[error("the iteration rate isn't specified")]
    NoRate,
    /// The rate is zero or less.
    #[error("the iteration rate must be more than 0")]
    RateNotPositive,
    /// The rate at the start is negative.
    #[error("the startRate value can't be negative")]
    NegativeStartRate,
    /// The time unit is zero or less.
    #[error("the timeUnit must be more than 0")]
    TimeUnitNotPositive,
    /// The number of pre-allocated users is missing.
    #[error("the number of preAllocatedVUs isn't specified")]
    NoPreAllocatedVus,
    /// The number of pre-allocated users is negative.
    #[error("the number of preAllocatedVUs can't be negative")]
    NegativePreAllocatedVus,
    /// The limit of users is below the number of pre-allocated ones.
    #[error("maxVUs can't be less than preAllocatedVUs")]
    MaxVusBelowPreAllocated,
    /// The load cannot be planned exactly; k6 has no such limit.
    #[error("{0}")]
    Shape(ShapeError),
}

/// A duration as Go prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoDuration(pub SignedDuration);

impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.0 < 0 {
            f.write_str("-")?;
        }
        f.write_str(&go_string(Duration::from_nanos(self.0.0.unsigned_abs())))
    }
}

/// What is wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A scenario has mistakes.
    #[error("scenario {name} has configuration errors: {}", joined(mistakes))]
    Scenario {
        /// The scenario's name as written.
        name: String,
        /// What is wrong with it, in k6's order.
        mistakes: Vec<ScenarioError>,
    },
    /// The timeout of set-up is not positive.
    #[error("setupTimeout must be positive")]
    SetupTimeout,
    /// The timeout of teardown is not positive.
    #[error("teardownTimeout must be positive")]
    TeardownTimeout,
    /// Two scenarios have the same name.
    #[error("two scenarios are called {0}")]
    SameName(String),
}

fn joined(mistakes: &[ScenarioError]) -> String {
    let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    texts.join(", ")
}
