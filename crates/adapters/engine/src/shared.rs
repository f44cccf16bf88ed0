//! The state that all workers of a run share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crossbeam_channel::Sender;
use loadline_reactor::WorkerProgress;
use loadline_testplan::Plan;
use loadline_units::{ScenarioId, Time, VuId, WorkerId};
use loadline_vu::{RunState, VuFactory};

use crate::command::{Command, Inbox, Report};
use crate::drive;
use crate::idle::IdleCounts;
use crate::options::EngineOptions;
use crate::waiting::WaitingStarts;

/// Read by all workers; written only through atomics.
pub(crate) struct Shared {
    pub(crate) plan: Plan,
    pub(crate) options: EngineOptions,
    pub(crate) factory: Arc<dyn VuFactory>,
    pub(crate) run_state: Arc<RunState>,
    pub(crate) open: Vec<OpenScenario>,
    pub(crate) reports: Sender<Report>,
    inboxes: OnceLock<Vec<Inbox>>,
    users_numbered: AtomicU64,
    /// A paused run may begin.
    released: AtomicBool,
    /// What each worker does, for the watchdog.
    pub(crate) progress_of_workers: Vec<Arc<WorkerProgress>>,
    /// When what runs must have ended, with all its grace; [`Time::MAX`] for no time.
    must_end: AtomicU64,
}

/// How the workers find idle users for one scenario.
#[derive(Debug)]
pub(crate) struct OpenScenario {
    pub(crate) idle: IdleCounts,
    /// Users that may still be added during the run.
    pub(crate) extra_left: AtomicU64,
    /// A user is being made; one at a time.
    pub(crate) making_extra: AtomicBool,
    /// Extra users that could not be made.
    pub(crate) extra_failed: AtomicU64,
    /// The lack of users was reported.
    pub(crate) warned: AtomicBool,
    /// Starts that wait for a user, where the plan allows waiting.
    pub(crate) waiting: WaitingStarts,
}

impl OpenScenario {
    pub(crate) fn new(workers: usize, extra: u64) -> Self {
        Self {
            idle: IdleCounts::new(workers),
            extra_left: AtomicU64::new(extra),
            making_extra: AtomicBool::new(false),
            extra_failed: AtomicU64::new(0),
            warned: AtomicBool::new(false),
            waiting: WaitingStarts::new(workers),
        }
    }

    /// Claims the right to make one more user now.
    pub(crate) fn claim_extra(&self) -> bool {
        if self.making_extra.swap(true, Ordering::AcqRel) {
            return false;
        }
        let claimed = self
            .extra_left
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            })
            .is_ok();
        if !claimed {
            self.making_extra.store(false, Ordering::Release);
        }
        claimed
    }
}

impl Shared {
    pub(crate) fn new(
        plan: Plan,
        options: EngineOptions,
        factory: Arc<dyn VuFactory>,
        run_state: Arc<RunState>,
        reports: Sender<Report>,
    ) -> Self {
        let open = plan
            .scenarios
            .iter()
            .map(|scenario| {
                OpenScenario::new(options.workers, drive::extra_users(&scenario.executor))
            })
            .collect();
        let progress_of_workers = (0..options.workers).map(|_| Arc::default()).collect();
        Self {
            progress_of_workers,
            must_end: AtomicU64::new(Time::MAX.as_nanos()),
            plan,
            options,
            factory,
            run_state,
            open,
            reports,
            inboxes: OnceLock::new(),
            users_numbered: AtomicU64::new(0),
            released: AtomicBool::new(false),
        }
    }

    /// Sets when what runs now must have ended.
    pub(crate) fn must_end_by(&self, at: Time) {
        self.must_end.store(at.as_nanos(), Ordering::Relaxed);
    }

    /// When what runs now must have ended.
    pub(crate) fn must_end(&self) -> Time {
        Time::from_nanos(self.must_end.load(Ordering::Relaxed))
    }

    /// Lets a paused run begin.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Release);
        self.report(Report::Released);
    }

    pub(crate) fn is_released(&self) -> bool {
        self.released.load(Ordering::Acquire)
    }

    /// Sets the workers' inboxes, once, when all workers exist.
    pub(crate) fn connect(&self, inboxes: Vec<Inbox>) {
        self.run_state
            .set_wakers(inboxes.iter().map(|inbox| inbox.remote.clone()).collect());
        // A second call would be our own mistake; it changes nothing.
        let _ = self.inboxes.set(inboxes);
    }

    pub(crate) fn send(&self, to: WorkerId, command: Command) {
        if let Some(inbox) = self.inboxes.get().and_then(|all| all.get(to.index())) {
            inbox.send(command);
        }
    }

    pub(crate) fn stop_requested(&self) -> bool {
        self.run_state.stop_cause().is_some()
    }

    /// Sends a command to the conductor, on the first worker.
    pub(crate) fn notify_conductor(&self, command: Command) {
        self.send(WorkerId(0), command);
    }

    pub(crate) fn send_all(&self, command: impl Fn() -> Command) {
        for inbox in self.inboxes.get().into_iter().flatten() {
            inbox.send(command());
        }
    }

    pub(crate) fn report(&self, report: Report) {
        // The receiver is gone only after the run was abandoned; then no report matters.
        let _ = self.reports.send(report);
    }

    /// The next user's id and its worker.
    pub(crate) fn number_user(&self) -> (VuId, WorkerId) {
        let before = self.users_numbered.fetch_add(1, Ordering::Relaxed);
        let worker = before % self.options.workers as u64;
        let worker = u16::try_from(worker).expect("less than the number of workers");
        (VuId(before + 1), WorkerId(worker))
    }

    pub(crate) fn open_scenario(&self, id: ScenarioId) -> &OpenScenario {
        &self.open[id.index()]
    }
}
