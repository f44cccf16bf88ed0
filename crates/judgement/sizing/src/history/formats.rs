//! Formats of access logs, one file each, and their detection.

mod alb;
mod common;
mod csv;
mod json;

use super::clock::CommonClock;
use super::entry::LogEntry;
use super::fields::FieldMapping;
use super::troubles::LineProblem;

/// A format of access logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The common or combined form of nginx and Apache, with anything after it.
    Combined,
    /// One JSON object per line.
    Json,
    /// AWS Application Load Balancer.
    Alb,
    /// A table with a heading line.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Combined, Self::Json, Self::Alb, Self::Csv];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Json => "json",
            Self::Alb => "alb",
            Self::Csv => "csv",
        }
    }
}

/// The state that is kept between lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    clock: CommonClock,
    /// The heading, if the file is a table.
    table: Option<csv::Heading>,
}

impl Lines {
    /// Begins another file.
    pub(super) fn begin_file(&mut self) {
        self.table = None;
    }

    /// Whether the first line of a file is the heading of a table.
    pub(super) fn take_heading(&mut self, line: &[u8], fields: &FieldMapping) -> bool {
        self.table = csv::Heading::read(line, fields);
        self.table.is_some()
    }

    /// Parses a line.
    #[inline]
    pub(super) fn read<'a>(
        &mut self,
        line: &'a [u8],
        fields: &FieldMapping,
    ) -> Result<(LogEntry<'a>, Format), LineProblem> {
        if let Some(table) = &self.table {
            return table.row(line, fields).map(|entry| (entry, Format::Csv));
        }
        match line.first() {
            Some(b'{') => json::read(line, fields).map(|entry| (entry, Format::Json)),
            Some(b'h' | b'w' | b'g') if alb::is_one(line) => {
                alb::read(line).map(|entry| (entry, Format::Alb))
            }
            Some(_) => common::read(line, &mut self.clock).map(|entry| (entry, Format::Combined)),
            None => Err(LineProblem::Unreadable),
        }
    }
}

/// Method and path from `GET /path HTTP/1.1` or `GET http://host/path HTTP/1.1`.
pub(super) fn request(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = memchr::memchr(b' ', text)?;
    let (method, rest) = (&text[..space], &text[space + 1..]);
    if method.is_empty() || method.len() > 16 || !method.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let end = memchr::memrchr(b' ', rest).unwrap_or(rest.len());
    Some((method, path_of(&rest[..end])?))
}

/// The path of a URL or of a request's target.
pub(super) fn path_of(target: &[u8]) -> Option<&[u8]> {
    if target.first() == Some(&b'/') {
        return Some(target);
    }
    if target == b"*" {
        return Some(b"/");
    }
    let after = memchr::memmem::find(target, b"://").map(|at| &target[at + 3..])?;
    Some(match memchr::memchr(b'/', after) {
        Some(at) => &after[at..],
        None => b"/",
    })
}

/// A status of three digits.
pub(super) fn status(text: &[u8]) -> Option<u16> {
    match text {
        [a @ b'1'..=b'9', b, c] if b.is_ascii_digit() && c.is_ascii_digit() => {
            let digit = |byte: &u8| u16::from(byte - b'0');
            Some(digit(a) * 100 + digit(b) * 10 + digit(c))
        }
        // The client left before the answer.
        b"-" | b"0" | b"000" => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
