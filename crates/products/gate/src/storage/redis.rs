//! A store in Redis: one stream a log, any number of gates.
//!
//! An append is one script: it checks that the log is still the one that was opened,
//! counts, takes Redis's time, and adds the entry, which every gate's blocked read then
//! gets. Order and time are Redis's alone. All keys of a log carry its name as hash tag.
//!
//! Redis can lose what it took: restarted without a file, or set back to one a second
//! old. Entries are numbered without gaps, so every gate sees that at the next entry or
//! look. The gates then agree on the one that knows most, and it writes the log anew from
//! its memory under a new generation; nothing that any living gate had applied is lost.

use ::redis::aio::MultiplexedConnection;
use ::redis::{AsyncConnectionConfig, Client, RedisError, Script, Value, cmd};
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;

use super::{
    Log, LogStore, LogStoreError, OpenedLog, Position, ReadResult, RepairSource, Snapshot,
};

mod entries;
mod scripts;

use entries::entries_of;

/// How long a read waits for entries.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long Redis may take to answer before it counts as away.
const ANSWER: Duration = Duration::from_secs(2);
/// How long gates may take to say how much they know.
const COUNCIL: Duration = Duration::from_millis(600);
/// Entries of one read at most.
const TOGETHER: usize = 512;
/// A snapshot is sent in pieces, so that Redis is never held up by one.
const PIECE: usize = 512 << 10;

/// Logs in a Redis.
pub struct RedisStore {
    client: Client,
    about: String,
    /// Tells this gate's word in a council from the others'.
    origin: u64,
    /// Prefix of all keys.
    prefix: String,
}

impl RedisStore {
    /// A store at `url` (`redis://[user:password@]host:port[/db]`). Connects when first used.
    ///
    /// `origin` tells this gate from all others.
    ///
    /// # Errors
    /// [`LogStoreError::Corrupt`] when the URL cannot be read.
    pub fn new(url: &str, prefix: &str, origin: u64) -> Result<Self, LogStoreError> {
        let client = Client::open(url).map_err(|error| LogStoreError::Corrupt {
            place: "redis URL".to_owned(),
            what: error.to_string(),
        })?;
        // The address only: a URL may hold a password.
        let about = format!("redis at {}", client.get_connection_info().addr());
        Ok(Self {
            client,
            about,
            origin,
            prefix: prefix.to_owned(),
        })
    }

    async fn open_log(&self, name: &str) -> Result<OpenedLog, LogStoreError> {
        let log = RedisLog {
            name: name.to_owned(),
            keys: Keys::new(&self.prefix, name),
            origin: self.origin,
            to_write: Connector::new(self.client.clone()),
            to_read: Connector::new(self.client.clone()),
            generation: Mutex::new(String::new()),
            mark: Mutex::new(None),
            appended: AtomicU64::new(0),
            diverged: AtomicBool::new(false),
        };
        let mut connection = log.to_write.connection().await?;
        let generation: String = Script::new(scripts::OPEN)
            .key(&log.keys.meta)
            .arg(fresh_id())
            .invoke_async(&mut connection)
            .await
            .map_err(away)?;
        *log.generation.lock().await = generation;
        let snapshot = log.load_snapshot(&mut connection).await?;
        Ok(OpenedLog {
            log: Arc::new(log),
            snapshot,
        })
    }
}

impl LogStore for RedisStore {
    fn open<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<OpenedLog, LogStoreError>> {
        Box::pin(self.open_log(name))
    }

    fn about(&self) -> String {
        self.about.clone()
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
}

impl Keys {
    fn new(prefix: &str, name: &str) -> Self {
        let key = |part: &str| format!("{prefix}:{{{name}}}:{part}");
        Self {
            meta: key("meta"),
            log: key("log"),
            council: key("council"),
            snapshot: key("snapshot"),
        }
    }
}

/// A connection that is made anew after a failure.
struct Connector {
    client: Client,
    open: Mutex<Option<MultiplexedConnection>>,
}

impl Connector {
    fn new(client: Client) -> Self {
        Self {
            client,
            open: Mutex::new(None),
        }
    }

    async fn connection(&self) -> Result<MultiplexedConnection, LogStoreError> {
        let mut open = self.open.lock().await;
        if let Some(connection) = open.as_ref() {
            return Ok(connection.clone());
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(ANSWER))
            .set_response_timeout(Some(ANSWER));
        let made = self
            .client
            .get_multiplexed_async_connection_with_config(&config)
            .await;
        let connection = made.map_err(away)?;
        *open = Some(connection.clone());
        Ok(connection)
    }

