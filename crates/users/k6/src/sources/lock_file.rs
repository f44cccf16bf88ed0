//! `loadline.lock`: the modules of the web that lie beside a script, so that a run needs no
//! network.
//!
//! For each URL it names the file that holds the module's text, and the SHA-256 the text
//! must have.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::module_error::ModuleError;
use crate::error::LoadError;
use crate::paths::is_below;

/// The list, in the folder of the script.
pub const LOCK: &str = "loadline.lock";
/// Where the files are put, in the same folder.
pub(crate) const FOLDER: &str = "vendor";
/// The form of the list written here, and the only one read.
const FORMAT_VERSION: u32 = 1;

/// Why modules cannot be stored or are not what was stored.
#[derive(Debug, thiserror::Error)]
pub enum VendorError {
    /// The script, or something it imports, cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The lock file is invalid.
    #[error("{path}: {reason}")]
    Lock {
        /// Its path.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Its path.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

/// The list.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lock {
    version: u32,
    pub(crate) modules: BTreeMap<String, Entry>,
}

/// A module of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// Its file, seen from the list.
    pub(crate) file: String,
    /// Of its content, in hexadecimal digits.
    pub(crate) sha256: String,
}

impl Lock {
    /// The lock file in `folder`; an empty one when there is none.
    pub(crate) fn read(folder: &Path) -> Result<Self, VendorError> {
        let path = folder.join(LOCK);
        let wrong = |reason: String| VendorError::Lock {
            path: path.display().to_string(),
            reason,
        };
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self {
                    version: FORMAT_VERSION,
                    ..Self::default()
                });
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        let lock: Self = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if lock.version != FORMAT_VERSION {
            let version = lock.version;
            return Err(wrong(format!("version {version} is not known here")));
        }
        Ok(lock)
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), VendorError> {
        let mut text = serde_json::to_string_pretty(self).expect("strings and a number");
        text.push('\n');
        put(&folder.join(LOCK), text.as_bytes())
    }
}

/// The modules stored beside a script. The lock file is read when a module of the web is
/// first imported.
#[derive(Debug)]
pub(crate) struct StoredModules {
    folder: PathBuf,
}

/// What the lock file has of a module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LockedModule {
    /// Its text, as it must be.
    Text(Vec<u8>),
    /// Only its digest: the stored file is not there.
    Digest(String),
}

impl StoredModules {
    pub(crate) fn beside(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The list's file.
    pub(crate) fn list(&self) -> PathBuf {
        self.folder.join(LOCK)
    }

    /// What the list has of the module at `url`; `None` when it is not in the list.
    pub(crate) fn find(&self, url: &str) -> Result<Option<LockedModule>, ModuleError> {
        let mut lock = self.lock()?;
        let Some(entry) = lock.modules.remove(url) else {
            return Ok(None);
        };
        // A list that was found names files beside it only.
        if !is_below(Path::new(&entry.file)) {
            return Ok(Some(LockedModule::Digest(entry.sha256)));
        }
        let path = self.folder.join(&entry.file);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Some(LockedModule::Digest(entry.sha256)));
            }
            Err(error) => return Err(ModuleError::unreadable(url, &path, &error)),
        };
        let found = digest(&bytes);
        if found != entry.sha256 {
            return Err(ModuleError::Tampered {
                url: url.to_owned(),
                file: path,
                locked: entry.sha256,
                found,
            });
        }
        Ok(Some(LockedModule::Text(bytes)))
    }

    /// Whether there is a list that names modules.
    pub(crate) fn has_others(&self) -> Result<bool, ModuleError> {
        Ok(!self.lock()?.modules.is_empty())
    }

    fn lock(&self) -> Result<Lock, ModuleError> {
        Lock::read(&self.folder).map_err(|error| ModuleError::Lock {
            path: self.list().display().to_string(),
            reason: match error {
                VendorError::Lock { reason, .. } => reason,
                other => other.to_string(),
            },
        })
    }
}

/// Whether the module at `url` is TypeScript, by its name.
pub(crate) fn is_typescript(url: &str) -> bool {
    path_in(url).ends_with(".ts")
}

/// Writes a temporary file and renames it, so that a half-written file is never read.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), VendorError> {
    let failed = |source| VendorError::Write {
        path: path.display().to_string(),
        source,
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    write_new(Path::new(&beside), bytes).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(failed)
}

/// Writes a file that was not there: one left by a write that was cut off goes first, and a link that
/// somebody put there is not followed.
fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).open(path)?;
    file.write_all(bytes)
}

/// What follows the host, without query.
fn path_in(url: &str) -> &str {
    let rest = url.strip_prefix("https://").unwrap_or(url);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or_default()
}

/// The file for the module at `url`: host and path as folders. Part of the URL's hash is
/// added where the URL has characters that file names may not have, or does not end like a
/// module (then it could also be the name of a folder).
pub(crate) fn file_of(url: &str) -> String {
    let rest = url.strip_prefix("https://").unwrap_or(url);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let segments = path_in(url).split('/').filter(|part| !part.is_empty());
    let mut file = FOLDER.to_owned();
    for segment in std::iter::once(host).chain(segments) {
        let is_dots = segment.bytes().all(|byte| byte == b'.');
        let plain = segment.chars().map(|c| match c {
            '-' | '_' | '@' => c,
            '.' if !is_dots => c,
            c if c.is_ascii_alphanumeric() => c,
            _ => '_',
        });
        file.push('/');
        file.extend(plain);
    }
    let is_module = [".js", ".mjs", ".cjs", ".ts", ".json"]
        .iter()
        .any(|ending| file.ends_with(ending));
    if is_module && file[FOLDER.len() + 1..] == *rest {
        return file;
    }
    let digits = &digest(url.as_bytes())[..12];
    match file.rsplit_once('.').filter(|_| is_module) {
        Some((stem, ending)) => format!("{stem}-{digits}.{ending}"),
        None => format!("{file}-{digits}.js"),
    }
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
