//! Envoy's default text format, and Istio's, which has three more fields:
//! `[2016-04-15T20:17:00.310Z] "GET /a HTTP/2" 200 - 154 0 226 100 "10.0.35.28" "agent" ...`.

use loadline_units::DurationUnit;

use super::super::clock;
use super::super::durations;
use super::super::entry::{LogEntry, hash, number};
use super::super::times::{TimeReason, TimeSource};
use super::super::troubles::LineProblem;
use super::tail::{TailFields, first_address};
use super::{closing_quote, request, status};

/// Fields of a line that are looked at, from the status on.
const FIELDS_MAX: usize = 16;
/// Behind the first of the numbers: the request's size, the answer's, the duration, ...
const DURATION_BEHIND: usize = 2;
const FORWARDED_BEHIND: usize = 4;
const AGENT_BEHIND: usize = 5;

pub(super) fn time() -> TimeSource {
    TimeSource {
        field: "DURATION".to_owned(),
        unit: DurationUnit::Millis.sign(),
        reason: TimeReason::Layout,
    }
}

/// Whether a line is one: a time of ISO between brackets comes first.
pub(super) fn is_one(line: &[u8]) -> bool {
    matches!(line, [b'[', _, _, _, _, b'-', _, _, b'-', _, _, b'T', ..])
}

pub(super) fn read(line: &[u8]) -> Result<LogEntry<'_>, LineProblem> {
    let close = memchr::memchr(b']', line).ok_or(LineProblem::Time)?;
    let (time, offset) = clock::read_any(&line[1..close]).ok_or(LineProblem::Time)?;
    let rest = line[close + 1..].trim_ascii_start();
    let quoted = rest.strip_prefix(b"\"").ok_or(LineProblem::Unreadable)?;
    let end = closing_quote(quoted).ok_or(LineProblem::Unreadable)?;
    let (method, path) = request(&quoted[..end]).ok_or(LineProblem::Request)?;
    let mut values = [&b""[..]; FIELDS_MAX];
    let fields = TailFields::new(&quoted[end + 1..]);
    for (place, field) in values.iter_mut().zip(fields) {
        *place = field.value;
    }
    let numbers = values
        .iter()
        .skip(2)
        .position(|value| number(value).is_some());
    let numbers = 2 + numbers.ok_or(LineProblem::Unreadable)?;
    let value = |behind: usize| values.get(numbers + behind).copied().unwrap_or_default();
    let address = hash(
        first_address(value(FORWARDED_BEHIND)).unwrap_or_default(),
        0,
    );
    Ok(LogEntry {
        time,
        offset,
        method,
        path,
        status: status(values[0]).ok_or(LineProblem::Unreadable)?,
        seconds: durations::seconds(value(DURATION_BEHIND), DurationUnit::Millis),
        client: hash(value(AGENT_BEHIND), address),
        address,
    })
}
