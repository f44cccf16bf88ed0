//! Planned starts: finding a user for each, here, elsewhere, or not at all.

use std::sync::atomic::Ordering;

use loadline_metrics::builtin;
use loadline_units::{ScenarioId, Time};

use super::Worker;
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
        let board = self.shared.board.scenario(super::scenario_id(lane));
        board.planned.fetch_add(1, Ordering::Relaxed);
        Some(planned)
    }

    /// Finds a user for a start: one of ours, else another worker's, else none.
    fn place(&mut self, scenario: ScenarioId, planned: Time) {
        let shared = self.shared.clone();
        let idle = &shared.open_scenario(scenario).idle;
        let executor = &shared.plan.scenario(scenario).executor;
        let as_they_come = drive::makes_users_as_they_come(executor);
        if as_they_come && !self.is_room(scenario, planned) {
            return self.count_dropped(scenario, planned);
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
        let board = self.shared.board.scenario(scenario);
        let began = board.started().unwrap_or(planned);
        match drive::most_at(executor, planned.since(began)) {
            None => true,
            Some(most) => board.running.load(Ordering::Relaxed) < most,
        }
    }

    /// Makes a user for a start and begins on it at once.
    fn start_on_new(&mut self, scenario: ScenarioId, planned: Time) {
        let (id, _) = self.shared.number_user();
        self.make_extra(id, scenario);
        let shared = self.shared.clone();
        if shared.open_scenario(scenario).idle.reserve(self.id) {
            self.start_reserved(scenario, planned);
        } else {
            // It could not be made, or another worker was quicker to take it.
            self.count_dropped(scenario, planned);
        }
    }

    /// Runs a start on one of our idle users, which is reserved for it.
    pub(super) fn start_reserved(&mut self, scenario: ScenarioId, planned: Time) {
        let lane = &mut self.lanes[scenario.index()];
        let Some(slot) = lane.idle.pop_front() else {
            // The lane was closed between the reservation and here, and sent its users
            // back: the start never happens, and is counted.
            return self.count_dropped(scenario, planned);
        };
        let started = self.handle.now();
        self.begin(slot, scenario, Some(planned), started);
    }

    /// Asks for one more user if the plan allows it; tells when it never will again.
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
                .board
                .scenario(scenario)
                .users
                .load(Ordering::Relaxed);
            self.shared.report(Report::OutOfUsers { scenario, active });
        }
    }

    /// A start without a user: counted, and a reason to make one more if the plan allows.
    fn drop_start(&mut self, scenario: ScenarioId, planned: Time) {
        self.count_dropped(scenario, planned);
        self.want_user(scenario);
    }

    /// Counts a start that never happens. What it waited is the least its latency would have
    /// been.
    pub(super) fn count_dropped(&mut self, scenario: ScenarioId, planned: Time) {
        let board = self.shared.board.scenario(scenario);
        board.dropped.fetch_add(1, Ordering::Relaxed);
        let tags = self.lanes[scenario.index()].tags;
        self.shard.record(builtin::DROPPED_ITERATIONS, tags, 1.0);
        let waited = self.handle.now().millis_since(planned);
        self.record_censored(tags, waited);
    }
}
