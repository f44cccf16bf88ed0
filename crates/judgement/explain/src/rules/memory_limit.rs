//! Memory is near its limit.

use loadline_record::signals::SignalKind;
use loadline_text::{evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// From this share of the limit on.
const MEMORY_USE_MIN: f64 = 0.95;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let used = view
        .run
        .signals
        .of_kind(SignalKind::MemoryUsed)
        .filter_map(|series| {
            let most = view.largest(SignalKind::MemoryLimit, &series.entity)?;
            let last = view.gauge_of(series)?.last;
            (most > 0.0).then_some((last / most, &series.entity))
        });
    let (share, entity) = used.max_by(|a, b| a.0.total_cmp(&b.0))?;
    if share < MEMORY_USE_MIN {
        return None;
    }
    Draft::new(
        RuleId::MemoryLimit,
        BottleneckPart::Memory,
        EvidenceGrade::B,
        findings::memory_limit(percent(share.min(1.0))),
    )
    .role(FindingRole::Notice)
    .entity(entity)
    .shown("memory", evidence::memory(), share, EvidenceUnit::Share)
    .advised([Advice::to(findings::memory_limit_try()).by("Kubernetes: resources.limits.memory")])
    .done()
}
