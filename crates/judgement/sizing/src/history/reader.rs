//! Splits bytes into lines, parses them and adds up their requests.

use std::collections::BTreeMap;

use loadline_metrics::Histogram;

use super::clients::Clients;
use super::entry::{LogEntry, hash};
use super::fields::FieldMapping;
use super::formats::{AccessLogFormat, Format, Lines};
use super::templates::Templates;
use super::timeline::Timeline;
use super::troubles::{LineProblem, LineProblems};

/// Longer lines are skipped.
const LONGEST_LINE: usize = 64 * 1024;
/// A line whose time is this many seconds before that of an earlier line counts as out of order.
/// Servers write requests when they end, so some disorder is normal.
const DISORDER_SECONDS_MAX: i64 = 60;
/// Methods that are counted separately; all others are one.
pub(super) const METHODS: [&str; 8] = [
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "OTHER",
];
/// How many paths are kept for each endpoint.
const SAMPLE_PATHS_MAX: usize = 20;

/// Sums for one method of one template.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub(super) template: u32,
    pub(super) method: u8,
    pub(super) requests: u64,
    /// By the first digit of the status; 0 is no status.
    pub(super) statuses: [u64; 6],
    /// Statuses from 500 on, each with how often it was there.
    pub(super) failures: BTreeMap<u16, u64>,
    /// Durations in ms.
    pub(super) took: Histogram,
    pub(super) samples: Vec<String>,
}

/// By so many lines of a file is decided which of its fields is the time of a request.
const PROBED_LINES: usize = 200;

/// A line that waits until the file's fields are known.
#[derive(Debug)]
struct HeldLine {
    number: u64,
    text: Vec<u8>,
}

/// Reads logs and adds them up.
#[derive(Debug, Default)]
pub struct LogReader {
    fields: FieldMapping,
    pub(super) lines: Lines,
    /// The start of an unfinished line.
    partial: Vec<u8>,
    /// Whether the rest of a line that is too long is being skipped.
    skipping: bool,
    /// The first lines of a file, until its fields are known.
    held: Vec<HeldLine>,
    is_probed: bool,
    file: String,
    line: u64,
    /// The format of the file's first valid line.
    file_format: Option<Format>,
    latest: i64,
    /// There were times without a zone.
    pub(super) is_zone_missing: bool,
    pub(super) first: Option<i64>,
    pub(super) last: i64,
    pub(super) read: u64,
    pub(super) counted: u64,
    pub(super) formats: [u64; Format::ALL.len()],
    pub(super) troubles: LineProblems,
    pub(super) timeline: Timeline,
    /// The first client's address, and whether there are others.
    pub(super) addresses: AddressCount,
    pub(super) templates: Templates,
    pub(super) clients: Clients,
    pub(super) sums: Vec<Sums>,
    /// By template: the number of each method's sums, from 1.
    by_template: Vec<[u32; METHODS.len()]>,
}

impl LogReader {
    /// A reader with these field names for JSON lines and tables, and what was said of the
    /// format.
    #[must_use]
    pub fn new(fields: FieldMapping, format: AccessLogFormat) -> Self {
        Self {
            fields,
            lines: Lines::new(format),
            ..Self::default()
        }
    }

    /// Names that were given and that no line has so far.
    #[must_use]
    pub fn missing_fields(&self) -> Vec<String> {
        self.fields.missing()
    }

    /// Begins another file.
    pub fn begin_file(&mut self, name: &str) {
        name.clone_into(&mut self.file);
        self.line = 0;
        self.file_format = None;
        self.latest = i64::MIN;
        self.partial.clear();
        self.skipping = false;
        self.held.clear();
        self.is_probed = false;
        self.lines.begin_file();
    }

