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
use loadline_units::Time;

use crate::coroutine::CoroutineState;
use crate::ffi;
use crate::quickjs::{Ctx, Exception, Interrupted, Value};

/// What a finished background task does with the script.
type Completion = Box<dyn FnOnce(&Ctx) -> Result<(), Exception>>;
type Task = Pin<Box<dyn Future<Output = Completion>>>;

/// Called for a promise that was rejected and, once the microtasks had run, still had no
/// handler.
type RejectionHook = Rc<dyn Fn(&Ctx, &Value) -> Result<(), Exception>>;

type StoppedTimersHook = Rc<dyn Fn(&Ctx, &[StoppedTimer])>;

/// What the users of a realm have called when something is left over.
#[derive(Default)]
pub(crate) struct EventLoopHooks {
    pub(crate) on_rejection: RefCell<Option<RejectionHook>>,
    pub(crate) on_timers_stopped: RefCell<Option<StoppedTimersHook>>,
}

impl EventLoopHooks {
    pub(crate) fn clear(&self) {
        drop(self.on_rejection.take());
        drop(self.on_timers_stopped.take());
    }
}

/// What one user's call has pending.
pub(crate) struct EventLoop {
    hooks: Rc<EventLoopHooks>,
    timers: RefCell<Timers>,
    tasks: RefCell<FuturesUnordered<Task>>,
    /// Started since the tasks were last polled.
    started: RefCell<Vec<Task>>,
    /// Finished, their completions not yet run.
    finished: RefCell<VecDeque<Completion>>,
    /// Promises rejected without a handler, and why.
    rejected: RefCell<Vec<(Value, Value)>>,
}

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
    due: BTreeMap<(Time, u64), PendingTimer>,
    by_id: BTreeMap<u64, (Time, u64)>,
    created: u64,
    ids: u64,
}

struct PendingTimer {
    id: u64,
    callback: Value,
    args: Vec<Value>,
    every: Option<Duration>,
}

impl EventLoop {
    pub(crate) fn new(hooks: Rc<EventLoopHooks>) -> Self {
        Self {
            hooks,
            timers: RefCell::default(),
            tasks: RefCell::default(),
            started: RefCell::default(),
            finished: RefCell::default(),
            rejected: RefCell::default(),
        }
    }

    /// Adds a background task; `then` runs on the event loop once `future` has finished.
    pub(crate) fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
        then: impl FnOnce(&Ctx, T) -> Result<(), Exception> + 'static,
    ) {
        let task: Task = Box::pin(async move {
            let output = future.await;
            let completion: Completion = Box::new(move |ctx| then(ctx, output));
            completion
        });
        self.started.borrow_mut().push(task);
    }

    /// Calls `callback(...args)` at `at`, and then again after each `every`. Returns the
    /// timer's id.
    pub(crate) fn set_timer(
        &self,
        callback: Value,
        args: Vec<Value>,
        at: Time,
        every: Option<Duration>,
    ) -> u64 {
        let mut timers = self.timers.borrow_mut();
        timers.ids += 1;
        let id = timers.ids;
        timers.insert(
            at,
            PendingTimer {
                id,
                callback,
                args,
                every,
            },
        );
        id
    }

    /// Removes a timer; unknown ids are ignored.
    pub(crate) fn clear_timer(&self, id: u64) {
        let timer = {
            let mut timers = self.timers.borrow_mut();
            timers
                .by_id
                .remove(&id)
                .and_then(|key| timers.due.remove(&key))
        };
        drop(timer);
    }

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
    pub(crate) fn run(&self, ctx: &Ctx, coroutine: &CoroutineState) -> Result<(), Exception> {
        self.run_until(ctx, coroutine, || false)
    }

    /// The same, but ends as soon as `enough` is true after a round of microtasks.
    pub(crate) fn run_until(
        &self,
        ctx: &Ctx,
        coroutine: &CoroutineState,
        enough: impl Fn() -> bool,
    ) -> Result<(), Exception> {
        loop {
            self.run_microtasks(ctx, coroutine)?;
            if coroutine.is_interrupted() {
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
            if self.run_due_timer(coroutine.timer.now())? {
                continue;
            }
            if !self.has_tasks() && self.timers.borrow().due.is_empty() {
                return Ok(());
            }
            self.wait(coroutine)?;
        }
    }

    fn has_tasks(&self) -> bool {
        !self.tasks.borrow().is_empty() || !self.started.borrow().is_empty()
    }

    /// Waits until a task has finished or the next timer is due.
    fn wait(&self, coroutine: &CoroutineState) -> Result<(), Interrupted> {
        let next = self.timers.borrow().due.keys().next().map(|(at, _)| *at);
        let mut sleep = next.map(|at| coroutine.timer.sleep_until(at));
        coroutine.block_on(poll_fn(|cx| {
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

    fn run_microtasks(&self, ctx: &Ctx, coroutine: &CoroutineState) -> Result<(), Exception> {
        let runtime = ctx.runtime();
        loop {
            let mut job_ctx = std::ptr::null_mut();
            // SAFETY: the runtime is alive; jobs run on this stack like any call.
            let ran = unsafe { ffi::JS_ExecutePendingJob(runtime.rt, &raw mut job_ctx) };
            match ran {
                0 => break,
                1.. => {}
                _ => return Err(runtime.take_exception()),
            }
            if coroutine.is_interrupted() {
                return Err(Interrupted.into());
            }
        }
        self.report_rejections(ctx)
    }

    fn report_rejections(&self, ctx: &Ctx) -> Result<(), Exception> {
        if self.rejected.borrow().is_empty() {
            return Ok(());
        }
        let hook = self.hooks.on_rejection.borrow().clone();
        for (_, reason) in self.rejected.take() {
            if let Some(hook) = &hook {
                hook(ctx, &reason)?;
            }
        }
        Ok(())
    }

    /// Runs the earliest timer if it is due.
    fn run_due_timer(&self, now: Time) -> Result<bool, Exception> {
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

    /// Calls the hook with the timers that are pending, in the order of their ids.
    pub(crate) fn report_stopped_timers(&self, ctx: &Ctx) {
        let Some(hook) = self.hooks.on_timers_stopped.borrow().clone() else {
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
        // Each is moved out first: dropping may reach back into this loop. Ids go on, as in k6.
        let ids = self.timers.borrow().ids;
        drop(self.timers.take());
        self.timers.borrow_mut().ids = ids;
        drop(self.started.take());
        drop(self.tasks.take());
        drop(self.finished.take());
        drop(self.rejected.take());
    }

    pub(crate) fn note_rejection(&self, promise: Value, reason: Value, is_handled: bool) {
        let mut rejected = self.rejected.borrow_mut();
        if is_handled {
            rejected.retain(|(p, _)| !p.strict_equals(&promise));
        } else {
            rejected.push((promise, reason));
        }
    }
}

impl Timers {
    fn insert(&mut self, at: Time, timer: PendingTimer) {
        self.created += 1;
        self.by_id.insert(timer.id, (at, self.created));
        self.due.insert((at, self.created), timer);
    }
}
