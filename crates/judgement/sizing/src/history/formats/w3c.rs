//! The W3C extended format of IIS and CloudFront: a line `#Fields: date time cs-method ...` names
//! the columns of those below it.

use loadline_units::DurationUnit;

use super::super::clock;
use super::super::durations;
use super::super::entry::{LogEntry, hash};
use super::super::times::{TimeReason, TimeSource};
use super::super::troubles::LineProblem;
use super::tail::first_address;
use super::{path_of, status};

/// How many columns are looked at.
const COLUMNS_MAX: usize = 64;
/// How long `2024-05-06 07:08:09` is.
const STAMP_BYTES: usize = 19;

/// Which column is what.
#[derive(Debug, Clone, Default)]
pub(super) struct W3cHeading {
    date: Option<usize>,
    time: Option<usize>,
    method: Option<usize>,
    path: Option<usize>,
    status: Option<usize>,
    taken: Option<usize>,
    client: Option<usize>,
    forwarded: Option<usize>,
    agent: Option<usize>,
}

pub(super) fn time() -> TimeSource {
    TimeSource {
        field: "time-taken".to_owned(),
        unit: DurationUnit::Millis.sign(),
        reason: TimeReason::Point,
    }
}

/// What lines of the format begin with that hold no request, W3C's draft of it.
const DIRECTIVES: [&[u8]; 7] = [
    b"#Version:",
    b"#Fields:",
    b"#Software:",
    b"#Start-Date:",
    b"#End-Date:",
    b"#Date:",
    b"#Remark:",
];

/// Whether a line says something of the file, as before its `#Fields:`.
pub(super) fn is_directive(line: &[u8]) -> bool {
    DIRECTIVES.iter().any(|name| line.starts_with(name))
}

impl W3cHeading {
    /// The columns of a `#Fields:` line; `None` for any other comment.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let names = line.strip_prefix(b"#Fields:")?;
        let mut heading = Self::default();
        let names = names.split(u8::is_ascii_whitespace);
        let names = names.filter(|name| !name.is_empty()).take(COLUMNS_MAX);
        for (index, name) in names.enumerate() {
            let column = match name.to_ascii_lowercase().as_slice() {
                b"date" => &mut heading.date,
                b"time" => &mut heading.time,
                b"cs-method" => &mut heading.method,
                b"cs-uri-stem" | b"cs-uri" => &mut heading.path,
                b"sc-status" => &mut heading.status,
                b"time-taken" => &mut heading.taken,
                b"c-ip" => &mut heading.client,
                b"x-forwarded-for" | b"cs(x-forwarded-for)" => &mut heading.forwarded,
                b"cs(user-agent)" => &mut heading.agent,
                _ => continue,
            };
            *column = Some(index);
        }
        Some(heading)
    }

    pub(super) fn row<'a>(&self, line: &'a [u8]) -> Result<LogEntry<'a>, LineProblem> {
        let separator = if line.contains(&b'\t') { b'\t' } else { b' ' };
        let mut cells = [&b""[..]; COLUMNS_MAX];
        let split = line.split(|b| *b == separator);
        for (place, cell) in cells.iter_mut().zip(split) {
            *place = cell;
        }
        let cell = |index: Option<usize>| {
            let cell = cells[index?];
            (!cell.is_empty() && cell != b"-").then_some(cell)
        };
        let (date, day_time) = (cell(self.date), cell(self.time));
        let (date, day_time) = date.zip(day_time).ok_or(LineProblem::Time)?;
        let mut stamp = [b' '; STAMP_BYTES];
        if date.len() != 10 || day_time.len() < 8 {
            return Err(LineProblem::Time);
        }
        stamp[..10].copy_from_slice(date);
        stamp[11..].copy_from_slice(&day_time[..8]);
        let (time, _) = clock::read_any(&stamp).ok_or(LineProblem::Time)?;
        let path = cell(self.path).ok_or(LineProblem::Request)?;
        let forwarded = cell(self.forwarded).and_then(first_address);
        let client = forwarded.or(cell(self.client)).unwrap_or_default();
        let address = hash(client, 0);
        Ok(LogEntry {
            time,
            // The form has UTC.
            offset: Some(0),
            method: cell(self.method).unwrap_or(b"GET"),
            path: path_of(path).ok_or(LineProblem::Request)?,
            status: cell(self.status).and_then(status).unwrap_or(0),
            seconds: cell(self.taken).and_then(|taken| {
                let unit = if taken.contains(&b'.') {
                    DurationUnit::Seconds
                } else {
                    DurationUnit::Millis
                };
                durations::seconds(taken, unit)
            }),
            client: hash(cell(self.agent).unwrap_or_default(), address),
            address,
        })
    }
}
