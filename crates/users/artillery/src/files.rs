//! Files that requests send. Each worker reads a file once.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use rustc_hash::FxHashMap;

/// The files read so far.
#[derive(Debug, Default)]
pub(crate) struct Files(RefCell<FxHashMap<PathBuf, Bytes>>);

impl Files {
    /// A file's bytes.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Bytes> {
        if let Some(bytes) = self.0.borrow().get(path) {
            return Ok(bytes.clone());
        }
        let bytes = Bytes::from(std::fs::read(path)?);
        self.0.borrow_mut().insert(path.to_owned(), bytes.clone());
        Ok(bytes)
    }
}
