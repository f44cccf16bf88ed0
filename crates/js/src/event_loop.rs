//! What runs after a script's function has returned: microtasks, then timers and the
//! completions of background work, until nothing is pending.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use loadline_units::{Clock, Time};

use crate::convert::IntoJs;
use crate::ctx::Ctx;
use crate::exception::{Exception, Interrupted};
use crate::ffi;
use crate::inner::inner_of;
use crate::native::contain;
use crate::promise::PromiseState;
use crate::value::Value;

/// The clock scripts see and the way to wait on it.
pub trait Timer: Clock {
    /// Completes at `at` or soon after.
    fn sleep_until(&self, at: Time) -> Pin<Box<dyn Future<Output = ()>>>;
}

/// What a finished background task does with the script.
type Completion = Box<dyn FnOnce(&Ctx) -> Result<(), Exception>>;
type Task = Pin<Box<dyn Future<Output = Completion>>>;

#[derive(Default)]
pub(crate) struct EventLoop {
    timers: RefCell<Timers>,
    tasks: RefCell<FuturesUnordered<Task>>,
    /// Started since the tasks were last polled.
    started: RefCell<Vec<Task>>,
    /// Finished, their completions not yet run.
    finished: RefCell<VecDeque<Completion>>,
    /// Promises rejected without a handler, and why.
    rejected: RefCell<Vec<(Value, Value)>>,
}

pub(crate) type TimersStopped = Rc<dyn Fn(&Ctx, &[StoppedTimer])>;

/// A timer that a call left pending because it failed or was interrupted. Shown as
/// `setTimeout 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoppedTimer {
    /// Its id, as scripts see it.
    pub id: u64,
    /// Whether it was set with `setInterval`.
    pub repeats: bool,
}

impl fmt::Display for StoppedTimer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.repeats {
            "setInterval"
        } else {
            "setTimeout"
        };
        write!(f, "{name} {}", self.id)
    }
}

#[derive(Default)]
struct Timers {
    /// By due time, then by order of creation.
    due: BTreeMap<(Time, u64), ScriptTimer>,
    by_id: BTreeMap<u64, (Time, u64)>,
    created: u64,
    ids: u64,
}

struct ScriptTimer {
    id: u64,
    callback: Value,
    args: Vec<Value>,
    every: Option<Duration>,
}

impl EventLoop {
    /// Polls background tasks and keeps the completions of those that finished.
    pub(crate) fn poll_tasks(&self, cx: &mut Context<'_>) {
        loop {
            let mut tasks = self.tasks.borrow_mut();
            tasks.extend(self.started.take());
            while let Poll::Ready(Some(completion)) = tasks.poll_next_unpin(cx) {
                self.finished.borrow_mut().push_back(completion);
            }
            if self.started.borrow().is_empty() {
                return;
            }
        }
    }

    /// Runs until nothing is pending or a callback throws.
    pub(crate) fn run(&self, ctx: &Ctx) -> Result<(), Exception> {
        self.run_until(ctx, || false)
    }

    /// The same, at most until `enough` after some microtasks.
    fn run_until(&self, ctx: &Ctx, enough: impl Fn() -> bool) -> Result<(), Exception> {
        loop {
            self.run_microtasks(ctx)?;
            if ctx.is_interrupted() {
                return Err(Interrupted.into());
            }
            if enough() {
                return Ok(());
            }
            let finished = self.finished.borrow_mut().pop_front();
            if let Some(completion) = finished {
                completion(ctx)?;
                continue;
            }
            if self.run_due_timer(ctx)? {
                continue;
            }
            if !self.has_tasks() && self.timers.borrow().due.is_empty() {
                return Ok(());
            }
            self.wait(ctx)?;
        }
    }

    fn has_tasks(&self) -> bool {
        !self.tasks.borrow().is_empty() || !self.started.borrow().is_empty()
    }

