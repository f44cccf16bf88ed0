//! A virtual user that runs the functions of a script, iteration after iteration.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use loadline_js::{Atom, Call, ErrorKind, Interrupted, JsError, PromiseState, Value};
use loadline_metrics::{TagSetId, builtin};
use loadline_reactor::Timer;
use loadline_units::{ScenarioId, Time};
use loadline_vu::{
    Cx, Fault, InterruptReason, Iteration, IterationKind, IterationResult, IterationStatus,
    VirtualUser,
};

use super::realms::WorkerRealms;
use super::vm::UserVm;
use crate::error::{LoadError, aborted, aborted_at, trace};
use crate::globals::{ITERATION, REJECTED, enter_environment};
use crate::host::{Host, IsolationReason, LendCx, Phase};
use crate::log::{Entry, LogLevel};
use loadline_k6_options::K6Version;

/// Tags of what a user does before its first iteration and after its last.
const SET_UP: &str = "::userSetup";
const TEAR_DOWN: &str = "::userTeardown";

/// One user of a script.
///
/// Fields are dropped in this order: the call before the values, the values before the
/// runtime that holds them.
pub(crate) struct ScriptUser {
    running: Running,
    /// What `setup()` returned, parsed at the first iteration and kept from then on.
    setup_data: Option<Value>,
    /// What the user's own set-up returned, once it has run.
    own_data: Option<Value>,
    exports: Value,
    names: Names,
    timer: Option<Timer>,
    host: Rc<Host>,
    user: UserVm,
    worker: Rc<WorkerRealms>,
    /// Whether globals are plain variables, as a realm of several users has none.
    has_variables: bool,
}

/// Names looked up in each iteration.
struct Names {
    iteration: Atom,
    /// The function of the scenario the user is in.
    exec: Option<Atom>,
}

enum Running {
    Nothing,
    Call {
        call: Call,
        started: Time,
        of: Of,
    },
    /// The iteration is over, the least time between two is not.
    Pause {
        until: Time,
    },
}

/// What a call is for.
#[derive(Clone, Copy)]
enum Of {
    Iteration,
    /// The user's set-up, before this iteration.
    SetUp(Iteration),
    TearDown,
}

impl ScriptUser {
    pub(crate) fn new(user: UserVm, exports: Value, worker: Rc<WorkerRealms>) -> Self {
        Self {
            running: Running::Nothing,
            setup_data: None,
            own_data: None,
            exports,
            names: Names {
                iteration: user.vm.ctx().atom(ITERATION),
                exec: None,
            },
            timer: None,
            host: user.host.clone(),
            has_variables: !user.vm.is_shared(),
            user,
            worker,
        }
    }

    /// Starts again in a realm of its own, after another user has changed the shared one.
    fn move_out(&mut self) -> Result<(), LoadError> {
        let shared = self.host.shared.clone();
        let moved = self.worker.user_alone(&shared, self.host.vu)?;
        let worker = self.worker.clone();
        *self = Self::new(moved.0, moved.1, worker);
        Ok(())
    }

    /// Ends sharing when a script changed what users share.
    fn watch_sharing(&self) {
        if let Some(place) = self.user.vm.shared_write() {
            self.host.shared.sharing.end(IsolationReason::Run { place });
        }
    }

    /// Makes the user one of `scenario`'s.
    fn enter(&mut self, scenario: ScenarioId) -> Result<(), loadline_js::Exception> {
        if self.host.scenario.replace(Some(scenario)) == Some(scenario) {
            return Ok(());
        }
        let shared = self.host.shared.clone();
        let settings = shared.settings();
        let of_scenario = &settings.scenarios[scenario.index()];
        self.host.tags.borrow_mut().enter(settings, of_scenario);
        self.names.exec = Some(self.user.vm.ctx().atom(&of_scenario.exec));
        enter_environment(
            self.user.vm.ctx(),
            &self.host,
            &of_scenario.env,
            self.has_variables,
        )
    }

