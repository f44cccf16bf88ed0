//! Server-Sent Events: parses the event stream of the HTML standard piece by piece.
//!
//! [`EventStream::advance`] takes the bytes of a body as they arrive and returns the next item.
//! Lines end in LF, CR or both, also when a piece ends in between. A byte order mark at the start
//! is skipped. Several `data` lines are joined by line feeds. The texts of an event are in
//! buffers that are reused, so an event needs no allocation.
//!
//! Two things are reported that a browser hides, because a test wants to see them: comments, and
//! blocks without data (a browser dispatches neither). The caller decodes UTF-8 and decides what
//! `id` and `retry` mean for reconnecting.
//!
//! Source: HTML Living Standard, section 9.2.6.

#[cfg(test)]
mod tests;

use memchr::memchr2;

/// The byte order mark in UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// One event: a block of lines that was ended by an empty line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamEvent {
    /// The last `id` of the block, if it has no NUL; empty if there is none.
    pub id: Vec<u8>,
    /// The last `event` of the block; empty if there is none.
    pub name: Vec<u8>,
    /// The `data` lines, joined by line feeds.
    pub data: Vec<u8>,
    /// The last comment of the block.
    pub comment: Vec<u8>,
    /// Whether there was a `data` line, even an empty one. Only then a browser dispatches the
    /// event.
    pub has_data: bool,
}

impl StreamEvent {
    fn clear(&mut self) {
        self.id.clear();
        self.name.clear();
        self.data.clear();
        self.comment.clear();
        self.has_data = false;
    }

    fn len(&self) -> usize {
        self.id.len() + self.name.len() + self.data.len() + self.comment.len()
    }
}

/// What the bytes so far give.
#[derive(Debug, PartialEq, Eq)]
pub enum StreamItem<'s> {
    /// All bytes were taken and no item is complete.
    Incomplete,
    /// A block ended.
    Event(&'s StreamEvent),
    /// The time to wait before connecting again, in milliseconds.
    Retry(u64),
    /// A line with an unknown field, without its end.
    Unknown(&'s [u8]),
}

/// An event exceeds the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream exceeds the limit of {limit} bytes")]
pub struct EventSizeError {
    /// The limit in bytes.
    pub limit: usize,
}

/// Parses one stream.
#[derive(Debug)]
pub struct EventStream {
    event: StreamEvent,
    /// The start of an unfinished line.
    line: Vec<u8>,
    /// The last item borrowed `event` or `line`; the next call clears that one.
    told: PendingEvent,
    /// The last byte was a CR that ended a line. An LF right after it belongs to it.
    after_cr: bool,
    /// No line has ended yet.
    at_start: bool,
    limit: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PendingEvent {
    Nothing,
    Event,
    Line,
}

/// What a line means.
enum Line {
    Nothing,
    End,
    Retry(u64),
    Unknown,
}

impl Default for EventStream {
    fn default() -> Self {
        Self::with_limit(Self::DEFAULT_LIMIT)
    }
}

impl EventStream {
    /// The default limit for the bytes of one event, and of one line: 16 MiB.
    pub const DEFAULT_LIMIT: usize = 16 * 1024 * 1024;
    /// A larger buffer is freed after use.
    const KEPT_BYTES_MAX: usize = 64 * 1024;

    /// A reader at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader that accepts up to `limit` bytes in one event, and in one line.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            event: StreamEvent::default(),
            line: Vec::new(),
            told: PendingEvent::Nothing,
            after_cr: false,
            at_start: true,
            limit,
        }
    }

    /// Parses `input`, the bytes that follow those taken so far. Returns how many of them were
    /// taken, and the item they give. Call it again with the rest until it returns
    /// [`StreamItem::Incomplete`].
    ///
    /// # Errors
    /// [`EventSizeError`]; the stream cannot be read any further.
    pub fn advance<'s>(
        &'s mut self,
        input: &'s [u8],
    ) -> Result<(usize, StreamItem<'s>), EventSizeError> {
        self.begin_anew();
        let mut used = 0;
        loop {
            let rest = &input[used..];
            let Some(&first) = rest.first() else {
                return Ok((used, StreamItem::Incomplete));
            };
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                used += 1;
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', rest) else {
                self.keep(rest)?;
                return Ok((input.len(), StreamItem::Incomplete));
            };
            self.after_cr = rest[end] == b'\r';
            used += end + 1;
            let whole = self.line.is_empty();
            if !whole {
                self.keep(&rest[..end])?;
            }
            let line = if whole { &rest[..end] } else { &self.line };
            let line = if std::mem::take(&mut self.at_start) {
                line.strip_prefix(BOM).unwrap_or(line)
            } else {
                line
            };
            let outcome = read(line, &mut self.event);
            if self.event.len() > self.limit || line.len() > self.limit {
                return Err(EventSizeError { limit: self.limit });
            }
            match outcome {
                Line::Nothing => self.line.clear(),
                Line::End => {
                    self.line.clear();
                    self.told = PendingEvent::Event;
                    return Ok((used, StreamItem::Event(&self.event)));
                }
                Line::Retry(millis) => {
                    self.line.clear();
                    return Ok((used, StreamItem::Retry(millis)));
                }
                Line::Unknown if whole => return Ok((used, StreamItem::Unknown(&rest[..end]))),
                Line::Unknown => {
                    self.told = PendingEvent::Line;
                    return Ok((used, StreamItem::Unknown(&self.line)));
                }
            }
        }
    }

    /// Clears what the last call returned.
    fn begin_anew(&mut self) {
        match std::mem::replace(&mut self.told, PendingEvent::Nothing) {
            PendingEvent::Nothing => {}
            PendingEvent::Event => {
                self.event.clear();
                if self.event.data.capacity() > Self::KEPT_BYTES_MAX {
                    self.event.data = Vec::new();
                }
            }
            PendingEvent::Line => self.line.clear(),
        }
        if self.line.is_empty() && self.line.capacity() > Self::KEPT_BYTES_MAX {
            self.line = Vec::new();
        }
    }

    fn keep(&mut self, piece: &[u8]) -> Result<(), EventSizeError> {
        if self.line.len() + piece.len() > self.limit {
            return Err(EventSizeError { limit: self.limit });
        }
        self.line.extend_from_slice(piece);
        Ok(())
    }
}

/// Adds one line, without its end, to the event.
fn read(line: &[u8], event: &mut StreamEvent) -> Line {
    if line.is_empty() {
        return Line::End;
    }
    let (field, value) = match line.iter().position(|&b| b == b':') {
        Some(colon) => {
            let value = &line[colon + 1..];
            (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
        }
        None => (line, &[][..]),
    };
    match field {
        b"" => replace(&mut event.comment, value),
        b"data" => {
            if event.has_data {
                event.data.push(b'\n');
            }
            event.has_data = true;
            event.data.extend_from_slice(value);
        }
        b"event" => replace(&mut event.name, value),
        b"id" if !value.contains(&0) => replace(&mut event.id, value),
        b"id" => {}
        b"retry" => {
            let digits = std::str::from_utf8(value).ok();
            let digits = digits.filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            if let Some(millis) = digits.and_then(|text| text.parse().ok()) {
                return Line::Retry(millis);
            }
        }
        _ => return Line::Unknown,
    }
    Line::Nothing
}

fn replace(text: &mut Vec<u8>, value: &[u8]) {
    text.clear();
    text.extend_from_slice(value);
}
