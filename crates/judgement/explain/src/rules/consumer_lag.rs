//! Consumers of messages fall behind.

use loadline_record::signals::SignalKind;
use loadline_text::{counted, evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// Messages by which a lag must grow.
const LAG_GROWTH_MESSAGES_MIN: f64 = 50.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let lags = view.run.signals.of_kind(SignalKind::ConsumerLag);
    let growing = lags.filter_map(|series| {
        let lag = view.gauge_of(series)?;
        // A lag that only went up and down has its median near its ends.
        let is_growing = lag.median > lag.first && lag.last > lag.median;
        let grown = lag.last - lag.first;
        (is_growing && grown >= LAG_GROWTH_MESSAGES_MIN.max(0.1 * lag.first))
            .then_some((grown, lag.last, series))
    });
    let (grown, last, series) = growing.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (from, to) = view.window();
    let behind = grown / (to - from).max(1.0);
    Draft::new(
        RuleId::ConsumerLag,
        BottleneckPart::Cache,
        EvidenceGrade::B,
        findings::consumer_lag(counted(last), significant(behind)),
    )
    .role(FindingRole::Slow)
    .entity(&series.entity)
    .shown("lag", evidence::consumer_lag(), last, EvidenceUnit::Count)
    .shown(
        "behind",
        evidence::behind(),
        behind,
        EvidenceUnit::PerSecond,
    )
    .advised([Advice::to(findings::consumer_lag_try())])
    .done()
}
