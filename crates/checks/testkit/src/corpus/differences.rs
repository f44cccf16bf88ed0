//! `differences.toml`: the differences that are known, each with its reason.

use std::path::Path;

use serde::Deserialize;

use super::{CorpusError, Finding};

/// One known difference.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// `topic/name`, or `topic/*`.
    pub script: String,
    /// Beginning of what differs, as the comparator names it.
    pub what: String,
    /// A part of what k6 showed; with it nothing else of that name is allowed.
    #[serde(default)]
    pub k6: String,
    /// A part of what is shown here.
    #[serde(default)]
    pub here: String,
    /// It shows in some runs only, by chance: such a row need not have been used.
    #[serde(default)]
    pub by_chance: bool,
    /// It shows only under this version of k6's rules, `1.8` or `2.2`.
    #[serde(default)]
    pub only: Option<String>,
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

/// What begins so is text: its row names the text, too.
const TEXTS: [&str; 4] = ["log", "console", "stdout", "file"];

/// A shorter reason says nothing.
const REASON_LENGTH_MIN: usize = 20;

impl Differences {
    /// Reads the table.
    ///
    /// # Errors
    /// When the file is missing or malformed, or a row allows more than it explains.
    pub fn read(path: &Path) -> Result<Self, CorpusError> {
        let text = std::fs::read_to_string(path).map_err(|error| CorpusError::file(path, error))?;
        let table: Self =
            toml::from_str(&text).map_err(|error| CorpusError::format(path, error))?;
        match table.difference.iter().find_map(Difference::fault) {
            Some(fault) => Err(CorpusError::format(path, fault)),
            None => Ok(table),
        }
    }

    /// The row that explains a finding, by its place in the table.
    #[must_use]
    pub fn explain(&self, script: &str, finding: &Finding, version: &str) -> Option<usize> {
        self.difference
            .iter()
            .position(|row| row.holds_for(version) && row.explains(script, finding))
    }
}

impl Difference {
    /// Whether it may show under the rules of this version.
    #[must_use]
    pub fn holds_for(&self, version: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == version)
    }

    fn explains(&self, script: &str, finding: &Finding) -> bool {
        let named = match self.script.strip_suffix('*') {
            Some(prefix) => script.starts_with(prefix),
            None => script == self.script,
        };
        named
            && finding.what.starts_with(&self.what)
            && finding.expected.contains(&self.k6)
            && finding.got.contains(&self.here)
    }

    /// Why the row may not stand in the table.
    fn fault(&self) -> Option<String> {
        let says = |what: &str| Some(format!("{}: {what}", self.script));
        if self.reason.trim().len() < REASON_LENGTH_MIN {
            return says("a difference without a reason");
        }
        if self.what.trim().is_empty() {
            return says("a row that allows everything");
        }
        let is_text = TEXTS.iter().any(|text| self.what.starts_with(text));
        if is_text && self.k6.is_empty() && self.here.is_empty() {
            return says("a difference of text without the text (`k6` or `here`)");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(what: &str, k6: &str, reason: &str) -> Difference {
        Difference {
            script: "errors/one".to_owned(),
            what: what.to_owned(),
            k6: k6.to_owned(),
            here: String::new(),
            by_chance: false,
            only: None,
            reason: reason.to_owned(),
        }
    }

    #[test]
    fn a_row_without_a_reason_or_a_bound_is_refused() {
        let reason = "Engines word it differently.";
        assert_eq!(row("log", "Cannot", reason).fault(), None);
        assert!(row("log", "Cannot", " ").fault().is_some());
        assert!(row("", "Cannot", reason).fault().is_some());
        assert!(row("log", "", reason).fault().is_some());
    }

    #[test]
    fn a_row_explains_the_text_it_names_and_no_other() {
        let finding = |expected: &str| Finding {
            what: "log[0]".to_owned(),
            expected: expected.to_owned(),
            got: "nothing more".to_owned(),
            note: false,
            is_time: false,
        };
        let table = Differences {
            difference: vec![row("log", "Cannot read", "Engines word it differently.")],
        };
        let place = |text: &str| table.explain("errors/one", &finding(text), "2.2");
        assert_eq!(place("error \"Cannot read property\""), Some(0));
        assert_eq!(place("error \"another line\""), None);
    }
}
