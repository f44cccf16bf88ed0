//! A store in Redis: one stream a log, any number of gates.
//!
//! An append is one script: it checks that the log is still the one that the gate has read,
//! counts, takes Redis's time, and adds the entry, which every gate's blocked read then
//! gets. Order and time are Redis's alone. All keys of a log carry its name as hash tag.
//!
//! Redis can lose what it took: restarted without a file, set back to one a second old, or
//! a replica promoted that was behind. Each of these is another server than the one that the
//! log names, so nothing is appended there until the gates have compared what they know
//! ([`council`]); nothing that any living gate had applied is lost.

use ::redis::{RedisError, Script, cmd};
use futures_util::future::BoxFuture;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{
    Log, LogStore, LogStoreError, OpenedLog, Position, ReadResult, RepairSource, Snapshot,
    SnapshotSource,
};

mod address;
mod connector;
mod council;
mod entries;
mod errors;
mod presence;
mod reader;
mod scripts;
mod snapshots;

use address::Address;
use connector::{Connector, ServerConnection};
use errors::away;
use presence::Presence;
use reader::SharedReader;

pub use address::RedisOptions;

/// How long a gate that finds no log listens for others who are about to write it anew.
const LISTEN_INTERVAL: Duration = Duration::from_millis(600);
/// How often it looks whether they have.
const HEALING_CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// And how long at most.
const HEALING_TIMEOUT: Duration = Duration::from_secs(20);
/// How long replicas may take to have an entry before it is read again.
const REPLICATION_TIMEOUT: Duration = Duration::from_millis(1_000);

/// Logs in a Redis.
pub struct RedisStore {
    address: Arc<Address>,
    /// What all logs write over.
    to_write: Arc<Connector>,
    /// Tells this gate's word in a council from the others'.
    origin: u64,
    /// Prefix of all keys.
    prefix: String,
    presence: OnceLock<Arc<Presence>>,
    reader: OnceLock<Arc<SharedReader>>,
}

impl RedisStore {
    /// A store at `url`, see [`RedisOptions`]. Connects when first used.
    ///
    /// # Errors
    /// As [`RedisStore::with`].
    pub fn new(url: &str, prefix: &str, origin: u64) -> Result<Self, LogStoreError> {
        let options = RedisOptions {
            url: url.to_owned(),
            prefix: prefix.to_owned(),
            ..RedisOptions::default()
        };
        Self::with(options, origin)
    }

    /// A store as the options say. `origin` tells this gate from all others.
    ///
    /// # Errors
    /// [`LogStoreError::Unsuitable`] when the URL cannot be read.
    pub fn with(options: RedisOptions, origin: u64) -> Result<Self, LogStoreError> {
        let prefix = options.prefix.clone();
        let address = Arc::new(Address::read(options)?);
        Ok(Self {
            to_write: Arc::new(Connector::new(address.clone())),
            address,
            origin,
            prefix,
            presence: OnceLock::new(),
            reader: OnceLock::new(),
        })
    }

    /// Waits until so many other gates said that they are there.
    #[cfg(test)]
    pub(crate) async fn heard_of(&self, gates: usize) {
        let heard = || self.presence.get().map(|p| p.around(Instant::now()).len());
        while heard() != Some(gates) {
            tokio::time::sleep(HEALING_CHECK_INTERVAL).await;
        }
    }

    async fn open_log(&self, name: &str) -> Result<OpenedLog, LogStoreError> {
        let is_first = self.presence.get().is_none();
        let announce = || Presence::announce(self.address.clone(), &self.prefix, self.origin);
        let start_reader =
            || SharedReader::start(Connector::new(self.address.clone()), self.to_write.clone());
        let log = RedisLog {
            name: name.to_owned(),
            keys: Keys::new(&self.prefix, name),
            origin: self.origin,
            to_write: self.to_write.clone(),
            reader: self.reader.get_or_init(start_reader).clone(),
            replicas: self.address.replicas(),
            presence: self.presence.get_or_init(announce).clone(),
            generation: Mutex::new(String::new()),
            known: Mutex::new(ReadPosition::default()),
            appended: AtomicU64::new(0),
            diverged: AtomicBool::new(false),
            last_good: std::sync::Mutex::new(Instant::now()),
            remembers: AtomicBool::new(false),
        };
        let mut to_redis = log.to_write.connection().await?;
        *log.generation.lock().await = log.find_or_make(is_first, &mut to_redis).await?;
        let snapshot = log.load_snapshot(&mut to_redis.connection).await?;
        let position = snapshot.as_ref().map(|snapshot| snapshot.position);
        log.know(position.unwrap_or_default(), None).await;
        Ok(OpenedLog {
            log: Arc::new(log),
            snapshot,
        })
    }
}

impl RedisStore {
    async fn forget_log(&self, name: &str) -> Result<(), LogStoreError> {
        let keys = Keys::new(&self.prefix, name);
        let mut to_redis = self.to_write.connection().await?;
        let script = Script::new(scripts::FORGET);
        let mut call = script.key(&keys.meta);
        call.key(&keys.log).key(&keys.council);
        let forgotten: Result<(), RedisError> = call.invoke_async(&mut to_redis.connection).await;
        forgotten.map_err(away)
    }
}

