//! One exchange: a stream of the connection.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use h2::{Reason, RecvStream, SendStream};

use super::message::{fill_head, request_head};
use super::{Answer, AnswerError, Http2, too_many_interim};
use crate::body::BodyMode;
use crate::broken::{ExchangeError, Progress};
use crate::failure::{Cause, Failure};
use crate::network::Network;
use crate::request::Request;
use crate::response::{Protocol, Response};

/// What is left to send, and where the answer arrives.
struct Stream {
    body: Bytes,
    sender: SendStream<Bytes>,
    answer: Answer,
}

impl Http2 {
    /// Sends `request` and reads the whole response. The caller holds a slot.
    pub(crate) async fn run(
        &self,
        network: &Network,
        request: &Request,
        mode: BodyMode,
        response: &mut Response,
    ) -> Result<(), ExchangeError> {
        let before = self.passed();
        let outcome = self.exchange(network, request, mode, response).await;
        let after = self.passed();
        response.bytes_sent += after.0 - before.0;
        response.bytes_received += after.1 - before.1;
        outcome
    }

    async fn exchange(
        &self,
        network: &Network,
        request: &Request,
        mode: BodyMode,
        response: &mut Response,
    ) -> Result<(), ExchangeError> {
        let mut body = self.open(network, request, response).await?;
        let handle = network.handle();
        let received = if request.method() == "HEAD" {
            // The server may send more, but there is no body to read.
            Ok(())
        } else {
            poll_fn(|cx| self.poll_body(cx, &mut body, mode, response)).await
        };
        if let Err(failure) = received {
            return Err(ExchangeError {
                failure: failure.in_body(),
                progress: Progress::Answered,
            });
        }
        response.timing.end(handle.now());
        Ok(())
    }

    /// Sends `request` and reads the response's head. The caller holds a slot.
    pub(crate) async fn open(
        &self,
        network: &Network,
        request: &Request,
        response: &mut Response,
    ) -> Result<RecvStream, ExchangeError> {
        let handle = network.handle();
        // A retry would not help.
        let head = request_head(request).map_err(ExchangeError::for_good)?;
        let body = request.body().cloned().unwrap_or_default();
        let queued = self
            .0
            .sender
            .borrow_mut()
            .send_request(head, body.is_empty());
        let (answer, sender) =
            queued.map_err(|error| ExchangeError::unsent(self.0.cause_of(&error, 0).into()))?;
        let answer = Answer::new(answer, &self.0.wire);
        let id = answer.stream_id();
        let mut stream = Stream {
            body,
            sender,
            answer,
        };
        let answered = poll_fn(|cx| {
            if response.timing.sent_at().is_none() {
                let all = stream.send(cx);
                // Sends at once, not on the driver's next turn.
                let _ = self.0.drive();
                if all {
                    response.timing.sent(handle.now());
                }
            }
            stream.answer.poll(cx)
        });
        let (head, body) = match answered.await {
            Ok(answer) => answer.into_parts(),
            Err(AnswerError::Http2(error)) => return Err(self.broken(&error, id)),
            Err(AnswerError::TooManyInterim) => {
                let cause = too_many_interim();
                self.abandon(&cause);
                return Err(no_response(cause.into()));
            }
        };
        let now = handle.now();
        response.timing.first_byte(now);
        response.heard.set(Some(now));
        fill_head(&mut response.head, head.status, &head.headers);
        response.protocol = Protocol::Http2;
        response.head_complete = true;
        Ok(body)
    }

    /// Appends the next piece of `body` to `out`; `false` at the end.
    pub(crate) async fn next_piece(
        &self,
        body: &mut RecvStream,
        out: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        let id = body.stream_id().as_u32();
        let failed = |error: &h2::Error| Failure::from(self.0.cause_of(error, id)).in_body();
        let piece = match poll_fn(|cx| body.poll_data(cx)).await {
            None => return Ok(false),
            Some(Ok(piece)) => piece,
            Some(Err(error)) if is_end(&error) => return Ok(false),
            Some(Err(error)) => return Err(failed(&error)),
        };
        out.extend_from_slice(&piece);
        let released = body.flow_control().release_capacity(piece.len());
        released.map_err(|error| failed(&error))?;
        Ok(true)
    }

    fn poll_body(
        &self,
        cx: &mut Context<'_>,
        body: &mut RecvStream,
        mode: BodyMode,
        response: &mut Response,
    ) -> Poll<Result<(), Failure>> {
        let id = body.stream_id().as_u32();
        loop {
            let piece = match ready!(body.poll_data(cx)) {
                None => return Poll::Ready(Ok(())),
                Some(Ok(piece)) => piece,
                Some(Err(error)) if is_end(&error) => return Poll::Ready(Ok(())),
                Some(Err(error)) => return Poll::Ready(Err(self.0.cause_of(&error, id).into())),
            };
            response.body_bytes += piece.len() as u64;
            if response.body_bytes > mode.limit() {
                let limit = mode.limit();
                return Poll::Ready(Err(Cause::BodyTooLarge { limit }.into()));
            }
            let status = response.head.status();
            mode.take(status, &mut response.body, &piece);
            if let Err(error) = body.flow_control().release_capacity(piece.len()) {
                return Poll::Ready(Err(self.0.cause_of(&error, id).into()));
            }
        }
    }

    /// A failure before the response's head, and whether the server may have processed the
    /// request: it has not if it refused the stream, or announced the end before this stream.
    fn broken(&self, error: &h2::Error, id: u32) -> ExchangeError {
        let untouched = match error.reason() {
            Some(Reason::REFUSED_STREAM) => error.is_reset() && error.is_remote(),
            Some(Reason::NO_ERROR) => error.is_go_away() && error.is_remote(),
            _ => false,
        };
        ExchangeError {
            failure: self.0.cause_of(error, id).into(),
            progress: if untouched {
                Progress::NothingSent
            } else {
                Progress::NoResponse
            },
        }
    }
}

/// A failure after the request was sent.
fn no_response(failure: Failure) -> ExchangeError {
    ExchangeError {
        failure,
        progress: Progress::NoResponse,
    }
}

/// The server needs no more of the request and has sent its whole answer.
fn is_end(error: &h2::Error) -> bool {
    error.reason() == Some(Reason::NO_ERROR) && error.is_reset()
}

impl Stream {
    /// Sends as much of the body as the server accepts; returns whether that was all. A broken
    /// stream accepts everything: its answer says why.
    fn send(&mut self, cx: &mut Context<'_>) -> bool {
        while !self.body.is_empty() {
            self.sender.reserve_capacity(self.body.len());
            match self.sender.poll_capacity(cx) {
                Poll::Pending => return false,
                Poll::Ready(Some(Ok(room))) => {
                    let piece = self.body.split_to(room.min(self.body.len()));
                    let last = self.body.is_empty();
                    if self.sender.send_data(piece, last).is_err() {
                        return true;
                    }
                }
                Poll::Ready(None | Some(Err(_))) => return true,
            }
        }
        true
    }
}
