//! The log says that the target makes its calls again and again.

use loadline_text::{counted, doubt, evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// Fewer attempts of a request are not worth telling ...
const RETRIES_PER_REQUEST_MIN: f64 = 0.2;
/// ... and from so many on they are what requests wait for.
const LIMITING_RETRIES_MIN: f64 = 1.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let logged = context.logged.evidence(RuleId::Retries)?;
    let callers = &context.view.callers;
    let each = share(logged.count, callers.ended * callers.seconds);
    if each < RETRIES_PER_REQUEST_MIN {
        return None;
    }
    let is_limiting = each >= LIMITING_RETRIES_MIN && context.has_signs();
    let statement = findings::retries(significant(each), counted(logged.from_s));
    let (rule, part) = (RuleId::Retries, BottleneckPart::Outside);
    Draft::new(rule, part, logged.grade, statement)
        .role(if is_limiting {
            FindingRole::Limit
        } else {
            FindingRole::Notice
        })
        .shown("retries", evidence::retries(), each, EvidenceUnit::Count)
        .witnessed(logged)
        .against(Some(doubt::outside_or_database()))
        .advised([
            Advice::to(findings::retries_try_reason()),
            Advice::to(findings::retries_try_bound()),
        ])
        .limiting_at(if is_limiting {
            context.measured.rate
        } else {
            0.0
        })
        .done()
}
