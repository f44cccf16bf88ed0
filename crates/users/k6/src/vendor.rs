//! `loadline vendor`: stores the modules of the web that a script imports beside it.
//!
//! [`gather`] finds what a script imports, [`WebModules::write`] writes it and the lock
//! file, and a run reads it from there. The caller gets the texts from their servers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use loadline_js::{Loader, Program, SourceFile};

use crate::error::LoadError;
use crate::modules;
use crate::sources::lock_file::{Entry, Lock, digest, file_of, is_typescript, put};
use crate::sources::{FileLoader, ScriptFile, StoredModules, jslib, locate_file};

pub use crate::sources::lock_file::{LOCK, VendorError};

/// Gets the text behind an `https://` URL.
pub trait Fetch: Send + Sync {
    /// The text, or an error message for the user.
    ///
    /// # Errors
    /// Whatever stood in the way: name, connection, status.
    fn fetch(&self, url: &str) -> Result<Vec<u8>, String>;
}

/// The modules a script imports from the web.
#[derive(Debug)]
pub struct WebModules {
    folder: PathBuf,
    texts: BTreeMap<String, Vec<u8>>,
    /// Modules that are part of loadline, which need not be stored.
    pub built_in: BTreeSet<String>,
}

/// A module that was stored.
#[derive(Debug, PartialEq, Eq)]
pub struct StoredModule {
    /// Where it came from.
    pub url: String,
    /// Its file.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: usize,
    /// Whether it changed.
    pub change: VendorChange,
}

/// What storing a module changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VendorChange {
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
) -> Result<WebModules, VendorError> {
    let ScriptFile {
        entry,
        source,
        folder,
    } = locate_file(script, working_dir)?;
    let gathering = Arc::new(FetchingLoader {
        files: FileLoader {
            entry: Some((entry.clone(), source)),
            vendored: StoredModules::beside(folder.clone()),
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
    Ok(WebModules {
        folder,
        texts: std::mem::take(&mut texts),
        built_in: taken(&gathering.built_in),
    })
}

/// Loads like a run does, but from the web, and keeps the texts.
struct FetchingLoader {
    files: FileLoader,
    fetch: Arc<dyn Fetch>,
    texts: Mutex<BTreeMap<String, Vec<u8>>>,
    built_in: Mutex<BTreeSet<String>>,
}

impl Loader for FetchingLoader {
    fn is_commonjs_strict(&self) -> bool {
        self.files.is_commonjs_strict()
    }

    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String> {
        self.files.resolve(specifier, referrer)
    }

    fn load(&self, url: &str) -> Result<SourceFile, String> {
        if !url.starts_with("https://") {
            return self.files.load(url);
        }
        if let Some(text) = jslib::source(url) {
            let mut own = self.built_in.lock().unwrap_or_else(PoisonError::into_inner);
            own.insert(url.to_owned());
            return Ok(SourceFile {
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
        Ok(SourceFile {
            text,
            typescript: is_typescript(url),
        })
    }
}

impl WebModules {
    /// Writes the files and the list. Entries of the list that other scripts of the folder
    /// need stay as they are.
    ///
    /// # Errors
    /// [`VendorError::Lock`] for a list that cannot be read, [`VendorError::Write`].
    pub fn write(&self) -> Result<Vec<StoredModule>, VendorError> {
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
                None => VendorChange::New,
                Some(before) if *before == entry => VendorChange::Same,
                Some(_) => VendorChange::Changed,
            };
            if !is_there {
                put(&path, bytes)?;
            }
            lock.modules.insert(url.clone(), entry);
            kept.push(StoredModule {
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

#[cfg(test)]
mod tests;
