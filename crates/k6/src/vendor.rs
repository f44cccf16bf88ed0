//! Modules of the web that lie beside a script, so that a run needs no network.
//!
//! `loadline.lock` names for each URL the file that holds its text and the SHA-256 it must
//! have. [`gather`] finds what a script imports, [`Gathered::write`] puts it there, and the
//! loader reads it from there. Getting a text from its server is the caller's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use loadline_js::{Loader, Program, Source};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::LoadError;
use crate::load::{Located, locate_file};
use crate::loader::FileLoader;
use crate::modules::{self, jslib};

/// The list, in the folder of the script.
pub const LOCK: &str = "loadline.lock";
/// Where the files are put, in the same folder.
const FOLDER: &str = "vendor";
/// The form of the list written here, and the only one read.
const VERSION: u32 = 1;

/// Gets the text behind an `https://` URL.
pub trait Fetch: Send + Sync {
    /// The text, or why there is none, for the user.
    ///
    /// # Errors
    /// Whatever stood in the way: name, connection, status.
    fn fetch(&self, url: &str) -> Result<Vec<u8>, String>;
}

/// Why modules cannot be stored or are not what was stored.
#[derive(Debug, thiserror::Error)]
pub enum VendorError {
    /// The script, or something it imports, cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The list is not one.
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
struct Lock {
    version: u32,
    modules: BTreeMap<String, Entry>,
}

/// A module of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Its file, seen from the list.
    file: String,
    /// Of its content, in hexadecimal digits.
    sha256: String,
}

impl Lock {
    /// The list in `folder`; an empty one where there is none.
    fn read(folder: &Path) -> Result<Self, VendorError> {
        let path = folder.join(LOCK);
        let wrong = |reason: String| VendorError::Lock {
            path: path.display().to_string(),
            reason,
        };
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self {
                    version: VERSION,
                    ..Self::default()
                });
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        let lock: Self = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if lock.version != VERSION {
            let version = lock.version;
            return Err(wrong(format!("version {version} is not known here")));
        }
        Ok(lock)
    }

    fn write(&self, folder: &Path) -> Result<(), VendorError> {
        let mut text = serde_json::to_string_pretty(self).expect("strings and a number");
        text.push('\n');
        put(&folder.join(LOCK), text.as_bytes())
    }
}

/// What lies beside a script; read when the first module of the web is asked for.
#[derive(Debug)]
pub(crate) struct Vendored {
    folder: PathBuf,
}

impl Vendored {
    pub(crate) fn beside(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The text of the module at `url`; `None` when it is not in the list.
    pub(crate) fn text(&self, url: &str) -> Result<Option<String>, String> {
        let lock = Lock::read(&self.folder).map_err(|error| error.to_string())?;
        let Some(entry) = lock.modules.get(url) else {
            return Ok(None);
        };
        let path = self.folder.join(&entry.file);
        let shown = path.display();
        let text = std::fs::read(&path).map_err(|error| {
            format!("{shown}, which {LOCK} names for {url}, cannot be read: {error}; restore it, or store it anew with `loadline vendor`")
        })?;
        let found = digest(&text);
        if found != entry.sha256 {
            return Err(format!(
                "{shown} is not what {LOCK} names for {url}: its SHA-256 is {found}, not {}; restore it, or store it anew with `loadline vendor`",
                entry.sha256
            ));
        }
        Ok(Some(String::from_utf8_lossy(&text).into_owned()))
    }
}

/// Whether the module at `url` is TypeScript, by its name.
pub(crate) fn is_typescript(url: &str) -> bool {
    path_in(url).ends_with(".ts")
}

/// What a script imports from the web.
#[derive(Debug)]
pub struct Gathered {
    folder: PathBuf,
    texts: BTreeMap<String, Vec<u8>>,
    /// Modules that are part of loadline, which need not be stored.
    pub built_in: BTreeSet<String>,
}

/// A module that was stored.
#[derive(Debug, PartialEq, Eq)]
pub struct Kept {
    /// Where it came from.
    pub url: String,
    /// Its file.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: usize,
    /// What became of it.
    pub change: Change,
}

/// What storing a module changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It was not there before.
    New,
    /// It had another content before.
    Changed,
    /// Nothing.
    Same,
}

