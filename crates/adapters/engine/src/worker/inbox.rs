//! What a worker does with each command.

use loadline_units::{ScenarioId, Time};

use super::Worker;
use crate::command::Command;
use crate::lane::Phase;
use crate::pacer::Pacer;

impl Worker {
    pub(super) fn drain_inbox(&mut self) {
        while let Some(command) = self.inbox.commands.pop() {
            self.handle_command(command);
        }
    }

    fn handle_command(&mut self, command: Command) {
        match command {
            Command::OpenWindows { origin } => self.windows.open(origin),
            Command::MakeUsers { ids } => self.make_users(ids),
            Command::MakeExtra { id, scenario } => self.make_extra(id, scenario),
            Command::OpenLane {
                scenario,
                from,
                until,
            } => self.open_lane(scenario, from, until),
            Command::AssignSlot {
                index,
                scenario,
                slot,
            } => self.assign_slot(index, scenario, slot),
            Command::ReleaseSlot { index } => self.release_slot(index),
            Command::KeepSlot { index } => self.keep_slot(index),
            Command::Cut { index } => self.ramp_down(index),
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
            Command::RunVuTeardowns => self.begin_vu_teardowns(),
            Command::CutVuTeardowns => self.cut_vu_teardowns(),
            Command::CloseWindows => {
                // Iterations that a stop interrupts still belong to the last window.
                self.apply_stop();
                self.close_windows();
            }
            Command::Exit => self.exiting = true,
            Command::Begin { .. }
            | Command::Returned { .. }
            | Command::StartsEnded { .. }
            | Command::ExtraAssigned { .. }
            | Command::UserReady { .. }
            | Command::Hold
            | Command::Resume
            | Command::SetLevel { .. } => {
                if let Some(conductor) = &mut self.conductor {
                    conductor.handle(command, self.handle.now());
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

    /// Plans no more starts of `scenario`. Due starts are placed first, also one planned for
    /// the very end. Idle users stay for starts that other workers hand over.
    fn end_starts(&mut self, scenario: ScenarioId) {
        self.start_due();
        self.drop_waiting(scenario);
        self.lanes[scenario.index()].pacer = None;
        self.shared
            .notify_conductor(Command::StartsEnded { scenario });
    }

    /// Begins no more iterations of `scenario`. Users that run none return to the pool at once.
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
