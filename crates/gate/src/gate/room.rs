//! A queue at one gate: the copy of its state, its listeners, and the clockwork.

use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::time::Instant;

use super::hub::{Hub, StreamLimit};
use super::pace::{Estimate, Pace, poll_after};
use super::{GateError, warm};
use crate::directory::{QueueId, QueueInfo};
use crate::queue::{Command, Mode, Outcome, Queue, Seen, Standing, Wid};
use crate::replica::{Away, Replica, StoreClock};
use crate::storage::Store;

/// How often those seen are told to the log.
const TELL_SEEN: Duration = Duration::from_secs(3);
/// After a store that was away, before the next try.
const RETRY: Duration = Duration::from_millis(250);
/// How many standings are looked at under one lock.
const AT_ONCE: usize = 1_000;

/// A queue's room.
pub struct Room {
    /// The queue's id.
    pub id: QueueId,
    info: RwLock<Arc<QueueInfo>>,
    queue: Replica<Queue>,
    hub: Arc<Hub>,
    pace: Arc<Mutex<Pace>>,
    noted: Mutex<Noted>,
}

/// Who was seen since the log was last told.
#[derive(Default)]
struct Noted {
    numbers: Vec<u32>,
    others: Vec<Wid>,
}

/// Where somebody stands, with everything a page shows.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Where.
    pub standing: Standing,
    /// How many wait in all.
    pub total: u64,
    /// How long it will take, if anybody can tell.
    pub estimate: Option<Estimate>,
    /// When to ask again.
    pub poll_after: Duration,
    /// The queue's mode.
    pub mode: Mode,
    /// The rules' version.
    pub version: u64,
    /// Whether the store is away, so that this may be old.
    pub stale: bool,
}

impl Room {
    pub(super) async fn open(
        store: &dyn Store,
        info: QueueInfo,
        (origin, clock): (u64, Arc<StoreClock>),
        limit: Arc<StreamLimit>,
    ) -> Result<Arc<Self>, GateError> {
        let hub = Arc::new(Hub::new(limit));
        let pace = Arc::new(Mutex::new(Pace::new(Instant::now(), 0)));
        let listener = {
            let (hub, pace) = (hub.clone(), pace.clone());
            move |events: &[crate::queue::Event], queue: &Queue, taken_ms: u64| {
                hub.tell(events, taken_ms);
                let mut pace = pace.lock().unwrap_or_else(PoisonError::into_inner);
                pace.note(Instant::now(), queue.totals().admitted, queue.waiting());
            }
        };
        let name = info.id.to_string();
        let queue = Replica::open_with(store, &name, origin, Box::new(listener), clock).await?;
        warm(&queue, || Command::Began).await?;
        let first = info.policy.clone();
        let room = Arc::new(Self {
            id: info.id,
            info: RwLock::new(Arc::new(info)),
            queue,
            hub,
            pace,
            noted: Mutex::new(Noted::default()),
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
        tokio::spawn(tell_seen(Arc::downgrade(&room)));
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

    pub(super) fn set_info(&self, info: QueueInfo) {
        *self.info.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(info);
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
    /// [`Away`].
    pub async fn ask(&self, command: Command) -> Result<Outcome, Away> {
        self.queue.ask(command).await
    }

    /// Whether the store answers.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        self.queue.is_reachable()
    }

    /// Where somebody stands. Being asked is a sign of life, noted here and told later.
    ///
    /// # Errors
    /// [`Away`] only for somebody who was passed over and is back: that must be told at once.
    pub async fn visit(&self, wid: Wid) -> Result<View, Away> {
        let view = self.view(wid);
        match &view.standing {
            Standing::Waiting { seq, .. } => {
                if let Ok(number) = u32::try_from(*seq) {
                    self.noted().numbers.push(number);
                }
            }
            Standing::Away { .. } => {
                let seen = Seen::new(Vec::new(), vec![wid]);
                self.ask(Command::Saw(seen)).await?;
                return Ok(self.view(wid));
            }
            // A page left open is no sign of life inside: see `touch`.
            Standing::Inside { .. } | Standing::Ready { .. } => {}
            Standing::Blocked { .. } | Standing::Gone => {}
        }
        Ok(view)
    }

    /// Somebody inside was seen at the service.
    pub fn touch(&self, wid: Wid) {
        self.noted().others.push(wid);
    }

    /// Where somebody stands, without a sign of life.
    #[must_use]
    pub fn view(&self, wid: Wid) -> View {
        let (standing, total, policy, version) = self.queue.look(|queue| {
            let (policy, version) = queue.policy();
            (
                queue.standing(wid),
                queue.waiting(),
                policy.clone(),
                version,
            )
        });
        let ahead = match &standing {
            Standing::Waiting { ahead, .. } => Some(*ahead),
            _ => None,
        };
        let estimate = ahead.and_then(|ahead| {
            let pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            pace.estimate(&policy, ahead)
        });
        let spread = u64::from(wid.0[14]) << 8 | u64::from(wid.0[13]);
        View {
            standing,
            total,
            estimate,
            poll_after: poll_after(estimate, &policy, spread),
            mode: policy.mode,
            version,
            stale: !self.is_reachable(),
        }
    }

    fn noted(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who was seen since the last call, and who listens.
    async fn take_seen(&self) -> Seen {
        let Noted {
            mut numbers,
            mut others,
        } = std::mem::take(&mut *self.noted());
        for wids in self.hub.listening().chunks(AT_ONCE) {
            self.queue.look(|queue| {
                for wid in wids {
                    match queue.standing(*wid) {
                        Standing::Waiting { seq, .. } => numbers.extend(u32::try_from(seq).ok()),
                        Standing::Away { .. } => others.push(*wid),
                        _ => {}
                    }
                }
            });
            tokio::task::yield_now().await;
        }
        Seen::new(numbers, others)
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
                    tokio::time::sleep(RETRY).await;
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

/// Tells the log who was seen.
async fn tell_seen(weak: Weak<Room>) {
    loop {
        tokio::time::sleep(TELL_SEEN).await;
        let Some(room) = weak.upgrade() else { return };
        let seen = room.take_seen().await;
        if !seen.is_empty() {
            // While the store is away queue time stands still, so nobody is missed.
            let _ = room.ask(Command::Saw(seen)).await;
        }
    }
}
