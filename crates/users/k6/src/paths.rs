//! Paths, and the `file://` URLs that scripts know files by.

use std::path::{Path, PathBuf};

/// The file a `file://` URL names.
pub(crate) fn path_of(url: &str) -> PathBuf {
    PathBuf::from(url.strip_prefix("file://").unwrap_or(url))
}

/// The `file://` URL of an absolute path.
pub(crate) fn url_of(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A path without `.` and `..`.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(clean.pop()),
            std::path::Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}