/// Finds all that the script at `script`, seen from `working_dir`, imports from the web,
/// and what that imports in turn.
///
/// # Errors
/// [`VendorError`]: the script or a module cannot be read, does not parse, or imports what is
/// not there.
pub fn gather(
    script: &str,
    working_dir: &Path,
    fetch: Arc<dyn Fetch>,
) -> Result<Gathered, VendorError> {
    let Located {
        entry,
        source,
        folder,
    } = locate_file(script, working_dir)?;
    let gathering = Arc::new(Gathering {
        files: FileLoader {
            entry: Some((entry.clone(), source)),
            vendored: Vendored::beside(folder.clone()),
        },
        fetch,
        texts: Mutex::default(),
        built_in: Mutex::default(),
    });
    Program::build(&entry, gathering.clone(), modules::builtins()).map_err(LoadError::Program)?;
    let taken = |set: &Mutex<BTreeSet<String>>| {
        std::mem::take(&mut *set.lock().unwrap_or_else(PoisonError::into_inner))
    };
    let mut texts = gathering
        .texts
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    Ok(Gathered {
        folder,
        texts: std::mem::take(&mut texts),
        built_in: taken(&gathering.built_in),
    })
}

/// Loads as a run does, but from the web, and keeps what it got.
struct Gathering {
    files: FileLoader,
    fetch: Arc<dyn Fetch>,
    texts: Mutex<BTreeMap<String, Vec<u8>>>,
    built_in: Mutex<BTreeSet<String>>,
}

impl Loader for Gathering {
    fn is_commonjs_strict(&self) -> bool {
        self.files.is_commonjs_strict()
    }

    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String> {
        self.files.resolve(specifier, referrer)
    }

    fn load(&self, url: &str) -> Result<Source, String> {
        if !url.starts_with("https://") {
            return self.files.load(url);
        }
        if let Some(text) = jslib::source(url) {
            let mut own = self.built_in.lock().unwrap_or_else(PoisonError::into_inner);
            own.insert(url.to_owned());
            return Ok(Source {
                text: text.to_owned(),
                typescript: false,
            });
        }
        let bytes = self
            .fetch
            .fetch(url)
            .map_err(|reason| format!("cannot get {url}: {reason}"))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.insert(url.to_owned(), bytes);
        Ok(Source {
            text,
            typescript: is_typescript(url),
        })
    }
}

impl Gathered {
    /// Writes the files and the list. Entries of the list that other scripts of the folder
    /// need stay as they are.
    ///
    /// # Errors
    /// [`VendorError::Lock`] for a list that cannot be read, [`VendorError::Write`].
    pub fn write(&self) -> Result<Vec<Kept>, VendorError> {
        let mut lock = Lock::read(&self.folder)?;
        let mut kept = Vec::new();
        for (url, bytes) in &self.texts {
            let entry = Entry {
                file: file_of(url),
                sha256: digest(bytes),
            };
            let path = self.folder.join(&entry.file);
            let is_there = std::fs::read(&path).is_ok_and(|there| there == *bytes);
            let change = match lock.modules.get(url) {
                None => Change::New,
                Some(before) if *before == entry => Change::Same,
                Some(_) => Change::Changed,
            };
            if !is_there {
                put(&path, bytes)?;
            }
            lock.modules.insert(url.clone(), entry);
            kept.push(Kept {
                url: url.clone(),
                path,
                bytes: bytes.len(),
                change,
            });
        }
        if !kept.is_empty() {
            lock.write(&self.folder)?;
        }
        Ok(kept)
    }
}

/// Writes a file beside its place and then moves it there, so that a half-written one is
/// never read.
fn put(path: &Path, bytes: &[u8]) -> Result<(), VendorError> {
    let failed = |source| VendorError::Write {
        path: path.display().to_string(),
        source,
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    std::fs::write(&beside, bytes).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(failed)
}

/// What follows the host, without query.
fn path_in(url: &str) -> &str {
    let rest = url.strip_prefix("https://").unwrap_or(url);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Where the module at `url` is put: host and path as folders. Where their characters may not
/// stand in the name of a file anywhere, or the name is none of a module (and may be a folder's,
/// too), digits of the URL's hash are part of it.
fn file_of(url: &str) -> String {
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

fn digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests;
