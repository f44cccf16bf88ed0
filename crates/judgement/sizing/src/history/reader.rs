//! Splits bytes into lines, parses them and adds up their requests.

use std::collections::BTreeMap;

use loadline_metrics::Histogram;

use super::clients::{ClientRequest, Clients};
use super::entry::{LogEntry, hash};
use super::fields::FieldMapping;
use super::formats::{AccessLogFormat, FileForm, Format, Lines};
use super::order::{DISORDER_SECONDS_MAX, RequestOrder};
use super::templates::Templates;
use super::timeline::Timeline;
use super::troubles::{LineProblem, LineProblems};

/// Longer lines are skipped.
const LONGEST_LINE: usize = 64 * 1024;
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

/// A file that is being read.
#[derive(Debug)]
struct LogFile {
    id: usize,
    name: String,
    /// The number of its last line.
    line: u64,
    /// The start of an unfinished line.
    partial: Vec<u8>,
    /// Whether the rest of a line that is too long is being skipped.
    skipping: bool,
    /// Its first lines, until its fields are known.
    held: Vec<HeldLine>,
    is_probed: bool,
    form: FileForm,
    /// The format of its first valid line.
    format: Option<Format>,
    latest: i64,
}

impl LogFile {
    fn new(id: usize, name: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            line: 0,
            partial: Vec::new(),
            skipping: false,
            held: Vec::new(),
            is_probed: false,
            form: FileForm::default(),
            format: None,
            latest: i64::MIN,
        }
    }
}

/// Reads logs and adds them up. Several files are read side by side: [`LogReader::next_file`]
/// says which goes on.
#[derive(Debug, Default)]
pub struct LogReader {
    fields: FieldMapping,
    pub(super) lines: Lines,
    /// Files that have begun and not ended.
    files: Vec<LogFile>,
    begun: usize,
    order: RequestOrder,
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

    /// The earliest time in the first lines of a file, in seconds since 1970; `None` if there is
    /// none. `head` is what the file begins with.
    #[must_use]
    pub fn first_time(&self, head: &[u8]) -> Option<i64> {
        let mut lines = self.lines.begin_again();
        let mut first: Option<i64> = None;
        for (index, line) in head.split(|b| *b == b'\n').take(PROBED_LINES).enumerate() {
            let line = without_marks(line, index == 0);
            if line.is_empty() || lines.take_comment(line) {
                continue;
            }
            if index == 0 && lines.take_heading(line, &self.fields) {
                continue;
            }
            if let Ok((entry, _)) = lines.read(line, &self.fields) {
                first = Some(first.map_or(entry.time, |first| first.min(entry.time)));
            }
        }
        first
    }

    /// Begins another file; its number.
    pub fn begin_file(&mut self, name: &str) -> usize {
        let id = self.begun;
        self.begun += 1;
        self.files.push(LogFile::new(id, name));
        self.order.begin_file(id);
        id
    }

    /// The file that is read on next: of those that have begun and not ended the one that is
    /// behind the others in time. `None` if all have come to the time `until`, at which another
    /// file begins, or if there is none.
    pub fn next_file(&mut self, until: Option<i64>) -> Option<usize> {
        self.order.advance(until, &mut self.clients)
    }

