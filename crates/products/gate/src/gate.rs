//! One gate process: the directory, a room for each queue, and what they need.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::address_range::AddressRange;
use crate::directory::{
    ApiKey, BrowserSettings, Directory, DirectoryChange, DirectoryEvent, KeySecret, Logo, QueueInfo,
};
use crate::ids::{QueueId, TenantId};
use crate::replica::{Replica, ReplicaCounts, StoreClock, StoreUnavailableError};
use crate::storage::{LogStore, LogStoreError};
use crate::tokens::{Secret, Signer};

mod hub;
mod opening;
mod ownership;
mod pace;
mod room;
mod warm_up;

pub use hub::{Hub, Subscription};
pub use ownership::recover;
pub use pace::WaitEstimate;
pub use room::{Room, View};

/// Between two looks at the store for the log.
const LOG_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// What a gate is started with.
#[derive(Clone)]
pub struct GateOptions {
    /// The installation's secret.
    pub secret: Secret,
    /// Where visitors reach it, without a slash at the end: `https://wait.example`.
    pub public_url: String,
    /// What callers may ask of it.
    pub limits: EdgeLimits,
    /// Proxies that are believed when they say where a request came from.
    pub trusted_proxies: Vec<AddressRange>,
    /// The header in which they say it.
    pub forwarded_by: ForwardedHeader,
    /// Networks that are not served.
    pub refused_networks: Vec<AddressRange>,
    /// The machine's time of day, used until the store's is known.
    pub wall_clock: fn() -> SystemTime,
    /// Takes a line of the log: a JSON object, without personal data.
    pub log: fn(&str),
}

/// What callers may ask of a gate.
#[derive(Debug, Clone)]
pub struct EdgeLimits {
    /// Joins of one address per minute; 0 for no limit.
    pub joins_per_address: u32,
    /// The same for addresses of certain networks; the first that fits counts.
    pub joins_of_networks: Vec<(AddressRange, u32)>,
    /// Joins per second of everybody together; 0 for no limit.
    pub joins_per_s: u32,
    /// Connections that are taken at most.
    pub connections: usize,
    /// Connections of one address; `None` for the usual, which this machine itself has not.
    pub connections_per_address: Option<u32>,
    /// Streams of one address; `None` likewise.
    pub streams_per_address: Option<u32>,
    /// Streams at most; further visitors poll.
    pub streams: usize,
    /// Polls that one visitor may send sooner than asked; 0 for no limit.
    pub polls_ahead: u32,
}

impl Default for EdgeLimits {
    fn default() -> Self {
        Self {
            joins_per_address: 120,
            joins_of_networks: Vec::new(),
            joins_per_s: 0,
            connections: 18_000,
            connections_per_address: None,
            streams_per_address: None,
            streams: 18_000,
            polls_ahead: 20,
        }
    }
}

/// The header in which a proxy says where a request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded`, RFC 7239.
    Forwarded,
}

/// Why a gate cannot start.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] LogStoreError),
    /// The store was reached and then stopped answering.
    #[error(transparent)]
    StoreUnavailable(#[from] StoreUnavailableError),
    /// The store has what this version cannot read.
    #[error("{0}")]
    Unreadable(String),
    /// The gates of this store sign with another secret.
    #[error(
        "the gates of this store sign with another secret: give this gate the same one (--secret-file), else it would refuse everybody who holds a ticket of theirs"
    )]
    OtherSecret,
    /// A key is asked for where no gate has kept anything.
    #[error("no gate has kept anything in {0}")]
    NothingKept(String),
    /// No randomness.
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] getrandom::Error),
}

impl GateError {
    /// Whether the store is away, so that another try may succeed.
    #[must_use]
    pub fn is_store_away(&self) -> bool {
        use LogStoreError::{Broken, Unreachable};
        match self {
            Self::Store(error) => matches!(error, Unreachable(_) | Broken { .. }),
            Self::StoreUnavailable(_) => true,
            Self::Unreadable(_) | Self::OtherSecret | Self::NothingKept(_) | Self::Random(_) => {
                false
            }
        }
    }
}

