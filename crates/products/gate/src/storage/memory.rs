//! A store in memory for tests: several gates, each of which can be cut off from it.

use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{
    Log, LogEntry, LogStore, LogStoreError, OpenedLog, Position, ReadResult, RepairSource,
    Snapshot, SnapshotSource,
};

/// How long a read waits for entries.
const READ_TIMEOUT: Duration = Duration::from_millis(250);

/// What all gates share.
#[derive(Default)]
pub(crate) struct Memory {
    logs: Mutex<HashMap<String, Arc<MemoryLog>>>,
}

struct MemoryLog {
    entries: Mutex<Vec<LogEntry>>,
    length: watch::Sender<usize>,
    began: Instant,
    /// Entries of one read at most.
    page: AtomicUsize,
    /// The next read finds that the log was set back and written again.
    is_broken: AtomicBool,
}

/// One gate's way to the store.
pub(crate) struct MemoryStore {
    memory: Arc<Memory>,
    cut_off: watch::Sender<bool>,
}

struct GateLog {
    log: Arc<MemoryLog>,
    cut_off: watch::Receiver<bool>,
}

impl Memory {
    fn log(&self, name: &str) -> Arc<MemoryLog> {
        let mut logs = self.logs.lock().unwrap();
        let log = logs.entry(name.to_owned()).or_insert_with(|| {
            Arc::new(MemoryLog {
                entries: Mutex::default(),
                length: watch::Sender::new(0),
                began: Instant::now(),
                page: AtomicUsize::new(512),
                is_broken: AtomicBool::new(false),
            })
        });
        log.clone()
    }

    /// Makes every reader begin again, one entry a read.
    pub(crate) fn set_back(&self, name: &str) {
        let log = self.log(name);
        assert!(*log.length.borrow() > 1, "there is a log of that name");
        log.page.store(1, Ordering::Relaxed);
        log.is_broken.store(true, Ordering::Relaxed);
        log.length.send_modify(|_| {});
    }
}

impl MemoryStore {
    pub(crate) fn new(memory: &Arc<Memory>) -> Self {
        Self {
            memory: memory.clone(),
            cut_off: watch::Sender::new(false),
        }
    }

    pub(crate) fn cut_off(&self, cut_off: bool) {
        self.cut_off.send_replace(cut_off);
    }
}

impl LogStore for MemoryStore {
    fn open<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<OpenedLog, LogStoreError>> {
        let log = Arc::new(GateLog {
            log: self.memory.log(name),
            cut_off: self.cut_off.subscribe(),
        });
        Box::pin(async {
            Ok(OpenedLog {
                log,
                snapshot: None,
            })
        })
    }

    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), LogStoreError>> {
        self.memory.logs.lock().unwrap().remove(name);
        Box::pin(async { Ok(()) })
    }

    fn about(&self) -> String {
        "memory".to_owned()
    }
}

impl GateLog {
    async fn connected(&self) {
        let mut cut_off = self.cut_off.clone();
        // The sender lives as long as the gate.
        let _ = cut_off.wait_for(|cut_off| !cut_off).await;
    }
}

impl Log for GateLog {
    fn append(&self, entry: Vec<u8>) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(async move {
            self.connected().await;
            let mut entries = self.log.entries.lock().unwrap();
            let position = Position(entries.len() as u64 + 1);
            let ms = self.log.began.elapsed().as_millis();
            entries.push(LogEntry {
                position,
                taken_ms: 1_700_000_000_000 + u64::try_from(ms).unwrap(),
                entry,
            });
            self.log.length.send_replace(entries.len());
            Ok(())
        })
    }

    fn read(&self, position: Position) -> BoxFuture<'_, Result<ReadResult, LogStoreError>> {
        Box::pin(async move {
            self.connected().await;
            let mut length = self.log.length.subscribe();
            let read = usize::try_from(position.0).unwrap();
            let is_broken = || self.log.is_broken.load(Ordering::Relaxed);
            let more = length.wait_for(|length| *length > read || is_broken());
            let _ = tokio::time::timeout(READ_TIMEOUT, more).await;
            self.connected().await;
            if self.log.is_broken.swap(false, Ordering::Relaxed) {
                return Ok(ReadResult::Broken);
            }
            // Others run between two reads.
            tokio::time::sleep(Duration::from_millis(1)).await;
            let entries = self.log.entries.lock().unwrap();
            let page = self.log.page.load(Ordering::Relaxed);
            let next = entries.iter().skip(read).take(page).cloned();
            Ok(ReadResult::Entries(next.collect()))
        })
    }

    fn save(&self, _: Snapshot) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(async { Ok(()) })
    }

    fn repair<'a>(
        &'a self,
        _: Position,
        _: SnapshotSource<'a>,
    ) -> BoxFuture<'a, Result<RepairSource, LogStoreError>> {
        Box::pin(async move {
            Ok(RepairSource::Other {
                snapshot: Snapshot::of_nothing(),
                end: Position(self.log.entries.lock().unwrap().len() as u64),
            })
        })
    }
}
