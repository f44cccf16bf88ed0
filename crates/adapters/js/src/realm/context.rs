//! What native functions do for the current user: wait, run work in the background, set
//! timers, use what the engine lent, keep host state.

use std::any::Any;
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use loadline_units::Time;

use super::{realm_of, user, user_of};
use crate::event_loop::StoppedTimer;
use crate::lend::LentType;
use crate::quickjs::{Ctx, Exception, Interrupted, IntoJs, PromiseState, Value};

/// Waiting.
impl Ctx {
    /// Waits for `future` while other users run. Outside a call of [`Vm::start`](crate::Vm::start)
    /// it can only succeed at once.
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
        user_of(self).coroutine.block_on(future)
    }

    /// Lets other users have their turn if this one has computed for a time slice. Native
    /// functions that compute for long call it between two pieces of their work.
    ///
    /// # Errors
    ///
    /// When the user is interrupted; pass it on.
    pub fn give_way(&self) -> Result<(), Interrupted> {
        if user_of(self).coroutine.check_slice() {
            return Err(Interrupted);
        }
        Ok(())
    }

    /// Whether the user is being stopped.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        user_of(self).coroutine.is_interrupted()
    }

    /// Runs `f` with what the engine lent for this resume; `None` when it lent
    /// nothing of this kind.
    ///
    /// # Panics
    ///
    /// When called from within `f`, which would borrow it twice.
    pub fn lent<L: LentType, R>(
        &self,
        f: impl for<'a, 'b> FnOnce(&'a mut L::Of<'b>) -> R,
    ) -> Option<R> {
        user_of(self).coroutine.loans.with::<L, R>(f)
    }
}

/// Background work and timers.
impl Ctx {
    /// The time on the run's clock.
    #[must_use]
    pub fn now(&self) -> Time {
        user_of(self).coroutine.timer.now()
    }

    /// Runs `future` in the background; the call stays pending until it has finished
    /// and `then` has run on the event loop. What `then` throws fails the call.
    pub fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
        then: impl FnOnce(&Self, T) -> Result<(), Exception> + 'static,
    ) {
        user_of(self).event_loop.spawn(future, then);
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

    /// Runs the event loop until `promise` is settled, or nothing is left that could settle
    /// it. Everything else that is pending runs meanwhile.
    ///
    /// # Errors
    /// What a callback threw that no caller waits for, or an interruption.
    pub fn settle(&self, promise: &Value) -> Result<(), Exception> {
        let is_settled = || !matches!(promise.promise_state(), Some(PromiseState::Pending));
        let user = user_of(self);
        user.event_loop.run_until(self, &user.coroutine, is_settled)
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
        let every = repeat.then(|| delay.max(Duration::from_millis(1)));
        let at = self.now() + delay;
        user_of(self)
            .event_loop
            .set_timer(callback, args, at, every)
    }

    /// Removes a timer; unknown ids are ignored.
    pub fn clear_timer(&self, id: u64) {
        user_of(self).event_loop.clear_timer(id);
    }

    /// Sets what is called with the timers a call leaves pending because it failed or
    /// was interrupted.
    pub fn on_timers_stopped(&self, hook: impl Fn(&Self, &[StoppedTimer]) + 'static) {
        let hooks = &realm_of(self.runtime()).event_loop_hooks;
        *hooks.on_timers_stopped.borrow_mut() = Some(Rc::new(hook));
    }

    /// Sets what is called with the reason of a promise that was rejected and, once the
    /// microtasks had run, still had no handler. An error it returns fails the call.
    /// By default such promises are ignored.
    pub fn on_unhandled_rejection(
        &self,
        hook: impl Fn(&Self, &Value) -> Result<(), Exception> + 'static,
    ) {
        let hooks = &realm_of(self.runtime()).event_loop_hooks;
        *hooks.on_rejection.borrow_mut() = Some(Rc::new(hook));
    }
}

/// Host state.
impl Ctx {
    /// Installs host state of the user that native functions find with
    /// [`host`](Self::host). One per type; a second replaces the first.
    pub fn set_host<T: Any>(&self, state: Rc<T>) {
        user::install(&user_of(self).host, state);
    }

    /// Installs host state that all users of the realm have in common, found with
    /// [`common`](Self::common). One per type; a second replaces the first.
    pub fn set_common<T: Any>(&self, state: Rc<T>) {
        user::install(&realm_of(self.runtime()).common, state);
    }

    /// The common host state of type `T`, if it was installed.
    #[must_use]
    pub fn common<T: Any>(&self) -> Option<Rc<T>> {
        user::find(&realm_of(self.runtime()).common)
    }

    /// The host state of type `T`.
    ///
    /// # Panics
    ///
    /// When none was installed.
    #[must_use]
    pub fn host<T: Any>(&self) -> Rc<T> {
        self.try_host().unwrap_or_else(|| {
            panic!(
                "no host state of type {} is installed",
                std::any::type_name::<T>()
            )
        })
    }

    /// The host state of type `T`, if it was installed.
    #[must_use]
    pub fn try_host<T: Any>(&self) -> Option<Rc<T>> {
        user::find(&user_of(self).host)
    }
}
