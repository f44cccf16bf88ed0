//! A run from its first user to its last report: the phases, in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::unbounded;
use loadline_metrics::{Merger, Registry, ShardWindow, Submetrics};
use loadline_reactor::MonotonicClock;
use loadline_testplan::Plan;
use loadline_units::{Time, VuId, WorkerId};
use loadline_vu::{
    Board, Fault, FaultClass, Outcome, Progress, ScenarioCard, Stage, StopCause, VuFactory, Why,
};

use crate::command::{Command, Report};
use crate::control::Control;
use crate::drive;
use crate::error::EngineError;
use crate::fabric::Fabric;
use crate::observer::{Event, Observer};
use crate::options::EngineOptions;
use crate::shared::Shared;
use crate::threads::Threads;

/// From "all is ready" to the first start, so that every worker hears of it in time.
const LEAD: Duration = Duration::from_millis(5);
/// How long living workers may take to hand over what they measured after another died.
const GATHER_PATIENCE: Duration = Duration::from_secs(2);
/// How long a cut stage may take to end before its worker is taken for dead.
const STAGE_CUT_PATIENCE: Duration = Duration::from_secs(5);

/// What a run measures: the metrics there are, and the sub-metrics somebody wants.
pub struct Measures {
    /// All metrics of the run.
    pub registry: Arc<Registry>,
    /// Sub-metrics that thresholds or summaries name.
    pub submetrics: Submetrics,
}

impl Measures {
    pub(crate) fn into_merger(self, workers: usize) -> Merger {
        Merger::new(workers, self.registry, self.submetrics)
    }
}

/// One run of one plan.
pub struct Engine {
    shared: Arc<Shared>,
    fabric: Box<dyn Fabric>,
    merger: Merger,
    users_made: u64,
    open_workers: usize,
    /// When the last window was given out.
    window_given_out: Time,
    /// The observer panicked and is told nothing more.
    is_unobserved: bool,
}

