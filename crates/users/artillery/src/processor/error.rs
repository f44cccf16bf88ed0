//! Why a processor cannot be used.

use loadline_js::ProgramError;

/// Why a processor cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProcessorError {
    /// It has a syntax error, or imports something that does not exist.
    #[error("{}", .0.join("\n"))]
    Program(Vec<String>),
    /// Packages that it may find are of somebody whose code does not run here; in words for the user.
    #[error("{0}")]
    Foreign(String),
    /// Its init code threw.
    #[error("{0}")]
    Init(String),
}

impl ProcessorError {
    /// What is wrong with a program.
    pub(super) fn of_program(errors: &[ProgramError]) -> Self {
        Self::Program(errors.iter().map(ProgramError::to_string).collect())
    }
}
