//! The line loses segments.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{evidence, explain, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// From this share on, segments sent again are told.
const LOST: f64 = 0.01;
/// Fewer segments a second say nothing.
const ENOUGH: f64 = 50.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let any = Entity::new();
    let sent = context.view.rate(SignalKind::SegmentsSent, &any)?;
    let lost = context
        .view
        .each(SignalKind::SegmentsResent, SignalKind::SegmentsSent, &any)?;
    if sent < ENOUGH || lost < LOST {
        return None;
    }
    Draft::new(
        RuleId::NetworkLoss,
        BottleneckPart::Network,
        EvidenceGrade::C,
        explain::network_loss(percent(lost)),
    )
    .role(FindingRole::Slow)
    .shown("resent", evidence::resent(), lost, EvidenceUnit::Share)
    .against(Some(explain::doubt_whole_machine()))
    .advised([Advice::to(explain::network_loss_try())])
    .done()
}
