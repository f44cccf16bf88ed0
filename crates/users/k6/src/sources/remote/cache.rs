//! What was fetched, in a folder: each text under its SHA-256, and for each URL which text it
//! was, with its tag and the time.
//!
//! A text that does not have its digest any more counts as not there.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::lock_file::digest;

#[derive(Debug)]
pub(super) struct ModuleCache {
    folder: PathBuf,
}

/// A text of the cache.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CachedModule {
    pub(super) bytes: Vec<u8>,
    pub(super) etag: Option<String>,
    /// Seconds since 1970.
    pub(super) fetched: u64,
}

/// What is kept of a URL.
#[derive(Debug, Serialize, Deserialize)]
struct UrlEntry {
    url: String,
    sha256: String,
    etag: Option<String>,
    fetched: u64,
}

impl ModuleCache {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The text last fetched from `url`.
    pub(super) fn of_url(&self, url: &str) -> Option<CachedModule> {
        let entry = std::fs::read(self.entry_path(url)).ok()?;
        let entry: UrlEntry = serde_json::from_slice(&entry).ok()?;
        let bytes = self.of_digest(&entry.sha256).filter(|_| entry.url == url)?;
        Some(CachedModule {
            bytes,
            etag: entry.etag,
            fetched: entry.fetched,
        })
    }

    /// The text with this digest.
    pub(super) fn of_digest(&self, sha256: &str) -> Option<Vec<u8>> {
        let is_digest = sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_hexdigit());
        let bytes = is_digest.then(|| std::fs::read(self.text_path(sha256)).ok())??;
        (digest(&bytes) == sha256).then_some(bytes)
    }

    /// Keeps a text; gives the file that could not be written, and why.
    pub(super) fn put(
        &self,
        url: &str,
        bytes: &[u8],
        etag: Option<String>,
        fetched: u64,
    ) -> Result<(), (PathBuf, io::Error)> {
        let sha256 = digest(bytes);
        let entry = UrlEntry {
            url: url.to_owned(),
            sha256: sha256.clone(),
            etag,
            fetched,
        };
        if self.of_digest(&sha256).is_none() {
            write(&self.text_path(&sha256), bytes)?;
        }
        let entry = serde_json::to_vec(&entry).expect("strings and a number");
        write(&self.entry_path(url), &entry)
    }

    fn entry_path(&self, url: &str) -> PathBuf {
        let name = format!("{}.json", digest(url.as_bytes()));
        self.folder.join("urls").join(name)
    }

    fn text_path(&self, sha256: &str) -> PathBuf {
        self.folder.join("texts").join(sha256)
    }
}

/// Writes a temporary file and renames it: runs that start together must not read halves.
fn write(path: &Path, bytes: &[u8]) -> Result<(), (PathBuf, io::Error)> {
    let failed = |error| (path.to_owned(), error);
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    std::fs::write(&beside, bytes).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(failed)
}
