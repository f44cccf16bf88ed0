//! The clocks of target and generator differ. No figure here depends on it; whoever lays the target's own logs
//! beside them has to know.

use loadline_record::signals::SignalKind;
use loadline_text::{evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// Nothing can be dated later than now, ...
const AHEAD_SECONDS_MIN: f64 = 2.0;
/// ... but what is sent in batches comes some seconds after its date.
const BEHIND_SECONDS_MIN: f64 = 20.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let clocks = context.view.run.signals.of_kind(SignalKind::ClockAhead);
    let clocks = clocks.filter_map(|series| Some((context.view.gauge_of(series)?, &series.entity)));
    let off = clocks.filter(|(clock, _)| {
        clock.median >= AHEAD_SECONDS_MIN || clock.median <= -BEHIND_SECONDS_MIN
    });
    let (clock, entity) = off.max_by(|a, b| a.0.median.abs().total_cmp(&b.0.median.abs()))?;
    let seconds = significant(clock.median.abs());
    let statement = if clock.median > 0.0 {
        findings::clock_ahead(seconds)
    } else {
        findings::clock_behind(seconds)
    };
    let millis = |seconds: f64| seconds * 1000.0;
    Draft::new(
        RuleId::ClockOff,
        BottleneckPart::TestBed,
        EvidenceGrade::B,
        statement,
    )
    .role(FindingRole::Notice)
    .entity(entity)
    .shown(
        "ahead-first",
        evidence::ahead_first(),
        millis(clock.first),
        EvidenceUnit::Millis,
    )
    .shown(
        "ahead-last",
        evidence::ahead_last(),
        millis(clock.last),
        EvidenceUnit::Millis,
    )
    .advised([Advice::to(findings::clock_try())])
    .done()
}
