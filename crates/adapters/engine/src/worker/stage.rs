//! Set-up, teardown and summary: stages run by a user of their own, on the first worker.

use loadline_vu::{
    Cx, InterruptReason, Iteration, IterationKind, IterationResult, IterationStatus,
    LifecycleStage, VirtualUser,
};

use super::{STAGE_TASK, StageRun, Worker};
use crate::command::Report;

impl Worker {
    pub(super) fn run_stage(&mut self, stage: LifecycleStage) {
        let registration = self.handle.register(STAGE_TASK);
        let mut cx = Cx {
            reactor: &self.handle,
            waker: registration.waker(),
            shard: &mut self.shard,
            run_state: &self.shared.run_state,
            local: &self.local,
        };
        let mut vu = match self.shared.factory.make_for_stage(stage, &mut cx) {
            Ok(Some(vu)) => vu,
            Ok(None) => return self.shared.report(Report::StageEnded(stage, None)),
            Err(fault) => {
                let outcome = Some(IterationResult::Failed(fault));
                return self.shared.report(Report::StageEnded(stage, outcome));
            }
        };
        let iteration = Iteration {
            work: IterationKind::Stage(stage),
            of_user: 0,
            of_user_in_scenario: 0,
            planned: None,
            started: cx.now(),
        };
        let step = vu.begin(&iteration, &mut cx);
        self.stage = Some(StageRun {
            stage,
            vu,
            registration,
        });
        self.stage_stepped(step);
    }

    pub(super) fn wake_stage(&mut self) {
        self.step_stage(|vu, cx| vu.wake(cx));
    }

    pub(super) fn cut_stage(&mut self, why: InterruptReason) {
        self.step_stage(|vu, cx| vu.interrupt(why, cx));
    }

    fn step_stage(
        &mut self,
        step: impl FnOnce(&mut dyn VirtualUser, &mut Cx<'_>) -> IterationStatus,
    ) {
        let Some(run) = &mut self.stage else {
            return; // woken again after its end
        };
        run.registration.taken();
        let mut cx = Cx {
            reactor: &self.handle,
            waker: run.registration.waker(),
            shard: &mut self.shard,
            run_state: &self.shared.run_state,
            local: &self.local,
        };
        let step = step(run.vu.as_mut(), &mut cx);
        self.stage_stepped(step);
    }

    fn stage_stepped(&mut self, step: IterationStatus) {
        if let IterationStatus::Done(outcome) = step
            && let Some(run) = self.stage.take()
        {
            self.shared
                .report(Report::StageEnded(run.stage, Some(outcome)));
        }
    }
}
