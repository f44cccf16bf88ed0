//! `1.2.3.4 - user [10/Oct/2000:13:55:36 -0700] "GET /path HTTP/1.1" 200 2326 "referer" "agent"`,
//! followed by anything. A number with decimals, or one after `rt=` or `request_time=`, is the
//! duration.

use memchr::memchr;

use super::super::clock::CommonClock;
use super::super::entry::{LogEntry, decimal, hash};
use super::super::troubles::LineProblem;
use super::{request, status};

pub(super) fn read<'a>(
    line: &'a [u8],
    clock: &mut CommonClock,
) -> Result<LogEntry<'a>, LineProblem> {
    let open = memchr(b'[', line).ok_or(LineProblem::Unreadable)?;
    let address = memchr(b' ', &line[..open]).ok_or(LineProblem::Unreadable)?;
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
    let (agent, tail) = agent(&rest[after..]);
    Ok(LogEntry {
        time,
        offset,
        method,
        path,
        status,
        seconds: took(tail),
        client: hash(agent, hash(&line[..address], 0)),
    })
}

/// The quote that ends a quoted text; `\"` does not end it.
fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr(b'"', &text[from..])?;
        let escaped = text[..at].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1;
        if !escaped {
            return Some(at);
        }
        from = at + 1;
    }
}

/// The text of the agent, if there is one, and the rest.
fn agent(rest: &[u8]) -> (&[u8], &[u8]) {
    let Some(referer) = memchr(b'"', rest) else {
        return (b"", rest.get(1..).unwrap_or_default());
    };
    let after = &rest[referer + 1..];
    let Some(end) = closing_quote(after) else {
        return (b"", b"");
    };
    let after = &after[end + 1..];
    let Some(quote) = after.strip_prefix(b" \"") else {
        return (b"", after);
    };
    match closing_quote(quote) {
        Some(end) => (&quote[..end], &quote[end + 1..]),
        None => (quote, b""),
    }
}

/// The duration in seconds, among the fields that custom formats add.
fn took(tail: &[u8]) -> Option<f64> {
    let words = tail.split(|b| *b == b' ').filter(|word| !word.is_empty());
    let mut found = None;
    for word in words {
        let named = [&b"rt="[..], b"request_time="]
            .iter()
            .find_map(|name| word.strip_prefix(*name));
        let text = match named {
            Some(value) => value,
            // The decimal point distinguishes it from a number of bytes.
            None if word.contains(&b'.') && word[0].is_ascii_digit() => word,
            None => continue,
        };
        let text = text.strip_prefix(b"\"").unwrap_or(text);
        let text = text.strip_suffix(b"\"").unwrap_or(text);
        if let Some(value) = decimal(text) {
            if named.is_some() {
                return Some(value);
            }
            found.get_or_insert(value);
        }
    }
    found
}
