//! Parses comma-separated values by the rules of csv-parse 4: quoted values may contain anything,
//! quotes in them are doubled, all rows have the same number of values, numbers are converted.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::model::CsvOptions;
use crate::text::{json_number, number_text, text_to_number};

/// Why a file of rows is malformed. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CsvError {
    /// A row is shorter or longer than the first.
    #[error("line {line}: {found} values, and {expected} before")]
    Width {
        line: usize,
        found: usize,
        expected: usize,
    },
    /// The file ends within quotes.
    #[error("line {line}: a quote is not closed")]
    UnclosedQuote { line: usize },
    /// A value goes on after its closing quote.
    #[error("line {line}: something follows a closing quote")]
    AfterClosingQuote { line: usize },
    /// A value that does not begin with a quote has one.
    #[error("line {line}: a quote stands within a value that does not begin with one")]
    QuoteInValue { line: usize },
}

/// A file of rows, parsed.
#[derive(Debug)]
pub(crate) struct CsvTable {
    pub(crate) rows: Vec<Vec<Value>>,
    /// Columns with a text of digits that is another number, and the first such text of each.
    pub(crate) changed: BTreeMap<usize, String>,
}

/// The rows of a file alone.
#[cfg(test)]
pub(crate) fn rows(text: &str, options: &CsvOptions) -> Result<Vec<Vec<Value>>, CsvError> {
    table(text, options).map(|table| table.rows)
}

/// Parses a file of rows.
///
/// # Errors
/// [`CsvError`] if quotes or numbers of values are wrong.
pub(crate) fn table(text: &str, options: &CsvOptions) -> Result<CsvTable, CsvError> {
    let mut reader = Reader {
        changed: BTreeMap::new(),
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 1,
        options,
    };
    let mut rows: Vec<Vec<Value>> = Vec::new();
    let mut width = None;
    let mut is_first = true;
    while !reader.rest.is_empty() {
        let line = reader.line;
        let skipped = options.skip_header && std::mem::take(&mut is_first);
        is_first = false;
        if reader.skip_comment() {
            continue;
        }
        let (row, is_blank) = reader.row()?;
        if skipped {
            reader.changed.clear();
        }
        if skipped || (is_blank && options.skip_empty) {
            continue;
        }
        let expected = *width.get_or_insert(row.len());
        if row.len() != expected && !options.relax_columns {
            return Err(CsvError::Width {
                line,
                found: row.len(),
                expected,
            });
        }
        rows.push(row);
    }
    Ok(CsvTable {
        rows,
        changed: reader.changed,
    })
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
    options: &'t CsvOptions,
    changed: BTreeMap<usize, String>,
}

impl Reader<'_> {
    fn skip_comment(&mut self) -> bool {
        let Some(mark) = &self.options.comment else {
            return false;
        };
        if !self.rest.starts_with(mark.as_str()) {
            return false;
        }
        let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        self.rest = &self.rest[end..];
        self.line += 1;
        true
    }

    /// A row, and whether its line is empty.
    fn row(&mut self) -> Result<(Vec<Value>, bool), CsvError> {
        let mut row = Vec::new();
        loop {
            let (text, quoted) = self.value()?;
            if self.options.cast && changes_as_number(text.trim()) {
                let first = self.changed.entry(row.len());
                first.or_insert_with(|| text.trim().to_owned());
            }
            row.push(self.cast(text, quoted));
            if let Some(after) = self.rest.strip_prefix(self.options.delimiter.as_str()) {
                self.rest = after;
                continue;
            }
            let is_blank = !quoted
                && row.len() == 1
                && matches!(&row[0], Value::String(text) if text.is_empty());
            for ending in ["\r\n", "\n", "\r"] {
                if let Some(after) = self.rest.strip_prefix(ending) {
                    self.rest = after;
                    break;
                }
            }
            self.line += 1;
            return Ok((row, is_blank));
        }
    }

    fn value(&mut self) -> Result<(String, bool), CsvError> {
        let start = if self.options.trim {
            self.rest.trim_start_matches([' ', '\t'])
        } else {
            self.rest
        };
        if start.starts_with(self.options.quote) {
            self.rest = start;
            return self.quoted();
        }
        let trims = self.options.trim;
        let text = self.unquoted()?;
        let text = if trims { text.trim() } else { text };
        Ok((text.to_owned(), false))
    }

    /// The text up to the next separator.
    fn unquoted(&mut self) -> Result<&str, CsvError> {
        // Looks at each character once. A search for each separator would read the whole file for
        // each value if one does not occur.
        let delimiter = self.options.delimiter.as_str();
        let ends = |(at, c): &(usize, char)| {
            matches!(c, '\n' | '\r') || self.rest[*at..].starts_with(delimiter)
        };
        let end = self.rest.char_indices().find(ends);
        let end = end.map_or(self.rest.len(), |(at, _)| at);
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        if !self.options.relax_quotes && text.contains(self.options.quote) {
            return Err(CsvError::QuoteInValue { line: self.line });
        }
        Ok(text)
    }

    fn quoted(&mut self) -> Result<(String, bool), CsvError> {
        let quote = self.options.quote;
        let opened = self.line;
        let mut out = String::new();
        let mut chars = self.rest.char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            if c != quote {
                self.line += usize::from(c == '\n');
                out.push(c);
                continue;
            }
            if chars.next_if(|(_, next)| *next == quote).is_some() {
                out.push(quote);
                continue;
            }
            let after = &self.rest[at + quote.len_utf8()..];
            let after = if self.options.trim {
                after.trim_start_matches([' ', '\t'])
            } else {
                after
            };
            let ends = after.is_empty()
                || after.starts_with(self.options.delimiter.as_str())
                || after.starts_with(['\n', '\r']);
            if !ends {
                if !self.options.relax_quotes {
                    return Err(CsvError::AfterClosingQuote { line: self.line });
                }
                // csv-parse keeps both quotes then, and the value ends at the next separator.
                self.rest = &self.rest[at + quote.len_utf8()..];
                let more = self.unquoted()?;
                return Ok((format!("{quote}{out}{quote}{more}"), true));
            }
            self.rest = after;
            return Ok((out, true));
        }
        Err(CsvError::UnclosedQuote { line: opened })
    }

    /// Converts numbers, as csv-parse's `cast` does, even in quotes.
    fn cast(&self, text: String, _quoted: bool) -> Value {
        if !self.options.cast {
            return Value::String(text);
        }
        let trimmed = text.trim();
        if is_prefixed_number(trimmed) {
            // csv-parse sees that it is a number, and then reads what stands before the letter.
            return json_number(0.0);
        }
        let plain = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
        let is_number = plain.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && plain.bytes().any(|b| b.is_ascii_digit())
            && plain
                .bytes()
                .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        let number = if is_number {
            text_to_number(trimmed)
        } else {
            f64::NAN
        };
        if number.is_finite() {
            json_number(number)
        } else {
            Value::String(text)
        }
    }
}

