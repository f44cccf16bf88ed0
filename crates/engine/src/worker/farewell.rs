//! What users do before they go: once each, after the scenarios and before teardown.

use std::collections::VecDeque;

use loadline_vu::{Outcome, Why};

use super::Worker;
use crate::command::Report;
use crate::user::State;

/// Users of a worker that take their leave at once: the load is over, and this shall not
/// be one.
const AT_ONCE: usize = 32;

/// Users that are to go.
#[derive(Debug, Default)]
pub(super) struct Farewells {
    waiting: VecDeque<u32>,
    under_way: usize,
    open: bool,
}

impl Worker {
    /// Lets every user that has begun an iteration take its leave.
    pub(super) fn begin_farewells(&mut self) {
        let users = (0_u32..).zip(&self.users);
        let began = users.filter(|(_, user)| user.has_begun() && user.state == State::Free);
        self.farewells = Farewells {
            waiting: began.map(|(slot, _)| slot).collect(),
            under_way: 0,
            open: true,
        };
        self.next_farewells();
    }

    fn next_farewells(&mut self) {
        while self.farewells.under_way < AT_ONCE {
            let Some(slot) = self.farewells.waiting.pop_front() else {
                break;
            };
            self.farewells.under_way += 1;
            let now = self.handle.now();
            let user = &mut self.users[slot as usize];
            user.state = State::Leaving;
            let iteration = user.farewell(now);
            self.step(slot, |vu, cx| vu.begin(&iteration, cx));
        }
        if self.farewells.open && self.farewells.under_way == 0 {
            self.farewells.open = false;
            self.shared.report(Report::FarewellsOver);
        }
    }

    /// A user has taken its leave.
    pub(super) fn left(&mut self, slot: u32, outcome: Outcome) {
        self.users[slot as usize].state = State::Free;
        self.farewells.under_way -= 1;
        if let Outcome::Failed(fault) = outcome {
            self.shared.report(Report::UserFailed(fault));
        }
    }

    /// Goes on with those that wait, once one has left.
    pub(super) fn after_leaving(&mut self) {
        if self.farewells.open {
            self.next_farewells();
        }
    }

    /// Nobody begins any more, and whoever has is cut.
    pub(super) fn cut_farewells(&mut self) {
        self.farewells.waiting.clear();
        for slot in 0..self.users.len() {
            if self.users[slot].state == State::Leaving {
                let slot = u32::try_from(slot).expect("fewer than 2^32 users fit in memory");
                self.step(slot, |vu, cx| vu.interrupt(Why::TimedOut, cx));
            }
        }
        self.after_leaving();
    }
}
