//! Users: made, seated, begun, woken, cut, sent back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use loadline_metrics::builtin;
use loadline_reactor::TaskId;
use loadline_testplan::Executor;
use loadline_units::{ScenarioId, Time, VuId};
use loadline_vu::{Cx, Outcome, Step, StopCause, VirtualUser, Why};

use super::{STAGE_TASK, Worker};
use crate::command::{Command, Report, SeatNumber, UserRef};
use crate::drive;
use crate::lane::Phase;
use crate::user::{Seat, State, User};

impl Worker {
    pub(super) fn make_users(&mut self, ids: Vec<VuId>) {
        for id in ids {
            if self.shared.stop_requested() {
                return;
            }
            if let Some(slot) = self.make_user(id) {
                let user = self.reference(slot);
                self.shared.tell_conductor(Command::UserReady { user });
                self.shared.report(Report::UserMade);
            }
        }
    }

    /// Makes one more user and seats it at once.
    pub(super) fn make_extra(&mut self, id: VuId, scenario: ScenarioId) {
        let made = self.make_user(id);
        // Before it is seated: who starts on it at once may ask for another.
        let open = self.shared.open_scenario(scenario);
        open.making_extra.store(false, Ordering::Release);
        if let Some(slot) = made {
            self.shared
                .tell_conductor(Command::ExtraSeated { scenario });
            self.seat(slot, scenario, SeatNumber::MAX);
            self.make_more(scenario);
        }
    }

    fn make_user(&mut self, id: VuId) -> Option<u32> {
        let slot = u32::try_from(self.users.len()).expect("fewer than 2^32 users fit in memory");
        let registration = self.handle.register(TaskId(u64::from(slot)));
        let mut cx = Cx {
            reactor: &self.handle,
            waker: registration.waker(),
            shard: &mut self.shard,
            board: &self.shared.board,
            local: &self.local,
        };
        match self.shared.factory.make(id, &mut cx) {
            Ok(vu) => {
                let scenarios = self.lanes.len();
                self.users.push(User::new(vu, registration, scenarios));
                self.shared.board.users.fetch_add(1, Ordering::Relaxed);
                Some(slot)
            }
            Err(fault) => {
                self.shared.report(Report::UserFailed(fault));
                None
            }
        }
    }

    /// Frees the users one by one: one that a panic left half done may panic again.
    pub(crate) fn free_users(&mut self) {
        while let Some(user) = self.users.pop() {
            drop(catch_unwind(AssertUnwindSafe(|| drop(user))));
        }
    }

    fn reference(&self, slot: u32) -> UserRef {
        UserRef {
            worker: self.id,
            slot,
        }
    }

    /// Gives a free user to a scenario.
    pub(super) fn seat(&mut self, slot: u32, scenario: ScenarioId, number: SeatNumber) {
        let open_model = self.is_open_model(scenario);
        let user = &mut self.users[slot as usize];
        user.seat = Some(Seat {
            scenario,
            number,
            leaving: false,
            begun: 0,
        });
        let board = &self.shared.board;
        board
            .scenario(scenario)
            .users
            .fetch_add(1, Ordering::Relaxed);
        if open_model {
            self.make_idle(slot, scenario);
        } else {
            board.users_active.fetch_add(1, Ordering::Relaxed);
            self.go_on(slot);
        }
    }

    fn is_open_model(&self, scenario: ScenarioId) -> bool {
        drive::is_open_model(&self.shared.plan.scenario(scenario).executor)
    }

    /// Lets an open-model user wait for its next start, or sends it back.
    fn make_idle(&mut self, slot: u32, scenario: ScenarioId) {
        let lane = &mut self.lanes[scenario.index()];
        if lane.phase == Phase::Ending {
            return self.send_back(slot);
        }
        let now = self.handle.now();
        let user = &mut self.users[slot as usize];
        user.state = State::Idle;
        user.idle_since = now;
        lane.idle.push_back(slot);
        self.shared.open_scenario(scenario).idle.add(self.id);
        self.offer_idle(scenario);
    }

