//! Parses responses, however the socket splits them.
//!
//! [`ResponseParser::advance`] takes bytes and returns the next event: the head is complete, here
//! is a piece of the body, the message has ended, or more bytes are needed. The body is not
//! copied. Interim responses (1xx except 101) are skipped.

mod chunked;
mod error;
mod framing;
mod head;
mod known;
mod lines;
#[cfg(test)]
mod tests;

pub use error::{QuotedBytes, ResponseError};
pub use head::{ResponseHead, Version};

use chunked::Chunked;
use framing::{Frame, Framing};
use known::CachedHead;
use lines::HeadLines;

/// The kind of request, as far as it determines where the response ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RequestKind {
    /// Any method but the two below.
    #[default]
    Ordinary,
    /// HEAD: the response has no body, whatever its head says.
    Head,
    /// CONNECT: after a 2xx response the connection no longer speaks HTTP.
    Connect,
}

/// Limits for one response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseLimits {
    /// Bytes of a head with its line ends; trailers count, too. At most 4 GiB - 1.
    pub head_bytes: usize,
    /// Number of header fields, including trailers.
    pub fields: usize,
    /// Bytes of the body as sent, without chunk framing.
    pub body_bytes: u64,
}

impl Default for ResponseLimits {
    fn default() -> Self {
        Self {
            head_bytes: 256 * 1024,
            fields: 1024,
            body_bytes: u64::MAX,
        }
    }
}

/// How many interim responses may precede the final one.
pub const INTERIM_RESPONSES_MAX: u32 = 100;

/// What the bytes so far give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseEvent<'i> {
    /// All bytes were taken and the message goes on.
    Incomplete,
    /// The final head is complete; [`ResponseHead`] is filled.
    Head,
    /// A piece of the body; never empty.
    Body(&'i [u8]),
    /// The message has ended. Remaining bytes do not belong to it.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Head,
    Length(u64),
    Chunked,
    UntilClose,
    /// The response exceeds the limit.
    TooLarge,
    Done,
}

/// Parses one response after another from a connection.
#[derive(Debug, Default)]
pub struct ResponseParser {
    state: State,
    kind: RequestKind,
    limits: ResponseLimits,
    lines: HeadLines,
    known: CachedHead,
    chunked: Chunked,
    body_seen: u64,
    interim: u32,
    persistent: bool,
    handed_over: bool,
}

impl ResponseParser {
    /// A parser with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits for later responses.
    pub fn set_limits(&mut self, limits: ResponseLimits) {
        self.limits = limits;
    }

    /// Prepares for the response to a request of `kind`; clears `head`.
    pub fn begin(&mut self, kind: RequestKind, head: &mut ResponseHead) {
        head.clear();
        self.kind = kind;
        self.state = State::Head;
        self.lines.reset();
        self.body_seen = 0;
        self.interim = 0;
        self.persistent = false;
        self.handed_over = false;
    }

