//! One gate's copy of a state machine that all gates of a store share.
//!
//! Only commands change the machine. They are appended to the log in batches, and applied
//! when they are read back, in the log's order and with its time, by every gate alike.
//! Reading the machine needs no store: a poll costs the store nothing, and while the store
//! is unreachable the copy goes on answering.
//!
//! There is no leader. Two gates may append the same command (mostly a tick); the second
//! one does nothing.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use catch_up::Reader;
use figures::Counters;
use health::Health;
use versions::UnreadableError;

use crate::storage::{
    Log, LogEntry, LogStore, LogStoreError, MemoryState, OpenedLog, Position, RULES_VERSION,
    ReadResult, Snapshot,
};

mod catch_up;
mod figures;
mod health;
mod machine;
mod store_clock;
mod versions;

pub use figures::{APPEND_CLASSES_S, COMMAND_CLASSES_S, ReplicaCounts};
pub use machine::StateMachine;
pub use store_clock::StoreClock;

/// Commands of one entry at most.
const ENTRY_COMMANDS_MAX: usize = 1_024;
/// Commands that may wait to be appended; more are refused at once.
const WAITING_COMMANDS_MAX: usize = 65_536;
/// How long an answer may take before the store counts as away.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a negative answer may wait for the store.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(1);
/// A store that waits for entries answers several times in this time.
const ANSWER_LAG_MAX: Duration = Duration::from_secs(1);
/// Between two tries to reach a store that is away.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Why a command was not done, or may not have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store is away; try again in a while")]
pub struct StoreUnavailableError;

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
pub type ReplicaListener<M> = Box<dyn Fn(&[<M as StateMachine>::Event], &M, u64) + Send + Sync>;

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

/// Replies to this gate's commands, by the commands' numbers.
type Replies<M> = Vec<(u64, <M as StateMachine>::Reply)>;

