//! Calls into a script: a coroutine per call, driven like a future.
//!
//! Scripts block, workers do not: a native function that has to wait suspends the
//! coroutine ([`Ctx::block_on`]) and [`Call::resume`] returns `Pending`. Futures are
//! polled by `resume`, on the worker's own stack, so that a coroutine's stack stays
//! small. A script that only computes is suspended after a time slice.

mod running;

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::ptr::NonNull;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use corosensei::{Coroutine, CoroutineResult};

use crate::Vm;
use crate::ctx::Ctx;
use crate::exception::{ErrorKind, Exception, Interrupted, JsError};
use crate::ffi;
use crate::inner::{Inner, Owner};
use crate::lend::{Lend, Nothing};
use crate::native::panic_message;
use crate::stack::PooledStack;
use crate::user::{Membership, User};
use crate::value::Value;
use running::{Switch, Yielded};

pub(crate) use running::{Running, interrupt_handler};

/// Stack kept free below JavaScript for the native functions it calls.
const NATIVE_RESERVE: usize = 192 << 10;

/// After so many blocking operations that were ready at once, other users get a turn.
const READY_IN_A_ROW: u32 = 64;

type Outcome = Result<Value, JsError>;

/// A future waiting on a coroutine's stack.
trait Blocked {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>;
}

struct BlockedOn<'a, F: Future> {
    future: Pin<&'a mut F>,
    /// The output, or what its poll panicked with.
    output: Option<Result<F::Output, Box<dyn Any + Send>>>,
}

impl<F: Future> Blocked for BlockedOn<'_, F> {
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

impl Ctx {
    /// Waits for `future` while other users run. Outside a call of [`Vm::start`] it
    /// can only succeed at once.
    ///
    /// # Errors
    ///
    /// When the user is interrupted first; pass it on.
    ///
    /// # Panics
    ///
    /// When called inside [`Ctx::lent`] or while a lazy property is computed, where
    /// suspending is not possible.
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Interrupted> {
        let running = &self.inner().user().running;
        if running.interrupted.get() || std::thread::panicking() {
            return Err(Interrupted);
        }
        let mut future = pin!(future);
        let Some(switch) = running.switch.get() else {
            return match future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(output) => Ok(output),
                Poll::Pending => Err(Interrupted),
            };
        };
        assert!(
            running.may_suspend().is_some(),
            "blocking where a user cannot be suspended"
        );
        let mut blocked = BlockedOn {
            future,
            output: None,
        };
        let waiting: NonNull<dyn Blocked + '_> = NonNull::from(&mut blocked);
        // SAFETY: only the lifetime changes; `resume` uses the pointer while this frame
        // is suspended and forgets it before it switches back.
        let waiting: NonNull<dyn Blocked> = unsafe { std::mem::transmute(waiting) };
        running.suspend(switch, Yielded::Blocked(waiting));
        match blocked.output {
            Some(Ok(output)) => Ok(output),
            Some(Err(panic)) => resume_unwind(panic),
            None => Err(Interrupted),
        }
    }

    /// Whether the user is being stopped.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.inner().user().running.interrupted.get()
    }
}

impl Vm {
    /// Starts a call: `body` runs in a coroutine, then the event loop runs until
    /// nothing is pending; the result is `body`'s. Nothing runs before the first
    /// resume.
    ///
    /// # Errors
    ///
    /// When the system refuses the memory for a stack.
    ///
    /// # Panics
    ///
    /// When another call of this `Vm` has not ended.
    pub fn start(
        &self,
        body: impl FnOnce(&Ctx) -> Result<Value, Exception> + 'static,
    ) -> std::io::Result<Call> {
        self.start_then(body, |_, value| Ok(value))
    }

