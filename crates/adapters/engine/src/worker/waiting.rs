//! Starts that wait for a user when none is free.
//!
//! They are not queued: the pacer knows them all, and a start is taken from it only once a
//! user is reserved. A worker whose starts wait is *starved*. It looks again when it has an
//! idle user or when another worker offers one. One user is made ahead of need.

use std::time::Duration;

use loadline_units::{ScenarioId, Time, WorkerId};
use loadline_vu::DropReason;

use super::Worker;
use crate::command::Command;
use crate::drive;

/// A user is offered to another worker only if that worker's start has waited this much
/// longer: each offer costs two commands between threads.
const WAIT_ADVANTAGE_MIN: Duration = Duration::from_millis(10);

impl Worker {
    /// Begins due starts of `scenario` while there are users.
    pub(super) fn start_waiting(&mut self, scenario: ScenarioId) {
        let was_starved = self.lanes[scenario.index()].starved;
        let mut found_all = true;
        while let Some(due) = self.due(scenario) {
            if !self.start_next(scenario, due) {
                found_all = false;
                break;
            }
        }
        self.lanes[scenario.index()].starved = !found_all;
        if found_all && was_starved {
            self.shared.open_scenario(scenario).waiting.clear(self.id);
        }
    }

    /// When this worker's next start was planned, if it is due.
    fn due(&self, scenario: ScenarioId) -> Option<Time> {
        let pacer = self.lanes[scenario.index()].pacer.as_ref()?;
        pacer.next_at().filter(|at| *at <= self.handle.now())
    }

    /// Begins the next start on a user of any worker. False: the start waits.
    fn start_next(&mut self, scenario: ScenarioId, due: Time) -> bool {
        if self.start_on_idle(scenario) {
            return true;
        }
        let shared = self.shared.clone();
        shared.open_scenario(scenario).waiting.wait(self.id, due);
        if self.start_on_idle(scenario) {
            return true;
        }
        self.want_user(scenario);
        false
    }

    fn start_on_idle(&mut self, scenario: ScenarioId) -> bool {
        let shared = self.shared.clone();
        let open = shared.open_scenario(scenario);
        let worker = if open.idle.reserve(self.id) {
            self.id
        } else if let Some(other) = open.idle.reserve_elsewhere(self.id) {
            other
        } else {
            return false;
        };
        if open.idle.are_none() && open.claim_extra() {
            let (id, maker) = shared.number_user();
            shared.send(maker, Command::MakeExtra { id, scenario });
        }
        self.start_on(worker, scenario);
        true
    }

    /// Begins this worker's next start on a user of `worker` that is reserved for it.
    fn start_on(&mut self, worker: WorkerId, scenario: ScenarioId) {
        let planned = self.take_due(scenario.index(), self.handle.now());
        match planned {
            Some(planned) if worker == self.id => self.start_reserved(scenario, planned),
            Some(planned) => self
                .shared
                .send(worker, Command::Start { scenario, planned }),
            // No start is due any more, so the user becomes idle again. Its own worker may
            // have waiting starts by now, so it is offered there.
            None if worker == self.id => {
                self.shared.open_scenario(scenario).idle.add(worker);
                self.offer_idle(scenario);
            }
            None => self
                .shared
                .send(worker, Command::Offer { worker, scenario }),
        }
    }

    /// Uses an idle user of `worker` that is reserved for a waiting start of this worker.
    pub(super) fn take_offer(&mut self, worker: WorkerId, scenario: ScenarioId) {
        self.start_on(worker, scenario);
        // More starts may be due, and this worker's oldest waiting start has changed.
        self.start_waiting(scenario);
    }

    /// Offers an idle user to the worker whose start has waited longest, unless that is this
    /// worker.
    pub(super) fn offer_idle(&mut self, scenario: ScenarioId) {
        let shared = self.shared.clone();
        if !drive::starts_wait(shared.plan.scenario(scenario)) {
            return;
        }
        let open = shared.open_scenario(scenario);
        let Some((other, since)) = open.waiting.longest_elsewhere(self.id) else {
            return;
        };
        let is_older = self
            .due(scenario)
            .is_none_or(|own| since + WAIT_ADVANTAGE_MIN < own);
        if is_older && open.idle.reserve(self.id) {
            // The offer is for one start; a worker with more announces them again.
            open.waiting.clear(other);
            let worker = self.id;
            shared.send(other, Command::Offer { worker, scenario });
        }
    }

    /// Requests another user after one was made, if starts of other workers still wait.
    pub(super) fn make_more(&mut self, scenario: ScenarioId) {
        let shared = self.shared.clone();
        let waiting = &shared.open_scenario(scenario).waiting;
        if waiting.longest_elsewhere(self.id).is_some() {
            self.want_user(scenario);
        }
    }

    /// Counts the starts that still wait as dropped, because no more begin.
    pub(super) fn drop_waiting(&mut self, scenario: ScenarioId) {
        if !drive::starts_wait(self.shared.plan.scenario(scenario)) {
            return;
        }
        let now = self.handle.now();
        // With idle users at hand it was the generator that did not get to it.
        let reason = if self.shared.open_scenario(scenario).idle.are_none() {
            DropReason::NoFreeUser
        } else {
            DropReason::Late
        };
        while let Some(planned) = self.take_due(scenario.index(), now) {
            self.count_dropped(scenario, planned, reason);
        }
        self.lanes[scenario.index()].starved = false;
        self.shared.open_scenario(scenario).waiting.clear(self.id);
    }
}