/// What the directory says of a queue.
struct QueueSettings {
    info: QueueInfo,
    browser: BrowserSettings,
    logo: Option<Logo>,
}

/// What the queues of a tenant have together, at one gate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TenantUsage {
    /// People waiting.
    pub waiting: u64,
    /// Streams open here.
    pub streams: u64,
}

/// A gate.
pub struct Gate {
    options: GateOptions,
    store: Arc<dyn LogStore>,
    directory: Replica<Directory>,
    rooms: RwLock<HashMap<QueueId, Arc<Room>>>,
    unopened: Mutex<opening::Unopened>,
    draining: AtomicBool,
    hub_limit: Arc<hub::StreamLimit>,
    clock: Arc<StoreClock>,
    origin: u64,
    /// Whether it was found out while running that the secret is another one.
    other_secret: watch::Sender<bool>,
    /// How many wait, and how many streams are open, in the queues of each tenant; half a
    /// second old at most.
    shares: RwLock<HashMap<TenantId, TenantUsage>>,
    /// When the directory was last asked to catch up, and whether it did.
    caught_up: tokio::sync::Mutex<Option<(Instant, bool)>>,
}

impl Gate {
    /// Reads everything the store has, and opens a room for each queue. Must be called
    /// inside a tokio runtime.
    ///
    /// # Errors
    /// [`GateError`].
    pub async fn open(
        store: Arc<dyn LogStore>,
        options: GateOptions,
        origin: u64,
    ) -> Result<Arc<Self>, GateError> {
        let (tell, told) = mpsc::unbounded_channel();
        let listener = move |news: &[DirectoryEvent], _: &Directory, _: u64| {
            for DirectoryEvent::Queue(id) in news {
                // The gate that listened may be on its way out.
                let _ = tell.send(*id);
            }
        };
        let clock = Arc::new(StoreClock::default());
        let directory = Replica::open_with(
            &*store,
            "directory",
            origin,
            Box::new(listener),
            clock.clone(),
        )
        .await?;
        warm_up::warm_up(&directory, || DirectoryChange::Nothing).await?;
        ownership::check_secret(&directory, &options.secret)?;
        let gate = Arc::new(Self {
            hub_limit: Arc::new(hub::StreamLimit::new(options.limits.streams)),
            options,
            store,
            directory,
            rooms: RwLock::new(HashMap::new()),
            unopened: Mutex::default(),
            draining: AtomicBool::new(false),
            clock,
            origin,
            other_secret: watch::Sender::new(false),
            shares: RwLock::default(),
            caught_up: tokio::sync::Mutex::default(),
        });
        let queues: Vec<QueueId> = gate.directory.look(|d| d.queues().map(|q| q.id).collect());
        opening::open_all(&gate, queues).await;
        tokio::spawn(opening::open_new(Arc::downgrade(&gate), told));
        tokio::spawn(watch_store(Arc::downgrade(&gate)));
        tokio::spawn(ownership::note_secret(Arc::downgrade(&gate)));
        let (queues, failed) = (gate.rooms().len(), gate.unopened().len());
        let told = json!({ "queues": queues, "failed": failed, "store": gate.store() });
        gate.log("ready", told);
        Ok(gate)
    }

