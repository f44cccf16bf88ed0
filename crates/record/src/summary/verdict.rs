//! What a run of HTTP requests comes to, in one word.

use super::Summary;
use crate::health::Limit;
use crate::run::Ending;

/// The one thing to say about a run; of several that apply, the first in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A defect of this program ended it.
    Defect(String),
    /// Something the run needs failed.
    Failed(String),
    /// Someone stopped it.
    Interrupted,
    /// No request was sent.
    NothingSent,
    /// Requests were sent and none was answered.
    NoAnswer,
    /// The generator was the bottleneck; whether thresholds hold says nothing.
    GeneratorLimited(Vec<Limit>),
    /// A threshold failed.
    ThresholdsFailed,
    /// None of the above.
    Passed,
}

impl Verdict {
    /// Its name in lists and files.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Failed(_) | Self::Defect(_) => "error",
            Self::Interrupted => "stopped",
            Self::NothingSent => "nothing-sent",
            Self::NoAnswer => "no-answer",
            Self::GeneratorLimited(_) => "not-valid",
            Self::ThresholdsFailed => "failed",
            Self::Passed => "passed",
        }
    }
}

impl Summary {
    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match &self.run.ending {
            Ending::Defect { message } => return Verdict::Defect(message.clone()),
            Ending::Failed { message } => return Verdict::Failed(message.clone()),
            Ending::Interrupted => return Verdict::Interrupted,
            Ending::Finished | Ending::Threshold | Ending::Test { .. } => {}
        }
        if self.statuses.is_empty() {
            return Verdict::NothingSent;
        }
        if self.statuses.iter().all(|(status, _)| status == "0") {
            return Verdict::NoAnswer;
        }
        let limits = self.run.generator.limits(self.run.duration);
        if !limits.is_empty() {
            return Verdict::GeneratorLimited(limits);
        }
        if self.crossed().is_empty() {
            Verdict::Passed
        } else {
            Verdict::ThresholdsFailed
        }
    }
}
