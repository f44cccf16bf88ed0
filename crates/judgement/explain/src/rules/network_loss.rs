//! The line loses segments.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{evidence, explain, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// From this share on, retransmitted segments are reported.
const LOST_SHARE_MIN: f64 = 0.01;
/// Fewer segments a second say nothing.
const SEGMENTS_PER_SECOND_MIN: f64 = 50.0;
/// A segment that is lost holds its request up by at least this, s: the shortest time after which
/// Linux sends it again.
const RETRANSMIT_SECONDS: f64 = 0.2;
/// Losses that explain less than this share of the requests' time are not what makes them slow.
const EXPLAINED_SHARE_MIN: f64 = 0.05;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let any = Entity::new();
    let sent = context.view.rate(SignalKind::SegmentsSent, &any)?;
    let lost = context
        .view
        .each(SignalKind::SegmentsResent, SignalKind::SegmentsSent, &any)?;
    let callers = &context.view.callers;
    // Were all losses of this load, and none beside another.
    let held_up = sent * lost * RETRANSMIT_SECONDS;
    let inside = callers.ended * callers.mean_ms() / 1000.0;
    if sent < SEGMENTS_PER_SECOND_MIN
        || lost < LOST_SHARE_MIN
        || held_up < EXPLAINED_SHARE_MIN * inside
    {
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
