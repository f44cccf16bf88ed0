//! The database is not observed; the log says that requests wait for a lock in vain.

use loadline_text::{counted, findings};

use super::super::finding::{BottleneckFinding, BottleneckPart, RuleId};
use super::super::input::share;
use super::{Draft, RuleContext, row_lock};

/// A lock that stops fewer of the requests is not what limits.
const STOPPED_SHARE_MIN: f64 = 0.05;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let logged = context.logged.evidence(RuleId::RowLock)?;
    let callers = &context.view.callers;
    let stopped = share(logged.count, callers.ended * callers.seconds);
    let is_seen = row_lock::check(context).is_some();
    if stopped < STOPPED_SHARE_MIN || is_seen || !context.has_signs() {
        return None;
    }
    let (rule, part) = (RuleId::RowLock, BottleneckPart::Database);
    Draft::new(
        rule,
        part,
        logged.grade,
        findings::lock_logged(counted(logged.from_s)),
    )
    .witnessed(logged)
    .advised(row_lock::advice(None))
    .limiting_at(context.measured.rate)
    .done()
}
