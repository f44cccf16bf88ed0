//! The heap is hardly larger than what lives in it: the collector works all the time.

use loadline_text::{evidence, findings, percent};

use super::super::ceilings::ResourceCeiling;
use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext, stack};

/// Collections stop the target for this share of the time.
const STOPPED_SHARE_MIN: f64 = 0.1;
/// ... and where it is not seen how full the heap is after one, stops of this share of the time say so, too.
const UNSEEN_SHARE_MIN: f64 = 0.25;
/// The heap is full after a collection from this share on, ...
pub(super) const FULL_SHARE_MIN: f64 = 0.7;
/// ... and where hardly anything is free after one, stops of this share of the time are the heap's doing, too.
const BRIM: (f64, f64) = (0.95, 0.05);
/// Of the time in which it stops the target, a collector uses at least this much of a core.
const COLLECTOR_CORES_MIN: f64 = 0.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let pauses = context.measured.pauses()?;
    let after = context.measured.heap_after;
    let is_brimful = after.is_some_and(|after| after >= BRIM.0) && pauses >= BRIM.1;
    if (pauses < STOPPED_SHARE_MIN && !is_brimful)
        || after.is_some_and(|after| after < FULL_SHARE_MIN)
    {
        return None;
    }
    // A collector that works computes. Pauses that take no CPU are waits for a core.
    let used = context.measured.cpu.as_ref().map(|cpu| cpu.used);
    let is_waiting = used.is_some_and(|used| used < COLLECTOR_CORES_MIN * pauses);
    if after.is_none() && is_waiting {
        return None;
    }
    let rate = context.measured.rate;
    let without = without_collections(context)
        .or_else(|| (rate > 0.0 && pauses < 1.0).then(|| (rate / (1.0 - pauses), None)));
    let grade = match after {
        Some(_) => EvidenceGrade::A,
        None if pauses >= UNSEEN_SHARE_MIN => EvidenceGrade::B,
        // Objects that die young cost collections in a heap of any size.
        None => EvidenceGrade::C,
    };
    Draft::new(
        RuleId::HeapTooSmall,
        BottleneckPart::Memory,
        grade,
        findings::heap(percent(pauses)),
    )
    .shown("pauses", evidence::pauses(), pauses, EvidenceUnit::Share)
    .shown(
        "heap-after",
        evidence::heap_after(),
        after,
        EvidenceUnit::Share,
    )
    .shown(
        "cpu-used",
        evidence::cpu_used(),
        context.measured.cpu.as_ref().map(|cpu| cpu.used),
        EvidenceUnit::Cores,
    )
    .advised([
        Advice::to(findings::heap_try_more())
            .by_stack(stack::heap_size(&context.view.run.signals))
            .giving(without),
        Advice::to(findings::heap_try_less()),
    ])
    .limiting_at(rate)
    .done()
}

/// The rate, and what limits it, when collections take next to nothing.
fn without_collections(context: &RuleContext<'_>) -> Option<(f64, Option<BottleneckPart>)> {
    let collections = context.measured.collections?;
    let cpu = ResourceCeiling::of_stopped_cpu(&collections, context.measured, 0.0)?;
    context.predicted(BottleneckPart::Cpu, cpu.capacity, cpu.demand)
}
