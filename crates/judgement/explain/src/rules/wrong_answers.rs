//! Answers are wrong although their status is not.

use loadline_text::{evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::objective::JudgedObjective;
use super::{Draft, RuleContext};

/// From this share on, failed checks are reported.
const FAILED_CHECKS_SHARE_MIN: f64 = 0.01;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let callers = &context.view.callers;
    if callers.checks_failed < FAILED_CHECKS_SHARE_MIN
        || callers.checks_of_failed() >= callers.checks_failed / 2.0
    {
        return None;
    }
    let mut objectives = context.loss.objectives.iter();
    // Callers who lose nothing else lose by the answers alone.
    let is_the_loss = !context.loss.is_any && objectives.any(JudgedObjective::is_missed_by_answers);
    Draft::new(
        RuleId::WrongAnswers,
        BottleneckPart::Unknown,
        EvidenceGrade::A,
        findings::wrong_answers(percent(callers.checks_failed)),
    )
    .role(if is_the_loss {
        FindingRole::Limit
    } else {
        FindingRole::Notice
    })
    .shown(
        "checks-failed",
        evidence::checks(),
        callers.checks_failed,
        EvidenceUnit::Share,
    )
    .shown(
        "failed",
        evidence::failed(),
        callers.failed,
        EvidenceUnit::Share,
    )
    .advised([Advice::to(findings::wrong_answers_try())])
    .done()
}
