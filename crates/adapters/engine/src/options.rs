//! How to run a plan: workers, tags, patience.

use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::{FoldRule, TapPool};
use loadline_reactor::PeerPolicy;
use loadline_vu::StopCause;

/// Settings of a run that are not part of the plan.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Worker threads, at least 1.
    pub workers: usize,
    /// Tags of every sample.
    pub run_tags: Vec<(String, String)>,
    /// How long running iterations may continue after a person asked to stop.
    pub drain: Duration,
    /// How late one worker's part of a window may be before the window is emitted
    /// without it.
    pub window_patience: Duration,
    /// When tag values are folded because there are too many.
    pub fold: FoldRule,
    /// Makes the users, then waits for [`crate::Control::release`].
    pub paused: bool,
    /// Where single samples go, when an output needs them.
    pub tap: Option<TapPool>,
    /// Who is asked before a worker connects to a peer.
    pub peer_policy: Option<Arc<dyn PeerPolicy>>,
}

impl EngineOptions {
    /// Options for `workers` workers that cut iterations at once when stopped.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        Self {
            workers: workers.max(1),
            run_tags: Vec::new(),
            drain: Duration::ZERO,
            window_patience: Duration::from_secs(2),
            fold: FoldRule::unlimited(),
            paused: false,
            tap: None,
            peer_policy: None,
        }
    }

    /// How long running iterations may continue after a stop for this cause.
    pub(crate) fn drain(&self, cause: &StopCause) -> Duration {
        match cause {
            StopCause::Signal | StopCause::Remote => self.drain,
            StopCause::Aborted { .. }
            | StopCause::ThresholdsCrossed { .. }
            | StopCause::Failed(_) => Duration::ZERO,
        }
    }

    pub(crate) fn tags(&self) -> Vec<(&str, &str)> {
        self.run_tags
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect()
    }
}
