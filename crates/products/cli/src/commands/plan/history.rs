//! Reading access logs for `plan`: opens them, unpacks gzip, fills the inputs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use flate2::bufread::MultiGzDecoder;
use loadline_report::document::printable;
use loadline_sizing::history::{
    AccessLogFormat, FieldMapping, LogFormatError, LogReader, TrafficHistory,
};
use loadline_sizing::{BusiestSpan, PlanInputs};
use loadline_text::{Catalog, Message, plan, problem};

use crate::context::Context;
use crate::refusal::Refusal;

/// Bytes read at a time.
const CHUNK_BYTES: usize = 64 * 1024;
/// So many files of the same time are read side by side; others wait, and what they have of that
/// time comes late. Fewer than a process may usually have open.
const OPEN_FILES_MAX: usize = 200;
/// How deeply nested members of JSON lines are named.
const NESTING_MAX: usize = 4;
/// So many fields of a log are named.
const NAMES_MAX: usize = 40;
/// How gzip files begin.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// What was read of logs.
pub(super) struct ReadLogs {
    pub(super) history: TrafficHistory,
    /// The names of the fields of the first log that has names, with commas between them.
    pub(super) fields: Option<String>,
}

/// What is typed about the form of logs.
#[derive(Clone, Copy)]
pub(super) struct LogForm<'a> {
    /// `--log-format`
    pub(super) format: Option<&'a str>,
    /// `--log-fields`
    pub(super) fields: Option<&'a str>,
}

fn why_not_format(error: &LogFormatError) -> Message {
    match error {
        LogFormatError::Unknown { name } => {
            let known: Vec<&str> = AccessLogFormat::names().collect();
            plan::log_format_unknown(name, known.join(", "))
        }
        LogFormatError::Variable { name } => plan::log_format_variable(name),
        LogFormatError::Adjacent { before, after } => plan::log_format_adjacent(before, after),
        LogFormatError::NoTime => plan::log_format_no_time(),
        LogFormatError::NoRequest => plan::log_format_no_request(),
    }
}

/// Reads all `files` in the order of their times, whichever is named first; `-` is standard input.
pub(super) fn read(
    context: &Context,
    files: &[String],
    form: LogForm<'_>,
    catalog: &Catalog,
) -> Result<ReadLogs, Refusal> {
    let fields = match form.fields {
        None => FieldMapping::default(),
        Some(text) => FieldMapping::parse(text)
            .map_err(|error| Refusal::config(problem::log_fields(error.part)))?,
    };
    let format = match form.format {
        None => AccessLogFormat::default(),
        Some(text) => AccessLogFormat::parse(text).map_err(|error| {
            let why = catalog.text(&why_not_format(&error));
            Refusal::config(problem::log_format(text, why))
        })?,
    };
    let given_duration = fields.given_duration().map(str::to_owned);
    let mut reader = LogReader::new(fields, format);
    let mut logs: Vec<LogFile> = Vec::with_capacity(files.len());
    for file in files {
        let log = LogFile::new(context, file, &reader);
        logs.push(log.map_err(|error| Refusal::unread(file, &error))?);
    }
    let seen = logs.iter_mut().find_map(|log| log.names.take());
    read_in_order(&mut reader, logs)?;
    let missing = reader.missing_fields();
    let history = reader.finish();
    if history.lines == 0 {
        return Err(Refusal::config(problem::log_blank(files.join(", "))));
    }
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        return Err(Refusal::config(match seen {
            Some(seen) => problem::log_fields_absent(names, seen),
            None => problem::log_fields_unseen(names),
        }));
    }
    let has_times = !history.times.is_empty() || !history.refused_times.is_empty();
    if let Some(name) = given_duration.filter(|_| history.requests > 0 && !has_times) {
        return Err(Refusal::config(problem::log_field_missing(name)));
    }
    Ok(ReadLogs {
        history,
        fields: seen,
    })
}

/// The names of the fields of a log that begins so, with commas between them; `None` where they have none.
fn field_names(head: &[u8]) -> Option<String> {
    let line = head.split(|byte| *byte == b'\n').next()?;
    let mut names = match serde_json::from_slice(line) {
        Ok(serde_json::Value::Object(members)) => {
            let mut names = Vec::new();
            member_names("", &members, &mut names);
            names
        }
        _ => heading_names(std::str::from_utf8(line).ok()?.trim_end())?,
    };
    names.truncate(NAMES_MAX);
    Some(printable::line(&names.join(", ")))
}

