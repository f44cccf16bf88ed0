//! The way between callers and target takes long.

use loadline_text::{doubt, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// The target's share of the time callers see, at most.
const TARGET_SHARE_MAX: f64 = 0.3;
/// A shorter way is not reported, ms.
const DELAY_MS_MIN: f64 = 20.0;
/// A way takes each time about as long: the shortest 5 % at least this share of the median.
const EVEN_SHARE_MIN: f64 = 0.7;
/// ... and half of all requests this share of the way that the mean tells.
const MEDIAN_SHARE_MIN: f64 = 0.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let callers = &context.view.callers;
    let server = context.measured.server_time? * 1000.0;
    let mean = callers.mean_ms();
    let way = mean - server;
    let median = callers.percentile_ms(0.5);
    let is_even = callers.percentile_ms(0.05) >= EVEN_SHARE_MIN * median;
    // Few that take very long make the mean, but are no way.
    let is_usual = median - server >= MEDIAN_SHARE_MIN * way;
    let is_queued = context
        .measured
        .workers
        .as_ref()
        .is_some_and(|w| w.at_limit);
    if way < DELAY_MS_MIN || server > TARGET_SHARE_MAX * mean || !is_even || !is_usual || is_queued
    {
        return None;
    }
    let statement = findings::network_delay(millis(way), millis(mean), millis(server));
    let is_open = context.view.run.load.is_open;
    let connecting = context.view.run.times.map(|times| times.connecting);
    Draft::new(
        RuleId::NetworkDelay,
        BottleneckPart::Network,
        EvidenceGrade::B,
        statement,
    )
    .role(if is_open {
        FindingRole::Slow
    } else {
        FindingRole::Limit
    })
    .shown("mean", evidence::mean(), mean, EvidenceUnit::Millis)
    .shown(
        "server-time",
        evidence::server_time(),
        server,
        EvidenceUnit::Millis,
    )
    .shown(
        "connecting",
        evidence::connecting(),
        connecting,
        EvidenceUnit::Millis,
    )
    .against(context.measured.workers.is_none().then(doubt::queue_unseen))
    .advised([Advice::to(findings::network_delay_try())])
    .limiting_at(callers.answered)
    .done()
}
