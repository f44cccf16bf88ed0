//! Rows of comma-separated values (RFC 4180), with the errors of Go's reader.

use std::rc::Rc;

use crate::modules::fs::File;

/// How rows are read.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) delimiter: u8,
    pub(super) skip_first_line: bool,
    pub(super) from_line: Option<i64>,
    pub(super) to_line: Option<i64>,
    pub(super) as_objects: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            delimiter: b',',
            skip_first_line: false,
            from_line: None,
            to_line: None,
            as_objects: false,
        }
    }
}

impl Options {
    fn check(&self) -> Result<(), String> {
        let header = "the 'header' option cannot be enabled when";
        if self.as_objects && self.skip_first_line {
            return Err(format!("{header} 'skipFirstLine' is true"));
        }
        if self.as_objects && self.from_line.is_some_and(|line| line > 0) {
            return Err(format!(
                "{header} 'fromLine' is set to a value greater than 0"
            ));
        }
        for (name, line) in [("fromLine", self.from_line), ("toLine", self.to_line)] {
            if let Some(line) = line.filter(|line| *line < 0) {
                return Err(format!(
                    "the '{name}' option must be greater than or equal to 0; got {line}"
                ));
            }
        }
        Ok(())
    }
}

/// A row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Row {
    Fields(Vec<String>),
    /// Names of columns and fields, in the order of columns.
    Named(Vec<(String, String)>),
}

/// The rows of a file that were asked for.
pub(super) struct Rows {
    records: Records<Rc<File>>,
    options: Options,
    line: i64,
    columns: Vec<String>,
}

impl Rows {
    /// Skips to the first row.
    ///
    /// # Errors
    /// k6's words.
    pub(super) fn new(file: Rc<File>, options: Options) -> Result<Self, String> {
        options.check()?;
        let records = Records::new(file, options.delimiter);
        let mut rows = Self {
            records,
            options,
            line: 0,
            columns: Vec::new(),
        };
        if rows.options.as_objects {
            rows.columns = rows
                .skip()
                .map_err(|why| format!("failed to read the first line; reason: {why}"))?;
        }
        let from = rows.options.from_line.unwrap_or(0);
        if rows.options.skip_first_line && from == 0 {
            rows.skip()
                .map_err(|why| format!("failed to skip the first line; reason: {why}"))?;
        }
        while rows.line < from {
            rows.skip()
                .map_err(|why| format!("failed to skip lines until line {from}; reason: {why}"))?;
        }
        Ok(rows)
    }

    fn skip(&mut self) -> Result<Vec<String>, String> {
        let record = self.records.next()?.ok_or("EOF")?;
        self.line += 1;
        Ok(record)
    }

    /// The next row.
    ///
    /// # Errors
    /// Go's words.
    pub(super) fn next(&mut self) -> Result<Option<Row>, String> {
        if self
            .options
            .to_line
            .is_some_and(|to| to > 0 && self.line > to)
        {
            return Ok(None);
        }
        let Some(fields) = self.records.next()? else {
            return Ok(None);
        };
        self.line += 1;
        if !self.options.as_objects {
            return Ok(Some(Row::Fields(fields)));
        }
        if fields.len() != self.columns.len() {
            return Err(format!(
                "record length ({}) doesn't match header length ({})",
                fields.len(),
                self.columns.len()
            ));
        }
        Ok(Some(Row::Named(
            self.columns.iter().cloned().zip(fields).collect(),
        )))
    }
}

/// Where bytes come from: all there are at the time, none at the end.
pub(super) trait Bytes {
    fn more(&self) -> Vec<u8>;
}

impl Bytes for Rc<File> {
    fn more(&self) -> Vec<u8> {
        self.take_rest()
    }
}

/// Splits bytes into records.
struct Records<B> {
    source: B,
    delimiter: u8,
    bytes: Vec<u8>,
    at: usize,
    line: usize,
    /// How many fields the first record had: all must have as many.
    fields: Option<usize>,
}

const BARE_QUOTE: &str = "bare \" in non-quoted-field";
const QUOTE: &str = "extraneous or missing \" in quoted-field";

impl<B: Bytes> Records<B> {
    const fn new(source: B, delimiter: u8) -> Self {
        Self {
            source,
            delimiter,
            bytes: Vec::new(),
            at: 0,
            line: 0,
            fields: None,
        }
    }

