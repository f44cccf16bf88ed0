//! Who listens to what happens to whom.
//!
//! A subscription belongs to a connection, not to a person: closing an old one never takes
//! a new one away. It holds no events, only the wish to look again: however slow a client
//! reads, what it reads next is the newest state. A turn wakes its listeners at once;
//! changes that concern everybody are left to each stream's own pace.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

use crate::queue::{Event, Wid};

const SHARDS: usize = 64;
/// Streams of one person at most.
const STREAMS_EACH: usize = 3;

/// How many streams a process holds, and may hold.
#[derive(Debug)]
pub(crate) struct StreamLimit {
    open: AtomicUsize,
    most: usize,
}

impl StreamLimit {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            open: AtomicUsize::new(0),
            most,
        }
    }

    pub(crate) fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }
}

/// A queue's listeners.
#[derive(Debug)]
pub struct Hub {
    shards: Vec<Mutex<HashMap<Wid, Vec<Arc<Bell>>>>>,
    next: AtomicU64,
    limit: Arc<StreamLimit>,
    /// When the store took the newest entry, in ms of its clock.
    taken_ms: AtomicU64,
    closing: AtomicBool,
}

/// What a stream waits on.
#[derive(Debug)]
struct Bell {
    id: u64,
    rung: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

/// A stream's place among the listeners; gives it up when dropped.
#[derive(Debug)]
pub struct Subscription {
    hub: Arc<Hub>,
    wid: Wid,
    bell: Arc<Bell>,
}

impl Hub {
    pub(crate) fn new(limit: Arc<StreamLimit>) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            next: AtomicU64::new(0),
            limit,
            taken_ms: AtomicU64::new(0),
            closing: AtomicBool::new(false),
        }
    }

    fn shard(&self, wid: Wid) -> &Mutex<HashMap<Wid, Vec<Arc<Bell>>>> {
        &self.shards[usize::from(wid.0[15]) % SHARDS]
    }

    /// Listens to what happens to `wid`; `None` when there are as many streams as may be.
    #[must_use]
    pub fn subscribe(self: &Arc<Self>, wid: Wid) -> Option<Subscription> {
        let taken = self
            .limit
            .open
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| {
                (open < self.limit.most).then_some(open + 1)
            });
        if taken.is_err() {
            return None;
        }
        let bell = Arc::new(Bell {
            id: self.next.fetch_add(1, Ordering::Relaxed),
            rung: AtomicBool::new(false),
            waker: Mutex::new(None),
        });
        let subscription = Subscription {
            hub: self.clone(),
            wid,
            bell: bell.clone(),
        };
        let mut shard = lock(self.shard(wid));
        let bells = shard.entry(wid).or_default();
        if bells.len() >= STREAMS_EACH {
            drop(shard);
            return None; // dropping the subscription gives the count back
        }
        bells.push(bell);
        Some(subscription)
    }

    /// Wakes those whom events concern.
    pub(crate) fn tell(&self, events: &[Event], taken_ms: u64) {
        self.taken_ms.store(taken_ms, Ordering::Relaxed);
        for event in events {
            match event {
                Event::Ready(wid) | Event::Changed(wid) => {
                    if let Some(bells) = lock(self.shard(*wid)).get(wid) {
                        bells.iter().for_each(|bell| bell.ring());
                    }
                }
                Event::Rules => {}
            }
        }
    }

    /// When the store took the newest entry, in ms of its clock.
    #[must_use]
    pub fn taken_ms(&self) -> u64 {
        self.taken_ms.load(Ordering::Relaxed)
    }

    /// Everybody who listens.
    pub(crate) fn listening(&self) -> Vec<Wid> {
        let mut wids = Vec::new();
        for shard in &self.shards {
            wids.extend(lock(shard).keys().copied());
        }
        wids
    }

    /// Ends all streams, each after a last word.
    pub(crate) fn say_goodbye(&self) {
        self.closing.store(true, Ordering::Relaxed);
        for shard in &self.shards {
            lock(shard).values().flatten().for_each(|bell| bell.ring());
        }
    }

    /// Whether streams are to end.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }
}

impl Bell {
    fn ring(&self) {
        self.rung.store(true, Ordering::Release);
        if let Some(waker) = lock(&self.waker).take() {
            waker.wake();
        }
    }
}

impl Subscription {
    /// Whether something happened since the last call; if not, `waker` is woken when it does.
    pub fn poll_rung(&self, waker: &Waker) -> bool {
        if self.bell.rung.swap(false, Ordering::Acquire) {
            return true;
        }
        let mut slot = lock(&self.bell.waker);
        match &mut *slot {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        drop(slot);
        // It may have rung between the two looks.
        self.bell.rung.swap(false, Ordering::Acquire)
    }

    /// Whose it is.
    #[must_use]
    pub fn wid(&self) -> Wid {
        self.wid
    }

    /// The hub.
    #[must_use]
    pub fn hub(&self) -> &Hub {
        &self.hub
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.limit.open.fetch_sub(1, Ordering::Relaxed);
        let mut shard = lock(self.hub.shard(self.wid));
        if let Some(bells) = shard.get_mut(&self.wid) {
            bells.retain(|bell| bell.id != self.bell.id);
            if bells.is_empty() {
                shard.remove(&self.wid);
            }
        }
    }
}

/// What it guards is whole after each statement.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Hub, StreamLimit};
    use crate::queue::{Event, Wid};
    use std::sync::Arc;
    use std::task::Waker;

    fn hub(most: usize) -> Arc<Hub> {
        Arc::new(Hub::new(Arc::new(StreamLimit::new(most))))
    }

    const KIM: Wid = Wid([1; 16]);

    #[test]
    fn c06_closing_an_old_stream_leaves_the_new_one() {
        let hub = hub(10);
        let old = hub.subscribe(KIM).unwrap();
        let new = hub.subscribe(KIM).unwrap();
        drop(old);
        hub.tell(&[Event::Ready(KIM)], 1);
        assert!(new.poll_rung(Waker::noop()));
    }

    #[test]
    fn c07_a_turn_given_while_the_client_does_not_read_is_still_there_when_it_does() {
        let hub = hub(10);
        let stalled = hub.subscribe(KIM).unwrap();
        hub.tell(&[Event::Changed(KIM), Event::Ready(KIM)], 1);
        hub.tell(&vec![Event::Changed(KIM); 10_000], 2);
        assert!(stalled.poll_rung(Waker::noop()), "one look is due");
        assert!(!stalled.poll_rung(Waker::noop()), "and one only");
    }

    #[test]
    fn streams_are_limited_each_and_in_all_and_given_back() {
        let hub = hub(4);
        let kims: Vec<_> = std::iter::from_fn(|| hub.subscribe(KIM)).collect();
        assert_eq!((kims.len(), hub.limit.open()), (3, 3));
        let lee = hub.subscribe(Wid([2; 16]));
        assert!(lee.is_some() && hub.subscribe(Wid([3; 16])).is_none());
        drop((kims, lee));
        assert_eq!((hub.limit.open(), hub.listening().len()), (0, 0));
    }
}
