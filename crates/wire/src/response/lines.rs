//! Reading the lines of a head, however its bytes are cut up.
//!
//! A head that arrives whole is parsed where it lies and copied once, into the caller's
//! buffer; one that arrives in pieces is gathered there first. Either way a byte is
//! searched for its line end once.
//!
//! Line ends are CRLF or LF. A line that begins with a blank continues the one before
//! (obs-fold, RFC 9112 section 5.2): it is accepted, as k6 does, and the break with the
//! blanks around it becomes one space.

use memchr::memchr;

use super::ResponseLimits;
use super::error::{Quoted, ResponseError};
use super::head::{ResponseHead, Version, offset};
use crate::fields::{FieldSpan, slice};
use crate::syntax::{field_value_len, is_field_value, is_token, token_len, trim};

/// How far the lines of one head were read. Positions are relative to the head's start.
#[derive(Debug, Default)]
pub(super) struct HeadLines {
    /// Where the first line that is not yet understood begins.
    line_start: usize,
    /// Up to where that line is known to hold no line feed.
    searched: usize,
    status_read: bool,
    folded: bool,
}

impl HeadLines {
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether the bytes kept are not those that came, because a field was unfolded.
    pub(super) fn folded(&self) -> bool {
        self.folded
    }

    /// Whether any byte of the head was seen.
    pub(super) fn started(&self) -> bool {
        self.searched > 0
    }

    /// Takes the next bytes; answers how many of them end the head, or nothing when all
    /// were taken and the head goes on.
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
        // One byte over the limit is enough to see that it is passed.
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

    /// The connection ended: what the unfinished last line says, if anything, else that
    /// the head was cut off.
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

    /// Reads the complete lines in `data`, the head from its start; answers where it ends.
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

    /// Reads complete lines in one pass as long as they are as they usually are; answers
    /// where the head ends if they do up to there. What is unusual, unfinished or wrong
    /// is left to [`HeadLines::line`], which comes to the same for usual lines.
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

    /// Reads `data[start..end]`, a line with or without its CR; answers whether it was the
    /// blank one that ends the head.
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

/// Where the line after the line end at `at` begins, if there is one.
fn line_end(data: &[u8], at: usize) -> Option<usize> {
    match data.get(at..)? {
        [b'\r', b'\n', ..] => Some(at + 2),
        [b'\n', ..] => Some(at + 1),
        _ => None,
    }
}

/// Reads `HTTP/1.1 200 OK` and its line end, where it is written with single blanks.
fn usual_status_line(
    head: &mut ResponseHead,
    data: &[u8],
    limits: &ResponseLimits,
) -> Option<usize> {
    const PREFIX: &[u8] = b"HTTP/1.1 ";
    let text = data.strip_prefix(PREFIX)?;
    let [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', b' ', ..] = text else {
        return None;
    };
    let end = PREFIX.len() + field_value_len(text);
    let next = line_end(data, end).filter(|next| *next <= limits.head_bytes)?;
    head.status = u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0');
    head.version = Version::Http11;
    head.status_text = (offset(PREFIX.len()), offset(end));
    Some(next)
}

/// Reads `Name: value` at `start` and its line end; answers where the next line begins.
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
        name: (offset(start), offset(start + colon)),
        value: (offset(start + value), offset(start + end)),
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
        return Err(ResponseError::StatusLine(Quoted::new(line)));
    };
    let version = &line[..blank];
    let blanks = line[blank..].iter().take_while(|&&b| b == b' ').count();
    let text = &line[blank + blanks..];
    let code = &text[..memchr(b' ', text).unwrap_or(text.len())];
    head.status = match code {
        [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
            u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0')
        }
        _ => return Err(ResponseError::StatusCode(Quoted::new(code))),
    };
    head.version = match version {
        b"HTTP/1.1" => Version::Http11,
        b"HTTP/1.0" => Version::Http10,
        [b'H', b'T', b'T', b'P', b'/', b'1', b'.', b'2'..=b'9'] => Version::Http11,
        _ => return Err(ResponseError::Version(Quoted::new(version))),
    };
    if !is_field_value(text) {
        return Err(ResponseError::StatusLine(Quoted::new(line)));
    }
    head.status_text = (offset(start + blank + blanks), offset(end));
    Ok(())
}

/// Reads `Name: value`.
pub(super) fn field(data: &[u8], start: usize, end: usize) -> Result<FieldSpan, ResponseError> {
    let line = &data[start..end];
    let Some(colon) = memchr(b':', line) else {
        return Err(ResponseError::MissingColon(Quoted::new(line)));
    };
    let value = &line[colon + 1..];
    if !is_token(&line[..colon]) || !is_field_value(value) {
        return Err(ResponseError::FieldLine(Quoted::new(line)));
    }
    let blanks = value
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    let value_start = start + colon + 1 + blanks;
    Ok(FieldSpan {
        name: (offset(start), offset(start + colon)),
        value: (offset(value_start), offset(value_start + trim(value).len())),
    })
}

/// Lets the last field reach to the end of a line that continues it.
pub(super) fn continue_field(
    fields: &mut [FieldSpan],
    data: &[u8],
    start: usize,
    end: usize,
) -> Result<(), ResponseError> {
    let line = &data[start..end];
    let Some(last) = fields.last_mut() else {
        return Err(ResponseError::InitialLine(Quoted::new(line)));
    };
    if !is_field_value(line) {
        return Err(ResponseError::FieldLine(Quoted::new(line)));
    }
    last.value.1 = offset(end);
    Ok(())
}

/// Replaces each line break within a value, with the blanks around it, by one space.
fn unfold(head: &mut ResponseHead) {
    for span in &mut head.fields {
        span.value = unfolded(&mut head.bytes, span.value);
    }
}

/// Does so for one value and answers its new range, which is never longer.
pub(super) fn unfolded(bytes: &mut [u8], value: (u32, u32)) -> (u32, u32) {
    if !slice(bytes, value).contains(&b'\n') {
        return value;
    }
    let region = &mut bytes[value.0 as usize..value.1 as usize];
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
    (value.0, value.0 + offset(kept))
}
