//! Why a case cannot be read or run.

use std::path::{Path, PathBuf};

/// What can go wrong around the files, as opposed to in them.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The binary could not be started.
    #[error("{case}: {source}")]
    Start {
        /// The case.
        case: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A recording is malformed.
    #[error("{path}: {reason}")]
    Format {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl CaseError {
    pub(super) fn file(path: &Path, source: std::io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            source,
        }
    }
}