    /// Begins an iteration, or what has to come before it.
    fn start(&mut self, iteration: &Iteration) -> Result<(Call, Of), String> {
        let IterationKind::Scenario { scenario, .. } = iteration.work else {
            return Err("a user of scenarios runs no stage".to_owned());
        };
        if self.user.vm.must_move() {
            self.watch_sharing();
            self.move_out().map_err(|e| e.to_string())?;
        }
        self.enter(scenario).map_err(|e| e.message())?;
        let ctx = self.user.vm.ctx();
        if self.has_variables {
            ctx.global()
                .set(&self.names.iteration, iteration.of_user)
                .map_err(|e| e.message())?;
        }
        self.host.phase.set(Phase::Iteration);
        self.host.iteration.set(Some(*iteration));
        let shared = self.host.shared.clone();
        if let (Some(name), None) = (&shared.settings().users.set_up, &self.own_data) {
            let name = self.user.vm.ctx().atom(name);
            self.host.tags.borrow_mut().set_group(SET_UP.to_owned());
            return Ok((self.call(&name, false)?, Of::SetUp(*iteration)));
        }
        Ok((self.call_exec()?, Of::Iteration))
    }

    /// Calls the function of the scenario.
    fn call_exec(&mut self) -> Result<Call, String> {
        match self.names.exec.clone() {
            Some(name) => self.call(&name, true),
            None => Err("a user runs in a scenario".to_owned()),
        }
    }

    /// Calls an exported function with what `setup()` returned, and what the user's set-up
    /// did, if it wants that.
    fn call(&mut self, name: &Atom, with_own: bool) -> Result<Call, String> {
        let ctx = self.user.vm.ctx();
        let data = match &self.setup_data {
            Some(data) => data.clone(),
            None => {
                let data = match self.host.shared.setup_data.json() {
                    Some(json) => ctx.parse_json(&*json).map_err(|e| e.message())?,
                    None => ctx.undefined(),
                };
                self.setup_data.insert(data).clone()
            }
        };
        let own = self.own_data.clone().filter(|_| with_own);
        let function = self.exports.get(name).map_err(|e| e.message())?;
        self.host.begin_hooks();
        let arguments = std::iter::once(data).chain(own).collect();
        let call = self.user.vm.start_function(&function, arguments);
        call.map_err(|error| format!("cannot make a stack: {error}"))
    }

    /// Begins what the user does before it goes; `None` when there is nothing.
    fn start_vu_teardown(&mut self, iteration: &Iteration) -> Result<Option<Call>, String> {
        let shared = self.host.shared.clone();
        let users = &shared.settings().users;
        let Some(name) = &users.tear_down else {
            return Ok(None);
        };
        // A user that was not set up has nothing to tear down.
        if self.user.vm.must_move() || (users.set_up.is_some() && self.own_data.is_none()) {
            return Ok(None);
        }
        self.host.iteration.set(Some(*iteration));
        self.host.phase.set(Phase::Iteration);
        self.host.tags.borrow_mut().set_group(TEAR_DOWN.to_owned());
        let name = self.user.vm.ctx().atom(name);
        self.call(&name, true).map(Some)
    }

    fn go_on(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        match &mut self.running {
            Running::Nothing => IterationStatus::Pending,
            Running::Pause { until } => {
                let until = *until;
                self.pause(until, cx)
            }
            Running::Call { call, started, of } => {
                let (started, of) = (*started, *of);
                match call.resume::<LendCx>(&mut Context::from_waker(cx.waker), cx) {
                    Poll::Pending => IterationStatus::Pending,
                    Poll::Ready(result) => {
                        self.running = Running::Nothing;
                        match (of, result) {
                            (Of::SetUp(iteration), Ok(value)) => self.set_up(&iteration, value, cx),
                            (Of::TearDown, result) => self.torn_down(result.err(), cx),
                            (_, result) => self.ended(result.err(), started, cx),
                        }
                    }
                }
            }
        }
    }

