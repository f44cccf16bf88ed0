//! Parses the lines of a head, however its bytes are split.
//!
//! A head that arrives at once is parsed in place and copied once, into the caller's buffer. One
//! that arrives in pieces is collected there first. In both cases each byte is searched for a
//! line end once.
//!
//! Line ends are CRLF or LF. A line that begins with a blank continues the one before (obs-fold,
//! RFC 9112 section 5.2). It is accepted, as in k6; the line break and the blanks around it
//! become one space.

use memchr::memchr;

use super::ResponseLimits;
use super::error::{QuotedBytes, ResponseError};
use super::head::{ResponseHead, Version, offset};
use crate::fields::{ByteRange, FieldSpan, slice};
use crate::syntax::{field_value_len, is_field_value, is_token, token_len, trim};

/// The state of parsing a head. Positions are relative to its start.
#[derive(Debug, Default)]
pub(super) struct HeadLines {
    /// Where the first line begins that is not parsed yet.
    line_start: usize,
    /// Up to here that line contains no line feed.
    searched: usize,
    status_read: bool,
    folded: bool,
}

impl HeadLines {
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether a field was unfolded, so that the bytes stored differ from those received.
    pub(super) fn folded(&self) -> bool {
        self.folded
    }

    /// Whether any byte of the head has arrived.
    pub(super) fn started(&self) -> bool {
        self.searched > 0
    }

    /// Takes the next bytes. Returns how many of them belong to the head if it ends among them,
    /// or nothing if all were taken and the head continues.
    pub(super) fn feed(
        &mut self,
        head: &mut ResponseHead,
        input: &[u8],
        limits: &ResponseLimits,
    ) -> Result<Option<usize>, ResponseError> {
        if head.bytes.is_empty() {
            let end = self.scan(head, input, limits)?;
            head.bytes
                .extend_from_slice(&input[..end.unwrap_or(input.len())]);
            return Ok(self.finished(head, end));
        }
        let before = head.bytes.len();
        // One byte over the limit is enough to notice that it is exceeded.
        let room = (limits.head_bytes + 1).saturating_sub(before);
        head.bytes
            .extend_from_slice(&input[..input.len().min(room)]);
        let bytes = std::mem::take(&mut head.bytes);
        let end = self.scan(head, &bytes, limits);
        head.bytes = bytes;
        let end = end?;
        if let Some(end) = end {
            head.bytes.truncate(end);
        }
        Ok(self.finished(head, end).map(|end| end - before))
    }

    /// The connection ended: the error in the unfinished last line, if any, otherwise that the
    /// head was cut off.
    pub(super) fn cut_off(
        &mut self,
        head: &mut ResponseHead,
        limits: &ResponseLimits,
    ) -> ResponseError {
        if !self.started() {
            return ResponseError::NoResponse;
        }
        let bytes = std::mem::take(&mut head.bytes);
        let last = self.line_start;
        let outcome = if last < bytes.len() {
            self.line(head, &bytes, last, bytes.len(), limits)
        } else {
            Ok(false)
        };
        head.bytes = bytes;
        outcome.err().unwrap_or(ResponseError::Truncated)
    }

    fn finished(&self, head: &mut ResponseHead, end: Option<usize>) -> Option<usize> {
        if end.is_some() && self.folded {
            unfold(head);
        }
        end
    }

    /// Parses the complete lines of `data`, which holds the head from its start. Returns where
    /// the head ends.
    fn scan(
        &mut self,
        head: &mut ResponseHead,
        data: &[u8],
        limits: &ResponseLimits,
    ) -> Result<Option<usize>, ResponseError> {
        loop {
            if let Some(end) = self.usual_lines(head, data, limits) {
                return Ok(Some(end));
            }
            let Some(found) = memchr(b'\n', &data[self.searched..]) else {
                break;
            };
            let next = self.searched + found + 1;
            if next > limits.head_bytes {
                break;
            }
            let line_end = next - 1;
            let start = self.line_start;
            self.line_start = next;
            self.searched = next;
            if self.line(head, data, start, line_end, limits)? {
                return Ok(Some(next));
            }
        }
        if data.len() > limits.head_bytes {
            return Err(ResponseError::HeadTooLarge {
                limit: limits.head_bytes,
            });
        }
        self.searched = data.len();
        Ok(None)
    }

