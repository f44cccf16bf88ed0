//! A file of the target as it was before a study, and how that comes back.
//!
//! Files are written in place: a link, the owner, the mode, access lists and hard links stay as
//! they are. A write that is cut off leaves half a file; the original is in the journal by then.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::FallocateFlags;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::access_list::{access_list, set_access_list};
use crate::digest::hash;

/// Of a file that is made anew: nobody else reads it before its own mode is back.
const PRIVATE_MODE: u32 = 0o600;

/// Why a file is not as it was.
#[derive(Debug, thiserror::Error)]
pub enum OriginalError {
    /// The kernel's error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The journal's text is not the one that was read.
    #[error("its text in the journal is damaged")]
    Damaged,
    /// A link on the way to it leads elsewhere by now.
    #[error("it was {0} behind links, and leads elsewhere now")]
    LinkMoved(PathBuf),
}

/// A file as it was before a study touched it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginalFile {
    /// The file, as the study names it.
    pub file: PathBuf,
    /// What was in it; `None` if there was no file.
    pub content: Option<String>,
    /// The hash of that: what a damaged journal says is not written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The file behind all links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind_links: Option<PathBuf>,
    /// Whose it was, and when it was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<FileAttributes>,
    /// Its access list beside the mode, as the kernel gives it, in hexadecimal digits; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_list: Option<String>,
}

/// What of a file is not its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileAttributes {
    /// Permissions.
    pub mode: u32,
    /// The owner's number.
    pub uid: u32,
    /// The group's number.
    pub gid: u32,
    /// When it was last changed, nanoseconds since 1970.
    pub modified_ns: u64,
}

impl FileAttributes {
    fn from_metadata(metadata: &fs::Metadata) -> Self {
        let modified = metadata.modified().unwrap_or(UNIX_EPOCH);
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            mode: metadata.mode() & 0o7777,
            uid: metadata.uid(),
            gid: metadata.gid(),
            modified_ns: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX),
        }
    }

    fn modified(self) -> SystemTime {
        UNIX_EPOCH + Duration::from_nanos(self.modified_ns)
    }
}

impl OriginalFile {
    /// A file as it is now; nothing is changed.
    ///
    /// # Errors
    /// It cannot be read, or is a link that leads nowhere.
    pub(crate) fn read(file: &Path) -> Result<Self, OriginalError> {
        let is_link = fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_symlink());
        let content = match text_of(file) {
            // What would be made behind such a link is nobody's file.
            Ok(None) if is_link => return Err(io::Error::from(Errno::NOENT).into()),
            content => content?,
        };
        let is_there = content.is_some();
        let behind_links = is_there.then(|| fs::canonicalize(file)).transpose()?;
        let metadata = is_there.then(|| fs::metadata(file)).transpose()?;
        Ok(Self {
            file: file.to_owned(),
            digest: content.as_deref().map(hash),
            content,
            behind_links,
            attributes: metadata.as_ref().map(FileAttributes::from_metadata),
            access_list: if is_there { access_list(file)? } else { None },
        })
    }

    /// How long its text was.
    pub(crate) fn text_bytes(&self) -> u64 {
        self.content.as_ref().map_or(0, |text| text.len() as u64)
    }

    /// Makes the file what it was: its text, owner, mode and time of change.
    ///
    /// # Errors
    /// What of it is not as it was.
    pub(crate) fn put_back(&self) -> Result<(), OriginalError> {
        let Some(content) = &self.content else {
            return match fs::remove_file(&self.file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
                _ => Ok(()),
            };
        };
        if self
            .digest
            .as_ref()
            .is_some_and(|known| *known != hash(content))
        {
            return Err(OriginalError::Damaged);
        }
        // A file that is gone, or whose links are, is made anew.
        let now = fs::canonicalize(&self.file).ok();
        if let (Some(now), Some(before)) = (now, &self.behind_links)
            && now != *before
        {
            return Err(OriginalError::LinkMoved(before.clone()));
        }
        if self.is_as_before() {
            return Ok(());
        }
        let Some(attributes) = self.attributes else {
            return Ok(write(&self.file, content, 0)?);
        };
        if !self.file.exists() {
            let mut options = OpenOptions::new();
            let options = options.write(true).create_new(true).mode(PRIVATE_MODE);
            options.open(&self.file)?;
        }
        write(&self.file, content, 0)?;
        Ok(self.put_attributes_back(attributes)?)
    }

    /// Whether nothing of the file differs: one that nobody could write needs no writing.
    fn is_as_before(&self) -> bool {
        let now = Self::read(&self.file);
        now.is_ok_and(|now| {
            now.content == self.content
                && now.attributes == self.attributes
                && now.access_list == self.access_list
        })
    }

    fn put_attributes_back(&self, before: FileAttributes) -> io::Result<()> {
        let now = FileAttributes::from_metadata(&fs::metadata(&self.file)?);
        if (now.uid, now.gid) != (before.uid, before.gid) {
            std::os::unix::fs::chown(&self.file, Some(before.uid), Some(before.gid))?;
        }
        // A change of the owner takes bits of the mode away.
        if fs::metadata(&self.file)?.mode() & 0o7777 != before.mode {
            fs::set_permissions(&self.file, fs::Permissions::from_mode(before.mode))?;
        }
        if access_list(&self.file)? != self.access_list {
            set_access_list(&self.file, self.access_list.as_deref())?;
        }
        let file = OpenOptions::new().write(true).open(&self.file)?;
        match file.set_modified(before.modified()) {
            // Only the owner may choose the time: of another user who may write the file it is that of
            // the last write, and nothing of that can be mended.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            set => set,
        }
    }
}

