//! Single collections stop the target for long.

use loadline_record::signals::{Label, SignalKind};
use loadline_text::{evidence, findings, millis};

use super::super::collections::is_serial;
use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// A pause is long from this on, s, ...
const LONG_PAUSE_SECONDS_MIN: f64 = 0.2;
/// ... and shorter ones, from this on, s, ...
const FELT_PAUSE_SECONDS_MIN: f64 = 0.05;
/// ... where requests take less than this part of it on average ...
const PAUSE_PER_MEAN_MIN: f64 = 5.0;
/// ... and this share of them comes while the target is stopped: pauses, then, make the p99.
const HIT_SHARE_MIN: f64 = 0.01;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let times = view.run.signals.of_kind(SignalKind::CollectionPauseTime);
    let longest = times.filter_map(|series| {
        let entity = &series.entity;
        let each = view.each(
            SignalKind::CollectionPauseTime,
            SignalKind::CollectionPauses,
            entity,
        )?;
        Some((each, entity))
    });
    let (pause, entity) = longest.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let stopped = view.rate(SignalKind::CollectionPauseTime, entity)?;
    let mean = view.callers.mean_ms() / 1000.0;
    let is_felt = pause >= FELT_PAUSE_SECONDS_MIN
        && pause >= PAUSE_PER_MEAN_MIN * mean
        && stopped >= HIT_SHARE_MIN;
    if pause < LONG_PAUSE_SECONDS_MIN && !is_felt {
        return None;
    }
    let collector = entity.get(Label::Collector).unwrap_or_default();
    let is_serial = is_serial(collector);
    let flags = view.run.signals.settings();
    let is_chosen = flags.iter().any(|flag| flag.value.contains("+UseSerialGC"));
    let statement = if is_serial && !is_chosen {
        findings::long_pauses_by_default(millis(pause * 1000.0), collector)
    } else {
        findings::long_pauses(millis(pause * 1000.0), collector)
    };
    Draft::new(
        RuleId::LongPauses,
        BottleneckPart::Memory,
        EvidenceGrade::B,
        statement,
    )
    .role(FindingRole::Slow)
    .entity(entity)
    .shown(
        "pause",
        evidence::pause_each(),
        pause * 1000.0,
        EvidenceUnit::Millis,
    )
    .shown(
        "pauses",
        evidence::pauses(),
        context.measured.pauses(),
        EvidenceUnit::Share,
    )
    .advised([if is_serial {
        Advice::to(findings::long_pauses_try_collector()).by("-XX:+UseG1GC")
    } else {
        Advice::to(findings::heap_try_less())
    }])
    .done()
}
