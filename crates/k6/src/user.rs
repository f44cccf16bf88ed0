//! A virtual user that runs a script's functions, iteration by iteration.

use std::rc::Rc;
use std::task::{Context, Poll};

use loadline_js::{Atom, Call, ErrorKind, JsError, Value};
use loadline_metrics::builtin;
use loadline_reactor::Timer;
use loadline_units::{ScenarioId, Time};
use loadline_vu::{Cx, Fault, Iteration, Outcome, Step, VirtualUser, Why, Work};

use crate::error::LoadError;
use crate::factory::WorkerShared;
use crate::host::{Host, ITERATION, Phase, UserVm, enter_environment};
use crate::lend::LendCx;
use crate::load::{aborted_at, trace};
use crate::log::{Entry, Level};
use crate::sharing::Apart;

/// One user of a script.
///
/// Fields are dropped in this order: the call before the values, the values before the
/// runtime they live in.
pub(crate) struct ScriptUser {
    running: Running,
    /// What `setup()` returned, parsed at the first iteration and kept from then on.
    setup_data: Option<Value>,
    exports: Value,
    names: Names,
    timer: Option<Timer>,
    host: Rc<Host>,
    user: UserVm,
    worker: Rc<WorkerShared>,
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
    },
    /// The iteration is over, the least time between two is not.
    Pause {
        until: Time,
    },
}

