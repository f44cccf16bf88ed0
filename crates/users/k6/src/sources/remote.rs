//! Modules of the web (`import ... from 'https://...'`): fetched when a script is loaded, kept
//! in a cache, held to the lock file.
//!
//! For each URL, in this order: the archive the script came in, what `loadline.lock` names, its
//! server, and, when that cannot be reached, the cache or loadline's own copy. The caller fetches
//! ([`Fetch`]) and words what goes wrong ([`RemoteModules::words`]).

mod cache;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use loadline_js::{CodeTrust, SourceFile};

use self::cache::{CachedModule, ModuleCache};
use super::jslib;
use super::lock_file::{LockedModule, StoredModules, digest, is_typescript};
use super::module_error::{FetchError, ModuleError};
use crate::paths::is_below;

/// Bytes one module may have.
pub const MODULE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes all modules of a script may have together.
const TOTAL_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Modules of the web one script may import.
const MODULES_MAX: usize = 1000;
/// Modules of the web that may import each other in a row.
const IMPORT_DEPTH_MAX: usize = 32;

/// Gets the text behind an `https://` URL.
pub trait Fetch: Send + Sync {
    /// The text; [`FetchResponse::Unchanged`] when the server says that `etag` still holds.
    ///
    /// # Errors
    /// Whatever stood in the way: name, connection, status, size, a redirect out of https.
    fn fetch(&self, url: &str, etag: Option<&str>) -> Result<FetchResponse, FetchError>;
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchResponse {
    /// A text, and the tag to ask for changes with.
    Text {
        /// The text.
        bytes: Vec<u8>,
        /// Its `ETag`.
        etag: Option<String>,
    },
    /// The tag still holds.
    Unchanged,
}

/// How modules of the web are got.
#[derive(Clone)]
pub struct RemoteModules {
    /// Fetches them; `None` when nothing may be fetched.
    pub fetch: Option<Arc<dyn Fetch>>,
    /// Folder that keeps what was fetched.
    pub cache: Option<PathBuf>,
    /// Folder in which an archive was laid out: the script sees nothing outside of it.
    pub archive: Option<PathBuf>,
    /// Words an error for the user.
    pub words: Arc<dyn Fn(&ModuleError) -> String + Send + Sync>,
    /// Whose files hold code, the lock file included.
    pub trust: CodeTrust,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
}

impl RemoteModules {
    /// Nothing is fetched or kept; errors are only named.
    #[must_use]
    pub fn none(wall_clock: fn() -> SystemTime) -> Self {
        Self {
            fetch: None,
            cache: None,
            archive: None,
            words: Arc::new(|error| format!("{error:?}")),
            trust: CodeTrust::default(),
            wall_clock,
        }
    }

    /// The same for a script whose file was typed.
    pub(crate) fn for_typed_file(self, file: &Path) -> Self {
        Self {
            trust: self.trust.for_typed_file(file),
            ..self
        }
    }
}

impl std::fmt::Debug for RemoteModules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteModules")
            .field("fetches", &self.fetch.is_some())
            .field("cache", &self.cache)
            .field("archive", &self.archive)
            .finish_non_exhaustive()
    }
}

/// Where the text of a module came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleOrigin {
    /// Its server, just now.
    Server,
    /// The cache; the server said that nothing changed, or was not asked.
    Cache,
    /// The lock file's folder, or what the lock file's digest allows.
    Lock,
    /// loadline's own copy.
    BuiltIn,
    /// The archive.
    Archive,
}

impl ModuleOrigin {
    /// Its name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Cache => "cache",
            Self::Lock => "lock",
            Self::BuiltIn => "built-in",
            Self::Archive => "archive",
        }
    }
}

/// A module of the web that a script runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteModule {
    /// Its URL.
    pub url: String,
    /// SHA-256 of its text, in hexadecimal digits.
    pub sha256: String,
    /// Where the text came from.
    pub origin: ModuleOrigin,
}

/// What the user must know about a module that could be had all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleNote {
    /// The server could not be reached: the copy fetched at this time runs.
    Stale {
        /// The module's URL.
        url: String,
        /// Why the server could not be reached.
        error: FetchError,
        /// When the copy was fetched, in seconds since 1970.
        fetched: u64,
    },
    /// loadline's own copy runs.
    BuiltIn {
        /// The module's URL.
        url: String,
        /// Why the server could not be reached; `None` when nothing may be fetched.
        error: Option<FetchError>,
    },
    /// The lock file lists other modules, but not this one.
    NotLocked {
        /// The module's URL.
        url: String,
    },
    /// What was fetched could not be kept.
    NotCached {
        /// The file.
        path: PathBuf,
        /// The system's error number; 0 if there is none.
        errno: i32,
    },
}