    /// As [`start`](Self::start), with a last step after the event loop.
    pub(crate) fn start_then(
        &self,
        body: impl FnOnce(&Ctx) -> Result<Value, Exception> + 'static,
        then: impl FnOnce(&Ctx, Value) -> Result<Value, Exception> + 'static,
    ) -> std::io::Result<Call> {
        let stack = self.stacks.take()?;
        let member = Rc::clone(&self.member);
        let user = Rc::clone(&member.user);
        assert!(
            !user.running.busy.replace(true),
            "a call of this Vm is in progress"
        );
        member.inner.barrier.begin_call();
        let execution = ffi::HostExecution {
            stack_frame: std::ptr::null_mut(),
            stack_limit: stack.lowest() + NATIVE_RESERVE,
            first_job: std::ptr::null_mut(),
            last_job: std::ptr::null_mut(),
            random_state: user.random_state.get(),
        };
        let inner = Rc::clone(&member.inner);
        let coroutine = Coroutine::with_stack(stack, move |switch: &Switch, ()| {
            user.running.switch.set(Some(NonNull::from(switch)));
            run(&inner, &user, body, then)
        });
        Ok(Call {
            coroutine: Some(coroutine),
            waiting: None,
            execution,
            saved_switch: None,
            member,
            _owner: Rc::clone(&self.owner),
        })
    }

    /// Starts a call of `function`.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start).
    ///
    /// # Panics
    ///
    /// As [`start`](Self::start).
    pub fn start_function(&self, function: &Value, args: Vec<Value>) -> std::io::Result<Call> {
        let function = function.clone();
        self.start(move |_| function.invoke(&args))
    }
}

fn run(
    inner: &Rc<Inner>,
    user: &User,
    body: impl FnOnce(&Ctx) -> Result<Value, Exception>,
    then: impl FnOnce(&Ctx, Value) -> Result<Value, Exception>,
) -> Outcome {
    let ctx = Ctx::of(inner);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let value = body(ctx)?;
        user.event_loop.run(ctx)?;
        then(ctx, value)
    }));
    match result {
        // Where nothing could be thrown, a panic shows only now.
        Ok(Ok(value)) => match user.panicked.borrow_mut().take() {
            None => Ok(value),
            Some(message) => Err(JsError::plain(ErrorKind::Fatal, message)),
        },
        Ok(Err(exception)) => Err(exception.into_error(inner)),
        Err(panic) => Err(JsError::plain(ErrorKind::Fatal, panic_message(&*panic))),
    }
}

/// A call in progress. Dropping it interrupts it and runs it to its end.
pub struct Call {
    coroutine: Option<Coroutine<(), Yielded, Outcome, PooledStack>>,
    /// What the suspended coroutine waits for.
    waiting: Option<NonNull<dyn Blocked>>,
    /// The runtime's execution state of this coroutine while it is suspended, that of
    /// the caller while it runs.
    execution: ffi::HostExecution,
    /// The switch of the suspended coroutine.
    saved_switch: Option<NonNull<Switch>>,
    member: Rc<Membership>,
    /// Keeps the runtime from being torn down.
    _owner: Rc<Owner>,
}

impl Call {
    /// Goes on until the call has to wait or ends, with `lent` visible to native
    /// functions. Wakes the waker of `cx` when it can go on.
    ///
    /// # Errors
    ///
    /// What the script failed with.
    ///
    /// # Panics
    ///
    /// When the call has ended before.
    pub fn resume<L: Lend>(
        &mut self,
        cx: &mut Context<'_>,
        lent: &mut L::Of<'_>,
    ) -> Poll<Result<Value, JsError>> {
        let user = Rc::clone(&self.member.user);
        let running = &user.running;
        self.member.inner.make_current(&user);
        let _loan = running.loans.lend::<L>(lent);
        let mut ready_in_a_row = 0;
        loop {
            if let Some(mut waiting) = self.waiting {
                if !running.interrupted.get() {
                    user.event_loop.poll_tasks(cx);
                    // SAFETY: the future lies on the coroutine's stack, which stays
                    // suspended at it until the pointer is forgotten below.
                    if unsafe { waiting.as_mut() }.poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                    ready_in_a_row += 1;
                }
                self.waiting = None;
            }
            match self.switch_in() {
                CoroutineResult::Yield(Yielded::Blocked(waiting)) => {
                    self.waiting = Some(waiting);
                    if ready_in_a_row >= READY_IN_A_ROW {
                        cx.waker().wake_by_ref();
                        return Poll::Pending;
                    }
                }
                CoroutineResult::Yield(Yielded::SliceOver) => {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                CoroutineResult::Return(outcome) => {
                    self.finish();
                    return Poll::Ready(outcome);
                }
            }
        }
    }

    /// As [`resume`](Self::resume), lending nothing.
    ///
    /// # Errors
    ///
    /// What the script failed with.
    ///
    /// # Panics
    ///
    /// When the call has ended before.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<Value, JsError>> {
        self.resume::<Nothing>(cx, &mut ())
    }

