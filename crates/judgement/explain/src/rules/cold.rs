//! The run-time compiler was still at work: a part of the run measured a cold target.
//!
//! Its CPU is used up meanwhile, where there is little of it. That is no limit of a target that
//! carries the load once it is warm.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{doubt, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// The compiler works this much, seconds a second.
const COMPILER_CORES_MIN: f64 = 0.2;
/// CPU is used up while code is compiled from this share on.
const USED_UP: f64 = 0.85;
/// Requests wait for nothing where they take at most so many times their CPU time.
const TIME_PER_CPU_TIME_MAX: f64 = 3.0;
/// A load is carried where fewer of its starts than this are dropped, and fewer fail.
const LOST_SHARE_MAX: f64 = 0.01;
/// Requests were slower at first by this factor.
const EARLY_SLOWDOWN_MIN: f64 = 1.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let (compiling, entity) = compiling(context)?;
    let start = view.first_requests().slow();
    let of_start = start.map(|start| (start.early_ms, start.late_ms));
    let (early, late) = of_start.or_else(|| view.mean_early_and_late())?;
    if early < EARLY_SLOWDOWN_MIN * late {
        return None;
    }
    let is_limit = context.is_cpu_used(USED_UP) && carries_its_load_when_warm(context, late);
    Draft::new(
        RuleId::Cold,
        BottleneckPart::Cpu,
        EvidenceGrade::A,
        findings::cold(millis(early), millis(late)),
    )
    .role(if is_limit {
        FindingRole::Limit
    } else {
        FindingRole::Slow
    })
    .entity(entity)
    .against(is_limit.then(doubt::compiling))
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
    .advised([Advice::to(findings::cold_try()).by("--warmup auto")])
    .done()
}

/// Seconds a second in which code is compiled, and where; `None` where hardly any is.
pub(super) fn compiling<'a>(context: &RuleContext<'a>) -> Option<(f64, &'a Entity)> {
    let mut all = context
        .view
        .run
        .signals
        .of_kind(SignalKind::CompilationTime);
    let series = all.next()?;
    let compiling = context.view.rate_of(series)?;
    (compiling >= COMPILER_CORES_MIN).then_some((compiling, &series.entity))
}

/// Whether the last third of the run, whose requests took `late` ms, is one in which no CPU is
/// missing: requests took hardly longer than they compute, or all that were due were answered.
fn carries_its_load_when_warm(context: &RuleContext<'_>, late: f64) -> bool {
    let cost = context.measured.cpu_of_request();
    let is_unhindered = cost.is_some_and(|cost| late <= TIME_PER_CPU_TIME_MAX * cost * 1000.0);
    let callers = context.view.callers_late();
    let is_carried =
        callers.is_some_and(|last| last.dropped < LOST_SHARE_MAX && last.failed < LOST_SHARE_MAX);
    is_unhindered || (context.view.run.load.is_open && is_carried)
}