    /// Parses complete lines in one pass as long as they have the usual form. Returns where the
    /// head ends, if all lines up to there have it. Other lines are left to [`HeadLines::line`],
    /// which gives the same result for usual lines.
    fn usual_lines(
        &mut self,
        head: &mut ResponseHead,
        data: &[u8],
        limits: &ResponseLimits,
    ) -> Option<usize> {
        let mut at = self.line_start;
        if self.searched != at {
            return None;
        }
        if !self.status_read {
            at = usual_status_line(head, data, limits)?;
            self.status_read = true;
        }
        let mut end = None;
        while head.fields.len() < limits.fields {
            if let Some(next) = line_end(data, at).filter(|next| *next <= limits.head_bytes) {
                at = next;
                end = Some(next);
                break;
            }
            match usual_field(data, at) {
                Some((span, next)) if next <= limits.head_bytes => {
                    head.fields.push(span);
                    at = next;
                }
                _ => break,
            }
        }
        self.line_start = at;
        self.searched = at;
        end
    }

    /// Parses `data[start..end]`, a line with or without its CR. Returns whether it is the empty
    /// line that ends the head.
    fn line(
        &mut self,
        head: &mut ResponseHead,
        data: &[u8],
        start: usize,
        end: usize,
        limits: &ResponseLimits,
    ) -> Result<bool, ResponseError> {
        let end = if end > start && data[end - 1] == b'\r' {
            end - 1
        } else {
            end
        };
        if !self.status_read {
            self.status_read = true;
            status_line(head, data, start, end)?;
            return Ok(false);
        }
        if start == end {
            return Ok(true);
        }
        if matches!(data[start], b' ' | b'\t') {
            self.folded = true;
            continue_field(&mut head.fields, data, start, end)?;
            return Ok(false);
        }
        if head.fields.len() >= limits.fields {
            return Err(ResponseError::TooManyFields {
                limit: limits.fields,
            });
        }
        let span = field(data, start, end)?;
        head.fields.push(span);
        Ok(false)
    }
}

/// Where the next line begins, if there is a line end at `at`.
fn line_end(data: &[u8], at: usize) -> Option<usize> {
    match data.get(at..)? {
        [b'\r', b'\n', ..] => Some(at + 2),
        [b'\n', ..] => Some(at + 1),
        _ => None,
    }
}

/// Parses `HTTP/1.1 200 OK` and its line end, if written with single blanks.
fn usual_status_line(
    head: &mut ResponseHead,
    data: &[u8],
    limits: &ResponseLimits,
) -> Option<usize> {
    const VERSION_PREFIX: &[u8] = b"HTTP/1.1 ";
    let text = data.strip_prefix(VERSION_PREFIX)?;
    let [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', b' ', ..] = text else {
        return None;
    };
    let end = VERSION_PREFIX.len() + field_value_len(text);
    let next = line_end(data, end).filter(|next| *next <= limits.head_bytes)?;
    head.status = u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0');
    head.version = Version::Http11;
    head.status_text = ByteRange::new(offset(VERSION_PREFIX.len()), offset(end));
    Some(next)
}

/// Parses `Name: value` at `start` and its line end. Returns where the next line begins.
fn usual_field(data: &[u8], start: usize) -> Option<(FieldSpan, usize)> {
    let line = &data[start..];
    let colon = token_len(line);
    if colon == 0 || line.get(colon) != Some(&b':') {
        return None;
    }
    let blank = |b: &u8| matches!(*b, b' ' | b'\t');
    let mut value = colon + 1;
    while line.get(value).is_some_and(blank) {
        value += 1;
    }
    let mut end = value + field_value_len(&line[value..]);
    let next = line_end(data, start + end)?;
    while end > value && blank(&line[end - 1]) {
        end -= 1;
    }
    let span = FieldSpan {
        name: ByteRange::new(offset(start), offset(start + colon)),
        value: ByteRange::new(offset(start + value), offset(start + end)),
    };
    Some((span, next))
}

