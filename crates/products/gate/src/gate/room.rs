//! A queue at one gate: the copy of its state, its listeners, and the clockwork.

use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::time::Instant;

use super::GateError;
use super::QueueSettings;
use super::hub::{Hub, StreamLimit};
use super::pace::{Pace, Places, WaitEstimate, poll_after};
use super::warm_up::warm_up;
use crate::directory::{BrowserSettings, Logo, QueueInfo};
use crate::ids::QueueId;
use crate::queue::{Command, Heartbeats, Queue, QueueMode, Reply, VisitorId, VisitorState};
use crate::replica::{Replica, ReplicaCounts, StoreClock, StoreUnavailableError};
use crate::storage::LogStore;

/// How often heartbeats are appended to the log.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);
/// After a store that was away, before the next try.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);
/// How many standings are looked at under one lock.
const PLACES_PER_LOCK_MAX: usize = 1_000;

/// A queue's room.
pub struct Room {
    /// The queue's id.
    pub id: QueueId,
    info: RwLock<Arc<QueueInfo>>,
    browser: RwLock<Arc<BrowserSettings>>,
    logo: RwLock<Option<Arc<Logo>>>,
    queue: Replica<Queue>,
    hub: Arc<Hub>,
    pace: Arc<Mutex<Pace>>,
    pending: Mutex<PendingHeartbeats>,
}

/// Heartbeats not appended to the log yet.
#[derive(Default)]
struct PendingHeartbeats {
    numbers: Vec<u32>,
    others: Vec<VisitorId>,
}

/// Where somebody stands, with everything a page shows.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Where.
    pub state: VisitorState,
    /// How many wait in all.
    pub total: u64,
    /// How long it will take, when that can be estimated.
    pub estimate: Option<WaitEstimate>,
    /// When to ask again.
    pub poll_after: Duration,
    /// The queue's mode.
    pub mode: QueueMode,
    /// The rules' version.
    pub version: u64,
    /// Whether the store is away, so that this may be old.
    pub stale: bool,
}

impl Room {
    pub(super) async fn open(
        store: &dyn LogStore,
        settings: QueueSettings,
        origin: u64,
        clock: Arc<StoreClock>,
        limit: Arc<StreamLimit>,
    ) -> Result<Arc<Self>, GateError> {
        let QueueSettings {
            info,
            browser,
            logo,
        } = settings;
        let hub = Arc::new(Hub::new(limit));
        let pace = Arc::new(Mutex::new(Pace::new(Instant::now(), 0)));
        let listener = {
            let (hub, pace) = (hub.clone(), pace.clone());
            move |events: &[crate::queue::Event], queue: &Queue, taken_ms: u64| {
                hub.notify(events, taken_ms);
                let mut pace = pace.lock().unwrap_or_else(PoisonError::into_inner);
                pace.note(Instant::now(), places(queue), queue.waiting());
            }
        };
        let name = info.id.to_string();
        let queue = Replica::open_with(store, &name, origin, Box::new(listener), clock).await?;
        warm_up(&queue, || Command::GateStarted).await?;
        let first = info.policy.clone();
        let room = Arc::new(Self {
            id: info.id,
            info: RwLock::new(Arc::new(info)),
            browser: RwLock::new(Arc::new(browser)),
            logo: RwLock::new(logo.map(Arc::new)),
            queue,
            hub,
            pace,
            pending: Mutex::new(PendingHeartbeats::default()),
        });
        if room.queue.look(|queue| queue.policy().1) == 1 {
            // Whichever gate opens it first; the others come too late, which is as well.
            let command = Command::Configure {
                policy: Box::new(first),
                figure: None,
                expected: Some(1),
                actor: "creation".to_owned(),
            };
            room.queue.ask(command).await?;
        }
        tokio::spawn(tick(Arc::downgrade(&room)));
        tokio::spawn(send_heartbeats(Arc::downgrade(&room)));
        Ok(room)
    }