    /// Parses `input`, the bytes that follow those taken so far. Returns how many of them were
    /// taken, and what they give. Call it again with the rest until it returns
    /// [`ResponseEvent::Incomplete`] or [`ResponseEvent::End`].
    ///
    /// # Errors
    /// [`ResponseError`]; the response and its connection cannot be used any further.
    pub fn advance<'i>(
        &mut self,
        head: &mut ResponseHead,
        input: &'i [u8],
    ) -> Result<(usize, ResponseEvent<'i>), ResponseError> {
        match self.state {
            State::Head => self.advance_head(head, input),
            State::Length(left) => {
                if input.is_empty() {
                    return Ok((0, ResponseEvent::Incomplete));
                }
                let here = usize::try_from(left).map_or(input.len(), |n| n.min(input.len()));
                let left = left - here as u64;
                self.state = if left == 0 {
                    State::Done
                } else {
                    State::Length(left)
                };
                Ok((here, ResponseEvent::Body(&input[..here])))
            }
            State::Chunked => {
                let (used, event) = self.chunked.advance(head, input, &self.limits)?;
                match event {
                    ResponseEvent::Body(piece) => {
                        return Ok((used, ResponseEvent::Body(self.allowed(piece)?)));
                    }
                    ResponseEvent::End => self.state = State::Done,
                    ResponseEvent::Incomplete | ResponseEvent::Head => {}
                }
                Ok((used, event))
            }
            State::UntilClose => {
                if input.is_empty() {
                    return Ok((0, ResponseEvent::Incomplete));
                }
                Ok((input.len(), ResponseEvent::Body(self.allowed(input)?)))
            }
            State::TooLarge => Err(self.too_large()),
            State::Done => Ok((0, ResponseEvent::End)),
        }
    }

    fn advance_head<'i>(
        &mut self,
        head: &mut ResponseHead,
        input: &'i [u8],
    ) -> Result<(usize, ResponseEvent<'i>), ResponseError> {
        let whole = !self.lines.started();
        if whole
            && let Some((used, frame)) = self.known.recognise(input, self.kind, &self.limits, head)
        {
            self.begin_body(frame)?;
            return Ok((used, ResponseEvent::Head));
        }
        let mut used = 0;
        while let Some(end) = self.lines.feed(head, &input[used..], &self.limits)? {
            used += end;
            let interim = matches!(head.status(), 100 | 102..=199);
            if !interim {
                let frame = framing::frame(head, self.kind)?;
                if whole && used == end && !self.lines.folded() {
                    self.known.remember(head, self.kind, frame);
                }
                self.begin_body(frame)?;
                return Ok((used, ResponseEvent::Head));
            }
            self.interim += 1;
            if self.interim > INTERIM_RESPONSES_MAX {
                return Err(ResponseError::TooManyInterim);
            }
            head.clear();
            self.lines.reset();
            if used == input.len() {
                break;
            }
        }
        Ok((input.len(), ResponseEvent::Incomplete))
    }

    fn begin_body(&mut self, frame: Frame) -> Result<(), ResponseError> {
        self.persistent = frame.persistent;
        self.state = match frame.framing {
            Framing::Empty => State::Done,
            Framing::Handover => {
                self.handed_over = true;
                State::Done
            }
            Framing::Length(length) if length > self.limits.body_bytes => {
                return Err(self.too_large());
            }
            Framing::Length(length) => State::Length(length),
            Framing::Chunked => {
                self.chunked.reset();
                State::Chunked
            }
            Framing::UntilClose => State::UntilClose,
        };
        Ok(())
    }

    /// The part of `piece` within the limit for bodies. If it exceeds the limit, the next call
    /// fails, so the result does not depend on how the body was split.
    fn allowed<'i>(&mut self, piece: &'i [u8]) -> Result<&'i [u8], ResponseError> {
        let room = self.limits.body_bytes.saturating_sub(self.body_seen);
        self.body_seen += piece.len() as u64;
        match usize::try_from(room) {
            Ok(0) => Err(self.too_large()),
            Ok(room) if room < piece.len() => {
                self.state = State::TooLarge;
                Ok(&piece[..room])
            }
            _ => Ok(piece),
        }
    }

    fn too_large(&self) -> ResponseError {
        ResponseError::BodyTooLarge {
            limit: self.limits.body_bytes,
        }
    }

    /// Call this when the connection has ended after the bytes taken so far.
    ///
    /// # Errors
    /// [`ResponseError::NoResponse`] if no byte arrived, [`ResponseError::Truncated`] if the
    /// message had not ended, or the error in the unfinished last line of the head.
    pub fn finish(&mut self, head: &mut ResponseHead) -> Result<(), ResponseError> {
        match self.state {
            State::Done => Ok(()),
            State::UntilClose => {
                self.state = State::Done;
                Ok(())
            }
            State::Head if self.interim > 0 && !self.lines.started() => {
                Err(ResponseError::Truncated)
            }
            State::Head => Err(self.lines.cut_off(head, &self.limits)),
            State::TooLarge => Err(self.too_large()),
            State::Length(_) | State::Chunked => Err(ResponseError::Truncated),
        }
    }

    /// Whether the message has ended.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// How many more bytes of the body will certainly arrive; 0 if its length is unknown.
    #[must_use]
    pub fn body_left(&self) -> u64 {
        match self.state {
            State::Length(left) => left,
            _ => 0,
        }
    }

    /// Whether the connection may be used again: the message has ended, and neither side
    /// announced that it closes the connection.
    #[must_use]
    pub fn is_reusable(&self) -> bool {
        self.is_done() && self.persistent
    }

    /// Whether the response ended the use of HTTP (101, or 2xx to CONNECT). Remaining bytes
    /// belong to the next protocol.
    #[must_use]
    pub fn is_handed_over(&self) -> bool {
        self.is_done() && self.handed_over
    }
}