/// The names of what an object holds; members of objects within it with dots.
fn member_names(
    outer: &str,
    members: &serde_json::Map<String, serde_json::Value>,
    names: &mut Vec<String>,
) {
    for (name, value) in members {
        let name = format!("{outer}{name}");
        match value {
            serde_json::Value::Object(inner) if name.matches('.').count() < NESTING_MAX => {
                member_names(&format!("{name}."), inner, names);
            }
            _ => names.push(name),
        }
    }
}

/// The names in a heading: words between separators, none of which is a number, a time or an object.
fn heading_names(line: &str) -> Option<Vec<String>> {
    let line = line.trim_start_matches('\u{feff}');
    let separator = [';', '\t', ','].into_iter().find(|s| line.contains(*s))?;
    let names: Vec<String> = line
        .split(separator)
        .map(|cell| cell.trim().trim_matches('"').to_owned())
        .collect();
    let is_name = |name: &String| {
        let is_value = |c: char| c.is_ascii_digit() || matches!(c, '{' | '[' | '-' | '/');
        !name.is_empty() && !name.starts_with(is_value)
    };
    (names.len() > 1 && names.iter().all(is_name)).then_some(names)
}

/// Reads logs side by side, each from when the others come to its first time.
fn read_in_order(reader: &mut LogReader, mut waiting: Vec<LogFile>) -> Result<(), Refusal> {
    // The next one is the last.
    waiting.sort_by(|one, other| (other.first, &other.name).cmp(&(one.first, &one.name)));
    let mut open: Vec<(usize, LogFile)> = Vec::new();
    loop {
        let next = waiting.last().filter(|_| open.len() < OPEN_FILES_MAX);
        // Files without any time come first.
        let until = next.map(|log| log.first.unwrap_or(i64::MIN));
        let wanted = reader.next_file(until);
        let Some(place) = open.iter().position(|(id, _)| Some(*id) == wanted) else {
            let Some(log) = waiting.pop() else {
                return Ok(());
            };
            open.push((reader.begin_file(&log.name), log));
            continue;
        };
        let (id, log) = &mut open[place];
        let fed = log.feed(|bytes| reader.feed(*id, bytes));
        match fed.map_err(|error| Refusal::unread(&log.name, &error))? {
            Fed::More => {}
            end => {
                reader.end_file(*id, end == Fed::Damaged);
                open.swap_remove(place);
            }
        }
    }
}

/// How far a file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fed {
    More,
    End,
    /// Its compressed data broke off.
    Damaged,
}

/// A log that is read piece by piece.
struct LogFile {
    name: String,
    path: PathBuf,
    /// The earliest time in its first lines.
    first: Option<i64>,
    /// The names of its fields, if its first line tells them.
    names: Option<String>,
    content: Option<Content>,
}

/// What is in a file.
enum Content {
    Plain(Box<dyn BufRead>),
    Packed(Box<BufReader<MultiGzDecoder<Box<dyn BufRead>>>>),
}

impl LogFile {
    /// Looks at how a log begins. What cannot be opened again, as a pipe, stays open.
    fn new(context: &Context, name: &str, reader: &LogReader) -> io::Result<Self> {
        let path = context.working_dir.join(name);
        let is_file = name != "-" && path.is_file();
        let mut content = Content::new(if name == "-" {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(&path)?)
        })?;
        let head = content.head()?;
        let (first, names) = (reader.first_time(head), field_names(head));
        Ok(Self {
            name: name.to_owned(),
            path,
            first,
            names,
            content: (!is_file).then_some(content),
        })
    }

    /// Gives the next bytes to `take`.
    fn feed(&mut self, take: impl FnOnce(&[u8])) -> io::Result<Fed> {
        let content = match &mut self.content {
            Some(content) => content,
            none => none.insert(Content::new(Box::new(File::open(&self.path)?))?),
        };
        content.feed(take)
    }
}

