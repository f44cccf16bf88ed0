//! The generator was too weak for the load.

use loadline_record::Limit;
use loadline_text::{evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{DROPPED_SHARE_MIN, Draft, RuleContext};

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let run = context.view.run;
    let drops = run.load.drops;
    let others = drops.no_free_user + drops.user_limit + drops.no_user_made + drops.time_over;
    let dropped = context.view.callers.dropped;
    let is_late = dropped >= DROPPED_SHARE_MIN && drops.late > others;
    let is_full = |limit: &Limit| matches!(limit, Limit::Cpu | Limit::OpenFiles | Limit::Ports);
    let is_limiting = is_late || run.generator_limits.iter().any(is_full);
    if !is_limiting && run.generator_limits.is_empty() {
        return None;
    }
    let (grade, role, statement) = if is_limiting {
        (EvidenceGrade::A, FindingRole::Limit, findings::generator())
    } else {
        (
            EvidenceGrade::B,
            FindingRole::Notice,
            findings::generator_noise(),
        )
    };
    Draft::new(RuleId::Generator, BottleneckPart::TestBed, grade, statement)
        .role(role)
        .shown(
            "dropped",
            evidence::dropped(),
            (dropped > 0.0).then_some(dropped),
            EvidenceUnit::Share,
        )
        .advised([Advice::to(findings::generator_try())])
        .limiting_at(if is_limiting {
            context.measured.rate
        } else {
            0.0
        })
        .done()
}
