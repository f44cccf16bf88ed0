//! The user's secret that opens the web pages: a file that nobody else may read.
//!
//! It is made once and stays, so that links, cookies and tokens outlive a server; the tokens of each
//! store are derived from it ([`loadline_web::AccessTokens`]). Who can read it may do everything the
//! pages can, and so may the user without it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use loadline_text::problem;
use loadline_web::AccessTokens;

use crate::context::Context;
use crate::control_folder::{control_folder, private};
use crate::refusal::Refusal;
use crate::stored::data_folder;

/// The file's name, in the user's data folder.
const FILE_NAME: &str = "page-secret";
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// Random bytes of a secret.
const SECRET_BYTES: usize = 32;
/// What is read of the file: its digits and the end of the line.
const FILE_BYTES_MAX: u64 = 2 * SECRET_BYTES as u64 + 1;

/// The file, which is there.
#[derive(Debug, Clone)]
pub(crate) struct PageSecret(PathBuf);

impl PageSecret {
    /// Finds the file, or makes it: in the user's data folder, or where that cannot be written, in the
    /// folder of sockets.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn find(context: &Context) -> Result<Self, Refusal> {
        let in_data = data_folder(context).map(|folder| Self(folder.join(FILE_NAME)));
        let secret = match in_data {
            Some(secret) if secret.make().is_ok() => secret,
            _ => {
                let folder = control_folder(context);
                let secret = Self(folder.join(FILE_NAME));
                let made = private(&folder).and_then(|()| secret.make());
                let failed = |error| problem::write_failed(secret.0.display(), error);
                made.map_err(|error| Refusal::config(failed(error)))?;
                secret
            }
        };
        Ok(secret)
    }

    /// The tokens of a store.
    ///
    /// # Errors
    /// The file is gone or cannot be read, or others could read it.
    pub(crate) fn tokens(&self, store: &Path) -> Result<AccessTokens, Refusal> {
        let unread = |error: io::Error| match error.kind() {
            // What `read` says itself; the kernel's errors have a number.
            ErrorKind::PermissionDenied | ErrorKind::InvalidData
                if error.raw_os_error().is_none() =>
            {
                problem::page_secret_open(self.0.display())
            }
            _ => problem::file_unreadable(self.0.display(), error),
        };
        let secret = self.read();
        let secret = secret.map_err(|error| Refusal::config(unread(error)))?;
        Ok(AccessTokens::new(&secret, &named_once(store)))
    }

    /// Makes another secret: no link, cookie or token of before opens anything.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn renew(&self) -> Result<(), Refusal> {
        let renewed = written_beside(&self.0).and_then(|beside| fs::rename(beside, &self.0));
        let failed = |error| problem::write_failed(self.0.display(), error);
        renewed.map_err(|error| Refusal::other(failed(error)))
    }

    /// Makes the file unless it is there; another process may do the same.
    fn make(&self) -> io::Result<()> {
        if fs::symlink_metadata(&self.0).is_ok() {
            return Ok(());
        }
        if let Some(folder) = self.0.parent() {
            let mut folders = DirBuilder::new();
            folders.recursive(true).mode(FOLDER_MODE).create(folder)?;
        }
        let beside = written_beside(&self.0)?;
        let linked = fs::hard_link(&beside, &self.0);
        fs::remove_file(beside)?;
        match linked {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            other => other,
        }
    }

    /// The secret; an error when the file is not this user's alone.
    fn read(&self) -> io::Result<Vec<u8>> {
        let denied = |text: &str| Err(io::Error::new(ErrorKind::PermissionDenied, text));
        // A link could lead to what others write, and a pipe would never be read to its end.
        if !fs::symlink_metadata(&self.0)?.is_file() {
            return denied("it is no plain file");
        }
        let file = File::open(&self.0)?;
        let metadata = file.metadata()?;
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return denied("it belongs to another user");
        }
        if metadata.mode() & 0o077 != 0 {
            return denied("other users may open it; its mode must be 0600");
        }
        let mut text = String::new();
        file.take(FILE_BYTES_MAX).read_to_string(&mut text)?;
        let digits = text.trim_end();
        let is_whole = digits.len() == 2 * SECRET_BYTES;
        if !is_whole || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(io::Error::new(ErrorKind::InvalidData, "it holds no secret"));
        }
        Ok(digits.as_bytes().to_vec())
    }
}

/// A new secret in a file beside another one.
fn written_beside(path: &Path) -> io::Result<PathBuf> {
    let mut number = [0; 8];
    random(&mut number);
    let beside = path.with_extension(format!("{}.new", hexadecimal(&number)));
    let mut bytes = [0; SECRET_BYTES];
    random(&mut bytes);
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(FILE_MODE);
    let mut file = options.open(&beside)?;
    file.write_all(format!("{}\n", hexadecimal(&bytes)).as_bytes())?;
    file.sync_all()?;
    Ok(beside)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fills with the system's random bytes.
pub(crate) fn random(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the system's random numbers cannot be read");
}

/// A store by one name, however it was typed; it need not be there yet.
fn named_once(store: &Path) -> PathBuf {
    let whole = fs::canonicalize(store);
    let in_folder = || {
        let folder = fs::canonicalize(store.parent()?).ok()?;
        Some(folder.join(store.file_name()?))
    };
    whole
        .ok()
        .or_else(in_folder)
        .unwrap_or_else(|| store.to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use loadline_web::AccessRole;

    use super::*;

    fn made(folder: &Path) -> PageSecret {
        let secret = PageSecret(folder.join("data").join(FILE_NAME));
        secret.make().unwrap();
        secret
    }

    #[test]
    fn a_secret_is_made_once_for_its_user_alone_and_differs_for_each_store() {
        let folder = tempfile::tempdir().unwrap();
        let secret = made(folder.path());
        assert_eq!(fs::metadata(&secret.0).unwrap().mode() & 0o777, 0o600);
        let first = secret.tokens(&folder.path().join("runs.db")).unwrap();
        secret.make().unwrap();
        let around = folder.path().join("data/../runs.db");
        assert_eq!(first, secret.tokens(&around).unwrap());
        let other = secret.tokens(&folder.path().join("other.db")).unwrap();
        assert_ne!(first, other);
        let files = fs::read_dir(folder.path().join("data")).unwrap();
        assert_eq!(files.count(), 1, "nothing stays beside it");
        secret.renew().unwrap();
        let renewed = secret.tokens(&around).unwrap();
        let own = |of: &AccessTokens| of.token(AccessRole::Own).to_owned();
        assert_ne!(own(&renewed), own(&first));
    }

    /// In a folder where others write, one may have put it there before.
    #[test]
    fn a_secret_that_others_could_know_lets_nobody_in() {
        let folder = tempfile::tempdir().unwrap();
        let secret = made(folder.path());
        let store = folder.path().join("runs.db");
        for mode in [0o644, 0o640, 0o660, 0o602] {
            fs::set_permissions(&secret.0, fs::Permissions::from_mode(mode)).unwrap();
            assert!(secret.tokens(&store).is_err(), "{mode:o}");
        }
        fs::set_permissions(&secret.0, fs::Permissions::from_mode(0o600)).unwrap();
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&secret.0, &elsewhere).unwrap();
        assert!(secret.tokens(&store).is_err(), "gone");
        symlink(&elsewhere, &secret.0).unwrap();
        assert!(secret.tokens(&store).is_err(), "a link");
        fs::remove_file(&secret.0).unwrap();
        fs::write(&secret.0, "short\n").unwrap();
        fs::set_permissions(&secret.0, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(secret.tokens(&store).is_err(), "no secret");
    }
}