impl Content {
    fn new(file: Box<dyn Read>) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(CHUNK_BYTES, file);
        if !file.fill_buf()?.starts_with(&GZIP_MAGIC) {
            return Ok(Self::Plain(Box::new(file)));
        }
        let unpacked = MultiGzDecoder::new(Box::new(file) as Box<dyn BufRead>);
        Ok(Self::Packed(Box::new(BufReader::with_capacity(
            CHUNK_BYTES,
            unpacked,
        ))))
    }

    /// What it begins with; nothing of broken data.
    fn head(&mut self) -> io::Result<&[u8]> {
        match self {
            Self::Plain(file) => file.fill_buf(),
            Self::Packed(file) => Ok(file.fill_buf().unwrap_or_default()),
        }
    }

    fn feed(&mut self, take: impl FnOnce(&[u8])) -> io::Result<Fed> {
        let is_packed = matches!(self, Self::Packed(_));
        let bytes = match self {
            Self::Plain(file) => file.fill_buf(),
            Self::Packed(file) => file.fill_buf(),
        };
        let count = match bytes {
            Ok([]) => return Ok(Fed::End),
            Ok(bytes) => {
                take(bytes);
                bytes.len()
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Fed::More),
            // Not the disk's: what was unpacked so far counts.
            Err(_) if is_packed => return Ok(Fed::Damaged),
            Err(error) => return Err(error),
        };
        match self {
            Self::Plain(file) => file.consume(count),
            Self::Packed(file) => file.consume(count),
        }
        Ok(Fed::More)
    }
}

/// Puts what the log says into inputs that were not given; gives the paths seen of each
/// feature.
pub(super) fn fill(inputs: &mut PlanInputs, history: &TrafficHistory) -> Vec<Vec<String>> {
    if inputs.rate.is_none() {
        inputs.busiest = Some(BusiestSpan {
            at: history.minute.at.clone(),
            requests: history.minute.requests,
            seconds: history.minute_seconds(),
        });
    }
    // What a proxy's address does is no person's behaviour.
    if inputs.think_time.is_none() && !history.is_one_address {
        inputs.think_time = history.behaviour.think_time;
    }
    if !inputs.features.is_empty() {
        return Vec::new();
    }
    let (features, samples) = history.features().into_iter().unzip();
    inputs.features = features;
    samples
}

/// Writes the times of each endpoint as a file for `mock`.
pub(super) fn write_mock(
    context: &Context,
    path: &str,
    history: &TrafficHistory,
    catalog: &Catalog,
) -> Result<String, Refusal> {
    let text = history
        .mock_file(catalog)
        .ok_or_else(|| Refusal::config(problem::log_without_times()))?;
    std::fs::write(context.working_dir.join(path), text)
        .map_err(|error| Refusal::other(problem::write_failed(path, error)))?;
    Ok(format!("{}\n", catalog.text(&plan::written_mock(path))))
}

#[cfg(test)]
mod tests {
    use super::{field_names, heading_names};

    /// Seen: a field that no line has, and "look at a line of the log".
    #[test]
    fn fields_of_json_lines_are_named_with_those_within_others() {
        let line = b"{\"ts\":1,\"event\":{\"duration\":5,\"kind\":\"a\"}}\n{\"b\":1}";
        assert_eq!(
            field_names(line).as_deref(),
            Some("ts, event.duration, event.kind")
        );
        assert_eq!(field_names(b"10.0.0.1 - - [28/Nov/2026]"), None);
    }

    /// Seen: "left out, no time that can be read: 120 lines" of a table whose column is called 시각.
    #[test]
    fn a_heading_that_is_not_known_is_told_by_its_names() {
        let names = heading_names("\u{feff}시각,메서드,\"경로\",응답시간(ms)").unwrap();
        assert_eq!(names, ["시각", "메서드", "경로", "응답시간(ms)"]);
        for line in [
            "10.0.0.1 - - [28/Nov/2026:12:00:00 +0900] \"GET /, HTTP/1.1\" 200 5",
            "{\"a\":1,\"b\":2}",
            "2026-11-28T12:00:00Z,GET,/",
            "a word",
            "a,,b",
        ] {
            assert_eq!(heading_names(line), None, "{line}");
        }
    }
}