impl LogStore for RedisStore {
    fn open<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<OpenedLog, LogStoreError>> {
        Box::pin(self.open_log(name))
    }

    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), LogStoreError>> {
        Box::pin(self.forget_log(name))
    }

    fn about(&self) -> String {
        self.address.about()
    }
}

/// The keys of one log.
struct Keys {
    /// Hash: generation `id`, count `n`, name and count of the snapshot.
    meta: String,
    /// Stream of entries, numbered `0-<n>`.
    log: String,
    /// Hash: what each gate knows, while they agree on who knows most.
    council: String,
    /// Prefix of snapshots: lists of pieces.
    snapshot: String,
    /// Written before replicas are waited for.
    replicated: String,
}

impl Keys {
    fn new(prefix: &str, name: &str) -> Self {
        let key = |part: &str| format!("{prefix}:{{{name}}}:{part}");
        Self {
            meta: key("meta"),
            log: key("log"),
            council: key("council"),
            snapshot: key("snapshot"),
            replicated: key("replicated"),
        }
    }
}

struct RedisLog {
    name: String,
    keys: Keys,
    origin: u64,
    /// Of the store: all logs of a gate write over one connection.
    to_write: Arc<Connector>,
    /// How many replicas must have what is read.
    replicas: u32,
    /// Of the store too.
    reader: Arc<SharedReader>,
    presence: Arc<Presence>,
    generation: Mutex<String>,
    known: Mutex<ReadPosition>,
    /// Entries appended by this gate.
    appended: AtomicU64,
    /// The log was set back and others went on with it before this gate looked.
    diverged: AtomicBool,
    /// When the log was last known to be the one that was read.
    last_good: std::sync::Mutex<Instant>,
    /// Whether it ever was: a gate that started after a loss remembers nothing.
    remembers: AtomicBool,
}

/// Up to where this gate has read the log.
#[derive(Debug, Clone, Default)]
struct ReadPosition {
    position: Position,
    /// The mark of the last entry; `None` when it was not read.
    mark: Option<String>,
}

impl RedisLog {
    /// The log's generation. A gate that finds nothing at its start may have come upon a
    /// Redis that has just lost everything, and listens first for gates who know more.
    async fn find_or_make(
        &self,
        is_first: bool,
        to_redis: &mut ServerConnection,
    ) -> Result<String, LogStoreError> {
        let begin = Instant::now();
        let mut fresh = String::new();
        while begin.elapsed() < HEALING_TIMEOUT {
            let script = Script::new(scripts::OPEN);
            let mut call = script.key(&self.keys.meta);
            call.key(&self.keys.council)
                .arg(&fresh)
                .arg(&to_redis.server)
                .arg(self.origin);
            let found: Option<String> = call
                .invoke_async(&mut to_redis.connection)
                .await
                .map_err(away)?;
            if let Some(generation) = found {
                return Ok(generation);
            }
            if fresh.is_empty() && is_first {
                tokio::time::sleep(LISTEN_INTERVAL).await;
            } else if !fresh.is_empty() {
                tokio::time::sleep(HEALING_CHECK_INTERVAL).await;
            }
            fresh = council::generation_after("");
        }
        Err(LogStoreError::Broken {
            log: self.name.clone(),
        })
    }