    /// What the directory says of it.
    #[must_use]
    pub fn info(&self) -> Arc<QueueInfo> {
        self.info
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What else browsers see of it.
    #[must_use]
    pub fn browser(&self) -> Arc<BrowserSettings> {
        let browser = self.browser.read();
        browser.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The picture above its page.
    #[must_use]
    pub fn logo(&self) -> Option<Arc<Logo>> {
        let logo = self.logo.read().unwrap_or_else(PoisonError::into_inner);
        logo.clone()
    }

    pub(super) fn change_settings(&self, settings: QueueSettings) {
        let QueueSettings {
            info,
            browser,
            logo,
        } = settings;
        *self.info.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(info);
        let mut seen = self.browser.write().unwrap_or_else(PoisonError::into_inner);
        *seen = Arc::new(browser);
        *self.logo.write().unwrap_or_else(PoisonError::into_inner) = logo.map(Arc::new);
    }

    /// Who listens.
    #[must_use]
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Looks at the queue; no store is asked.
    pub fn look<T>(&self, look: impl FnOnce(&Queue) -> T) -> T {
        self.queue.look(look)
    }

    /// Asks something of the queue.
    ///
    /// # Errors
    /// [`StoreUnavailableError`].
    pub async fn ask(&self, command: Command) -> Result<Reply, StoreUnavailableError> {
        self.queue.ask(command).await
    }

    /// Whether the store answers.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        self.queue.is_reachable()
    }

    /// Why the store does not answer for this queue; `None` when it does.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.queue.trouble()
    }

    /// What its log's replica counted, and how long ago the store answered a read.
    #[must_use]
    pub fn log_figures(&self) -> (ReplicaCounts, Duration) {
        (self.queue.figures(), self.queue.lag())
    }

    /// Whether it stands still because it met what this version cannot read.
    #[must_use]
    pub fn is_unfit(&self) -> bool {
        self.queue.is_unfit()
    }

    /// The state of the holder of ticket `seq`. The call counts as a heartbeat, which is appended to the log later.
    ///
    /// # Errors
    /// [`StoreUnavailableError`], only for a visitor who was passed over and returns, which is appended at
    /// once, and for one this gate does not know, which another gate might.
    pub async fn visit(&self, wid: VisitorId, seq: u64) -> Result<View, StoreUnavailableError> {
        let view = self.view(wid);
        match &view.state {
            VisitorState::Waiting { seq, .. } => {
                if let Ok(number) = u32::try_from(*seq) {
                    self.pending().numbers.push(number);
                }
            }
            VisitorState::Away { .. } => {
                let seen = Heartbeats::new(Vec::new(), vec![wid]);
                self.ask(Command::Heartbeats(seen)).await?;
                return Ok(self.view(wid));
            }
            // A page left open is no sign of life inside: see `touch`.
            VisitorState::Inside { .. } | VisitorState::Ready { .. } => {}
            VisitorState::Blocked { .. } => {}
            // Another gate may know better.
            VisitorState::Gone => {
                self.catch_up().await?;
                self.restore(wid, seq).await?;
                return Ok(self.view(wid));
            }
        }
        Ok(view)
    }

    /// Gives the holder of a ticket that the store lost the old place back.
    ///
    /// # Errors
    /// [`StoreUnavailableError`].
    pub async fn restore(&self, wid: VisitorId, seq: u64) -> Result<(), StoreUnavailableError> {
        let is_lost =
            |queue: &Queue| queue.state(wid) == VisitorState::Gone && queue.may_have_lost(seq);
        if self.look(is_lost) {
            self.ask(Command::Restore { wid, seq }).await?;
        }
        Ok(())
    }

    /// Waits until this gate knows everything that any gate answered before the call. To be
    /// called before a visitor is told that a place or a session is gone.
    ///
    /// # Errors
    /// [`StoreUnavailableError`]: the place may well be there.
    pub async fn catch_up(&self) -> Result<(), StoreUnavailableError> {
        self.queue.catch_up(Command::Tick).await
    }

    /// A heartbeat of a visitor who is inside, seen at the service.
    pub fn touch(&self, wid: VisitorId) {
        self.pending().others.push(wid);
    }

