//! A table with a heading; its cells are separated by commas, semicolons or tabs.

use super::super::clock;
use super::super::entry::{LogEntry, hash};
use super::super::fields::{Field, FieldDuration, FieldMapping, NeighbourFields};
use super::super::troubles::LineProblem;
use super::{path_of, request, status};

/// How many cells of a row are parsed.
const MOST_CELLS: usize = 64;

/// The meaning of each column.
#[derive(Debug)]
pub(super) struct Heading {
    separator: u8,
    time: usize,
    method: Option<usize>,
    path: Option<usize>,
    request: Option<usize>,
    status: Option<usize>,
    /// Its column, and its name's order of preference.
    duration: Option<(usize, usize)>,
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
                let (field, rank) = fields.find(cell.trim_ascii())?;
                (field == wanted).then_some((rank, index))
            });
            ranked.min()
        };
        let ranked = column;
        let column = |wanted: Field| ranked(wanted).map(|(_, index)| index);
        let (path, request) = (column(Field::Path), column(Field::Request));
        path.or(request)?;
        Some(Self {
            separator,
            time: column(Field::Time)?,
            method: column(Field::Method),
            path,
            request,
            status: column(Field::Status),
            duration: ranked(Field::Duration).map(|(rank, index)| (index, rank)),
            client: column(Field::Client),
        })
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
        let duration = self.duration.and_then(|(index, rank)| {
            let text = cell(Some(index)).filter(|text| *text != b"-")?;
            Some(fields.duration(rank, text, NeighbourFields::default()))
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
