//! A store in files: one journal a log, group commit, snapshots.
//!
//! One thread writes for all logs. It takes all waiting entries, writes them, calls
//! `fdatasync` once for each file written, and only then answers: under load many entries
//! share one sync. After a write or a sync that failed, because the disk was full or broken,
//! what is on the disk is not known: it is cut back to the last good sync before the next
//! entry is written, so a disk that has room again is enough to go on.
//!
//! `<log>/<count>.journal` holds the entries after the `count`th; `<log>/<count>.snapshot`
//! stands for the first `count`. A torn end, which a crash leaves, is cut off; anything
//! else that cannot be read is an error.

use futures_util::future::BoxFuture;
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::{Mutex, mpsc, oneshot};

use super::{
    Log, LogEntry, LogStore, LogStoreError, OpenedLog, Position, ReadResult, RepairSource,
    Snapshot, SnapshotSource,
};

mod files;
mod writer;

use files::{LogFiles, Recovered};
use writer::{Done, Job, Writer};

/// How long a read waits for entries.
const READ_TIMEOUT: Duration = Duration::from_millis(250);

/// Logs in a directory.
pub struct Journal {
    directory: PathBuf,
    jobs: mpsc::UnboundedSender<Job>,
    /// Held until the store goes.
    _lock: DirectoryLock,
}

/// A new directory of journals is for the gate's user alone.
const OWNER_ONLY: u32 = 0o700;
/// So is the lock: who can open it can hold it.
const LOCK_MODE: u32 = 0o600;

impl Journal {
    /// Opens the directory, making it if there is none, and starts the writing thread.
    ///
    /// # Errors
    /// [`LogStoreError::InUse`] when another gate has it, [`LogStoreError::Io`].
    pub fn open(directory: &Path, wall_clock: fn() -> SystemTime) -> Result<Self, LogStoreError> {
        let io = |source| io_at(directory, source);
        DirBuilder::new()
            .recursive(true)
            .mode(OWNER_ONLY)
            .create(directory)
            .map_err(io)?;
        let lock = DirectoryLock::new(directory)?;
        let (jobs, queue) = mpsc::unbounded_channel();
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || Writer::new(queue, wall_clock).run())
            .map_err(io)?;
        Ok(Self {
            directory: directory.to_owned(),
            jobs,
            _lock: lock,
        })
    }

    fn open_log(&self, name: &str) -> Result<OpenedLog, LogStoreError> {
        let Recovered {
            files,
            snapshot,
            entries,
        } = LogFiles::recover(self.directory.join(name))?;
        let (tail, heard) = mpsc::unbounded_channel();
        for entry in entries {
            // The reader is right below.
            let _ = tail.send(entry);
        }
        let job = Job::Open {
            log: name.to_owned(),
            files,
            tail,
        };
        self.jobs.send(job).map_err(|_| gone())?;
        let log = JournalLog {
            name: name.to_owned(),
            jobs: self.jobs.clone(),
            heard: Mutex::new(heard),
        };
        Ok(OpenedLog {
            log: Arc::new(log),
            snapshot,
        })
    }
}

/// Keeps other gates out of a directory.
struct DirectoryLock(File);

impl DirectoryLock {
    fn new(directory: &Path) -> Result<Self, LogStoreError> {
        let io = |source| io_at(directory, source);
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        // A link that somebody put there leads to a file that is none of ours.
        let options = options
            .mode(LOCK_MODE)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
        let file = options.open(directory.join("lock")).map_err(io)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
            Errno::WOULDBLOCK => LogStoreError::InUse {
                path: directory.display().to_string(),
            },
            other => io(other.into()),
        })?;
        Ok(Self(file))
    }
}

impl Drop for DirectoryLock {
    /// Closing is not enough: a process that another thread is just starting holds a copy of the
    /// file, and with it the lock, until its program begins.
    fn drop(&mut self) {
        // A lock that cannot be given up goes with the process.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

impl LogStore for Journal {
    fn open<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<OpenedLog, LogStoreError>> {
        Box::pin(async move { self.open_log(name) })
    }

    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), LogStoreError>> {
        Box::pin(async move {
            let job = |done| Job::Forget {
                log: name.to_owned(),
                directory: self.directory.join(name),
                done,
            };
            do_job(&self.jobs, job).await
        })
    }

    fn about(&self) -> String {
        format!("files in {}", self.directory.display())
    }
}

struct JournalLog {
    name: String,
    jobs: mpsc::UnboundedSender<Job>,
    heard: Mutex<mpsc::UnboundedReceiver<LogEntry>>,
}

impl Log for JournalLog {
    fn append(&self, entry: Vec<u8>) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(async move {
            let job = |done| Job::Append {
                log: self.name.clone(),
                entry,
                done,
            };
            do_job(&self.jobs, job).await
        })
    }

    fn read(&self, position: Position) -> BoxFuture<'_, Result<ReadResult, LogStoreError>> {
        Box::pin(async move {
            let mut heard = self.heard.lock().await;
            let mut entries = Vec::new();
            loop {
                let next = heard.recv_many(&mut entries, 1_024);
                match tokio::time::timeout(READ_TIMEOUT, next).await {
                    Ok(0) => return Err(gone()),
                    Ok(_) => {}
                    // Nothing came: the reader has everything there is.
                    Err(_) => return Ok(ReadResult::Entries(Vec::new())),
                }
                // After a snapshot was taken from elsewhere, older ones may still be on the way.
                entries.retain(|taken: &LogEntry| taken.position > position);
                if !entries.is_empty() {
                    return Ok(ReadResult::Entries(entries));
                }
            }
        })
    }

    fn save(&self, snapshot: Snapshot) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(async move {
            let job = |done| Job::Save {
                log: self.name.clone(),
                snapshot,
                done,
            };
            do_job(&self.jobs, job).await
        })
    }

    /// A journal belongs to one gate and is never broken while it runs.
    fn repair<'a>(
        &'a self,
        _mine: Position,
        _freeze: SnapshotSource<'a>,
    ) -> BoxFuture<'a, Result<RepairSource, LogStoreError>> {
        Box::pin(async { Ok(RepairSource::ReadOn) })
    }
}

/// Gives the writing thread a job and waits until it is done. The errors of both channels say
/// only that the thread has ended, as `gone` does.
async fn do_job(
    jobs: &mpsc::UnboundedSender<Job>,
    job: impl FnOnce(Done) -> Job,
) -> Result<(), LogStoreError> {
    let (done, answer) = oneshot::channel();
    jobs.send(job(done)).map_err(|_| gone())?;
    answer.await.map_err(|_| gone())?
}

/// The writing thread is gone: the process is about to end.
fn gone() -> LogStoreError {
    LogStoreError::Unreachable("the journal is closed".to_owned())
}

fn io_at(place: &Path, source: io::Error) -> LogStoreError {
    LogStoreError::Io {
        place: place.display().to_string(),
        source,
    }
}

/// Logs by name, as the writing thread holds them.
type Logs = BTreeMap<String, writer::OpenLog>;

#[cfg(test)]
mod tests;
