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

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Waker;

use crate::coroutine::CoroutineState;
use crate::event_loop::{EventLoop, EventLoopHooks};
use crate::frames::Frame;
use crate::quickjs::{CallStatus, Ctx, HostHooks, Runtime};
use modules::Modules;

pub(crate) use callbacks::{interrupt_handler, rejection_tracker};
pub(crate) use modules::UserModules;
pub(crate) use user::Membership;

/// Where a script changed what users share, as an error shows it.
type Place = String;

#[derive(Default)]
pub(crate) struct Barrier {
    shared: Cell<bool>,
    /// How many native functions that prepare shared objects run now.
    lifted: Cell<u32>,
    users: Cell<usize>,
    /// Users with a call in progress.
    in_call: Cell<usize>,
    pub(crate) written: RefCell<Option<Place>>,
    /// The user the realm has belonged to since then.
    pub(crate) owner: Cell<Option<*const User>>,
    waiting: RefCell<Option<Waker>>,
}

/// Host state by type.
pub(crate) type HostState = RefCell<Vec<(TypeId, Rc<dyn Any>)>>;

pub(crate) struct User {
    /// Distinguishes its modules from those of other users of the realm.
    pub(crate) number: u64,
    pub(crate) coroutine: CoroutineState,
    pub(crate) event_loop: EventLoop,
    pub(crate) modules: UserModules,
    pub(crate) host: HostState,
    /// State of `Math.random` while the user does not run.
    pub(crate) random_state: Cell<u64>,
}

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
