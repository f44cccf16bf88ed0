//! Whose code runs beside the file that a person typed.
//!
//! A typed file is obeyed as far as its own folder. Code that lies elsewhere (packages in a folder
//! above, files imported by path) runs if it belongs to somebody whose code runs here anyway: who
//! owns the typed file, this user, root. Of anybody else, it may have been put there to be found.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Its code runs on behalf of everybody.
const ROOT_UID: u32 = 0;
/// The bit of a mode that lets everybody write.
const OTHERS_WRITE: u32 = 0o002;

/// Whose code runs.
#[derive(Clone)]
pub struct CodeTrust {
    owners: Vec<u32>,
    folders: Vec<PathBuf>,
    words: Arc<dyn Fn(&ForeignCode) -> String + Send + Sync>,
}

/// Code that does not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} belongs to user {owner} and lies outside the test's folder", path.display())]
pub struct ForeignCode {
    /// The file, or the folder that holds packages.
    pub path: PathBuf,
    /// Whose it is.
    pub owner: u32,
}

/// Why a file gives no code.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// The kernel's error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is somebody else's; in words for the user.
    #[error("{0}")]
    Foreign(String),
}

impl Default for CodeTrust {
    /// Root's, and what the typed file adds.
    fn default() -> Self {
        Self {
            owners: vec![ROOT_UID],
            folders: Vec::new(),
            words: Arc::new(ForeignCode::to_string),
        }
    }
}

impl fmt::Debug for CodeTrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeTrust")
            .field("owners", &self.owners)
            .field("folders", &self.folders)
            .finish_non_exhaustive()
    }
}

impl CodeTrust {
    /// Code of these users runs wherever it lies, and whoever's it is below these folders; `words`
    /// says of other code why it does not.
    #[must_use]
    pub fn new(
        owners: impl IntoIterator<Item = u32>,
        folders: impl IntoIterator<Item = PathBuf>,
        words: Arc<dyn Fn(&ForeignCode) -> String + Send + Sync>,
    ) -> Self {
        Self {
            owners: owners.into_iter().collect(),
            folders: folders.into_iter().collect(),
            words,
        }
    }

    /// The same for a test whose file was typed: its folder is trusted unless everybody may write
    /// there (`/tmp`), and its owner wherever their files lie.
    #[must_use]
    pub fn for_typed_file(mut self, file: &Path) -> Self {
        if let Ok(metadata) = fs::metadata(file) {
            self.owners.push(metadata.uid());
        }
        // The text of standard input has a folder and no file.
        let real = file.canonicalize().ok();
        let folder = match &real {
            Some(real) => real.parent().map(Path::to_owned),
            None => file.parent().and_then(|folder| folder.canonicalize().ok()),
        };
        // A link may be typed: what lies beside it was meant, too.
        let beside = file.parent().and_then(|folder| folder.canonicalize().ok());
        let folders = folder.into_iter().chain(beside);
        self.folders.extend(folders.filter(|folder| is_own(folder)));
        self
    }

    /// Reads a file of code.
    ///
    /// # Errors
    /// It cannot be read, or is somebody else's.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, CodeError> {
        let mut file = File::open(path)?;
        // What was opened is judged, not what the path leads to a moment later.
        let real = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))
            .or_else(|_| path.canonicalize())?;
        self.judge(path, &real, &file.metadata()?)
            .map_err(CodeError::Foreign)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Whether code may be looked for there: a folder of packages, a file that names others. One that
    /// is not there is no harm.
    ///
    /// # Errors
    /// It is somebody else's, in words for the user.
    pub fn check(&self, path: &Path) -> Result<(), String> {
        match (path.canonicalize(), fs::metadata(path)) {
            (Ok(real), Ok(metadata)) => self.judge(path, &real, &metadata),
            _ => Ok(()),
        }
    }

    fn judge(&self, path: &Path, real: &Path, metadata: &fs::Metadata) -> Result<(), String> {
        let owner = metadata.uid();
        let is_trusted = self.owners.contains(&owner)
            || self.folders.iter().any(|folder| real.starts_with(folder));
        if is_trusted {
            return Ok(());
        }
        let path = path.to_owned();
        Err((self.words)(&ForeignCode { path, owner }))
    }
}