    /// Takes the next bytes of the file.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (head, rest) = bytes.split_at(end);
            bytes = &rest[1..];
            if self.skipping {
                self.skipping = false;
                continue;
            }
            if self.partial.is_empty() {
                self.take(head);
            } else {
                let mut whole = std::mem::take(&mut self.partial);
                whole.extend_from_slice(head);
                self.take(&whole);
                whole.clear();
                self.partial = whole;
            }
        }
        if self.skipping {
            return;
        }
        self.partial.extend_from_slice(bytes);
        if self.partial.len() > LONGEST_LINE {
            self.line += 1;
            self.read += 1;
            self.trouble(LineProblem::TooLong);
            self.skipping = true;
            self.partial = Vec::new();
        }
    }

    /// Ends the file; `damaged` if it broke off.
    pub fn end_file(&mut self, damaged: bool) {
        let last = std::mem::take(&mut self.partial);
        if !last.is_empty() && !self.skipping {
            self.take(&last);
        }
        self.skipping = false;
        self.read_held();
        if damaged {
            self.trouble(LineProblem::Damaged);
        }
    }

    fn trouble(&mut self, trouble: LineProblem) {
        self.troubles.add(trouble, &self.file, self.line);
    }

    fn take(&mut self, line: &[u8]) {
        self.line += 1;
        if line.len() > LONGEST_LINE {
            self.read += 1;
            self.trouble(LineProblem::TooLong);
            return;
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = if self.line == 1 {
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
        } else {
            line
        };
        if line.is_empty() {
            return;
        }
        if self.lines.take_comment(line) {
            return;
        }
        self.read += 1;
        self.fields.look_for(line);
        if self.line == 1 && self.lines.take_heading(line, &self.fields) {
            self.read -= 1;
            return;
        }
        if self.is_probed {
            self.parse(line);
            return;
        }
        self.held.push(HeldLine {
            number: self.line,
            text: line.to_vec(),
        });
        if self.held.len() >= PROBED_LINES {
            self.read_held();
        }
    }

    /// Decides by the first lines what their fields are, and reads them.
    fn read_held(&mut self) {
        if self.is_probed {
            return;
        }
        self.is_probed = true;
        let held = std::mem::take(&mut self.held);
        self.lines
            .decide(held.iter().map(|line| line.text.as_slice()));
        let last = self.line;
        for line in held {
            self.line = line.number;
            self.parse(&line.text);
        }
        self.line = last;
    }

    fn parse(&mut self, line: &[u8]) {
        match self.lines.read(line, &self.fields) {
            Ok((entry, format)) => self.count(&entry, format),
            Err(trouble) => {
                let binary = line.iter().any(|b| *b < b' ' && *b != b'\t');
                self.trouble(if binary { LineProblem::Binary } else { trouble });
            }
        }
    }

    fn count(&mut self, entry: &LogEntry<'_>, format: Format) {
        self.counted += 1;
        self.formats[format as usize] += 1;
        match self.file_format {
            None => self.file_format = Some(format),
            Some(known) if known != format => self.trouble(LineProblem::OtherFormat),
            Some(_) => {}
        }
        if entry.time < self.latest.saturating_sub(DISORDER_SECONDS_MAX) {
            self.trouble(LineProblem::Backwards);
        }
        self.latest = self.latest.max(entry.time);
        self.first = Some(self.first.map_or(entry.time, |first| first.min(entry.time)));
        self.last = self.last.max(entry.time);
        self.is_zone_missing |= entry.offset.is_none();
        self.timeline.add(entry.time, entry.offset.unwrap_or(0));
        let template = self.templates.template(entry.path);
        let method = method_number(entry.method);
        let sums = self.sums_of(template, method);
        sums.requests += 1;
        sums.statuses[usize::from(entry.status / 100).min(5)] += 1;
        if entry.status >= 500 {
            *sums.failures.entry(entry.status).or_default() += 1;
        }
        if let Some(seconds) = entry.seconds {
            sums.took.record(seconds * 1000.0);
        }
        if sums.samples.len() < SAMPLE_PATHS_MAX {
            let path = String::from_utf8_lossy(entry.path);
            if !sums.samples.iter().any(|known| *known == path) {
                sums.samples.push(path.into_owned());
            }
        }
        self.addresses.add(entry.address);
        if entry.client != 0 {
            let request = hash(entry.path, u64::from(method));
            let failed = matches!(entry.status, 0 | 408 | 429 | 499 | 500..=599);
            self.clients.add(entry.client, entry.time, request, failed);
        }
    }

    fn sums_of(&mut self, template: u32, method: u8) -> &mut Sums {
        let row = template as usize;
        if row >= self.by_template.len() {
            self.by_template
                .resize(self.templates.len().max(row + 1), [0; METHODS.len()]);
        }
        let number = &mut self.by_template[row][usize::from(method)];
        if *number == 0 {
            self.sums.push(Sums {
                template,
                method,
                ..Sums::default()
            });
            *number = u32::try_from(self.sums.len()).unwrap_or(1);
        }
        &mut self.sums[*number as usize - 1]
    }
}

/// Whether requests came from one address or from several.
#[derive(Debug, Default)]
pub(super) struct AddressCount {
    first: u64,
    has_others: bool,
}

impl AddressCount {
    fn add(&mut self, address: u64) {
        if address == 0 {
            return;
        }
        if self.first == 0 {
            self.first = address;
        } else if self.first != address {
            self.has_others = true;
        }
    }

    /// Whether all requests came from one.
    pub(super) const fn is_single(&self) -> bool {
        self.first != 0 && !self.has_others
    }
}

fn method_number(method: &[u8]) -> u8 {
    let found = METHODS
        .iter()
        .position(|known| known.as_bytes().eq_ignore_ascii_case(method));
    u8::try_from(found.unwrap_or(METHODS.len() - 1)).unwrap_or(0)
}

#[cfg(test)]
mod tests;
