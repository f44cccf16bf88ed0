//! VU teardown: runs once for each user that began an iteration, after the scenarios and
//! before the test's teardown.

use loadline_vu::{InterruptReason, IterationResult};

use super::{VuTeardowns, Worker};
use crate::command::Report;
use crate::user::State;

/// How many user teardowns a worker runs at a time, so that they are no load themselves.
const CONCURRENT_TEARDOWNS_MAX: usize = 32;

impl Worker {
    /// Begins the teardown of every user that has begun an iteration.
    pub(super) fn begin_vu_teardowns(&mut self) {
        let users = (0_u32..).zip(&self.users);
        let began = users.filter(|(_, user)| user.has_begun() && user.state == State::Free);
        self.vu_teardowns = VuTeardowns {
            waiting: began.map(|(index, _)| index).collect(),
            under_way: 0,
            open: true,
        };
        self.next_vu_teardowns();
    }

    fn next_vu_teardowns(&mut self) {
        while self.vu_teardowns.under_way < CONCURRENT_TEARDOWNS_MAX {
            let Some(index) = self.vu_teardowns.waiting.pop_front() else {
                break;
            };
            self.vu_teardowns.under_way += 1;
            let now = self.handle.now();
            let user = &mut self.users[index as usize];
            user.state = State::TearingDown;
            let iteration = user.teardown_iteration(now);
            self.step(index, |vu, cx| vu.begin(&iteration, cx));
        }
        if self.vu_teardowns.open && self.vu_teardowns.under_way == 0 {
            self.vu_teardowns.open = false;
            self.shared.report(Report::VuTeardownsOver);
        }
    }

    /// Accounts for a user's ended teardown.
    pub(super) fn vu_torn_down(&mut self, index: u32, outcome: IterationResult) {
        self.users[index as usize].state = State::Free;
        self.vu_teardowns.under_way -= 1;
        if let IterationResult::Failed(fault) = outcome {
            self.shared.report(Report::UserFailed(fault));
        }
    }

    /// Begins the next teardowns once one has ended.
    pub(super) fn after_vu_teardown(&mut self) {
        if self.vu_teardowns.open {
            self.next_vu_teardowns();
        }
    }

    /// Begins no further teardown and interrupts those that run.
    pub(super) fn cut_vu_teardowns(&mut self) {
        self.vu_teardowns.waiting.clear();
        for index in 0..self.users.len() {
            if self.users[index].state == State::TearingDown {
                let index = u32::try_from(index).expect("fewer than 2^32 users fit in memory");
                self.step(index, |vu, cx| vu.interrupt(InterruptReason::TimedOut, cx));
            }
        }
        self.after_vu_teardown();
    }
}
