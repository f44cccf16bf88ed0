//! The folder of what runs and servers of this user share: sockets, words of started tests.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use crate::context::Context;

/// The folder of sockets: only this user may enter it.
pub(crate) fn control_folder(context: &Context) -> PathBuf {
    let runtime = context
        .env
        .get("XDG_RUNTIME_DIR")
        .filter(|path| !path.is_empty());
    match runtime {
        Some(path) => Path::new(path).join("loadline"),
        None => {
            let user = rustix::process::getuid().as_raw();
            std::env::temp_dir().join(format!("loadline-{user}"))
        }
    }
}

/// Makes the folder, or sees that it is this user's and nobody else's.
pub(crate) fn private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let made = std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder);
    made?;
    let found = std::fs::symlink_metadata(folder)?;
    let is_own = found.uid() == rustix::process::getuid().as_raw();
    if !found.is_dir() || !is_own || found.mode() & 0o077 != 0 {
        let error = format!("{} is open to others", folder.display());
        return Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            error,
        ));
    }
    Ok(())
}
