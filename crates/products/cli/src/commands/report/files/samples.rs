//! Files of k6's `--out json` and `--out csv`: read line by line, whatever their length, also compressed.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use loadline_report::imported::points::{CsvColumns, K6Points, MOST_LINE};
use loadline_text::{Catalog, problem};

use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::written_report::Reported;

/// The first bytes of a compressed file.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Bytes read at a time.
const READ_BUFFER_BYTES: usize = 256 * 1024;
/// The first bytes of a file of `--out csv`.
const CSV_BEGIN: &[u8] = b"metric_name,timestamp,";

/// The report of a file of samples; `None` for any other file.
pub(super) fn read(
    context: &Context,
    path: &str,
    catalog: &Catalog,
) -> Result<Option<Reported>, Refusal> {
    let unread = |error: std::io::Error| Refusal::unread(path, &error);
    let file = File::open(context.working_dir.join(path)).map_err(unread)?;
    let mut file = BufReader::with_capacity(READ_BUFFER_BYTES, file);
    // A folder is found here.
    let is_compressed = file.fill_buf().map_err(unread)?.starts_with(&GZIP_MAGIC);
    let mut lines: Box<dyn BufRead> = if is_compressed {
        Box::new(BufReader::with_capacity(
            READ_BUFFER_BYTES,
            MultiGzDecoder::new(file),
        ))
    } else {
        Box::new(file)
    };
    if lines.fill_buf().map_err(unread)?.starts_with(CSV_BEGIN) {
        return read_csv(lines, path, catalog).map(Some);
    }
    let mut line = Vec::new();
    let mut points = K6Points::default();
    let mut is_first = true;
    loop {
        line.clear();
        let most = MOST_LINE as u64;
        let read = lines.by_ref().take(most).read_until(b'\n', &mut line);
        // The end of a compressed file that was cut.
        let is_torn =
            matches!(&read, Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof);
        if !is_torn {
            read.map_err(unread)?;
        }
        let text = String::from_utf8_lossy(&line);
        if is_first && !K6Points::begins_with(&text) {
            return Ok(None);
        }
        is_first = false;
        let is_whole = line.last() == Some(&b'\n');
        match points.line(&text) {
            Ok(()) => {}
            // The last line of a run that was killed.
            Err(_) if !is_whole && line.len() < MOST_LINE => points.cut(),
            Err(error) => return Err(Refusal::config(problem::report_line(path, error.number))),
        }
        if is_torn {
            points.cut();
        }
        if !is_whole || is_torn {
            break;
        }
    }
    Ok(Some(reported(&points, path, catalog)))
}

fn reported(points: &K6Points, path: &str, catalog: &Catalog) -> Reported {
    let stem = Path::new(path).file_name().unwrap_or_default();
    let name = stem.to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let bare = name.strip_suffix(".json").or(name.strip_suffix(".csv"));
    let name = bare.unwrap_or(name).to_owned();
    let (document, json, seconds) = points.document(path, catalog);
    Reported {
        name,
        document,
        json,
        seconds,
    }
}

/// Input whose records may not be longer than a line: a quote that is never closed makes one of
/// the whole file.
struct BoundedRecords<'a, R> {
    inner: R,
    /// Bytes that may still be read for this record.
    left: &'a Cell<usize>,
}

impl<R: Read> Read for BoundedRecords<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = into.len().min(self.left.get());
        if most == 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let read = self.inner.read(&mut into[..most])?;
        self.left.set(self.left.get() - read);
        Ok(read)
    }
}

/// The report of a file of `--out csv`.
fn read_csv(lines: impl Read, path: &str, catalog: &Catalog) -> Result<Reported, Refusal> {
    let left = Cell::new(MOST_LINE);
    let bounded = BoundedRecords {
        inner: lines,
        left: &left,
    };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(READ_BUFFER_BYTES)
        .from_reader(bounded);
    let mut points = K6Points::default();
    let mut columns = None;
    let mut record = csv::StringRecord::new();
    // A record that holds no sample may be the last of a run that was killed.
    let mut foreign = None;
    loop {
        left.set(MOST_LINE);
        let is_read = match reader.read_record(&mut record) {
            Ok(is_read) => is_read,
            Err(error) => match error.into_kind() {
                csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    points.cut();
                    false
                }
                csv::ErrorKind::Io(error) if error.kind() != io::ErrorKind::InvalidData => {
                    return Err(Refusal::unread(path, &error));
                }
                _ => {
                    return Err(Refusal::config(problem::report_line(
                        path,
                        reader.position().line(),
                    )));
                }
            },
        };
        if !is_read {
            break;
        }
        if let Some(number) = foreign {
            return Err(Refusal::config(problem::report_line(path, number)));
        }
        let Some(columns) = &columns else {
            columns = CsvColumns::from_first(record.iter());
            if columns.is_none() {
                return Err(Refusal::config(problem::report_line(path, 1)));
            }
            continue;
        };
        if points.record(columns, record.iter()).is_err() {
            foreign = record.position().map(csv::Position::line);
        }
    }
    if foreign.is_some() {
        points.cut();
    }
    Ok(reported(&points, path, catalog))
}
