//! The runtime behind a [`Vm`](crate::Vm): its QuickJS handles, what Rust keeps inside
//! it, and how both are taken apart without leaving a dangling pointer.
//!
//! Ownership: every [`Value`] holds an `Rc<Inner>`, so a value can outlive the `Vm` but
//! never its runtime. What Rust stores *inside* the runtime (closures, host data, host
//! state) may hold values, which would be a cycle; [`Inner::tear_down`] breaks it when
//! the `Vm` and its calls are gone.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::Vm;
use crate::barrier::Barrier;
use crate::cell::Cells;
use crate::ctx::Ctx;
use crate::event_loop::TimersStopped;
use crate::exception::Exception;
use crate::ffi;
use crate::json::Kinds;
use crate::modules::Modules;
use crate::object::LazyProperty;
use crate::user::{HostState, User};
use crate::value::Value;

/// Called for a promise that was rejected and, once the microtasks had run, still had
/// no handler.
pub(crate) type RejectionHook = Rc<dyn Fn(&Ctx, &Value) -> Result<(), Exception>>;

pub(crate) struct Inner {
    pub(crate) rt: *mut ffi::JSRuntime,
    pub(crate) ctx: *mut ffi::JSContext,
    /// Class of native functions and class of objects with host data.
    pub(crate) function_class: ffi::JSClassID,
    pub(crate) object_class: ffi::JSClassID,
    pub(crate) modules: Modules,
    pub(crate) barrier: Barrier,
    pub(crate) cells: Cells,
    pub(crate) lazy: RefCell<Vec<LazyProperty>>,
    /// Host state that all users have in common.
    pub(crate) common: HostState,
    /// What `JSON.parse` remembers.
    pub(crate) json: Kinds,
    pub(crate) interned: RefCell<FxHashMap<(usize, usize), ffi::JSAtom>>,
    pub(crate) on_rejection: RefCell<Option<RejectionHook>>,
    pub(crate) on_timers_stopped: RefCell<Option<TimersStopped>>,
    pub(crate) torn_down: Cell<bool>,
    /// Whom native code runs for. Its membership outlives its being current.
    pub(crate) current: Cell<*const User>,
    /// Users there have been.
    pub(crate) users: Cell<u64>,
}

impl Inner {
    /// The user native code runs for.
    pub(crate) fn user(&self) -> &User {
        // SAFETY: a user that goes takes itself out (`forget_current`), and no user goes
        // while native code runs for it: its call holds it.
        unsafe { self.current.get().as_ref() }.expect("a user runs in the realm")
    }

    /// Ends the call of the current user, if there is one, as soon as it can: something
    /// panicked where nothing can be thrown.
    pub(crate) fn end_call(&self, message: String) {
        // SAFETY: as in `user`.
        if let Some(user) = unsafe { self.current.get().as_ref() } {
            user.panicked.borrow_mut().get_or_insert(message);
            user.running.interrupt();
        }
    }

    /// Lets native code run for `user` from now on.
    pub(crate) fn make_current(&self, user: &Rc<User>) {
        self.current.set(Rc::as_ptr(user));
    }

    pub(crate) fn forget_current(&self, user: &Rc<User>) {
        if self.current.get() == Rc::as_ptr(user) {
            self.current.set(std::ptr::null());
        }
    }

    /// Takes the exception QuickJS has pending.
    pub(crate) fn take_exception(self: &Rc<Self>) -> Exception {
        // SAFETY: the context lives as long as self; JS_GetException hands over a value.
        let raw = unsafe { ffi::JS_GetException(self.ctx) };
        Exception::thrown(Value::adopt(self, raw))
    }

    /// Wraps what a QuickJS function returned, turning its exception mark into `Err`.
    pub(crate) fn check(self: &Rc<Self>, raw: ffi::JSValue) -> Result<Value, Exception> {
        if raw.is_exception() {
            Err(self.take_exception())
        } else {
            Ok(Value::adopt(self, raw))
        }
    }

    /// As [`check`](Self::check) for functions that return a negative number on exception.
    pub(crate) fn check_int(self: &Rc<Self>, result: i32) -> Result<i32, Exception> {
        if result < 0 {
            Err(self.take_exception())
        } else {
            Ok(result)
        }
    }

    /// Drops everything Rust keeps inside the runtime. Afterwards only values held
    /// outside keep it alive; they stay usable, native functions throw.
    pub(crate) fn tear_down(&self) {
        self.torn_down.set(true);
        drop(self.common.take());
        drop(self.on_rejection.borrow_mut().take());
        drop(self.on_timers_stopped.borrow_mut().take());
        self.modules.clear();
        self.json.clear();
        drop(std::mem::take(&mut *self.lazy.borrow_mut()));
        self.cells.clear(self.rt);
        for atom in std::mem::take(&mut *self.interned.borrow_mut()).into_values() {
            // SAFETY: interned atoms are owned by the map and the runtime is alive.
            unsafe { ffi::JS_FreeAtomRT(self.rt, atom) };
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: this was the last Rc, so no Value, Atom or call refers to the runtime;
        // finalizers reach self through the opaque pointer, which stays valid here.
        unsafe {
            ffi::host_clear_jobs(self.rt);
            ffi::JS_FreeContext(self.ctx);
            ffi::JS_FreeRuntime(self.rt);
        }
    }
}

/// The owner of a runtime: shared by the users of a realm and their unfinished calls, it
/// takes the runtime apart when the last of them is gone.
pub(crate) struct Owner {
    pub(crate) ctx: Ctx,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.ctx.inner().tear_down();
    }
}

impl Vm {
    pub(crate) fn inner(&self) -> &Rc<Inner> {
        &self.member.inner
    }

    pub(crate) fn user(&self) -> &Rc<User> {
        &self.member.user
    }
}

/// The runtime a callback from QuickJS belongs to.
///
/// # Safety
///
/// `rt` must be a live runtime made by [`Vm::new`].
pub(crate) unsafe fn inner_of<'a>(rt: *mut ffi::JSRuntime) -> &'a Inner {
    // SAFETY: Vm::new stores the address of the Inner, which is alive until its
    // own drop has freed the runtime.
    unsafe { &*ffi::JS_GetRuntimeOpaque(rt).cast::<Inner>().cast_const() }
}

/// Runs `f` with the [`Ctx`] a callback from QuickJS belongs to.
///
/// # Safety
///
/// `ctx` must belong to a runtime made by [`Vm::new`] whose `Rc<Inner>` is alive.
pub(crate) unsafe fn with_ctx<R>(ctx: *mut ffi::JSContext, f: impl FnOnce(&Ctx) -> R) -> R {
    // SAFETY: as above; the pointer came from Rc::as_ptr and ManuallyDrop gives the
    // count back unchanged.
    let borrowed = unsafe {
        let rt = ffi::JS_GetRuntime(ctx);
        let inner = ffi::JS_GetRuntimeOpaque(rt).cast::<Inner>().cast_const();
        std::mem::ManuallyDrop::new(Ctx::new(Rc::from_raw(inner)))
    };
    f(&borrowed)
}

/// The opaque pointer given to QuickJS.
pub(crate) fn opaque(inner: &Rc<Inner>) -> *mut c_void {
    Rc::as_ptr(inner).cast_mut().cast()
}
