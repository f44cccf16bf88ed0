//! Formats of access logs, one file each, and their detection.

mod alb;
mod common;
mod csv;
mod elb;
mod envoy;
mod haproxy;
mod json;
mod log_format;
mod pattern;
mod tail;
mod w3c;

use super::clock::CommonClock;
use super::entry::LogEntry;
use super::fields::{FieldDuration, FieldMapping};
use super::times::{TimeFindings, TimeSource};
use super::troubles::LineProblem;
use common::CommonLine;
pub use log_format::AccessLogFormat;
pub use pattern::LogFormatError;
use tail::{TailLayout, TailProbe};

/// A format of access logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The common or combined form of nginx and Apache, with anything after it.
    Combined,
    /// One JSON object per line.
    Json,
    /// AWS Application Load Balancer.
    Alb,
    /// AWS Classic Load Balancer.
    Elb,
    /// Envoy's and Istio's default.
    Envoy,
    /// HAProxy's HTTP log.
    HaProxy,
    /// The W3C extended format of IIS and CloudFront.
    W3c,
    /// A table with a heading line.
    Csv,
    /// By a format string.
    Custom,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Combined,
        Self::Json,
        Self::Alb,
        Self::Elb,
        Self::Envoy,
        Self::HaProxy,
        Self::W3c,
        Self::Csv,
        Self::Custom,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Json => "json",
            Self::Alb => "alb",
            Self::Elb => "elb",
            Self::Envoy => "envoy",
            Self::HaProxy => "haproxy",
            Self::W3c => "w3c",
            Self::Csv => "csv",
            Self::Custom => "custom",
        }
    }

    /// The field that is the time of the request, where the format itself says so.
    fn time(self) -> Option<TimeSource> {
        Some(match self {
            Self::Alb => alb::time(),
            Self::Elb => elb::time(),
            Self::Envoy => envoy::time(),
            Self::HaProxy => haproxy::time(),
            Self::W3c => w3c::time(),
            Self::Combined | Self::Json | Self::Csv | Self::Custom => return None,
        })
    }
}

/// What the first lines of a file say of the others.
#[derive(Debug, Default)]
pub(super) struct FileForm {
    /// The heading, if the file is a table.
    table: Option<csv::Heading>,
    /// The columns, if the file is in the W3C extended format.
    columns: Option<w3c::W3cHeading>,
    /// Which fields of combined lines mean what.
    layout: TailLayout,
}

/// The state that is kept between lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    clock: CommonClock,
    /// What the user said of the format.
    format: AccessLogFormat,
    /// Of the file that is being read.
    pub(super) form: FileForm,
    /// What was found about the times of requests.
    pub(super) times: TimeFindings,
    /// Fields of JSON lines and tables that were told already, a bit each.
    told: [u64; 2],
}

impl Lines {
    /// Lines of a format that the user named.
    pub(super) fn new(format: AccessLogFormat) -> Self {
        Self {
            format,
            ..Self::default()
        }
    }

    /// Lines of the same format, of which nothing is known yet.
    pub(super) fn begin_again(&self) -> Self {
        Self::new(self.format.clone())
    }

    /// Whether the first line of a file is the heading of a table.
    pub(super) fn take_heading(&mut self, line: &[u8], fields: &FieldMapping) -> bool {
        // The names of a JSON line would do for a heading.
        if !self.format.allows(Format::Csv) || line.starts_with(b"{") {
            return false;
        }
        self.form.table = csv::Heading::read(line, fields);
        self.form.table.is_some()
    }

    /// Takes a comment, which may name the columns of what follows. No other format has any: there
    /// a line that begins with `#` is a broken one.
    pub(super) fn take_comment(&mut self, line: &[u8]) -> bool {
        if !self.format.allows(Format::W3c) || !line.starts_with(b"#") {
            return false;
        }
        if let Some(columns) = w3c::W3cHeading::read(line) {
            self.form.columns = Some(columns);
        }
        self.form.columns.is_some() || w3c::is_directive(line)
    }

