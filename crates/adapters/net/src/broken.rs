//! How far an exchange got before it failed, which decides on a retry.

use crate::failure::Failure;
use crate::request::Request;
use crate::response::Response;

/// How far an exchange got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The server got no request, or says that it did not process it.
    NothingSent,
    /// No byte of a response arrived.
    NoResponse,
    /// A part of the response arrived.
    Answered,
}

/// A failed exchange.
#[derive(Debug)]
pub(crate) struct ExchangeError {
    pub(crate) failure: Failure,
    pub(crate) progress: Progress,
}

impl ExchangeError {
    /// A failure that would also happen on another connection.
    pub(crate) fn for_good(failure: Failure) -> Self {
        Self {
            failure,
            progress: Progress::Answered,
        }
    }

    /// Whether the request may be sent again: it failed on a reused connection, and the server
    /// cannot have processed it.
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
