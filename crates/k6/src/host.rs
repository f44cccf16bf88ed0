//! What native functions know of the virtual user that calls them.

mod checks;
mod console;
mod environment;
mod files;
mod globals;
mod tags;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Ctx, Exception, Realm, Value, Vm, VmOptions};
use loadline_metrics::TagSetId;
use loadline_units::{ScenarioId, VuId};
use loadline_vu::{Cx, Iteration, Stage, Work};

use crate::error::LoadError;
use crate::init_clock::InitClock;
use crate::log::{Entry, Level};
use crate::shared::TestShared;
use crate::watch::Watcher;
pub(crate) use checks::KnownChecks;
pub(crate) use environment::enter as enter_environment;
pub(crate) use files::{absolute, read_file};
pub(crate) use globals::ITERATION;
pub(crate) use tags::VuTags;

/// The part of a script's life a user is in; many functions work in some only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Init code.
    Init,
    /// `setup`, `teardown` or `handleSummary`.
    Stage,
    /// An iteration.
    Iteration,
}

/// One user's state, reachable from every native function as `ctx.host::<Host>()`.
pub(crate) struct Host {
    pub(crate) shared: Arc<TestShared>,
    pub(crate) vu: VuId,
    pub(crate) phase: Cell<Phase>,
    /// The running iteration; the last one between iterations.
    pub(crate) iteration: Cell<Option<Iteration>>,
    pub(crate) scenario: Cell<Option<ScenarioId>>,
    /// `__ENV`, in a realm of several users, once the script read it.
    environment: RefCell<Option<Value>>,
    pub(crate) tags: RefCell<VuTags>,
    /// What the script adds to samples without making series of it.
    pub(crate) metadata: RefCell<BTreeMap<String, String>>,
    pub(crate) checks: KnownChecks,
    /// Set by `test.abort`: the reason.
    pub(crate) aborted: RefCell<Option<String>>,
    /// Which tags of requests are on, once somebody asked; the bits are the asker's.
    request_tags: Cell<Option<u16>>,
    /// Whether a shared array is being made by this user.
    pub(crate) making_array: Cell<bool>,
    /// Called around each iteration, by modules that keep state a user.
    hooks: RefCell<Vec<Rc<dyn IterationHook>>>,
}

/// Calls handlers of the script's after its iteration was cut.
pub(crate) type LastWords = Box<dyn FnOnce(&Ctx) -> Result<(), Exception>>;

/// Something a module does around each iteration (and stage) of a user.
pub(crate) trait IterationHook {
    /// Before it begins.
    fn begin(&self) {}

    /// After it was cut, before it ends: what a script is still told of it.
    fn last_words(&self) -> Option<LastWords> {
        None
    }

    /// After it ended or was cut: accounts for requests, those under way among them. `base`
    /// are the user's tags.
    fn settle(&self, _base: TagSetId, _cx: &mut Cx<'_>) {}

    /// After it ended or was cut: bytes sent and received by the user since the last time.
    fn end(&self) -> (u64, u64) {
        (0, 0)
    }
}

impl Host {
    /// The state of the user that calls.
    pub(crate) fn of(ctx: &Ctx) -> Rc<Self> {
        ctx.host::<Self>()
    }

    pub(crate) fn add_hook(&self, hook: Rc<dyn IterationHook>) {
        self.hooks.borrow_mut().push(hook);
    }

    /// The calling user's hook of type `T`, made with its first use.
    pub(crate) fn hook<T: IterationHook + Default + 'static>(ctx: &Ctx) -> Rc<T> {
        ctx.try_host::<T>().unwrap_or_else(|| {
            let hook = Rc::new(T::default());
            Self::of(ctx).add_hook(hook.clone());
            ctx.set_host(hook.clone());
            hook
        })
    }

    pub(crate) fn begin_hooks(&self) {
        for hook in self.hooks.borrow().iter() {
            hook.begin();
        }
    }

    /// What the script is still told of an iteration that was cut.
    pub(crate) fn last_words(&self) -> Vec<LastWords> {
        let hooks = self.hooks.borrow();
        hooks.iter().filter_map(|hook| hook.last_words()).collect()
    }

    /// Accounts for the requests of an iteration that is over.
    pub(crate) fn settle_hooks(&self, base: TagSetId, cx: &mut Cx<'_>) {
        for hook in self.hooks.borrow().iter() {
            hook.settle(base, cx);
        }
    }