    /// Waits until a task has finished or the next timer is due.
    fn wait(&self, ctx: &Ctx) -> Result<(), Interrupted> {
        let next = self.timers.borrow().due.keys().next().map(|(at, _)| *at);
        let mut sleep = next.map(|at| ctx.inner().user().running.timer.sleep_until(at));
        ctx.block_on(poll_fn(|cx| {
            self.poll_tasks(cx);
            if !self.finished.borrow().is_empty() {
                return Poll::Ready(());
            }
            match &mut sleep {
                Some(sleep) => sleep.as_mut().poll(cx),
                None => Poll::Pending,
            }
        }))
    }

    fn run_microtasks(&self, ctx: &Ctx) -> Result<(), Exception> {
        let inner = ctx.inner();
        loop {
            let mut job_ctx = std::ptr::null_mut();
            // SAFETY: the runtime is alive; jobs run on this stack like any call.
            let ran = unsafe { ffi::JS_ExecutePendingJob(inner.rt, &raw mut job_ctx) };
            match ran {
                0 => break,
                1.. => {}
                _ => return Err(inner.take_exception()),
            }
            if ctx.is_interrupted() {
                return Err(Interrupted.into());
            }
        }
        self.report_rejections(ctx)
    }

    fn report_rejections(&self, ctx: &Ctx) -> Result<(), Exception> {
        if self.rejected.borrow().is_empty() {
            return Ok(());
        }
        let hook = ctx.inner().on_rejection.borrow().clone();
        for (_, reason) in self.rejected.take() {
            if let Some(hook) = &hook {
                hook(ctx, &reason)?;
            }
        }
        Ok(())
    }

    /// Runs the earliest timer if it is due.
    fn run_due_timer(&self, ctx: &Ctx) -> Result<bool, Exception> {
        let now = ctx.now();
        let timer = {
            let mut timers = self.timers.borrow_mut();
            match timers.due.first_entry() {
                Some(entry) if entry.key().0 <= now => entry.remove(),
                _ => return Ok(false),
            }
        };
        let (callback, args) = (timer.callback.clone(), timer.args.clone());
        {
            let mut timers = self.timers.borrow_mut();
            match timer.every {
                Some(every) => timers.insert(now + every, timer),
                None => drop(timers.by_id.remove(&timer.id)),
            }
        }
        callback.invoke(&args)?;
        Ok(true)
    }

    /// Tells of the timers that are pending, in the order of their ids, if anybody
    /// wants to know.
    pub(crate) fn report_stopped_timers(&self, ctx: &Ctx) {
        let Some(hook) = ctx.inner().on_timers_stopped.borrow().clone() else {
            return;
        };
        let mut stopped: Vec<StoppedTimer> = self
            .timers
            .borrow()
            .due
            .values()
            .map(|timer| StoppedTimer {
                id: timer.id,
                repeats: timer.every.is_some(),
            })
            .collect();
        if !stopped.is_empty() {
            stopped.sort_unstable_by_key(|timer| timer.id);
            hook(ctx, &stopped);
        }
    }

    /// Forgets everything pending.
    pub(crate) fn clear(&self) {
        // Each is moved out first: dropping may reach back into this loop.
        drop(self.timers.take());
        drop(self.started.take());
        drop(self.tasks.take());
        drop(self.finished.take());
        drop(self.rejected.take());
    }

    fn note_rejection(&self, promise: Value, reason: Value, is_handled: bool) {
        let mut rejected = self.rejected.borrow_mut();
        if is_handled {
            rejected.retain(|(p, _)| !p.strict_equals(&promise));
        } else {
            rejected.push((promise, reason));
        }
    }
}

impl Timers {
    fn insert(&mut self, at: Time, timer: ScriptTimer) {
        self.created += 1;
        self.by_id.insert(timer.id, (at, self.created));
        self.due.insert((at, self.created), timer);
    }
}

