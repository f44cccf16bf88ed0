//! Folders whose code runs whoever owns it, because a person said so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::trust::write_list;

/// The list of folders, in the user's data folder.
const LIST_NAME: &str = "trusted-code";

/// The list: a path on each line.
#[derive(Debug, Clone)]
pub(crate) struct TrustedCode(PathBuf);

impl TrustedCode {
    /// The list in a folder of this user's data.
    pub(crate) fn new(folder: &Path) -> Self {
        Self(folder.join(LIST_NAME))
    }

    /// Where the list is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The folders; none without a list.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        let list = fs::read_to_string(&self.0).unwrap_or_default();
        let folders = list.lines().filter(|line| line.starts_with('/'));
        folders.map(PathBuf::from).collect()
    }

    /// Keeps a folder, or a file; gives its real path.
    ///
    /// # Errors
    /// It is not there, has no place in a list of lines, or the list cannot be written.
    pub(crate) fn add(&self, folder: &Path) -> io::Result<PathBuf> {
        let real = folder.canonicalize()?;
        let line = real.to_str().filter(|text| !text.contains(['\n', '\r']));
        let line = line.ok_or(io::ErrorKind::InvalidFilename)?;
        let mut folders = self.folders();
        if folders.contains(&real) {
            return Ok(real);
        }
        folders.push(PathBuf::from(line));
        let lines: Vec<String> = folders
            .iter()
            .map(|folder| folder.display().to_string())
            .collect();
        write_list(&self.0, &lines)?;
        Ok(real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_kept_once_by_their_real_paths() {
        let root = tempfile::tempdir().unwrap();
        let list = TrustedCode::new(&root.path().join("data"));
        assert!(list.folders().is_empty());
        let shared = root.path().join("shared code");
        fs::create_dir(&shared).unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&shared, &link).unwrap();
        let real = shared.canonicalize().unwrap();
        for spelt in [&shared, &link, &shared.join("../shared code")] {
            assert_eq!(list.add(spelt).unwrap(), real);
        }
        assert_eq!(list.folders(), [real]);
        assert!(list.add(&root.path().join("none")).is_err());
    }

    #[test]
    fn a_path_of_several_lines_is_not_kept() {
        let root = tempfile::tempdir().unwrap();
        let list = TrustedCode::new(root.path());
        let odd = root.path().join("a\n");
        fs::create_dir_all(odd.join("tmp")).unwrap();
        assert!(list.add(&odd.join("tmp")).is_err());
        assert!(list.folders().is_empty());
    }
}
