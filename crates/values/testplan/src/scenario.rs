//! A validated scenario.

use std::time::Duration;

use crate::draft::ScenarioDraft;
use crate::executor::Executor;
use crate::mistake::ScenarioError;
use crate::requirement::VuRequirement;
use crate::stripe::Stripe;

/// The default time for running iterations to end.
const GRACEFUL_STOP: Duration = Duration::from_secs(30);

/// The default function.
const DEFAULT_EXEC: &str = "default";

/// A validated scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// Its name, unique in the plan.
    pub name: String,
    /// Its executor.
    pub executor: Executor,
    /// When it starts, from the start of the test.
    pub start_time: Duration,
    /// How long running iterations may continue after its end.
    pub graceful_stop: Duration,
    /// The function it runs.
    pub exec: String,
    /// Whether the function's name was written; summaries of the plan show it then.
    pub exec_written: bool,
    /// Environment variables of its function.
    pub env: Vec<(String, String)>,
    /// Tags of its samples.
    pub tags: Vec<(String, String)>,
    /// Whether a planned start waits for a user when none is free. k6 drops it.
    pub starts_wait: bool,
    /// Which iterations of all generators are its own, if several share the test.
    pub stripe: Option<Stripe>,
}

impl Scenario {
    pub(crate) fn check(draft: ScenarioDraft) -> Result<Self, Vec<ScenarioError>> {
        let mut mistakes = Vec::new();
        if draft.name.is_empty() {
            mistakes.push(ScenarioError::EmptyName);
        }
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if draft.name.is_empty() || !draft.name.bytes().all(allowed) {
            mistakes.push(ScenarioError::BadName);
        }
        if draft.exec.as_deref() == Some("") {
            mistakes.push(ScenarioError::EmptyExec);
        }
        let start_time = draft.start_time.unwrap_or_default().length();
        if start_time.is_none() {
            mistakes.push(ScenarioError::NegativeStartTime);
        }
        let graceful_stop = draft.graceful_stop.unwrap_or(GRACEFUL_STOP.into()).length();
        if graceful_stop.is_none() {
            mistakes.push(ScenarioError::NegativeGracefulStop);
        }
        let executor = Executor::check(&draft.executor, &mut mistakes);
        match (executor, start_time, graceful_stop) {
            (Some(executor), Some(start_time), Some(graceful_stop)) if mistakes.is_empty() => {
                Ok(Self {
                    name: draft.name,
                    executor,
                    start_time,
                    graceful_stop,
                    exec_written: draft.exec.is_some(),
                    exec: draft.exec.unwrap_or_else(|| DEFAULT_EXEC.to_owned()),
                    env: draft.env,
                    tags: draft.tags,
                    starts_wait: draft.starts_wait,
                    stripe: None,
                })
            }
            _ => Err(mistakes),
        }
    }

    /// When its last iteration may start, from the start of the test.
    #[must_use]
    pub fn regular_end(&self) -> Duration {
        self.start_time + self.executor.duration()
    }

    /// When its last iteration must be over, from the start of the test.
    #[must_use]
    pub fn latest_end(&self) -> Duration {
        let requirements = self.requirements();
        let last = requirements.last().map_or(Duration::ZERO, |r| r.at);
        self.start_time + last
    }

    /// The users it needs, on its own time.
    #[must_use]
    pub fn requirements(&self) -> Vec<VuRequirement> {
        self.executor.requirements(self.graceful_stop)
    }
}
