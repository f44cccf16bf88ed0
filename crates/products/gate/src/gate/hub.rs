//! Open event streams, by visitor.
//!
//! A subscription belongs to a connection, not to a visitor, so closing an old one never
//! removes a new one. It holds no events, only a flag to look at the queue again: a slow
//! client skips old states and reads the newest one next. A turn wakes the visitor's
//! streams at once; changes for everybody wait for each stream's next timer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

use crate::queue::{Event, VisitorId};

const SHARD_COUNT: usize = 64;
/// Streams of one person at most.
const STREAMS_PER_PERSON_MAX: usize = 3;

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
    shards: Vec<Mutex<HashMap<VisitorId, Vec<Arc<Wakeup>>>>>,
    next: AtomicU64,
    limit: Arc<StreamLimit>,
    /// When the store took the newest entry, in ms of its clock.
    taken_ms: AtomicU64,
    closing: AtomicBool,
}

/// What a stream waits on.
#[derive(Debug)]
struct Wakeup {
    id: u64,
    signalled: AtomicBool,
    shed: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

/// One stream's subscription; dropping it unsubscribes.
#[derive(Debug)]
pub struct Subscription {
    hub: Arc<Hub>,
    wid: VisitorId,
    wakeup: Arc<Wakeup>,
}

impl Hub {
    pub(crate) fn new(limit: Arc<StreamLimit>) -> Self {
        Self {
            shards: (0..SHARD_COUNT).map(|_| Mutex::default()).collect(),
            next: AtomicU64::new(0),
            limit,
            taken_ms: AtomicU64::new(0),
            closing: AtomicBool::new(false),
        }
    }

    fn shard(&self, wid: VisitorId) -> &Mutex<HashMap<VisitorId, Vec<Arc<Wakeup>>>> {
        &self.shards[usize::from(wid.0[15]) % SHARD_COUNT]
    }

    /// How many listen.
    pub(crate) fn open(&self) -> usize {
        let of_one = |shard: &Mutex<HashMap<VisitorId, Vec<Arc<Wakeup>>>>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.values().map(Vec::len).sum::<usize>()
        };
        self.shards.iter().map(of_one).sum()
    }

    /// Listens to what happens to `wid`; `None` when there are as many streams as may be.
    #[must_use]
    pub fn subscribe(self: &Arc<Self>, wid: VisitorId) -> Option<Subscription> {
        let taken = self
            .limit
            .open
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| {
                (open < self.limit.most).then_some(open + 1)
            });
        if taken.is_err() {
            return None;
        }
        let wakeup = Arc::new(Wakeup {
            id: self.next.fetch_add(1, Ordering::Relaxed),
            signalled: AtomicBool::new(false),
            shed: AtomicBool::new(false),
            waker: Mutex::new(None),
        });
        let subscription = Subscription {
            hub: self.clone(),
            wid,
            wakeup: wakeup.clone(),
        };
        let mut shard = lock(self.shard(wid));
        let wakeups = shard.entry(wid).or_default();
        if wakeups.len() >= STREAMS_PER_PERSON_MAX {
            drop(shard);
            return None; // dropping the subscription gives the count back
        }
        wakeups.push(wakeup);
        Some(subscription)
    }

    /// Wakes the streams of the visitors that `events` name.
    pub(crate) fn notify(&self, events: &[Event], taken_ms: u64) {
        // A state that was taken over whole comes with no entry.
        if taken_ms > 0 {
            self.taken_ms.store(taken_ms, Ordering::Relaxed);
        }
        for event in events {
            match event {
                Event::Ready(wid) | Event::Changed(wid) => {
                    if let Some(wakeups) = lock(self.shard(*wid)).get(wid) {
                        wakeups.iter().for_each(|wakeup| wakeup.signal());
                    }
                }
                Event::Rules => {}
                Event::Replaced => self.signal_all(),
            }
        }
    }

    /// When the store took the newest entry, in ms of its clock.
    #[must_use]
    pub fn taken_ms(&self) -> u64 {
        self.taken_ms.load(Ordering::Relaxed)
    }

    /// Every visitor with an open stream.
    pub(crate) fn listening(&self) -> Vec<VisitorId> {
        let mut wids = Vec::new();
        for shard in &self.shards {
            wids.extend(lock(shard).keys().copied());
        }
        wids
    }

    /// Ends all streams, each after a last event (`bye`).
    pub(crate) fn close_streams(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.signal_all();
    }

    fn signal_all(&self) {
        for shard in &self.shards {
            lock(shard)
                .values()
                .flatten()
                .for_each(|wakeup| wakeup.signal());
        }
    }

    /// Ends so many streams at most, each after a last event; how many.
    pub(crate) fn shed_streams(&self, count: usize) -> usize {
        let mut shed = 0;
        for shard in &self.shards {
            let shard = lock(shard);
            let kept = |wakeup: &&Arc<Wakeup>| !wakeup.shed.load(Ordering::Relaxed);
            let next = shard.values().flatten().filter(kept);
            for wakeup in next.take(count - shed) {
                wakeup.shed.store(true, Ordering::Relaxed);
                wakeup.signal();
                shed += 1;
            }
        }
        shed
    }
}