/// Whether it is digits, and its number written again is not the same digits: leading zeros, a plus
/// sign of a telephone number, and what lies behind the sixteenth digit get lost.
fn changes_as_number(text: &str) -> bool {
    /// Shorter whole numbers are exact.
    const EXACT_DIGITS: usize = 15;
    let digits = text.strip_prefix('+').unwrap_or(text);
    let may_change = text.starts_with(['0', '+']) || digits.len() > EXACT_DIGITS;
    may_change
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && number_text(text_to_number(text)) != text
}

/// Whether JavaScript reads it as a number in another base: `0x1f`, `0b1`, `0o17`.
fn is_prefixed_number(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('0') else {
        return false;
    };
    let radix = match rest
        .chars()
        .next()
        .map(|letter| letter.to_ascii_lowercase())
    {
        Some('x') => 16,
        Some('o') => 8,
        Some('b') => 2,
        _ => return false,
    };
    let digits = &rest[1..];
    !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Artillery sends them changed, too, and says nothing.
    #[test]
    fn columns_whose_digits_are_another_number_are_told() {
        let text = "01012345678,7,+8210,9007199254740993,0,0.50,b\n1,08,+1,1,00,1,01b\n";
        let changed = table(text, &options()).unwrap().changed;
        let told: Vec<_> = changed
            .iter()
            .map(|(at, text)| (*at, text.as_str()))
            .collect();
        let expected = [
            (0, "01012345678"),
            (1, "08"),
            (2, "+8210"),
            (3, "9007199254740993"),
            (4, "00"),
        ];
        assert_eq!(told, expected);
        let kept = CsvOptions {
            cast: false,
            ..options()
        };
        assert!(table(text, &kept).unwrap().changed.is_empty());
        let heading = CsvOptions {
            skip_header: true,
            ..options()
        };
        assert!(table("01\n1\n", &heading).unwrap().changed.is_empty());
    }

    fn options() -> CsvOptions {
        CsvOptions {
            delimiter: ",".to_owned(),
            cast: true,
            skip_empty: true,
            skip_header: false,
            quote: '"',
            trim: false,
            comment: None,
            relax_columns: false,
            relax_quotes: false,
        }
    }

    fn read(text: &str) -> Value {
        json!(rows(text, &options()).unwrap())
    }

    #[test]
    fn rows_are_read_as_csv_parse_reads_them() {
        assert_eq!(read("1,a\n2,b"), json!([[1, "a"], [2, "b"]]));
        assert_eq!(
            read("007,1.50,-3\r\n8,x y,\r\n"),
            json!([[7, 1.5, -3], [8, "x y", ""]])
        );
        assert_eq!(read("\"a,\"\"b\"\"\nc\",2\n\n"), json!([["a,\"b\"\nc", 2]]));
        assert_eq!(read("0x1f,0b1,0xg,0x"), json!([[0, 0, "0xg", "0x"]]));
        assert_eq!(read("\u{feff}x\ny"), json!([["x"], ["y"]]));
    }

    #[test]
    fn options_change_what_is_read() {
        let mut other = options();
        other.skip_header = true;
        other.delimiter = ";".to_owned();
        other.cast = false;
        assert_eq!(
            json!(rows("id;name\n01;b\n", &other).unwrap()),
            json!([["01", "b"]])
        );
    }

    #[test]
    fn mistakes_name_their_line() {
        let error = |text: &str| rows(text, &options()).unwrap_err().to_string();
        assert_eq!(error("1,2\n3"), "line 2: 1 values, and 2 before");
        assert_eq!(error("1\n\"a"), "line 2: a quote is not closed");
        assert_eq!(error("\"a\"b"), "line 1: something follows a closing quote");
        assert_eq!(
            error("a\nLee \"x\""),
            "line 2: a quote stands within a value that does not begin with one"
        );
    }

    #[test]
    fn relaxed_quotes_are_part_of_the_value() {
        let mut relaxed = options();
        relaxed.relax_quotes = true;
        let read = |text: &str| json!(rows(text, &relaxed).unwrap());
        assert_eq!(
            read("a\"b,\"c\"d,e\"f\"g\nx,\"y\"z\"w,\"\"\n"),
            json!([["a\"b", "\"c\"d", "e\"f\"g"], ["x", "\"y\"z\"w", ""]])
        );
    }
}
