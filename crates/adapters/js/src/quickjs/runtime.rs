//! [`Runtime`]: the handles of one QuickJS runtime, what Rust keeps inside it, and how
//! both are taken apart without leaving a dangling pointer.
//!
//! Ownership: every [`Value`] holds an `Rc<Runtime>`, so a value can outlive the users of
//! the runtime but never the runtime itself. What Rust stores *inside* it (closures, host
//! data, host state) may hold values, which would be a cycle; [`Runtime::tear_down`] breaks
//! it when the last user is gone.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use loadline_reactor::WorkerProgress;
use rustc_hash::FxHashMap;

use super::handles::{Cells, Exception, Runtime, Shapes, Value};
use super::{CallStatus, HostHooks, native, object};
use crate::ffi;
use crate::stack::thread_limit;

/// Stack kept free below JavaScript that runs on a thread's own stack.
const THREAD_RESERVE: usize = 256 << 10;

impl Runtime {
    /// Words errors as Node does, not as k6.
    pub(crate) fn word_as_node(&self) {
        self.is_node_worded.set(true);
        // SAFETY: the runtime is alive.
        unsafe { ffi::csrc::host_word_as_node(self.rt) };
    }

    /// A new runtime with the built-in objects of the language; `None` when there is no
    /// memory for it. `memory_limit` is in bytes.
    pub(crate) fn new(memory_limit: Option<usize>, hooks: Box<dyn HostHooks>) -> Option<Rc<Self>> {
        // SAFETY: all pointers are checked before use, and the opaque pointer is set
        // before any callback that looks for the Runtime can run.
        unsafe {
            let rt = ffi::JS_NewRuntime();
            if rt.is_null() {
                return None;
            }
            // The limit is set directly: see `swap_execution` here and in `Call`.
            ffi::JS_SetMaxStackSize(rt, 0);
            if let Some(limit) = memory_limit {
                ffi::JS_SetMemoryLimit(rt, limit);
            }
            let (function_class, object_class) = (native::register(rt), object::register(rt));
            let ctx = ffi::JS_NewContext(rt);
            if ctx.is_null() {
                ffi::JS_FreeRuntime(rt);
                return None;
            }
            let runtime = Rc::new(Self {
                rt,
                ctx,
                function_class,
                object_class,
                cells: Cells::default(),
                lazy: RefCell::default(),
                json: Shapes::default(),
                interned: RefCell::new(FxHashMap::default()),
                hooks,
                is_node_worded: Cell::new(false),
                progress: WorkerProgress::of_thread(),
            });
            ffi::JS_SetRuntimeOpaque(rt, opaque(&runtime));
            let mut outside = ffi::csrc::HostExecution {
                stack_frame: std::ptr::null_mut(),
                stack_limit: thread_limit(THREAD_RESERVE),
                first_job: std::ptr::null_mut(),
                last_job: std::ptr::null_mut(),
                random_state: ffi::csrc::host_next_seed(ctx),
            };
            ffi::csrc::host_swap_execution(ctx, &raw mut outside);
            Some(runtime)
        }
    }

    /// The call native code runs in.
    pub(crate) fn call_status(&self) -> &CallStatus {
        let status = self.hooks.call_status();
        status.expect("a user runs in the realm")
    }

    /// Ends the call of the current user, if there is one, as soon as it can: something
    /// panicked where nothing can be thrown.
    pub(crate) fn end_call(&self, message: String) {
        if let Some(status) = self.hooks.call_status() {
            status.fail(message);
            status.interrupted.set(true);
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
        self.hooks.clear();
        self.json.clear();
        drop(std::mem::take(&mut *self.lazy.borrow_mut()));
        self.cells.clear(self.rt);
        for atom in std::mem::take(&mut *self.interned.borrow_mut()).into_values() {
            // SAFETY: interned atoms are owned by the map and the runtime is alive.
            unsafe { ffi::JS_FreeAtomRT(self.rt, atom) };
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        // SAFETY: this was the last Rc, so no Value, Atom or call refers to the runtime;
        // finalizers reach self through the opaque pointer, which stays valid here.
        unsafe {
            ffi::csrc::host_clear_jobs(self.rt);
            ffi::JS_FreeContext(self.ctx);
            ffi::JS_FreeRuntime(self.rt);
        }
    }
}

/// The opaque pointer given to QuickJS.
fn opaque(runtime: &Rc<Runtime>) -> *mut c_void {
    Rc::as_ptr(runtime).cast_mut().cast()
}
