//! The target sent more spans than were taken: findings from traces hold for a part of them.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// From this share on it is reported.
const LEFT_OUT: f64 = 0.001;
/// How to send fewer.
const FEWER: &str = "OTEL_TRACES_SAMPLER=parentbased_traceidratio OTEL_TRACES_SAMPLER_ARG=0.1";

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let any = Entity::new();
    let left_out = context.view.rate(SignalKind::SpansLeftOut, &any)?;
    let taken = context.view.rate(SignalKind::SpansReceived, &any)?;
    let part = share(left_out, left_out + taken);
    if part < LEFT_OUT {
        return None;
    }
    Draft::new(
        RuleId::SpansLeftOut,
        BottleneckPart::TestBed,
        EvidenceGrade::A,
        findings::spans_left_out(percent(part)),
    )
    .role(FindingRole::Notice)
    .shown(
        "spans-left-out",
        evidence::spans_left_out(),
        left_out,
        EvidenceUnit::PerSecond,
    )
    .shown(
        "spans-received",
        evidence::spans_received(),
        taken,
        EvidenceUnit::PerSecond,
    )
    .advised([Advice::to(findings::spans_left_out_try()).by(FEWER)])
    .done()
}