    /// Takes the next bytes of a file.
    pub fn feed(&mut self, id: usize, mut bytes: &[u8]) {
        let Some(mut file) = self.turn_to(id) else {
            return;
        };
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (head, rest) = bytes.split_at(end);
            bytes = &rest[1..];
            if file.skipping {
                file.skipping = false;
                continue;
            }
            if file.partial.is_empty() {
                self.take(&mut file, head);
            } else {
                let mut whole = std::mem::take(&mut file.partial);
                whole.extend_from_slice(head);
                self.take(&mut file, &whole);
                whole.clear();
                file.partial = whole;
            }
        }
        if !file.skipping {
            file.partial.extend_from_slice(bytes);
            if file.partial.len() > LONGEST_LINE {
                file.line += 1;
                self.read += 1;
                self.trouble(LineProblem::TooLong, &file);
                file.skipping = true;
                file.partial = Vec::new();
            }
        }
        std::mem::swap(&mut self.lines.form, &mut file.form);
        self.files.push(file);
    }

    /// Ends a file; `damaged` if it broke off.
    pub fn end_file(&mut self, id: usize, damaged: bool) {
        let Some(mut file) = self.turn_to(id) else {
            return;
        };
        let last = std::mem::take(&mut file.partial);
        if !last.is_empty() && !file.skipping {
            self.take(&mut file, &last);
        }
        self.read_held(&mut file);
        if damaged {
            self.trouble(LineProblem::Damaged, &file);
        }
        self.lines.form = FileForm::default();
        self.order.end_file(id);
    }

    /// Counts the requests that still wait for those of other files.
    pub(super) fn count_waiting(&mut self) {
        self.order.finish(&mut self.clients);
    }

    /// Takes out a file to read on in it.
    fn turn_to(&mut self, id: usize) -> Option<LogFile> {
        let index = self.files.iter().position(|file| file.id == id)?;
        let mut file = self.files.swap_remove(index);
        std::mem::swap(&mut self.lines.form, &mut file.form);
        Some(file)
    }

    fn trouble(&mut self, trouble: LineProblem, file: &LogFile) {
        self.troubles.add(trouble, &file.name, file.line);
    }

    fn take(&mut self, file: &mut LogFile, line: &[u8]) {
        file.line += 1;
        if line.len() > LONGEST_LINE {
            self.read += 1;
            self.trouble(LineProblem::TooLong, file);
            return;
        }
        let line = without_marks(line, file.line == 1);
        if line.is_empty() {
            return;
        }
        if self.lines.take_comment(line) {
            return;
        }
        self.read += 1;
        self.fields.look_for(line);
        if file.line == 1 && self.lines.take_heading(line, &self.fields) {
            self.read -= 1;
            return;
        }
        if file.is_probed {
            self.parse(file, line);
            return;
        }
        file.held.push(HeldLine {
            number: file.line,
            text: line.to_vec(),
        });
        if file.held.len() >= PROBED_LINES {
            self.read_held(file);
        }
    }

    /// Decides by the first lines what their fields are, and reads them.
    fn read_held(&mut self, file: &mut LogFile) {
        if file.is_probed {
            return;
        }
        file.is_probed = true;
        let held = std::mem::take(&mut file.held);
        self.lines
            .decide(held.iter().map(|line| line.text.as_slice()));
        let last = file.line;
        for line in held {
            file.line = line.number;
            self.parse(file, &line.text);
        }
        file.line = last;
    }

    fn parse(&mut self, file: &mut LogFile, line: &[u8]) {
        match self.lines.read(line, &self.fields) {
            Ok((entry, format)) => self.count(file, &entry, format),
            Err(trouble) => {
                let binary = line.iter().any(|b| *b < b' ' && *b != b'\t');
                let trouble = if binary { LineProblem::Binary } else { trouble };
                self.trouble(trouble, file);
            }
        }
    }

    fn count(&mut self, file: &mut LogFile, entry: &LogEntry<'_>, format: Format) {
        self.counted += 1;
        self.formats[format as usize] += 1;
        match file.format {
            None => file.format = Some(format),
            Some(known) if known != format => self.trouble(LineProblem::OtherFormat, file),
            Some(_) => {}
        }
        if entry.time < file.latest.saturating_sub(DISORDER_SECONDS_MAX) {
            self.trouble(LineProblem::Backwards, file);
        }
        file.latest = file.latest.max(entry.time);
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
            let request = ClientRequest {
                client: entry.client,
                time: entry.time,
                request: hash(entry.path, u64::from(method)),
                has_failed: matches!(entry.status, 0 | 408 | 429 | 499 | 500..=599),
                is_late: false,
            };
            self.order.take(file.id, file.latest, request);
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

/// A line without its carriage return, and the first one of a file without its byte order mark.
fn without_marks(line: &[u8], is_first: bool) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let unmarked = is_first.then(|| line.strip_prefix(b"\xef\xbb\xbf"));
    unmarked.flatten().unwrap_or(line)
}

fn method_number(method: &[u8]) -> u8 {
    let found = METHODS
        .iter()
        .position(|known| known.as_bytes().eq_ignore_ascii_case(method));
    u8::try_from(found.unwrap_or(METHODS.len() - 1)).unwrap_or(0)
}

#[cfg(test)]
mod tests;
