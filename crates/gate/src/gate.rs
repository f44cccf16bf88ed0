//! One gate process: the directory, a room for each queue, and what they need.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;

use crate::directory::{
    ApiKey, Change, Changed, Directory, KeySecret, News, QueueId, Scope, TenantId,
};
use crate::replica::{Away, Replica};
use crate::storage::{Store, StoreError};
use crate::tokens::{Secret, Signer};

mod hub;
mod pace;
mod room;

pub use hub::{Hub, Subscription};
pub use pace::Estimate;
pub use room::{Room, View};

/// How long a gate may take to read what its store has.
const WARM_UP: Duration = Duration::from_secs(120);

/// What a gate is started with.
pub struct GateOptions {
    /// The installation's secret.
    pub secret: Secret,
    /// Where visitors reach it, without a slash at the end: `https://wait.example`.
    pub public_url: String,
    /// Joins of one address per minute; 0 for no limit.
    pub joins_per_address: u32,
    /// Streams at most; who comes then polls.
    pub most_streams: usize,
    /// Proxies whose word on a visitor's address is believed.
    pub trusted_proxies: Vec<std::net::IpAddr>,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
}

/// Why a gate cannot start.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// The store's fault.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store was reached and then went away.
    #[error(transparent)]
    Away(#[from] Away),
    /// No randomness.
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] getrandom::Error),
}

/// A gate.
pub struct Gate {
    options: GateOptions,
    store: Arc<dyn Store>,
    directory: Replica<Directory>,
    rooms: RwLock<HashMap<QueueId, Arc<Room>>>,
    hub_limit: Arc<hub::StreamLimit>,
    origin: u64,
}

impl Gate {
    /// Reads everything the store has, and opens a room for each queue. Must be called
    /// inside a tokio runtime.
    ///
    /// # Errors
    /// [`GateError`].
    pub async fn open(
        store: Arc<dyn Store>,
        options: GateOptions,
        origin: u64,
    ) -> Result<Arc<Self>, GateError> {
        let (tell, told) = mpsc::unbounded_channel();
        let listener = move |news: &[News], _: &Directory, _: u64| {
            for News::Queue(id) in news {
                // The gate that listened may be on its way out.
                let _ = tell.send(*id);
            }
        };
        let directory = Replica::open(&*store, "directory", origin, Box::new(listener)).await?;
        warm(&directory, || Change::Nothing).await?;
        let gate = Arc::new(Self {
            hub_limit: Arc::new(hub::StreamLimit::new(options.most_streams)),
            options,
            store,
            directory,
            rooms: RwLock::new(HashMap::new()),
            origin,
        });
        let queues: Vec<QueueId> = gate.directory.look(|d| d.queues().map(|q| q.id).collect());
        for id in queues {
            gate.open_room(id).await?;
        }
        tokio::spawn(open_new_rooms(Arc::downgrade(&gate), told));
        Ok(gate)
    }

    async fn open_room(&self, id: QueueId) -> Result<(), GateError> {
        let Some(info) = self
            .directory
            .look(|directory| directory.queue(id).cloned())
        else {
            return Ok(());
        };
        if let Some(room) = self.room(id) {
            room.set_info(info);
            return Ok(());
        }
        let room = Room::open(&*self.store, info, self.origin, self.hub_limit.clone()).await?;
        self.rooms
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, room);
        Ok(())
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

    /// All rooms.
    #[must_use]
    pub fn rooms(&self) -> Vec<Arc<Room>> {
        let rooms = self.rooms.read().unwrap_or_else(PoisonError::into_inner);
        rooms.values().cloned().collect()
    }

    /// Changes the directory.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn change(&self, change: Change) -> Result<Changed, Away> {
        self.directory.ask(change).await
    }

    /// Looks at the directory.
    pub fn look<T>(&self, look: impl FnOnce(&Directory) -> T) -> T {
        self.directory.look(look)
    }

    /// Makes the first key if there is none; gives it the one time it can be seen.
    ///
    /// # Errors
    /// [`GateError`].
    pub async fn found(&self) -> Result<Option<KeySecret>, GateError> {
        if self.directory.look(Directory::has_keys) {
            return Ok(None);
        }
        let secret = KeySecret::draw()?;
        let key = ApiKey::new(
            &secret,
            None,
            "first key".to_owned(),
            vec![Scope::Root],
            None,
        );
        match self.change(Change::Found { key }).await? {
            Changed::Done => Ok(Some(secret)),
            // Another gate was faster, and shows its own.
            _ => Ok(None),
        }
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
        Signer::new(&self.options.secret, queue, self.generation(tenant))
    }

    /// A tenant's rotation.
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

    /// Seconds since 1970.
    #[must_use]
    pub fn now_s(&self) -> u64 {
        let since = (self.options.wall_clock)().duration_since(UNIX_EPOCH);
        since.unwrap_or_default().as_secs()
    }

    /// Open streams.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.hub_limit.open()
    }

    /// Whether the store answers; who is in memory is served either way.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        self.directory.is_reachable() && self.rooms().iter().all(|room| room.is_reachable())
    }

    /// Ends all streams with a word, so that their clients come back, spread out.
    pub fn say_goodbye(&self) {
        for room in self.rooms() {
            room.hub().say_goodbye();
        }
    }

    /// What the store is, for people.
    #[must_use]
    pub fn store(&self) -> String {
        self.store.about()
    }
}

/// Waits until everything that was in the log is applied.
pub(crate) async fn warm<M: crate::replica::Machine>(
    replica: &Replica<M>,
    nothing: impl Fn() -> M::Command,
) -> Result<(), Away> {
    let tries = async {
        // Each try is patient by itself; a long log takes several.
        while replica.ask(nothing()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(WARM_UP, tries).await.map_err(|_| Away)
}

/// Opens rooms as queues appear, made here or at another gate.
async fn open_new_rooms(gate: Weak<Gate>, mut told: mpsc::UnboundedReceiver<QueueId>) {
    while let Some(id) = told.recv().await {
        loop {
            let Some(gate) = gate.upgrade() else { return };
            if gate.open_room(id).await.is_ok() {
                break;
            }
            drop(gate);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}
