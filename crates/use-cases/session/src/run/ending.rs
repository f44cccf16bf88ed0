//! What is known at a run's end apart from its totals.

use std::sync::atomic::Ordering;

use loadline_metrics::{Merger, MetricValue, builtin};
use loadline_record::Ending;
use loadline_store::{LossCause, RecordingResult};
use loadline_vu::{Fault, FaultClass, RunState, StopCause};

/// The defect that prevented the record, if any.
pub(super) fn defect_of(kept: &RecordingResult) -> Option<Fault> {
    let loss = kept.loss.as_ref()?;
    (loss.cause == LossCause::Defect).then(|| Fault {
        class: FaultClass::Panic,
        message: loss.reason.clone(),
    })
}

/// The most users there were; runs shorter than a window have no sample of it.
pub(super) fn most_vus(run_state: &RunState, totals: &Merger) -> u64 {
    let sampled = match totals.totals().metric(builtin::VUS_MAX) {
        Some(MetricValue::Gauge(Some(gauge))) => gauge.max,
        _ => 0.0,
    };
    let now = run_state.users.load(Ordering::Relaxed);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of users"
    )]
    now.max(sampled as u64)
}

/// Why a run ended that was stopped for this cause.
pub(super) fn ending_of(cause: Option<&StopCause>) -> Ending {
    match cause {
        None => Ending::Finished,
        Some(StopCause::Signal | StopCause::Remote) => Ending::Interrupted,
        Some(StopCause::Aborted { message }) => Ending::Test {
            message: message.clone(),
        },
        Some(StopCause::ThresholdsCrossed { .. }) => Ending::Threshold,
        Some(StopCause::Failed(fault)) if fault.class == FaultClass::Panic => Ending::Defect {
            message: fault.message.clone(),
        },
        Some(StopCause::Failed(fault)) => Ending::Failed {
            message: fault.message.clone(),
        },
    }
}