impl ScriptUser {
    pub(crate) fn new(user: UserVm, exports: Value, worker: Rc<WorkerShared>) -> Self {
        Self {
            running: Running::Nothing,
            setup_data: None,
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

    /// Begins anew in a realm of its own, once another user has taken this one's.
    fn move_out(&mut self) -> Result<(), LoadError> {
        let shared = self.host.shared.clone();
        let moved = self.worker.user_alone(&shared, self.host.vu)?;
        let worker = self.worker.clone();
        *self = Self::new(moved.0, moved.1, worker);
        Ok(())
    }

    /// Tells the run when a script changed what users have in common.
    fn watch_sharing(&self) {
        if let Some(place) = self.user.vm.shared_write() {
            self.host.shared.sharing.end(Apart::Run { place });
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

    fn start(&mut self, iteration: &Iteration) -> Result<Call, String> {
        let Work::Scenario { scenario, .. } = iteration.work else {
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
        let data = match &self.setup_data {
            Some(data) => data.clone(),
            None => {
                let data = match self.host.shared.setup_data.json() {
                    Some(json) => ctx.parse_json(json).map_err(|e| e.message())?,
                    None => ctx.undefined(),
                };
                self.setup_data.insert(data).clone()
            }
        };
        let Some(name) = &self.names.exec else {
            return Err("a user runs in a scenario".to_owned());
        };
        let function = self.exports.get(name).map_err(|e| e.message())?;
        self.host.phase.set(Phase::Iteration);
        self.host.iteration.set(Some(*iteration));
        self.host.begin_hooks();
        let call = self.user.vm.start_function(&function, vec![data]);
        call.map_err(|error| format!("cannot make a stack: {error}"))
    }

    fn go_on(&mut self, cx: &mut Cx<'_>) -> Step {
        match &mut self.running {
            Running::Nothing => Step::Pending,
            Running::Pause { until } => {
                let until = *until;
                self.pause(until, cx)
            }
            Running::Call { call, started } => {
                let started = *started;
                match call.resume::<LendCx>(&mut Context::from_waker(cx.waker), cx) {
                    Poll::Pending => Step::Pending,
                    Poll::Ready(result) => {
                        self.running = Running::Nothing;
                        self.ended(result.err(), started, cx)
                    }
                }
            }
        }
    }

    /// Accounts for an iteration that ended.
    fn ended(&mut self, error: Option<JsError>, started: Time, cx: &mut Cx<'_>) -> Step {
        let now = cx.now();
        if !self.has_variables {
            self.watch_sharing();
        }
        let aborted = self.host.aborted.take();
        // Two users of a realm that change it at once: the second begins anew elsewhere.
        let moves = self.user.vm.must_move();
        let cut = error.as_ref().is_some_and(|e| {
            e.kind == ErrorKind::Interrupted || (moves && e.kind == ErrorKind::Fatal)
        });
        let counts = !cut || aborted.is_some();
        self.record(counts, now.millis_since(started), cx);
        if let Some(reason) = aborted {
            self.log_abort(&reason, error.as_ref());
            return Step::Done(Outcome::Interrupted);
        }
        match error {
            None => {}
            Some(_) if cut => return Step::Done(Outcome::Interrupted),
            Some(error) if error.kind == ErrorKind::Fatal => {
                return Step::Done(Outcome::Failed(Fault {
                    class: loadline_vu::FaultClass::Panic,
                    message: error.headline(),
                }));
            }
            Some(error) => self.log_exception(&error),
        }
        let until = started + self.host.shared.settings().min_iteration_duration;
        if until > now {
            return self.pause(until, cx);
        }
        Step::Done(Outcome::Complete)
    }

    /// Waits until the least time between two iterations is over.
    fn pause(&mut self, until: Time, cx: &mut Cx<'_>) -> Step {
        let timer = self.timer.get_or_insert_with(|| cx.reactor.timer());
        timer.reset(until);
        if timer
            .poll_expired(&mut Context::from_waker(cx.waker))
            .is_ready()
        {
            self.running = Running::Nothing;
            return Step::Done(Outcome::Complete);
        }
        self.running = Running::Pause { until };
        Step::Pending
    }

    fn record(&self, counts: bool, millis: f64, cx: &mut Cx<'_>) {
        let (sent, received) = self.host.end_hooks();
        let mut tags = self.host.tags.borrow_mut();
        tags.set_group(String::new()); // an interrupted group leaves its name behind
        let tags = tags.set_id(cx.shard);
        if counts {
            cx.shard.record_all(
                tags,
                &[
                    (builtin::ITERATIONS, 1.0),
                    (builtin::ITERATION_DURATION, millis),
                ],
            );
        }
        cx.shard.record_all(
            tags,
            &[
                (builtin::DATA_SENT, sent as f64),
                (builtin::DATA_RECEIVED, received as f64),
            ],
        );
    }

    fn log_exception(&self, error: &JsError) {
        let settings = self.host.shared.settings();
        let mut entry = Entry::new(Level::Error, trace(error));
        if let Some(scenario) = self.host.scenario.get() {
            let scenario = &settings.scenarios[scenario.index()];
            entry = entry
                .with("executor", scenario.executor.as_str())
                .with("scenario", scenario.name.as_str());
        }
        self.host.shared.log(entry.with("source", "stacktrace"));
        if let Some((watch, place)) = self.host.watched() {
            watch.exception(&place);
        }
    }

    fn log_abort(&self, reason: &str, error: Option<&JsError>) {
        let message = match error {
            Some(error) => aborted_at(reason, error),
            None => format!("test aborted: {reason}"),
        };
        self.host.log(Level::Error, message);
    }
}

impl VirtualUser for ScriptUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> Step {
        match self.start(iteration) {
            Ok(call) => {
                self.running = Running::Call {
                    call,
                    started: iteration.started,
                };
                self.go_on(cx)
            }
            Err(message) => Step::Done(Outcome::Failed(Fault::generator(message))),
        }
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> Step {
        self.go_on(cx)
    }

    fn interrupt(&mut self, _: Why, cx: &mut Cx<'_>) -> Step {
        match &mut self.running {
            Running::Nothing => Step::Done(Outcome::Interrupted),
            Running::Pause { .. } => {
                self.running = Running::Nothing;
                Step::Done(Outcome::Complete)
            }
            Running::Call { call, .. } => {
                call.interrupt();
                self.go_on(cx)
            }
        }
    }
}
