//! Whose orders a `loadline.yaml` that was found may give.
//!
//! A file of somebody else, or one that others can write, gives none. One of this user may come from
//! anywhere (a repository that was cloned): what runs commands, sends data out or reads the
//! environment is done once a person confirmed that very content.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The list of confirmed files, in the user's data folder.
const LIST_NAME: &str = "trusted-projects";
/// Only the user may read or write the list.
const LIST_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// Trusted by everybody.
const ROOT_UID: u32 = 0;
/// Who typed `sudo`: their files are root's then, too.
pub(crate) const SUDO_VARIABLE: &str = "SUDO_UID";

/// Who may give orders here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrustedOwners {
    /// The user of this process.
    pub(crate) uid: u32,
    /// Their own group.
    pub(crate) gid: u32,
    /// Who became root with `sudo`.
    pub(crate) sudo_uid: Option<u32>,
}

/// Why a file gives no orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distrust {
    /// Its owner is another user.
    Owner(u32),
    /// Others may write it; its mode.
    Writable(u32),
}

impl TrustedOwners {
    /// Those of this process; `sudo_uid` as its environment has it.
    pub(crate) fn of_process(sudo_uid: Option<&str>) -> Self {
        let uid = rustix::process::geteuid().as_raw();
        Self {
            uid,
            gid: rustix::process::getegid().as_raw(),
            sudo_uid: sudo_uid
                .and_then(|text| text.parse().ok())
                .filter(|_| uid == 0),
        }
    }

    /// Their numbers, with root's.
    pub(crate) fn all(self) -> impl Iterator<Item = u32> {
        [self.uid, ROOT_UID].into_iter().chain(self.sudo_uid)
    }

    /// Why a file gives no orders, if it does not.
    pub(crate) fn distrust(self, metadata: &fs::Metadata) -> Option<Distrust> {
        let owner = metadata.uid();
        if !self.all().any(|trusted| trusted == owner) {
            return Some(Distrust::Owner(owner));
        }
        let mode = metadata.mode() & 0o7777;
        let is_own_group = metadata.gid() == self.gid || metadata.gid() == 0;
        let foreign_bits = if is_own_group { 0o002 } else { 0o022 };
        (mode & foreign_bits != 0).then_some(Distrust::Writable(mode))
    }
}

/// Files whose orders a person confirmed, each with its content.
#[derive(Debug, Clone)]
pub(crate) struct TrustList(PathBuf);

impl TrustList {
    /// The list in a folder of this user's data.
    pub(crate) fn new(folder: &Path) -> Self {
        Self(folder.join(LIST_NAME))
    }

    /// Whether a file was confirmed with this content.
    pub(crate) fn has(&self, file: &Path, content: &str) -> bool {
        let list = fs::read_to_string(&self.0).unwrap_or_default();
        let line = line(file, content);
        list.lines().any(|known| known == line)
    }

    /// Keeps that a file was confirmed with this content, and forgets what it was before.
    ///
    /// # Errors
    /// The kernel's.
    pub(crate) fn add(&self, file: &Path, content: &str) -> std::io::Result<()> {
        let of_file = format!(" {}", place(file));
        let old = fs::read_to_string(&self.0).unwrap_or_default();
        let mut lines: Vec<String> = old
            .lines()
            .filter(|line| !line.ends_with(&of_file))
            .map(str::to_owned)
            .collect();
        lines.push(line(file, content));
        write_list(&self.0, &lines)
    }
}

/// Writes a list of this user, for nobody else.
///
/// # Errors
/// The kernel's.
pub(super) fn write_list(path: &Path, lines: &[String]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        let mut folders = fs::DirBuilder::new();
        folders.recursive(true).mode(FOLDER_MODE).create(folder)?;
    }
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(LIST_MODE);
    let mut written = options.open(&beside)?;
    written.write_all(format!("{}\n", lines.join("\n")).as_bytes())?;
    written.sync_all()?;
    fs::rename(&beside, path)
}

/// `HASH PATH`.
fn line(file: &Path, content: &str) -> String {
    let hash: String = Sha256::digest(content.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{hash} {}", place(file))
}

/// The file's path on one line.
fn place(file: &Path) -> String {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    file.display().to_string().escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_of_another_user_or_one_that_others_write_gives_no_orders() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("loadline.yaml");
        fs::write(&file, "").unwrap();
        let seen = |mode: u32| {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            fs::metadata(&file).unwrap()
        };
        let metadata = seen(0o644);
        let own = TrustedOwners {
            uid: metadata.uid(),
            gid: metadata.gid(),
            sudo_uid: None,
        };
        assert_eq!(own.distrust(&metadata), None);
        assert_eq!(own.distrust(&seen(0o664)), None);
        assert_eq!(own.distrust(&seen(0o646)), Some(Distrust::Writable(0o646)));
        let other = TrustedOwners {
            uid: metadata.uid() + 1,
            gid: metadata.gid() + 1,
            sudo_uid: None,
        };
        let foreign = other.distrust(&seen(0o644));
        // A file of root is trusted by everybody.
        assert_eq!(foreign.is_none(), metadata.uid() == 0);
        let by_sudo = TrustedOwners {
            sudo_uid: Some(metadata.uid()),
            ..other
        };
        assert_eq!(by_sudo.distrust(&seen(0o644)), None);
    }

    #[test]
    fn a_file_is_confirmed_with_its_content_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let list = TrustList::new(&folder.path().join("data"));
        let file = folder.path().join("loadline.yaml");
        fs::write(&file, "a").unwrap();
        assert!(!list.has(&file, "a"));
        list.add(&file, "a").unwrap();
        assert!(list.has(&file, "a"));
        assert!(!list.has(&file, "b"));
        assert!(!list.has(&folder.path().join("sub/loadline.yaml"), "a"));
        list.add(&file, "b").unwrap();
        assert!(list.has(&file, "b"));
        assert!(!list.has(&file, "a"));
        let mode = fs::metadata(folder.path().join("data").join(LIST_NAME))
            .unwrap()
            .mode();
        assert_eq!(mode & 0o777, LIST_MODE);
    }
}
