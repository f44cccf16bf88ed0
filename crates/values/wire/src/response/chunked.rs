//! The chunked transfer coding (RFC 9112, section 7.1), piece by piece.
//!
//! Size lines must end with CRLF, extensions are skipped, trailers are parsed like header fields.
//! A server that sends more framing than data is an error.

use memchr::memchr;

use super::error::ResponseError;
use super::head::ResponseHead;
use super::lines::{continue_field, field, unfolded};
use super::{ResponseEvent, ResponseLimits};

/// The longest size line, with its extensions.
const LONGEST_LINE: usize = 4096;
/// How many bytes of framing are accepted, beyond 16 per chunk and twice the length of its data.
const FRAMING_BYTES_MAX: i64 = 16 * 1024;

#[derive(Debug, Default)]
enum State {
    #[default]
    Size,
    Data(u64),
    DataEnd,
    Trailers,
    Done,
}

/// The state of a chunked body.
#[derive(Debug, Default)]
pub(super) struct Chunked {
    state: State,
    /// The start of an unfinished line.
    line: Vec<u8>,
    overhead: i64,
    folded: bool,
}

impl Chunked {
    pub(super) fn reset(&mut self) {
        self.state = State::default();
        self.line.clear();
        self.overhead = 0;
        self.folded = false;
    }

    pub(super) fn advance<'i>(
        &mut self,
        head: &mut ResponseHead,
        input: &'i [u8],
        limits: &ResponseLimits,
    ) -> Result<(usize, ResponseEvent<'i>), ResponseError> {
        let mut used = 0;
        loop {
            let rest = &input[used..];
            if let State::Done = self.state {
                return Ok((used, ResponseEvent::End));
            }
            if rest.is_empty() {
                return Ok((used, ResponseEvent::Incomplete));
            }
            match self.state {
                State::Data(left) => {
                    let here = usize::try_from(left).map_or(rest.len(), |n| n.min(rest.len()));
                    let left = left - here as u64;
                    self.state = if left == 0 {
                        State::DataEnd
                    } else {
                        State::Data(left)
                    };
                    return Ok((used + here, ResponseEvent::Body(&rest[..here])));
                }
                State::Size => used += self.size_line(rest)?,
                State::DataEnd => used += self.data_end(rest)?,
                State::Trailers => used += self.trailer(head, rest, limits)?,
                State::Done => {}
            }
        }
    }

    /// Takes bytes of a size line; returns how many.
    fn size_line(&mut self, input: &[u8]) -> Result<usize, ResponseError> {
        let found = memchr(b'\n', input);
        let taken = found.map_or(input.len(), |at| at + 1);
        if self.line.len() + taken > LONGEST_LINE {
            return Err(ResponseError::ChunkOverhead);
        }
        if found.is_none() {
            self.line.extend_from_slice(input);
            return Ok(taken);
        }
        let (size, length) = if self.line.is_empty() {
            (chunk_size(&input[..taken])?, taken)
        } else {
            self.line.extend_from_slice(&input[..taken]);
            let size = chunk_size(&self.line)?;
            let length = self.line.len();
            self.line.clear();
            (size, length)
        };
        self.account(size, length)?;
        self.state = if size == 0 {
            State::Trailers
        } else {
            State::Data(size)
        };
        Ok(taken)
    }

    /// Adds a size line to the framing, and subtracts what its data allows.
    fn account(&mut self, size: u64, line: usize) -> Result<(), ResponseError> {
        let line = i64::try_from(line).expect("a size line is at most 4 KiB");
        let paid = i64::try_from(size).unwrap_or(i64::MAX).saturating_mul(2);
        self.overhead = (self.overhead + line + 2)
            .saturating_sub(16)
            .saturating_sub(paid)
            .max(0);
        if self.overhead > FRAMING_BYTES_MAX {
            return Err(ResponseError::ChunkOverhead);
        }
        Ok(())
    }

    /// Takes the CRLF after a chunk's data.
    fn data_end(&mut self, input: &[u8]) -> Result<usize, ResponseError> {
        for (at, &byte) in input.iter().enumerate() {
            match (self.line.len(), byte) {
                (0, b'\r') => self.line.push(byte),
                (1, b'\n') => {
                    self.line.clear();
                    self.state = State::Size;
                    return Ok(at + 1);
                }
                _ => return Err(ResponseError::ChunkEnd),
            }
        }
        Ok(input.len())
    }

    /// Takes bytes of the trailer section, at most one line.
    fn trailer(
        &mut self,
        head: &mut ResponseHead,
        input: &[u8],
        limits: &ResponseLimits,
    ) -> Result<usize, ResponseError> {
        let found = memchr(b'\n', input);
        let taken = found.map_or(input.len(), |at| at + 1);
        if head.bytes.len() + self.line.len() + taken > limits.head_bytes {
            return Err(ResponseError::HeadTooLarge {
                limit: limits.head_bytes,
            });
        }
        self.line.extend_from_slice(&input[..taken]);
        if found.is_none() {
            return Ok(taken);
        }
        let text = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let text = text.strip_suffix(b"\r").unwrap_or(text).len();
        if text == 0 {
            if self.folded {
                for span in &mut head.trailers {
                    span.value = unfolded(&mut head.bytes, span.value);
                }
            }
            self.state = State::Done;
        } else {
            let start = head.bytes.len();
            head.bytes.extend_from_slice(&self.line);
            if matches!(self.line[0], b' ' | b'\t') {
                self.folded = true;
                continue_field(&mut head.trailers, &head.bytes, start, start + text)?;
            } else if head.fields.len() + head.trailers.len() >= limits.fields {
                return Err(ResponseError::TooManyFields {
                    limit: limits.fields,
                });
            } else {
                head.trailers.push(field(&head.bytes, start, start + text)?);
            }
        }
        self.line.clear();
        Ok(taken)
    }
}

/// Reads a size line with its line end: `1f;name=value\r\n`.
fn chunk_size(line: &[u8]) -> Result<u64, ResponseError> {
    let Some(text) = line.strip_suffix(b"\r\n") else {
        return Err(ResponseError::ChunkBareLineFeed);
    };
    let digits = &text[..memchr(b';', text).unwrap_or(text.len())];
    let digits = digits.trim_ascii_end();
    if digits.is_empty() {
        return Err(ResponseError::ChunkSizeEmpty);
    }
    let mut size: u64 = 0;
    for (at, &byte) in digits.iter().enumerate() {
        let digit = char::from(byte)
            .to_digit(16)
            .ok_or(ResponseError::ChunkSizeByte)?;
        if at == 16 {
            return Err(ResponseError::ChunkSizeTooLarge);
        }
        size = size << 4 | u64::from(digit);
    }
    Ok(size)
}