    /// Starts the iteration after the user's set-up has run.
    fn set_up(&mut self, iteration: &Iteration, value: Value, cx: &mut Cx<'_>) -> IterationStatus {
        self.record_traffic(cx);
        if self.host.aborted.borrow().is_some() {
            return self.ended(None, iteration.started, cx);
        }
        let value = match value.promise_state() {
            Some(PromiseState::Fulfilled(inner)) => inner,
            _ => value,
        };
        self.own_data = Some(value);
        let started = cx.now();
        match self.call_exec() {
            Ok(call) => {
                let of = Of::Iteration;
                self.running = Running::Call { call, started, of };
                self.go_on(cx)
            }
            Err(message) => {
                IterationStatus::Done(IterationResult::Failed(Fault::generator(message)))
            }
        }
    }

    /// Accounts for what the user did before it goes.
    fn torn_down(&mut self, error: Option<JsError>, cx: &mut Cx<'_>) -> IterationStatus {
        self.record_traffic(cx);
        if let Some(reason) = self.host.aborted.take() {
            self.log_abort(&reason, error.as_ref());
            return IterationStatus::Done(IterationResult::Interrupted);
        }
        match error {
            None => IterationStatus::Done(IterationResult::Complete),
            Some(error) if matches!(error.kind, ErrorKind::Interrupted | ErrorKind::Fatal) => {
                IterationStatus::Done(IterationResult::Interrupted)
            }
            Some(error) => {
                cx.run_state.exceptions.fetch_add(1, Ordering::Relaxed);
                self.log_exception(&error);
                IterationStatus::Done(IterationResult::Complete)
            }
        }
    }

    /// Accounts for an iteration that ended.
    fn ended(&mut self, error: Option<JsError>, started: Time, cx: &mut Cx<'_>) -> IterationStatus {
        let now = cx.now();
        if !self.has_variables {
            self.watch_sharing();
        }
        let aborted = self.host.aborted.take();
        // When two users change the realm at once, the second starts again in another
        // realm.
        let moves = self.user.vm.must_move();
        let cut = error.as_ref().is_some_and(|e| {
            e.kind == ErrorKind::Interrupted || (moves && e.kind == ErrorKind::Fatal)
        });
        if cut && !moves {
            self.run_last_words(cx);
        }
        let counts = !cut || aborted.is_some();
        self.record(counts, now.millis_since(started), cx);
        if let Some(reason) = aborted {
            self.log_abort(&reason, error.as_ref());
            return IterationStatus::Done(IterationResult::Interrupted);
        }
        match error {
            None => {}
            Some(_) if cut => return IterationStatus::Done(IterationResult::Interrupted),
            Some(error) if error.kind == ErrorKind::Fatal => {
                return IterationStatus::Done(IterationResult::Failed(Fault {
                    class: loadline_vu::FaultClass::Panic,
                    message: error.headline(),
                }));
            }
            Some(error) => {
                cx.run_state.exceptions.fetch_add(1, Ordering::Relaxed);
                self.log_exception(&error);
            }
        }
        let until = started + self.host.shared.settings().min_iteration_duration;
        if until > now {
            return self.pause(until, cx);
        }
        IterationStatus::Done(IterationResult::Complete)
    }

    /// Runs the handlers for an interrupted iteration: for one time slice at most, and only
    /// as far as they do not wait.
    fn run_last_words(&self, cx: &mut Cx<'_>) {
        let words = self.host.last_words();
        if words.is_empty() {
            return;
        }
        let said = self.user.vm.start(move |ctx| {
            for word in words {
                word(ctx)?;
            }
            // Work they started in the background would never finish.
            Err(Interrupted.into())
        });
        // Without memory for a stack the handlers cannot run, and the iteration is over
        // anyway.
        let Ok(mut call) = said else {
            return;
        };
        let said = match call.resume::<LendCx>(&mut Context::from_waker(cx.waker), cx) {
            Poll::Ready(said) => said,
            Poll::Pending => call.stop::<LendCx>(cx),
        };
        if let Err(error) = said
            && error.kind == ErrorKind::Exception
        {
            self.log_exception(&error);
        }
    }

