//! Files that scripts read, in memory for all users.
//!
//! Only what the first run of the init code opened may be opened by later users, who
//! share its bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loadline_units::VuId;

use super::{TestShared, lock};
use crate::paths::clean;

/// The bytes of a file: once it was read, those read then.
///
/// # Errors
/// k6's words.
pub(crate) fn read_file(shared: &TestShared, vu: VuId, path: &Path) -> Result<Arc<[u8]>, String> {
    if let Some(bytes) = lock(&shared.files).get(path) {
        return Ok(bytes.clone());
    }
    if vu != VuId::LIFECYCLE || shared.run.get().is_some() {
        return Err(format!(
            "open() can't be used with files that weren't previously opened during initialization (__VU==0), path: {:?}",
            path.display().to_string()
        ));
    }
    let bytes: Arc<[u8]> = std::fs::read(shared.root.place(path))
        .map_err(|error| refused(path, &error))?
        .into();
    lock(&shared.files).insert(path.to_owned(), bytes.clone());
    Ok(bytes)
}

/// Where a name leads from `base`.
pub(crate) fn absolute(base: &Path, name: &str) -> PathBuf {
    let name = name.strip_prefix("file://").unwrap_or(name);
    // `a/../b` is `b`, as in a URL; links are followed by the system.
    clean(&base.join(name))
}

/// k6's words for a file that cannot be read.
fn refused(path: &Path, error: &std::io::Error) -> String {
    let shown = path.display();
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("open {shown}: no such file or directory"),
        std::io::ErrorKind::PermissionDenied => format!("open {shown}: permission denied"),
        std::io::ErrorKind::IsADirectory => format!(
            "open() can't be used with directories, path: {:?}",
            shown.to_string()
        ),
        _ => format!("open {shown}: {error}"),
    }
}
