//! Requests get faster and faster although as much is asked: something warms up, such as a cache.

use loadline_text::{evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext, cold};

/// At first requests take so many times as long as in the end, ...
const EARLY_FACTOR_MIN: f64 = 1.5;
/// ... and longer by so many ms.
const EARLY_MS_MIN: f64 = 20.0;
/// Beside delays of the generator that are this part of the difference, at least, it is not the target's.
const OWN_DELAY_SHARE_MIN: f64 = 0.5;
/// As much is answered in the end as at first, but for this part.
const ANSWERED_PART_MIN: f64 = 0.9;
/// Users in loops who all begin at once make a queue that is soon gone: what warms up is still faster from the middle to the end.
const MIDDLE_FACTOR_MIN: f64 = 1.25;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let [early, middle, late] = view.mean_of_thirds()?;
    let (answered_early, answered_late) = view.answered_early_and_late()?;
    let is_faster = early >= EARLY_FACTOR_MIN * late
        && early - late >= EARLY_MS_MIN
        && early >= middle
        && middle >= late
        && (view.run.load.is_open || middle >= MIDDLE_FACTOR_MIN * late);
    let is_as_much = answered_late >= ANSWERED_PART_MIN * answered_early;
    // A machine that stood still at first makes no target faster.
    let first = view.windows().iter().take(view.windows().len() / 3);
    let own_ms = first.map(|window| window.own_delay_ms).fold(0.0, f64::max);
    let is_own = own_ms >= OWN_DELAY_SHARE_MIN * (early - late);
    if !is_faster || !is_as_much || is_own || cold::compiling(context).is_some() {
        return None;
    }
    Draft::new(
        RuleId::Warming,
        BottleneckPart::Code,
        EvidenceGrade::C,
        findings::warming(millis(early), millis(late)),
    )
    .role(FindingRole::Notice)
    .shown(
        "mean-early",
        evidence::mean_early(),
        early,
        EvidenceUnit::Millis,
    )
    .shown(
        "mean-late",
        evidence::mean_late(),
        late,
        EvidenceUnit::Millis,
    )
    .advised([Advice::to(findings::cold_try()).by("--warmup auto")])
    .done()
}
