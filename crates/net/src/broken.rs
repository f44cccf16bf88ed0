//! How far an exchange came before it failed: what decides whether it is tried again.

use crate::failure::Failure;

/// How far an exchange came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The server saw nothing of the request, or says it did not act on it.
    NothingSent,
    /// No byte of a response came.
    NoResponse,
    /// Some did.
    Answered,
}

/// A failed exchange.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) failure: Failure,
    pub(crate) progress: Progress,
}

impl Broken {
    /// A failure that another connection would not avoid.
    pub(crate) fn for_good(failure: Failure) -> Self {
        Self {
            failure,
            progress: Progress::Answered,
        }
    }

    pub(crate) fn unsent(failure: Failure) -> Self {
        Self {
            failure,
            progress: Progress::NothingSent,
        }
    }
}
