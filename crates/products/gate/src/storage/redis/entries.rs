//! Entries as an answer to XREAD has them.

use ::redis::Value;

use crate::storage::{LogEntry, Position};

/// An entry, its mark, and the mark of the one before.
pub(super) struct Link {
    pub(super) taken: LogEntry,
    pub(super) before: String,
    pub(super) own: String,
}

/// The entries of an answer to XREAD, by log: `[[key, [[id, [name, value, ...]], ...]], ...]`,
/// or nil.
pub(super) fn streams_of(value: Value) -> Option<Vec<(String, Vec<Link>)>> {
    let streams = match value {
        Value::Nil => return Some(Vec::new()),
        other => array(other)?,
    };
    let of_one = |stream| {
        let mut parts = array(stream)?.into_iter();
        let key = text(parts.next()?)?;
        let entries = array(parts.next()?)?;
        let links = entries.into_iter().map(entry_of).collect::<Option<_>>()?;
        Some((key, links))
    };
    streams.into_iter().map(of_one).collect()
}

fn entry_of(value: Value) -> Option<Link> {
    let mut parts = array(value)?.into_iter();
    let number = text(parts.next()?)?.strip_prefix("0-")?.parse().ok()?;
    let mut fields = array(parts.next()?)?.into_iter();
    let mut field = || fields.nth(1);
    let taken_ms = text(field()?)?.parse().ok()?;
    let (before, own) = (text(field()?)?, text(field()?)?);
    let entry = bytes(field()?)?;
    let taken = LogEntry {
        position: Position(number),
        taken_ms,
        entry,
    };
    Some(Link { taken, before, own })
}

fn text(value: Value) -> Option<String> {
    String::from_utf8(bytes(value)?).ok()
}

fn array(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(values) => Some(values),
        _ => None,
    }
}

fn bytes(value: Value) -> Option<Vec<u8>> {
    match value {
        Value::BulkString(bytes) => Some(bytes),
        _ => None,
    }
}
