//! `loadline vendor`: stores the modules of the web that a script imports beside it.
//!
//! [`gather`] finds what a script imports, [`WebModules::write`] writes it and the lock
//! file, and a run reads it from there. The caller gets the texts from their servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loadline_js::Program;

use crate::error::LoadError;
use crate::modules;
use crate::paths::{FileRoot, path_of};
use crate::sources::lock_file::{Entry, Lock, digest, file_of, put};
use crate::sources::{FileLoader, RemoteLoader, RemoteModules, ScriptFile, locate_file};

pub use crate::sources::lock_file::{LOCK, VendorError};

/// The modules a script imports from the web.
#[derive(Debug)]
pub struct WebModules {
    folder: PathBuf,
    texts: BTreeMap<String, Vec<u8>>,
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
    modules: RemoteModules,
) -> Result<WebModules, VendorError> {
    let ScriptFile {
        entry,
        source,
        folder,
    } = locate_file(script, working_dir)?;
    let modules = modules.for_typed_file(&path_of(&entry));
    let trust = modules.trust.clone();
    let files = Arc::new(FileLoader {
        entry: Some((entry.clone(), source)),
        remote: RemoteLoader::from_servers(modules),
        root: FileRoot::default(),
        trust,
    });
    Program::build(&entry, files.clone(), modules::builtins()).map_err(LoadError::Program)?;
    Ok(WebModules {
        folder,
        texts: files.remote.texts(),
    })
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
