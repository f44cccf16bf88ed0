//! Reading access logs for `plan`: opens them, unpacks gzip, fills the inputs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

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
const CHUNK_BYTES: usize = 256 * 1024;
/// Bytes in which the heading of a table ends.
const HEADING_BYTES_MAX: u64 = 16 * 1024;
/// How gzip files begin.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

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

/// Reads all `files` one after another; `-` is standard input.
pub(super) fn read(
    context: &Context,
    files: &[String],
    form: LogForm<'_>,
    catalog: &Catalog,
) -> Result<TrafficHistory, Refusal> {
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
    for file in files {
        let opened: Box<dyn Read> = if file == "-" {
            Box::new(io::stdin().lock())
        } else {
            let path = context.working_dir.join(file);
            Box::new(File::open(path).map_err(|error| Refusal::unread(file, &error))?)
        };
        reader.begin_file(file);
        let damaged = feed(&mut reader, opened).map_err(|error| Refusal::unread(file, &error))?;
        reader.end_file(damaged);
    }
    let missing = reader.missing_fields();
    let history = reader.finish();
    if history.lines == 0 {
        return Err(Refusal::config(problem::log_blank(files.join(", "))));
    }
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        return Err(Refusal::config(problem::log_fields_unseen(
            names.join(", "),
        )));
    }
    let has_times = !history.times.is_empty() || !history.refused_times.is_empty();
    if let Some(name) = given_duration.filter(|_| history.requests > 0 && !has_times) {
        return Err(Refusal::config(problem::log_field_missing(name)));
    }
    Ok(history)
}

/// The names of the columns of a table whose heading was not known, with commas between them; `None` of anything else.
pub(super) fn heading(context: &Context, file: &str) -> Option<String> {
    if file == "-" {
        return None;
    }
    let mut line = Vec::new();
    let file = File::open(context.working_dir.join(file)).ok()?;
    let mut start = BufReader::new(file.take(HEADING_BYTES_MAX));
    start.read_until(b'\n', &mut line).ok()?;
    let names = heading_names(String::from_utf8(line).ok()?.trim_end())?;
    Some(printable::line(&names.join(", ")))
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

/// Gives all of a file to the reader; whether its compressed data broke off.
fn feed(reader: &mut LogReader, file: Box<dyn Read>) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(CHUNK_BYTES, file);
    if !file.fill_buf()?.starts_with(&GZIP_MAGIC) {
        loop {
            let bytes = file.fill_buf()?;
            let count = bytes.len();
            if count == 0 {
                return Ok(false);
            }
            reader.feed(bytes);
            file.consume(count);
        }
    }
    let mut unpacked = MultiGzDecoder::new(file);
    let mut bytes = vec![0; CHUNK_BYTES];
    loop {
        match unpacked.read(&mut bytes) {
            Ok(0) => return Ok(false),
            Ok(count) => reader.feed(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Not the disk's: what was unpacked so far counts.
            Err(_) => return Ok(true),
        }
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
    use super::heading_names;

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
