//! The coroutine a call runs in, seen from inside: waiting for a future, time slices, and
//! when it must not be suspended.
//!
//! The other side, which resumes the coroutine, is [`Call`](crate::Call).

use std::any::Any;
use std::cell::Cell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::ptr::NonNull;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use corosensei::Yielder;
use loadline_reactor::ReactorHandle;
use loadline_units::{Clock, Time};

use crate::lend::Loans;
use crate::quickjs::{CallStatus, Interrupted};

/// The clock scripts see and the way to wait on it.
pub trait ScriptTimer: Clock {
    /// Completes at `at` or soon after.
    fn sleep_until(&self, at: Time) -> Pin<Box<dyn Future<Output = ()>>>;
}

impl ScriptTimer for ReactorHandle {
    fn sleep_until(&self, at: Time) -> Pin<Box<dyn Future<Output = ()>>> {
        // The handle's own method, which completes on this worker's reactor.
        Box::pin(Self::sleep_until(self, at))
    }
}

/// A future on a coroutine's stack that the suspended coroutine waits for.
pub(crate) trait BlockingFuture {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>;
}

struct PinnedFuture<'a, F: Future> {
    future: Pin<&'a mut F>,
    /// The output, or what its poll panicked with.
    output: Option<Result<F::Output, Box<dyn Any + Send>>>,
}

impl<F: Future> BlockingFuture for PinnedFuture<'_, F> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let output = match catch_unwind(AssertUnwindSafe(|| self.future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(panic) => Err(panic),
        };
        self.output = Some(output);
        Poll::Ready(())
    }
}

/// Why a coroutine was suspended.
pub(crate) enum YieldReason {
    /// It waits for this future, which is on its own stack.
    Blocked(NonNull<dyn BlockingFuture>),
    /// Its time slice is over.
    SliceOver,
}

pub(crate) type Switch = Yielder<(), YieldReason>;

/// The state of one user's call in progress, if any.
pub(crate) struct CoroutineState {
    pub(crate) status: CallStatus,
    /// Set exactly while the coroutine runs.
    pub(crate) switch: Cell<Option<NonNull<Switch>>>,
    pub(crate) loans: Loans,
    pub(crate) slice_start: Cell<Option<Time>>,
    slice: Duration,
    pub(crate) timer: Rc<dyn ScriptTimer>,
    /// A call is in progress.
    pub(crate) busy: Cell<bool>,
    /// The call runs the init code of a program.
    pub(crate) initialising: Cell<bool>,
}

impl CoroutineState {
    pub(crate) fn new(timer: Rc<dyn ScriptTimer>, slice: Duration) -> Self {
        Self {
            status: CallStatus::default(),
            switch: Cell::default(),
            loans: Loans::default(),
            slice_start: Cell::default(),
            slice,
            timer,
            busy: Cell::default(),
            initialising: Cell::default(),
        }
    }

    pub(crate) const fn is_interrupted(&self) -> bool {
        self.status.interrupted.get()
    }

    /// Gives up what the call waits for and lets no script go on.
    pub(crate) fn interrupt(&self) {
        self.status.interrupted.set(true);
    }

    /// Whether the user can be made to wait for others of its realm now. Not in its init
    /// code: others wait for that.
    pub(crate) fn may_wait(&self) -> bool {
        !self.initialising.get() && self.may_suspend().is_some()
    }

    /// The switch, when the coroutine runs and may be suspended now.
    fn may_suspend(&self) -> Option<NonNull<Switch>> {
        let switch = self.switch.get()?;
        let forbidden = self.status.suspension_forbidden.get() > 0;
        (!forbidden && !self.loans.is_out()).then_some(switch)
    }

    fn suspend(&self, switch: NonNull<Switch>, why: YieldReason) {
        // SAFETY: `switch` is set only while the coroutine it belongs to runs, and this
        // runs on that coroutine.
        unsafe { switch.as_ref().suspend(why) };
    }

    /// Waits for `future`; see [`Ctx::block_on`](crate::Ctx::block_on).
    pub(crate) fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Interrupted> {
        if self.is_interrupted() || std::thread::panicking() {
            return Err(Interrupted);
        }
        let mut future = pin!(future);
        let Some(switch) = self.switch.get() else {
            return match future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(output) => Ok(output),
                Poll::Pending => Err(Interrupted),
            };
        };
        assert!(
            self.may_suspend().is_some(),
            "blocking where a user cannot be suspended"
        );
        let mut blocked = PinnedFuture {
            future,
            output: None,
        };
        let waiting: NonNull<dyn BlockingFuture + '_> = NonNull::from(&mut blocked);
        // SAFETY: only the lifetime changes; `Call::resume` uses the pointer while this
        // frame is suspended and forgets it before it switches back.
        let waiting: NonNull<dyn BlockingFuture> = unsafe { std::mem::transmute(waiting) };
        self.suspend(switch, YieldReason::Blocked(waiting));
        match blocked.output {
            Some(Ok(output)) => Ok(output),
            Some(Err(panic)) => resume_unwind(panic),
            None => Err(Interrupted),
        }
    }

    /// Suspends the coroutine when its time slice is over; QuickJS calls it every few
    /// thousand steps. Returns whether the script is to stop.
    pub(crate) fn check_slice(&self) -> bool {
        if self.is_interrupted() {
            return true;
        }
        let Some(switch) = self.may_suspend() else {
            return false;
        };
        // The clock is first read when a script computes for long, not at every resume.
        let now = self.timer.now();
        match self.slice_start.get() {
            None => self.slice_start.set(Some(now)),
            Some(start) if now.since(start) >= self.slice => {
                self.slice_start.set(None);
                self.suspend(switch, YieldReason::SliceOver);
            }
            Some(_) => {}
        }
        self.is_interrupted()
    }
}
