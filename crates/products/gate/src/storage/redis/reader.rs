//! Reads all logs of a gate over one connection.
//!
//! One call waits for entries of all logs at once, each from where it was read last, so that
//! hundreds of queues hold one connection. Entries are read ahead of who asks for them; a log
//! that nobody takes from is left out after a while.

use ::redis::{RedisError, Value, cmd};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::connector::Connector;
use super::entries::{Link, streams_of};
use super::errors::away;
use crate::storage::{LogStoreError, Position};

/// How long a read waits for entries.
const READ_TIMEOUT: Duration = Duration::from_millis(250);
/// Between two tries to reach a Redis that is away.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);
/// Entries of one log that are read at once at most.
const READ_ENTRIES_MAX: usize = 512;
/// Entries of one log that may wait to be taken.
const WAITING_ENTRIES_MAX: usize = 4 * READ_ENTRIES_MAX;

/// Logs, and what was read of them.
pub(super) struct SharedReader {
    to_read: Connector,
    /// Ends a call that waits for others than are wanted by now.
    to_write: Arc<Connector>,
    feeds: Mutex<BTreeMap<String, Feed>>,
    /// Feeds that were made.
    made: AtomicU64,
    /// A log is wanted, or taken from.
    wanted: Notify,
}

/// One log.
struct Feed {
    /// Tells it from one of the same log before: what that one asked for is not this one's.
    number: u64,
    /// Up to where it was read.
    read: u64,
    /// Up to where it was taken.
    taken: u64,
    links: Vec<Link>,
    /// Why the last call failed.
    failed: Option<String>,
    /// The server that was last read from.
    server: Arc<str>,
    arrived: Arc<Notify>,
}

impl Feed {
    fn from(number: u64, position: u64) -> Self {
        Self {
            number,
            read: position,
            taken: position,
            links: Vec::new(),
            failed: None,
            server: Arc::from(""),
            arrived: Arc::default(),
        }
    }

    fn is_of(&self, asked: &LogQuery) -> bool {
        (self.number, self.read) == (asked.number, asked.read)
    }
}

/// What a call wants of one log.
struct LogQuery {
    key: String,
    number: u64,
    read: u64,
}

/// Entries, and the server that they were read from; empty when none answered yet.
pub(super) type FromServer = (Vec<Link>, Arc<str>);

impl SharedReader {
    /// Must be called inside a tokio runtime.
    pub(super) fn start(to_read: Connector, to_write: Arc<Connector>) -> Arc<Self> {
        let reader = Arc::new(Self {
            to_read,
            to_write,
            feeds: Mutex::default(),
            made: AtomicU64::new(0),
            wanted: Notify::new(),
        });
        tokio::spawn(read_on(Arc::downgrade(&reader)));
        reader
    }

    /// The entries after `position`, waiting for some for a while.
    pub(super) async fn read(
        &self,
        key: &str,
        position: Position,
    ) -> Result<FromServer, LogStoreError> {
        let until = Instant::now() + READ_TIMEOUT;
        loop {
            let (arrived, is_new) = match self.take(key, position.0)? {
                Taken::Links(found) => return Ok(found),
                Taken::Nothing { arrived, is_new } => (arrived, is_new),
            };
            if is_new {
                self.wanted.notify_one();
                self.interrupt().await;
            }
            // One that arrived meanwhile has left its permit.
            if tokio::time::timeout_at(until, arrived.notified())
                .await
                .is_err()
            {
                let server = lock(&self.feeds).get(key).map(|feed| feed.server.clone());
                return Ok((Vec::new(), server.unwrap_or_default()));
            }
        }
    }

    fn take(&self, key: &str, position: u64) -> Result<Taken, LogStoreError> {
        let mut feeds = lock(&self.feeds);
        let mut is_new = false;
        if feeds.get(key).is_none_or(|feed| feed.taken != position) {
            let number = self.made.fetch_add(1, Ordering::Relaxed);
            feeds.insert(key.to_owned(), Feed::from(number, position));
            is_new = true;
        }
        let Some(feed) = feeds.get_mut(key) else {
            return Ok(Taken::Links((Vec::new(), Arc::from(""))));
        };
        if let Some(last) = feed.links.last() {
            feed.taken = last.taken.position.0;
            let links = std::mem::take(&mut feed.links);
            self.wanted.notify_one();
            return Ok(Taken::Links((links, feed.server.clone())));
        }
        match feed.failed.take() {
            Some(why) => Err(LogStoreError::Unreachable(why)),
            None => Ok(Taken::Nothing {
                arrived: feed.arrived.clone(),
                is_new,
            }),
        }
    }

