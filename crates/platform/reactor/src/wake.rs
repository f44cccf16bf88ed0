//! Wake-ups: queue a task again, from its own thread or another one.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Wake, Waker};

use crossbeam_queue::SegQueue;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;

use crate::budget::InputBudget;

/// The number of a task in its reactor. The reactor's owner chooses the numbers; the top bit is
/// reserved for spawned futures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// The reactor is working and has taken everything that was queued before its last look.
const STATE_AWAKE: u8 = 0;
/// It waits in the kernel. Only then a wake-up costs a system call.
const STATE_ASLEEP: u8 = 1;
/// It was woken since its last look, so the next wait must not begin.
const STATE_WOKEN: u8 = 2;

/// The state that threads share to wake a reactor.
#[derive(Debug)]
pub(crate) struct WakeQueue {
    woken: SegQueue<TaskId>,
    state: AtomicU8,
    /// `None` on the simulated backend, which never waits.
    eventfd: Option<OwnedFd>,
}

impl WakeQueue {
    /// A queue with an eventfd that ends a wait.
    ///
    /// # Errors
    /// The kernel's, when no file can be opened.
    pub(crate) fn with_eventfd() -> std::io::Result<Self> {
        let eventfd = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        Ok(Self {
            eventfd: Some(eventfd),
            ..Self::silent()
        })
    }

    /// A queue for a reactor that never waits.
    pub(crate) fn silent() -> Self {
        Self {
            woken: SegQueue::new(),
            state: AtomicU8::new(STATE_AWAKE),
            eventfd: None,
        }
    }

    /// The eventfd to wait on; on the real backend.
    pub(crate) fn eventfd(&self) -> Option<&OwnedFd> {
        self.eventfd.as_ref()
    }

    pub(crate) fn push(&self, task: TaskId) {
        self.woken.push(task);
        self.wake();
    }

    /// Ends the reactor's wait, or prevents its next one.
    pub(crate) fn wake(&self) {
        if self.state.swap(STATE_WOKEN, Ordering::SeqCst) == STATE_ASLEEP
            && let Some(eventfd) = &self.eventfd
        {
            // If the counter is full, the reactor is being woken already; nothing else can fail.
            let _ = rustix::io::write(eventfd, &1_u64.to_ne_bytes());
        }
    }

    /// Announces a look at all work: it sees what was queued before, and what is queued later
    /// wakes again.
    pub(crate) fn look(&self) {
        self.state.swap(STATE_AWAKE, Ordering::SeqCst);
    }

    pub(crate) fn pop(&self) -> Option<TaskId> {
        self.woken.pop()
    }

    /// Announces a wait. Returns `false` if there was a wake-up, so that no wait may begin.
    pub(crate) fn fall_asleep(&self) -> bool {
        self.state
            .compare_exchange(
                STATE_AWAKE,
                STATE_ASLEEP,
                Ordering::SeqCst,
                Ordering::SeqCst,
            )
            .is_ok()
    }

    /// Ends an announced wait, and resets the eventfd.
    pub(crate) fn end_wait(&self) {
        if self.state.swap(STATE_AWAKE, Ordering::SeqCst) == STATE_WOKEN
            && let Some(eventfd) = &self.eventfd
        {
            let mut count = [0_u8; 8];
            // `WouldBlock` only means that there was no wake-up in between.
            let _ = rustix::io::read(eventfd, &mut count);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.woken.is_empty()
    }

    #[cfg(test)]
    pub(crate) fn is_asleep(&self) -> bool {
        self.state.load(Ordering::SeqCst) == STATE_ASLEEP
    }
}

/// A task's place in the queue; its `Arc` is the task's `Waker`.
#[derive(Debug)]
pub(crate) struct TaskWake {
    task: TaskId,
    queued: AtomicBool,
    queue: Arc<WakeQueue>,
}

impl TaskWake {
    pub(crate) fn new(task: TaskId, queue: Arc<WakeQueue>) -> Arc<Self> {
        Arc::new(Self {
            task,
            queued: AtomicBool::new(false),
            queue,
        })
    }

    /// Call this before the task is polled: later wake-ups queue it again.
    pub(crate) fn taken(&self) {
        self.queued.store(false, Ordering::Release);
    }
}

impl Wake for TaskWake {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.queued.swap(true, Ordering::AcqRel) {
            self.queue.push(self.task);
        }
    }
}

/// A registered task: its waker, and the flag that keeps it in the queue only once.
#[derive(Debug)]
pub struct Registration {
    wake: Arc<TaskWake>,
    waker: Waker,
    /// The reactor's, which each poll begins anew.
    budget: Rc<InputBudget>,
}

impl Registration {
    pub(crate) fn new(task: TaskId, queue: Arc<WakeQueue>, budget: Rc<InputBudget>) -> Self {
        let wake = TaskWake::new(task, queue);
        let waker = Waker::from(wake.clone());
        Self {
            wake,
            waker,
            budget,
        }
    }

    /// The waker for polling the task.
    #[must_use]
    pub fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Call this before each poll, so that a wake-up during the poll counts, and that the task may
    /// read from its sockets again.
    pub fn taken(&self) {
        self.wake.taken();
        self.budget.refill();
    }
}

/// Ends a reactor's wait from another thread.
#[derive(Debug, Clone)]
pub struct RemoteWaker(pub(crate) Arc<WakeQueue>);

impl RemoteWaker {
    /// Makes the reactor return from [`crate::Reactor::turn`] soon, or at once from the next
    /// call. It is cheap if the reactor is awake.
    ///
    /// Queue the work before calling this.
    pub fn wake(&self) {
        self.0.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_woken_twice_is_queued_once_until_taken() {
        let queue = Arc::new(WakeQueue::silent());
        let task = Registration::new(TaskId(7), queue.clone(), Rc::default());

        task.waker().wake_by_ref();
        task.waker().wake_by_ref();
        assert_eq!(queue.pop(), Some(TaskId(7)));
        assert_eq!(queue.pop(), None);

        task.taken();
        task.waker().wake_by_ref();
        assert_eq!(queue.pop(), Some(TaskId(7)));
    }

    #[test]
    fn work_queued_before_a_wait_prevents_it() {
        let queue = WakeQueue::with_eventfd().unwrap();
        queue.push(TaskId(1));
        assert!(!queue.fall_asleep());
        queue.look();
        queue.pop();
        assert!(queue.fall_asleep());
        queue.wake();
        queue.end_wait();
        assert!(queue.fall_asleep(), "a wake that ended a wait is spent");
    }
}
