//! Calls into a script: a coroutine per call, driven like a future.
//!
//! Scripts block, workers do not. A native function that has to wait suspends the
//! coroutine ([`Ctx::block_on`]), and [`Call::resume`] returns `Pending`. `resume` polls
//! the future on the worker's own stack, so the stack of a coroutine stays small. A script
//! that only computes is suspended at the end of its time slice.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use corosensei::{Coroutine, CoroutineResult};

use loadline_reactor::CallId;

use crate::coroutine::{BlockingFuture, Switch, YieldReason};
use crate::ffi;
use crate::lend::{LentType, NoLentType};
use crate::modules::{finish_entry, start_entry};
use crate::program::Program;
use crate::quickjs::{Ctx, ErrorKind, Exception, JsError, Runtime, Value, panic_message};
use crate::realm::{Membership, Owner, User};
use crate::stack::PooledStack;
use crate::vm::Vm;

/// Stack kept free below JavaScript for the native functions it calls.
const NATIVE_RESERVE: usize = 192 << 10;

/// After this many blocking operations in a row that were ready at once, other users get
/// a turn.
const READY_IN_A_ROW: u32 = 64;

type CallResult = Result<Value, JsError>;

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
            !user.coroutine.busy.replace(true),
            "a call of this Vm is in progress"
        );
        member.realm().barrier.begin_call();
        let execution = ffi::csrc::HostExecution {
            stack_frame: std::ptr::null_mut(),
            stack_limit: stack.lowest() + NATIVE_RESERVE,
            first_job: std::ptr::null_mut(),
            last_job: std::ptr::null_mut(),
            random_state: user.random_state.get(),
        };
        let runtime = Rc::clone(&member.runtime);
        let coroutine = Coroutine::with_stack(stack, move |switch: &Switch, ()| {
            user.coroutine.switch.set(Some(NonNull::from(switch)));
            run(&runtime, &user, body, then)
        });
        Ok(Call {
            coroutine: Some(coroutine),
            waiting: None,
            execution,
            saved_switch: None,
            saved_call: CallId::default(),
            member,
            _owner: Rc::clone(&self.owner),
        })
    }

    /// Starts running the init code of a program: its files in the order of their
    /// imports. The result is the object of its exports: the namespace of a module,
    /// `module.exports` of a CommonJS file.
    ///
    /// # Errors
    ///
    /// When the system refuses the memory for a stack.
    ///
    /// # Panics
    ///
    /// When another call of this `Vm` has not ended, or another program was started in its
    /// realm before.
    pub fn start_program(&self, program: &Arc<Program>) -> std::io::Result<Call> {
        let modules = &self.member.realm().modules;
        let before = modules.program.borrow_mut().replace(Arc::clone(program));
        assert!(
            before.is_none_or(|before| Arc::ptr_eq(&before, program)),
            "a realm runs one program"
        );
        self.member.user.coroutine.initialising.set(true);
        let (first, last) = (Arc::clone(program), Arc::clone(program));
        self.start_then(
            move |ctx| start_entry(ctx, &first),
            move |ctx, value| finish_entry(ctx, &last, value),
        )
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
    runtime: &Rc<Runtime>,
    user: &User,
    body: impl FnOnce(&Ctx) -> Result<Value, Exception>,
    then: impl FnOnce(&Ctx, Value) -> Result<Value, Exception>,
) -> CallResult {
    let ctx = Ctx::from_runtime(runtime);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let value = body(ctx)?;
        user.event_loop.run(ctx, &user.coroutine)?;
        then(ctx, value)
    }));
    match result {
        // A panic where nothing could be thrown shows only now.
        Ok(Ok(value)) => match user.coroutine.status.fatal.take() {
            None => Ok(value),
            Some(message) => Err(JsError::plain(ErrorKind::Fatal, message)),
        },
        Ok(Err(exception)) => Err(exception.into_error(runtime)),
        Err(panic) => Err(JsError::plain(ErrorKind::Fatal, panic_message(&*panic))),
    }
}

/// A call in progress. Dropping it interrupts it and runs it to its end.
pub struct Call {
    coroutine: Option<Coroutine<(), YieldReason, CallResult, PooledStack>>,
    /// What the suspended coroutine waits for.
    waiting: Option<NonNull<dyn BlockingFuture>>,
    /// QuickJS's execution state: of this coroutine while it is suspended, of the caller
    /// while it runs.
    execution: ffi::csrc::HostExecution,
    /// The switch of the suspended coroutine.
    saved_switch: Option<NonNull<Switch>>,
    /// The host function that the suspended coroutine is in.
    saved_call: CallId,
    member: Rc<Membership>,
    /// Keeps the runtime from being torn down.
    _owner: Rc<Owner>,
}

