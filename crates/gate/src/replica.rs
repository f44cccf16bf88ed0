//! One gate's copy of a state machine that all gates of a store share.
//!
//! Only commands change the machine. They are appended to the log in batches, and applied
//! when they are read back, in the log's order and with its time, by every gate alike.
//! Reading the machine needs no store: a poll costs the store nothing, and while the store
//! is unreachable the copy goes on answering.
//!
//! There is no leader. Two gates may append the same command (mostly a tick); the second
//! one does nothing.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::storage::{
    Log, LogEntry, OpenedLog, Position, ReadResult, RepairSource, Snapshot, Store, StoreError,
};

mod store_clock;

pub use store_clock::StoreClock;

/// Commands of one entry at most.
const TOGETHER: usize = 1_024;
/// Commands that may wait to be appended; more are refused at once.
const WAITING: usize = 65_536;
/// How long an answer may take before the store counts as away.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries to reach a store that is away.
const RETRY: Duration = Duration::from_millis(200);
/// A snapshot is made after so many bytes of entries: what a gate that starts reads again is
/// never more, and the signs of life of a million waiters are 125 KB every three seconds ...
const SNAPSHOT_BYTES: usize = 16 << 20;
/// ... or so many entries.
const SNAPSHOT_ENTRIES: usize = 50_000;

/// A state that changes by commands alone, the same wherever they are applied.
pub trait StateMachine: Send + Sync + Sized + 'static {
    /// What changes it.
    type Command: Serialize + DeserializeOwned + Send + 'static;
    /// What a command answers.
    type Reply: Send + 'static;
    /// What a listener is called with.
    type Event: Send;
    /// What a snapshot keeps.
    type Frozen: Serialize + DeserializeOwned + Send + 'static;

    /// As it is before any command.
    fn empty() -> Self;
    /// Does a command that the store took at `taken_ms`.
    fn apply(&mut self, taken_ms: u64, command: Self::Command) -> Self::Reply;
    /// What happened since the last call.
    fn take_events(&mut self) -> Vec<Self::Event>;
    /// What a snapshot keeps.
    fn freeze(&self) -> Self::Frozen;
    /// As it was when frozen.
    fn thaw(frozen: Self::Frozen) -> Self;
}

/// Why a command was not done, or may not have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store is away; try again in a while")]
pub struct StoreUnavailable;

/// Commands as the log keeps them.
#[derive(Serialize, Deserialize)]
struct Entry<C> {
    /// Which gate appended it.
    origin: u64,
    /// The number of its first command among those of that gate.
    first: u64,
    commands: Vec<C>,
}

/// Called after each batch of entries: its events, the machine, and the time of the last entry.
pub type Listener<M> = Box<dyn Fn(&[<M as StateMachine>::Event], &M, u64) + Send + Sync>;

/// One gate's copy.
pub struct Replica<M: StateMachine> {
    shared: Arc<Shared<M>>,
    asked: mpsc::Sender<PendingCommand<M>>,
}

impl<M: StateMachine> Clone for Replica<M> {
    fn clone(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            asked: self.asked.clone(),
        }
    }
}

type PendingCommand<M> = (
    <M as StateMachine>::Command,
    oneshot::Sender<<M as StateMachine>::Reply>,
);

struct Shared<M: StateMachine> {
    name: String,
    machine: RwLock<M>,
    log: Arc<dyn Log>,
    origin: u64,
    /// Who waits for the answer to which command.
    pending: Mutex<HashMap<u64, oneshot::Sender<M::Reply>>>,
    listener: Listener<M>,
    clock: Arc<StoreClock>,
    /// Whether the last call to the store succeeded.
    reachable: AtomicBool,
    /// Whether it met an entry that it cannot read.
    unfit: AtomicBool,
    /// When the last entry was applied.
    applied: watch::Sender<Instant>,
}

impl<M: StateMachine> Replica<M> {
    /// Opens the log of `name` and applies what is in it so far.
    ///
    /// `origin` identifies this process; a restarted gate has another.
    /// Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// The store's.
    pub async fn open(
        store: &dyn Store,
        name: &str,
        origin: u64,
        listener: Listener<M>,
    ) -> Result<Self, StoreError> {
        Self::open_with(store, name, origin, listener, Arc::default()).await
    }

