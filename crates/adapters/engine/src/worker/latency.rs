//! Latency from the planned start, also for iterations that did not end normally.
//!
//! An interrupted iteration would have taken at least as long as it had run, and a dropped
//! start at least as long as it had waited. That age is recorded as its latency and also as a
//! lower bound. So `intended_latency` covers the whole planned load, and a reader can see
//! which percentiles are known (`loadline_metrics::censored`).

use loadline_metrics::{TagSetId, builtin};
use loadline_units::ScenarioId;
use loadline_vu::IterationResult;

use super::Worker;
use crate::user::Began;

impl Worker {
    /// Records how long an ended iteration took, or its age when it was interrupted. What failed
    /// is recorded apart, too: a goal of latency counts it as a miss.
    pub(super) fn record_latency(
        &mut self,
        scenario: ScenarioId,
        began: Began,
        outcome: &IterationResult,
    ) {
        let is_failed = matches!(outcome, IterationResult::CompleteWithFailure);
        let is_complete = is_failed || matches!(outcome, IterationResult::Complete);
        if is_complete && began.planned.is_none() {
            return;
        }
        let now = self.handle.now();
        let tags = self.lanes[scenario.index()].tags;
        if !is_complete {
            let age = now.millis_since(began.at);
            self.shard.record(builtin::ITERATIONS_CUT, tags, age);
        }
        let Some(planned) = began.planned else {
            return;
        };
        let latency = now.millis_since(planned);
        if is_complete {
            self.shard.record(builtin::INTENDED_LATENCY, tags, latency);
            if is_failed {
                let failed = builtin::INTENDED_LATENCY_FAILED;
                self.shard.record(failed, tags, latency);
            }
        } else {
            self.record_censored(tags, latency);
        }
    }

    /// Records a latency of which only a lower bound is known.
    pub(super) fn record_censored(&mut self, tags: TagSetId, at_least: f64) {
        self.shard.record_all(
            tags,
            &[
                (builtin::INTENDED_LATENCY, at_least),
                (builtin::INTENDED_LATENCY_CENSORED, at_least),
            ],
        );
    }
}
