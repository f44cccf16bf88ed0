//! Why a module of the web cannot be had. The words are the caller's, in its language.

use std::path::{Path, PathBuf};

/// Why a text could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchError {
    /// The URL is malformed.
    InvalidUrl {
        /// As written.
        url: String,
    },
    /// The host's name has no address.
    NoSuchHost {
        /// The name.
        host: String,
    },
    /// Nobody listens there.
    Refused {
        /// Address and port.
        address: String,
    },
    /// It took longer than this many seconds.
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// The server's certificate is not trusted, or for another host.
    Certificate {
        /// The host.
        host: String,
    },
    /// Another failure of the connection, in k6's words.
    Connection {
        /// The words.
        detail: String,
    },
    /// The server answered something else than 200.
    Status {
        /// What it answered.
        status: u16,
        /// The URL that was asked for last.
        url: String,
    },
    /// The text is larger than this many bytes.
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// A redirect leads out of https.
    LeavesHttps {
        /// Where it leads.
        to: String,
    },
    /// There are more redirects than this.
    TooManyRedirects {
        /// The limit.
        most: u32,
    },
    /// The machine's network settings cannot be used.
    Setup {
        /// The system's error number; 0 if there is none.
        errno: i32,
    },
}

impl FetchError {
    /// Whether the server was not reached or is out of order: what it would have answered
    /// is not known.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        match self {
            Self::NoSuchHost { .. }
            | Self::Refused { .. }
            | Self::TimedOut { .. }
            | Self::Connection { .. }
            | Self::Setup { .. } => true,
            Self::Status { status, .. } => *status >= 500,
            Self::InvalidUrl { .. }
            | Self::Certificate { .. }
            | Self::TooLarge { .. }
            | Self::LeavesHttps { .. }
            | Self::TooManyRedirects { .. } => false,
        }
    }
}

/// Why a module of the web cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleError {
    /// It cannot be fetched.
    Fetch {
        /// Its URL.
        url: String,
        /// Why.
        error: FetchError,
    },
    /// It is neither stored nor in the cache, and nothing may be fetched.
    Offline {
        /// Its URL.
        url: String,
    },
    /// The server has another text than the lock file names.
    Changed {
        /// Its URL.
        url: String,
        /// The digest in the lock file.
        locked: String,
        /// That of the server's text.
        found: String,
    },
    /// The stored file is not what the lock file names.
    Tampered {
        /// Its URL.
        url: String,
        /// The stored file.
        file: PathBuf,
        /// The digest in the lock file.
        locked: String,
        /// That of the file.
        found: String,
    },
    /// A file of it cannot be read.
    Unreadable {
        /// Its URL.
        url: String,
        /// The file.
        file: PathBuf,
        /// The system's error number; 0 if there is none.
        errno: i32,
    },
    /// The lock file cannot be read.
    Lock {
        /// Its path.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// Too many modules import each other in a row.
    TooDeep {
        /// The module that is one too many.
        url: String,
        /// The limit.
        most: usize,
    },
    /// The script imports too many modules.
    TooMany {
        /// The module that is one too many.
        url: String,
        /// The limit.
        most: usize,
    },
    /// The script's modules are too large together.
    TooLargeTogether {
        /// The module that goes beyond the limit.
        url: String,
        /// The limit in bytes.
        limit: usize,
    },
}

impl ModuleError {
    pub(crate) fn unreadable(url: &str, file: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable {
            url: url.to_owned(),
            file: file.to_owned(),
            errno: error.raw_os_error().unwrap_or_default(),
        }
    }
}
