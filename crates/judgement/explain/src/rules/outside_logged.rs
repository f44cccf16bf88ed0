//! The log says that another server cannot be reached.

use loadline_text::{counted, doubt, findings};

use super::super::finding::{Advice, BottleneckFinding, BottleneckPart, RuleId};
use super::{Draft, RuleContext};

/// Fewer lines are not worth telling.
const LOG_LINES_MIN: f64 = 3.0;
/// Requests fail for it from this share on.
const MANY_FAILED_SHARE_MIN: f64 = 0.05;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let logged = context.logged.evidence(RuleId::OutsideUnreachable)?;
    if logged.count < LOG_LINES_MIN || context.view.callers.failed < MANY_FAILED_SHARE_MIN {
        return None;
    }
    Draft::new(
        RuleId::OutsideUnreachable,
        BottleneckPart::Outside,
        logged.grade,
        findings::outside_logged(counted(logged.from_s)),
    )
    .witnessed(logged)
    .against(Some(doubt::outside_or_database()))
    .advised([Advice::to(findings::outside_logged_try())])
    .limiting_at(context.measured.rate)
    .done()
}