    /// Decides by the first lines of a file which fields of combined lines mean what.
    pub(super) fn decide<'l>(&mut self, lines: impl Iterator<Item = &'l [u8]>) {
        if self.form.table.is_some()
            || self.form.columns.is_some()
            || self.format.pattern().is_some()
        {
            return;
        }
        let mut probe = TailProbe::default();
        for line in lines {
            if let Ok(line) = CommonLine::parse(line, &mut self.clock) {
                probe.add(line.tail, line.time);
            }
        }
        self.form.layout = probe.decide(&mut self.times);
    }

    /// Parses a line.
    #[inline]
    pub(super) fn read<'a>(
        &mut self,
        line: &'a [u8],
        fields: &FieldMapping,
    ) -> Result<(LogEntry<'a>, Format), LineProblem> {
        if let Some(pattern) = self.format.pattern() {
            let entry = pattern.read(line, &mut self.clock)?;
            if let Some(time) = pattern.time().filter(|_| entry.seconds.is_some()) {
                self.times.take(time);
            }
            return Ok((entry, Format::Custom));
        }
        if let Some(table) = &self.form.table {
            let (entry, duration) = table.row(line, fields)?;
            self.note_duration(duration, fields);
            return Ok((entry, Format::Csv));
        }
        let (entry, format) = self.plain(line, fields)?;
        if entry.seconds.is_some()
            && let Some(time) = format.time()
        {
            self.times.take(&time);
        }
        Ok((entry, format))
    }

    /// Parses a line by its own form.
    fn plain<'a>(
        &mut self,
        line: &'a [u8],
        fields: &FieldMapping,
    ) -> Result<(LogEntry<'a>, Format), LineProblem> {
        let format = self.format_of(line);
        if !self.format.allows(format) {
            return Err(LineProblem::Unreadable);
        }
        let entry = match format {
            Format::Json => {
                let (entry, duration) = json::read(line, fields)?;
                self.note_duration(duration, fields);
                entry
            }
            Format::Alb => alb::read(line)?,
            Format::Elb => elb::read(line)?,
            Format::Envoy => envoy::read(line)?,
            Format::HaProxy => haproxy::read(line)?,
            Format::W3c => match &self.form.columns {
                Some(columns) => columns.row(line)?,
                None => return Err(LineProblem::Unreadable),
            },
            Format::Combined | Format::Csv | Format::Custom => {
                match CommonLine::parse(line, &mut self.clock) {
                    Ok(common) => common.entry(&self.form.layout),
                    // Between brackets there is the number of the process, too.
                    Err(_) if haproxy::is_one(line) && self.format.allows(Format::HaProxy) => {
                        return haproxy::read(line).map(|entry| (entry, Format::HaProxy));
                    }
                    Err(problem) => return Err(problem),
                }
            }
        };
        Ok((entry, format))
    }

    /// The form of a line by how it begins.
    fn format_of(&self, line: &[u8]) -> Format {
        if self.form.columns.is_some() {
            return Format::W3c;
        }
        match line.first() {
            Some(b'{') => Format::Json,
            Some(b'h' | b'w' | b'g') if alb::is_one(line) => Format::Alb,
            Some(b'1' | b'2') if elb::is_one(line) => Format::Elb,
            Some(b'[') if envoy::is_one(line) => Format::Envoy,
            _ if self.format.allows(Format::Combined) => Format::Combined,
            _ if haproxy::is_one(line) => Format::HaProxy,
            _ => Format::Combined,
        }
    }

    /// Notes once of a field whether it was taken for the time.
    fn note_duration(&mut self, duration: Option<FieldDuration<'_>>, fields: &FieldMapping) {
        let Some(duration) = duration.filter(FieldDuration::is_number) else {
            return;
        };
        let bit = 1_u64 << (duration.rank % 64);
        let told = &mut self.told[usize::from(duration.has_unit())];
        if *told & bit == 0 {
            *told |= bit;
            let head = self.form.table.as_ref();
            match fields.finding(&duration, head.and_then(csv::Heading::duration_head)) {
                Ok(source) => self.times.take(&source),
                Err(refusal) => self.times.refuse(refusal),
            }
        }
    }
}

/// The quote that ends a quoted text; `\"` does not end it.
pub(super) fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(b'"', &text[from..])?;
        let escaped = text[..at].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1;
        if !escaped {
            return Some(at);
        }
        from = at + 1;
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
