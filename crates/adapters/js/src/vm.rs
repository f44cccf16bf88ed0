//! [`Realm`]: a JavaScript runtime; [`Vm`]: one virtual user's side of it.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use loadline_units::{Clock, Time};

use crate::coroutine::{CoroutineState, ScriptTimer};
use crate::event_loop::EventLoop;
use crate::ffi;
use crate::modules;
use crate::quickjs::{Ctx, Runtime};
use crate::realm::{
    Membership, Owner, RealmState, User, UserModules, interrupt_handler, realm_of,
    rejection_tracker,
};
use crate::stack::Stacks;

/// How long a script may compute before other users get a turn.
pub const DEFAULT_SLICE: Duration = Duration::from_millis(1);

/// What a [`Vm`] is made with.
#[derive(Clone)]
pub struct VmOptions {
    /// The clock and the way to wait on it.
    pub timer: Rc<dyn ScriptTimer>,
    /// Where coroutine stacks come from; share one among the users of a worker.
    pub stacks: Stacks,
    /// Longest uninterrupted computation; see [`DEFAULT_SLICE`].
    pub slice: Duration,
    /// Most bytes the runtime may allocate; more is an `InternalError: out of memory`.
    pub memory_limit: Option<usize>,
    /// Seed of `Math.random`; from the wall clock when not given.
    pub random_seed: Option<u64>,
    /// Errors are worded as Node's, not as k6's.
    pub node_errors: bool,
}

impl Default for VmOptions {
    /// A clock that stands still and never wakes anything: enough for tests.
    fn default() -> Self {
        Self {
            timer: Rc::new(FrozenTimer),
            stacks: Stacks::default(),
            slice: DEFAULT_SLICE,
            memory_limit: None,
            random_seed: None,
            node_errors: false,
        }
    }
}

struct FrozenTimer;

impl Clock for FrozenTimer {
    fn now(&self) -> Time {
        Time::ZERO
    }
}

impl ScriptTimer for FrozenTimer {
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
    // Fields are dropped in this order: the user leaves before its realm goes.
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
        let state = Box::new(RealmState::default());
        let runtime = Runtime::new(options.memory_limit, state).ok_or(VmError)?;
        if options.node_errors {
            runtime.word_as_node();
        }
        // SAFETY: the runtime is alive and its hooks are those of a realm.
        unsafe {
            let (rt, none) = (runtime.rt, std::ptr::null_mut());
            ffi::JS_SetInterruptHandler(rt, interrupt_handler, none);
            ffi::JS_SetHostPromiseRejectionTracker(rt, rejection_tracker, none);
            ffi::JS_SetModuleLoaderFunc(rt, modules::normalize, modules::load, none);
        }
        let owner = Owner {
            ctx: Ctx::new(runtime),
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
    pub fn user(&self, timer: Rc<dyn ScriptTimer>, seed: Option<u64>) -> Vm {
        let runtime = self.owner.ctx.runtime();
        let realm = realm_of(runtime);
        realm.users.set(realm.users.get() + 1);
        // SAFETY: the context is alive.
        let drawn = unsafe { ffi::csrc::host_next_seed(runtime.ctx) };
        let user = Rc::new(User {
            number: realm.users.get(),
            coroutine: CoroutineState::new(timer, self.slice),
            event_loop: EventLoop::new(Rc::clone(&realm.event_loop_hooks)),
            modules: UserModules::default(),
            host: RefCell::default(),
            // A generator whose state is zero gives nothing but zeros.
            random_state: Cell::new(seed.unwrap_or(drawn).max(1)),
        });
        Vm {
            member: Rc::new(Membership::new(runtime, user)),
            owner: Rc::clone(&self.owner),
            stacks: self.stacks.clone(),
        }
    }
}

impl Vm {
    /// A user in a realm of its own.
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
        vm.member.make_current();
        Ok(vm)
    }

    /// Access to the realm from outside a call, on behalf of this user until another
    /// user's `ctx` is asked for or a call is resumed: to set up globals and host state,
    /// and to read results. Native functions that block fail here.
    #[must_use]
    pub fn ctx(&self) -> &Ctx {
        self.member.make_current();
        &self.owner.ctx
    }

    /// Bytes the runtime has allocated, for all its users.
    #[must_use]
    pub fn memory_used(&self) -> usize {
        let mut usage = ffi::JSMemoryUsage::default();
        // SAFETY: the runtime is alive, the result a local of the declared layout.
        unsafe { ffi::JS_ComputeMemoryUsage(self.runtime().rt, &raw mut usage) };
        usize::try_from(usage.malloc_size).unwrap_or(0)
    }

    /// Frees garbage cycles now.
    pub fn collect_garbage(&self) {
        // SAFETY: the runtime is alive.
        unsafe { ffi::JS_RunGC(self.runtime().rt) };
    }

    /// Where a script first changed what the users of its realm have in common, as
    /// `at function (file:line:column)`; empty when no script was running.
    #[must_use]
    pub fn shared_write(&self) -> Option<String> {
        self.member.realm().barrier.written.borrow().clone()
    }

    /// Whether the realm was made for several users.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.member.realm().barrier.is_shared()
    }

    /// Whether the realm now belongs to another user, so that this one may not run in it
    /// any more.
    #[must_use]
    pub fn must_move(&self) -> bool {
        let barrier = &self.member.realm().barrier;
        barrier.owner.get().is_some() && !barrier.is_owner(Rc::as_ptr(&self.member.user))
    }

    fn runtime(&self) -> &Rc<Runtime> {
        &self.member.runtime
    }
}
