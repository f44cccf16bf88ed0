//! The database is not observed; the log says that requests wait for a lock in vain.

use loadline_text::{counted, evidence, explain};

use super::super::finding::{
    BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::super::logged;
use super::{Draft, RuleContext, row_lock};

/// A lock that stops fewer of the requests is not what limits.
const STOPPED_SHARE_MIN: f64 = 0.05;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let (count, from) = logged::mentions_of(&context.view.run.signals, RuleId::RowLock)?;
    let callers = &context.view.callers;
    let stopped = share(count, callers.ended * callers.seconds);
    let is_seen = row_lock::check(context).is_some();
    if stopped < STOPPED_SHARE_MIN || is_seen || !context.has_signs() {
        return None;
    }
    let (rule, part) = (RuleId::RowLock, BottleneckPart::Database);
    Draft::new(
        rule,
        part,
        EvidenceGrade::B,
        explain::lock_logged(counted(from)),
    )
    .shown(
        "log-lines",
        evidence::log_lines(),
        count,
        EvidenceUnit::Count,
    )
    .advised(row_lock::advice(None))
    .limiting_at(context.measured.rate)
    .done()
}
