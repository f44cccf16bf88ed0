//! One JSON object per line. Only relevant members are parsed, in place; others are skipped by
//! their brackets and quotes.

use super::super::clock;
use super::super::entry::{LogEntry, hash};
use super::super::fields::{Field, FieldDuration, FieldMapping, FoundField, NeighbourFields};
use super::super::troubles::LineProblem;
use super::tail::first_address;
use super::{path_of, request, status};

/// How deeply nested objects are searched.
const NESTING_MAX: usize = 4;

/// The best value of each field: the one whose name is preferred.
#[derive(Default)]
struct FieldMatches<'a> {
    time: Option<(usize, &'a [u8])>,
    method: Option<(usize, &'a [u8])>,
    path: Option<(usize, &'a [u8])>,
    request: Option<(usize, &'a [u8])>,
    status: Option<(usize, &'a [u8])>,
    duration: Option<(usize, (FoundField, &'a [u8]))>,
    client: Option<(usize, &'a [u8])>,
}

fn better<T>(slot: &mut Option<(usize, T)>, rank: usize, value: T) {
    if slot.as_ref().is_none_or(|(known, _)| rank < *known) {
        *slot = Some((rank, value));
    }
}

/// A line's request, and the field that is its time.
pub(super) fn read<'a>(
    line: &'a [u8],
    fields: &FieldMapping,
) -> Result<(LogEntry<'a>, Option<FieldDuration<'a>>), LineProblem> {
    let mut found = FieldMatches::default();
    let mut name = Vec::new();
    let mut scan = Scan { text: line, at: 0 };
    scan.object(&mut name, 0, fields, &mut found)
        .ok_or(LineProblem::Unreadable)?;
    let (_, time) = found.time.ok_or(LineProblem::Time)?;
    let (time, offset) = clock::read_any(time).ok_or(LineProblem::Time)?;
    let (method, path) = match (found.path, found.request) {
        (Some((_, path)), _) => {
            let method = found.method.map_or(&b"GET"[..], |(_, method)| method);
            (method, path_of(path).ok_or(LineProblem::Request)?)
        }
        (None, Some((_, text))) => request(text).ok_or(LineProblem::Request)?,
        (None, None) => return Err(LineProblem::Request),
    };
    let beside = NeighbourFields {
        path: found.path.map(|(rank, _)| rank),
        status: found.status.map(|(rank, _)| rank),
    };
    let duration = found
        .duration
        .map(|(_, (found, text))| fields.duration(found, text, beside));
    let client = found.client.and_then(|(_, text)| first_address(text));
    let client = client.map_or(0, |text| hash(text, 0));
    let entry = LogEntry {
        time,
        offset,
        method,
        path,
        status: found.status.and_then(|(_, text)| status(text)).unwrap_or(0),
        seconds: duration.and_then(|duration| duration.seconds),
        client,
        address: client,
    };
    Ok((entry, duration))
}

struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.text.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// The text between quotes, with its escapes.
    fn string(&mut self) -> Option<&'a [u8]> {
        self.take(b'"')?;
        let from = self.at;
        loop {
            let found = memchr::memchr2(b'"', b'\\', &self.text[self.at..])?;
            self.at += found;
            if self.text[self.at] == b'"' {
                self.at += 1;
                return Some(&self.text[from..self.at - 1]);
            }
            self.at += 2;
            if self.at > self.text.len() {
                return None;
            }
        }
    }

    /// The members of an object; `name` is the object's name with a dot.
    fn object(
        &mut self,
        name: &mut Vec<u8>,
        depth: usize,
        fields: &FieldMapping,
        found: &mut FieldMatches<'a>,
    ) -> Option<()> {
        self.take(b'{')?;
        if self.peek()? == b'}' {
            return self.take(b'}');
        }
        loop {
            let key = self.string()?;
            self.take(b':')?;
            let outer = name.len();
            name.extend_from_slice(key);
            match self.peek()? {
                b'{' if depth < NESTING_MAX && fields.has_members(name) => {
                    name.push(b'.');
                    self.object(name, depth + 1, fields, found)?;
                }
                b'{' | b'[' => self.skip()?,
                b'"' => {
                    let text = self.string()?;
                    keep(name, text, fields, found);
                }
                _ => {
                    let from = self.at;
                    let length = self.text[from..]
                        .iter()
                        .position(|b| matches!(b, b',' | b'}') || b.is_ascii_whitespace())?;
                    self.at += length;
                    keep(name, &self.text[from..self.at], fields, found);
                }
            }
            name.truncate(outer);
            match self.peek()? {
                b',' => self.at += 1,
                _ => return self.take(b'}'),
            }
        }
    }

    /// Skips an array or object that is not relevant.
    fn skip(&mut self) -> Option<()> {
        let mut open = 0_u32;
        loop {
            match self.text.get(self.at)? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => {
                    open -= 1;
                    if open == 0 {
                        self.at += 1;
                        return Some(());
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

fn keep<'a>(name: &[u8], text: &'a [u8], fields: &FieldMapping, found: &mut FieldMatches<'a>) {
    let Some(known) = fields.find(name) else {
        return;
    };
    let FoundField { field, rank, .. } = known;
    if text.is_empty() || text == b"null" {
        return;
    }
    match field {
        Field::Time => better(&mut found.time, rank, text),
        Field::Method => better(&mut found.method, rank, text),
        Field::Path => better(&mut found.path, rank, text),
        Field::Request => better(&mut found.request, rank, text),
        Field::Status => better(&mut found.status, rank, text),
        Field::Client => better(&mut found.client, rank, text),
        Field::Duration if text != b"-" => better(&mut found.duration, rank, (known, text)),
        Field::Duration => {}
    }
}
