//! Lines by a format string, as nginx, Apache, Tomcat, Envoy and HAProxy take one.
//!
//! A format is literal text with variables between; a variable's value ends where the next
//! literal begins. The dialects differ in the names of variables ([`nginx`], [`percent`]).

mod error;
mod nginx;
mod percent;

pub use error::LogFormatError;

use loadline_units::DurationUnit;

use memchr::memmem;

use super::super::clock::{self, CommonClock};
use super::super::durations;
use super::super::entry::{LogEntry, hash};
use super::super::times::{TimeReason, TimeSource};
use super::super::troubles::LineProblem;
use super::tail::first_address;
use super::{path_of, request, status};

/// What a variable means.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meaning {
    /// The time of day, in a form that [`clock::read_any`] knows.
    Time,
    /// The same in seconds since 1970, which tell no zone: for want of another.
    Epoch,
    /// The same between brackets.
    BracketedTime,
    /// `GET /path HTTP/1.1`.
    Request,
    Method,
    Path,
    Status,
    /// The time of the request.
    Duration(DurationUnit),
    /// The time that servers behind took, for want of the request's own.
    UpstreamDuration(DurationUnit),
    Client,
    /// The addresses that a proxy adds.
    Forwarded,
    Agent,
    Ignored,
}

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(Vec<u8>),
    Variable { name: String, meaning: Meaning },
}

/// A format string that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    pieces: Vec<Piece>,
    /// The variable that is the time of the request.
    time: Option<TimeSource>,
}

/// The values of a line that count.
#[derive(Default)]
struct Values<'a> {
    time: Option<&'a [u8]>,
    epoch: Option<&'a [u8]>,
    request: Option<&'a [u8]>,
    method: Option<&'a [u8]>,
    path: Option<&'a [u8]>,
    status: Option<&'a [u8]>,
    seconds: Option<f64>,
    upstream: Option<f64>,
    client: &'a [u8],
    forwarded: Option<&'a [u8]>,
    agent: &'a [u8],
}

impl Pattern {
    /// Reads a format string, also with the directive it stands in.
    ///
    /// # Errors
    /// What of it cannot be read, or what is missing in it.
    pub(super) fn parse(text: &str) -> Result<Self, LogFormatError> {
        let (text, is_tomcat) = match text.trim().strip_prefix("tomcat:") {
            Some(rest) => (rest, true),
            None => (text.trim(), false),
        };
        let plain = without_directive(text);
        let pieces = if nginx::is_one(&plain) {
            nginx::pieces(&plain)
        } else {
            percent::pieces(&plain, is_tomcat)?
        };
        Self::of_pieces(pieces)
    }

    fn of_pieces(pieces: Vec<Piece>) -> Result<Self, LogFormatError> {
        let variables = || {
            pieces.iter().filter_map(|piece| match piece {
                Piece::Variable { name, meaning } => Some((name, meaning)),
                Piece::Literal(_) => None,
            })
        };
        let has = |wanted: &[Meaning]| variables().any(|(_, meaning)| wanted.contains(meaning));
        if !has(&[Meaning::Time, Meaning::Epoch, Meaning::BracketedTime]) {
            return Err(LogFormatError::NoTime);
        }
        if !has(&[Meaning::Request, Meaning::Path]) {
            return Err(LogFormatError::NoRequest);
        }
        for pair in pieces.windows(2) {
            if let [
                Piece::Variable { name: before, .. },
                Piece::Variable { name: after, .. },
            ] = pair
            {
                return Err(LogFormatError::Adjacent {
                    before: before.clone(),
                    after: after.clone(),
                });
            }
        }
        let source = |name: &String, unit: &DurationUnit| TimeSource {
            field: name.clone(),
            unit: unit.sign(),
            reason: TimeReason::Format,
        };
        let own = variables().find_map(|(name, meaning)| match meaning {
            Meaning::Duration(unit) => Some(source(name, unit)),
            _ => None,
        });
        let upstream = variables().find_map(|(name, meaning)| match meaning {
            Meaning::UpstreamDuration(unit) => Some(source(name, unit)),
            _ => None,
        });
        let time = own.or(upstream);
        Ok(Self { pieces, time })
    }

    /// The variable that is the time of the request.
    pub(super) fn time(&self) -> Option<&TimeSource> {
        self.time.as_ref()
    }