impl Call {
    /// Runs until the call has to wait or ends, with `lent` visible to native functions.
    /// Wakes the waker of `cx` when the call can continue.
    ///
    /// # Errors
    ///
    /// What the script failed with.
    ///
    /// # Panics
    ///
    /// When the call has ended before.
    pub fn resume<L: LentType>(
        &mut self,
        cx: &mut Context<'_>,
        lent: &mut L::Of<'_>,
    ) -> Poll<Result<Value, JsError>> {
        let user = Rc::clone(&self.member.user);
        let state = &user.coroutine;
        self.member.make_current();
        let _loan = state.loans.lend::<L>(lent);
        let mut ready_in_a_row = 0;
        loop {
            if let Some(mut waiting) = self.waiting {
                if !state.is_interrupted() {
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
                CoroutineResult::Yield(YieldReason::Blocked(waiting)) => {
                    self.waiting = Some(waiting);
                    if ready_in_a_row >= READY_IN_A_ROW {
                        cx.waker().wake_by_ref();
                        return Poll::Pending;
                    }
                }
                CoroutineResult::Yield(YieldReason::SliceOver) => {
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
        self.resume::<NoLentType>(cx, &mut ())
    }

    /// Asks the script to stop. It stops waiting, and no `catch` or `finally` block can
    /// hold it. The next resumes run it to its end without waiting.
    pub fn interrupt(&self) {
        self.member.user.coroutine.interrupt();
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
    pub fn stop<L: LentType>(mut self, lent: &mut L::Of<'_>) -> Result<Value, JsError> {
        self.stop_now::<L>(lent)
    }

    fn stop_now<L: LentType>(&mut self, lent: &mut L::Of<'_>) -> Result<Value, JsError> {
        self.interrupt();
        let mut cx = Context::from_waker(Waker::noop());
        loop {
            // An interrupted call does not wait, and its time slices end at once.
            if let Poll::Ready(outcome) = self.resume::<L>(&mut cx, lent) {
                return outcome;
            }
        }
    }

    fn switch_in(&mut self) -> CoroutineResult<YieldReason, CallResult> {
        let state = &self.member.user.coroutine;
        let context = self.member.runtime.ctx;
        let coroutine = self.coroutine.as_mut().expect("the call has not ended");
        state.slice_start.set(None);
        // SAFETY: `execution` belongs to this coroutine, which is about to run; the
        // second swap puts both back once it has stopped.
        unsafe { ffi::csrc::host_swap_execution(context, &raw mut self.execution) };
        let before = state.switch.take();
        let switch = self.saved_switch.take();
        state.switch.set(switch);
        let progress = self.member.runtime.progress.as_ref();
        let around = progress.map(|progress| progress.enter(self.saved_call));
        let result = coroutine.resume(());
        if let (Some(progress), Some(around)) = (progress, around) {
            self.saved_call = progress.enter(around);
        }
        self.saved_switch = state.switch.replace(before);
        if matches!(result, CoroutineResult::Return(_)) {
            // SAFETY: the runtime is alive; the microtasks left are those of this user.
            unsafe { ffi::csrc::host_clear_jobs(self.member.runtime.rt) };
        }
        // SAFETY: as above.
        unsafe { ffi::csrc::host_swap_execution(context, &raw mut self.execution) };
        result
    }

    /// Makes the user ready for the next call.
    fn finish(&mut self) {
        self.coroutine = None;
        let (runtime, user) = (&self.member.runtime, &self.member.user);
        self.member.make_current();
        user.random_state.set(self.execution.random_state);
        user.event_loop
            .report_stopped_timers(Ctx::from_runtime(runtime));
        user.event_loop.clear();
        // SAFETY: the runtime is alive and runs nothing now. Jobs queued outside any call
        // belong to no user.
        unsafe { ffi::csrc::host_clear_jobs(runtime.rt) };
        user.coroutine.status.interrupted.set(false);
        user.coroutine.busy.set(false);
        user.coroutine.initialising.set(false);
        user.coroutine.status.fatal.take();
        self.member.realm().barrier.end_call();
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        match &self.coroutine {
            None => {}
            Some(coroutine) if coroutine.started() => {
                // Nobody waits for the result of a dropped call.
                let _ = self.stop_now::<NoLentType>(&mut ());
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
        if self.user.coroutine.busy.get() {
            self.user.coroutine.interrupt();
        }
    }
}
