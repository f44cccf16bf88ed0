//! Planned starts: each gets a user of this worker or of another, or is dropped.

use std::sync::atomic::Ordering;

use loadline_metrics::builtin;
use loadline_units::{ScenarioId, Time};
use loadline_vu::DropReason;

use super::{STALL_MIN, Worker};
use crate::command::{Command, Report};
use crate::drive;

impl Worker {
    /// Starts everything that is due.
    pub(super) fn start_due(&mut self) {
        for index in 0..self.lanes.len() {
            let Some(pacer) = &self.lanes[index].pacer else {
                continue;
            };
            let Some(at) = pacer.next_at() else {
                continue;
            };
            let mut now = self.handle.now();
            if at > now {
                continue;
            }
            let scenario = super::scenario_id(index);
            if drive::starts_wait(self.shared.plan.scenario(scenario)) {
                self.start_waiting(scenario);
                continue;
            }
            while let Some(planned) = self.take_due(index, now) {
                self.place(scenario, planned);
                now = self.handle.now();
            }
        }
    }

    pub(super) fn take_due(&mut self, lane: usize, now: Time) -> Option<Time> {
        let planned = self.lanes[lane].pacer.as_mut()?.take_due(now)?;
        let state = self.shared.run_state.scenario(super::scenario_id(lane));
        state.planned.fetch_add(1, Ordering::Relaxed);
        Some(planned)
    }

    /// Gives a start to an idle user of this worker, else of another; else drops it.
    fn place(&mut self, scenario: ScenarioId, planned: Time) {
        let shared = self.shared.clone();
        let idle = &shared.open_scenario(scenario).idle;
        let executor = &shared.plan.scenario(scenario).executor;
        let as_they_come = drive::makes_users_as_they_come(executor);
        if as_they_come && !self.is_room(scenario, planned) {
            return self.count_dropped(scenario, planned, DropReason::UserLimit);
        }
        if idle.reserve(self.id) {
            self.start_reserved(scenario, planned);
        } else if let Some(worker) = idle.reserve_elsewhere(self.id) {
            shared.send(worker, Command::Start { scenario, planned });
        } else if as_they_come {
            self.start_on_new(scenario, planned);
        } else {
            self.drop_start(scenario, planned);
        }
    }

    /// Whether one more user may run at the time of a start.
    fn is_room(&self, scenario: ScenarioId, planned: Time) -> bool {
        let executor = &self.shared.plan.scenario(scenario).executor;
        let state = self.shared.run_state.scenario(scenario);
        let began = state.started().unwrap_or(planned);
        match drive::most_at(executor, planned.since(began)) {
            None => true,
            Some(most) => state.running.load(Ordering::Relaxed) < most,
        }
    }

    /// Makes a user for a start and begins the iteration on it at once.
    fn start_on_new(&mut self, scenario: ScenarioId, planned: Time) {
        let (id, _) = self.shared.number_user();
        self.make_extra(id, scenario);
        let shared = self.shared.clone();
        if shared.open_scenario(scenario).idle.reserve(self.id) {
            self.start_reserved(scenario, planned);
        } else {
            // The user could not be made, or another worker reserved it first.
            self.count_dropped(scenario, planned, DropReason::NoUserMade);
        }
    }

    /// Runs a start on an idle user of this worker that is reserved for it.
    pub(super) fn start_reserved(&mut self, scenario: ScenarioId, planned: Time) {
        let lane = &mut self.lanes[scenario.index()];
        let Some(index) = lane.idle.pop_front() else {
            // The lane was closed after the reservation and returned its users. The start
            // is counted as dropped.
            return self.count_dropped(scenario, planned, DropReason::TimeOver);
        };
        let started = self.handle.now();
        self.begin(index, scenario, Some(planned), started);
    }

    /// Requests one more user if the plan allows it; reports once when it allows no more.
    pub(super) fn want_user(&mut self, scenario: ScenarioId) {
        let open = self.shared.open_scenario(scenario);
        if open.claim_extra() {
            let (id, worker) = self.shared.number_user();
            self.shared
                .send(worker, Command::MakeExtra { id, scenario });
        } else if open.extra_left.load(Ordering::Acquire) == 0
            && !open.making_extra.load(Ordering::Acquire)
            && !open.warned.swap(true, Ordering::AcqRel)
        {
            let active = self
                .shared
                .run_state
                .scenario(scenario)
                .users
                .load(Ordering::Relaxed)
                + open.extra_failed.load(Ordering::Acquire);
            self.shared.report(Report::OutOfUsers { scenario, active });
        }
    }

    /// Drops a start without a user, and requests one more user.
    fn drop_start(&mut self, scenario: ScenarioId, planned: Time) {
        // Starts that come all at once after a stall find fewer users than one by one.
        let late = self.handle.now().since(planned);
        let reason = if late > STALL_MIN {
            DropReason::Late
        } else {
            DropReason::NoFreeUser
        };
        self.count_dropped(scenario, planned, reason);
        self.want_user(scenario);
    }

    /// Counts a dropped start. The time it waited is a lower bound of its latency.
    pub(super) fn count_dropped(
        &mut self,
        scenario: ScenarioId,
        planned: Time,
        reason: DropReason,
    ) {
        let state = self.shared.run_state.scenario(scenario);
        state.drop_starts(reason, 1);
        let tags = self.lanes[scenario.index()].tags;
        self.shard.record(builtin::DROPPED_ITERATIONS, tags, 1.0);
        let waited = self.handle.now().millis_since(planned);
        self.record_censored(tags, waited);
    }
}