/// Whether what lies in a folder was put there by whom the folder belongs to.
fn is_own(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|metadata| metadata.mode() & OTHERS_WRITE == 0)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// A typed file in a folder of its own, code beside and above it.
    struct Tree {
        root: tempfile::TempDir,
        uid: u32,
    }

    impl Tree {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir_all(root.path().join("own/below")).unwrap();
            for name in ["own/typed.js", "own/below/near.js", "above.js"] {
                fs::write(root.path().join(name), "code").unwrap();
            }
            let uid = fs::metadata(root.path()).unwrap().uid();
            Self { root, uid }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.root.path().join(name)
        }

        fn trust(&self, owners: &[u32], folders: &[PathBuf]) -> CodeTrust {
            let words = Arc::new(|foreign: &ForeignCode| format!("not {}", foreign.owner));
            CodeTrust::new(owners.to_vec(), folders.to_vec(), words)
        }

        fn runs(&self, trust: &CodeTrust, name: &str) -> bool {
            let read = trust.read(&self.path(name));
            let is_read = read.is_ok();
            if let Err(error) = read {
                assert_eq!(error.to_string(), format!("not {}", self.uid));
            }
            assert_eq!(trust.check(&self.path(name)).is_ok(), is_read, "{name}");
            is_read
        }
    }

    #[test]
    fn code_outside_the_typed_folder_runs_if_its_owner_is_trusted() {
        let tree = Tree::new();
        let stranger = tree.trust(&[tree.uid + 1], &[]);
        assert!(!tree.runs(&stranger, "above.js"));
        assert!(!tree.runs(&stranger, "own/below/near.js"));
        assert!(tree.runs(&tree.trust(&[tree.uid], &[]), "above.js"));
        let allowed = tree.path("").canonicalize().unwrap();
        assert!(tree.runs(&tree.trust(&[], &[allowed]), "above.js"));
    }

    #[test]
    fn a_typed_file_brings_its_folder_and_its_owner() {
        let tree = Tree::new();
        let of_stdin = tree.trust(&[], &[]).for_typed_file(&tree.path("own/-"));
        assert!(tree.runs(&of_stdin, "own/below/near.js"));
        assert!(!tree.runs(&of_stdin, "above.js"));
        // Its owner may have named whatever is theirs.
        let of_file = tree
            .trust(&[], &[])
            .for_typed_file(&tree.path("own/typed.js"));
        assert!(tree.runs(&of_file, "above.js"));
    }

    #[test]
    fn a_folder_that_everybody_may_write_is_nobodys() {
        let tree = Tree::new();
        let open = fs::Permissions::from_mode(0o1777);
        fs::set_permissions(tree.path("own"), open).unwrap();
        let of_stdin = tree.trust(&[], &[]).for_typed_file(&tree.path("own/-"));
        assert!(!tree.runs(&of_stdin, "own/below/near.js"));
    }

    #[test]
    fn a_link_is_where_it_leads() {
        let tree = Tree::new();
        symlink(tree.path("above.js"), tree.path("own/linked.js")).unwrap();
        let of_stdin = tree.trust(&[], &[]).for_typed_file(&tree.path("own/-"));
        assert!(!tree.runs(&of_stdin, "own/linked.js"));
    }

    #[test]
    fn what_is_not_there_is_no_harm() {
        let tree = Tree::new();
        let trust = tree.trust(&[], &[]);
        assert_eq!(trust.check(&tree.path("nothing")), Ok(()));
        let read = trust.read(&tree.path("nothing"));
        assert!(matches!(read, Err(CodeError::Io(_))));
    }
}
