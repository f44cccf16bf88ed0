//! Threshold expressions as written in the options.

use std::time::Duration;

use loadline_metrics::threshold::Condition;
use loadline_testplan::draft::SignedDuration;

/// One condition, not yet understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThresholdCondition {
    /// As written: `p(95)<500`.
    pub text: String,
    /// Whether the run stops once it fails.
    pub abort_on_fail: bool,
    /// How long into the run a failure does not stop it yet.
    pub delay_abort: Option<SignedDuration>,
}

impl From<&ThresholdCondition> for Condition {
    fn from(written: &ThresholdCondition) -> Self {
        // A delay below zero is over from the start.
        let delay = |span: SignedDuration| span.length().unwrap_or(Duration::ZERO);
        Self {
            text: written.text.clone(),
            abort_on_fail: written.abort_on_fail,
            delay_abort: written.delay_abort.map(delay),
        }
    }
}