    async fn append_entry(&self, entry: Vec<u8>) -> Result<(), LogStoreError> {
        let mut to_redis = self.to_write.connection().await?;
        let generation = self.generation.lock().await.clone();
        let known = self.known.lock().await.clone();
        let script = Script::new(scripts::APPEND);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.log)
            .arg(generation)
            .arg(&to_redis.server)
            .arg(known.position.0)
            .arg(known.mark.unwrap_or_default())
            .arg(entry)
            .arg(self.fresh_mark());
        let taken: Result<Option<u64>, RedisError> =
            call.invoke_async(&mut to_redis.connection).await;
        match taken {
            Ok(Some(_)) => {
                self.is_good();
                Ok(())
            }
            Ok(None) => {
                // Another connection may have found out which server it is by now.
                self.to_write.drop_connection(&to_redis).await;
                Err(LogStoreError::Broken {
                    log: self.name.clone(),
                })
            }
            Err(error) => {
                self.to_write.drop_connection(&to_redis).await;
                Err(away(error))
            }
        }
    }

    async fn read_entries(&self, position: Position) -> Result<ReadResult, LogStoreError> {
        let (links, server) = self.reader.read(&self.keys.log, position).await?;
        let mut to_redis = None;
        if links.is_empty() || self.replicas > 0 {
            to_redis = Some(self.to_write.connection().await?);
        }
        if let Some(to_redis) = &mut to_redis {
            if !server.is_empty() && *server != *to_redis.server {
                // One of the two leads to a server that is no longer the one.
                self.reader.reconnect().await;
                self.to_write.reconnect().await;
            }
            if links.is_empty() && !self.goes_on_after(position, to_redis).await? {
                return Ok(ReadResult::Broken);
            }
            if !links.is_empty() {
                self.wait_for_replicas(&server, to_redis).await?;
            }
        }
        let mut known = self.known.lock().await;
        let mut entries = Vec::with_capacity(links.len());
        let mut last = position.0;
        for link in links {
            let number = link.taken.position.0;
            if number <= last {
                continue; // heard before
            }
            let follows = known.mark.as_ref().is_none_or(|mark| *mark == link.before);
            if number != last + 1 || !follows {
                self.diverged.store(!follows, Ordering::Relaxed);
                return Ok(ReadResult::Broken);
            }
            last = number;
            *known = ReadPosition {
                position: link.taken.position,
                mark: Some(link.own),
            };
            entries.push(link.taken);
        }
        Ok(ReadResult::Entries(entries))
    }

    /// Waits until so many replicas have everything up to now: what is read before may be told,
    /// since it outlives this server. `WAIT` counts from the last write of its connection.
    async fn wait_for_replicas(
        &self,
        read_from: &str,
        to_redis: &mut ServerConnection,
    ) -> Result<(), LogStoreError> {
        if read_from != to_redis.server {
            let why = "the primary is another one than was read from";
            return Err(LogStoreError::Unreachable(why.to_owned()));
        }
        let waited: Result<(u32,), RedisError> = ::redis::pipe()
            .cmd("SET")
            .arg(&self.keys.replicated)
            .arg(1)
            .ignore()
            .cmd("WAIT")
            .arg(self.replicas)
            .arg(u64::try_from(REPLICATION_TIMEOUT.as_millis()).unwrap_or(u64::MAX))
            .query_async(&mut to_redis.connection)
            .await;
        match waited {
            Ok((have,)) if have >= self.replicas => Ok(()),
            Ok((have,)) => Err(LogStoreError::Unreachable(format!(
                "{have} of {} replicas have the last entries",
                self.replicas
            ))),
            Err(error) => {
                self.to_write.drop_connection(to_redis).await;
                Err(away(error))
            }
        }
    }

    /// A mark that no other entry has, short because every entry carries two.
    fn fresh_mark(&self) -> String {
        let count = self.appended.fetch_add(1, Ordering::Relaxed);
        format!("{:x}.{count:x}", self.origin & 0xFFFF_FFFF)
    }

    /// Whether the log is still the one that was opened, at the same server, and has all
    /// that was read of it.
    async fn goes_on_after(
        &self,
        position: Position,
        to_redis: &mut ServerConnection,
    ) -> Result<bool, LogStoreError> {
        type Meta = (Option<String>, Option<u64>, Option<String>);
        let read: Result<Meta, RedisError> = cmd("HMGET")
            .arg(&self.keys.meta)
            .arg("id")
            .arg("n")
            .arg("server")
            .query_async(&mut to_redis.connection)
            .await;
        let (id, n, server) = match read {
            Ok(meta) => meta,
            Err(error) => {
                self.to_write.drop_connection(to_redis).await;
                return Err(away(error));
            }
        };
        let goes_on = id.unwrap_or_default() == *self.generation.lock().await
            && n.unwrap_or(0) >= position.0
            && server.unwrap_or_default() == to_redis.server;
        if goes_on {
            self.is_good();
        }
        Ok(goes_on)
    }

    /// Notes up to where this gate's state knows the log.
    async fn know(&self, position: Position, mark: Option<String>) {
        *self.known.lock().await = ReadPosition { position, mark };
    }

    fn is_good(&self) {
        self.remembers.store(true, Ordering::Relaxed);
        let mut last_good = self
            .last_good
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *last_good = Instant::now();
    }

    fn last_good(&self) -> Instant {
        *self
            .last_good
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn remembers(&self) -> bool {
        self.remembers.load(Ordering::Relaxed)
    }

    fn has_diverged(&self) -> bool {
        self.diverged.load(Ordering::Relaxed)
    }

    fn take_diverged(&self) -> bool {
        self.diverged.swap(false, Ordering::Relaxed)
    }
}

impl Drop for RedisLog {
    fn drop(&mut self) {
        self.reader.forget(&self.keys.log);
    }
}

impl Log for RedisLog {
    fn append(&self, entry: Vec<u8>) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(self.append_entry(entry))
    }

    fn read(&self, position: Position) -> BoxFuture<'_, Result<ReadResult, LogStoreError>> {
        Box::pin(self.read_entries(position))
    }

    fn common_version(&self, own: u32) -> u32 {
        own.min(self.presence.common_version())
    }

    fn save(&self, snapshot: Snapshot) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(self.save_snapshot(snapshot))
    }

    fn repair<'a>(
        &'a self,
        mine: Position,
        freeze: SnapshotSource<'a>,
    ) -> BoxFuture<'a, Result<RepairSource, LogStoreError>> {
        Box::pin(self.repair_log(mine, freeze))
    }
}

/// A name that nobody else draws.
fn fresh_id() -> String {
    let number = getrandom::u64().unwrap_or_default();
    format!("{number:016x}")
}
