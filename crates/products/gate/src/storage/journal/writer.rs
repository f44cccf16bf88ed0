//! The writing thread: all waiting entries of a file in one write and one sync.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, oneshot};

use super::files::LogFiles;
use super::{Logs, gone, io_at};
use crate::storage::{LogEntry, LogStoreError, Snapshot};

/// Entries of one sync at most: enough to share it, few enough to answer soon.
const SYNC_ENTRIES_MAX: usize = 4_096;

pub(super) type Done = oneshot::Sender<Result<(), LogStoreError>>;

pub(super) enum Job {
    Open {
        log: String,
        files: LogFiles,
        tail: mpsc::UnboundedSender<LogEntry>,
    },
    Append {
        log: String,
        entry: Vec<u8>,
        done: Done,
    },
    Save {
        log: String,
        snapshot: Snapshot,
        done: Done,
    },
    /// Lets go of a log's files and removes them.
    Forget {
        log: String,
        directory: PathBuf,
        done: Done,
    },
}

/// A log as the thread holds it.
pub(super) struct OpenLog {
    files: LogFiles,
    tail: mpsc::UnboundedSender<LogEntry>,
    /// Entries put and not yet synced, with who waits for them.
    pending: Vec<(LogEntry, Done)>,
}

pub(super) struct Writer {
    jobs: mpsc::UnboundedReceiver<Job>,
    wall_clock: fn() -> SystemTime,
    logs: Logs,
}

impl Writer {
    pub(super) fn new(jobs: mpsc::UnboundedReceiver<Job>, wall_clock: fn() -> SystemTime) -> Self {
        Self {
            jobs,
            wall_clock,
            logs: Logs::new(),
        }
    }

    /// Until nobody holds the store any more.
    pub(super) fn run(mut self) {
        let mut jobs = Vec::new();
        while self.jobs.blocking_recv_many(&mut jobs, SYNC_ENTRIES_MAX) > 0 {
            let now_ms = self.now_ms();
            let mut dirty = BTreeSet::new();
            for job in jobs.drain(..) {
                match job {
                    Job::Open { log, files, tail } => {
                        let open = OpenLog {
                            files,
                            tail,
                            pending: Vec::new(),
                        };
                        self.logs.insert(log, open);
                    }
                    Job::Append { log, entry, done } => match self.logs.get_mut(&log) {
                        Some(open) => {
                            open.put(now_ms, entry, done);
                            dirty.insert(log);
                        }
                        None => drop(done.send(Err(gone()))),
                    },
                    Job::Save {
                        log,
                        snapshot,
                        done,
                    } => {
                        let saved = match self.logs.get_mut(&log) {
                            Some(open) => open.save(&snapshot),
                            None => Err(gone()),
                        };
                        drop(done.send(saved));
                    }
                    Job::Forget {
                        log,
                        directory,
                        done,
                    } => {
                        self.logs.remove(&log);
                        drop(done.send(remove(&directory)));
                    }
                }
            }
            for log in dirty {
                if let Some(open) = self.logs.get_mut(&log) {
                    open.commit();
                }
            }
        }
    }

    fn now_ms(&self) -> u64 {
        let since = (self.wall_clock)()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

fn remove(directory: &Path) -> Result<(), LogStoreError> {
    match std::fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_at(directory, error)),
        _ => Ok(()),
    }
}

impl OpenLog {
    fn put(&mut self, now_ms: u64, entry: Vec<u8>, done: Done) {
        // Queue time takes differences only, and never goes back.
        let position = self.files.put(now_ms, &entry);
        self.pending.push((
            LogEntry {
                position,
                taken_ms: now_ms,
                entry,
            },
            done,
        ));
    }

    fn commit(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let failed = self.files.commit().err().map(|error| error.to_string());
        for (taken, done) in self.pending.drain(..) {
            let answer = match &failed {
                None => {
                    // Without a reader nobody waits for what it did either.
                    let _ = self.tail.send(taken);
                    Ok(())
                }
                Some(why) => Err(LogStoreError::Unreachable(why.clone())),
            };
            // Who asked may have gone.
            let _ = done.send(answer);
        }
    }

    fn save(&mut self, snapshot: &Snapshot) -> Result<(), LogStoreError> {
        // The new journal begins after what is already put.
        self.commit();
        self.files.save(snapshot)
    }
}
