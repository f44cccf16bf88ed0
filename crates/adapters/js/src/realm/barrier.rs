//! Guards what the users of a realm have in common: built-in objects, the global object,
//! the objects of built-in modules.
//!
//! [`Ctx::share`] marks these objects. Before QuickJS changes a marked object, it asks
//! here. The only user of a realm may change them. With several users, the first one that
//! wants to change something waits until no other user is in a call. Then the realm
//! belongs to it alone, and the others have to move to realms of their own before they
//! run again ([`Vm::must_move`](crate::Vm::must_move)). So no user ever sees a change made
//! by another.

use std::ffi::c_int;
use std::future::poll_fn;
use std::task::Poll;

use super::{Barrier, User, realm_of, user_of};
use crate::ffi;
use crate::quickjs::{Ctx, Exception, Interrupted, guard_to, with_ctx};

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

    pub(crate) fn is_owner(&self, user: *const User) -> bool {
        self.owner.get() == Some(user)
    }

    /// Decides whether the current user may change a shared object.
    fn write(&self, ctx: &Ctx) -> Result<(), Exception> {
        if self.lifted.get() > 0 {
            return Ok(());
        }
        let current = user_of(ctx);
        let user: *const User = current;
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
        if self.owner.get().is_some() || !current.coroutine.may_wait() {
            // Another user owns the realm, or this one cannot wait: it runs init code or
            // must not be suspended. It has to begin again in a realm of its own.
            return Err(Interrupted.into());
        }
        self.owner.set(Some(user));
        let alone = current.coroutine.block_on(poll_fn(|cx| {
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
    /// Marks every object there is as common to the users of the realm.
    pub fn share(&self) {
        let runtime = self.runtime();
        realm_of(runtime).barrier.shared.set(true);
        // SAFETY: the context is alive.
        unsafe { ffi::csrc::host_share_all(runtime.ctx) };
    }

    /// Runs `f`, which may change what users share.
    pub fn unguarded<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Restore<'a>(&'a Barrier);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.lifted.set(self.0.lifted.get() - 1);
            }
        }
        let barrier = &realm_of(self.runtime()).barrier;
        barrier.lifted.set(barrier.lifted.get() + 1);
        let _restore = Restore(barrier);
        f()
    }
}

/// Asks the barrier for QuickJS; called from host.c.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime of ours.
#[unsafe(no_mangle)]
unsafe extern "C" fn host_shared_write(ctx: *mut ffi::JSContext) -> c_int {
    // SAFETY: by contract.
    unsafe {
        with_ctx(ctx, |ctx| {
            let runtime = ctx.runtime();
            guard_to(runtime, -1, || {
                realm_of(runtime).barrier.write(ctx).map(|()| 0)
            })
        })
    }
}
