//! HAProxy's HTTP log, with or without the header of syslog:
//! `haproxy[1]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /index.html HTTP/1.1"`.

use loadline_units::DurationUnit;

use memchr::{memchr, memchr_iter};

use super::super::clock;
use super::super::durations;
use super::super::entry::{LogEntry, hash};
use super::super::times::{TimeReason, TimeSource};
use super::super::troubles::LineProblem;
use super::{closing_quote, request, status};

/// How long `06/Feb/2009:12:14:14.655` is.
const STAMP_BYTES: usize = 24;

/// The last of its timers is the whole request.
pub(super) fn time() -> TimeSource {
    TimeSource {
        field: "Ta".to_owned(),
        unit: DurationUnit::Millis.sign(),
        reason: TimeReason::Layout,
    }
}

/// Where the time begins, if a line has one with milliseconds and no zone.
fn stamp_of(line: &[u8]) -> Option<usize> {
    let mut opens = memchr_iter(b'[', line).map(|at| at + 1);
    opens.find(|at| {
        let stamp = line.get(*at..*at + STAMP_BYTES + 1).unwrap_or_default();
        stamp.len() > STAMP_BYTES && stamp[2] == b'/' && stamp[20] == b'.' && stamp[24] == b']'
    })
}

/// Whether a line is one.
pub(super) fn is_one(line: &[u8]) -> bool {
    stamp_of(line).is_some()
}

pub(super) fn read(line: &[u8]) -> Result<LogEntry<'_>, LineProblem> {
    let at = stamp_of(line).ok_or(LineProblem::Unreadable)?;
    let stamp = &line[at..at + STAMP_BYTES];
    let (time, offset) = clock::read_any(stamp).ok_or(LineProblem::Time)?;
    let before = line[..at - 1].trim_ascii_end();
    let word = memchr::memrchr(b' ', before).map_or(before, |space| &before[space + 1..]);
    let port = memchr::memrchr(b':', word).unwrap_or(word.len());
    let rest = line[at + STAMP_BYTES + 1..].trim_ascii_start();
    let mut words = rest.split(|b| *b == b' ');
    let timers = words.nth(2).ok_or(LineProblem::Unreadable)?;
    let status = words.next().and_then(status);
    let whole = timers.rsplit(|b| *b == b'/').next().unwrap_or(timers);
    // `+`: the answer was still going on.
    let whole = whole.strip_prefix(b"+").unwrap_or(whole);
    let open = memchr(b'"', rest).ok_or(LineProblem::Request)?;
    let quoted = &rest[open + 1..];
    let end = closing_quote(quoted).unwrap_or(quoted.len());
    let (method, path) = request(&quoted[..end]).ok_or(LineProblem::Request)?;
    let address = hash(&word[..port], 0);
    Ok(LogEntry {
        time,
        offset,
        method,
        path,
        status: status.ok_or(LineProblem::Unreadable)?,
        seconds: durations::seconds(whole, DurationUnit::Millis),
        client: address,
        address,
    })
}