    /// A queue's room; `None` when there is no such queue (yet).
    #[must_use]
    pub fn room(&self, id: QueueId) -> Option<Arc<Room>> {
        self.rooms
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&id)
            .cloned()
    }

    /// A queue's room, also when the queue was made at another gate just now.
    ///
    /// # Errors
    /// [`StoreUnavailableError`]: there may be such a queue.
    pub async fn find_room(&self, id: QueueId) -> Result<Option<Arc<Room>>, StoreUnavailableError> {
        if let Some(room) = self.room(id) {
            return Ok(Some(room));
        }
        self.catch_up().await?;
        match self.room(id) {
            // It is being opened.
            None if self.look(|directory| directory.queue(id).is_some()) => {
                Err(StoreUnavailableError)
            }
            room => Ok(room),
        }
    }

    /// Waits until the directory has everything that any gate answered before the call: that
    /// a queue or a key is not in it proves nothing before. Calls that come together ask the
    /// store once.
    ///
    /// # Errors
    /// [`StoreUnavailableError`].
    pub async fn catch_up(&self) -> Result<(), StoreUnavailableError> {
        let called = Instant::now();
        let mut last = self.caught_up.lock().await;
        let good = match *last {
            Some((begun, good)) if begun >= called => good,
            _ => {
                let begun = Instant::now();
                let done = self.directory.catch_up(DirectoryChange::Nothing).await;
                *last = Some((begun, done.is_ok()));
                done.is_ok()
            }
        };
        good.then_some(()).ok_or(StoreUnavailableError)
    }

    fn settings(&self, id: QueueId) -> Option<QueueSettings> {
        self.look(|directory| {
            Some(QueueSettings {
                info: directory.queue(id)?.clone(),
                browser: directory.browser(id),
                logo: directory.logo(id).cloned(),
            })
        })
    }

    /// All rooms.
    #[must_use]
    pub fn rooms(&self) -> Vec<Arc<Room>> {
        let rooms = self.rooms.read().unwrap_or_else(PoisonError::into_inner);
        rooms.values().cloned().collect()
    }

    /// Looks at the directory.
    pub fn look<T>(&self, look: impl FnOnce(&Directory) -> T) -> T {
        self.directory.look(look)
    }

    /// Asks each log that did not answer once more.
    async fn ask_again(&self) {
        let rooms = self.rooms();
        let away = rooms.iter().filter(|room| !room.is_reachable());
        let asked = futures_util::future::join_all(away.map(|room| room.catch_up()));
        // Whether they answer is seen at the next look.
        let _ = tokio::join!(self.catch_up(), asked);
    }

    /// The key a text is, if it is one that may be used now.
    #[must_use]
    pub fn key(&self, text: &str) -> Option<ApiKey> {
        let secret = KeySecret::parse(text)?;
        let now_s = self.now_s();
        let key = self
            .directory
            .look(|directory| directory.key(secret.id).cloned())?;
        key.opens(&secret, now_s).then_some(key)
    }

    /// Signs and checks a queue's tickets.
    #[must_use]
    pub fn signer(&self, queue: QueueId, tenant: TenantId) -> Signer<'_> {
        let now_s = self.now_s();
        let (current, oldest) = self.look(|directory| {
            let current = directory.tenant(tenant).map_or(1, |t| t.generation);
            (current, directory.oldest_generation(tenant, now_s))
        });
        Signer::new(&self.options.secret, queue, current).since(oldest)
    }

    /// The tenant's current key generation.
    #[must_use]
    pub fn generation(&self, tenant: TenantId) -> u32 {
        self.directory
            .look(|directory| directory.tenant(tenant).map_or(1, |t| t.generation))
    }

    /// What it was started with.
    #[must_use]
    pub fn options(&self) -> &GateOptions {
        &self.options
    }

    /// Seconds since 1970 by the store's clock, which all gates of it share; by this
    /// machine's only before the store said anything.
    #[must_use]
    pub fn now_s(&self) -> u64 {
        let own = || (self.options.wall_clock)().duration_since(UNIX_EPOCH);
        match self.clock.now_ms() {
            Some(ms) => ms / 1_000,
            None => own().unwrap_or_default().as_secs(),
        }
    }

    /// Writes a line of the log. `fields` is an object, and holds nothing about a person.
    pub fn log(&self, event: &str, fields: Value) {
        let mut line = json!({ "time_s": self.now_s(), "event": event });
        if let (Some(line), Value::Object(fields)) = (line.as_object_mut(), fields) {
            line.extend(fields);
        }
        (self.options.log)(&line.to_string());
    }

    /// Open streams.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.hub_limit.open()
    }

    /// Whether the store answers; who is in memory is served either way. A queue that stands
    /// still by itself says nothing of the store.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        let answers = |room: &Arc<Room>| room.is_reachable() || room.is_unfit();
        self.directory.is_reachable() && self.rooms().iter().all(answers)
    }

    /// What does not work: a log or queue each, and why.
    #[must_use]
    pub fn troubles(&self) -> Vec<(String, String)> {
        let directory = self.directory.trouble();
        let mut troubles: Vec<_> = directory
            .map(|why| ("directory".to_owned(), why))
            .into_iter()
            .collect();
        let rooms = self.rooms();
        let open = rooms.iter().map(|room| (room.id, room.trouble()));
        let unopened = self.unopened().clone();
        for (id, why) in open.chain(unopened) {
            troubles.extend(why.map(|why| (id.to_string(), why)));
        }
        troubles
    }

    /// Queues that are not served: they cannot be opened, or stand still.
    #[must_use]
    pub fn failed_queues(&self) -> usize {
        let unfit = self.rooms().iter().filter(|room| room.is_unfit()).count();
        unfit + self.unopened().len()
    }

    /// What the logs of all queues counted together, and the longest that one has not been read.
    #[must_use]
    pub fn log_figures(&self) -> (ReplicaCounts, Duration) {
        let (mut figures, mut lag) = (self.directory.figures(), self.directory.lag());
        for room in self.rooms() {
            let (of_room, since) = room.log_figures();
            figures += of_room;
            lag = lag.max(since);
        }
        (figures, lag)
    }

    /// From now on this gate says that it is not ready, so that nobody new is sent here.
    pub fn begin_drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
        self.log("draining", json!({ "streams": self.streams() }));
    }

    /// Whether it is about to end.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// What the queues of a tenant have together, half a second ago at most.
    #[must_use]
    pub fn share(&self, tenant: TenantId) -> TenantUsage {
        let shares = self.shares.read().unwrap_or_else(PoisonError::into_inner);
        shares.get(&tenant).copied().unwrap_or_default()
    }

    fn count_shares(&self) {
        let mut shares: HashMap<TenantId, TenantUsage> = HashMap::new();
        for room in self.rooms() {
            let share = shares.entry(room.info().tenant).or_default();
            share.waiting += room.look(crate::queue::Queue::waiting);
            share.streams += room.hub().open() as u64;
        }
        *self.shares.write().unwrap_or_else(PoisonError::into_inner) = shares;
    }

    /// Ends so many streams with a last event: their clients poll, which needs no file between.
    pub fn shed_streams(&self, count: usize) {
        let mut left = count;
        for room in self.rooms() {
            left -= room.hub().shed_streams(left);
        }
        self.log("streams_shed", json!({ "streams": count - left }));
    }

    /// Ends all streams with a last event, so that clients reconnect spread out.
    pub fn close_streams(&self) {
        self.log("streams_closed", json!({ "streams": self.streams() }));
        for room in self.rooms() {
            room.hub().close_streams();
        }
    }

    /// What the store is, for people.
    #[must_use]
    pub fn store(&self) -> String {
        self.store.about()
    }
}

/// Says in the log when the store goes away, and why, and when it is back. A log that takes
/// nothing is asked again: else nobody would learn that a full disk has room by now.
async fn watch_store(gate: Weak<Gate>) {
    let mut was_there = true;
    loop {
        tokio::time::sleep(LOG_CHECK_INTERVAL).await;
        let Some(gate) = gate.upgrade() else { return };
        let is_there = gate.is_reachable();
        if is_there != was_there {
            let (event, why) = if is_there {
                ("store_back", json!({}))
            } else {
                (
                    "store_away",
                    json!({ "why": gate.troubles().first().map(|t| &t.1) }),
                )
            };
            gate.log(event, why);
        }
        was_there = is_there;
        gate.count_shares();
        if !is_there {
            gate.ask_again().await;
        }
    }
}
