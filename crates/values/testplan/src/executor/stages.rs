//! Stages: linear changes to a target, one after the other.

use std::time::Duration;

use crate::draft::StageDraft;
use crate::mistake::ScenarioError;

/// A linear change to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// Its length; a stage of length zero is a jump.
    pub duration: Duration,
    /// The target: users, or iterations per time unit.
    pub target: u64,
}

pub(super) fn check(
    drafts: &[StageDraft],
    mistakes: &mut Vec<ScenarioError>,
) -> Option<Vec<Stage>> {
    if drafts.is_empty() {
        mistakes.push(ScenarioError::NoStages);
        return None;
    }
    let mut stages = Vec::new();
    for (number, draft) in (1..).zip(drafts) {
        let duration = match draft.duration.map(crate::draft::SignedDuration::length) {
            Some(Some(duration)) => Some(duration),
            Some(None) => {
                mistakes.push(ScenarioError::NegativeStageDuration(number));
                None
            }
            None => {
                mistakes.push(ScenarioError::StageWithoutDuration(number));
                None
            }
        };
        let target = match draft.target.map(u64::try_from) {
            Some(Ok(target)) => Some(target),
            Some(Err(_)) => {
                mistakes.push(ScenarioError::NegativeStageTarget(number));
                None
            }
            None => {
                mistakes.push(ScenarioError::StageWithoutTarget(number));
                None
            }
        };
        if let (Some(duration), Some(target)) = (duration, target) {
            stages.push(Stage { duration, target });
        }
    }
    (stages.len() == drafts.len()).then_some(stages)
}

pub(super) fn total(stages: &[Stage]) -> Duration {
    stages.iter().map(|stage| stage.duration).sum()
}

/// As (length, target).
pub(super) fn pairs(stages: &[Stage]) -> Vec<(Duration, u64)> {
    stages.iter().map(|s| (s.duration, s.target)).collect()
}