    /// What a seated closed-model user does next: an iteration, a pause, or the way back.
    fn go_on(&mut self, slot: u32) {
        let Some(seat) = self.users[slot as usize].seat else {
            return;
        };
        let now = self.handle.now();
        if seat.leaving || !self.lanes[seat.scenario.index()].admits(now) {
            return self.send_back(slot);
        }
        if self.parking {
            self.users[slot as usize].state = State::Parked;
            return;
        }
        if self.may_begin_another(seat) {
            self.begin(slot, seat.scenario, None, now);
        } else {
            self.send_back(slot);
        }
    }

    /// Whether the seat's executor still has an iteration for it (apart from time).
    fn may_begin_another(&self, seat: Seat) -> bool {
        match &self.shared.plan.scenario(seat.scenario).executor {
            Executor::PerVuIterations(e) => seat.begun < e.iterations,
            _ => true,
        }
    }

    /// Takes the number of the next iteration; `None` when all are taken.
    fn take_number(&self, scenario: ScenarioId) -> Option<u64> {
        let begun = &self.shared.board.scenario(scenario).begun;
        match &self.shared.plan.scenario(scenario).executor {
            Executor::SharedIterations(e) => begun
                .fetch_update(Ordering::AcqRel, Ordering::Relaxed, |n| {
                    (n < e.iterations).then_some(n + 1)
                })
                .ok(),
            _ => Some(begun.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// Begins an iteration on a seated user.
    pub(super) fn begin(
        &mut self,
        slot: u32,
        scenario: ScenarioId,
        planned: Option<Time>,
        started: Time,
    ) {
        let Some(number) = self.take_number(scenario) else {
            return self.send_back(slot);
        };
        let board = &self.shared.board;
        let running = &board.scenario(scenario).running;
        running.fetch_add(1, Ordering::Relaxed);
        if let Some(planned) = planned {
            board.users_active.fetch_add(1, Ordering::Relaxed);
            let tags = self.lanes[scenario.index()].tags;
            let user = &self.users[slot as usize];
            let ready = if drive::starts_wait(self.shared.plan.scenario(scenario)) {
                planned.max(user.idle_since) // a start that waited for a user is not late
            } else {
                planned
            };
            let lag = started.millis_since(ready);
            self.shard.record(builtin::START_LAG, tags, lag);
        }
        let user = &mut self.users[slot as usize];
        user.state = State::Running;
        let iteration = user.next_iteration(scenario, number, planned, started);
        self.step(slot, |vu, cx| vu.begin(&iteration, cx));
        self.queue_up(slot);
    }

    /// Lets a user that is between two iterations begin the next when its turn comes, so
    /// that users whose iterations never wait share the thread with those that do.
    fn queue_up(&mut self, slot: u32) {
        let user = &self.users[slot as usize];
        if user.state == State::Between {
            user.registration.waker().wake_by_ref();
        }
    }

    /// Wakes whoever has this task number.
    pub(super) fn wake(&mut self, task: TaskId) {
        if task == STAGE_TASK {
            return self.wake_stage();
        }
        let slot = u32::try_from(task.0).expect("users' task numbers are their slots");
        let user = &self.users[slot as usize];
        user.registration.taken();
        match user.state {
            State::Running => {
                self.step(slot, |vu, cx| vu.wake(cx));
                // An iteration that waited had its turn of waiting: the next follows it.
                if self.users[slot as usize].state == State::Between {
                    self.go_on(slot);
                }
            }
            State::Leaving => {
                self.step(slot, |vu, cx| vu.wake(cx));
                if self.users[slot as usize].state == State::Free {
                    self.after_leaving();
                }
            }
            State::Between => self.go_on(slot),
            State::Free | State::Idle | State::Parked => {} // woken once more after its end
        }
    }

    pub(super) fn step(
        &mut self,
        slot: u32,
        call: impl FnOnce(&mut dyn VirtualUser, &mut Cx<'_>) -> Step,
    ) {
        let user = &mut self.users[slot as usize];
        let mut cx = Cx {
            reactor: &self.handle,
            waker: user.registration.waker(),
            shard: &mut self.shard,
            board: &self.shared.board,
            local: &self.local,
        };
        if let Step::Done(outcome) = call(user.vu.as_mut(), &mut cx) {
            self.ended(slot, outcome);
        }
    }

    /// Accounts for an ended iteration; its user is idle then, or between two iterations.
    fn ended(&mut self, slot: u32, outcome: Outcome) {
        let user = &mut self.users[slot as usize];
        if user.state == State::Leaving {
            return self.left(slot, outcome);
        }
        let Some(seat) = user.seat else {
            return;
        };
        user.state = State::Between;
        let began = user.began;
        let is_complete = matches!(outcome, Outcome::Complete);
        self.record_latency(seat.scenario, began, is_complete);
        let board = &self.shared.board;
        let scenario = board.scenario(seat.scenario);
        scenario.running.fetch_sub(1, Ordering::Relaxed);
        match outcome {
            Outcome::Complete => {
                scenario.complete.fetch_add(1, Ordering::Relaxed);
                board.complete.fetch_add(1, Ordering::Relaxed);
            }
            Outcome::Interrupted => {
                scenario.interrupted.fetch_add(1, Ordering::Relaxed);
                board.interrupted.fetch_add(1, Ordering::Relaxed);
            }
            Outcome::Failed(fault) => {
                scenario.interrupted.fetch_add(1, Ordering::Relaxed);
                board.interrupted.fetch_add(1, Ordering::Relaxed);
                board.request_stop(StopCause::Failed(fault));
            }
        }
        if self.is_open_model(seat.scenario) {
            board.users_active.fetch_sub(1, Ordering::Relaxed);
            self.make_idle(slot, seat.scenario);
        }
    }

    /// Takes a user's seat away and tells the conductor.
    fn send_back(&mut self, slot: u32) {
        let user = &mut self.users[slot as usize];
        let Some(seat) = user.seat.take() else {
            return;
        };
        user.state = State::Free;
        let board = &self.shared.board;
        board
            .scenario(seat.scenario)
            .users
            .fetch_sub(1, Ordering::Relaxed);
        if !self.is_open_model(seat.scenario) {
            board.users_active.fetch_sub(1, Ordering::Relaxed);
        }
        self.shared.tell_conductor(Command::Returned {
            user: self.reference(slot),
            scenario: seat.scenario,
            seat: seat.number,
        });
    }

    /// Sends back the users of `scenario` that run no iteration.
    pub(super) fn return_idle(&mut self, scenario: ScenarioId) {
        self.lanes[scenario.index()].idle.clear();
        for slot in self.seated_in(scenario) {
            if self.users[slot as usize].state != State::Running {
                self.send_back(slot);
            }
        }
    }

    fn seated_in(&self, scenario: ScenarioId) -> Vec<u32> {
        (0_u32..)
            .zip(&self.users)
            .filter(|(_, user)| user.seat.is_some_and(|seat| seat.scenario == scenario))
            .map(|(slot, _)| slot)
            .collect()
    }

    pub(super) fn unseat(&mut self, slot: u32) {
        let user = &mut self.users[slot as usize];
        let Some(seat) = &mut user.seat else {
            return;
        };
        seat.leaving = true;
        if user.state == State::Parked {
            self.send_back(slot);
        }
    }

    pub(super) fn keep(&mut self, slot: u32) {
        if let Some(seat) = &mut self.users[slot as usize].seat {
            seat.leaving = false;
        }
    }

    /// Cuts a user's iteration; it comes back.
    pub(super) fn cut(&mut self, slot: u32) {
        self.unseat(slot);
        if self.users[slot as usize].state == State::Running {
            let why = if self.stopped {
                Why::RunStops
            } else {
                Why::GraceOver
            };
            self.step(slot, |vu, cx| vu.interrupt(why, cx));
            self.queue_up(slot);
        }
    }

    /// Cuts all iterations of `scenario`.
    pub(super) fn cut_lane(&mut self, scenario: ScenarioId) {
        for slot in self.seated_in(scenario) {
            self.cut(slot);
        }
    }

    /// Parked users go on.
    pub(super) fn unpark(&mut self) {
        self.parking = false;
        for user in &mut self.users {
            if user.state == State::Parked {
                user.state = State::Between;
                user.registration.waker().wake_by_ref();
            }
        }
    }
}
