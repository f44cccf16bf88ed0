//! The run-time compiler was still at work: a part of the run measured a cold target.

use loadline_record::signals::SignalKind;
use loadline_text::{evidence, explain, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// The compiler works this much, seconds a second.
const COMPILING: f64 = 0.2;
/// Requests were slower at first by this factor.
const SLOWER: f64 = 1.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let series = view.run.signals.of(SignalKind::CompilationTime).next()?;
    let compiling = view.rate_of(series)?;
    let (early, late) = view.mean_early_and_late()?;
    if compiling < COMPILING || early < SLOWER * late {
        return None;
    }
    Draft::new(
        RuleId::Cold,
        BottleneckPart::Cpu,
        EvidenceGrade::A,
        explain::cold(millis(early), millis(late)),
    )
    .role(FindingRole::Slow)
    .of(&series.entity)
    .shown(
        "compiling",
        evidence::compiling(),
        compiling * 1000.0,
        EvidenceUnit::Millis,
    )
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
    .advised([Advice::to(explain::cold_try()).by("--warmup auto")])
    .done()
}
