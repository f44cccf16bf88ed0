//! The loop: each turn fires timers, takes wake-ups, and waits.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use loadline_units::Time;

use crate::clock::MonotonicClock;
use crate::handle::{Backend, Inner, ReactorHandle};
use crate::peer_policy::{GuardedPeers, PeerPolicy};
use crate::poller::Poller;
use crate::sim;
use crate::tasks::{self, SPAWNED_BIT};
use crate::wake::{RemoteWaker, TaskId, WakeQueue};

/// One thread's event loop. It is not `Send`: make it on the thread that runs it.
pub struct Reactor {
    handle: ReactorHandle,
    /// Spawned futures to poll in this turn; empty between turns.
    spawned: Vec<TaskId>,
}

/// When the wait of a turn began and ended; the same instant if there was no wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitSpan {
    /// When it began.
    pub from: Time,
    /// When it ended.
    pub to: Time,
    /// Of the tasks that the turn appended, the first one that a socket woke.
    pub first_by_socket: usize,
    /// How many tasks sockets woke, from there on; zero on a simulated reactor.
    pub by_socket: usize,
}

impl Reactor {
    /// A reactor on epoll. All workers of a run share `clock`.
    ///
    /// Sets this thread's timer slack to 1 ns, so that waits end on time.
    ///
    /// # Errors
    /// The system's, if no file descriptor is left.
    pub fn new(clock: MonotonicClock) -> io::Result<Self> {
        rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1))?;
        let queue = WakeQueue::with_eventfd()?;
        let poller = Poller::new(queue.eventfd())?;
        Ok(Self::with(Backend::Kernel { clock, poller }, queue))
    }

    /// A reactor in a simulated world, which several reactors may share.
    #[must_use]
    pub fn simulated(world: &sim::World) -> Self {
        Self::with(Backend::Simulated(world.clone()), WakeQueue::silent())
    }

    fn with(backend: Backend, queue: WakeQueue) -> Self {
        Self {
            handle: ReactorHandle(Rc::new(Inner {
                backend,
                timers: RefCell::default(),
                tasks: RefCell::default(),
                queue: Arc::new(queue),
                budget: Rc::default(),
                peers: OnceCell::new(),
            })),
            spawned: Vec::new(),
        }
    }

    /// The access for tasks.
    #[must_use]
    pub fn handle(&self) -> ReactorHandle {
        self.handle.clone()
    }

    /// Has `guard` asked before a peer is connected to for the first time.
    ///
    /// # Panics
    /// It has a guard.
    pub fn ask_of_peers(&self, guard: Arc<dyn PeerPolicy>) {
        let set = self.handle.0.peers.set(GuardedPeers::new(guard));
        assert!(set.is_ok(), "a reactor has one guard");
    }

    /// The access for other threads.
    #[must_use]
    pub fn remote(&self) -> RemoteWaker {
        RemoteWaker(self.handle.0.queue.clone())
    }

    /// Does one round: waits until something happens or `until` has come (not at all when
    /// there is work already), polls spawned futures, and appends the owner's tasks that
    /// were woken to `ready`, each once. Simulated reactors never wait.
    ///
    /// # Errors
    /// The kernel's, should waiting fail.
    pub fn turn(&mut self, ready: &mut Vec<TaskId>, until: Time) -> io::Result<WaitSpan> {
        let inner = &*self.handle.0;
        let begin = ready.len();
        let from = self.handle.now();
        if let Backend::Kernel { poller, .. } = &inner.backend {
            self.wait(poller, from, until)?;
        }
        take_woken(&inner.queue, ready, &mut self.spawned);
        let first = ready.len();
        if let Backend::Kernel { poller, .. } = &inner.backend {
            // Only after the wait has ended for the queue: a task woken before that would signal the
            // eventfd, which costs two system calls and wakes nobody.
            poller.mark_ready();
        }
        take_woken(&inner.queue, ready, &mut self.spawned);
        let by_socket = ready.len() - first;
        let to = self.handle.now();
        inner.timers.borrow_mut().fire(to);
        inner.budget.refill();
        inner.queue.look();
        // What is woken from here on waits for the next turn, so a task that wakes
        // itself cannot keep the loop from its sockets.
        take_woken(&inner.queue, ready, &mut self.spawned);
        if let Backend::Simulated(world) = &inner.backend {
            world.shuffle(ready);
        }
        for task in self.spawned.drain(..) {
            tasks::poll(&inner.tasks, task);
        }
        Ok(WaitSpan {
            from,
            to,
            first_by_socket: first - begin,
            by_socket,
        })
    }

    fn wait(&self, poller: &Poller, now: Time, until: Time) -> io::Result<()> {
        let inner = &*self.handle.0;
        let until = inner
            .timers
            .borrow()
            .next()
            .map_or(until, |next| until.min(next));
        let idle = until > now && inner.queue.fall_asleep();
        let limit = if idle {
            (until != Time::MAX).then(|| until.since(now))
        } else {
            Some(std::time::Duration::ZERO)
        };
        let waited = poller.wait(limit);
        if idle {
            inner.queue.end_wait();
        }
        waited
    }

    /// The next instant at which [`Reactor::turn`] has something to do by itself: now when
    /// tasks are queued, else the next timer. For drivers of simulated worlds.
    #[must_use]
    pub fn next_wake(&self) -> Option<Time> {
        if !self.handle.0.queue.is_empty() {
            return Some(self.handle.now());
        }
        self.handle.0.timers.borrow().next()
    }
}

/// Takes what was woken: the owner's tasks, and spawned futures.
fn take_woken(queue: &WakeQueue, ready: &mut Vec<TaskId>, spawned: &mut Vec<TaskId>) {
    while let Some(task) = queue.pop() {
        if task.0 & SPAWNED_BIT == 0 {
            ready.push(task);
        } else {
            spawned.push(task);
        }
    }
}

impl fmt::Debug for Reactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reactor").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::{Context, Wake, Waker};
    use std::time::Duration;

    use super::*;

    /// Counts how often it was woken: in all, and while the reactor seemed asleep.
    struct Witness {
        queue: Arc<WakeQueue>,
        asleep: AtomicU32,
        all: AtomicU32,
    }

    impl Wake for Witness {
        fn wake(self: Arc<Self>) {
            self.all.fetch_add(1, Ordering::Relaxed);
            if self.queue.is_asleep() {
                self.asleep.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn what_a_wait_finds_ready_is_woken_without_signalling_the_eventfd() {
        let mut reactor = Reactor::new(MonotonicClock::start()).unwrap();
        let witness = Arc::new(Witness {
            queue: reactor.handle.0.queue.clone(),
            asleep: AtomicU32::new(0),
            all: AtomicU32::new(0),
        });
        let waker = Waker::from(witness.clone());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let handle = reactor.handle();
        let address = listener.local_addr().unwrap();
        let stream = handle.connect(address, None).unwrap();
        let pending = stream.poll_connected(&mut Context::from_waker(&waker));
        assert!(pending.is_pending(), "readiness is learnt by waiting only");

        while witness.all.load(Ordering::Relaxed) == 0 {
            let until = handle.now() + Duration::from_secs(10);
            reactor.turn(&mut Vec::new(), until).unwrap();
        }
        assert_eq!(witness.asleep.load(Ordering::Relaxed), 0);
    }
}
