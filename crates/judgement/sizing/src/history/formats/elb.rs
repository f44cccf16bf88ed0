//! AWS Classic Load Balancer: `2015-05-13T23:39:43.945958Z lb 192.168.131.39:2817 10.0.0.1:80
//! 0.000073 0.001048 0.000057 200 200 0 29 "GET http://host:80/ HTTP/1.1" "curl" - -`.

use loadline_units::DurationUnit;

use super::super::clock;
use super::super::entry::{LogEntry, decimal, hash};
use super::super::times::{TimeReason, TimeSource};
use super::super::troubles::LineProblem;
use super::tail::TailFields;
use super::{request, status};

const TIME_FIELD: usize = 0;
const CLIENT_FIELD: usize = 2;
/// Of the request, of the back end, of the answer.
const TIMES: std::ops::Range<usize> = 4..7;
const STATUS_FIELD: usize = 7;
const REQUEST_FIELD: usize = 11;
const AGENT_FIELD: usize = 12;

pub(super) fn time() -> TimeSource {
    TimeSource {
        field: "request + backend + response_processing_time".to_owned(),
        unit: DurationUnit::Seconds.sign(),
        reason: TimeReason::Layout,
    }
}

/// Whether a line is one: a time of ISO comes first, and the third field has a port.
pub(super) fn is_one(line: &[u8]) -> bool {
    matches!(
        line,
        [b'1' | b'2', _, _, _, b'-', _, _, b'-', _, _, b'T', ..]
    )
}

pub(super) fn read(line: &[u8]) -> Result<LogEntry<'_>, LineProblem> {
    let mut fields = [&b""[..]; AGENT_FIELD + 1];
    for (place, field) in fields.iter_mut().zip(TailFields::new(line)) {
        *place = field.value;
    }
    let (time, offset) = clock::read_any(fields[TIME_FIELD]).ok_or(LineProblem::Time)?;
    let (method, path) = request(fields[REQUEST_FIELD]).ok_or(LineProblem::Request)?;
    let client = fields[CLIENT_FIELD];
    let port = memchr::memrchr(b':', client).unwrap_or(client.len());
    let address = hash(&client[..port], 0);
    // A value is -1 if nothing answered.
    let seconds: Option<f64> = fields[TIMES].iter().map(|field| decimal(field)).sum();
    Ok(LogEntry {
        time,
        offset,
        method,
        path,
        status: status(fields[STATUS_FIELD]).ok_or(LineProblem::Unreadable)?,
        seconds,
        client: hash(fields[AGENT_FIELD], address),
        address,
    })
}
