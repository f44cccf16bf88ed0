//! What a worker is doing, for a watchdog on another thread.
//!
//! A worker counts its tasks in one number, and says whether it is in one. When the number stands
//! still, somebody holds the worker. Host functions leave their number here while they run, so that
//! the watchdog can name who that is. Both cost a store.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The lowest bit of a beat: the worker is in a task.
const BUSY_BIT: u64 = 1;

/// One worker's progress. Written by the worker only.
#[derive(Debug, Default)]
pub struct WorkerProgress {
    beat: AtomicU64,
    /// The call that runs; 0 for none.
    call: AtomicU32,
    /// The system's number of the thread; 0 before it begins.
    thread: AtomicU32,
    /// The names of calls, from number 1 on.
    names: Mutex<Vec<Box<str>>>,
}

/// The number of a host function on its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallId(u32);

/// What a worker did when somebody looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskSnapshot(u64);

thread_local! {
    static OF_THREAD: RefCell<Option<Arc<WorkerProgress>>> = const { RefCell::new(None) };
    static NUMBERS: RefCell<HashMap<Box<str>, CallId>> = RefCell::default();
}

impl WorkerProgress {
    /// Makes this thread the worker that the progress is of.
    pub fn begin_thread(self: &Arc<Self>) {
        let thread = rustix::thread::gettid().as_raw_nonzero().get();
        self.thread.store(thread.unsigned_abs(), Ordering::Relaxed);
        OF_THREAD.set(Some(self.clone()));
        NUMBERS.take();
    }

    /// The progress of this thread; `None` outside a worker.
    #[must_use]
    pub fn of_thread() -> Option<Arc<Self>> {
        OF_THREAD.with_borrow(Clone::clone)
    }

    /// The number of a host function called `name`, on the thread that the progress is of.
    pub fn number(&self, name: &str) -> CallId {
        NUMBERS.with_borrow_mut(|numbers| {
            if let Some(number) = numbers.get(name) {
                return *number;
            }
            let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
            names.push(name.into());
            let number = CallId(u32::try_from(names.len()).unwrap_or(0));
            numbers.insert(name.into(), number);
            number
        })
    }

    /// A call begins, or the one around it goes on. Returns the one before.
    pub fn enter(&self, call: CallId) -> CallId {
        // Not a swap: only this thread writes.
        let before = self.call.load(Ordering::Relaxed);
        self.call.store(call.0, Ordering::Relaxed);
        CallId(before)
    }

    /// The worker begins a task.
    pub fn begin_task(&self) {
        let beat = self.beat.load(Ordering::Relaxed);
        self.beat.store((beat | BUSY_BIT) + 2, Ordering::Relaxed);
    }

    /// The worker waits, or looks for work.
    pub fn rest(&self) {
        let beat = self.beat.load(Ordering::Relaxed);
        self.beat.store((beat & !BUSY_BIT) + 2, Ordering::Relaxed);
    }

    /// What the worker does now.
    #[must_use]
    pub fn look(&self) -> TaskSnapshot {
        TaskSnapshot(self.beat.load(Ordering::Relaxed))
    }

    /// How long the worker's thread has had a core; `None` where the kernel does not tell.
    #[must_use]
    pub fn time_on_core(&self) -> Option<Duration> {
        let thread = self.thread.load(Ordering::Relaxed);
        let path = format!("/proc/self/task/{thread}/schedstat");
        let text = std::fs::read_to_string(path).ok()?;
        let nanos = text.split(' ').next()?.parse().ok()?;
        Some(Duration::from_nanos(nanos))
    }

    /// The name of the call that runs; `None` between calls.
    #[must_use]
    pub fn call(&self) -> Option<String> {
        let index = self.call.load(Ordering::Relaxed).checked_sub(1)?;
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(index as usize).map(|name| name.to_string())
    }
}

impl TaskSnapshot {
    /// Whether the worker was in a task.
    #[must_use]
    pub const fn is_busy(self) -> bool {
        self.0 & BUSY_BIT != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_stands_still_only_within_one_task() {
        let progress = WorkerProgress::default();
        assert!(!progress.look().is_busy());
        progress.begin_task();
        let first = progress.look();
        assert!(first.is_busy() && progress.look() == first);
        progress.begin_task();
        assert_ne!(progress.look(), first);
        progress.rest();
        assert!(!progress.look().is_busy());
    }

    #[test]
    fn the_call_that_runs_is_named_and_the_one_around_it_comes_back() {
        let progress = Arc::new(WorkerProgress::default());
        progress.begin_thread();
        let of_thread = WorkerProgress::of_thread().unwrap();
        let (outer, inner) = (of_thread.number("open"), of_thread.number("parseHTML"));
        assert_eq!(of_thread.number("open"), outer);
        assert_eq!(progress.call(), None);
        let none = progress.enter(outer);
        let before = progress.enter(inner);
        assert_eq!(progress.call().as_deref(), Some("parseHTML"));
        progress.enter(before);
        assert_eq!(progress.call().as_deref(), Some("open"));
        progress.enter(none);
        assert_eq!(progress.call(), None);
    }
}