    /// Bytes sent and received since the last call.
    pub(crate) fn end_hooks(&self) -> (u64, u64) {
        let hooks = self.hooks.borrow();
        hooks
            .iter()
            .map(|hook| hook.end())
            .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    pub(crate) fn is_init(&self) -> bool {
        self.phase.get() == Phase::Init
    }

    /// Fails in init code, for what needs a running user.
    pub(crate) fn require_running(&self, what: &str) -> Result<(), Exception> {
        if self.is_init() {
            return Err(Exception::error(format!(
                "{what} in the init context is not supported"
            )));
        }
        Ok(())
    }

    pub(crate) fn log(&self, level: Level, message: impl Into<String>) {
        self.shared.log(Entry::new(level, message));
    }

    /// Whoever looks on, and the scenario or stage there is to see.
    pub(crate) fn watched(&self) -> Option<(Watcher, Rc<str>)> {
        let settings = self.shared.settings();
        let watch = settings.watch.as_ref()?;
        let place = match self.iteration.get()?.work {
            Work::Scenario { scenario, .. } => settings.scenarios[scenario.index()].name.as_str(),
            Work::Stage(Stage::Setup) => "setup",
            Work::Stage(Stage::Teardown) => "teardown",
            Work::Stage(Stage::Summarize) => "handleSummary",
            Work::Farewell => "userTeardown",
        };
        Some((watch.clone(), place.into()))
    }

    /// Whether a system tag is on.
    pub(crate) fn has_system_tag(&self, name: &str) -> bool {
        self.shared.settings().system_tags.contains(name)
    }

    /// Which tags of requests are on, worked out by `find` the first time.
    pub(crate) fn request_tags(&self, find: impl FnOnce() -> u16) -> u16 {
        if let Some(known) = self.request_tags.get() {
            return known;
        }
        let found = find();
        self.request_tags.set(Some(found));
        found
    }
}

/// A user of a script, its init code not yet run.
pub(crate) struct UserVm {
    pub(crate) vm: Vm,
    pub(crate) host: Rc<Host>,
    pub(crate) clock: Rc<InitClock>,
}

impl UserVm {
    /// A user with a runtime of its own.
    pub(crate) fn alone(
        shared: &Arc<TestShared>,
        vu: VuId,
        options: &VmOptions,
    ) -> Result<Self, LoadError> {
        let realm = Realm::new(options)?;
        let user = Self::enter(&realm, shared, vu, options);
        let ctx = user.vm.ctx();
        globals::of_one(ctx, &user.host).map_err(|e| LoadError::Init(e.message()))?;
        Ok(user)
    }

    /// A user of a realm made by [`new_realm`].
    pub(crate) fn enter(
        realm: &Realm,
        shared: &Arc<TestShared>,
        vu: VuId,
        options: &VmOptions,
    ) -> Self {
        let clock = InitClock::over(options.timer.clone());
        let vm = realm.user(clock.clone(), None);
        let host = Rc::new(Host {
            shared: shared.clone(),
            vu,
            phase: Cell::new(Phase::Init),
            iteration: Cell::new(None),
            scenario: Cell::new(None),
            environment: RefCell::default(),
            tags: RefCell::new(VuTags::new(shared.settings())),
            metadata: RefCell::default(),
            checks: KnownChecks::default(),
            aborted: RefCell::default(),
            request_tags: Cell::new(None),
            making_array: Cell::new(false),
            hooks: RefCell::default(),
        });
        vm.ctx().set_host(host.clone());
        Self { vm, host, clock }
    }
}

/// A runtime with the globals and modules of k6 that several users will have in common.
pub(crate) fn new_realm(shared: &Arc<TestShared>, options: &VmOptions) -> Result<Realm, LoadError> {
    let realm = Realm::new(options)?;
    let maker = UserVm::enter(&realm, shared, VuId::LIFECYCLE, options);
    let ctx = maker.vm.ctx();
    globals::of_many(ctx)
        .and_then(|()| ctx.make_builtins(&shared.program))
        .map_err(|e| LoadError::Init(e.message()))?;
    ctx.share();
    drop(maker);
    Ok(realm)
}

/// A value as text, for messages about it.
pub(crate) fn shown(value: &Value) -> String {
    value.to_text().unwrap_or_else(|e| e.message())
}