    /// Asks the script to stop: what it waits for is given up, no `catch` or `finally`
    /// holds it. The next resumes bring it to its end without waiting.
    pub fn interrupt(&self) {
        self.member.user.running.interrupted.set(true);
    }

    /// A handle that interrupts the call from elsewhere on this thread.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter {
            user: Rc::clone(&self.member.user),
        }
    }

    /// Interrupts the call and runs it to its end.
    ///
    /// # Errors
    ///
    /// What the script failed with; usually that it was interrupted.
    ///
    /// # Panics
    ///
    /// When the call has ended before.
    pub fn stop<L: Lend>(mut self, lent: &mut L::Of<'_>) -> Result<Value, JsError> {
        self.stop_now::<L>(lent)
    }

    fn stop_now<L: Lend>(&mut self, lent: &mut L::Of<'_>) -> Result<Value, JsError> {
        self.interrupt();
        let mut cx = Context::from_waker(Waker::noop());
        loop {
            // Nothing waits once interrupted, and time slices are over at once.
            if let Poll::Ready(outcome) = self.resume::<L>(&mut cx, lent) {
                return outcome;
            }
        }
    }

    fn switch_in(&mut self) -> CoroutineResult<Yielded, Outcome> {
        let running = &self.member.user.running;
        let context = self.member.inner.ctx;
        let coroutine = self.coroutine.as_mut().expect("the call has not ended");
        running.slice_start.set(None);
        // SAFETY: `execution` belongs to this coroutine, which is about to run; the
        // second swap puts both back once it has stopped.
        unsafe { ffi::host_swap_execution(context, &raw mut self.execution) };
        let before = running.switch.take();
        let switch = self.saved_switch.take();
        running.switch.set(switch);
        let result = coroutine.resume(());
        self.saved_switch = running.switch.replace(before);
        if matches!(result, CoroutineResult::Return(_)) {
            // SAFETY: the runtime is alive; the microtasks left are those of this user.
            unsafe { ffi::host_clear_jobs(self.member.inner.rt) };
        }
        // SAFETY: as above.
        unsafe { ffi::host_swap_execution(context, &raw mut self.execution) };
        result
    }

    /// Leaves the user ready for the next call.
    fn finish(&mut self) {
        self.coroutine = None;
        let (inner, user) = (&self.member.inner, &self.member.user);
        inner.make_current(user);
        user.random_state.set(self.execution.random_state);
        user.event_loop.report_stopped_timers(Ctx::of(inner));
        user.event_loop.clear();
        // SAFETY: the runtime is alive and runs nothing now. What was queued outside any
        // call is nobody's.
        unsafe { ffi::host_clear_jobs(inner.rt) };
        user.running.interrupted.set(false);
        user.running.busy.set(false);
        user.running.initialising.set(false);
        user.panicked.borrow_mut().take();
        inner.barrier.end_call();
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        match &self.coroutine {
            None => {}
            Some(coroutine) if coroutine.started() => {
                // The outcome of a dropped call is nobody's.
                let _ = self.stop_now::<Nothing>(&mut ());
            }
            Some(_) => self.finish(),
        }
    }
}

/// Interrupts a call; has no effect after its end.
#[derive(Clone)]
pub struct Interrupter {
    user: Rc<User>,
}

impl Interrupter {
    /// See [`Call::interrupt`].
    pub fn interrupt(&self) {
        if self.user.running.busy.get() {
            self.user.running.interrupted.set(true);
        }
    }
}
