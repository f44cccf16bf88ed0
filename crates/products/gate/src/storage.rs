//! Where a log is kept: entries in one order, and snapshots that stand for a beginning.
//!
//! A store knows nothing of queues. It takes an entry, gives it a time and a place after
//! all entries before, keeps it, and hands the entries to every gate that reads. Two
//! stores do that: [`journal`] (files of this machine, one gate) and [`redis`] (a stream,
//! any number of gates). An append answers only that the entry was stored; what its
//! commands did is known once it was read back.
//!
//! Elsewhere: what entries mean, [`crate::replica`].

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

pub mod journal;
pub mod redis;

/// The version of the rules under which this program writes: what entries and snapshots hold,
/// and what commands do. It grows with each change that a gate of the version before would
/// read or apply otherwise.
///
/// * 1: before entries carried a version.
/// * 2: a visitor whose code was exchanged may get another; who is not there is passed over by
///   a bounded number at a time.
/// * 3: changes of the directory and of rules are recorded with what was before; quotas,
///   archived queues, the hash of the secret; replays have a record of their own.
/// * 4: what browsers see of a queue: origins that may call from a script, texts by language.
/// * 5: a queue's logo.
pub const RULES_VERSION: u32 = 5;

/// An entry's place: how many entries there are up to it, it included, since the log was made.
///
/// Places have no gaps, so a reader sees by them that something is missing.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize, Deserialize,
)]
pub struct Position(pub u64);

/// An entry with the position and time that the store gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its place.
    pub position: Position,
    /// When the store took it, in ms of the store's clock.
    pub taken_ms: u64,
    /// What was appended.
    pub entry: Vec<u8>,
}

/// Everything up to a place, in one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The last entry it stands for.
    pub position: Position,
    /// The machine, frozen.
    pub bytes: Vec<u8>,
}

impl Snapshot {
    /// The beginning of a log: no entry, nothing frozen.
    #[must_use]
    pub fn of_nothing() -> Self {
        Self {
            position: Position::default(),
            bytes: Vec::new(),
        }
    }
}

/// What a read gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadResult {
    /// The next entries; none when nothing came within the store's patience.
    Entries(Vec<LogEntry>),
    /// The log does not go on from where the reader is: it was lost, set back or cut.
    Broken,
}

/// What a gate's memory is worth when a lost log is written anew from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryState {
    /// It has everything that any gate announced.
    Whole,
    /// A gate may have announced more: no number that may have been given may be given again.
    AfterLoss,
}

/// Makes a snapshot of a gate's state.
pub type SnapshotSource<'a> = &'a (dyn Fn(MemoryState) -> Snapshot + Send + Sync);

/// From which state a broken log was repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepairSource {
    /// Nothing was lost: the reader reads on.
    ReadOn,
    /// It was written anew from the reader's state, and goes on there.
    Own,
    /// It goes on from another state.
    Other {
        /// Where to begin; without entries for the log's beginning.
        snapshot: Snapshot,
        /// The last entry at present: before it is read, the state is an old one.
        end: Position,
    },
}

/// Why a store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum LogStoreError {
    /// It cannot be reached, or does not answer in time. Try again later.
    #[error("the store cannot be reached: {0}")]
    Unreachable(String),
    /// The log was lost or set back since it was opened; readers find out and mend it.
    #[error("the log `{log}` is not the one that was opened")]
    Broken {
        /// Its name.
        log: String,
    },
    /// What is kept cannot be read: not a torn end, which is mended.
    #[error("{place}: {what}")]
    Corrupt {
        /// File or key.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// It is none that gates can use. Trying again does not help.
    #[error(transparent)]
    Unsuitable(#[from] UnsuitableReason),
    /// Another gate uses the directory.
    #[error("{path} is in use by another gate; several gates share a Redis, not a directory")]
    InUse {
        /// The directory.
        path: String,
    },
    /// The system refuses.
    #[error("{place}: {source}")]
    Io {
        /// File or directory.
        place: String,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Why a Redis is none that gates can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnsuitableReason {
    /// Its address has no form that is known.
    #[error(
        "the address of Redis must be redis://host:port, rediss://host:port for TLS, or redis+sentinel://host:port,host:port/name"
    )]
    Address,
    /// It is a node of a cluster, which may move keys while gates use them.
    #[error(
        "this Redis is a node of a cluster; gates need one primary: a Redis by itself, with replicas, or behind Sentinels (redis+sentinel://host:port,host:port/name)"
    )]
    Cluster,
    /// The certificates given for it cannot be used.
    #[error(
        "the certificates for Redis must be PEM, and its address rediss:// or rediss+sentinel://"
    )]
    Authorities,
    /// It refuses the user or the password.
    #[error("Redis refuses the user or the password")]
    Login,
}

/// A place for logs.
pub trait LogStore: Send + Sync + 'static {
    /// Opens the log of a name, making it if there is none. Names are of `[a-z0-9_-]`.
    fn open<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<OpenedLog, LogStoreError>>;

    /// Forgets a log that no gate has open.
    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), LogStoreError>>;

    /// Its kind and place, for people.
    fn about(&self) -> String;
}

/// A log, opened.
pub struct OpenedLog {
    /// The log.
    pub log: std::sync::Arc<dyn Log>,
    /// What stands for its beginning.
    pub snapshot: Option<Snapshot>,
}

/// A log.
pub trait Log: Send + Sync + 'static {
    /// Takes an entry; done when it is as durable as the store makes it.
    fn append(&self, entry: Vec<u8>) -> BoxFuture<'_, Result<(), LogStoreError>>;

    /// The entries after `position`, waiting for some for a while. One reader at a time.
    fn read(&self, position: Position) -> BoxFuture<'_, Result<ReadResult, LogStoreError>>;

    /// The newest version of the rules, `own` at most, that every gate of the store knows.
    fn common_version(&self, own: u32) -> u32 {
        own
    }

    /// Keeps a snapshot and forgets the entries it stands for.
    fn save(&self, snapshot: Snapshot) -> BoxFuture<'_, Result<(), LogStoreError>>;

    /// Repairs a broken log that was read up to `mine`: it goes on from what `freeze` gives, or
    /// from another gate's newer state.
    fn repair<'a>(
        &'a self,
        mine: Position,
        freeze: SnapshotSource<'a>,
    ) -> BoxFuture<'a, Result<RepairSource, LogStoreError>>;
}

#[cfg(test)]
pub(crate) mod memory;
#[cfg(test)]
mod tests;