/// Reads `HTTP/1.1 200 OK`.
fn status_line(
    head: &mut ResponseHead,
    data: &[u8],
    start: usize,
    end: usize,
) -> Result<(), ResponseError> {
    let line = &data[start..end];
    let Some(blank) = memchr(b' ', line) else {
        return Err(ResponseError::StatusLine(QuotedBytes::new(line)));
    };
    let version = &line[..blank];
    let blanks = line[blank..].iter().take_while(|&&b| b == b' ').count();
    let text = &line[blank + blanks..];
    let code = &text[..memchr(b' ', text).unwrap_or(text.len())];
    head.status = match code {
        [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
            u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0')
        }
        _ => return Err(ResponseError::StatusCode(QuotedBytes::new(code))),
    };
    head.version = match version {
        b"HTTP/1.1" => Version::Http11,
        b"HTTP/1.0" => Version::Http10,
        [b'H', b'T', b'T', b'P', b'/', b'1', b'.', b'2'..=b'9'] => Version::Http11,
        _ => return Err(ResponseError::Version(QuotedBytes::new(version))),
    };
    if !is_field_value(text) {
        return Err(ResponseError::StatusLine(QuotedBytes::new(line)));
    }
    head.status_text = ByteRange::new(offset(start + blank + blanks), offset(end));
    Ok(())
}

/// Reads `Name: value`.
pub(super) fn field(data: &[u8], start: usize, end: usize) -> Result<FieldSpan, ResponseError> {
    let line = &data[start..end];
    let Some(colon) = memchr(b':', line) else {
        return Err(ResponseError::MissingColon(QuotedBytes::new(line)));
    };
    let value = &line[colon + 1..];
    if !is_field_name(&line[..colon]) || !is_field_value(value) {
        return Err(ResponseError::FieldLine(QuotedBytes::new(line)));
    }
    let blanks = value
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    let value_start = start + colon + 1 + blanks;
    Ok(FieldSpan {
        name: ByteRange::new(offset(start), offset(start + colon)),
        value: ByteRange::new(offset(value_start), offset(value_start + trim(value).len())),
    })
}

/// Whether servers are let name a field so. Blanks in a name are against the standard and sent by
/// real servers; clients take them, Go's `net/textproto` and so k6 among them. As there, such a
/// name stands for itself: `Content-Length : 2` is no length.
fn is_field_name(name: &[u8]) -> bool {
    !name.is_empty()
        && name
            .split(|&b| b == b' ')
            .all(|part| part.is_empty() || is_token(part))
}

/// Extends the last field to the end of a line that continues it.
pub(super) fn continue_field(
    fields: &mut [FieldSpan],
    data: &[u8],
    start: usize,
    end: usize,
) -> Result<(), ResponseError> {
    let line = &data[start..end];
    let Some(last) = fields.last_mut() else {
        return Err(ResponseError::InitialLine(QuotedBytes::new(line)));
    };
    if !is_field_value(line) {
        return Err(ResponseError::FieldLine(QuotedBytes::new(line)));
    }
    last.value.end = offset(end);
    Ok(())
}

/// Replaces each line break in a value, and the blanks around it, by one space.
fn unfold(head: &mut ResponseHead) {
    for span in &mut head.fields {
        span.value = unfolded(&mut head.bytes, span.value);
    }
}

/// Does so for one value and returns its new range, which is never longer.
pub(super) fn unfolded(bytes: &mut [u8], value: ByteRange) -> ByteRange {
    if !slice(bytes, value).contains(&b'\n') {
        return value;
    }
    let region = &mut bytes[value.start as usize..value.end as usize];
    let mut kept = 0;
    let mut at = 0;
    while at < region.len() {
        let run = region[at..]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count();
        let folds = region[at..at + run].contains(&b'\n');
        if folds {
            at += run;
            if kept > 0 && at < region.len() {
                region[kept] = b' ';
                kept += 1;
            }
            continue;
        }
        let step = run.max(1);
        region.copy_within(at..at + step, kept);
        kept += step;
        at += step;
    }
    let kept = trim(&region[..kept]).len();
    ByteRange::new(value.start, value.start + offset(kept))
}