impl Ctx {
    /// The time on the run's clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.inner().user().running.timer.now()
    }

    /// Runs `future` in the background; the call stays pending until it has finished
    /// and `then` has run on the event loop. What `then` throws fails the call.
    pub fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
        then: impl FnOnce(&Self, T) -> Result<(), Exception> + 'static,
    ) {
        let task: Task = Box::pin(async move {
            let output = future.await;
            let completion: Completion = Box::new(move |ctx| then(ctx, output));
            completion
        });
        self.inner()
            .user()
            .event_loop
            .started
            .borrow_mut()
            .push(task);
    }

    /// Runs the event loop until `promise` is settled, or nothing is left that could settle
    /// it. Whatever else is pending goes on meanwhile.
    ///
    /// # Errors
    /// What a callback threw that nobody waits for, or an interruption.
    pub fn settle(&self, promise: &Value) -> Result<(), Exception> {
        let is_settled = || !matches!(promise.promise_state(), Some(PromiseState::Pending));
        let user = self.inner().user();
        user.event_loop.run_until(self, is_settled)
    }

    /// A promise for the result of `future`: resolved with what `then` makes of it,
    /// rejected with what `then` throws.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn spawn_promise<T: 'static, R: IntoJs>(
        &self,
        future: impl Future<Output = T> + 'static,
        then: impl FnOnce(&Self, T) -> Result<R, Exception> + 'static,
    ) -> Result<Value, Exception> {
        let (promise, resolver) = self.promise()?;
        self.spawn(future, move |ctx, output| {
            let result = then(ctx, output).and_then(|value| value.into_js(ctx));
            resolver.settle(ctx, result)
        });
        Ok(promise)
    }

    /// Calls `callback(...args)` on the event loop after `delay`, again and again with
    /// `repeat`. Returns the timer's id.
    pub fn set_timer(
        &self,
        callback: Value,
        args: Vec<Value>,
        delay: Duration,
        repeat: bool,
    ) -> u64 {
        let at = self.now() + delay;
        let every = repeat.then(|| delay.max(Duration::from_millis(1)));
        let mut timers = self.inner().user().event_loop.timers.borrow_mut();
        timers.ids += 1;
        let id = timers.ids;
        timers.insert(
            at,
            ScriptTimer {
                id,
                callback,
                args,
                every,
            },
        );
        id
    }

    /// Forgets a timer; unknown ids are ignored.
    pub fn clear_timer(&self, id: u64) {
        let timer = {
            let mut timers = self.inner().user().event_loop.timers.borrow_mut();
            timers
                .by_id
                .remove(&id)
                .and_then(|key| timers.due.remove(&key))
        };
        drop(timer);
    }

    /// Sets what is called with the timers a call leaves pending because it failed or
    /// was interrupted.
    pub fn on_timers_stopped(&self, hook: impl Fn(&Self, &[StoppedTimer]) + 'static) {
        *self.inner().on_timers_stopped.borrow_mut() = Some(Rc::new(hook));
    }

    /// Sets what is called with the reason of a promise that was rejected and, once the
    /// microtasks had run, still had no handler. An error it returns fails the call.
    /// By default such promises are ignored.
    pub fn on_unhandled_rejection(
        &self,
        hook: impl Fn(&Self, &Value) -> Result<(), Exception> + 'static,
    ) {
        *self.inner().on_rejection.borrow_mut() = Some(Rc::new(hook));
    }
}

/// Keeps track of rejected promises for QuickJS.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime made by `Vm::new`.
pub(crate) unsafe extern "C" fn rejection_tracker(
    ctx: *mut ffi::JSContext,
    promise: ffi::JSValue,
    reason: ffi::JSValue,
    is_handled: bool,
    _: *mut std::ffi::c_void,
) {
    // SAFETY: by contract; the values are alive during the call.
    unsafe {
        let inner = inner_of(ffi::JS_GetRuntime(ctx));
        crate::inner::with_ctx(ctx, |ctx| {
            contain(inner, (), || {
                let promise = Value::borrow_raw(ctx.inner(), promise);
                let reason = Value::borrow_raw(ctx.inner(), reason);
                let event_loop = &inner.user().event_loop;
                event_loop.note_rejection(promise, reason, is_handled);
            });
        });
    }
}
