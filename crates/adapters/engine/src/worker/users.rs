//! Users: made, assigned to slots, begun, woken, interrupted, returned to the pool.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use loadline_metrics::builtin;
use loadline_reactor::TaskId;
use loadline_testplan::Executor;
use loadline_units::{ScenarioId, Time, VuId};
use loadline_vu::{
    Cx, Fault, FaultClass, InterruptReason, IterationResult, IterationStatus, StopCause,
    VirtualUser,
};

use super::{STAGE_TASK, Worker};
use crate::command::{Command, Report, SlotNumber, UserRef};
use crate::drive;
use crate::lane::Phase;
use crate::user::{Slot, State, User};

impl Worker {
    pub(super) fn make_users(&mut self, ids: Vec<VuId>) {
        for id in ids {
            if self.shared.stop_requested() {
                return;
            }
            match self.make_user(id) {
                Ok(index) => {
                    let user = self.reference(index);
                    self.shared.notify_conductor(Command::UserReady { user });
                    self.shared.report(Report::UserMade);
                }
                Err(fault) => self.shared.report(Report::UserFailed(fault)),
            }
        }
    }

    /// Makes one more user and assigns it at once. Like k6, a run goes on without one whose own
    /// code fails.
    pub(super) fn make_extra(&mut self, id: VuId, scenario: ScenarioId) {
        let made = self.make_user(id);
        // Before it is assigned: a start that takes it at once may request another user.
        let open = self.shared.open_scenario(scenario);
        open.making_extra.store(false, Ordering::Release);
        match made {
            Ok(index) => {
                self.shared
                    .notify_conductor(Command::ExtraAssigned { scenario });
                self.assign_slot(index, scenario, SlotNumber::MAX);
                self.make_more(scenario);
            }
            Err(fault) if matches!(fault.class, FaultClass::Initialising { .. }) => {
                open.extra_failed.fetch_add(1, Ordering::AcqRel);
                self.shared.report(Report::ExtraFailed { scenario, fault });
            }
            Err(fault) => self.shared.report(Report::UserFailed(fault)),
        }
    }

    fn make_user(&mut self, id: VuId) -> Result<u32, Fault> {
        let index = u32::try_from(self.users.len()).expect("fewer than 2^32 users fit in memory");
        let registration = self.handle.register(TaskId(u64::from(index)));
        let mut cx = Cx {
            reactor: &self.handle,
            waker: registration.waker(),
            shard: &mut self.shard,
            run_state: &self.shared.run_state,
            local: &self.local,
        };
        let vu = self.shared.factory.make(id, &mut cx)?;
        let scenarios = self.lanes.len();
        self.users.push(User::new(vu, registration, scenarios));
        self.shared.run_state.users.fetch_add(1, Ordering::Relaxed);
        Ok(index)
    }

    /// Drops the users one by one, because a user left broken by a panic may panic again.
    pub(crate) fn free_users(&mut self) {
        while let Some(user) = self.users.pop() {
            drop(catch_unwind(AssertUnwindSafe(|| drop(user))));
        }
    }

    fn reference(&self, index: u32) -> UserRef {
        UserRef {
            worker: self.id,
            index,
        }
    }

    /// Assigns a free user to a slot of a scenario.
    pub(super) fn assign_slot(&mut self, index: u32, scenario: ScenarioId, number: SlotNumber) {
        let open_model = self.is_open_model(scenario);
        let user = &mut self.users[index as usize];
        user.slot = Some(Slot {
            scenario,
            number,
            releasing: false,
            begun: 0,
        });
        let run_state = &self.shared.run_state;
        run_state
            .scenario(scenario)
            .users
            .fetch_add(1, Ordering::Relaxed);
        if open_model {
            self.make_idle(index, scenario);
        } else {
            run_state.users_active.fetch_add(1, Ordering::Relaxed);
            self.go_on(index);
        }
    }

    fn is_open_model(&self, scenario: ScenarioId) -> bool {
        drive::is_open_model(&self.shared.plan.scenario(scenario).executor)
    }

    /// Lets an open-model user wait for its next start, or returns it to the pool.
    fn make_idle(&mut self, index: u32, scenario: ScenarioId) {
        let lane = &mut self.lanes[scenario.index()];
        if lane.phase == Phase::Ending {
            return self.send_back(index);
        }
        let now = self.handle.now();
        let user = &mut self.users[index as usize];
        user.state = State::Idle;
        user.idle_since = now;
        lane.idle.push_back(index);
        self.shared.open_scenario(scenario).idle.add(self.id);
        self.offer_idle(scenario);
    }

