//! Where something is wrong: a file or an option, with line and column.

use std::fmt;

/// Where something is wrong; prints as `file:line:column`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    file: String,
    line: Option<u32>,
    column: Option<u32>,
}

impl Location {
    /// Somewhere in a file, or an option such as `--vus`.
    #[must_use]
    pub fn file(name: impl Into<String>) -> Self {
        Self {
            file: name.into(),
            line: None,
            column: None,
        }
    }

    /// At a line and column of it, both from 1.
    #[must_use]
    pub fn line(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        Ok(())
    }
}
