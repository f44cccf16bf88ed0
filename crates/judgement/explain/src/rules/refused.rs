//! The target turns requests away and says so.

use loadline_text::{doubt, evidence, findings, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::super::logged::LogEvidence;
use super::{Draft, RuleContext, failing};

/// Fewer are not worth telling.
const REFUSED_SHARE_MIN: f64 = 0.02;
/// "Too many requests", which only a limit answers, ...
const TOO_MANY: &str = "429";
/// ... and "service unavailable", which a queue that is full answers, too, unless who refuses says that it is a limit.
const UNAVAILABLE: &str = "503";

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let statuses = &context.view.run.statuses;
    let of = |status| statuses.get(status).copied().unwrap_or(0.0);
    let is_told = of(TOO_MANY) >= of(UNAVAILABLE);
    let status = if is_told { TOO_MANY } else { UNAVAILABLE };
    let counted = context.view.run.turned_away;
    let of_answers = share(of(status), statuses.values().sum());
    let refused = counted.map_or(of_answers, |counted| counted.share);
    let rate = counted.map_or(context.measured.rate, |counted| counted.through);
    // Where nobody gets through any more it is no limit.
    let last = context.view.callers_late();
    let gets_through = last.map_or(rate, |last| last.answered) > 0.0;
    // What fails as often whatever comes, or without anything that is full, is seen to be turned away by no limit.
    if of(status) <= 0.0
        || refused < REFUSED_SHARE_MIN
        || !gets_through
        || failing::way(context).is_some()
    {
        return None;
    }
    let logged = context.logged.evidence(RuleId::Refused);
    let is_limit_logged = logged.is_some_and(LogEvidence::is_each);
    let is_sure = is_told || is_limit_logged;
    let (grade, statement) = if is_sure {
        let statement = findings::refused_on_purpose(percent(refused), status, significant(rate));
        (EvidenceGrade::A, statement)
    } else {
        let statement = findings::refused(percent(refused), status, significant(rate));
        (EvidenceGrade::C, statement)
    };
    Draft::new(RuleId::Refused, BottleneckPart::Code, grade, statement)
        .against((!is_sure).then(|| doubt::status_of_others(status)))
        .against((!is_sure && failing::are_starts_even(context)).then(doubt::even_starts))
        .shown("refused", evidence::refused(), refused, EvidenceUnit::Share)
        .shown("rate", evidence::rate(), rate, EvidenceUnit::PerSecond)
        .advised([Advice::to(findings::refused_try(status))])
        .limiting_at(rate)
        .done()
}
