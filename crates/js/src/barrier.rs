//! Guards what the users of a realm have in common: built-in objects, the global object,
//! the objects of built-in modules.
//!
//! Once [`Ctx::share`] has marked them, QuickJS asks here before it changes one. A user
//! alone in its realm may. Of several, the first that wants to waits until no other is
//! in a call; from then on the realm is its own, and the others have to move to realms
//! of their own before they run again ([`Vm::must_move`]). So no user ever sees what
//! another changed.

use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use crate::Vm;
use crate::ctx::Ctx;
use crate::exception::{Exception, Interrupted};
use crate::ffi;
use crate::inner::with_ctx;
use crate::native::guard_to;
use crate::user::User;

/// Where a script changed what users have in common, as its error would show it.
type Place = String;

#[derive(Default)]
pub(crate) struct Barrier {
    shared: Cell<bool>,
    /// Natives that prepare shared objects are at work.
    lifted: Cell<u32>,
    users: Cell<usize>,
    /// Users with a call in progress.
    in_call: Cell<usize>,
    written: RefCell<Option<Place>>,
    /// The user whose realm it is since then.
    owner: Cell<Option<*const User>>,
    waiting: RefCell<Option<Waker>>,
}

impl Barrier {
    pub(crate) fn enter(&self) {
        self.users.set(self.users.get() + 1);
    }

    pub(crate) fn leave(&self) {
        self.users.set(self.users.get() - 1);
    }

    pub(crate) const fn is_shared(&self) -> bool {
        self.shared.get()
    }

    pub(crate) fn begin_call(&self) {
        self.in_call.set(self.in_call.get() + 1);
    }

    pub(crate) fn end_call(&self) {
        self.in_call.set(self.in_call.get() - 1);
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    fn is_owner(&self, user: *const User) -> bool {
        self.owner.get() == Some(user)
    }

    /// Lets the current user change what is shared, or not.
    fn write(&self, ctx: &Ctx) -> Result<(), Exception> {
        if self.lifted.get() > 0 {
            return Ok(());
        }
        let user: *const User = ctx.inner().user();
        if self.is_owner(user) {
            return Ok(());
        }
        if self.written.borrow().is_none() {
            let frames = ctx.call_stack();
            let place = frames.iter().find(|frame| !frame.file.is_empty());
            let place = place.map_or_else(String::new, ToString::to_string);
            self.written.replace(Some(place));
        }
        if self.users.get() == 1 {
            self.owner.set(Some(user));
            return Ok(());
        }
        if self.owner.get().is_some() || !ctx.inner().user().running.may_wait() {
            // Two at once, init code, or where nobody can be suspended: this one has to
            // begin again in a realm of its own.
            return Err(Interrupted.into());
        }
        self.owner.set(Some(user));
        let alone = ctx.block_on(poll_fn(|cx| {
            if self.in_call.get() <= 1 {
                return Poll::Ready(());
            }
            self.waiting.replace(Some(cx.waker().clone()));
            Poll::Pending
        }));
        if alone.is_err() {
            self.owner.set(None);
        }
        Ok(alone?)
    }
}

impl Ctx {
    /// Marks every object of the realm as common to its users, now that it is complete.
    pub fn share(&self) {
        let inner = self.inner();
        inner.barrier.shared.set(true);
        // SAFETY: the context is alive.
        unsafe { ffi::host_share_all(inner.ctx) };
    }

    /// Runs `f`, which may change what users have in common.
    pub fn unguarded<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Restore<'a>(&'a Barrier);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.lifted.set(self.0.lifted.get() - 1);
            }
        }
        let barrier = &self.inner().barrier;
        barrier.lifted.set(barrier.lifted.get() + 1);
        let _restore = Restore(barrier);
        f()
    }
}

impl Vm {
    /// Where a script first changed what the users of its realm have in common, as
    /// `at function (file:line:column)`; empty when no script was running.
    #[must_use]
    pub fn shared_write(&self) -> Option<String> {
        self.inner().barrier.written.borrow().clone()
    }

    /// Whether the realm was made for several users.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.inner().barrier.is_shared()
    }

    /// Whether the realm has become another user's, so that this one may not run in it
    /// any more.
    #[must_use]
    pub fn must_move(&self) -> bool {
        let barrier = &self.inner().barrier;
        barrier.owner.get().is_some() && !barrier.is_owner(Rc::as_ptr(self.user()))
    }
}

/// Asks for QuickJS; called from host.c.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime of ours.
#[unsafe(no_mangle)]
unsafe extern "C" fn host_shared_write(ctx: *mut ffi::JSContext) -> c_int {
    // SAFETY: by contract.
    unsafe {
        with_ctx(ctx, |ctx| {
            let inner = ctx.inner();
            guard_to(inner, -1, || inner.barrier.write(ctx).map(|()| 0))
        })
    }
}
