//! One study at a time for a target.
//!
//! A lock is a file that is locked as long as its study runs; the kernel lets go of it when the
//! study ends, however it ends.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// Locks that are held.
#[derive(Debug)]
pub struct StudyLock {
    _files: Vec<File>,
}

/// Why a target cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another study has it.
    #[error("{target}: {holder}")]
    Held {
        /// The target.
        target: String,
        /// Who has it.
        holder: String,
    },
    /// The kernel's error.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl StudyLock {
    /// Locks the targets (`host:port`), with a file for each in `folder`; `holder` is told to
    /// the next study.
    ///
    /// # Errors
    /// Another study has one, or there can be no lock.
    pub fn take(folder: &Path, targets: &[String], holder: &str) -> Result<Self, LockError> {
        let mut files = Vec::new();
        for target in targets {
            let mut options = OpenOptions::new();
            let mut file = options
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(file_of(folder, target))?;
            if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
                let mut holder = String::new();
                file.read_to_string(&mut holder)?;
                let target = target.clone();
                return Err(LockError::Held {
                    target,
                    holder: holder.trim().to_owned(),
                });
            }
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(holder.as_bytes())?;
            files.push(file);
        }
        Ok(Self { _files: files })
    }
}

fn file_of(folder: &Path, target: &str) -> PathBuf {
    let safe = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    let name: String = target.chars().map(safe).collect();
    folder.join(format!("loadline-tune-{name}.lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_study_of_a_target_is_refused_until_the_first_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let targets = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let both = targets(&["a:1", "b:2"]);
        let first = StudyLock::take(folder.path(), &both, "one, process 1").unwrap();
        let second = StudyLock::take(folder.path(), &targets(&["b:2"]), "two");
        assert!(matches!(
            second,
            Err(LockError::Held { target, holder }) if target == "b:2" && holder == "one, process 1"
        ));
        assert!(StudyLock::take(folder.path(), &targets(&["c:3"]), "three").is_ok());
        drop(first);
        assert!(StudyLock::take(folder.path(), &both, "two").is_ok());
    }
}
