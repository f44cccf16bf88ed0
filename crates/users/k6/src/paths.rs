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

/// Whether a path leads down only.
pub(crate) fn is_below(path: &Path) -> bool {
    let is_name = |part| matches!(part, std::path::Component::Normal(_));
    path.components().all(is_name)
}

/// Where the files of a script are: anywhere, or all in a folder that an archive was laid out in.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileRoot(Option<PathBuf>);

impl FileRoot {
    /// Files lie by their paths below `file` in the folder of an archive; without one, anywhere.
    pub(crate) fn new(archive: Option<&Path>) -> Self {
        Self(archive.map(|folder| folder.join("file")))
    }

    /// Where a file is that a script names by `path`. One that an archive does not have is not
    /// there, though this machine may have a file of that name.
    pub(crate) fn place(&self, path: &Path) -> PathBuf {
        let path = clean(path);
        match &self.0 {
            Some(root) if !path.starts_with(root) => {
                let inside = path.strip_prefix("/").unwrap_or(&path);
                root.join(inside)
            }
            _ => path,
        }
    }

    /// Whether it is the folder of an archive.
    pub(crate) const fn is_archive(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a file may be read.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.0
            .as_ref()
            .is_none_or(|root| clean(path).starts_with(root))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_an_archive_are_in_its_folder_whatever_they_are_called() {
        let root = FileRoot::new(Some(Path::new("/tmp/a")));
        let place = |path: &str| root.place(Path::new(path)).display().to_string();
        assert_eq!(place("/etc/passwd"), "/tmp/a/file/etc/passwd");
        assert_eq!(place("/tmp/a/file/src/x.csv"), "/tmp/a/file/src/x.csv");
        assert_eq!(place("/tmp/a/file/../../../etc/x"), "/tmp/a/file/etc/x");
        assert_eq!(place("/tmp/a/files/x"), "/tmp/a/file/tmp/a/files/x");
        assert!(!root.has(Path::new("/tmp/node_modules/x/index.js")));
        let anywhere = FileRoot::default();
        assert_eq!(anywhere.place(Path::new("/a/../b")), Path::new("/b"));
        assert!(anywhere.has(Path::new("/b")));
    }
}
