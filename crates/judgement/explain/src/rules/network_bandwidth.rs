//! The line between callers and target is full.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::{CallerView, share};
use super::{Draft, RuleContext};

/// A line used this much is full.
const LINE_USE_MIN: f64 = 0.85;
/// The target's share of the time callers see, at most.
const TARGET_SHARE_MAX: f64 = 0.3;
/// The share of the time in which an answer arrives, at least.
const ARRIVING_SHARE_MIN: f64 = 0.2;
/// ... and from this share on callers see that nothing else takes the time.
const SEEN_ARRIVING_SHARE_MIN: f64 = 0.5;
/// Smaller answers do not fill a line, bytes.
const ANSWER_BYTES_MIN: f64 = 10_000.0;
/// By how much bytes a second may vary, as a share of their mean.
const RATE_DEVIATION_MAX: f64 = 0.2;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let (view, callers) = (context.view, &context.view.callers);
    let any = Entity::new();
    let speed = view
        .largest(SignalKind::NetworkSpeed, &any)
        .filter(|speed| *speed > 0.0);
    let sent = view
        .rate(SignalKind::NetworkSent, &any)
        .unwrap_or(callers.bytes);
    let is_full = speed.is_some_and(|speed| sent / speed >= LINE_USE_MIN);
    let mean = callers.mean_ms();
    let is_seen_arriving = context
        .view
        .run
        .times
        .is_some_and(|times| times.receiving >= SEEN_ARRIVING_SHARE_MIN * mean);
    let grade = if is_full || (is_arriving_slowly(context) && is_seen_arriving) {
        EvidenceGrade::A
    } else if is_arriving_slowly(context) {
        EvidenceGrade::B
    } else {
        return None;
    };
    let megabytes = callers.bytes / 1e6;
    let smaller = (callers.answered * 2.0, Some(BottleneckPart::Network));
    Draft::new(
        RuleId::NetworkBandwidth,
        BottleneckPart::Network,
        grade,
        findings::network_bandwidth(significant(megabytes)),
    )
    .shown(
        "bytes",
        evidence::bytes(),
        callers.bytes,
        EvidenceUnit::BytesPerSecond,
    )
    .shown(
        "line",
        evidence::line(),
        speed,
        EvidenceUnit::BytesPerSecond,
    )
    .shown(
        "server-time",
        evidence::server_time(),
        context.measured.server_time.map(|time| time * 1000.0),
        EvidenceUnit::Millis,
    )
    .shown(
        "mean",
        evidence::mean(),
        callers.mean_ms(),
        EvidenceUnit::Millis,
    )
    .advised([
        Advice::to(findings::network_bandwidth_try_smaller()).giving(Some(smaller)),
        Advice::to(findings::network_bandwidth_try_wider()),
    ])
    .limiting_at(callers.answered)
    .done()
}

/// The target is quick, and large answers take long to arrive at an even rate of bytes.
fn is_arriving_slowly(context: &RuleContext<'_>) -> bool {
    let callers = &context.view.callers;
    let (Some(times), Some(server)) = (context.view.run.times, context.measured.server_time) else {
        return false;
    };
    let mean = callers.mean_ms();
    share(callers.bytes, callers.ended) >= ANSWER_BYTES_MIN
        && server * 1000.0 <= TARGET_SHARE_MAX * mean
        && (times.receiving >= ARRIVING_SHARE_MIN * mean
            || is_all_of_the_line(callers, times.receiving))
        && !context.is_cpu_used(0.85)
        && is_steady(context)
}

/// One answer arrives about as fast as all of them together: the line carries one after the other, and the others
/// wait for their first byte.
fn is_all_of_the_line(callers: &CallerView, receiving: f64) -> bool {
    let size = share(callers.bytes, callers.ended);
    share(size, receiving / 1000.0) * LINE_USE_MIN <= callers.bytes
}

fn is_steady(context: &RuleContext<'_>) -> bool {
    let bytes: Vec<f64> = context.view.run.windows.iter().map(|w| w.bytes).collect();
    let count = f64::from(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    if count < 5.0 {
        return false;
    }
    let mean = bytes.iter().sum::<f64>() / count;
    let variance = bytes.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / count;
    mean > 0.0 && variance.sqrt() / mean <= RATE_DEVIATION_MAX
}
