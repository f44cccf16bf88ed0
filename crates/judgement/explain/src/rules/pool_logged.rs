//! The pool is not observed; the log says that requests wait for its connections in vain.

use loadline_text::{counted, evidence, explain};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::logged;
use super::{Draft, RuleContext};

/// Fewer lines are not worth telling.
const LOG_LINES_MIN: f64 = 3.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let signals = &context.view.run.signals;
    let (count, from) = logged::mentions_of(signals, RuleId::PoolExhausted)?;
    if count < LOG_LINES_MIN || context.measured.exhausted().is_some() || !context.has_signs() {
        return None;
    }
    Draft::new(
        RuleId::PoolExhausted,
        BottleneckPart::Pool,
        EvidenceGrade::B,
        explain::pool_logged(counted(from)),
    )
    .shown(
        "log-lines",
        evidence::log_lines(),
        count,
        EvidenceUnit::Count,
    )
    .against(Some(explain::doubt_hold_unseen()))
    .advised([Advice::to(explain::pool_exhausted_try_look())])
    .limiting_at(context.measured.rate)
    .done()
}
