//! The answer of a stream, up to its head, and how many interim answers may come before it.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use h2::RecvStream;
use h2::client::ResponseFuture;
use loadline_wire::{INTERIM_RESPONSES_MAX, ResponseError};

use super::io::Wire;
use crate::failure::Cause;

/// Before this many bytes have arrived, nobody looks for interim answers: the head of an ordinary
/// answer is not made slower.
const UNLOOKED_BYTES: u64 = 1024;

/// An answer that is waited for.
#[derive(Debug)]
pub(crate) struct Answer {
    head: ResponseFuture,
    interim: u32,
    wire: Rc<Wire>,
    /// What the connection had received when the request was queued.
    read_before: u64,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum AnswerError {
    /// The stream or the connection failed.
    Http2(h2::Error),
    /// The server sent too many interim answers.
    TooManyInterim,
}

impl Answer {
    pub(super) fn new(head: ResponseFuture, wire: &Rc<Wire>) -> Self {
        Self {
            head,
            interim: 0,
            wire: wire.clone(),
            read_before: wire.read.get(),
        }
    }

    /// The number of its stream.
    pub(crate) fn stream_id(&self) -> u32 {
        self.head.stream_id().as_u32()
    }

    /// Ready when the head has arrived. Interim answers are dropped one by one, as `h2` would keep
    /// all of them.
    pub(crate) fn poll(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<http::Response<RecvStream>, AnswerError>> {
        if self.wire.read.get() - self.read_before > UNLOOKED_BYTES {
            while let Poll::Ready(Some(Ok(_))) = self.head.poll_informational(cx) {
                self.interim += 1;
                if self.interim > INTERIM_RESPONSES_MAX {
                    return Poll::Ready(Err(AnswerError::TooManyInterim));
                }
            }
        }
        Pin::new(&mut self.head)
            .poll(cx)
            .map_err(AnswerError::Http2)
    }
}

/// Why a request fails whose server sends interim answers without end; the words are Go's.
pub(crate) fn too_many_interim() -> Cause {
    Cause::Other(format!("http2: {}", ResponseError::TooManyInterim))
}