    /// The next line with its end, which is `\n` however it was written; empty at the end.
    fn read_line(&mut self) -> Vec<u8> {
        if self.at == self.bytes.len() {
            // What was read ended with the file; as in Go, that is told once before it is read on.
            let has_ended = !self.bytes.is_empty();
            self.at = 0;
            self.bytes.clear();
            if has_ended {
                return Vec::new();
            }
            self.bytes = self.source.more();
        }
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return Vec::new();
        }
        let end = rest.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(rest.len(), |end| end + 1);
        let mut line = rest[..length].to_vec();
        self.at += length;
        self.line += 1;
        if line.ends_with(b"\r\n") {
            line.truncate(length - 2);
            line.push(b'\n');
        } else if end.is_none() && line.ends_with(b"\r") {
            line.truncate(length - 1);
        }
        line
    }

    fn next(&mut self) -> Result<Option<Vec<String>>, String> {
        if matches!(self.delimiter, b'"' | b'\r' | b'\n' | 0 | 0x80..) {
            return Err("csv: invalid field or comment delimiter".to_owned());
        }
        let line = loop {
            let line = self.read_line();
            if line.is_empty() {
                return Ok(None);
            }
            if line != b"\n" {
                break line;
            }
        };
        let begun = self.line;
        let fields = self.split(line)?;
        if *self.fields.get_or_insert(fields.len()) != fields.len() {
            return Err(format!("record on line {begun}: wrong number of fields"));
        }
        Ok(Some(fields))
    }

    fn split(&mut self, line: Vec<u8>) -> Result<Vec<String>, String> {
        let begun = self.line;
        let wrong = |line: usize, column: usize, what: &str| {
            let at = format!("parse error on line {line}, column {column}: {what}");
            if line == begun {
                at
            } else {
                format!("record on line {begun}; {at}")
            }
        };
        let (mut line, mut at) = (line, 0);
        let mut fields = Vec::new();
        loop {
            if line.get(at) != Some(&b'"') {
                let rest = &line[at..];
                let comma = rest.iter().position(|byte| *byte == self.delimiter);
                let field = match comma {
                    Some(comma) => &rest[..comma],
                    None => without_end(rest),
                };
                if let Some(quote) = field.iter().position(|byte| *byte == b'"') {
                    return Err(wrong(self.line, at + quote + 1, BARE_QUOTE));
                }
                fields.push(text(field));
                match comma {
                    Some(comma) => at += comma + 1,
                    None => return Ok(fields),
                }
                continue;
            }
            let mut field = Vec::new();
            at += 1;
            loop {
                let rest = &line[at..];
                let Some(quote) = rest.iter().position(|byte| *byte == b'"') else {
                    field.extend_from_slice(rest);
                    at = line.len();
                    let next = self.read_line();
                    if next.is_empty() {
                        return Err(wrong(self.line, at + 1, QUOTE));
                    }
                    (line, at) = (next, 0);
                    continue;
                };
                field.extend_from_slice(&rest[..quote]);
                at += quote + 1;
                match line.get(at) {
                    Some(b'"') => {
                        field.push(b'"');
                        at += 1;
                    }
                    Some(byte) if *byte == self.delimiter => {
                        at += 1;
                        fields.push(text(&field));
                        break;
                    }
                    None | Some(b'\n') => {
                        fields.push(text(&field));
                        return Ok(fields);
                    }
                    Some(_) => return Err(wrong(self.line, at, QUOTE)),
                }
            }
        }
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

fn text(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    impl Bytes for RefCell<Vec<u8>> {
        fn more(&self) -> Vec<u8> {
            self.take()
        }
    }

    fn read(text: &str) -> Result<Vec<Vec<String>>, String> {
        let mut records = Records::new(RefCell::new(text.as_bytes().to_vec()), b',');
        let mut all = Vec::new();
        while let Some(record) = records.next()? {
            all.push(record);
        }
        Ok(all)
    }

    #[test]
    fn quotes_hold_commas_quotes_and_line_ends() {
        let rows = read("a,\"b,\"\"c\"\"\r\nd\"\r\n\n,x").expect("well formed");
        assert_eq!(rows, [["a", "b,\"c\"\nd"], ["", "x"]]);
    }

    #[test]
    fn errors_name_their_place() {
        let error = |text| read(text).expect_err("malformed");
        assert_eq!(
            error("a,b\nc\n"),
            "record on line 2: wrong number of fields"
        );
        assert_eq!(
            error("a\"b"),
            "parse error on line 1, column 2: bare \" in non-quoted-field"
        );
        assert_eq!(
            error("\"a\"b"),
            "parse error on line 1, column 3: extraneous or missing \" in quoted-field"
        );
    }
}
