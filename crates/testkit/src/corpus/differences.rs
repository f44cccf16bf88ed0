//! `differences.toml`: the differences that are known, each with its reason.

use std::path::Path;

use serde::Deserialize;

use super::{CorpusError, Finding};

/// One known difference.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// `topic/name`, or `topic/*`.
    pub script: String,
    /// Beginning of what differs, as the comparator names it.
    pub what: String,
    /// Why it is so.
    pub reason: String,
}

/// The table of known differences.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Differences {
    /// Its rows.
    #[serde(default)]
    pub difference: Vec<Difference>,
}

impl Differences {
    /// Reads the table.
    ///
    /// # Errors
    /// When the file is missing or malformed.
    pub fn read(path: &Path) -> Result<Self, CorpusError> {
        let text = std::fs::read_to_string(path).map_err(|error| CorpusError::file(path, error))?;
        toml::from_str(&text).map_err(|error| CorpusError::format(path, error))
    }

    /// The row that explains a finding.
    #[must_use]
    pub fn explain(&self, script: &str, finding: &Finding) -> Option<&Difference> {
        self.difference.iter().find(|row| {
            let named = match row.script.strip_suffix('*') {
                Some(prefix) => script.starts_with(prefix),
                None => script == row.script,
            };
            named && finding.what.starts_with(&row.what)
        })
    }
}