/// How a run's scenarios, set-up and teardown ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ending {
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
    /// A worker died, so phases are missing; what was measured until then is complete.
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
        measures: Measures,
        clock: MonotonicClock,
    ) -> Result<Self, EngineError> {
        let registry = &measures.registry;
        let (sender, reports) = unbounded();
        let board = Arc::new(board_for(&plan));
        let shared = Arc::new(Shared::new(plan, options, factory, board, sender));
        let threads = Threads::start(&shared, registry, clock, reports)?;
        let merger = measures.into_merger(shared.options.workers);
        Ok(Self::new(shared, merger, Box::new(threads)))
    }

    pub(crate) fn new(shared: Arc<Shared>, merger: Merger, fabric: Box<dyn Fabric>) -> Self {
        let workers = shared.options.workers;
        Self {
            merger,
            shared,
            fabric,
            users_made: 0,
            open_workers: workers,
            window_given_out: Time::ZERO,
            is_unobserved: false,
        }
    }

    /// The run's shared counters and stop flag.
    #[must_use]
    pub fn board(&self) -> Arc<Board> {
        self.shared.board.clone()
    }

    /// The handle that changes the running test.
    #[must_use]
    pub fn control(&self) -> Control {
        Control::new(self.shared.clone())
    }

    /// All that was measured so far.
    #[must_use]
    pub fn totals(&self) -> &Merger {
        &self.merger
    }

    /// The current instant on the run's clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.fabric.now()
    }

    /// Makes the users, runs set-up, all scenarios and teardown, to the last window. When a
    /// worker dies, stops the run and gathers what all have measured.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Ending {
        let mut ending = Ending::default();
        if self.go_through(&mut ending, observer).is_err() {
            ending.workers_lost = true;
            if ending.began.is_some() {
                ending.ended.get_or_insert(self.fabric.now());
            }
            self.gather(observer);
        }
        ending.cause = self.shared.board.stop_cause().cloned();
        ending
    }

    /// The phases, in order; `ending` holds how far they came.
    fn go_through(
        &mut self,
        ending: &mut Ending,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        let origin = self.fabric.now();
        self.shared.send_all(|| Command::OpenWindows { origin });
        self.tell(observer, &Event::WindowsOpen(origin));
        self.make_users(observer)?;
        self.wait_for_release(observer)?;
        if !self.stopping() {
            ending.setup = self.run_stage(Stage::Setup, observer)?;
            if let Some(fault) = &ending.setup {
                self.fail(fault.clone(), observer);
            }
        }
        if !self.stopping() {
            self.run_scenarios(ending, observer)?;
            ending.ended = Some(self.fabric.now());
        }
        if ending.began.is_some() {
            ending.teardown = self.take_leave(observer)?;
        }
        if self.owes_teardown(ending) {
            let farewell = ending.teardown.take();
            ending.teardown = self.run_stage(Stage::Teardown, observer)?.or(farewell);
        }
        self.close_windows(observer)
    }

    /// Teardown follows every set-up that ended well, however the scenarios ended.
    fn owes_teardown(&self, ending: &Ending) -> bool {
        ending.setup.is_none()
            && (ending.began.is_some()
                || self.shared.board.stop_cause() == Some(&StopCause::Signal))
    }

    /// Runs the test's own summary, after [`Engine::run`].
    ///
    /// # Errors
    /// [`EngineError::WorkersGone`].
    pub fn summarize(&mut self, observer: &mut dyn Observer) -> Result<Option<Fault>, EngineError> {
        self.run_stage(Stage::Summarize, observer)
    }

    /// Ends the workers, waiting up to `patience` for them.
    pub fn close(mut self, patience: Duration) {
        self.shared.send_all(|| Command::Leave);
        let give_up = self.fabric.now() + patience;
        while self.open_workers > 0 {
            match self.fabric.next_report(give_up) {
                Ok(Some(Report::Left | Report::Died { .. })) => self.open_workers -= 1,
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return,
            }
        }
    }

    /// Tells the observer; one that panics ends the run in good order, unobserved.
    fn tell(&mut self, observer: &mut dyn Observer, event: &Event<'_>) {
        if self.is_unobserved {
            return;
        }
        let now = self.fabric.now();
        let merger = &mut self.merger;
        // Sums and windows stay what they are whatever the observer left undone of its own.
        let told = catch_unwind(AssertUnwindSafe(|| observer.observe(event, now, merger)));
        if let Err(panic) = told {
            self.is_unobserved = true;
            let fault = Fault::panic(panic.as_ref());
            self.shared.board.request_stop(StopCause::Failed(fault));
        }
    }

    fn stopping(&self) -> bool {
        self.shared.stop_requested()
    }

    fn make_users(&mut self, observer: &mut dyn Observer) -> Result<(), EngineError> {
        let planned = self.shared.plan.planned_vus();
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
            self.hear(Time::MAX, observer)?;
        }
        Ok(())
    }

    /// Holds a run that was started paused.
    fn wait_for_release(&mut self, observer: &mut dyn Observer) -> Result<(), EngineError> {
        if !self.shared.options.paused {
            return Ok(());
        }
        self.tell(observer, &Event::Waits);
        while !self.shared.is_released() && !self.stopping() {
            // A stop does not wake this thread, so look for one now and then.
            let soon = self.fabric.now() + Duration::from_millis(20);
            self.hear(soon, observer)?;
        }
        Ok(())
    }

    fn run_scenarios(
        &mut self,
        ending: &mut Ending,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        let at = self.fabric.now() + LEAD;
        ending.began = Some(at);
        self.shared.tell_conductor(Command::Begin { at });
        self.tell(observer, &Event::Begins(at));
        while !matches!(self.hear(Time::MAX, observer)?, Some(Report::ScenariosOver)) {}
        self.tell(observer, &Event::ScenariosOver);
        Ok(())
    }

    /// Lets users take their leave, and cuts them at the time-out.
    fn take_leave(&mut self, observer: &mut dyn Observer) -> Result<Option<Fault>, EngineError> {
        let Some(limit) = self.shared.factory.farewell_timeout() else {
            return Ok(None);
        };
        self.shared.send_all(|| Command::Farewell);
        let mut deadline = self.fabric.now() + limit;
        let mut late = None;
        let mut waiting = self.open_workers;
        while waiting > 0 {
            match self.hear(deadline, observer)? {
                Some(Report::FarewellsOver) => waiting -= 1,
                None if self.fabric.now() >= deadline && late.is_none() => {
                    self.shared.send_all(|| Command::CutFarewells);
                    deadline = self.fabric.now() + STAGE_CUT_PATIENCE;
                    late = Some(Fault {
                        class: FaultClass::StageTimeout,
                        message: format!("users took longer than {limit:?} to take their leave"),
                    });
                }
                None if self.fabric.now() >= deadline => break, // they do not even end
                _ => {}
            }
        }
        Ok(late)
    }

    /// Runs a stage to its end, cutting it at its time-out or when the run is stopped
    /// (teardown and summary are not cut by a stop that came before them).
    fn run_stage(
        &mut self,
        stage: Stage,
        observer: &mut dyn Observer,
    ) -> Result<Option<Fault>, EngineError> {
        let limit = self.shared.factory.stage_timeout(stage);
        let mut deadline = self.fabric.now() + limit;
        let mut cut = None;
        self.tell(observer, &Event::StageBegins(stage));
        self.shared.tell_conductor(Command::RunStage(stage));
        loop {
            let until = if stage == Stage::Setup {
                // A stop does not wake this thread, so look for one now and then.
                deadline.min(self.fabric.now() + Duration::from_millis(20))
            } else {
                deadline
            };
            match self.hear(until, observer)? {
                Some(Report::StageEnded(ended, outcome)) if ended == stage => {
                    return Ok(stage_fault(outcome, cut, limit));
                }
                Some(_) => continue,
                None => {}
            }
            let why = if self.fabric.now() >= deadline {
                Why::TimedOut
            } else if stage == Stage::Setup && self.stopping() {
                Why::RunStops
            } else {
                continue;
            };
            if cut.is_some_and(|before| before == Why::TimedOut) {
                return Ok(stage_fault(None, cut, limit)); // it does not even end
            }
            if cut.is_none() {
                self.shared.tell_conductor(Command::CutStage(why));
                cut = Some(why);
                deadline = self.fabric.now() + STAGE_CUT_PATIENCE;
            } else if why == Why::TimedOut {
                return Ok(stage_fault(None, Some(why), limit));
            }
        }
    }

    /// Takes one report and does what every phase does with it.
    fn hear(
        &mut self,
        until: Time,
        observer: &mut dyn Observer,
    ) -> Result<Option<Report>, EngineError> {
        let until = until.min(self.fabric.now() + self.shared.options.window_patience);
        let Some(report) = self.fabric.next_report(until)? else {
            self.emit_overdue(observer);
            return Ok(None);
        };
        match &report {
            Report::UserMade => {
                self.users_made += 1;
                let planned = self.shared.plan.planned_vus();
                let made = self.users_made;
                self.tell(observer, &Event::UsersMade { made, planned });
            }
            Report::UserFailed(fault) => self.fail(fault.clone(), observer),
            Report::OutOfUsers { scenario, active } => {
                let event = Event::OutOfUsers {
                    scenario: *scenario,
                    active: *active,
                };
                self.tell(observer, &event);
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
        if let Report::Window(part) = report {
            self.absorb(*part, observer);
            return Ok(None);
        }
        Ok(Some(report))
    }

    fn absorb(&mut self, part: ShardWindow, observer: &mut dyn Observer) {
        self.merger.absorb(part);
        while let Some(window) = self.merger.next_ready() {
            self.window_given_out = self.fabric.now();
            self.tell(observer, &Event::Window(&window));
        }
    }

    /// Shows a window without the parts that are overdue; they follow as late ones.
    fn emit_overdue(&mut self, observer: &mut dyn Observer) {
        let patience = self.shared.options.window_patience + Duration::from_secs(1);
        let now = self.fabric.now();
        if self.merger.has_pending() && now.since(self.window_given_out) >= patience {
            self.window_given_out = now;
            let window = self.merger.force_next();
            self.tell(observer, &Event::Window(&window));
        }
    }

    /// Collects every worker's last window.
    fn close_windows(&mut self, observer: &mut dyn Observer) -> Result<(), EngineError> {
        self.shared.send_all(|| Command::CloseWindows);
        let mut waiting = self.open_workers;
        while waiting > 0 {
            if let Some(Report::WindowsClosed) = self.hear(Time::MAX, observer)? {
                waiting -= 1;
            }
        }
        self.give_out_the_rest(observer);
        Ok(())
    }

    /// Takes in what the workers that live have measured, after one died.
    fn gather(&mut self, observer: &mut dyn Observer) {
        self.shared.send_all(|| Command::CloseWindows);
        let give_up = self.fabric.now() + GATHER_PATIENCE;
        let mut waiting = self.open_workers;
        while waiting > 0 {
            match self.fabric.next_report(give_up) {
                Ok(Some(Report::Window(part))) => self.absorb(*part, observer),
                Ok(Some(Report::WindowsClosed)) => waiting -= 1,
                Ok(Some(Report::Died { .. })) => {
                    self.open_workers = self.open_workers.saturating_sub(1);
                    waiting -= 1;
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        self.give_out_the_rest(observer);
    }

    fn give_out_the_rest(&mut self, observer: &mut dyn Observer) {
        for window in self.merger.finish() {
            self.tell(observer, &Event::Window(&window));
        }
    }

    fn fail(&mut self, fault: Fault, observer: &mut dyn Observer) {
        self.tell(observer, &Event::Failed(&fault));
        self.shared.board.request_stop(StopCause::Failed(fault));
    }
}

/// What a stage's end means for the run.
fn stage_fault(outcome: Option<Outcome>, cut: Option<Why>, limit: Duration) -> Option<Fault> {
    if cut == Some(Why::TimedOut) {
        return Some(Fault {
            class: FaultClass::StageTimeout,
            // k6's words follow the name of the stage's function.
            message: format!(
                "execution timed out after {:.0} seconds",
                limit.as_secs_f64()
            ),
        });
    }
    match outcome {
        Some(Outcome::Failed(fault)) => Some(fault),
        _ => None,
    }
}

/// The board for a plan.
pub(crate) fn board_for(plan: &Plan) -> Board {
    let cards = plan.scenarios.iter().map(|scenario| ScenarioCard {
        name: scenario.name.clone(),
        executor: scenario.executor.name(),
        start_time: scenario.start_time,
        progress: match drive::promised_iterations(&scenario.executor) {
            Some(count) => Progress::Iterations(count),
            None => Progress::Time(scenario.executor.duration()),
        },
    });
    Board::new(cards.collect())
}
