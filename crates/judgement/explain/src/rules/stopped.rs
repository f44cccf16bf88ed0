//! From some second on the target answers nothing well.

use loadline_record::signals::SignalKind;
use loadline_text::{counted, evidence, explain, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::CallerView;
use super::super::logged;
use super::{Draft, RuleContext};

/// Seconds without a good answer that are no accident.
const FAILING_SECONDS_MIN: usize = 5;
/// ... with so many requests that failed.
const FAILED_REQUESTS_MIN: f64 = 10.0;
pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let run = context.view.run;
    let is_good = |at: usize| run.windows[at].requests > run.windows[at].failed;
    let asked = run
        .windows
        .iter()
        .rposition(|window| window.requests > 0.0)?;
    let last = (0..=asked).rev().find(|at| is_good(*at))?;
    let after = CallerView::from_windows(&run.windows[last + 1..=asked]);
    let failed = after.failed * after.ended * after.seconds;
    if asked - last < FAILING_SECONDS_MIN || failed < FAILED_REQUESTS_MIN {
        return None;
    }
    let before = CallerView::from_windows(&run.windows[..=last]);
    let lines = logged::lines(&run.signals, SignalKind::LogLines);
    let is_memory = lines
        .iter()
        .any(|line| logged::mentions(RuleId::OutOfMemory, line));
    let from = run.from_ms / 1000 + u64::try_from(last + 1).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
    let statement = explain::stopped(counted(from as f64), significant(before.answered));
    let (rule, part) = if is_memory {
        (RuleId::OutOfMemory, BottleneckPart::Memory)
    } else {
        (RuleId::Stopped, BottleneckPart::Unknown)
    };
    Draft::new(rule, part, EvidenceGrade::A, statement)
        .shown(
            "rate",
            evidence::rate(),
            before.answered,
            EvidenceUnit::PerSecond,
        )
        .shown(
            "failed-after",
            evidence::failed(),
            failed,
            EvidenceUnit::Count,
        )
        .advised([Advice::to(explain::stopped_try())])
        .done()
}