    /// Forgets what was read of a log ahead of who takes it: it was lost, or nobody takes it.
    pub(super) fn forget(&self, key: &str) {
        lock(&self.feeds).remove(key);
    }

    /// Reads on over another connection.
    pub(super) async fn reconnect(&self) {
        self.to_read.reconnect().await;
    }

    /// Begins anew with a log: whatever is open may lead to a server that is gone.
    pub(super) async fn begin_anew(&self, key: &str) {
        self.to_read.end().await;
        self.forget(key);
    }

    /// Ends the call that waits, if it may be: else it ends by itself soon.
    async fn interrupt(&self) {
        let Some(id) = self.to_read.client_id().await else {
            return;
        };
        if let Ok(mut to_redis) = self.to_write.connection().await {
            let _: Result<Value, RedisError> = cmd("CLIENT")
                .arg("UNBLOCK")
                .arg(id)
                .query_async(&mut to_redis.connection)
                .await;
        }
    }

    /// One call for all logs that may be read.
    async fn read_once(&self) {
        let asked: Vec<LogQuery> = {
            let feeds = lock(&self.feeds);
            let open = feeds
                .iter()
                .filter(|(_, feed)| feed.links.len() < WAITING_ENTRIES_MAX);
            open.map(|(key, feed)| LogQuery {
                key: key.clone(),
                number: feed.number,
                read: feed.read,
            })
            .collect()
        };
        if asked.is_empty() {
            // It ends in any case, so that a store that is gone is noticed.
            let _ = tokio::time::timeout(READ_TIMEOUT, self.wanted.notified()).await;
            return;
        }
        if let Err(error) = self.call(&asked).await {
            let why = match error {
                LogStoreError::Unreachable(why) => why,
                other => other.to_string(),
            };
            self.report_failure(&asked, &why);
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }

    fn report_failure(&self, asked: &[LogQuery], why: &str) {
        let mut feeds = lock(&self.feeds);
        for asked in asked {
            if let Some(feed) = feeds.get_mut(&asked.key) {
                feed.failed = Some(why.to_owned());
                feed.arrived.notify_one();
            }
        }
    }

    async fn call(&self, asked: &[LogQuery]) -> Result<(), LogStoreError> {
        let mut to_redis = self.to_read.connection().await?;
        let mut call = cmd("XREAD");
        call.arg("COUNT").arg(READ_ENTRIES_MAX).arg("BLOCK");
        call.arg(u64::try_from(READ_TIMEOUT.as_millis()).unwrap_or(u64::MAX));
        call.arg("STREAMS");
        for asked in asked {
            call.arg(&asked.key);
        }
        for asked in asked {
            call.arg(format!("0-{}", asked.read));
        }
        let read: Result<Value, RedisError> = call.query_async(&mut to_redis.connection).await;
        let value = match read {
            Ok(value) => value,
            Err(error) => {
                self.to_read.drop_connection(&to_redis).await;
                return Err(away(error));
            }
        };
        let streams = streams_of(value).ok_or_else(|| LogStoreError::Corrupt {
            place: "a log in Redis".to_owned(),
            what: "an entry is not one of ours".to_owned(),
        })?;
        let server: Arc<str> = Arc::from(to_redis.server.as_str());
        let mut feeds = lock(&self.feeds);
        for asked in asked {
            if let Some(feed) = feeds.get_mut(&asked.key).filter(|feed| feed.is_of(asked)) {
                feed.server = server.clone();
                feed.failed = None;
            }
        }
        for (key, links) in streams {
            let asked = asked.iter().find(|asked| asked.key == key);
            let feed = feeds.get_mut(&key);
            // It may be wanted from elsewhere by now, or of a log that was begun anew.
            let Some(feed) = feed.filter(|feed| asked.is_some_and(|asked| feed.is_of(asked)))
            else {
                continue;
            };
            if let Some(last) = links.last() {
                feed.read = last.taken.position.0;
                feed.links.extend(links);
                feed.arrived.notify_one();
            }
        }
        Ok(())
    }
}

/// What there is for who asks.
enum Taken {
    Links(FromServer),
    Nothing { arrived: Arc<Notify>, is_new: bool },
}

async fn read_on(weak: Weak<SharedReader>) {
    while let Some(reader) = weak.upgrade() {
        reader.read_once().await;
    }
}

/// What it guards is whole after each statement.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
