//! The compatibility table of `docs/compatibility`: reads the TOML that tests compare with the code, renders the
//! Markdown that people read. Decides nothing about what is supported.

use std::fmt::Write as _;
use std::path::PathBuf;

/// What loadline makes of one name of k6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// As in k6.
    Supported,
    /// There, with a difference that the note names.
    Differs,
    /// Not there; a script that needs it ends before any load is sent.
    Missing,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// `module.k6/http`, `options`, `flags`, ...
    pub section: String,
    /// Name of the function, option, flag, ...
    pub name: String,
    /// What loadline makes of it.
    pub status: Status,
    /// What to know about it; empty when there is nothing.
    pub note: String,
}

/// The table could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is no TOML.
    #[error("the compatibility table: {0}")]
    Toml(#[from] toml::de::Error),
    /// A status nobody knows.
    #[error(
        "the compatibility table: {section}, {name}: {text:?} is not supported, differs or missing"
    )]
    Status {
        /// Section of the row.
        section: String,
        /// Name of the row.
        name: String,
        /// What stands there.
        text: String,
    },
}

/// The command that renders the page, as CONTRIBUTING has it.
pub const RENDER: &str =
    "cargo run --profile suite --features loadline-cli/as-tested --bin render-compatibility";

/// Path of the TOML in this repository.
#[must_use]
pub fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/compatibility/k6.toml")
}

/// Path of the Markdown in this repository.
#[must_use]
pub fn rendered() -> PathBuf {
    source().with_extension("md")
}

/// All rows, in the order of the file.
///
/// # Errors
/// When the text is no TOML or a status is unknown.
pub fn rows(text: &str) -> Result<Vec<Row>, TableError> {
    let table: toml::Table = text.parse()?;
    let mut rows = Vec::new();
    walk("", &table, &mut rows)?;
    Ok(rows)
}

fn walk(section: &str, table: &toml::Table, rows: &mut Vec<Row>) -> Result<(), TableError> {
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) => {
                let path = if section.is_empty() {
                    name.clone()
                } else {
                    format!("{section}.{name}")
                };
                walk(&path, inner, rows)?;
            }
            // Which k6 this is about.
            _ if section.is_empty() => {}
            _ => rows.push(row(section, name, value.as_str().unwrap_or_default())?),
        }
    }
    Ok(())
}

fn row(section: &str, name: &str, text: &str) -> Result<Row, TableError> {
    let (word, note) = text.split_once(": ").unwrap_or((text, ""));
    let status = match word {
        "supported" => Status::Supported,
        "differs" => Status::Differs,
        "missing" => Status::Missing,
        _ => {
            let (section, name) = (section.to_owned(), name.to_owned());
            return Err(TableError::Status {
                section,
                name,
                text: text.to_owned(),
            });
        }
    };
    Ok(Row {
        section: section.to_owned(),
        name: name.to_owned(),
        status,
        note: note.to_owned(),
    })
}

/// The table as Markdown.
#[must_use]
pub fn render(rows: &[Row]) -> String {
    let count = |status| rows.iter().filter(|row| row.status == status).count();
    let mut text = format!(
        "# k6 v2.2 and loadline\n\nRendered from `k6.toml`. {} names: {} supported, {} differ, {} missing. What is missing ends a test \
         before any load is sent,\nwith the place in the script and what to do instead.\n",
        rows.len(),
        count(Status::Supported),
        count(Status::Differs),
        count(Status::Missing)
    );
    let mut section = "";
    for row in rows {
        if row.section != section {
            section = &row.section;
            let title = section
                .strip_prefix("module.")
                .unwrap_or(section)
                .replace('_', " ");
            let _infallible = write!(
                text,
                "\n## {title}\n\n| name | status | note |\n|---|---|---|\n"
            );
        }
        let status = match row.status {
            Status::Supported => "supported",
            Status::Differs => "differs",
            Status::Missing => "missing",
        };
        let _infallible = writeln!(text, "| `{}` | {status} | {} |", row.name, row.note);
    }
    text
}
