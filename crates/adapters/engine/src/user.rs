//! One virtual user and its state on its worker.

use loadline_reactor::Registration;
use loadline_units::{ScenarioId, Time};
use loadline_vu::{Iteration, IterationKind, VirtualUser};

use crate::command::SlotNumber;

/// A virtual user and its state.
pub(crate) struct User {
    pub(crate) vu: Box<dyn VirtualUser>,
    pub(crate) registration: Registration,
    pub(crate) slot: Option<Slot>,
    pub(crate) state: State,
    /// When the running iteration began, and when it was planned to begin.
    pub(crate) began: Began,
    /// When it began to wait for a start (open model).
    pub(crate) idle_since: Time,
    /// Iterations begun, in all scenarios.
    begun: u64,
    /// Iterations begun, by scenario.
    begun_in: Vec<u64>,
}

/// When an iteration began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Began {
    pub(crate) at: Time,
    /// `None` where users set the pace.
    pub(crate) planned: Option<Time>,
}

/// The slot a user holds in a scenario.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) scenario: ScenarioId,
    pub(crate) number: SlotNumber,
    /// The user gives the slot back after the running iteration.
    pub(crate) releasing: bool,
    /// Iterations begun in this slot.
    pub(crate) begun: u64,
}

/// A user's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Has no slot.
    Free,
    /// Has a slot and waits for a planned start (open model).
    Idle,
    /// Has a slot and is about to begin its next iteration (closed model).
    Between,
    /// Has a slot and waits for the run to be resumed.
    Parked,
    /// Runs an iteration.
    Running,
    /// Runs its teardown, after the scenarios.
    TearingDown,
}

impl User {
    pub(crate) fn new(
        vu: Box<dyn VirtualUser>,
        registration: Registration,
        scenarios: usize,
    ) -> Self {
        Self {
            vu,
            registration,
            slot: None,
            state: State::Free,
            began: Began {
                at: Time::ZERO,
                planned: None,
            },
            idle_since: Time::ZERO,
            begun: 0,
            begun_in: vec![0; scenarios],
        }
    }

    /// Whether it has begun an iteration.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun > 0
    }

    /// The iteration that runs the user's teardown.
    pub(crate) fn teardown_iteration(&self, started: Time) -> Iteration {
        Iteration {
            work: IterationKind::VuTeardown,
            of_user: self.begun,
            of_user_in_scenario: 0,
            planned: None,
            started,
        }
    }

    /// Counts one more iteration and describes it.
    pub(crate) fn next_iteration(
        &mut self,
        scenario: ScenarioId,
        number: u64,
        planned: Option<Time>,
        started: Time,
    ) -> Iteration {
        let in_scenario = &mut self.begun_in[scenario.index()];
        let iteration = Iteration {
            work: IterationKind::Scenario { scenario, number },
            of_user: self.begun,
            of_user_in_scenario: *in_scenario,
            planned,
            started,
        };
        *in_scenario += 1;
        self.begun += 1;
        self.began = Began {
            at: started,
            planned,
        };
        if let Some(slot) = &mut self.slot {
            slot.begun += 1;
        }
        iteration
    }
}
