//! The line loses segments.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{doubt, evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::share;
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

/// Of the requests that lost segments hold up, at least this part are seen to be so late.
const SEEN_PART_MIN: f64 = 0.5;

/// Requests are as late as lost segments make them, as many of them as lost some: what a whole machine sends again is else
/// that of other programs.
fn are_as_many_late(context: &RuleContext<'_>, lost_a_second: f64) -> bool {
    let callers = &context.view.callers;
    let quick = context.loss.alone_ms.or_else(|| callers.durations.min());
    let late_ms = quick.unwrap_or(0.0) + RETRANSMIT_SECONDS * 1000.0;
    let count = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let buckets = callers.durations.buckets().into_iter();
    let late = buckets.filter(|(bucket, _)| bucket.middle() >= late_ms);
    let late: f64 = late.map(|(_, number)| count(number)).sum();
    let held_up = share(lost_a_second, callers.ended).min(1.0);
    share(late, count(callers.durations.count())) >= SEEN_PART_MIN * held_up
}

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
        || !are_as_many_late(context, sent * lost)
    {
        return None;
    }
    Draft::new(
        RuleId::NetworkLoss,
        BottleneckPart::Network,
        EvidenceGrade::C,
        findings::network_loss(percent(lost)),
    )
    .role(FindingRole::Slow)
    .shown("resent", evidence::resent(), lost, EvidenceUnit::Share)
    .against(Some(doubt::whole_machine()))
    .advised([Advice::to(findings::network_loss_try())])
    .done()
}
