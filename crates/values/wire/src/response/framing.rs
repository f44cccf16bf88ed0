//! Determines the length of a response's body, and whether its connection may be reused (RFC
//! 9112, sections 6.3 and 9.3).
//!
//! Ambiguous heads are errors: different values of `Content-Length`, and transfer codings other
//! than one `chunked`. A response with both `Transfer-Encoding` and `Content-Length` is read as
//! chunked, as in the RFC and in k6, but its connection is not reused.

use super::RequestKind;
use super::error::{QuotedBytes, ResponseError};
use super::head::{ResponseHead, Version};
use crate::fields::slice;
use crate::syntax::list_has;

/// Where the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// There is none.
    Empty,
    /// After this many bytes.
    Length(u64),
    /// After the last chunk.
    Chunked,
    /// At the end of the connection.
    UntilClose,
    /// There is none; another protocol follows.
    Handover,
}

/// What a head says about the rest of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) framing: Framing,
    pub(super) persistent: bool,
}

/// The header fields that determine it, collected in one pass.
#[derive(Default)]
struct FramingFields<'a> {
    length: Option<&'a [u8]>,
    coding: Option<&'a [u8]>,
    close: bool,
    keep_alive: bool,
}

impl<'a> FramingFields<'a> {
    fn from_head(head: &'a ResponseHead) -> Result<Self, ResponseError> {
        let mut found = Self::default();
        for span in &head.fields {
            let name = slice(&head.bytes, span.name);
            let value = slice(&head.bytes, span.value);
            match name.len() {
                10 if is(name, b"Connection") => match value {
                    b"keep-alive" => found.keep_alive = true,
                    _ => {
                        found.close |= list_has(value, b"close");
                        found.keep_alive |= list_has(value, b"keep-alive");
                    }
                },
                14 if is(name, b"Content-Length") => match found.length {
                    Some(first) if first != value => {
                        return Err(ResponseError::ConflictingLengths {
                            first: QuotedBytes::new(first),
                            second: QuotedBytes::new(value),
                        });
                    }
                    _ => found.length = Some(value),
                },
                17 if is(name, b"Transfer-Encoding") => {
                    if let Some(first) = found.coding {
                        return Err(ResponseError::TransferEncodings {
                            first: QuotedBytes::new(first),
                            second: QuotedBytes::new(value),
                        });
                    }
                    found.coding = Some(value);
                }
                _ => {}
            }
        }
        Ok(found)
    }
}

/// Whether `name` is `wanted`, ignoring case. `wanted` is the usual spelling, which is compared
/// first.
fn is(name: &[u8], wanted: &[u8]) -> bool {
    name == wanted || name.eq_ignore_ascii_case(wanted)
}

/// Determines it for `head`, the response to a request of `kind`.
pub(super) fn frame(head: &ResponseHead, kind: RequestKind) -> Result<Frame, ResponseError> {
    let deciding = FramingFields::from_head(head)?;
    let kept = match head.version() {
        Version::Http11 => !deciding.close,
        Version::Http10 => deciding.keep_alive && !deciding.close,
    };
    // HTTP/1.0 has no transfer codings, so the field has no meaning there.
    let coding = deciding
        .coding
        .filter(|_| head.version() != Version::Http10);
    if let Some(coding) = coding
        && !coding.eq_ignore_ascii_case(b"chunked")
    {
        return Err(ResponseError::TransferEncoding(QuotedBytes::new(coding)));
    }
    let length = deciding.length.map(parse_length).transpose()?;

    let framing = match head.status() {
        101 => Framing::Handover,
        200..=299 if kind == RequestKind::Connect => Framing::Handover,
        100..=199 | 204 | 304 => Framing::Empty,
        _ if kind == RequestKind::Head => Framing::Empty,
        _ => match (coding, length) {
            (Some(_), _) => Framing::Chunked,
            (None, Some(0)) => Framing::Empty,
            (None, Some(length)) => Framing::Length(length),
            (None, None) => Framing::UntilClose,
        },
    };
    let ambiguous = coding.is_some() && length.is_some();
    let persistent =
        kept && !ambiguous && !matches!(framing, Framing::UntilClose | Framing::Handover);
    Ok(Frame {
        framing,
        persistent,
    })
}

/// Parses a length: digits only, below 2^63.
fn parse_length(value: &[u8]) -> Result<u64, ResponseError> {
    if value.is_empty() {
        return Err(ResponseError::EmptyLength);
    }
    let bad = || ResponseError::Length(QuotedBytes::new(value));
    let mut length: u64 = 0;
    for &byte in value {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Err(bad());
        }
        length = length
            .checked_mul(10)
            .and_then(|tens| tens.checked_add(u64::from(digit)))
            .filter(|&length| i64::try_from(length).is_ok())
            .ok_or_else(bad)?;
    }
    Ok(length)
}
