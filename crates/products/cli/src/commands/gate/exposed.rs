//! Secrets of a gate that others on this machine can read, or may have put there.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use loadline_text::{Message, gate as words};

use super::GateRunError;
use crate::context::Context;
use crate::project::trust::{SUDO_VARIABLE, TrustedOwners};

/// The bits of a mode that let everybody read or write.
const OTHERS_OPEN: u32 = 0o006;

/// What is to be said of a file that holds a secret; nothing if only its owner and group may open it.
pub(super) fn exposed_file(path: &Path) -> Option<Message> {
    let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
    let mode = metadata.mode() & 0o7777;
    let is_open = mode & OTHERS_OPEN != 0;
    is_open.then(|| words::secret_exposed(path.display(), format!("{mode:o}")))
}

/// What is to be said of an address that was typed with a password: all users of the machine see it.
pub(super) fn typed_password(url: &str) -> Option<Message> {
    let authority = url.split_once("://")?.1.split('/').next()?;
    let (login, _) = authority.rsplit_once('@')?;
    let has_password = login
        .split_once(':')
        .is_some_and(|(_, password)| !password.is_empty());
    has_password.then(words::redis_password_typed)
}

/// A directory that was found, not typed, is of somebody whose secret and keys may hold here.
///
/// # Errors
/// [`GateRunError::ForeignData`]
pub(super) fn check_found(context: &Context, data: &Path) -> Result<(), GateRunError> {
    let sudo_uid = context.env.get(SUDO_VARIABLE).map(String::as_str);
    let owners = TrustedOwners::of_process(sudo_uid);
    let places = ["", "secret", "first-key"].map(|name| data.join(name));
    let foreign = places.iter().find_map(|place| {
        let owner = fs::symlink_metadata(place).ok()?.uid();
        let is_foreign = owners.all().all(|trusted| trusted != owner);
        is_foreign.then(|| (shown(place), owner))
    });
    match foreign {
        Some((place, owner)) => Err(GateRunError::ForeignData { place, owner }),
        None => Ok(()),
    }
}

/// Without the last slash of a directory.
fn shown(place: &Path) -> PathBuf {
    place.components().collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_secret_that_everybody_may_open_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("gate.secret");
        assert_eq!(exposed_file(&file), None);
        fs::write(&file, "").unwrap();
        for (mode, is_told) in [(0o600, false), (0o440, false), (0o644, true), (0o602, true)] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(exposed_file(&file).is_some(), is_told, "{mode:o}");
        }
    }

    #[test]
    fn a_password_in_a_typed_address_is_told() {
        for (url, is_told) in [
            ("redis://127.0.0.1:6379", false),
            ("redis://gate@127.0.0.1:6379/2", false),
            ("redis://:pass@127.0.0.1:6379", true),
            ("redis+sentinel://gate:p@a:1,b:2/name", true),
            ("redis://127.0.0.1:6379/a:b@c", false),
            ("nonsense", false),
        ] {
            assert_eq!(typed_password(url).is_some(), is_told, "{url}");
        }
    }
}
