//! `1.2.3.4 - user [10/Oct/2000:13:55:36 -0700] "GET /path HTTP/1.1" 200 2326 "referer" "agent"`,
//! followed by anything, and with the name of the host before it as in `vhost_combined`. Which of
//! the fields after the status is what says a [`TailLayout`].

use memchr::memchr;

use super::super::clock::CommonClock;
use super::super::entry::{LogEntry, hash};
use super::super::troubles::LineProblem;
use super::tail::{TailLayout, is_address};
use super::{closing_quote, request, status};

/// A line in its parts.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct CommonLine<'a> {
    address: &'a [u8],
    pub(in super::super) time: i64,
    offset: Option<i32>,
    method: &'a [u8],
    path: &'a [u8],
    status: u16,
    /// What follows the status.
    pub(in super::super) tail: &'a [u8],
}

impl<'a> CommonLine<'a> {
    pub(in super::super) fn parse(
        line: &'a [u8],
        clock: &mut CommonClock,
    ) -> Result<Self, LineProblem> {
        // No address begins so; what does is a comment, or a line that is broken.
        if line.starts_with(b"#") {
            return Err(LineProblem::Unreadable);
        }
        let open = memchr(b'[', line).ok_or(LineProblem::Unreadable)?;
        let (stamp, rest) = line[open + 1..]
            .split_at_checked(28)
            .ok_or(LineProblem::Unreadable)?;
        if &stamp[26..] != b"] " {
            return Err(LineProblem::Time);
        }
        let (time, offset) = clock.read(&stamp[..26]).ok_or(LineProblem::Time)?;
        let rest = rest.strip_prefix(b"\"").ok_or(LineProblem::Unreadable)?;
        let end = closing_quote(rest).ok_or(LineProblem::Unreadable)?;
        let (method, path) = request(&rest[..end]).ok_or(LineProblem::Request)?;
        let rest = rest[end + 1..]
            .strip_prefix(b" ")
            .ok_or(LineProblem::Unreadable)?;
        let after = memchr(b' ', rest).unwrap_or(rest.len());
        let status = status(&rest[..after]).ok_or(LineProblem::Unreadable)?;
        Ok(Self {
            address: address(&line[..open]).ok_or(LineProblem::Unreadable)?,
            time,
            offset,
            method,
            path,
            status,
            tail: &rest[after..],
        })
    }

    pub(in super::super) fn entry(&self, layout: &TailLayout) -> LogEntry<'a> {
        let values = layout.read(self.tail);
        let address = hash(values.forwarded.unwrap_or(self.address), 0);
        LogEntry {
            time: self.time,
            offset: self.offset,
            method: self.method,
            path: self.path,
            status: self.status,
            seconds: values.seconds,
            client: hash(values.agent, address),
            address,
        }
    }
}

/// The client's address before the time: the first word, or the first that is an address where
/// others come before it, such as the host's name or the header of syslog.
fn address(before: &[u8]) -> Option<&[u8]> {
    let first = memchr(b' ', before)?;
    let word = &before[..first];
    if before[first + 1..].starts_with(b"-") {
        return Some(word);
    }
    let words = before.split(|b| *b == b' ');
    let mut words = words.map(|word| word.strip_suffix(b",").unwrap_or(word));
    words.find(|word| is_address(word)).or(Some(word))
}
