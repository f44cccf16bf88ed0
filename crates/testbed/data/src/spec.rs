//! The data file.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::DataError;

/// A data file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSpec {
    /// `postgres://user@host:port/name` or `mysql://...`.
    pub database: String,
    /// The schema the tables are in; `public` for PostgreSQL, the database for MySQL.
    #[serde(default)]
    pub schema: Option<String>,
    /// The same seed always gives the same rows.
    #[serde(default)]
    pub seed: u64,
    /// The language of generated texts.
    #[serde(default)]
    pub language: TextLang,
    /// Tables and their rows.
    pub tables: BTreeMap<String, TableSpec>,
    /// Files of ids to write.
    #[serde(default)]
    pub payloads: Vec<IdFileSpec>,
}

/// The language of generated texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextLang {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

/// A table to fill.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// How many rows.
    pub rows: u64,
    /// Settings of columns.
    #[serde(default)]
    pub columns: BTreeMap<String, ColumnSpec>,
}

/// Settings of a column.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnSpec {
    /// For a foreign key: 0 distributes rows evenly over parents; the closer to 1, the fewer
    /// parents get most rows.
    pub skew: Option<f64>,
    /// The values to choose from.
    pub values: Vec<serde_json::Value>,
    /// Numbers from the first to the second.
    pub range: Option<(i64, i64)>,
    /// The share of null values, in a column that may be null.
    pub nulls: Option<f64>,
}

/// A file of ids.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdFileSpec {
    /// Where to write it.
    pub file: String,
    /// The table.
    pub table: String,
    /// Which columns.
    pub columns: Vec<String>,
    /// How many rows, shuffled and without repetition; all by default.
    #[serde(default)]
    pub rows: Option<u64>,
}

/// The highest number of rows of a table.
const MOST_ROWS: u64 = 1_000_000_000;

impl DataSpec {
    /// Reads YAML or JSON.
    ///
    /// # Errors
    /// [`DataError::Spec`].
    pub fn parse(text: &str) -> Result<Self, DataError> {
        let spec: Self = serde_saphyr::from_str(text).map_err(|error| {
            let text = error.to_string();
            DataError::Spec(text.lines().next().unwrap_or_default().to_owned())
        })?;
        if spec.tables.is_empty() {
            return Err(DataError::Spec("there is no table".to_owned()));
        }
        for (name, table) in &spec.tables {
            if table.rows > MOST_ROWS {
                let text = format!("tables.{name}.rows is more than {MOST_ROWS}");
                return Err(DataError::Spec(text));
            }
            for (column, said) in &table.columns {
                let place = format!("tables.{name}.columns.{column}");
                let within = |share: f64| (0.0..=1.0).contains(&share);
                if said.skew.is_some_and(|skew| !(0.0..1.0).contains(&skew)) {
                    let text = format!("{place}.skew is not from 0 up to below 1");
                    return Err(DataError::Spec(text));
                }
                if said.nulls.is_some_and(|share| !within(share)) {
                    return Err(DataError::Spec(format!("{place}.nulls is not from 0 to 1")));
                }
                if said.range.is_some_and(|(from, to)| from > to) {
                    return Err(DataError::Spec(format!(
                        "{place}.range ends before it begins"
                    )));
                }
            }
        }
        for payload in &spec.payloads {
            if !spec.tables.contains_key(&payload.table) {
                let text = format!("payload {}: no table `{}`", payload.file, payload.table);
                return Err(DataError::Spec(text));
            }
        }
        Ok(spec)
    }

    /// The settings of a column.
    pub(crate) fn column(&self, table: &str, column: &str) -> Option<&ColumnSpec> {
        self.tables.get(table)?.columns.get(column)
    }
}
