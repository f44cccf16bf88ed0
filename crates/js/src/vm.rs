//! [`Realm`]: a JavaScript runtime; [`Vm`]: one virtual user's side of it.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use loadline_units::{Clock, Time};
use rustc_hash::FxHashMap;

use crate::barrier::Barrier;
use crate::call::{Running, interrupt_handler};
use crate::cell::Cells;
use crate::ctx::Ctx;
use crate::event_loop::{EventLoop, Timer, rejection_tracker};
use crate::ffi;
use crate::inner::{Inner, Owner, opaque};
use crate::json::Kinds;
use crate::modules::{self, Modules, UserModules};
use crate::stack::{Stacks, thread_limit};
use crate::user::{HostState, Membership, User};
use crate::{native, object};

/// How long a script may compute before other users get a turn.
pub const DEFAULT_SLICE: Duration = Duration::from_millis(1);

/// Stack kept free below JavaScript that runs on a thread's own stack.
const THREAD_RESERVE: usize = 256 << 10;

/// What a [`Vm`] is made with.
#[derive(Clone)]
pub struct VmOptions {
    /// The clock and the way to wait on it.
    pub timer: Rc<dyn Timer>,
    /// Where coroutine stacks come from; share one among the users of a worker.
    pub stacks: Stacks,
    /// Longest uninterrupted computation; see [`DEFAULT_SLICE`].
    pub slice: Duration,
    /// Most bytes the runtime may allocate; more is an `InternalError: out of memory`.
    pub memory_limit: Option<usize>,
    /// Seed of `Math.random`; from the wall clock when not given.
    pub random_seed: Option<u64>,
}

impl Default for VmOptions {
    /// A clock that stands still and never wakes anybody: enough to compile and test.
    fn default() -> Self {
        Self {
            timer: Rc::new(Stopped),
            stacks: Stacks::default(),
            slice: DEFAULT_SLICE,
            memory_limit: None,
            random_seed: None,
        }
    }
}

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Time {
        Time::ZERO
    }
}

impl Timer for Stopped {
    fn sleep_until(&self, _: Time) -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(std::future::pending())
    }
}

/// QuickJS could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a JavaScript runtime")]
pub struct VmError;

/// A JavaScript runtime with its global object, for one user or several. Not `Send`: it
/// lives on one worker.
pub struct Realm {
    owner: Rc<Owner>,
    stacks: Stacks,
    slice: Duration,
}

/// One user's side of a [`Realm`].
pub struct Vm {
    // Dropped in this order: the user leaves before its realm goes.
    pub(crate) member: Rc<Membership>,
    pub(crate) owner: Rc<Owner>,
    pub(crate) stacks: Stacks,
}

impl Realm {
    /// A new runtime with the built-in objects of the language.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    pub fn new(options: &VmOptions) -> Result<Self, VmError> {
        // SAFETY: all pointers are checked before use; the callbacks registered here
        // find the Inner through the opaque pointer set before any of them can run.
        let inner = unsafe {
            let rt = ffi::JS_NewRuntime();
            if rt.is_null() {
                return Err(VmError);
            }
            // The limit is set directly: see Call::switch_in and below.
            ffi::JS_SetMaxStackSize(rt, 0);
            if let Some(limit) = options.memory_limit {
                ffi::JS_SetMemoryLimit(rt, limit);
            }
            let (function_class, object_class) = (native::register(rt), object::register(rt));
            let ctx = ffi::JS_NewContext(rt);
            if ctx.is_null() {
                ffi::JS_FreeRuntime(rt);
                return Err(VmError);
            }
            Rc::new(Inner {
                rt,
                ctx,
                function_class,
                object_class,
                modules: Modules::default(),
                barrier: Barrier::default(),
                cells: Cells::default(),
                lazy: RefCell::default(),
                common: HostState::default(),
                json: Kinds::default(),
                interned: RefCell::new(FxHashMap::default()),
                on_rejection: RefCell::default(),
                on_timers_stopped: RefCell::default(),
                torn_down: Cell::default(),
                current: Cell::new(std::ptr::null()),
                users: Cell::default(),
            })
        };
        // SAFETY: the runtime is alive; the opaque pointer stays valid as long as it.
        unsafe {
            let (rt, ctx) = (inner.rt, inner.ctx);
            ffi::JS_SetRuntimeOpaque(rt, opaque(&inner));
            ffi::JS_SetInterruptHandler(rt, interrupt_handler, std::ptr::null_mut());
            ffi::JS_SetHostPromiseRejectionTracker(rt, rejection_tracker, std::ptr::null_mut());
            ffi::JS_SetModuleLoaderFunc(
                rt,
                modules::normalize,
                modules::load,
                std::ptr::null_mut(),
            );
            let mut outside = ffi::HostExecution {
                stack_frame: std::ptr::null_mut(),
                stack_limit: thread_limit(THREAD_RESERVE),
                first_job: std::ptr::null_mut(),
                last_job: std::ptr::null_mut(),
                random_state: ffi::host_next_seed(ctx),
            };
            ffi::host_swap_execution(ctx, &raw mut outside);
        }
        let owner = Owner {
            ctx: Ctx::new(inner),
        };
        Ok(Self {
            owner: Rc::new(owner),
            stacks: options.stacks.clone(),
            slice: options.slice,
        })
    }

    /// A new user of the realm. `timer` is its clock, `seed` the start of its
    /// `Math.random`.
    #[must_use]
    pub fn user(&self, timer: Rc<dyn Timer>, seed: Option<u64>) -> Vm {
        let inner = self.owner.ctx.inner();
        inner.users.set(inner.users.get() + 1);
        // SAFETY: the context is alive.
        let drawn = unsafe { ffi::host_next_seed(inner.ctx) };
        let user = Rc::new(User {
            number: inner.users.get(),
            running: Running::new(timer, self.slice),
            event_loop: EventLoop::default(),
            modules: UserModules::default(),
            host: HostState::default(),
            // The generator stays at zero for ever.
            random_state: Cell::new(seed.unwrap_or(drawn).max(1)),
            panicked: RefCell::default(),
        });
        Vm {
            member: Rc::new(Membership::new(inner, user)),
            owner: Rc::clone(&self.owner),
            stacks: self.stacks.clone(),
        }
    }
}

impl Vm {
    /// A user alone in a realm of its own.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    pub fn new(options: &VmOptions) -> Result<Self, VmError> {
        let realm = Realm::new(options)?;
        let vm = realm.user(Rc::clone(&options.timer), options.random_seed);
        if let Some(seed) = options.random_seed {
            vm.ctx().seed_random(seed);
        }
        vm.inner().make_current(vm.user());
        Ok(vm)
    }

    /// Access to the realm from outside a call, on behalf of this user until another
    /// user's `ctx` is asked for or a call is resumed: to set up globals and host state,
    /// and to read results. Native functions that block fail here.
    #[must_use]
    pub fn ctx(&self) -> &Ctx {
        self.inner().make_current(self.user());
        &self.owner.ctx
    }

    /// Bytes the runtime has allocated, for all its users.
    #[must_use]
    pub fn memory_used(&self) -> usize {
        let mut usage = ffi::JSMemoryUsage::default();
        // SAFETY: the runtime is alive, the result a local of the declared layout.
        unsafe { ffi::JS_ComputeMemoryUsage(self.inner().rt, &raw mut usage) };
        usize::try_from(usage.malloc_size).unwrap_or(0)
    }

    /// Frees garbage cycles now.
    pub fn collect_garbage(&self) {
        // SAFETY: the runtime is alive.
        unsafe { ffi::JS_RunGC(self.inner().rt) };
    }
}