    /// Waits until the least time between two iterations is over.
    fn pause(&mut self, until: Time, cx: &mut Cx<'_>) -> IterationStatus {
        let timer = self.timer.get_or_insert_with(|| cx.reactor.timer());
        timer.reset(until);
        if timer
            .poll_expired(&mut Context::from_waker(cx.waker))
            .is_ready()
        {
            self.running = Running::Nothing;
            return IterationStatus::Done(IterationResult::Complete);
        }
        self.running = Running::Pause { until };
        IterationStatus::Pending
    }

    fn record(&self, counts: bool, millis: f64, cx: &mut Cx<'_>) {
        let tags = self.record_traffic(cx);
        if counts {
            cx.shard.record_all(
                tags,
                &[
                    (builtin::ITERATIONS, 1.0),
                    (builtin::ITERATION_DURATION, millis),
                ],
            );
        }
    }

    /// Records the bytes that passed; gives the user's tags outside all groups.
    fn record_traffic(&self, cx: &mut Cx<'_>) -> TagSetId {
        let (sent, received) = self.host.end_hooks();
        let mut of_user = self.host.tags.borrow_mut();
        of_user.set_group(String::new()); // an interrupted group leaves its name behind
        let tags = of_user.set_id(cx.shard);
        cx.shard.record_all(
            tags,
            &[
                (builtin::DATA_SENT, sent as f64),
                (builtin::DATA_RECEIVED, received as f64),
            ],
        );
        drop(of_user);
        self.host.settle_hooks(tags, cx);
        tags
    }

    fn log_exception(&self, error: &JsError) {
        let settings = self.host.shared.settings();
        let mut entry = Entry::new(LogLevel::Error, trace(error));
        if let Some(scenario) = self.host.scenario.get() {
            let scenario = &settings.scenarios[scenario.index()];
            entry = entry
                .with("executor", scenario.executor.as_str())
                .with("scenario", scenario.name.as_str());
        }
        // To k6 a rejection that nobody handled is no exception of the script's.
        if !entry.message.starts_with(REJECTED) {
            if self.host.shared.version >= K6Version::V2 {
                entry = entry.with("hint", "script exception");
            }
            entry = entry.with("source", "stacktrace");
        }
        self.host.shared.log(entry);
        if let Some((watch, place)) = self.host.watched() {
            watch.exception(&place);
        }
    }

    fn log_abort(&self, reason: &str, error: Option<&JsError>) {
        let message = match error {
            Some(error) => aborted_at(reason, error),
            None => aborted(reason),
        };
        self.host.log(LogLevel::Error, message);
    }
}

impl VirtualUser for ScriptUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        let started = iteration.started;
        let begun = match iteration.work {
            IterationKind::VuTeardown => {
                let begun = self.start_vu_teardown(iteration);
                begun.map(|call| call.map(|call| (call, Of::TearDown)))
            }
            _ => self.start(iteration).map(Some),
        };
        match begun {
            Ok(Some((call, of))) => {
                self.running = Running::Call { call, started, of };
                self.go_on(cx)
            }
            Ok(None) => IterationStatus::Done(IterationResult::Complete),
            Err(message) => {
                IterationStatus::Done(IterationResult::Failed(Fault::generator(message)))
            }
        }
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        self.go_on(cx)
    }

    fn interrupt(&mut self, _: InterruptReason, cx: &mut Cx<'_>) -> IterationStatus {
        match &mut self.running {
            Running::Nothing => IterationStatus::Done(IterationResult::Interrupted),
            Running::Pause { .. } => {
                self.running = Running::Nothing;
                IterationStatus::Done(IterationResult::Complete)
            }
            Running::Call { call, .. } => {
                call.interrupt();
                self.go_on(cx)
            }
        }
    }
}
