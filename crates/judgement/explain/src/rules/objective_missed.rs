//! What the run is judged by is missed although nobody waits: it is the time of the work itself.

use loadline_text::{evidence, findings, millis};

use super::super::breakdown::{self, TimePart};
use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::objective::JudgedObjective;
use super::{Draft, RuleContext};

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let mut missed = context.loss.objectives.iter();
    let missed = missed.find(|one| one.is_missed_by_itself)?;
    let text = missed.objective.text.clone();
    let statement = match missed.unloaded {
        Some(unloaded) => findings::objective_missed_unloaded(text, millis(unloaded)),
        None => findings::objective_missed_fastest(text),
    };
    let part = largest_part(context).unwrap_or(BottleneckPart::Unknown);
    Draft::new(RuleId::ObjectiveMissed, part, grade(missed), statement)
        .role(FindingRole::Slow)
        .shown(
            "measured",
            evidence::measured(),
            missed.value.is_finite().then_some(missed.value),
            EvidenceUnit::Millis,
        )
        .shown(
            "unloaded",
            evidence::unloaded(),
            missed.unloaded,
            EvidenceUnit::Millis,
        )
        .naming_heaviest_of(part, context.measured)
        .advised([Advice::to(findings::objective_missed_try())])
        .done()
}

/// A load that was low shows it; the fastest of a load that never was may have waited, too.
fn grade(missed: &JudgedObjective) -> EvidenceGrade {
    match missed.unloaded {
        Some(_) => EvidenceGrade::A,
        None => EvidenceGrade::B,
    }
}

/// What takes most of a request's time.
fn largest_part(context: &RuleContext<'_>) -> Option<BottleneckPart> {
    let time = breakdown::breakdown(context.view, context.measured)?;
    let part = match time.parts.first()?.part {
        TimePart::Sql => BottleneckPart::Database,
        TimePart::Outside => BottleneckPart::Outside,
        TimePart::Message => BottleneckPart::Cache,
        TimePart::Cpu => BottleneckPart::Cpu,
        TimePart::Collection => BottleneckPart::Memory,
        TimePart::Before
        | TimePart::PoolWait
        | TimePart::Held
        | TimePart::CoreWait
        | TimePart::Unexplained => {
            return None;
        }
    };
    Some(part)
}