struct Shared<M: StateMachine> {
    name: String,
    machine: RwLock<M>,
    log: Arc<dyn Log>,
    origin: u64,
    /// The number of this gate's next command.
    next: AtomicU64,
    /// Who waits for the answer to which command.
    pending: Mutex<HashMap<u64, oneshot::Sender<M::Reply>>>,
    listener: ReplicaListener<M>,
    clock: Arc<StoreClock>,
    /// Whether the last calls to the store succeeded.
    health: Health,
    counters: Counters,
    /// When the last entry was applied.
    applied: watch::Sender<Instant>,
    /// When the store last answered a read.
    heard: Mutex<Instant>,
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
        store: &dyn LogStore,
        name: &str,
        origin: u64,
        listener: ReplicaListener<M>,
    ) -> Result<Self, LogStoreError> {
        Self::open_with(store, name, origin, listener, Arc::default()).await
    }

    /// As [`Replica::open`], setting a clock that the replicas of a gate share.
    ///
    /// # Errors
    /// The store's.
    pub async fn open_with(
        store: &dyn LogStore,
        name: &str,
        origin: u64,
        listener: ReplicaListener<M>,
        clock: Arc<StoreClock>,
    ) -> Result<Self, LogStoreError> {
        let OpenedLog { log, snapshot } = store.open(name).await?;
        let (machine, position) = match snapshot {
            Some(snapshot) => (thaw::<M>(name, &snapshot)?, snapshot.position),
            None => (M::empty(), Position::default()),
        };
        let (asked, to_append) = mpsc::channel(WAITING_COMMANDS_MAX);
        let shared = Arc::new(Shared {
            name: name.to_owned(),
            machine: RwLock::new(machine),
            log,
            origin,
            next: AtomicU64::new(0),
            pending: Mutex::new(HashMap::new()),
            listener,
            clock,
            health: Health::default(),
            counters: Counters::default(),
            applied: watch::Sender::new(Instant::now()),
            heard: Mutex::new(Instant::now()),
        });
        let weak = Arc::downgrade(&shared);
        tokio::spawn(append_all(weak, to_append));
        tokio::spawn(read_all(Arc::downgrade(&shared), position));
        Ok(Self { shared, asked })
    }

    /// Appends a command and waits for what it did.
    ///
    /// # Errors
    /// [`StoreUnavailableError`]: it was not done, or it is not known whether it was.
    pub async fn ask(&self, command: M::Command) -> Result<M::Reply, StoreUnavailableError> {
        // Nothing would be read back.
        if self.shared.health.is_unfit() {
            return Err(StoreUnavailableError);
        }
        let (answer, told) = oneshot::channel();
        self.asked
            .try_send((command, answer))
            .map_err(|_| StoreUnavailableError)?;
        match tokio::time::timeout(ANSWER_TIMEOUT, told).await {
            Ok(Ok(outcome)) => Ok(outcome),
            _ => Err(StoreUnavailableError),
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
        self.shared.health.is_good()
    }

    /// Why the store does not answer; `None` when it does.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.shared.health.why()
    }

    /// What it counted.
    #[must_use]
    pub fn figures(&self) -> ReplicaCounts {
        self.shared.counters.read()
    }

    /// How long ago the store last answered a read.
    #[must_use]
    pub fn lag(&self) -> Duration {
        lock(&self.shared.heard).elapsed()
    }

    /// Whether it met an entry that it cannot read: it stands still for good.
    #[must_use]
    pub fn is_unfit(&self) -> bool {
        self.shared.health.is_unfit()
    }

    /// Whether the copy may be older than what other gates have told: the store has not
    /// answered for a while. A negative answer must not be given from it then.
    #[must_use]
    pub fn lags(&self) -> bool {
        lock(&self.shared.heard).elapsed() > ANSWER_LAG_MAX || !self.is_reachable()
    }

    /// Waits until the copy has everything that was stored before this call, by appending
    /// `nothing`, which must change nothing.
    ///
    /// # Errors
    /// [`StoreUnavailableError`] when that takes longer than a visitor should wait.
    pub async fn catch_up(&self, nothing: M::Command) -> Result<(), StoreUnavailableError> {
        match tokio::time::timeout(CATCH_UP_TIMEOUT, self.ask(nothing)).await {
            Ok(Ok(_)) => Ok(()),
            _ => Err(StoreUnavailableError),
        }
    }

    /// The version of the rules that commands are written under now.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.shared.version()
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
    while to_append.recv_many(&mut asked, ENTRY_COMMANDS_MAX).await > 0 {
        let Some(shared) = weak.upgrade() else { return };
        let first = shared.next.load(Ordering::Relaxed);
        let mut next = first;
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
            shared.next.store(next, Ordering::Relaxed);
        }
        if commands.is_empty() {
            continue;
        }
        let entry = Entry {
            origin: shared.origin,
            first,
            commands,
        };
        let bytes = versions::write_entry(shared.version(), &entry);
        let begun = Instant::now();
        let appended = tokio::time::timeout(ANSWER_TIMEOUT, shared.log.append(bytes)).await;
        shared.counters.appended(begun.elapsed());
        let failed = match appended {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("no answer in {} s", ANSWER_TIMEOUT.as_secs())),
        };
        if let Some(why) = failed {
            shared.health.append_failed(&why);
            // Whether it was stored is not known. The callers get an error and may retry.
            let mut pending = lock(&shared.pending);
            (first..next).for_each(|number| drop(pending.remove(&number)));
        } else {
            shared.health.appended();
        }
    }
}

