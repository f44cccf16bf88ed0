//! What can go wrong with a hook, and how it is told.

use std::path::Path;
use std::time::Duration;

use loadline_text::{Message, tune};
use loadline_units::duration::go_string;

use crate::journal::JournalError;
use crate::original::OriginalError;

/// Why a setting could not be set, or a hook failed.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// The target ended while it started.
    #[error("the target ended: {output}")]
    Ended {
        /// What it printed last.
        output: String,
    },
    /// Somebody answers already where the target that is started is to answer.
    #[error("{ready} answers already")]
    NotFree {
        /// What says that a target is ready.
        ready: String,
    },
    /// The target was not ready in time.
    #[error("not ready after {0:?}")]
    NotReady(Duration),
    /// A hook failed.
    #[error("{hook}: {output}")]
    Failed {
        /// The hook.
        hook: String,
        /// What it printed last.
        output: String,
    },
    /// A hook was killed.
    #[error("{hook} took longer than {time:?}")]
    TimedOut {
        /// The hook.
        hook: String,
        /// How long it had.
        time: Duration,
    },
    /// A hook cannot be started.
    #[error("{hook}: {reason}")]
    Missing {
        /// The hook.
        hook: String,
        /// The kernel's reason.
        reason: String,
    },
    /// The target has another value than was set.
    #[error("{knob} is {seen}, not {wanted}")]
    ReadBack {
        /// The knob.
        knob: String,
        /// What was set.
        wanted: String,
        /// What was read.
        seen: String,
    },
    /// A request failed.
    #[error("{url}: {reason}")]
    Request {
        /// The URL.
        url: String,
        /// The reason.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{file}: {reason}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// A file is not as it was.
    #[error("{file}: {error}")]
    Original {
        /// The file.
        file: String,
        /// What of it is not.
        error: OriginalError,
    },
    /// The journal orders a file to be written that the study does not name.
    #[error("the study does not name {file}")]
    NotOfStudy {
        /// The file.
        file: String,
    },
    /// The target is not as it was: what could not be put back, after all was tried.
    #[error("{} things of the target are not as they were", .0.len())]
    NotRestored(Vec<RestoreFailure>),
    /// The journal cannot be written: nothing may be changed then.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A person ended the wait.
    #[error("interrupted")]
    Interrupted,
}

impl HookError {
    /// What it tells people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Ended { output } => tune::reason_start_ended(output),
            Self::NotFree { ready } => tune::reason_not_free(ready),
            Self::NotReady(time) => tune::reason_not_ready(go_string(*time)),
            Self::Failed { hook, output } => tune::reason_hook_failed(hook, output),
            Self::TimedOut { hook, time } => tune::reason_hook_timeout(hook, go_string(*time)),
            Self::Missing { hook, reason } => tune::reason_hook_missing(hook, reason),
            Self::ReadBack { knob, wanted, seen } => tune::reason_read_back(knob, wanted, seen),
            Self::Request { url, reason } => tune::reason_request(url, reason),
            Self::File { file, reason } => tune::reason_file(file, reason),
            Self::Original { file, error } => match error {
                OriginalError::Io(reason) => tune::reason_file(file, reason),
                OriginalError::Damaged => tune::reason_original_damaged(file),
                OriginalError::LinkMoved(before) => tune::reason_link_moved(file, before.display()),
            },
            Self::NotOfStudy { file } => tune::reason_not_of_study(file),
            Self::NotRestored(left) => tune::reason_not_restored(left.len()),
            Self::Journal(error) => tune::reason_journal(error),
            Self::Interrupted => tune::end_interrupted(),
        }
    }
}

/// Something of a target that could not be put back.
#[derive(Debug)]
pub struct RestoreFailure {
    /// Why not.
    pub error: HookError,
    /// What a person types to put it back, where that is known.
    pub command: Option<String>,
}

/// A file that cannot be read or written.
pub(crate) fn file_error(path: &Path, error: &std::io::Error) -> HookError {
    HookError::File {
        file: path.display().to_string(),
        reason: error.to_string(),
    }
}

/// A file that is not as it was.
pub(crate) fn original_error(path: &Path, error: OriginalError) -> HookError {
    HookError::Original {
        file: path.display().to_string(),
        error,
    }
}
