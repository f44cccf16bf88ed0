//! The target turns requests away and says so.

use loadline_text::{evidence, explain, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// Fewer are not worth telling.
const REFUSED_SHARE_MIN: f64 = 0.02;
/// What "too many requests" is called on the wire.
const TOO_MANY: &str = "429";

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let statuses = &context.view.run.statuses;
    let refused = share(*statuses.get(TOO_MANY)?, statuses.values().sum());
    let rate = context.measured.rate;
    if refused < REFUSED_SHARE_MIN {
        return None;
    }
    Draft::new(
        RuleId::Refused,
        BottleneckPart::Code,
        EvidenceGrade::A,
        explain::refused(percent(refused), TOO_MANY, significant(rate)),
    )
    .shown("refused", evidence::refused(), refused, EvidenceUnit::Share)
    .shown("rate", evidence::rate(), rate, EvidenceUnit::PerSecond)
    .advised([Advice::to(explain::refused_try(TOO_MANY))])
    .limiting_at(rate)
    .done()
}