/// Reads and applies entries until no handle is left.
async fn read_all<M: StateMachine>(weak: Weak<Shared<M>>, position: Position) {
    let mut reader = Reader::new(position);
    loop {
        let Some(shared) = weak.upgrade() else { return };
        let log = shared.log.clone();
        drop(shared);
        // The machine may go while the log is waited for.
        let found = log.read(reader.position()).await;
        let Some(shared) = weak.upgrade() else { return };
        match found {
            Ok(ReadResult::Entries(entries)) => {
                shared.health.read();
                *lock(&shared.heard) = Instant::now();
                if let Err(error) = reader.take(&shared, entries).await {
                    shared
                        .health
                        .unfit(&format!("an entry cannot be read: {error}"));
                    return;
                }
            }
            Ok(ReadResult::Broken) => {
                if reader.repair(&shared).await {
                    shared.counters.repaired()
                } else {
                    tokio::time::sleep(RETRY_INTERVAL).await
                }
            }
            Err(error) => {
                shared.health.read_failed(&error);
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
        }
        if let Some(position) = reader.is_snapshot_due() {
            shared.save_in_background(position);
        }
    }
}

impl<M: StateMachine> Shared<M> {
    /// Applies entries to a machine: the replies to this gate's commands, and when the
    /// last entry was stored.
    ///
    /// Skipping an entry that cannot be read would lead to another state than at the other
    /// gates, so this gate stops there and reports it.
    fn apply_to(
        &self,
        machine: &mut M,
        entries: Vec<LogEntry>,
    ) -> Result<(Replies<M>, u64), UnreadableError> {
        let (mut replies, mut last_ms) = (Vec::new(), 0);
        for taken in entries {
            last_ms = taken.taken_ms;
            let (version, entry) = versions::read_entry::<Entry<M::Command>>(&taken.entry)?;
            if entry.origin == self.origin {
                self.clock.set(taken.taken_ms);
            }
            let mut begun = Instant::now();
            for (number, command) in (entry.first..).zip(entry.commands) {
                let reply = machine.apply(taken.taken_ms, version, command);
                let done = Instant::now();
                self.counters.did_command(done - begun);
                begun = done;
                if entry.origin == self.origin {
                    replies.push((number, reply));
                }
            }
        }
        Ok((replies, last_ms))
    }

    fn apply(&self, entry: LogEntry) -> Result<(), UnreadableError> {
        let replies = {
            let mut machine = self.machine.write().unwrap_or_else(PoisonError::into_inner);
            let (replies, last_ms) = self.apply_to(&mut machine, vec![entry])?;
            let events = machine.take_events();
            (self.listener)(&events, &machine, last_ms);
            replies
        };
        self.answer(replies);
        Ok(())
    }

    /// Puts a machine that was read aside in the place of the old one.
    fn replace(&self, mut machine: M, replies: Replies<M>, last_ms: u64) {
        let mut events = machine.take_events();
        events.extend(machine.replaced());
        {
            let mut current = self.machine.write().unwrap_or_else(PoisonError::into_inner);
            *current = machine;
            (self.listener)(&events, &current, last_ms);
        }
        self.answer(replies);
    }

    fn answer(&self, replies: Replies<M>) {
        {
            let mut pending = lock(&self.pending);
            for (number, reply) in replies {
                if let Some(waiting) = pending.remove(&number) {
                    // The caller may have given up.
                    let _ = waiting.send(reply);
                }
            }
        }
        self.applied.send_replace(Instant::now());
    }

    /// Answers none of this gate's commands below `number` any more: they were appended to a
    /// log that lost them, or their replies were told.
    fn give_up(&self, number: u64) {
        lock(&self.pending).retain(|waiting, _| *waiting >= number);
    }

    /// The version of the rules to write under.
    fn version(&self) -> u32 {
        self.log.common_version(RULES_VERSION)
    }

    fn snapshot(&self, position: Position, memory: MemoryState) -> Snapshot {
        let mut frozen = {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner);
            machine.freeze()
        };
        if memory == MemoryState::AfterLoss {
            let mut machine = M::thaw(frozen);
            machine.after_loss();
            frozen = machine.freeze();
        }
        let bytes = versions::write_snapshot(self.version(), &frozen);
        Snapshot { position, bytes }
    }

    /// Only the reader changes the machine, so it stands at `position` here.
    fn save_in_background(self: Arc<Self>, position: Position) {
        let frozen = {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner);
            machine.freeze()
        };
        let version = self.version();
        tokio::spawn(async move {
            let packed =
                tokio::task::spawn_blocking(move || versions::write_snapshot(version, &frozen));
            if let Ok(bytes) = packed.await {
                // Without it the log stays longer, and the next one is tried in its turn.
                let _ = self.log.save(Snapshot { position, bytes }).await;
            }
        });
    }
}

fn thaw<M: StateMachine>(name: &str, snapshot: &Snapshot) -> Result<M, LogStoreError> {
    let frozen = versions::read_snapshot(&snapshot.bytes)
        .and_then(|bytes| Ok(M::read_frozen(bytes)?))
        .map_err(|error| LogStoreError::Corrupt {
            place: format!("snapshot of `{name}`"),
            what: error.to_string(),
        })?;
    Ok(M::thaw(frozen))
}

/// What it guards is whole after each statement.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
