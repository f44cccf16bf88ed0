//! The state of a [`Realm`](crate::Realm): the users in it, what they have in common, and
//! what native functions can do for the current user.
//!
//! The runtime holds a [`RealmState`] as its [`HostHooks`]; [`realm_of`] and [`user_of`]
//! find it again. Everything here is reached through `Ctx`.
//!
//! Elsewhere: linking modules (`modules`), making realms and users (`vm`), resuming
//! calls (`call`).

mod barrier;
mod callbacks;
mod context;
mod modules;
mod user;

use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;

use crate::event_loop::EventLoopHooks;
use crate::frames::Frame;
use crate::quickjs::{CallStatus, Ctx, HostHooks, Runtime};
use barrier::Barrier;
use modules::Modules;
use user::HostState;

pub(crate) use callbacks::{interrupt_handler, rejection_tracker};
pub(crate) use modules::UserModules;
pub(crate) use user::{Membership, User};

/// What the users of a realm share.
#[derive(Default)]
pub(crate) struct RealmState {
    pub(crate) modules: Modules,
    pub(crate) barrier: Barrier,
    /// Host state that all users share.
    common: HostState,
    pub(crate) event_loop_hooks: Rc<EventLoopHooks>,
    /// The user native code runs for; null when there is none. A user stays a member of
    /// the realm while others are current.
    current: Cell<*const User>,
    /// How many users the realm has had so far.
    pub(crate) users: Cell<u64>,
}

impl RealmState {
    fn current(&self) -> Option<&User> {
        // SAFETY: a user that goes takes itself out (`forget_current`), and no user goes
        // while native code runs for it: its call holds it.
        unsafe { self.current.get().as_ref() }
    }

    /// Lets native code run for `user` from now on.
    pub(crate) fn make_current(&self, user: &Rc<User>) {
        self.current.set(Rc::as_ptr(user));
    }

    fn forget_current(&self, user: &Rc<User>) {
        if self.current.get() == Rc::as_ptr(user) {
            self.current.set(std::ptr::null());
        }
    }
}

impl HostHooks for RealmState {
    fn call_status(&self) -> Option<&CallStatus> {
        Some(&self.current()?.coroutine.status)
    }

    fn map_frames(&self, frames: &mut [Frame]) {
        self.modules.map_frames(frames);
    }

    fn unbundle_frames(&self, frames: &mut [Frame]) {
        self.modules.unbundle_frames(frames);
    }

    fn clear(&self) {
        drop(self.common.take());
        self.event_loop_hooks.clear();
        self.modules.clear();
    }
}

/// The realm whose runtime this is.
///
/// # Panics
///
/// In a runtime made for something else, where no code of a realm runs.
pub(crate) fn realm_of(runtime: &Runtime) -> &RealmState {
    let hooks: &dyn Any = &*runtime.hooks;
    hooks.downcast_ref().expect("the runtime of a realm")
}

/// The user native code runs for.
pub(crate) fn user_of(ctx: &Ctx) -> &User {
    let user = realm_of(ctx.runtime()).current();
    user.expect("a user runs in the realm")
}

/// Takes the runtime apart when the last user of the realm, and the last unfinished call,
/// is gone.
pub(crate) struct Owner {
    pub(crate) ctx: Ctx,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.ctx.runtime().tear_down();
    }
}
