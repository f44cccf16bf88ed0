//! What native functions know of the virtual user that calls them, and what all users of
//! one script share. Nothing here knows a module or the script's globals.

mod checks;
mod files;
mod lend;
mod lock;
mod secrets;
mod setup_data;
mod shared;
mod sharing;
mod spacing;
mod tags;
mod watch;
mod worker;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Ctx, Exception, Value};
use loadline_metrics::TagSetId;
use loadline_units::{ScenarioId, VuId};
use loadline_vu::{Cx, Iteration, IterationKind, LifecycleStage};

use crate::log::{Entry, LogLevel};
pub(crate) use checks::CheckCache;
pub(crate) use files::{absolute, read_file};
pub(crate) use lend::{LendCx, with_cx};
pub(crate) use lock::lock;
pub use secrets::Secrets;
pub(crate) use setup_data::{SetupData, setup_text};
pub(crate) use shared::TestShared;
pub use shared::{RunSettings, SUMMARY_TIMEOUT, ScenarioSettings, SummaryFile};
pub use sharing::IsolationReason;
pub(crate) use sharing::Sharing;
pub(crate) use spacing::RequestSpacing;
pub(crate) use tags::VuTags;
pub use watch::{ScriptObserver, Watcher};
pub(crate) use worker::{WorkerNetwork, fill_random};

/// The part of a script's life a user is in. Some functions work only in some phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Init code.
    Init,
    /// `setup`, `teardown` or `handleSummary`.
    LifecycleStage,
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
    pub(crate) environment: RefCell<Option<Value>>,
    pub(crate) tags: RefCell<VuTags>,
    /// What the script adds to samples without making series of it.
    pub(crate) metadata: RefCell<BTreeMap<String, String>>,
    pub(crate) checks: CheckCache,
    /// Set by `test.abort`: the reason.
    pub(crate) aborted: RefCell<Option<String>>,
    /// The request tags that are on, as bits of the HTTP module; set when first needed.
    request_tags: Cell<Option<u16>>,
    /// Whether a shared array is being made by this user.
    pub(crate) making_array: Cell<bool>,
    /// Called around each iteration, by modules that keep state a user.
    hooks: RefCell<Vec<Rc<dyn IterationHook>>>,
}

/// Calls handlers of the script after its iteration was interrupted.
pub(crate) type LastWords = Box<dyn FnOnce(&Ctx) -> Result<(), Exception>>;

/// Something a module does around each iteration (and stage) of a user.
pub(crate) trait IterationHook {
    /// Before it begins.
    fn begin(&self) {}

    /// After it was interrupted, before it ends: the handlers still to call.
    fn last_words(&self) -> Option<LastWords> {
        None
    }

    /// After it ended or was cut: accounts for requests, those under way among them. `base`
    /// are the user's tags.
    fn settle(&self, _base: TagSetId, _cx: &mut Cx<'_>) {}

    /// After it ended or was interrupted: bytes the user sent and received since the last
    /// call.
    fn end(&self) -> (u64, u64) {
        (0, 0)
    }
}

impl Host {
    /// The state of a user whose init code has not run.
    pub(crate) fn new(shared: Arc<TestShared>, vu: VuId) -> Self {
        Self {
            vu,
            phase: Cell::new(Phase::Init),
            iteration: Cell::new(None),
            scenario: Cell::new(None),
            environment: RefCell::default(),
            tags: RefCell::new(VuTags::new(shared.settings())),
            metadata: RefCell::default(),
            checks: CheckCache::default(),
            aborted: RefCell::default(),
            request_tags: Cell::new(None),
            making_array: Cell::new(false),
            hooks: RefCell::default(),
            shared,
        }
    }

    /// The state of the user that calls.
    pub(crate) fn from_ctx(ctx: &Ctx) -> Rc<Self> {
        ctx.host::<Self>()
    }

    pub(crate) fn add_hook(&self, hook: Rc<dyn IterationHook>) {
        self.hooks.borrow_mut().push(hook);
    }

    /// The calling user's hook of type `T`, made with its first use.
    pub(crate) fn hook<T: IterationHook + Default + 'static>(ctx: &Ctx) -> Rc<T> {
        ctx.try_host::<T>().unwrap_or_else(|| {
            let hook = Rc::new(T::default());
            Self::from_ctx(ctx).add_hook(hook.clone());
            ctx.set_host(hook.clone());
            hook
        })
    }

    pub(crate) fn begin_hooks(&self) {
        for hook in self.hooks.borrow().iter() {
            hook.begin();
        }
    }

    /// The handlers still to call after the iteration was interrupted.
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

    pub(crate) fn log(&self, level: LogLevel, message: impl Into<String>) {
        self.shared.log(Entry::new(level, message));
    }

    /// The watcher, if there is one, and the name of the scenario or stage.
    pub(crate) fn watched(&self) -> Option<(Watcher, Rc<str>)> {
        let settings = self.shared.settings();
        let watch = settings.watch.as_ref()?;
        let place = match self.iteration.get()?.work {
            IterationKind::Scenario { scenario, .. } => {
                settings.scenarios[scenario.index()].name.as_str()
            }
            IterationKind::Stage(LifecycleStage::Setup) => "setup",
            IterationKind::Stage(LifecycleStage::Teardown) => "teardown",
            IterationKind::Stage(LifecycleStage::Summarize) => "handleSummary",
            IterationKind::VuTeardown => "userTeardown",
        };
        Some((watch.clone(), place.into()))
    }

    /// Whether a system tag is on.
    pub(crate) fn has_system_tag(&self, name: &str) -> bool {
        self.shared.settings().system_tags.contains(name)
    }

    /// The request tags that are on; `find` computes them the first time.
    pub(crate) fn request_tags(&self, find: impl FnOnce() -> u16) -> u16 {
        if let Some(known) = self.request_tags.get() {
            return known;
        }
        let found = find();
        self.request_tags.set(Some(found));
        found
    }
}

/// A value as text, for messages about it.
pub(crate) fn shown(value: &Value) -> String {
    value.to_text().unwrap_or_else(|e| e.message())
}
