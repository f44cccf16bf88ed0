//! Why a script cannot be loaded.

use loadline_js::{ProgramError, VmError};

/// Why a script cannot be loaded. The texts are k6's where k6 has one; those are never
/// translated.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The script's file is not there or cannot be read.
    #[error("{text}")]
    File {
        /// As k6 words it.
        text: String,
    },
    /// Files that do not parse, or modules that are not there; all of them.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Program(Vec<ProgramError>),
    /// Its init code threw.
    #[error("{0}")]
    Init(String),
    /// It exports nothing that can be called.
    #[error("no exported functions in script")]
    NoExports,
    /// Its options are no object that could be written as JSON.
    #[error("{0}")]
    Options(String),
    /// There is no memory for a JavaScript runtime.
    #[error(transparent)]
    Vm(#[from] VmError),
    /// There is no memory for a coroutine.
    #[error("cannot make a stack: {0}")]
    Stack(#[from] std::io::Error),
}