/// Writes a file's text in place, and waits until it is on disk.
///
/// What is there is overwritten before the file grows or shrinks, and `room_bytes` stay the file's own
/// where its text is shorter: going back to a text of so many bytes needs no room on a full disk.
///
/// # Errors
/// The kernel's.
pub(crate) fn write(path: &Path, text: &str, room_bytes: u64) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(false);
    let mut file: File = options.open(path)?;
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    if room_bytes > text.len() as u64 {
        keep_room(&file, room_bytes)?;
    }
    file.sync_all()?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Keeps the blocks of so many bytes, without a change of the file's length.
fn keep_room(file: &File, bytes: u64) -> io::Result<()> {
    let kept = rustix::fs::fallocate(file, FallocateFlags::KEEP_SIZE, 0, bytes);
    match kept {
        // A file system without reservations: the blocks come back if nobody takes them meanwhile.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        kept => Ok(kept?),
    }
}

/// A file's text; `None` if there is none.
///
/// # Errors
/// The kernel's; it is no text.
pub(crate) fn text_of(path: &Path) -> io::Result<Option<String>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn attributes(path: &Path) -> FileAttributes {
        FileAttributes::from_metadata(&fs::metadata(path).unwrap())
    }

    #[test]
    fn a_file_that_was_not_there_is_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.properties");
        let original = OriginalFile::read(&path).unwrap();
        assert_eq!(original.content, None);
        write(&path, "one", 0).unwrap();
        write(&path, "t", 0).unwrap();
        assert_eq!(text_of(&path).unwrap().as_deref(), Some("t"));
        original.put_back().unwrap();
        assert!(!path.exists());
        original.put_back().unwrap();
    }

    #[test]
    fn what_is_behind_a_link_is_changed_and_comes_back_with_mode_and_time() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "threads=5\n").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        let file = OpenOptions::new().write(true).open(&real).unwrap();
        let time = UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_789);
        file.set_modified(time).unwrap();
        symlink(&real, &link).unwrap();
        let before = attributes(&real);
        let original = OriginalFile::read(&link).unwrap();
        write(&link, "threads=10\n", 0).unwrap();
        assert_eq!(text_of(&real).unwrap().as_deref(), Some("threads=10\n"));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        original.put_back().unwrap();
        assert_eq!(text_of(&real).unwrap().as_deref(), Some("threads=5\n"));
        assert_eq!(attributes(&real), before);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    /// What replaces a file (`sed -i`, an editor) leaves its access list behind.
    #[test]
    fn an_access_list_stays_and_comes_back_with_a_file_that_was_replaced() {
        // user::rw-, user:64123:rw-, group::r--, mask::rw-, other::---
        const LIST: &str = "0200000001000600ffffffff020006007bfa000004000400ffffffff10000600ffffffff20000000ffffffff";
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = folder.path().join("app.conf");
        fs::write(&path, "pool=5\n").unwrap();
        if set_access_list(&path, Some(LIST)).is_err() {
            return; // a file system without access lists
        }
        let original = OriginalFile::read(&path).unwrap();
        assert_eq!(original.access_list.as_deref(), Some(LIST));
        let before = attributes(&path);
        write(&path, "pool=10\n", 0).unwrap();
        assert_eq!(access_list(&path).unwrap().as_deref(), Some(LIST));
        original.put_back().unwrap();
        assert_eq!(access_list(&path).unwrap().as_deref(), Some(LIST));
        // Replaced, ...
        fs::remove_file(&path).unwrap();
        fs::write(&path, "pool=20\n").unwrap();
        original.put_back().unwrap();
        assert_eq!(OriginalFile::read(&path).unwrap(), original);
        // ... taken away, and given to others.
        fs::remove_file(&path).unwrap();
        original.put_back().unwrap();
        assert_eq!(OriginalFile::read(&path).unwrap(), original);
        assert_eq!(attributes(&path), before);
        fs::remove_file(&path).unwrap();
        fs::write(&path, "pool=5\n").unwrap();
        let plain = OriginalFile::read(&path).unwrap();
        set_access_list(&path, Some(LIST)).unwrap();
        plain.put_back().unwrap();
        assert_eq!(access_list(&path).unwrap(), None);
    }

    /// Going back from a shorter text needed a block that a full disk no longer had.
    #[test]
    fn a_file_that_became_shorter_keeps_the_room_of_its_original() {
        // Memory keeps blocks on each machine; a folder may lie where nothing can be kept.
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = folder.path().join("a.conf");
        fs::write(&path, "x".repeat(40_000)).unwrap();
        let blocks = |path: &Path| fs::metadata(path).unwrap().blocks();
        let before = blocks(&path);
        let original = OriginalFile::read(&path).unwrap();
        write(&path, "short", original.text_bytes()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), 5);
        assert_eq!(blocks(&path), before);
        original.put_back().unwrap();
        assert_eq!(text_of(&path).unwrap(), original.content);
    }

    #[test]
    fn a_link_that_leads_elsewhere_by_now_is_told_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("one"), "1").unwrap();
        fs::write(path("two"), "2").unwrap();
        symlink(path("one"), path("link")).unwrap();
        let original = OriginalFile::read(&path("link")).unwrap();
        fs::remove_file(path("link")).unwrap();
        symlink(path("two"), path("link")).unwrap();
        assert!(matches!(
            original.put_back(),
            Err(OriginalError::LinkMoved(_))
        ));
        assert_eq!(fs::read_to_string(path("two")).unwrap(), "2");
    }

    /// A study of a user who may not write the file said that the file was not as it was.
    #[test]
    fn a_file_that_is_as_it_was_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "x").unwrap();
        let original = OriginalFile::read(&path).unwrap();
        let changed = |path: &Path| {
            let metadata = fs::metadata(path).unwrap();
            (metadata.ctime(), metadata.ctime_nsec())
        };
        let before = changed(&path);
        original.put_back().unwrap();
        assert_eq!(changed(&path), before);
    }

    #[test]
    fn a_link_to_nothing_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink(folder.path().join("nothing"), &link).unwrap();
        assert!(OriginalFile::read(&link).is_err());
    }

    #[test]
    fn what_a_damaged_journal_says_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "x").unwrap();
        let mut original = OriginalFile::read(&path).unwrap();
        original.content = Some("y".to_owned());
        assert!(matches!(original.put_back(), Err(OriginalError::Damaged)));
        assert_eq!(fs::read_to_string(&path).unwrap(), "x");
    }
}
