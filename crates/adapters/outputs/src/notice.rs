//! What users see of outputs: changes while a run goes on, and what each delivered.

use std::time::Duration;

use crate::queue::ReplaceCause;

/// A change in an output's state that the user should see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputNotice {
    /// The output's description.
    pub output: String,
    /// The change.
    pub what: NoticeKind,
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeKind {
    /// Single samples cannot be kept. From this time of day on (nanoseconds since 1970), windows
    /// replace them.
    Replacing {
        /// The moment.
        from: i64,
        /// The reason.
        cause: ReplaceCause,
    },
    /// They can be kept again. From this time of day on, they are.
    Resumed {
        /// Nanoseconds since 1970.
        from: i64,
    },
    /// The receiver does not accept data; sending is retried.
    Failing {
        /// The reason.
        reason: String,
    },
    /// The receiver accepts data again.
    Recovered,
    /// The run is over, and the output still has data to deliver.
    Waiting {
        /// How long it is waited for.
        patience: Duration,
    },
}

/// What an output delivered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputReport {
    /// The output's description.
    pub output: String,
    /// How many points, lines or values of series the receiver accepted.
    pub points: u64,
    /// How many single samples were replaced by windows.
    pub replaced: u64,
    /// When the first of those windows began and the last ended, in nanoseconds since 1970.
    pub replaced_between: Option<(i64, i64)>,
    /// How many points the receiver rejected for good.
    pub refused: u64,
    /// The reason of the first rejection.
    pub refusal: Option<String>,
    /// How many single samples were never delivered.
    pub unsent_samples: u64,
    /// How many windows and values of series were never delivered.
    pub unsent_windows: u64,
    /// How many windows waited on disk and could not be read back.
    pub unreadable: u64,
}

impl OutputReport {
    /// Whether every sample was delivered, one by one or in a sum.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.refused == 0
            && self.unsent_samples == 0
            && self.unsent_windows == 0
            && self.unreadable == 0
    }
}
