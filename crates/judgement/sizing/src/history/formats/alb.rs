//! AWS Application Load Balancer: fields separated by spaces, some of them quoted.

use loadline_units::DurationUnit;

use memchr::memchr;

use super::super::clock;
use super::super::entry::{LogEntry, decimal, hash};
use super::super::times::{TimeReason, TimeSource};
use super::super::troubles::LineProblem;
use super::{request, status};

/// Positions of the relevant fields.
const TIME_FIELD: usize = 1;
const CLIENT_FIELD: usize = 3;
const TARGET_TIME: usize = 6;
const STATUS_FIELD: usize = 8;
const REQUEST_FIELD: usize = 12;
const AGENT_FIELD: usize = 13;

/// What the targets took; the balancer's own part is not theirs.
pub(super) fn time() -> TimeSource {
    TimeSource {
        field: "target_processing_time".to_owned(),
        unit: DurationUnit::Seconds.sign(),
        reason: TimeReason::Layout,
    }
}

/// Whether a line begins as in this format: with the kind of connection.
pub(super) fn is_one(line: &[u8]) -> bool {
    [&b"http "[..], b"https ", b"h2 ", b"grpcs ", b"ws ", b"wss "]
        .iter()
        .any(|kind| line.starts_with(kind))
}

pub(super) fn read(line: &[u8]) -> Result<LogEntry<'_>, LineProblem> {
    let mut fields = [&b""[..]; AGENT_FIELD + 1];
    let mut rest = line;
    for (index, field) in fields.iter_mut().enumerate() {
        let (found, after) = next(rest);
        if found.is_empty() && after.is_empty() && index <= REQUEST_FIELD {
            return Err(LineProblem::Unreadable);
        }
        *field = found;
        rest = after;
    }
    let (time, offset) = clock::read_any(fields[TIME_FIELD]).ok_or(LineProblem::Time)?;
    let (method, path) = request(fields[REQUEST_FIELD]).ok_or(LineProblem::Request)?;
    let port = fields[CLIENT_FIELD].iter().rposition(|b| *b == b':');
    let address = &fields[CLIENT_FIELD][..port.unwrap_or(fields[CLIENT_FIELD].len())];
    let address = hash(address, 0);
    Ok(LogEntry {
        time,
        offset,
        method,
        path,
        status: status(fields[STATUS_FIELD]).ok_or(LineProblem::Unreadable)?,
        // The value is -1 if no target answered.
        seconds: decimal(fields[TARGET_TIME]),
        client: hash(fields[AGENT_FIELD], address),
        address,
    })
}

/// The next field, and the rest.
fn next(text: &[u8]) -> (&[u8], &[u8]) {
    let (field, after) = match text.strip_prefix(b"\"") {
        Some(quoted) => {
            let end = memchr(b'"', quoted).unwrap_or(quoted.len());
            (&quoted[..end], quoted.get(end + 1..).unwrap_or_default())
        }
        None => text.split_at(memchr(b' ', text).unwrap_or(text.len())),
    };
    (field, after.strip_prefix(b" ").unwrap_or(after))
}
