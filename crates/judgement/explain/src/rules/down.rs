//! The target was down for a part of the run.

use loadline_text::{counted, evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::outage::Outage;
use super::{Draft, RuleContext, memory_before};

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let last = context.outages.last()?;
    let longest = context
        .outages
        .iter()
        .max_by_key(|outage| outage.to - outage.from)?;
    let outage = if last.is_last { last } else { longest };
    let found = if outage.is_last {
        for_good(context, outage)
    } else {
        for_a_while(context, outage)
    };
    let refused: f64 = context.outages.iter().map(|outage| outage.refused).sum();
    found
        .shown(
            "rate",
            evidence::rate_before(),
            (outage.before > 0.0).then_some(outage.before),
            EvidenceUnit::PerSecond,
        )
        .shown(
            "refused-connections",
            evidence::refused_connections(),
            refused,
            EvidenceUnit::Count,
        )
        .advised([Advice::to(if outage.before > 0.0 {
            findings::stopped_try()
        } else {
            findings::never_up_try()
        })])
        .done()
}

fn for_good(context: &RuleContext<'_>, outage: &Outage) -> Draft {
    let signals = &context.view.run.signals;
    let is_memory = context
        .logged
        .is_decided_near(RuleId::OutOfMemory, seconds(outage.from));
    let had_run_out = memory_before::had_run_out(signals, seconds(outage.from));
    let (rule, part) = if is_memory || had_run_out.is_some() {
        (RuleId::OutOfMemory, BottleneckPart::Memory)
    } else {
        (RuleId::Down, BottleneckPart::Unknown)
    };
    // That it was full before is seen; that this ended it is inferred.
    let grade = had_run_out.filter(|_| !is_memory);
    let grade = grade.unwrap_or(EvidenceGrade::A);
    let statement = if outage.before > 0.0 {
        findings::down_for_good(second(outage.silent_from), significant(outage.before))
    } else {
        findings::never_up()
    };
    Draft::new(rule, part, grade, statement)
}

fn for_a_while(context: &RuleContext<'_>, outage: &Outage) -> Draft {
    let (from, to) = (second(outage.silent_from), second(outage.silent_to));
    let statement = match context.outages.len() {
        1 => findings::down(from, to),
        many => findings::down_again(from, to, many.to_string()),
    };
    Draft::new(
        RuleId::Down,
        BottleneckPart::Unknown,
        EvidenceGrade::A,
        statement,
    )
    .role(FindingRole::Notice)
}

fn second(number: u64) -> String {
    counted(seconds(number))
}

#[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
fn seconds(number: u64) -> f64 {
    number as f64
}
