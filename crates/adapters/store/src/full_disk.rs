//! What a run leaves behind that the full disk did not let write its end.
//!
//! The store itself cannot be told: it has no room. An empty file beside it needs none, and its name
//! says which run it was.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The verdict of such a run.
pub(crate) const VERDICT: &str = "disk-full";

fn mark_of(store: &Path, run: &str) -> PathBuf {
    let mut name = OsString::from(store);
    name.push(format!(".full-{run}"));
    PathBuf::from(name)
}

/// Marks a run as cut by the full disk.
pub(crate) fn mark(store: &Path, run: &str) {
    // Without a mark the run counts as killed, as it did before there were any.
    let _ = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(mark_of(store, run));
}

/// Whether a run was cut by the full disk.
pub(crate) fn is_marked(store: &Path, run: &str) -> bool {
    mark_of(store, run).exists()
}

/// Lets go of a run's mark, when the run is removed.
pub(crate) fn forget(store: &Path, run: &str) {
    // Most runs have none.
    let _ = std::fs::remove_file(mark_of(store, run));
}
