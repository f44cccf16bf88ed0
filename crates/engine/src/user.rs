//! One virtual user's place on its worker.

use loadline_reactor::Registration;
use loadline_units::{ScenarioId, Time};
use loadline_vu::{Iteration, VirtualUser, Work};

use crate::command::SeatNumber;

/// A user and what it is doing.
pub(crate) struct User {
    pub(crate) vu: Box<dyn VirtualUser>,
    pub(crate) registration: Registration,
    pub(crate) seat: Option<Seat>,
    pub(crate) state: State,
    /// When the running iteration began, and when it was planned to.
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

/// A user's part in a scenario.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seat {
    pub(crate) scenario: ScenarioId,
    pub(crate) number: SeatNumber,
    /// Comes back after the running iteration.
    pub(crate) leaving: bool,
    /// Iterations begun in this seat.
    pub(crate) begun: u64,
}

/// What a user is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing; has no seat.
    Free,
    /// Seated, waits for a planned start (open model).
    Idle,
    /// Seated, about to begin its next iteration (closed model).
    Between,
    /// Seated, waits for the run to be resumed.
    Parked,
    /// In an iteration.
    Running,
    /// Taking its leave, after the scenarios.
    Leaving,
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
            seat: None,
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

    /// Describes its taking leave.
    pub(crate) fn farewell(&self, started: Time) -> Iteration {
        Iteration {
            work: Work::Farewell,
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
            work: Work::Scenario { scenario, number },
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
        if let Some(seat) = &mut self.seat {
            seat.begun += 1;
        }
        iteration
    }
}
