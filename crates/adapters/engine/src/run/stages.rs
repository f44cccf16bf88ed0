//! Set-up, teardown and summary: run to their end, interrupted at their time-out.

use std::time::Duration;

use loadline_vu::{Fault, FaultClass, InterruptReason, IterationResult, LifecycleStage, RunPhase};

use super::Engine;
use crate::command::{Command, Report, StageAnswer, StageRequest};
use crate::error::EngineError;
use crate::observer::{EngineEvent, Observer};

/// How long an interrupted stage may take to end before its worker counts as dead.
const STAGE_CUT_TIMEOUT: Duration = Duration::from_secs(5);

impl Engine {
    /// The run waits again before the answer is sent: who asked may rely on it.
    pub(super) fn run_stage_by_hand(
        &mut self,
        request: StageRequest,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        self.shared.factory.allow_stage(request.stage);
        let fault = self.run_stage(request.stage, observer)?;
        self.enter(RunPhase::Waiting);
        self.notify(observer, &EngineEvent::Waits);
        // Who asked may have gone.
        let _ = request.answer.send(StageAnswer::Ended(fault));
        Ok(())
    }

    /// Runs the users' teardowns and interrupts them at the time-out.
    pub(super) fn run_vu_teardowns(
        &mut self,
        observer: &mut dyn Observer,
    ) -> Result<Option<Fault>, EngineError> {
        let Some(limit) = self.shared.factory.vu_teardown_timeout() else {
            return Ok(None);
        };
        self.shared.send_all(|| Command::RunVuTeardowns);
        let mut deadline = self.workers_link.now() + limit;
        self.shared.must_end_by(deadline + STAGE_CUT_TIMEOUT);
        let mut late = None;
        let mut waiting = self.open_workers;
        while waiting > 0 {
            match self.receive(deadline, observer)? {
                Some(Report::VuTeardownsOver) => waiting -= 1,
                None if self.workers_link.now() >= deadline && late.is_none() => {
                    self.shared.send_all(|| Command::CutVuTeardowns);
                    deadline = self.workers_link.now() + STAGE_CUT_TIMEOUT;
                    late = Some(Fault {
                        class: FaultClass::StageTimeout,
                        message: format!(
                            "the teardown of virtual users took longer than {limit:?}"
                        ),
                    });
                }
                None if self.workers_link.now() >= deadline => break, // interrupting has no effect
                _ => {}
            }
        }
        Ok(late)
    }

    /// Runs a stage to its end. Interrupts it at its time-out, or when the run is stopped
    /// (a stop that came before teardown or summary does not interrupt them).
    pub(super) fn run_stage(
        &mut self,
        stage: LifecycleStage,
        observer: &mut dyn Observer,
    ) -> Result<Option<Fault>, EngineError> {
        let limit = self.shared.factory.stage_timeout(stage);
        let mut deadline = self.workers_link.now() + limit;
        let mut cut = None;
        self.enter(match stage {
            LifecycleStage::Setup => RunPhase::Setup,
            LifecycleStage::Teardown => RunPhase::Teardown,
            LifecycleStage::Summarize => RunPhase::Ended,
        });
        // A test may lack it: nothing is seen to begin then.
        if self.shared.factory.has_stage(stage) {
            self.notify(observer, &EngineEvent::StageBegins(stage));
        }
        self.shared.must_end_by(deadline);
        self.shared.notify_conductor(Command::RunStage(stage));
        loop {
            let until = if stage == LifecycleStage::Setup {
                // A stop does not wake this thread, so look for one at intervals.
                deadline.min(self.workers_link.now() + Duration::from_millis(20))
            } else {
                deadline
            };
            match self.receive(until, observer)? {
                Some(Report::StageEnded(ended, outcome)) if ended == stage => {
                    return Ok(stage_fault(outcome, cut, limit));
                }
                Some(_) => continue,
                None => {}
            }
            let why = if self.workers_link.now() >= deadline {
                InterruptReason::TimedOut
            } else if stage == LifecycleStage::Setup && self.stopping() {
                InterruptReason::RunStops
            } else {
                continue;
            };
            if cut.is_some_and(|before| before == InterruptReason::TimedOut) {
                return Ok(stage_fault(None, cut, limit)); // interrupting has no effect
            }
            if cut.is_none() {
                self.shared.notify_conductor(Command::CutStage(why));
                cut = Some(why);
                deadline = self.workers_link.now() + STAGE_CUT_TIMEOUT;
            } else if why == InterruptReason::TimedOut {
                return Ok(stage_fault(None, Some(why), limit));
            }
        }
    }

    pub(super) fn take_stage_request(&mut self, request: StageRequest) {
        if self.is_before_release {
            self.stages_asked.push_back(request);
        } else {
            // Who asked may have gone.
            let _ = request.answer.send(StageAnswer::NotWaiting);
        }
    }
}

/// The fault of a stage that failed or timed out.
fn stage_fault(
    outcome: Option<IterationResult>,
    cut: Option<InterruptReason>,
    limit: Duration,
) -> Option<Fault> {
    if cut == Some(InterruptReason::TimedOut) {
        return Some(Fault {
            class: FaultClass::StageTimeout,
            // k6's words follow the name of the stage's function.
            message: format!(
                "execution timed out after {:.0} seconds",
                limit.as_secs_f64()
            ),
        });
    }
    match outcome {
        Some(IterationResult::Failed(fault)) => Some(fault),
        _ => None,
    }
}