    async fn drop_connection(&self) {
        *self.open.lock().await = None;
    }
}

struct RedisLog {
    name: String,
    keys: Keys,
    origin: u64,
    to_write: Connector,
    /// Blocked in a read most of the time.
    to_read: Connector,
    generation: Mutex<String>,
    /// The mark of the last entry read; `None` when the next one cannot be checked.
    mark: Mutex<Option<String>>,
    /// Entries appended by this gate.
    appended: AtomicU64,
    /// The log was set back and others went on with it before this gate looked.
    diverged: AtomicBool,
}

impl RedisLog {
    async fn append_entry(&self, entry: Vec<u8>) -> Result<(), LogStoreError> {
        let mut connection = self.to_write.connection().await?;
        let generation = self.generation.lock().await.clone();
        let script = Script::new(scripts::APPEND);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.log)
            .arg(generation)
            .arg(entry)
            .arg(self.fresh_mark());
        let taken: Result<Option<u64>, RedisError> = call.invoke_async(&mut connection).await;
        match taken {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(LogStoreError::Broken {
                log: self.name.clone(),
            }),
            Err(error) => {
                self.to_write.drop_connection().await;
                Err(away(error))
            }
        }
    }

    async fn read_entries(&self, position: Position) -> Result<ReadResult, LogStoreError> {
        let mut connection = self.to_read.connection().await?;
        let read: Result<Value, RedisError> = cmd("XREAD")
            .arg("COUNT")
            .arg(TOGETHER)
            .arg("BLOCK")
            .arg(u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX))
            .arg("STREAMS")
            .arg(&self.keys.log)
            .arg(format!("0-{}", position.0))
            .query_async(&mut connection)
            .await;
        let value = match read {
            Ok(value) => value,
            Err(error) => {
                self.to_read.drop_connection().await;
                return Err(away(error));
            }
        };
        let links = entries_of(value).ok_or_else(|| LogStoreError::Corrupt {
            place: self.keys.log.clone(),
            what: "an entry is not one of ours".to_owned(),
        })?;
        if links.is_empty() && !self.goes_on_after(position, &mut connection).await? {
            return Ok(ReadResult::Broken);
        }
        let mut mark = self.mark.lock().await;
        let mut entries = Vec::with_capacity(links.len());
        let mut last = position.0;
        for link in links {
            let number = link.taken.position.0;
            if number <= last {
                continue; // heard before
            }
            let follows = mark.as_ref().is_none_or(|mark| *mark == link.before);
            if number != last + 1 || !follows {
                self.diverged.store(!follows, Ordering::Relaxed);
                return Ok(ReadResult::Broken);
            }
            last = number;
            *mark = Some(link.own);
            entries.push(link.taken);
        }
        Ok(ReadResult::Entries(entries))
    }

    /// A mark that no other entry has, short because every entry carries two.
    fn fresh_mark(&self) -> String {
        let count = self.appended.fetch_add(1, Ordering::Relaxed);
        format!("{:x}.{count:x}", self.origin & 0xFFFF_FFFF)
    }

    /// Whether the log is still the one that was opened, and has all that was read of it.
    async fn goes_on_after(
        &self,
        position: Position,
        connection: &mut MultiplexedConnection,
    ) -> Result<bool, LogStoreError> {
        let (id, n) = self.meta(connection).await?;
        Ok(id == *self.generation.lock().await && n >= position.0)
    }

    /// Generation (empty if there is none) and count.
    async fn meta(
        &self,
        connection: &mut MultiplexedConnection,
    ) -> Result<(String, u64), LogStoreError> {
        let read: Result<(Option<String>, Option<u64>), RedisError> = cmd("HMGET")
            .arg(&self.keys.meta)
            .arg("id")
            .arg("n")
            .query_async(connection)
            .await;
        match read {
            Ok((id, n)) => Ok((id.unwrap_or_default(), n.unwrap_or(0))),
            Err(error) => {
                self.to_read.drop_connection().await;
                Err(away(error))
            }
        }
    }

    async fn load_snapshot(
        &self,
        connection: &mut MultiplexedConnection,
    ) -> Result<Option<Snapshot>, LogStoreError> {
        let (name, count): (Option<String>, Option<u64>) = cmd("HMGET")
            .arg(&self.keys.meta)
            .arg("snapshot")
            .arg("snapshot_n")
            .query_async(connection)
            .await
            .map_err(away)?;
        let (Some(name), Some(count)) = (name, count) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        for piece in 0_isize.. {
            let read: Option<Vec<u8>> = cmd("LINDEX")
                .arg(&name)
                .arg(piece)
                .query_async(connection)
                .await
                .map_err(away)?;
            match read {
                Some(part) => bytes.extend_from_slice(&part),
                None => break,
            }
        }
        Ok(Some(Snapshot {
            position: Position(count),
            bytes,
        }))
    }

    /// Sends a snapshot under a name of its own; it goes away by itself unless adopted.
    async fn send(&self, snapshot: &Snapshot) -> Result<String, LogStoreError> {
        let mut connection = self.to_write.connection().await?;
        let name = format!("{}:{}", self.keys.snapshot, fresh_id());
        for piece in snapshot.bytes.chunks(PIECE) {
            ::redis::pipe()
                .cmd("RPUSH")
                .arg(&name)
                .arg(piece)
                .ignore()
                .cmd("EXPIRE")
                .arg(&name)
                .arg(600)
                .ignore()
                .query_async::<()>(&mut connection)
                .await
                .map_err(away)?;
        }
        Ok(name)
    }

    async fn save_snapshot(&self, snapshot: Snapshot) -> Result<(), LogStoreError> {
        let name = self.send(&snapshot).await?;
        let mut connection = self.to_write.connection().await?;
        let generation = self.generation.lock().await.clone();
        let script = Script::new(scripts::ADOPT);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.log)
            .key(&name)
            .arg(generation)
            .arg(snapshot.position.0);
        // Refused when another gate's is newer or the log is another by now: both are fine.
        let _: u64 = call.invoke_async(&mut connection).await.map_err(away)?;
        Ok(())
    }

    async fn repair_log(&self, mine: Snapshot) -> Result<RepairSource, LogStoreError> {
        let mut connection = self.to_read.connection().await?;
        let (id, n) = self.meta(&mut connection).await?;
        let own = self.generation.lock().await.clone();
        if id == own && n >= mine.position.0 {
            // Others go on with it: only the beginning was cut off, or the log was set back
            // and continued. Whoever is behind or beside takes what the log says.
            let diverged = self.diverged.swap(false, Ordering::Relaxed);
            let snapshot = self.load_snapshot(&mut connection).await?;
            let newer = snapshot
                .as_ref()
                .is_some_and(|s| s.position > mine.position);
            if !newer && !diverged {
                return Ok(RepairSource::Own);
            }
            *self.mark.lock().await = None;
            return Ok(RepairSource::Other {
                snapshot: snapshot.unwrap_or_else(Snapshot::of_nothing),
                end: Position(n),
            });
        }
        let known = self.council(mine.position.0, &mut connection).await?;
        let (id, n) = self.meta(&mut connection).await?;
        if id != own && !id.is_empty() && n >= known.most {
            let snapshot = self.load_snapshot(&mut connection).await?;
            *self.generation.lock().await = id;
            *self.mark.lock().await = None;
            return Ok(RepairSource::Other {
                snapshot: snapshot.unwrap_or_else(Snapshot::of_nothing),
                end: Position(n),
            });
        }
        if !known.i_know_most {
            return Err(LogStoreError::Broken {
                log: self.name.clone(),
            });
        }
        let name = self.send(&mine).await?;
        let next = fresh_id();
        let script = Script::new(scripts::TAKE_OVER);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.log)
            .key(&name)
            .arg(id)
            .arg(&next)
            .arg(mine.position.0);
        let taken: u64 = call.invoke_async(&mut connection).await.map_err(away)?;
        if taken == 0 {
            return Err(LogStoreError::Broken {
                log: self.name.clone(),
            });
        }
        *self.generation.lock().await = next;
        *self.mark.lock().await = None;
        Ok(RepairSource::Own)
    }

    /// Says how much this gate knows and hears what the others say.
    async fn council(
        &self,
        known: u64,
        connection: &mut MultiplexedConnection,
    ) -> Result<HighestPosition, LogStoreError> {
        ::redis::pipe()
            .cmd("HSET")
            .arg(&self.keys.council)
            .arg(self.origin)
            .arg(known)
            .ignore()
            .cmd("PEXPIRE")
            .arg(&self.keys.council)
            .arg(5_000)
            .ignore()
            .query_async::<()>(connection)
            .await
            .map_err(away)?;
        tokio::time::sleep(COUNCIL).await;
        let said: Vec<u64> = cmd("HGETALL")
            .arg(&self.keys.council)
            .query_async(connection)
            .await
            .map_err(away)?;
        let said = said.chunks_exact(2).map(|pair| (pair[1], pair[0]));
        let (most, who) = said.max().unwrap_or((known, self.origin));
        Ok(HighestPosition {
            most,
            i_know_most: who == self.origin,
        })
    }
}

/// The highest log position that any gate knows, and whether this gate knows it.
struct HighestPosition {
    most: u64,
    i_know_most: bool,
}

impl Log for RedisLog {
    fn append(&self, entry: Vec<u8>) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(self.append_entry(entry))
    }

    fn read(&self, position: Position) -> BoxFuture<'_, Result<ReadResult, LogStoreError>> {
        Box::pin(self.read_entries(position))
    }

    fn save(&self, snapshot: Snapshot) -> BoxFuture<'_, Result<(), LogStoreError>> {
        Box::pin(self.save_snapshot(snapshot))
    }

    fn repair(&self, mine: Snapshot) -> BoxFuture<'_, Result<RepairSource, LogStoreError>> {
        Box::pin(self.repair_log(mine))
    }
}

fn away(error: RedisError) -> LogStoreError {
    LogStoreError::Unreachable(error.to_string())
}

/// A name that nobody else draws.
fn fresh_id() -> String {
    let number = getrandom::u64().unwrap_or_default();
    format!("{number:016x}")
}
