//! Reading responses, however the socket cuts them up.
//!
//! [`ResponseParser::advance`] looks at the bytes at hand and answers with the next thing
//! that happened: the head is complete, a piece of the body lies here, the message ended,
//! or more bytes are needed. Nothing of the body is copied. Interim responses (1xx but
//! 101) are read and forgotten.

mod chunked;
mod error;
mod framing;
mod head;
mod known;
mod lines;
#[cfg(test)]
mod tests;

pub use error::{Quoted, ResponseError};
pub use head::{ResponseHead, Version};

use chunked::Chunked;
use framing::{Frame, Framing};
use known::CachedHead;
use lines::HeadLines;

/// What was asked, as far as it decides where the answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RequestKind {
    /// Any method but the two below.
    #[default]
    Ordinary,
    /// HEAD: the answer has no body whatever its head says.
    Head,
    /// CONNECT: a 2xx answer ends the use of HTTP on the connection.
    Connect,
}

/// How much of a response is borne.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseLimits {
    /// Bytes of one head with its line ends; trailers count too. At most 4 GiB - 1.
    pub head_bytes: usize,
    /// Header fields, with trailers.
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

/// Interim responses borne before the final one.
const INTERIM: u32 = 100;

/// What the bytes at hand amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseEvent<'i> {
    /// All bytes were taken and the message goes on.
    Incomplete,
    /// The final head ends here; [`ResponseHead`] is filled.
    Head,
    /// A piece of the body; never empty.
    Body(&'i [u8]),
    /// The message ends here. Bytes left over do not belong to it.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Head,
    Length(u64),
    Chunked,
    UntilClose,
    /// More came than the limit allows.
    TooLarge,
    Done,
}

/// Reads one response after another from a connection.
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
    /// A parser with the usual limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bears what `limits` allows from now on.
    pub fn set_limits(&mut self, limits: ResponseLimits) {
        self.limits = limits;
    }

    /// Gets ready for the answer to a request of `kind`; clears `head`.
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

    /// Looks at `input`, the bytes that follow those taken so far; answers how many of
    /// them were taken and what they amount to. Call again with the rest until
    /// [`ResponseEvent::Incomplete`] or [`ResponseEvent::End`].
    ///
    /// # Errors
    /// [`ResponseError`]; the response and its connection are of no further use.
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
            if self.interim > INTERIM {
                return Err(ResponseError::HeadTooLarge {
                    limit: self.limits.head_bytes,
                });
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

    /// The part of `piece` that the limit on bodies lets pass. What is over it ends the
    /// response at the next call, so that the cuts between pieces do not show.
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

    /// The connection ended after the bytes taken so far.
    ///
    /// # Errors
    /// [`ResponseError::NoResponse`] when not one byte came, [`ResponseError::Truncated`]
    /// when the message had not ended, or what the unfinished last line of the head says.
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

    /// Whether the message was read to its end.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Bytes of the body that are certain to come; 0 when the end is not known by count.
    #[must_use]
    pub fn body_left(&self) -> u64 {
        match self.state {
            State::Length(left) => left,
            _ => 0,
        }
    }

    /// Whether the connection may carry another request: the message ended, and neither
    /// side said that it closes.
    #[must_use]
    pub fn is_reusable(&self) -> bool {
        self.is_done() && self.persistent
    }

    /// Whether the answer ended the use of HTTP (101, or 2xx to CONNECT): bytes left over
    /// belong to the protocol that follows.
    #[must_use]
    pub fn is_handed_over(&self) -> bool {
        self.is_done() && self.handed_over
    }
}