/// Loads the modules of the web that one script imports.
#[derive(Debug)]
pub(crate) struct RemoteLoader {
    settings: RemoteModules,
    /// `None` for what is to be stored anew.
    stored: Option<StoredModules>,
    cache: Option<ModuleCache>,
    state: Mutex<LoadState>,
}

#[derive(Debug, Default)]
struct LoadState {
    /// How many modules of the web lead to each, itself included.
    depths: HashMap<String, usize>,
    texts: BTreeMap<String, (RemoteModule, Vec<u8>)>,
    bytes: usize,
    notes: Vec<ModuleNote>,
}

impl RemoteLoader {
    /// For a script in `folder`, which may have a lock file.
    pub(crate) fn new(settings: RemoteModules, folder: PathBuf) -> Self {
        Self {
            cache: settings.cache.clone().map(ModuleCache::new),
            stored: Some(StoredModules::beside(folder)),
            settings,
            state: Mutex::default(),
        }
    }

    /// Takes everything from its server, whatever is stored, in a cache or built in.
    pub(crate) fn from_servers(settings: RemoteModules) -> Self {
        Self {
            cache: None,
            stored: None,
            settings,
            state: Mutex::default(),
        }
    }

    /// Notes that `referrer` imports `url`.
    pub(crate) fn imported(&self, url: &str, referrer: &str) {
        let mut state = self.lock();
        let depth = state.depths.get(referrer).copied().unwrap_or_default() + 1;
        state.depths.entry(url.to_owned()).or_insert(depth);
    }

    /// The text of the module at `url`, or what to tell the user.
    pub(crate) fn load(&self, url: &str) -> Result<SourceFile, String> {
        if let Some(stored) = &self.stored {
            // What it names has the content that it says.
            self.settings.trust.check(&stored.list())?;
        }
        self.get(url).map_err(|error| (self.settings.words)(&error))
    }

    /// All that was loaded, in the order of the URLs.
    pub(crate) fn modules(&self) -> Vec<RemoteModule> {
        let state = self.lock();
        let modules = state.texts.values().map(|(module, _)| module.clone());
        modules.collect()
    }

    /// URLs and texts of all that was loaded.
    pub(crate) fn texts(&self) -> BTreeMap<String, Vec<u8>> {
        let state = self.lock();
        let texts = state.texts.iter();
        texts
            .map(|(url, (_, text))| (url.clone(), text.clone()))
            .collect()
    }

    /// What the user must know about them.
    pub(crate) fn notes(&self) -> Vec<ModuleNote> {
        self.lock().notes.clone()
    }

