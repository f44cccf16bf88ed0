//! `ramping-vus`: a number of looping users that follows stages.

use std::time::Duration;

use super::stages::{self, Stage};
use crate::draft::{SignedDuration, StageDraft};
use crate::mistake::{MOST_VUS, ScenarioError};
use crate::stripe::Stripe;
use crate::vu_steps::VuSteps;

/// The default time for a user to stop on the way down.
const GRACEFUL_RAMP_DOWN: Duration = Duration::from_secs(30);

/// A number of looping users that follows stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RampingVus {
    /// Users at the start.
    pub start_vus: u64,
    /// The stages.
    pub stages: Vec<Stage>,
    /// How long a user may take to stop on the way down.
    pub graceful_ramp_down: Duration,
    /// The users that belong to this part, if several generators share the test.
    pub stripe: Option<Stripe>,
}

impl RampingVus {
    pub(super) fn check(
        start_vus: Option<i64>,
        drafts: &[StageDraft],
        graceful_ramp_down: Option<SignedDuration>,
        mistakes: &mut Vec<ScenarioError>,
    ) -> Option<Self> {
        let written = start_vus.unwrap_or(1);
        let start_vus = u64::try_from(written).ok();
        if start_vus.is_none() {
            mistakes.push(ScenarioError::NegativeStartVus);
        }
        let highest = drafts.iter().map(|draft| draft.target.unwrap_or(0)).max();
        if written.max(highest.unwrap_or(0)) <= 0 {
            mistakes.push(ScenarioError::NeverAnyVus);
        }
        let stages = stages::check(drafts, mistakes);
        let too_many = |vus: i64| u64::try_from(vus).is_ok_and(|vus| vus > MOST_VUS);
        let before = mistakes.len();
        if too_many(written) {
            mistakes.push(ScenarioError::TooManyStartVus);
        }
        for (number, draft) in (1..).zip(drafts) {
            if too_many(draft.target.unwrap_or(0)) {
                mistakes.push(ScenarioError::TooManyStageVus(number));
            }
        }
        let graceful_ramp_down = graceful_ramp_down
            .unwrap_or(GRACEFUL_RAMP_DOWN.into())
            .length();
        if graceful_ramp_down.is_none() {
            mistakes.push(ScenarioError::NegativeGracefulRampDown);
        }
        if mistakes.len() > before {
            return None;
        }
        Some(Self {
            start_vus: start_vus?,
            stages: stages?,
            graceful_ramp_down: graceful_ramp_down?,
            stripe: None,
        })
    }

    /// How long iterations may start.
    #[must_use]
    pub fn duration(&self) -> Duration {
        stages::total(&self.stages)
    }

    /// The number of looping users at each moment; none from the end on.
    #[must_use]
    pub fn steps(&self) -> VuSteps {
        self.open_steps().ending_at(self.duration())
    }

    /// The number of users that may still be running an iteration at each moment. When the plan
    /// steps down, users above it are interrupted.
    #[must_use]
    pub fn reserved(&self, graceful_stop: Duration) -> VuSteps {
        self.open_steps()
            .reserved(self.graceful_ramp_down, self.duration() + graceful_stop)
    }

    /// The steps of the stages alone.
    fn open_steps(&self) -> VuSteps {
        let steps = VuSteps::ramping(self.start_vus, &stages::pairs(&self.stages));
        match &self.stripe {
            Some(stripe) => steps.mapped(|vus| stripe.scale(vus)),
            None => steps,
        }
    }
}
