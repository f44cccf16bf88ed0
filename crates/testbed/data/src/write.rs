//! Writes rows as SQL, as CSV, and as text for COPY.

use std::fmt::Write;

use crate::rows::TableRows;
use crate::value::ColumnValue;

/// The number of rows per INSERT.
const ROWS_PER_INSERT: u64 = 500;

/// How names are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotes {
    /// `"name"`.
    Double,
    /// `` `name` ``.
    Back,
}

impl Quotes {
    /// A name in quotes.
    #[must_use]
    pub fn name(self, name: &str) -> String {
        match self {
            Self::Double => format!("\"{}\"", name.replace('"', "\"\"")),
            Self::Back => format!("`{}`", name.replace('`', "``")),
        }
    }

    fn value(self, value: &ColumnValue) -> String {
        match value {
            ColumnValue::Null => "NULL".to_owned(),
            ColumnValue::Number(number) => number.clone(),
            ColumnValue::Bool(value) => value.to_string(),
            ColumnValue::Bytes(bytes) => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                match self {
                    Self::Double => format!("'\\x{digits}'"),
                    Self::Back => format!("x'{digits}'"),
                }
            }
            ColumnValue::Text(text) => {
                let text = text.replace('\'', "''");
                match self {
                    Self::Double => format!("'{text}'"),
                    Self::Back => format!("'{}'", text.replace('\\', "\\\\")),
                }
            }
        }
    }
}

/// The columns of a table, quoted.
#[must_use]
pub fn columns(rows: &TableRows<'_>, quotes: Quotes) -> String {
    let columns = rows.table().columns.iter();
    let names: Vec<String> = columns.map(|column| quotes.name(&column.name)).collect();
    names.join(", ")
}

/// INSERT statements for all rows, in parts.
pub fn inserts<'a>(rows: TableRows<'a>, quotes: Quotes) -> impl Iterator<Item = String> + 'a {
    let head = format!(
        "INSERT INTO {} ({}) VALUES\n",
        quotes.name(&rows.table().name),
        columns(&rows, quotes)
    );
    let parts = rows.count().div_ceil(ROWS_PER_INSERT);
    (0..parts).map(move |part| {
        let mut text = head.clone();
        let from = part * ROWS_PER_INSERT;
        let to = (from + ROWS_PER_INSERT).min(rows.count());
        for row in from..to {
            let values: Vec<String> = rows.row(row).iter().map(|v| quotes.value(v)).collect();
            let end = if row + 1 == to { ";" } else { "," };
            let _ = writeln!(text, "({}){end}", values.join(", "));
        }
        text
    })
}

/// A row in COPY's text format.
pub fn copy_row(values: &[ColumnValue], text: &mut String) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            text.push('\t');
        }
        match value {
            ColumnValue::Null => text.push_str("\\N"),
            ColumnValue::Number(number) => text.push_str(number),
            ColumnValue::Bool(value) => text.push(if *value { 't' } else { 'f' }),
            ColumnValue::Bytes(bytes) => {
                text.push_str("\\\\x");
                for byte in bytes {
                    let _ = write!(text, "{byte:02x}");
                }
            }
            ColumnValue::Text(plain) => {
                for c in plain.chars() {
                    match c {
                        '\\' => text.push_str("\\\\"),
                        '\t' => text.push_str("\\t"),
                        '\n' => text.push_str("\\n"),
                        '\r' => text.push_str("\\r"),
                        other => text.push(other),
                    }
                }
            }
        }
    }
    text.push('\n');
}

/// A row of CSV (RFC 4180) with its line end.
#[must_use]
pub fn csv_row(values: &[ColumnValue]) -> String {
    let cells: Vec<String> = values
        .iter()
        .map(|value| match value {
            ColumnValue::Null => String::new(),
            ColumnValue::Number(number) => number.clone(),
            ColumnValue::Bool(value) => value.to_string(),
            ColumnValue::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            ColumnValue::Text(text) => csv_text(text),
        })
        .collect();
    cells.join(",") + "\n"
}

/// A cell of CSV, quoted if necessary.
#[must_use]
pub fn csv_text(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_escapes_what_would_break_it() {
        let values = [
            ColumnValue::Text("a\t'\\,\"\n".to_owned()),
            ColumnValue::Null,
            ColumnValue::Bytes(vec![0, 255]),
            ColumnValue::Bool(true),
        ];
        let mut copy = String::new();
        copy_row(&values, &mut copy);
        assert_eq!(copy, "a\\t'\\\\,\"\\n\t\\N\t\\\\x00ff\tt\n");
        assert_eq!(csv_row(&values), "\"a\t'\\,\"\"\n\",,00ff,true\n");
        assert_eq!(Quotes::Double.value(&values[0]), "'a\t''\\,\"\n'");
        assert_eq!(Quotes::Back.value(&values[0]), "'a\t''\\\\,\"\n'");
        assert_eq!(Quotes::Back.name("a`b"), "`a``b`");
    }
}
