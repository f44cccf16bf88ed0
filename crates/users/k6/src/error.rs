//! Why a script cannot be loaded, and errors of scripts as k6 logs them.

use loadline_js::{JsError, ProgramError, VmError};

use crate::mistake::ScriptMistake;

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
    /// A file imports a name that another does not export.
    #[error("{text}")]
    Import {
        /// As k6 words it.
        text: String,
        /// Where, and what was probably meant.
        mistake: Box<ScriptMistake>,
    },
    /// Its init code left a promise rejected.
    #[error("{0}")]
    Rejected(String),
    /// Its init code called `test.abort`.
    #[error("{0}")]
    Aborted(String),
    /// A name with a meaning is exported and is no function.
    #[error("exported '{name}' must be a function")]
    NoFunction {
        /// `setup` or `teardown`.
        name: &'static str,
    },
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

/// The log line of a test that was aborted where `error` arose.
pub(crate) fn aborted_at(reason: &str, error: &JsError) -> String {
    let message = aborted(reason);
    match error.frames.iter().find(|frame| !frame.file.is_empty()) {
        Some(frame) => format!("{message} at {frame}"),
        None => message,
    }
}

/// The log line of a test that was aborted; the reason may be empty.
pub(crate) fn aborted(reason: &str) -> String {
    match reason {
        "" => "test aborted".to_owned(),
        reason => format!("test aborted: {reason}"),
    }
}

/// What the engine throws when a runtime has no more memory.
const OUT_OF_MEMORY: &str = "InternalError: out of memory";
/// k6 has no limit: there the system ends the program.
const MEMORY_LIMIT: &str =
    " (a script may take three quarters of the memory that was free when the run began)";

/// An error and where it came from, as k6 logs it.
pub(crate) fn trace(error: &JsError) -> String {
    let mut text = error.headline();
    if text == OUT_OF_MEMORY {
        text.push_str(MEMORY_LIMIT);
    }
    for frame in &error.frames {
        text.push_str("\n\tat ");
        text.push_str(&frame.to_string());
    }
    if !error.frames.is_empty() {
        text.push('\n');
    }
    text
}
