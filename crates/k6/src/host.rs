//! What native functions know of the virtual user that calls them.

mod checks;
mod console;
mod environment;
mod files;
mod tags;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Ctx, Exception, Value, Vm, VmOptions};
use loadline_units::{ScenarioId, VuId};
use loadline_vu::{Iteration, Stage, Work};

use crate::error::LoadError;
use crate::init_clock::InitClock;
use crate::log::{Entry, Level};
use crate::modules;
use crate::shared::TestShared;
use crate::watch::Watcher;
pub(crate) use checks::KnownChecks;
pub(crate) use environment::set as set_environment;
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
    pub(crate) tags: RefCell<VuTags>,
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

/// Something a module does around each iteration (and stage) of a user.
pub(crate) trait IterationHook {
    /// Before it begins.
    fn begin(&self) {}

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

    pub(crate) fn begin_hooks(&self) {
        for hook in self.hooks.borrow().iter() {
            hook.begin();
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

/// A runtime with the globals of k6, its init code not yet run.
pub(crate) struct UserVm {
    pub(crate) vm: Vm,
    pub(crate) host: Rc<Host>,
    pub(crate) clock: Rc<InitClock>,
}

impl UserVm {
    pub(crate) fn new(
        shared: &Arc<TestShared>,
        vu: VuId,
        options: &VmOptions,
    ) -> Result<Self, LoadError> {
        let clock = InitClock::over(options.timer.clone());
        let vm = Vm::new(&VmOptions {
            timer: clock.clone(),
            ..options.clone()
        })?;
        let host = Rc::new(Host {
            shared: shared.clone(),
            vu,
            phase: Cell::new(Phase::Init),
            iteration: Cell::new(None),
            scenario: Cell::new(None),
            tags: RefCell::new(VuTags::new(shared.settings())),
            checks: KnownChecks::default(),
            aborted: RefCell::default(),
            request_tags: Cell::new(None),
            making_array: Cell::new(false),
            hooks: RefCell::default(),
        });
        let ctx = vm.ctx();
        ctx.set_host(host.clone());
        install_globals(ctx, &host).map_err(|e| LoadError::Init(e.message()))?;
        Ok(Self { vm, host, clock })
    }
}

fn install_globals(ctx: &Ctx, host: &Host) -> Result<(), Exception> {
    let global = ctx.global();
    global.set("__VU", host.vu.0)?;
    environment::install(ctx, host)?;
    console::install(ctx)?;
    files::install(ctx)?;
    modules::install_globals(ctx)?;
    ctx.on_timers_stopped(|ctx, timers| {
        let host = Host::of(ctx);
        let timers = if host.is_init() { &[] } else { timers };
        for timer in timers {
            host.log(
                Level::Warning,
                format!("{timer} was stopped because the VU iteration was interrupted"),
            );
        }
    });
    ctx.set_require_policy(|ctx, _| {
        if Host::of(ctx).is_init() {
            return Ok(());
        }
        Err(Exception::error(
            "the \"require\" function is only available in the init stage (i.e. the global scope), see https://grafana.com/docs/k6/latest/using-k6/test-lifecycle for more information",
        ))
    });
    ctx.on_unhandled_rejection(|ctx, reason| {
        let message = format!("Uncaught (in promise) {}", shown(reason));
        Host::of(ctx).log(Level::Error, message);
        Ok(())
    });
    Ok(())
}

/// A value as text, for messages about it.
pub(crate) fn shown(value: &Value) -> String {
    value.to_text().unwrap_or_else(|e| e.message())
}
