//! How requests end: answered, refused, cut when the load is over, or lost with the process; and what is
//! counted of them.

use crate::parts::{STATIONS, Station};
use crate::plan::{Action, Load, Spent, Step};

use super::clockwork::Event;
use super::{MS_PER_S, Origin, Outcome, PAGE_TIMEOUT_MS, Simulation, counters};

impl Simulation<'_> {
    /// Charges the step's time to what it was spent on.
    pub(super) fn account(&mut self, request: usize, step: Step) {
        let one = &mut self.requests[request];
        let ms = self.now - one.step_began;
        let is_entered = !one.entered.is_nan();
        match step.spent {
            Spent::Before if matches!(step.action, Action::Work(Station::Line, _)) => {
                one.line_ms += ms;
            }
            Spent::Before | Spent::Own => {}
            Spent::Pool if is_entered => one.spent[0] += ms,
            Spent::Sql(number) => {
                one.spent[1] += ms;
                self.counters.statement(number, step.calls, ms);
            }
            Spent::Outside => {
                one.spent[2] += ms;
                if one.held & (1 << Station::Pool as u16) != 0 {
                    one.held_outside += ms;
                }
                self.counters.outside_active -= 1.0;
                self.counters.outside_calls += 1.0;
                self.counters.outside_time += ms / MS_PER_S;
            }
            Spent::Message => {
                one.spent[3] += ms;
                self.counters.redis_commands += 1.0;
            }
            Spent::Pool => {}
        }
        if matches!(step.action, Action::Work(Station::DbDisk, _)) {
            self.counters.database_io += ms / MS_PER_S;
        }
    }

    /// The target has answered.
    pub(super) fn leave(&mut self, request: usize) {
        let one = &self.requests[request];
        self.counters.active -= 1.0;
        let ms = self.now - one.entered;
        let is_failed = one.status >= 500;
        match one.origin {
            Origin::Own | Origin::Other => {
                let is_tail = self.recent.is_slow(ms);
                self.counters.left(counters::Left {
                    program: one.program,
                    ms,
                    is_failed,
                    is_tail,
                    spent: one.spent,
                    held_ms: one.held_outside,
                });
                self.counters.sent += self.plan.bytes;
                self.collect();
            }
            Origin::Health => self.counters.health += 1.0,
            Origin::Page => self.counters.scrapes += 1.0,
        }
    }

    /// What a request allocates is collected at some time, or kills.
    pub(super) fn collect(&mut self) {
        let machine = self.plan.machine;
        self.counters.allocated += machine.allocated;
        self.counters.young += machine.allocated;
        self.counters.leaked += machine.leaked;
        if self.counters.young >= machine.young {
            self.counters.young = 0.0;
            self.cpu.stop(self.now, machine.pause_ms);
            self.counters.pauses += 1.0;
            self.counters.pause_time += machine.pause_ms / MS_PER_S;
            self.counters.cpu += machine.pause_ms / MS_PER_S;
        }
        if machine.heap_live + self.counters.leaked > machine.heap_max && !self.is_dead {
            self.die();
        }
    }

    pub(super) fn die(&mut self) {
        self.is_dead = true;
        self.played.died_ms = Some(self.now);
        for request in 0..self.requests.len() {
            let one = &self.requests[request];
            if one.is_alive && one.origin == Origin::Own && !one.is_left {
                self.answer(request, 0, false);
            }
            self.requests[request].is_alive = false;
            self.requests[request].held = 0;
        }
        self.queues = Default::default();
        self.counters.busy = [0.0; STATIONS];
        self.counters.waiting = [0.0; STATIONS];
    }

    pub(super) fn finish(&mut self, request: usize) {
        match self.requests[request].origin {
            Origin::Own if !self.requests[request].is_left => {
                let status = self.requests[request].status;
                self.answer(request, status, false);
            }
            Origin::Page => {
                self.page_out = false;
                let asked = self.page_asked;
                if self.now - asked <= PAGE_TIMEOUT_MS {
                    let look = self
                        .counters
                        .look(f64::midpoint(asked, self.now), &self.cpu);
                    self.played.pages.push(look);
                } else {
                    self.played.failed_pages.push(asked + PAGE_TIMEOUT_MS);
                }
            }
            _ => {}
        }
        self.end_request(request);
    }

    pub(super) fn end_request(&mut self, request: usize) {
        if self.requests[request].is_alive {
            self.requests[request].is_alive = false;
            self.free.push(request);
        }
    }

    pub(super) fn answer_refused(&mut self, request: usize) {
        self.requests[request].sent -= 0.4;
        self.answer(request, 0, false);
        if let Some(last) = self.played.outcomes.last_mut() {
            last.is_refused = true;
        }
    }

    /// The caller has its answer, or has none and goes.
    pub(super) fn answer(&mut self, request: usize, status: u16, is_cut: bool) {
        let one = &mut self.requests[request];
        one.is_left = true;
        self.played.outcomes.push(Outcome {
            sent_ms: one.sent,
            took_ms: self.now - one.sent,
            status,
            is_cut,
            is_refused: false,
            receiving_ms: 0.05 + 0.9 * one.line_ms,
        });
        self.users -= 1;
        if let Load::Closed { think_ms, .. } = self.plan.load
            && !is_cut
        {
            // A user who is refused at once does not ask again at once.
            let pause =
                think_ms * self.dice.between(0.5, 1.5) + if self.is_dead { 100.0 } else { 0.0 };
            self.clockwork.add(self.now + pause, Event::User);
        }
    }

    /// The load is over: what is under way is cut.
    pub(super) fn cut(&mut self) {
        for station in Station::ALL {
            if let Some(since) = self.queues[station as usize].full_since {
                self.add_full(station, since);
                self.queues[station as usize].full_since = Some(self.now);
            }
        }
        for request in 0..self.requests.len() {
            let one = &self.requests[request];
            if one.is_alive && one.origin == Origin::Own && !one.is_left {
                self.answer(request, 0, true);
            }
        }
    }

    pub(super) fn look(&mut self) {
        let at = self.now;
        let look = self.counters.look(at, &self.cpu);
        self.played.looks.push(look);
        let next = (at / MS_PER_S).floor() * MS_PER_S + MS_PER_S;
        self.clockwork
            .add(next + self.dice.between(1.0, 12.0), Event::Look);
        if self.is_dead {
            self.played.failed_pages.push(at);
        } else if !self.plan.page_queues {
            self.played
                .pages
                .push(self.counters.look(at + 2.0, &self.cpu));
        } else if !self.page_out {
            self.page_out = true;
            self.page_asked = at;
            self.start(Origin::Page);
        }
    }
}
