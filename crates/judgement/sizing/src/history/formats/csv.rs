//! A table with a heading; its cells are separated by commas, semicolons or tabs.

use super::super::clock;
use super::super::entry::{LogEntry, hash};
use super::super::fields::{Field, FieldDuration, FieldMapping, FoundField, NeighbourFields};
use super::super::troubles::LineProblem;
use super::{path_of, request, status};

/// How many cells of a row are parsed.
const MOST_CELLS: usize = 64;

/// The column of durations.
#[derive(Debug)]
struct DurationColumn {
    index: usize,
    found: FoundField,
    head: String,
}

/// The meaning of each column.
#[derive(Debug)]
pub(super) struct Heading {
    separator: u8,
    time: usize,
    method: Option<usize>,
    path: Option<usize>,
    request: Option<usize>,
    status: Option<usize>,
    duration: Option<DurationColumn>,
    client: Option<usize>,
}

impl Heading {
    /// Parses a heading that names at least a time and a path or request; `None` if the line does
    /// not.
    pub(super) fn read(line: &[u8], fields: &FieldMapping) -> Option<Self> {
        let separator = *[b',', b';', b'\t'].iter().find(|s| line.contains(s))?;
        let mut cells = [&b""[..]; MOST_CELLS];
        let count = split(line, separator, &mut cells);
        let column = |wanted: Field| {
            let cells = cells[..count].iter().enumerate();
            let ranked = cells.filter_map(|(index, cell)| {
                let found = fields.find(cell.trim_ascii())?;
                (found.field == wanted).then_some((index, found))
            });
            ranked.min_by_key(|(index, found)| (found.rank, *index))
        };
        let ranked = column;
        let column = |wanted: Field| ranked(wanted).map(|(index, _)| index);
        let (path, request) = (column(Field::Path), column(Field::Request));
        path.or(request)?;
        Some(Self {
            separator,
            time: column(Field::Time)?,
            method: column(Field::Method),
            path,
            request,
            status: column(Field::Status),
            duration: ranked(Field::Duration).map(|(index, found)| DurationColumn {
                index,
                found,
                head: String::from_utf8_lossy(cells[index].trim_ascii()).into_owned(),
            }),
            client: column(Field::Client),
        })
    }

    /// What the column of durations is called.
    pub(super) fn duration_head(&self) -> Option<&str> {
        self.duration.as_ref().map(|column| column.head.as_str())
    }

    /// Parses a row.
    pub(super) fn row<'a>(
        &self,
        line: &'a [u8],
        fields: &FieldMapping,
    ) -> Result<(LogEntry<'a>, Option<FieldDuration<'a>>), LineProblem> {
        let mut cells = [&b""[..]; MOST_CELLS];
        let count = split(line, self.separator, &mut cells);
        let cells = &cells[..count];
        let cell = |index: Option<usize>| {
            let text = cells.get(index?)?.trim_ascii();
            (!text.is_empty()).then_some(text)
        };
        let time = cell(Some(self.time)).ok_or(LineProblem::Unreadable)?;
        let (time, offset) = clock::read_any(time).ok_or(LineProblem::Time)?;
        let (method, path) = match (cell(self.path), cell(self.request)) {
            (Some(path), _) => {
                let method = cell(self.method).unwrap_or(b"GET");
                (method, path_of(path).ok_or(LineProblem::Request)?)
            }
            (None, Some(text)) => request(text).ok_or(LineProblem::Request)?,
            (None, None) => return Err(LineProblem::Request),
        };
        let duration = self.duration.as_ref().and_then(|column| {
            let text = cell(Some(column.index)).filter(|text| *text != b"-")?;
            Some(fields.duration(column.found, text, NeighbourFields::default()))
        });
        let client = cell(self.client).map_or(0, |text| hash(text, 0));
        let entry = LogEntry {
            time,
            offset,
            method,
            path,
            status: cell(self.status).and_then(status).unwrap_or(0),
            seconds: duration.and_then(|duration| duration.seconds),
            client,
            address: client,
        };
        Ok((entry, duration))
    }
}

/// Splits a row. Quotes around a cell are removed, doubled quotes inside stay.
fn split<'a>(line: &'a [u8], separator: u8, cells: &mut [&'a [u8]; MOST_CELLS]) -> usize {
    let mut rest = line;
    let mut count = 0;
    while count < MOST_CELLS {
        let (cell, after) = match rest.strip_prefix(b"\"") {
            Some(quoted) => {
                let mut end = 0;
                while let Some(at) = memchr::memchr(b'"', &quoted[end..]) {
                    end += at;
                    if quoted.get(end + 1) != Some(&b'"') {
                        break;
                    }
                    end += 2;
                }
                let end = end.min(quoted.len());
                let after = quoted.get(end + 1..).unwrap_or_default();
                (
                    &quoted[..end],
                    memchr::memchr(separator, after).map(|at| &after[at + 1..]),
                )
            }
            None => match memchr::memchr(separator, rest) {
                Some(at) => (&rest[..at], Some(&rest[at + 1..])),
                None => (rest, None),
            },
        };
        cells[count] = cell;
        count += 1;
        match after {
            Some(after) => rest = after,
            None => break,
        }
    }
    count
}
