//! When a target that was cold got as fast as it stayed.

use super::Explanation;
use super::finding::RuleId;
use super::input::ExplainedRun;
use super::slow_start::{FirstRequests, SlowStart};

/// The time in which a target warmed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmingSpan {
    /// Seconds until requests were as fast as they stayed.
    pub seconds: u64,
    /// Requests that ended until then.
    pub requests: f64,
    /// Mean time of a request until then, ms.
    pub early_ms: f64,
    /// In the end.
    pub late_ms: f64,
}

/// What a run tells of warming up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WarmingState {
    /// Requests were as fast at first as in the end.
    None,
    /// The target warmed up.
    Span(WarmingSpan),
    /// Neither is seen.
    NotKnown,
}

impl From<SlowStart> for WarmingSpan {
    fn from(start: SlowStart) -> Self {
        Self {
            seconds: start.seconds as u64,
            requests: start.requests,
            early_ms: start.early_ms,
            late_ms: start.late_ms,
        }
    }
}

/// What `run` tells of its target's warming up; its explanation says whether a slow start is one.
#[must_use]
pub fn seen_warming(run: &ExplainedRun, explanation: &Explanation) -> WarmingState {
    match FirstRequests::new(&run.windows) {
        FirstRequests::AsFast => WarmingState::None,
        FirstRequests::NotKnown => WarmingState::NotKnown,
        FirstRequests::Slow(start) => {
            let mut rules = explanation.findings.iter().map(|finding| finding.rule);
            if rules.any(|rule| matches!(rule, RuleId::Cold | RuleId::Warming)) {
                WarmingState::Span(start.into())
            } else {
                WarmingState::NotKnown
            }
        }
    }
}
