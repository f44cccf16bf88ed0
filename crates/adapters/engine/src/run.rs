//! A run from its first user to its last report: the phases in order.

mod stages;
mod windows;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::unbounded;
use loadline_metrics::{Merger, Registry, Submetrics};
use loadline_reactor::MonotonicClock;
use loadline_testplan::Plan;
use loadline_units::{Time, VuId, WorkerId};
use loadline_vu::{
    Fault, FaultClass, LifecycleStage, ProgressUnit, RunPhase, RunState, ScenarioDescription,
    StopCause, VuFactory,
};

use crate::command::{Command, Report, StageRequest};
use crate::control::Control;
use crate::drive;
use crate::error::EngineError;
use crate::observer::{EngineEvent, Observer};
use crate::options::EngineOptions;
use crate::shared::Shared;
use crate::threads::Threads;
use crate::worker_link::WorkerLink;

/// Time from "all is ready" to the first start, so that every worker has the command in time.
const FIRST_START_DELAY: Duration = Duration::from_millis(5);
/// How long the remaining workers may take to send their last windows after one died.
const GATHER_TIMEOUT: Duration = Duration::from_secs(2);
/// What a run measures: its metrics, and the sub-metrics that are used.
pub struct RunMetrics {
    /// All metrics of the run.
    pub registry: Arc<Registry>,
    /// Sub-metrics that thresholds or summaries name.
    pub submetrics: Submetrics,
}

impl RunMetrics {
    pub(crate) fn into_merger(self, workers: usize) -> Merger {
        Merger::new(workers, self.registry, self.submetrics)
    }
}

/// One run of one plan.
pub struct Engine {
    shared: Arc<Shared>,
    workers_link: Box<dyn WorkerLink>,
    merger: Merger,
    /// Users to make before the first scenario: counted once, as a ramp has a step for each.
    users_planned: u64,
    users_made: u64,
    open_workers: usize,
    /// Stages that were asked for by hand and have not run yet.
    stages_asked: VecDeque<StageRequest>,
    /// Stages may still be asked for: the run was started paused and is not released.
    is_before_release: bool,
    /// When the last window was emitted.
    last_window_at: Time,
    /// The observer panicked and gets no more events.
    is_unobserved: bool,
}

/// How a run's scenarios, set-up and teardown ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineEnding {
    /// When the scenarios' clock began; `None`: it never did.
    pub began: Option<Time>,
    /// When the last iteration had ended.
    pub ended: Option<Time>,
    /// Why the run ended before its plan; the first cause.
    pub cause: Option<StopCause>,
    /// Set-up failed.
    pub setup: Option<Fault>,
    /// Teardown failed.
    pub teardown: Option<Fault>,
    /// A worker died, so later phases did not run. Measurements up to then are complete.
    pub workers_lost: bool,
}

impl Engine {
    /// Starts worker threads for `plan`; nothing is sent yet.
    ///
    /// # Errors
    /// [`EngineError`] when a thread or its reactor cannot be made.
    pub fn start(
        plan: Plan,
        options: EngineOptions,
        factory: Arc<dyn VuFactory>,
        measures: RunMetrics,
        clock: MonotonicClock,
    ) -> Result<Self, EngineError> {
        let registry = &measures.registry;
        let (sender, reports) = unbounded();
        let run_state = Arc::new(run_state_for(&plan));
        let shared = Arc::new(Shared::new(plan, options, factory, run_state, sender));
        let threads = Threads::start(&shared, registry, clock, reports)?;
        let merger = measures.into_merger(shared.options.workers);
        Ok(Self::new(shared, merger, Box::new(threads)))
    }

    pub(crate) fn new(
        shared: Arc<Shared>,
        merger: Merger,
        workers_link: Box<dyn WorkerLink>,
    ) -> Self {
        let workers = shared.options.workers;
        let users_planned = shared.plan.planned_vus();
        let is_before_release = shared.options.paused;
        Self {
            merger,
            shared,
            workers_link,
            users_planned,
            users_made: 0,
            open_workers: workers,
            stages_asked: VecDeque::new(),
            is_before_release,
            last_window_at: Time::ZERO,
            is_unobserved: false,
        }
    }

    /// The run's shared counters and stop flag.
    #[must_use]
    pub fn run_state(&self) -> Arc<RunState> {
        self.shared.run_state.clone()
    }

