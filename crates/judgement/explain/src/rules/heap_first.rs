//! Collector and heap that nobody set, of a target that collects for a noticeable share of the time: both come before threads
//! and pools.
//!
//! Where collections take so much that they limit, or stop the target for long each time, other rules say so.

use loadline_record::signals::{Entity, Label, SignalKind, Signals};
use loadline_text::{evidence, findings, grouped, percent};

use super::super::collections::is_serial;
use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext, heap, long_pauses, stack};

/// Collections that take less of the time are none to think of.
const NOTICEABLE_SHARE_MIN: f64 = 0.02;
/// The part of the memory that HotSpot takes for a heap of which nobody said how large it may be, give or take its rounding.
const QUARTER_SHARES: (f64, f64) = (0.22, 0.28);
/// Collectors that work beside the program, or with several threads, need as many cores.
const CORES_MIN: f64 = 2.0;
const COLLECTORS: &str = "-XX:+UseG1GC, -XX:+UseParallelGC";
const HEAP_SHARE: &str = "-XX:MaxRAMPercentage=60, -Xmx";
/// Flags that say how large the heap is.
const CHOSEN_HEAP: [&str; 3] = ["-Xmx", "MaxRAMPercentage", "MaxHeapSize"];
/// The settings of a JVM that tell these.
const FLAGS: &str = "jvm.flags";
const COLLECTOR: &str = "jvm.collector";
/// Told wherever all flags are, if there are any.
const COUNTERS: &str = "jvm.processors";
const BYTES_OF_MEBIBYTE: f64 = 1_048_576.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let pauses = context.measured.pauses()?;
    let is_told = || heap::check(context).is_some() || long_pauses::check(context).is_some();
    if pauses < NOTICEABLE_SHARE_MIN || is_told() {
        return None;
    }
    quarter(context, pauses)
        .or_else(|| nearly_full(context, pauses))
        .or_else(|| serial(context, pauses))
}

/// What the JVM was started with, nothing included; `None` where that is not seen.
fn flags(signals: &Signals) -> Option<&str> {
    let of = |name: &str| signals.settings().iter().find(|one| one.name == name);
    let flags = of(FLAGS).map(|one| one.value.as_str());
    flags.or_else(|| of(COUNTERS).map(|_| ""))
}

fn draft(rule: RuleId, grade: EvidenceGrade, statement: loadline_text::Message) -> Draft {
    Draft::new(rule, BottleneckPart::Memory, grade, statement).role(FindingRole::Notice)
}

/// A heap of a quarter of the memory, which nobody asked for.
fn quarter(context: &RuleContext<'_>, pauses: f64) -> Option<BottleneckFinding> {
    let view = context.view;
    let signals = &view.run.signals;
    let flags = flags(signals);
    if flags.is_some_and(|flags| CHOSEN_HEAP.iter().any(|one| flags.contains(one))) {
        return None;
    }
    let heap = view.largest(SignalKind::HeapMax, &Entity::new())?;
    let memory = view.smallest(SignalKind::MemoryLimit, &Entity::new())?;
    let part = heap / memory.max(1.0);
    if !(QUARTER_SHARES.0..=QUARTER_SHARES.1).contains(&part) {
        return None;
    }
    let grade = if flags.is_some() {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    let of = |bytes: f64| format!("{} MiB", grouped(bytes / BYTES_OF_MEBIBYTE, 0));
    let statement = findings::heap_quarter(of(heap), of(memory), percent(pauses));
    draft(RuleId::HeapQuarter, grade, statement)
        .shown("pauses", evidence::pauses(), pauses, EvidenceUnit::Share)
        .shown(
            "heap-most",
            evidence::heap_most(),
            part,
            EvidenceUnit::Share,
        )
        .shown(
            "heap-after",
            evidence::heap_after(),
            context.measured.heap_after,
            EvidenceUnit::Share,
        )
        .advised([Advice::to(findings::heap_quarter_try()).by(HEAP_SHARE)])
        .done()
}

/// A heap in which little is free after a collection.
fn nearly_full(context: &RuleContext<'_>, pauses: f64) -> Option<BottleneckFinding> {
    let after = context.measured.heap_after?;
    if after < heap::FULL_SHARE_MIN {
        return None;
    }
    let signals = &context.view.run.signals;
    let statement = findings::heap_nearly_full(percent(after), percent(pauses));
    draft(RuleId::HeapNearlyFull, EvidenceGrade::A, statement)
        .shown("pauses", evidence::pauses(), pauses, EvidenceUnit::Share)
        .shown(
            "heap-after",
            evidence::heap_after(),
            after,
            EvidenceUnit::Share,
        )
        .advised([Advice::to(findings::heap_try_more()).by_stack(stack::heap_size(signals))])
        .done()
}

/// The collector of one thread, which nobody chose.
fn serial(context: &RuleContext<'_>, pauses: f64) -> Option<BottleneckFinding> {
    let view = context.view;
    let signals = &view.run.signals;
    let flags = flags(signals);
    let chooses = |flag: &str| flag.starts_with("-XX:+Use") && flag.ends_with("GC");
    if flags.is_some_and(|flags| flags.split(' ').any(chooses)) {
        return None;
    }
    let told = signals
        .settings()
        .iter()
        .any(|one| one.name == COLLECTOR && is_serial(&one.value));
    let mut times = signals.of_kind(SignalKind::CollectionPauseTime);
    let named = times.any(|one| is_serial(one.entity.get(Label::Collector).unwrap_or_default()));
    if !told && !named {
        return None;
    }
    let grade = if flags.is_some() {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    let cores = context.measured.cpu.as_ref().map(|cpu| cpu.most);
    let is_small = cores.is_some_and(|cores| cores < CORES_MIN);
    let advice = if is_small {
        Advice::to(findings::serial_collector_try_core()).by("-Xmx, -XX:+UseG1GC")
    } else {
        Advice::to(findings::serial_collector_try()).by(COLLECTORS)
    };
    draft(
        RuleId::SerialCollector,
        grade,
        findings::serial_collector(percent(pauses)),
    )
    .shown("pauses", evidence::pauses(), pauses, EvidenceUnit::Share)
    .shown(
        "cpu-available",
        evidence::cpu_available(),
        cores,
        EvidenceUnit::Cores,
    )
    .advised([advice])
    .done()
}
