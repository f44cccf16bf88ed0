//! How far an exchange came before it failed: what decides whether it is tried again.

use crate::failure::Failure;
use crate::request::Request;
use crate::response::Response;

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

    /// Whether the request may go out once more: it failed on a connection used before, and
    /// the server cannot have acted on it twice.
    pub(crate) fn may_be_tried_again(&self, request: &Request, response: &Response) -> bool {
        response.reused
            && match self.progress {
                Progress::NothingSent => true,
                Progress::NoResponse => request.is_replayable(),
                Progress::Answered => false,
            }
    }

    pub(crate) fn unsent(failure: Failure) -> Self {
        Self {
            failure,
            progress: Progress::NothingSent,
        }
    }
}
