//! Files of k6's `--out json`: read line by line, whatever their length, also compressed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use loadline_report::imported::points::{K6Points, MOST_LINE};
use loadline_text::{Catalog, problem};

use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::written_report::Reported;

/// The first bytes of a compressed file.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Bytes read at a time.
const READ_BUFFER_BYTES: usize = 256 * 1024;

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
    let stem = Path::new(path).file_name().unwrap_or_default();
    let name = stem.to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let name = name.strip_suffix(".json").unwrap_or(name).to_owned();
    let (document, json, seconds) = points.document(path, catalog);
    Ok(Some(Reported {
        name,
        document,
        json,
        seconds,
    }))
}