    /// Parses a line.
    pub(super) fn read<'a>(
        &self,
        line: &'a [u8],
        common: &mut CommonClock,
    ) -> Result<LogEntry<'a>, LineProblem> {
        let values = self.values(line).ok_or(LineProblem::Unreadable)?;
        let text = values.time.or(values.epoch).ok_or(LineProblem::Time)?;
        let stamp = common.read(text).or_else(|| clock::read_any(text));
        let (time, offset) = stamp.ok_or(LineProblem::Time)?;
        let (method, path) = match (values.request, values.path) {
            (Some(text), _) => request(text).ok_or(LineProblem::Request)?,
            (None, Some(path)) => {
                let method = values.method.unwrap_or(b"GET");
                (method, path_of(path).ok_or(LineProblem::Request)?)
            }
            (None, None) => return Err(LineProblem::Request),
        };
        let client = values.forwarded.unwrap_or(values.client);
        let address = hash(without_port(client), 0);
        Ok(LogEntry {
            time,
            offset,
            method,
            path,
            status: match values.status {
                Some(text) => status(text).ok_or(LineProblem::Unreadable)?,
                None => 0,
            },
            seconds: values.seconds.or(values.upstream),
            client: hash(values.agent, address),
            address,
        })
    }

    fn values<'a>(&self, line: &'a [u8]) -> Option<Values<'a>> {
        let mut values = Values::default();
        let mut rest = line;
        let mut pieces = self.pieces.iter().peekable();
        while let Some(piece) = pieces.next() {
            let meaning = match piece {
                Piece::Literal(text) => {
                    rest = rest.strip_prefix(text.as_slice())?;
                    continue;
                }
                Piece::Variable { meaning, .. } => meaning,
            };
            let end = match pieces.peek() {
                Some(Piece::Literal(next)) => end_of(rest, next)?,
                _ => rest.len(),
            };
            let (value, after) = rest.split_at(end);
            rest = after;
            values.take(meaning, value);
        }
        Some(values)
    }
}

impl<'a> Values<'a> {
    fn take(&mut self, meaning: &Meaning, value: &'a [u8]) {
        match meaning {
            Meaning::Time => self.time = Some(value),
            Meaning::Epoch => self.epoch = Some(value),
            Meaning::BracketedTime => {
                let inner = value.strip_prefix(b"[").unwrap_or(value);
                self.time = Some(inner.strip_suffix(b"]").unwrap_or(inner));
            }
            Meaning::Request => self.request = Some(value),
            Meaning::Method => self.method = Some(value),
            Meaning::Path => self.path = Some(value),
            Meaning::Status => self.status = Some(value),
            Meaning::Duration(unit) => self.seconds = durations::seconds(value, *unit),
            Meaning::UpstreamDuration(unit) => self.upstream = durations::seconds(value, *unit),
            Meaning::Client => self.client = value,
            Meaning::Forwarded => self.forwarded = first_address(value),
            Meaning::Agent => self.agent = value,
            Meaning::Ignored => {}
        }
    }
}

/// Where a value ends that `literal` follows: lists go on behind a comma or colon, quotes behind
/// a backslash.
fn end_of(rest: &[u8], literal: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + memmem::find(&rest[from..], literal)?;
        let value = &rest[..end];
        let escapes = value.iter().rev().take_while(|b| **b == b'\\').count();
        let is_escaped = literal.starts_with(b"\"") && escapes % 2 == 1;
        let next = rest.get(end + 1..).unwrap_or_default();
        let is_list = literal.starts_with(b" ")
            && (value.ends_with(b",") || value.ends_with(b" :") || next.starts_with(b": "));
        let is_time = literal.starts_with(b" ") && is_half_a_time(value);
        if !is_escaped && !is_list && !is_time {
            return Some(end);
        }
        from = end + 1;
    }
}

/// Whether a value is the first word of a time of two: `[10/Oct/2000:13:55:36 -0700]`,
/// `2000-10-10 13:55:36`.
fn is_half_a_time(value: &[u8]) -> bool {
    let inner = value.strip_prefix(b"[").unwrap_or(value);
    match inner.len() {
        20 => inner[2] == b'/' && inner[11] == b':',
        10 => inner[4] == b'-' && inner[7] == b'-' && inner[..4].iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// An address without the port behind it.
fn without_port(address: &[u8]) -> &[u8] {
    match memchr::memrchr(b':', address) {
        // Of an IPv6 address without brackets, what follows the last colon is a part.
        Some(at) if memchr::memchr_iter(b':', address).count() == 1 || address[at - 1] == b']' => {
            &address[..at]
        }
        _ => address,
    }
}

/// The format in a directive of a server's configuration, which people paste as it stands:
/// `log_format main '...' '...';`, `LogFormat "..." combined`.
fn without_directive(text: &str) -> String {
    let text = text.trim().trim_end_matches(';').trim_end();
    let is_nginx = text.starts_with("log_format ");
    if !is_nginx && !text.starts_with("LogFormat ") && !text.starts_with("CustomLog ") {
        return text.replace("\\\"", "\"");
    }
    let quotes: &[char] = if is_nginx { &['\'', '"'] } else { &['"'] };
    let mut found = String::new();
    let mut open = None;
    let mut escaped = false;
    for letter in text.chars() {
        match open {
            None if quotes.contains(&letter) => {
                // Apache has one text; what follows is its name.
                if !is_nginx && !found.is_empty() {
                    break;
                }
                open = Some(letter);
            }
            None => {}
            Some(_) if escaped => {
                escaped = false;
                found.push(letter);
            }
            Some(_) if letter == '\\' => escaped = true,
            Some(quote) if quote == letter => open = None,
            Some(_) => found.push(letter),
        }
    }
    found
}

/// Adds a letter to the literal at the end.
fn push(pieces: &mut Vec<Piece>, letter: char) {
    let mut bytes = [0; 4];
    let bytes = letter.encode_utf8(&mut bytes).as_bytes();
    match pieces.last_mut() {
        Some(Piece::Literal(text)) => text.extend_from_slice(bytes),
        _ => pieces.push(Piece::Literal(bytes.to_vec())),
    }
}

#[cfg(test)]
mod tests;