    /// As [`Room::touch`], of many at once.
    pub fn touch_all(&self, wids: &[VisitorId]) {
        self.pending().others.extend_from_slice(wids);
    }

    /// The version of the rules that commands are written under now: the newest that all
    /// gates of the store know.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.queue.version()
    }

    /// Whether a visitor has a place, as far as this gate knows.
    #[must_use]
    pub fn holds(&self, wid: VisitorId) -> bool {
        self.look(|queue| queue.state(wid)) != VisitorState::Gone
    }

    /// A visitor's state; no heartbeat.
    #[must_use]
    pub fn view(&self, wid: VisitorId) -> View {
        let (state, total, policy, version, places) = self.queue.look(|queue| {
            let (policy, version) = queue.policy();
            (
                queue.state(wid),
                queue.waiting(),
                policy.clone(),
                version,
                places(queue),
            )
        });
        let ahead = match &state {
            VisitorState::Waiting { ahead, .. } => Some(*ahead),
            _ => None,
        };
        let estimate = ahead.and_then(|ahead| {
            let pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            pace.estimate(Instant::now(), &policy, places, ahead)
        });
        let spread = u64::from(wid.0[14]) << 8 | u64::from(wid.0[13]);
        View {
            state,
            total,
            estimate,
            poll_after: poll_after(estimate, &policy, spread),
            mode: policy.mode,
            version,
            stale: self.queue.lags(),
        }
    }

    fn pending(&self) -> std::sync::MutexGuard<'_, PendingHeartbeats> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Heartbeats since the last call, and those of open streams.
    async fn take_heartbeats(&self) -> Heartbeats {
        let PendingHeartbeats {
            mut numbers,
            mut others,
        } = std::mem::take(&mut *self.pending());
        for wids in self.hub.listening().chunks(PLACES_PER_LOCK_MAX) {
            self.queue.look(|queue| {
                for wid in wids {
                    match queue.state(*wid) {
                        VisitorState::Waiting { seq, .. } => {
                            numbers.extend(u32::try_from(seq).ok())
                        }
                        VisitorState::Away { .. } => others.push(*wid),
                        _ => {}
                    }
                }
            });
            tokio::task::yield_now().await;
        }
        Heartbeats::new(numbers, others)
    }
}

/// How full it is inside.
fn places(queue: &Queue) -> Places {
    let (ready, inside, _) = queue.passed();
    let cap = queue.policy().0.cap;
    Places {
        free: cap.map(|cap| cap.saturating_sub(ready + inside)),
        admitted: queue.totals().admitted,
        is_measured: queue.figure().is_some(),
    }
}

/// Writes a tick whenever time alone may change something and nothing else was written.
async fn tick(weak: Weak<Room>) {
    let Some(mut applied) = weak.upgrade().map(|room| room.queue.applied()) else {
        return;
    };
    loop {
        let Some(room) = weak.upgrade() else { return };
        let last = *applied.borrow_and_update();
        let due = room.queue.look(Queue::due_in);
        match due {
            Some(due) if last + due <= Instant::now() => {
                if room.ask(Command::Tick).await.is_err() {
                    drop(room);
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
            }
            Some(due) => {
                drop(room);
                // An entry moves the next tick away, or nearer: somebody joined an idle queue.
                tokio::select! {
                    () = tokio::time::sleep_until(last + due) => {}
                    changed = applied.changed() => if changed.is_err() { return },
                }
            }
            None => {
                drop(room);
                if applied.changed().await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Appends heartbeats to the log every few seconds.
async fn send_heartbeats(weak: Weak<Room>) {
    loop {
        tokio::time::sleep(HEARTBEAT_INTERVAL).await;
        let Some(room) = weak.upgrade() else { return };
        let seen = room.take_heartbeats().await;
        if !seen.is_empty() {
            // While the store is away queue time stands still, so nobody is missed.
            let _ = room.ask(Command::Heartbeats(seen)).await;
        }
    }
}
