//! Errors of the store.

use std::path::PathBuf;

use rusqlite::ErrorCode;

use crate::blob_error::BlobError;

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer program made the store; nothing in it was touched.
    #[error("{path} has version {found}, this program knows versions up to {known}")]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file's format.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// The file is no loadline store.
    #[error("{path} is not a store of runs")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// There is no store yet.
    #[error("there is no store at {path}")]
    Missing {
        /// Where it would be.
        path: PathBuf,
    },
    /// No space is left.
    #[error("the disk is full")]
    Full,
    /// It may only be read.
    #[error("it is read-only")]
    ReadOnly,
    /// Another process holds it.
    #[error("another process holds it")]
    Locked,
    /// No run matches the reference.
    #[error("there is no run `{reference}`")]
    NoRun {
        /// The reference as typed.
        reference: String,
    },
    /// Several runs match the reference.
    #[error("`{reference}` means {count} runs")]
    Ambiguous {
        /// The reference as typed.
        reference: String,
        /// How many runs match.
        count: usize,
    },
    /// A blob cannot be read.
    #[error("{what} of run {run}: {cause}")]
    Corrupt {
        /// The run.
        run: String,
        /// Which part of it.
        what: &'static str,
        /// What is wrong.
        cause: BlobError,
    },
    /// A file or folder cannot be made or read.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// The kernel's reason.
        source: std::io::Error,
    },
    /// Anything else SQLite reports.
    #[error("{0}")]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            _ => Self::Database(error),
        }
    }
}
