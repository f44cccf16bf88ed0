//! What can be wrong with a store.

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why a stored blob cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    /// It ends too early.
    #[error("it ends too early")]
    Short,
    /// A number is none.
    #[error("a number in it is malformed")]
    Number,
    /// A text is not UTF-8.
    #[error("a text in it is not UTF-8")]
    Text,
    /// It has no header of ours.
    #[error("it has no header")]
    Header,
    /// A newer program wrote it.
    #[error("it has version {0}, which is newer than this program")]
    Version(u8),
    /// It cannot be decompressed.
    #[error("it cannot be decompressed")]
    Compression,
    /// It is not what is kept in its place.
    #[error("it holds something else")]
    Content,
    /// Something it refers to is not there.
    #[error("what it refers to is missing")]
    Reference,
}

/// What a store could not do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer program made the store; nothing in it was touched.
    #[error("{path} has version {found}, this program knows versions up to {known}")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// The file is something else.
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
    /// No run is meant by this.
    #[error("there is no run `{reference}`")]
    NoRun {
        /// As typed.
        reference: String,
    },
    /// Several runs are meant by this.
    #[error("`{reference}` means {count} runs")]
    Ambiguous {
        /// As typed.
        reference: String,
        /// How many.
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
        cause: Corrupt,
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