    /// As [`Replica::open`], setting a clock that the replicas of a gate share.
    ///
    /// # Errors
    /// The store's.
    pub async fn open_with(
        store: &dyn Store,
        name: &str,
        origin: u64,
        listener: Listener<M>,
        clock: Arc<StoreClock>,
    ) -> Result<Self, StoreError> {
        let OpenedLog { log, snapshot } = store.open(name).await?;
        let (machine, position) = match snapshot {
            Some(snapshot) => (thaw::<M>(name, &snapshot)?, snapshot.position),
            None => (M::empty(), Position::default()),
        };
        let (asked, to_append) = mpsc::channel(WAITING);
        let shared = Arc::new(Shared {
            name: name.to_owned(),
            machine: RwLock::new(machine),
            log,
            origin,
            pending: Mutex::new(HashMap::new()),
            listener,
            clock,
            reachable: AtomicBool::new(true),
            unfit: AtomicBool::new(false),
            applied: watch::Sender::new(Instant::now()),
        });
        let weak = Arc::downgrade(&shared);
        tokio::spawn(append_all(weak, to_append));
        tokio::spawn(read_all(Arc::downgrade(&shared), position));
        Ok(Self { shared, asked })
    }

    /// Appends a command and waits for what it did.
    ///
    /// # Errors
    /// [`StoreUnavailable`]: it was not done, or it is not known whether it was.
    pub async fn ask(&self, command: M::Command) -> Result<M::Reply, StoreUnavailable> {
        let (answer, told) = oneshot::channel();
        self.asked
            .try_send((command, answer))
            .map_err(|_| StoreUnavailable)?;
        match tokio::time::timeout(PATIENCE, told).await {
            Ok(Ok(outcome)) => Ok(outcome),
            _ => Err(StoreUnavailable),
        }
    }

