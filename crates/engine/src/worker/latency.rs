//! Latency from the planned start, whatever became of the iteration.
//!
//! An iteration that was cut, or a start that never happened, would have taken at least as
//! long as it was under way or waited: that age is recorded as its latency and, beside it,
//! as a value that is only a lower bound. Nothing of a planned load is missing from
//! `intended_latency`, and a reader can tell which percentiles are known
//! (`loadline_metrics::censored`).

use loadline_metrics::{TagSetId, builtin};
use loadline_units::ScenarioId;

use super::Worker;
use crate::user::Began;

impl Worker {
    /// Records what an iteration that ended now took, or how old it was when it was cut.
    pub(super) fn record_latency(&mut self, scenario: ScenarioId, began: Began, is_complete: bool) {
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
        } else {
            self.record_censored(tags, latency);
        }
    }

    /// Records a latency of which only the least it can have been is known.
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
