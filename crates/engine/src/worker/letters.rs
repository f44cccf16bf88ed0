//! What a worker does with each letter.

use loadline_units::{ScenarioId, Time};

use super::Worker;
use crate::command::Command;
use crate::lane::Phase;
use crate::pacer::Pacer;

impl Worker {
    pub(super) fn take_letters(&mut self) {
        while let Some(letter) = self.inbox.letters.pop() {
            self.obey(letter);
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::OpenWindows { origin } => self.windows.open(origin),
            Command::MakeUsers { ids } => self.make_users(ids),
            Command::MakeExtra { id, scenario } => self.make_extra(id, scenario),
            Command::OpenLane {
                scenario,
                from,
                until,
            } => self.open_lane(scenario, from, until),
            Command::Seat {
                slot,
                scenario,
                seat,
            } => self.seat(slot, scenario, seat),
            Command::Unseat { slot } => self.unseat(slot),
            Command::Keep { slot } => self.keep(slot),
            Command::Cut { slot } => self.cut(slot),
            Command::EndStarts { scenario } => self.end_starts(scenario),
            Command::CloseLane { scenario } => self.close_lane(scenario),
            Command::CutLane { scenario } => self.cut_lane(scenario),
            Command::Start { scenario, planned } => self.start_reserved(scenario, planned),
            Command::Offer { worker, scenario } => self.take_offer(worker, scenario),
            Command::Reshape {
                scenario,
                at,
                shape,
                shape_from,
            } => {
                if let Some(pacer) = &mut self.lanes[scenario.index()].pacer {
                    pacer.reshape(at, &shape, shape_from);
                }
            }
            Command::Park => self.parking = true,
            Command::Unpark => self.unpark(),
            Command::RunStage(stage) => self.run_stage(stage),
            Command::CutStage(why) => self.cut_stage(why),
            Command::Farewell => self.begin_farewells(),
            Command::CutFarewells => self.cut_farewells(),
            Command::CloseWindows => {
                // What a stop cuts still belongs to the last window.
                self.heed_stop();
                self.close_windows();
            }
            Command::Leave => self.leaving = true,
            Command::Begin { .. }
            | Command::Returned { .. }
            | Command::StartsEnded { .. }
            | Command::ExtraSeated { .. }
            | Command::UserReady { .. }
            | Command::Hold
            | Command::Resume
            | Command::SetLevel { .. } => {
                if let Some(conductor) = &mut self.conductor {
                    conductor.hear(command, self.handle.now());
                }
            }
        }
    }

    fn open_lane(&mut self, scenario: ScenarioId, from: Time, until: Time) {
        let schedule = self.shared.plan.scenario(scenario).executor.arrivals();
        let stride = self.shared.options.workers as u64;
        let first = self.id.index() as u64;
        let lane = &mut self.lanes[scenario.index()];
        lane.phase = Phase::Open;
        lane.until = until;
        lane.pacer = schedule.map(|schedule| Pacer::new(schedule, from, first, stride));
    }

    /// Plans no more starts of `scenario`. Those that are due, one planned for the very end
    /// among them, are placed first; idle users stay for what other workers hand over.
    fn end_starts(&mut self, scenario: ScenarioId) {
        self.start_due();
        self.drop_waiting(scenario);
        self.lanes[scenario.index()].pacer = None;
        self.shared
            .tell_conductor(Command::StartsEnded { scenario });
    }

    /// Begins no more iterations of `scenario`; users that run none come back at once.
    pub(super) fn close_lane(&mut self, scenario: ScenarioId) {
        if self.lanes[scenario.index()].phase == Phase::Ending {
            return;
        }
        self.drop_waiting(scenario);
        let lane = &mut self.lanes[scenario.index()];
        lane.phase = Phase::Ending;
        lane.pacer = None;
        self.return_idle(scenario);
    }
}
