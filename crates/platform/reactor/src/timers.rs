//! Timers: a heap of instants in which moving a deadline later costs no heap operation.
//!
//! A request's timeout is set and removed for every request and almost never expires. So a timer
//! keeps one heap entry; when the entry comes up early, it is put back at the present deadline.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::task::{Poll, Waker};

use loadline_units::Time;

#[derive(Debug)]
struct Slot {
    /// When the timer is due; `Time::MAX` when disarmed.
    deadline: Time,
    /// The time of its heap entry; `Time::MAX` if it has none.
    queued: Time,
    waker: Option<Waker>,
}

/// All timers of one reactor.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    heap: BinaryHeap<Reverse<(Time, u32)>>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The time of the last call of [`Timers::fire`].
    pub(crate) fired: Time,
}

impl Timers {
    pub(crate) fn add(&mut self) -> u32 {
        let empty = Slot {
            deadline: Time::MAX,
            queued: Time::MAX,
            waker: None,
        };
        if let Some(index) = self.free.pop() {
            // The heap may still have an entry of the slot's former owner. It differs in its
            // time, and at worst causes one needless check of this slot.
            self.slots[index as usize] = empty;
            return index;
        }
        self.slots.push(empty);
        u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 timers fit in memory")
    }

    pub(crate) fn remove(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        slot.deadline = Time::MAX;
        slot.queued = Time::MAX;
        slot.waker = None;
        self.free.push(index);
    }

    pub(crate) fn reset(&mut self, index: u32, deadline: Time) {
        let slot = &mut self.slots[index as usize];
        slot.deadline = deadline;
        if deadline < slot.queued {
            slot.queued = deadline;
            self.heap.push(Reverse((deadline, index)));
        }
    }

    /// Wakes the tasks whose timers are due at `now`.
    pub(crate) fn fire(&mut self, now: Time) {
        self.fired = now;
        while let Some(&Reverse((at, index))) = self.heap.peek() {
            if at > now {
                return;
            }
            self.heap.pop();
            let slot = &mut self.slots[index as usize];
            if slot.queued != at {
                continue; // superseded by an earlier entry, or the timer is gone
            }
            slot.queued = Time::MAX;
            if slot.deadline == Time::MAX {
                continue;
            }
            if slot.deadline <= now {
                if let Some(waker) = slot.waker.take() {
                    waker.wake();
                }
            } else {
                slot.queued = slot.deadline;
                self.heap.push(Reverse((slot.deadline, index)));
            }
        }
    }

    /// When [`Timers::fire`] must be called next.
    pub(crate) fn next(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse((at, _))| *at)
    }

    /// Whether the timer is due; otherwise `waker` is called when it is.
    pub(crate) fn poll(&mut self, index: u32, now: Time, waker: &Waker) -> Poll<()> {
        let slot = &mut self.slots[index as usize];
        if slot.deadline <= now {
            return Poll::Ready(());
        }
        match &mut slot.waker {
            Some(kept) if kept.will_wake(waker) => {}
            kept => *kept = Some(waker.clone()),
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;

    struct CountingWaker(AtomicU32);

    impl Wake for CountingWaker {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn at(nanos: u64) -> Time {
        Time::from_nanos(nanos)
    }

    #[test]
    fn a_deadline_moved_later_fires_at_the_later_instant_from_one_heap_entry() {
        let mut timers = Timers::default();
        let counter = Arc::new(CountingWaker(AtomicU32::new(0)));
        let waker = Waker::from(counter.clone());
        let timer = timers.add();
        for deadline in [10, 20, 30] {
            timers.reset(timer, at(deadline));
        }
        assert_eq!(timers.heap.len(), 1);
        assert!(timers.poll(timer, at(0), &waker).is_pending());

        timers.fire(at(29));
        assert_eq!(counter.0.load(Ordering::Relaxed), 0);
        timers.fire(at(30));
        assert_eq!(counter.0.load(Ordering::Relaxed), 1);
        assert!(timers.poll(timer, at(30), &waker).is_ready());
    }

    #[test]
    fn a_deadline_moved_earlier_fires_at_the_earlier_instant() {
        let mut timers = Timers::default();
        let counter = Arc::new(CountingWaker(AtomicU32::new(0)));
        let waker = Waker::from(counter.clone());
        let timer = timers.add();
        timers.reset(timer, at(100));
        timers.reset(timer, at(5));
        assert!(timers.poll(timer, at(0), &waker).is_pending());

        timers.fire(at(5));
        assert_eq!(counter.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_disarmed_timer_and_a_dropped_one_stay_silent() {
        let mut timers = Timers::default();
        let counter = Arc::new(CountingWaker(AtomicU32::new(0)));
        let waker = Waker::from(counter.clone());
        let disarmed = timers.add();
        let dropped = timers.add();
        for timer in [disarmed, dropped] {
            timers.reset(timer, at(5));
            assert!(timers.poll(timer, at(0), &waker).is_pending());
        }
        timers.reset(disarmed, Time::MAX);
        timers.remove(dropped);

        timers.fire(at(10));
        assert_eq!(counter.0.load(Ordering::Relaxed), 0);
        assert_eq!(timers.next(), None);
    }
}