    /// Lets a closed-model user begin its next iteration, wait while the run is held, or return
    /// to the pool.
    fn go_on(&mut self, index: u32) {
        let Some(slot) = self.users[index as usize].slot else {
            return;
        };
        let now = self.handle.now();
        if slot.releasing || !self.lanes[slot.scenario.index()].admits(now) {
            return self.send_back(index);
        }
        if self.parking {
            self.users[index as usize].state = State::Parked;
            return;
        }
        if self.may_begin_another(slot) {
            self.begin(index, slot.scenario, None, now);
        } else {
            self.send_back(index);
        }
    }

    /// Whether the executor has another iteration for this slot (time aside).
    fn may_begin_another(&self, slot: Slot) -> bool {
        match &self.shared.plan.scenario(slot.scenario).executor {
            Executor::PerVuIterations(e) => slot.begun < e.iterations,
            _ => true,
        }
    }

    /// Takes the number of the next iteration; `None` when all are taken.
    fn take_number(&self, scenario: ScenarioId) -> Option<u64> {
        let begun = &self.shared.run_state.scenario(scenario).begun;
        match &self.shared.plan.scenario(scenario).executor {
            Executor::SharedIterations(e) => begun
                .fetch_update(Ordering::AcqRel, Ordering::Relaxed, |n| {
                    (n < e.iterations).then_some(n + 1)
                })
                .ok(),
            _ => Some(begun.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// Begins an iteration on a user that has a slot.
    pub(super) fn begin(
        &mut self,
        index: u32,
        scenario: ScenarioId,
        planned: Option<Time>,
        started: Time,
    ) {
        let Some(number) = self.take_number(scenario) else {
            return self.send_back(index);
        };
        let run_state = &self.shared.run_state;
        let running = &run_state.scenario(scenario).running;
        running.fetch_add(1, Ordering::Relaxed);
        if let Some(planned) = planned {
            run_state.users_active.fetch_add(1, Ordering::Relaxed);
            let tags = self.lanes[scenario.index()].tags;
            let user = &self.users[index as usize];
            let ready = if drive::starts_wait(self.shared.plan.scenario(scenario)) {
                planned.max(user.idle_since) // a start that waited for a user is not late
            } else {
                planned
            };
            let lag = started.millis_since(ready);
            self.shard.record(builtin::START_LAG, tags, lag);
        }
        let user = &mut self.users[index as usize];
        user.state = State::Running;
        let iteration = user.next_iteration(scenario, number, planned, started);
        self.step(index, |vu, cx| vu.begin(&iteration, cx));
        self.queue_up(index);
    }

    /// Queues a user that is between two iterations, so that users whose iterations never
    /// wait share the thread with the others.
    fn queue_up(&mut self, index: u32) {
        let user = &self.users[index as usize];
        if user.state == State::Between {
            user.registration.waker().wake_by_ref();
        }
    }

    /// Wakes the user with this task id.
    pub(super) fn wake(&mut self, task: TaskId) {
        if task == STAGE_TASK {
            return self.wake_stage();
        }
        let index = u32::try_from(task.0).expect("users' task numbers are their slots");
        let user = &self.users[index as usize];
        user.registration.taken();
        match user.state {
            State::Running => {
                self.step(index, |vu, cx| vu.wake(cx));
                // The iteration may have stopped the run: then none begins any more.
                self.apply_stop();
                // An iteration that waited has already let others run: begin the next at once.
                if self.users[index as usize].state == State::Between {
                    self.go_on(index);
                }
            }
            State::TearingDown => {
                self.step(index, |vu, cx| vu.wake(cx));
                if self.users[index as usize].state == State::Free {
                    self.after_vu_teardown();
                }
            }
            State::Between => self.go_on(index),
            State::Free | State::Idle | State::Parked => {} // woken again after its end
        }
    }

    pub(super) fn step(
        &mut self,
        index: u32,
        call: impl FnOnce(&mut dyn VirtualUser, &mut Cx<'_>) -> IterationStatus,
    ) {
        let user = &mut self.users[index as usize];
        let mut cx = Cx {
            reactor: &self.handle,
            waker: user.registration.waker(),
            shard: &mut self.shard,
            run_state: &self.shared.run_state,
            local: &self.local,
        };
        if let IterationStatus::Done(outcome) = call(user.vu.as_mut(), &mut cx) {
            self.ended(index, outcome);
        }
    }

    /// Accounts for an ended iteration. Afterwards its user is idle or between two iterations.
    fn ended(&mut self, index: u32, outcome: IterationResult) {
        let user = &mut self.users[index as usize];
        if user.state == State::TearingDown {
            return self.vu_torn_down(index, outcome);
        }
        let Some(slot) = user.slot else {
            return;
        };
        user.state = State::Between;
        let began = user.began;
        self.record_latency(slot.scenario, began, &outcome);
        let run_state = &self.shared.run_state;
        let scenario = run_state.scenario(slot.scenario);
        scenario.running.fetch_sub(1, Ordering::Relaxed);
        match outcome {
            IterationResult::Complete | IterationResult::CompleteWithFailure => {
                scenario.complete.fetch_add(1, Ordering::Relaxed);
                run_state.complete.fetch_add(1, Ordering::Relaxed);
            }
            IterationResult::Interrupted => {
                scenario.interrupted.fetch_add(1, Ordering::Relaxed);
                run_state.interrupted.fetch_add(1, Ordering::Relaxed);
            }
            IterationResult::Failed(fault) => {
                scenario.interrupted.fetch_add(1, Ordering::Relaxed);
                run_state.interrupted.fetch_add(1, Ordering::Relaxed);
                run_state.request_stop(StopCause::Failed(fault));
            }
        }
        if self.is_open_model(slot.scenario) {
            run_state.users_active.fetch_sub(1, Ordering::Relaxed);
            self.make_idle(index, slot.scenario);
        }
    }

    /// Takes a user's slot away and reports it to the conductor.
    fn send_back(&mut self, index: u32) {
        let user = &mut self.users[index as usize];
        let Some(slot) = user.slot.take() else {
            return;
        };
        user.state = State::Free;
        let run_state = &self.shared.run_state;
        run_state
            .scenario(slot.scenario)
            .users
            .fetch_sub(1, Ordering::Relaxed);
        if !self.is_open_model(slot.scenario) {
            run_state.users_active.fetch_sub(1, Ordering::Relaxed);
        }
        self.shared.notify_conductor(Command::Returned {
            user: self.reference(index),
            scenario: slot.scenario,
            slot: slot.number,
        });
    }

    /// Returns the users of `scenario` that run no iteration to the pool.
    pub(super) fn return_idle(&mut self, scenario: ScenarioId) {
        self.lanes[scenario.index()].idle.clear();
        for index in self.users_of(scenario) {
            if self.users[index as usize].state != State::Running {
                self.send_back(index);
            }
        }
    }

    fn users_of(&self, scenario: ScenarioId) -> Vec<u32> {
        (0_u32..)
            .zip(&self.users)
            .filter(|(_, user)| user.slot.is_some_and(|slot| slot.scenario == scenario))
            .map(|(index, _)| index)
            .collect()
    }

    pub(super) fn release_slot(&mut self, index: u32) {
        let user = &mut self.users[index as usize];
        let Some(slot) = &mut user.slot else {
            return;
        };
        slot.releasing = true;
        if user.state == State::Parked {
            self.send_back(index);
        }
    }

    pub(super) fn keep_slot(&mut self, index: u32) {
        if let Some(slot) = &mut self.users[index as usize].slot {
            slot.releasing = false;
        }
    }

    /// Interrupts a user's iteration and returns the user to the pool.
    pub(super) fn cut(&mut self, index: u32) {
        self.release_slot(index);
        if self.users[index as usize].state == State::Running {
            let why = if self.stopped {
                InterruptReason::RunStops
            } else {
                InterruptReason::GraceOver
            };
            self.step(index, |vu, cx| vu.interrupt(why, cx));
            self.queue_up(index);
        }
    }

    /// Interrupts the iteration of a user that the scenario's ramp-down takes away. What is cut
    /// by it is what the test asks for.
    pub(super) fn ramp_down(&mut self, index: u32) {
        let before = self.local.cut_requests();
        self.cut(index);
        let cut = self.local.cut_requests().saturating_sub(before);
        let counter = &self.shared.run_state.ramped_down_requests;
        counter.fetch_add(cut, Ordering::Relaxed);
    }

    /// Interrupts all iterations of `scenario`.
    pub(super) fn cut_lane(&mut self, scenario: ScenarioId) {
        for index in self.users_of(scenario) {
            self.cut(index);
        }
    }

    /// Lets parked users continue.
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