    fn get(&self, url: &str) -> Result<SourceFile, ModuleError> {
        self.within_limits(url)?;
        let (bytes, origin) = self.find(url)?;
        let mut state = self.lock();
        state.bytes += bytes.len();
        if state.bytes > TOTAL_BYTES_MAX {
            return Err(ModuleError::TooLargeTogether {
                url: url.to_owned(),
                limit: TOTAL_BYTES_MAX,
            });
        }
        let module = RemoteModule {
            url: url.to_owned(),
            sha256: digest(&bytes),
            origin,
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        state.texts.insert(url.to_owned(), (module, bytes));
        Ok(SourceFile {
            text,
            typescript: is_typescript(url),
        })
    }

    fn within_limits(&self, url: &str) -> Result<(), ModuleError> {
        let state = self.lock();
        let url = url.to_owned();
        if state.depths.get(&url).copied().unwrap_or_default() > IMPORT_DEPTH_MAX {
            return Err(ModuleError::TooDeep {
                url,
                most: IMPORT_DEPTH_MAX,
            });
        }
        if state.texts.len() >= MODULES_MAX {
            return Err(ModuleError::TooMany {
                url,
                most: MODULES_MAX,
            });
        }
        Ok(())
    }

    fn find(&self, url: &str) -> Result<(Vec<u8>, ModuleOrigin), ModuleError> {
        if let Some(bytes) = self.of_archive(url)? {
            return Ok((bytes, ModuleOrigin::Archive));
        }
        if let Some(stored) = &self.stored {
            if let Some(locked) = stored.find(url)? {
                return self.of_lock(url, locked);
            }
            if stored.has_others()? {
                let url = url.to_owned();
                self.note(ModuleNote::NotLocked { url });
            }
        }
        let cached = self.cache.as_ref().and_then(|cache| cache.of_url(url));
        let Some(fetch) = &self.settings.fetch else {
            return self.without_network(url, cached, None);
        };
        let etag = cached.as_ref().and_then(|cached| cached.etag.as_deref());
        match (fetch.fetch(url, etag), cached) {
            (Ok(FetchResponse::Unchanged), Some(cached)) => Ok((cached.bytes, ModuleOrigin::Cache)),
            // A server that answers so without having been asked to.
            (Ok(FetchResponse::Unchanged), None) => Err(fetch_failed(
                url,
                FetchError::Status {
                    status: 304,
                    url: url.to_owned(),
                },
            )),
            (Ok(FetchResponse::Text { bytes, etag }), _) => {
                self.keep(url, &bytes, etag);
                Ok((bytes, ModuleOrigin::Server))
            }
            (Err(error), cached) if error.is_outage() => {
                self.without_network(url, cached, Some(error))
            }
            (Err(error), _) => Err(fetch_failed(url, error)),
        }
    }

    fn of_archive(&self, url: &str) -> Result<Option<Vec<u8>>, ModuleError> {
        let Some(folder) = &self.settings.archive else {
            return Ok(None);
        };
        let inside = Path::new(url.strip_prefix("https://").unwrap_or(url));
        // `https:///etc/passwd` names no module of an archive.
        if !is_below(inside) {
            return Ok(None);
        }
        let path = archived_modules(folder).join(inside);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ModuleError::unreadable(url, &path, &error)),
        }
    }

    /// What the lock file names: its file, else the same text from the cache or the server.
    fn of_lock(
        &self,
        url: &str,
        locked: LockedModule,
    ) -> Result<(Vec<u8>, ModuleOrigin), ModuleError> {
        let sha256 = match locked {
            LockedModule::Text(bytes) => return Ok((bytes, ModuleOrigin::Lock)),
            LockedModule::Digest(sha256) => sha256,
        };
        let cache = self.cache.as_ref();
        if let Some(bytes) = cache.and_then(|cache| cache.of_digest(&sha256)) {
            return Ok((bytes, ModuleOrigin::Lock));
        }
        let Some(fetch) = &self.settings.fetch else {
            let url = url.to_owned();
            return Err(ModuleError::Offline { url });
        };
        match fetch.fetch(url, None) {
            Ok(FetchResponse::Text { bytes, etag }) => {
                let found = digest(&bytes);
                if found != sha256 {
                    return Err(ModuleError::Changed {
                        url: url.to_owned(),
                        locked: sha256,
                        found,
                    });
                }
                self.keep(url, &bytes, etag);
                Ok((bytes, ModuleOrigin::Lock))
            }
            Ok(FetchResponse::Unchanged) => Err(fetch_failed(
                url,
                FetchError::Status {
                    status: 304,
                    url: url.to_owned(),
                },
            )),
            Err(error) => Err(fetch_failed(url, error)),
        }
    }

    /// What there is without the server: the cache, else our own copy.
    fn without_network(
        &self,
        url: &str,
        cached: Option<CachedModule>,
        error: Option<FetchError>,
    ) -> Result<(Vec<u8>, ModuleOrigin), ModuleError> {
        let owned = url.to_owned();
        if let Some(cached) = cached {
            if let Some(error) = error {
                self.note(ModuleNote::Stale {
                    url: owned,
                    error,
                    fetched: cached.fetched,
                });
            }
            return Ok((cached.bytes, ModuleOrigin::Cache));
        }
        if let Some(text) = jslib::source(url)
            && self.stored.is_some()
        {
            self.note(ModuleNote::BuiltIn { url: owned, error });
            return Ok((text.as_bytes().to_vec(), ModuleOrigin::BuiltIn));
        }
        Err(match error {
            Some(error) => fetch_failed(url, error),
            None => ModuleError::Offline { url: owned },
        })
    }

    fn keep(&self, url: &str, bytes: &[u8], etag: Option<String>) {
        let Some(cache) = &self.cache else {
            return;
        };
        let fetched = (self.settings.wall_clock)()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        if let Err((path, error)) = cache.put(url, bytes, etag, fetched) {
            let errno = error.raw_os_error().unwrap_or_default();
            self.note(ModuleNote::NotCached { path, errno });
        }
    }

    fn note(&self, note: ModuleNote) {
        let mut state = self.lock();
        if !state.notes.contains(&note) {
            state.notes.push(note);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LoadState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn fetch_failed(url: &str, error: FetchError) -> ModuleError {
    ModuleError::Fetch {
        url: url.to_owned(),
        error,
    }
}

/// The folder below which an archive's modules of the web lie.
fn archived_modules(unpacked: &Path) -> PathBuf {
    unpacked.join("https")
}

#[cfg(test)]
mod tests;
