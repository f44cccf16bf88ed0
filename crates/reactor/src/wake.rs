//! Wake-ups: how a task is put back in line, from its own thread or another one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Wake, Waker};

use crossbeam_queue::SegQueue;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;

/// A task's number within its reactor. The owner of the reactor chooses the numbers;
/// the top bit is the reactor's own (spawned futures).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// The reactor works; what was queued before its last look is taken.
const AWAKE: u8 = 0;
/// It waits in the kernel: only then a wake-up costs a system call.
const ASLEEP: u8 = 1;
/// Somebody rang since its last look; the next wait must not begin.
const RUNG: u8 = 2;

/// What threads share to wake one reactor.
#[derive(Debug)]
pub(crate) struct WakeQueue {
    woken: SegQueue<TaskId>,
    state: AtomicU8,
    /// Absent on the simulated backend, which never waits.
    bell: Option<OwnedFd>,
}

impl WakeQueue {
    /// A queue with an eventfd that ends a wait.
    ///
    /// # Errors
    /// The kernel's, when no file can be opened.
    pub(crate) fn with_bell() -> std::io::Result<Self> {
        let bell = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        Ok(Self {
            bell: Some(bell),
            ..Self::silent()
        })
    }

    /// A queue for a reactor that never waits.
    pub(crate) fn silent() -> Self {
        Self {
            woken: SegQueue::new(),
            state: AtomicU8::new(AWAKE),
            bell: None,
        }
    }

    /// The eventfd to wait on, on the real backend.
    pub(crate) fn bell(&self) -> Option<&OwnedFd> {
        self.bell.as_ref()
    }

    pub(crate) fn push(&self, task: TaskId) {
        self.woken.push(task);
        self.ring();
    }

    /// Ends the reactor's wait, or keeps its next one from beginning.
    pub(crate) fn ring(&self) {
        if self.state.swap(RUNG, Ordering::SeqCst) == ASLEEP
            && let Some(bell) = &self.bell
        {
            // A full counter means the bell already rings; nothing else can go wrong.
            let _ = rustix::io::write(bell, &1_u64.to_ne_bytes());
        }
    }

    /// Announces a look at all work: what was queued before is seen by it, what is
    /// queued later rings anew.
    pub(crate) fn look(&self) {
        self.state.swap(AWAKE, Ordering::SeqCst);
    }

    pub(crate) fn pop(&self) -> Option<TaskId> {
        self.woken.pop()
    }

    /// Announces a wait. Returns false when somebody rang, so no wait is due.
    pub(crate) fn fall_asleep(&self) -> bool {
        self.state
            .compare_exchange(AWAKE, ASLEEP, Ordering::SeqCst, Ordering::SeqCst)
            .is_ok()
    }

    /// Ends a wait announced before, and silences the bell.
    pub(crate) fn wake_up(&self) {
        if self.state.swap(AWAKE, Ordering::SeqCst) == RUNG
            && let Some(bell) = &self.bell
        {
            let mut count = [0_u8; 8];
            // WouldBlock only means that nobody rang between the swap and here.
            let _ = rustix::io::read(bell, &mut count);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.woken.is_empty()
    }

    #[cfg(test)]
    pub(crate) fn is_asleep(&self) -> bool {
        self.state.load(Ordering::SeqCst) == ASLEEP
    }
}

/// One task's place in the queue; its `Arc` is the task's `Waker`.
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

    /// Called when the task is about to be polled: later wake-ups queue it again.
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

/// A task's registration: its waker, and the flag that keeps it in the queue once.
#[derive(Debug)]
pub struct Registration {
    wake: Arc<TaskWake>,
    waker: Waker,
}

impl Registration {
    pub(crate) fn new(task: TaskId, queue: Arc<WakeQueue>) -> Self {
        let wake = TaskWake::new(task, queue);
        let waker = Waker::from(wake.clone());
        Self { wake, waker }
    }

    /// The waker to poll the task with.
    #[must_use]
    pub fn waker(&self) -> &Waker {
        &self.waker
    }

    /// To be called before each poll, so that a wake-up during the poll counts.
    pub fn taken(&self) {
        self.wake.taken();
    }
}

/// Ends a reactor's wait from another thread.
#[derive(Debug, Clone)]
pub struct RemoteWaker(pub(crate) Arc<WakeQueue>);

impl RemoteWaker {
    /// Makes the reactor return from [`crate::Reactor::turn`] soon, or at once from the
    /// next one; cheap when it is awake.
    ///
    /// Put the work where its thread will look for it first, then call this.
    pub fn ring(&self) {
        self.0.ring();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_woken_twice_is_queued_once_until_taken() {
        let queue = Arc::new(WakeQueue::silent());
        let task = Registration::new(TaskId(7), queue.clone());

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
        let queue = WakeQueue::with_bell().unwrap();
        queue.push(TaskId(1));
        assert!(!queue.fall_asleep());
        queue.look();
        queue.pop();
        assert!(queue.fall_asleep());
        queue.ring();
        queue.wake_up();
        assert!(queue.fall_asleep(), "a ring that ended a wait is spent");
    }
}