    /// The handle that changes the running test.
    #[must_use]
    pub fn control(&self) -> Control {
        Control::new(self.shared.clone())
    }

    /// Everything measured so far.
    #[must_use]
    pub fn totals(&self) -> &Merger {
        &self.merger
    }

    /// The current instant on the run's clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.workers_link.now()
    }

    /// Makes the users and runs set-up, all scenarios and teardown, up to the last window.
    /// When a worker dies, stops the run and collects what all workers have measured.
    pub fn run(&mut self, observer: &mut dyn Observer) -> EngineEnding {
        let mut ending = EngineEnding::default();
        if self.run_phases(&mut ending, observer).is_err() {
            ending.workers_lost = true;
            if ending.began.is_some() {
                ending.ended.get_or_insert(self.workers_link.now());
            }
            self.gather(observer);
        }
        self.enter(RunPhase::Ended);
        ending.cause = self.shared.run_state.stop_cause().cloned();
        ending
    }

    /// Runs the phases in order; `ending` records how far they came.
    fn run_phases(
        &mut self,
        ending: &mut EngineEnding,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        let origin = self.workers_link.now();
        self.shared.send_all(|| Command::OpenWindows { origin });
        self.notify(observer, &EngineEvent::WindowsOpen(origin));
        self.make_users(observer)?;
        self.wait_for_release(observer)?;
        if !self.stopping() {
            ending.setup = self.run_stage(LifecycleStage::Setup, observer)?;
            if let Some(fault) = &ending.setup {
                self.fail(fault.clone(), observer);
            }
        }
        if !self.stopping() {
            self.run_scenarios(ending, observer)?;
            ending.ended = Some(self.workers_link.now());
        }
        if ending.began.is_some() {
            ending.teardown = self.run_vu_teardowns(observer)?;
        }
        if self.needs_teardown(ending) {
            let vu_teardown = ending.teardown.take();
            ending.teardown = self
                .run_stage(LifecycleStage::Teardown, observer)?
                .or(vu_teardown);
        }
        self.close_windows(observer)
    }

    /// Teardown follows every successful set-up, however the scenarios ended.
    fn needs_teardown(&self, ending: &EngineEnding) -> bool {
        ending.setup.is_none()
            && (ending.began.is_some()
                || self.shared.run_state.stop_cause() == Some(&StopCause::Signal))
    }

    /// Runs the test's own summary, after [`Engine::run`].
    ///
    /// # Errors
    /// [`EngineError::WorkersGone`].
    pub fn summarize(&mut self, observer: &mut dyn Observer) -> Result<Option<Fault>, EngineError> {
        self.run_stage(LifecycleStage::Summarize, observer)
    }

    /// Ends the workers, waiting up to `patience` for them.
    pub fn close(mut self, patience: Duration) {
        self.shared.send_all(|| Command::Exit);
        let give_up = self.workers_link.now() + patience;
        while self.open_workers > 0 {
            match self.workers_link.next_report(give_up) {
                Ok(Some(Report::Exited | Report::Died { .. })) => self.open_workers -= 1,
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return,
            }
        }
    }

    /// Passes an event to the observer. If it panics, the run stops gracefully and the
    /// observer gets no more events.
    fn notify(&mut self, observer: &mut dyn Observer, event: &EngineEvent<'_>) {
        if self.is_unobserved {
            return;
        }
        let now = self.workers_link.now();
        let merger = &mut self.merger;
        // A panic of the observer leaves the sums and windows intact.
        let told = catch_unwind(AssertUnwindSafe(|| observer.observe(event, now, merger)));
        if let Err(panic) = told {
            self.is_unobserved = true;
            let fault = Fault::panic(panic.as_ref());
            self.shared.run_state.request_stop(StopCause::Failed(fault));
        }
    }

    fn enter(&self, phase: RunPhase) {
        self.shared.run_state.enter(phase);
    }

    fn stopping(&self) -> bool {
        self.shared.stop_requested()
    }

    fn make_users(&mut self, observer: &mut dyn Observer) -> Result<(), EngineError> {
        let planned = self.users_planned;
        let workers = self.shared.options.workers;
        let mut shares: Vec<Vec<VuId>> = vec![Vec::new(); workers];
        for _ in 0..planned {
            let (id, worker) = self.shared.number_user();
            shares[worker.index()].push(id);
        }
        for (worker, ids) in (0_u16..).zip(shares) {
            self.shared
                .send(WorkerId(worker), Command::MakeUsers { ids });
        }
        while self.users_made < planned && !self.stopping() {
            self.receive(Time::MAX, observer)?;
        }
        Ok(())
    }

    /// Waits while a run that was started paused is not released.
    fn wait_for_release(&mut self, observer: &mut dyn Observer) -> Result<(), EngineError> {
        if !self.shared.options.paused {
            return Ok(());
        }
        self.enter(RunPhase::Waiting);
        self.notify(observer, &EngineEvent::Waits);
        while !self.shared.is_released() && !self.stopping() {
            if let Some(request) = self.stages_asked.pop_front() {
                self.run_stage_by_hand(request, observer)?;
                continue;
            }
            // A stop does not wake this thread, so look for one at intervals.
            let soon = self.workers_link.now() + Duration::from_millis(20);
            self.receive(soon, observer)?;
        }
        self.is_before_release = false;
        // Who still waits for a stage hears that the run began or ended.
        self.stages_asked.clear();
        Ok(())
    }

    fn run_scenarios(
        &mut self,
        ending: &mut EngineEnding,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        let at = self.workers_link.now() + FIRST_START_DELAY;
        ending.began = Some(at);
        self.shared.must_end_by(Time::MAX);
        self.enter(RunPhase::Running);
        self.shared.notify_conductor(Command::Begin { at });
        self.notify(observer, &EngineEvent::Begins(at));
        while !matches!(
            self.receive(Time::MAX, observer)?,
            Some(Report::ScenariosOver)
        ) {}
        self.notify(observer, &EngineEvent::ScenariosOver);
        Ok(())
    }

    /// Receives one report and handles what is the same in every phase.
    fn receive(
        &mut self,
        until: Time,
        observer: &mut dyn Observer,
    ) -> Result<Option<Report>, EngineError> {
        let until = until.min(self.workers_link.now() + self.shared.options.window_patience);
        let Some(report) = self.workers_link.next_report(until)? else {
            self.emit_late_window(observer);
            return Ok(None);
        };
        match &report {
            Report::UserMade => {
                self.users_made += 1;
                let (made, planned) = (self.users_made, self.users_planned);
                self.notify(observer, &EngineEvent::UsersMade { made, planned });
            }
            Report::UserFailed(fault) => self.fail(fault.clone(), observer),
            Report::ExtraFailed { scenario, fault } => {
                let event = EngineEvent::ExtraFailed {
                    scenario: *scenario,
                    fault,
                };
                self.notify(observer, &event);
            }
            Report::OutOfUsers { scenario, active } => {
                let event = EngineEvent::OutOfUsers {
                    scenario: *scenario,
                    active: *active,
                };
                self.notify(observer, &event);
            }
            Report::Held(hold) => {
                self.notify(observer, &EngineEvent::WorkerHeld(hold));
                if hold.is_lost {
                    self.open_workers = self.open_workers.saturating_sub(1);
                    return Err(EngineError::WorkersGone);
                }
            }
            Report::Died { worker, message } => {
                self.open_workers = self.open_workers.saturating_sub(1);
                let fault = Fault {
                    class: FaultClass::Panic,
                    message: format!("worker {}: {message}", worker.index()),
                };
                self.fail(fault, observer);
                return Err(EngineError::WorkersGone);
            }
            _ => {}
        }
        match report {
            Report::Window(part) => self.absorb(*part, observer),
            Report::StageAsked(request) => self.take_stage_request(request),
            report => return Ok(Some(report)),
        }
        Ok(None)
    }

    fn fail(&mut self, fault: Fault, observer: &mut dyn Observer) {
        self.notify(observer, &EngineEvent::Failed(&fault));
        self.shared.run_state.request_stop(StopCause::Failed(fault));
    }
}

/// The shared state of a run of `plan`.
pub(crate) fn run_state_for(plan: &Plan) -> RunState {
    let infos = plan.scenarios.iter().map(|scenario| ScenarioDescription {
        name: scenario.name.clone(),
        executor: scenario.executor.name(),
        start_time: scenario.start_time,
        progress: match drive::promised_iterations(&scenario.executor) {
            Some(count) => ProgressUnit::Iterations(count),
            None => ProgressUnit::Time(scenario.executor.duration()),
        },
    });
    RunState::new(infos.collect())
}