impl Wakeup {
    fn signal(&self) {
        self.signalled.store(true, Ordering::Release);
        if let Some(waker) = lock(&self.waker).take() {
            waker.wake();
        }
    }
}

impl Subscription {
    /// Whether something happened since the last call; if not, `waker` is woken when it does.
    pub fn poll_signalled(&self, waker: &Waker) -> bool {
        if self.wakeup.signalled.swap(false, Ordering::Acquire) {
            return true;
        }
        let mut slot = lock(&self.wakeup.waker);
        match &mut *slot {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        drop(slot);
        // It may have signalled between the two looks.
        self.wakeup.signalled.swap(false, Ordering::Acquire)
    }

    /// Whose it is.
    #[must_use]
    pub fn wid(&self) -> VisitorId {
        self.wid
    }

    /// Whether the stream is to end after a last event.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.hub.closing.load(Ordering::Relaxed) || self.wakeup.shed.load(Ordering::Relaxed)
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
        if let Some(wakeups) = shard.get_mut(&self.wid) {
            wakeups.retain(|wakeup| wakeup.id != self.wakeup.id);
            if wakeups.is_empty() {
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
    use crate::queue::{Event, VisitorId};
    use std::sync::Arc;
    use std::task::Waker;

    fn hub(most: usize) -> Arc<Hub> {
        Arc::new(Hub::new(Arc::new(StreamLimit::new(most))))
    }

    const KIM: VisitorId = VisitorId([1; 16]);

    #[test]
    fn c06_closing_an_old_stream_leaves_the_new_one() {
        let hub = hub(10);
        let old = hub.subscribe(KIM).unwrap();
        let new = hub.subscribe(KIM).unwrap();
        drop(old);
        hub.notify(&[Event::Ready(KIM)], 1);
        assert!(new.poll_signalled(Waker::noop()));
    }

    #[test]
    fn c07_a_turn_given_while_the_client_does_not_read_is_still_there_when_it_does() {
        let hub = hub(10);
        let stalled = hub.subscribe(KIM).unwrap();
        hub.notify(&[Event::Changed(KIM), Event::Ready(KIM)], 1);
        hub.notify(&vec![Event::Changed(KIM); 10_000], 2);
        assert!(stalled.poll_signalled(Waker::noop()), "one look is due");
        assert!(!stalled.poll_signalled(Waker::noop()), "and one only");
    }

    #[test]
    fn a_replaced_state_wakes_every_stream() {
        let hub = hub(10);
        let streams = [KIM, VisitorId([2; 16])].map(|wid| hub.subscribe(wid).unwrap());
        hub.notify(&[Event::Replaced], 1);
        for stream in streams {
            assert!(stream.poll_signalled(Waker::noop()));
        }
    }

    #[test]
    fn streams_are_limited_each_and_in_all_and_given_back() {
        let hub = hub(4);
        let kims: Vec<_> = std::iter::from_fn(|| hub.subscribe(KIM)).collect();
        assert_eq!((kims.len(), hub.limit.open()), (3, 3));
        let lee = hub.subscribe(VisitorId([2; 16]));
        assert!(lee.is_some() && hub.subscribe(VisitorId([3; 16])).is_none());
        drop((kims, lee));
        assert_eq!((hub.limit.open(), hub.listening().len()), (0, 0));
    }
}
