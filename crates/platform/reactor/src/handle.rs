//! The access of tasks to the event loop.
//!
//! A [`ReactorHandle`] gives the time, runs futures and makes wakers. It also makes sockets and timers;
//! these are in modules of their own.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use loadline_units::{Clock, Time};

use crate::budget::InputBudget;
use crate::clock::MonotonicClock;
use crate::peer_policy::GuardedPeers;
use crate::poller::Poller;
use crate::sim;
use crate::tasks::{SPAWNED_BIT, Tasks};
use crate::timers::Timers;
use crate::wake::{Registration, TaskId, WakeQueue};

/// The source of time and sockets.
pub(crate) enum Backend {
    Kernel {
        clock: MonotonicClock,
        poller: Poller,
    },
    Simulated(sim::World),
}

pub(crate) struct Inner {
    pub(crate) backend: Backend,
    pub(crate) timers: RefCell<Timers>,
    pub(crate) tasks: RefCell<Tasks>,
    pub(crate) queue: Arc<WakeQueue>,
    pub(crate) budget: Rc<InputBudget>,
    /// Who is asked before a connection is made; nobody, where it is empty.
    pub(crate) peers: OnceCell<GuardedPeers>,
}

/// The access of tasks to the reactor. Cheap to clone, bound to its thread.
#[derive(Clone)]
pub struct ReactorHandle(pub(crate) Rc<Inner>);

impl ReactorHandle {
    /// The present time, read from the clock at each call.
    #[must_use]
    pub fn now(&self) -> Time {
        match &self.0.backend {
            Backend::Kernel { clock, .. } => clock.now(),
            Backend::Simulated(world) => world.now(),
        }
    }

    /// Runs a future on this thread until it ends, besides the owner's tasks.
    pub fn spawn(&self, future: impl Future<Output = ()> + 'static) {
        self.0
            .tasks
            .borrow_mut()
            .spawn(Box::pin(future), &self.0.queue, &self.0.budget);
    }

    /// A waker for one of the owner's tasks. The top bit of their ids must be clear.
    #[must_use]
    pub fn register(&self, task: TaskId) -> Registration {
        debug_assert!(
            task.0 & SPAWNED_BIT == 0,
            "the top bit marks spawned futures"
        );
        Registration::new(task, self.0.queue.clone(), self.0.budget.clone())
    }

    pub(crate) fn timers(&self) -> &RefCell<Timers> {
        &self.0.timers
    }
}

impl Clock for ReactorHandle {
    fn now(&self) -> Time {
        ReactorHandle::now(self)
    }
}

impl fmt::Debug for ReactorHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}