    /// Looks at the machine. No store is asked, and nothing may be awaited meanwhile.
    pub fn look<T>(&self, look: impl FnOnce(&M) -> T) -> T {
        look(
            &self
                .shared
                .machine
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Whether the store answered lately.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        self.shared.reachable.load(Ordering::Relaxed) && !self.shared.unfit.load(Ordering::Relaxed)
    }

    /// When the last entry was applied; a change wakes who waits.
    #[must_use]
    pub fn applied(&self) -> watch::Receiver<Instant> {
        self.shared.applied.subscribe()
    }
}

/// Appends what is asked, many at once, until no handle is left.
async fn append_all<M: StateMachine>(
    weak: Weak<Shared<M>>,
    mut to_append: mpsc::Receiver<PendingCommand<M>>,
) {
    let mut asked = Vec::new();
    let mut next = 0_u64;
    while to_append.recv_many(&mut asked, TOGETHER).await > 0 {
        let Some(shared) = weak.upgrade() else { return };
        let first = next;
        let mut commands = Vec::with_capacity(asked.len());
        {
            let mut pending = lock(&shared.pending);
            for (command, answer) in asked.drain(..) {
                // The caller gave up: the command is not sent.
                if answer.is_closed() {
                    continue;
                }
                commands.push(command);
                pending.insert(next, answer);
                next += 1;
            }
        }
        if commands.is_empty() {
            continue;
        }
        let entry = Entry {
            origin: shared.origin,
            first,
            commands,
        };
        let bytes = postcard::to_allocvec(&entry).expect("commands are plain data");
        let appended = tokio::time::timeout(PATIENCE, shared.log.append(bytes)).await;
        let good = matches!(appended, Ok(Ok(())));
        shared.reachable.store(good, Ordering::Relaxed);
        if !good {
            // Whether it was stored is not known. The callers get an error and may retry.
            let mut pending = lock(&shared.pending);
            (first..next).for_each(|number| drop(pending.remove(&number)));
        }
    }
}

/// Reads and applies entries until no handle is left.
async fn read_all<M: StateMachine>(weak: Weak<Shared<M>>, mut position: Position) {
    let mut since = Since::default();
    loop {
        let Some(shared) = weak.upgrade() else { return };
        let log = shared.log.clone();
        drop(shared);
        // The machine may go while the log is waited for.
        let found = log.read(position).await;
        let Some(shared) = weak.upgrade() else { return };
        match found {
            Ok(ReadResult::Entries(entries)) => {
                shared.reachable.store(true, Ordering::Relaxed);
                if let Some(last) = entries.last() {
                    position = last.position;
                    since.count(&entries);
                    if shared.apply(entries).is_err() {
                        shared.unfit.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            }
            Ok(ReadResult::Broken) => match shared.repair(position).await {
                Some(repaired) => position = repaired,
                None => tokio::time::sleep(RETRY).await,
            },
            Err(_) => {
                shared.reachable.store(false, Ordering::Relaxed);
                tokio::time::sleep(RETRY).await;
            }
        }
        if since.is_much() {
            since = Since::default();
            shared.save_in_background(position);
        }
    }
}

/// What was read since the last snapshot.
#[derive(Default)]
struct Since {
    entries: usize,
    bytes: usize,
}

impl Since {
    fn count(&mut self, entries: &[LogEntry]) {
        self.entries += entries.len();
        self.bytes += entries.iter().map(|taken| taken.entry.len()).sum::<usize>();
    }

    fn is_much(&self) -> bool {
        self.entries >= SNAPSHOT_ENTRIES || self.bytes >= SNAPSHOT_BYTES
    }
}

impl<M: StateMachine> Shared<M> {
    /// Applies entries. One that cannot be read is of a later version. Skipping it would lead
    /// to another state than at the other gates, so this gate stops here and reports it.
    fn apply(&self, entries: Vec<LogEntry>) -> Result<(), postcard::Error> {
        let mut answers = Vec::new();
        let mut last_ms = 0;
        {
            let mut machine = self.machine.write().unwrap_or_else(PoisonError::into_inner);
            for taken in entries {
                last_ms = taken.taken_ms;
                let entry: Entry<M::Command> = postcard::from_bytes(&taken.entry)?;
                if entry.origin == self.origin {
                    self.clock.set(taken.taken_ms);
                }
                for (number, command) in (entry.first..).zip(entry.commands) {
                    let outcome = machine.apply(taken.taken_ms, command);
                    if entry.origin == self.origin {
                        answers.push((number, outcome));
                    }
                }
            }
            let events = machine.take_events();
            (self.listener)(&events, &machine, last_ms);
        }
        {
            let mut pending = lock(&self.pending);
            for (number, outcome) in answers {
                if let Some(waiting) = pending.remove(&number) {
                    // The caller may have given up.
                    let _ = waiting.send(outcome);
                }
            }
        }
        self.applied.send_replace(Instant::now());
        Ok(())
    }

    /// Goes on with a log that was lost or set back; where from, or `None` to try again.
    async fn repair(&self, position: Position) -> Option<Position> {
        match self.log.repair(self.snapshot(position)).await {
            Ok(RepairSource::Own) => Some(position),
            Ok(RepairSource::Other(snapshot)) => {
                let begins = snapshot.position == Position::default();
                let machine = match begins {
                    true => M::empty(),
                    false => thaw::<M>(&self.name, &snapshot).ok()?,
                };
                *self.machine.write().unwrap_or_else(PoisonError::into_inner) = machine;
                self.applied.send_replace(Instant::now());
                Some(snapshot.position)
            }
            Err(_) => None,
        }
    }

    fn snapshot(&self, position: Position) -> Snapshot {
        let frozen = {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner);
            machine.freeze()
        };
        let bytes = postcard::to_allocvec(&frozen).expect("machines are plain data");
        Snapshot { position, bytes }
    }

    /// Only the reader changes the machine, so it stands at `position` here.
    fn save_in_background(self: Arc<Self>, position: Position) {
        let frozen = {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner);
            machine.freeze()
        };
        tokio::spawn(async move {
            let packed = tokio::task::spawn_blocking(move || {
                postcard::to_allocvec(&frozen).expect("machines are plain data")
            });
            if let Ok(bytes) = packed.await {
                // Without it the log stays longer, and the next one is tried in its turn.
                let _ = self.log.save(Snapshot { position, bytes }).await;
            }
        });
    }
}

fn thaw<M: StateMachine>(name: &str, snapshot: &Snapshot) -> Result<M, StoreError> {
    let frozen = postcard::from_bytes(&snapshot.bytes).map_err(|error| StoreError::Corrupt {
        place: format!("snapshot of `{name}`"),
        what: error.to_string(),
    })?;
    Ok(M::thaw(frozen))
}

/// What it guards is whole after each statement.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
