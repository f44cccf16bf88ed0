//! What is wrong with a program.

use std::fmt;

/// Something wrong with a program, found before it ran.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ProgramError {
    /// What kind of mistake.
    pub kind: ProgramErrorKind,
    /// URL of the file it is in.
    pub file: String,
    /// Line, from 1; 0 when it concerns the whole file.
    pub line: u32,
    /// Column, from 1; 0 when it concerns the whole file.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// Kinds of mistakes in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramErrorKind {
    /// The file does not parse.
    Syntax,
    /// A module cannot be found or read.
    Module,
    /// The host could not compile it.
    Host,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.file, self.message)
        } else {
            write!(
                f,
                "{}:{}:{}: {}",
                self.file, self.line, self.column, self.message
            )
        }
    }
}

impl ProgramError {
    pub(super) fn whole(kind: ProgramErrorKind, file: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            file: file.to_owned(),
            line: 0,
            column: 0,
            message: message.into(),
        }
    }
}
