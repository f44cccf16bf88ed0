//! The answer in one line: whether anything limits, and whether enough is seen to say so.
//!
//! Answer and findings say the same: below an answer that names no limit no finding says that something limits now.

use loadline_record::signals::SourceNote;

use super::ExplanationAnswer;
use super::account;
use super::breakdown;
use super::context::RuleContext;
use super::finding::{BottleneckFinding, BottleneckPart, EvidenceGrade, FindingRole, RuleId};
use super::flow::Flow;
use super::taken_threads::is_queue_at_door;
use super::under_way::CLOSED_SHARE_MIN;

/// Less measured than this is too little.
const SECONDS_MIN: f64 = 5.0;
const REQUESTS_MIN: u64 = 20;
/// Where this share of a request's time is not explained, and it takes so many times as long as the fastest, nobody can
/// say that nothing limits.
const UNEXPLAINED_SHARE_MIN: f64 = 0.5;
const UNEXPLAINED_FACTOR_MIN: f64 = 2.0;
/// A target at whose door connections wait for this share of the time has no room that is seen.
const AT_DOOR_SHARE_MIN: f64 = 0.5;

/// Whether enough of the target is seen to say that nothing limits it. Users in loops ask for more
/// as soon as they are answered: that they get no more has a cause, which CPU alone does not show. Starts of which
/// fewer end than begin leave something behind that is not seen to be carried.
fn is_seen(context: &RuleContext<'_>) -> bool {
    let measured = context.measured;
    let is_queued_for = !measured.pools.is_empty() || measured.workers.is_some();
    let is_seen = is_queued_for || (measured.cpu.is_some() && context.view.run.load.is_open);
    is_seen
        && !is_left_behind(context)
        && !is_part_of_several(context)
        && !is_unexplained(context)
        && !is_queue_at_door(context.view, AT_DOOR_SHARE_MIN)
}

/// Of starts that are planned fewer end than begin.
fn is_left_behind(context: &RuleContext<'_>) -> bool {
    context.view.run.load.is_open && context.view.callers.is_falling_behind()
}

/// The page is one of several processes, and not all of them are seen: fewer requests go into those than callers send.
fn is_part_of_several(context: &RuleContext<'_>) -> bool {
    let sources = &context.view.run.signals.sources;
    let mut notes = sources.iter().flat_map(|source| &source.notes);
    let is_several = notes.any(|note| {
        matches!(
            note,
            SourceNote::SeveralProcesses(_) | SourceNote::MixedProcesses(_)
        )
    });
    matches!(context.flow, Flow::Fewer { .. })
        || (is_several && !matches!(context.flow, Flow::Conserved))
}

/// Users in loops wait for most of their time for something that is not seen.
fn is_unexplained(context: &RuleContext<'_>) -> bool {
    let view = context.view;
    let mean = view.callers.mean_ms();
    let quick = context.loss.fastest_ms;
    let waits = quick.is_some_and(|quick| mean >= UNEXPLAINED_FACTOR_MIN * quick);
    let unexplained = breakdown::unseen_share(view, context.measured);
    !view.run.load.is_open
        && waits
        && unexplained.is_some_and(|share| share >= UNEXPLAINED_SHARE_MIN)
}

/// All that users in loops wait for is one queue that is seen: its length is their limit, whatever makes it.
fn is_queue_of_all(finding: &BottleneckFinding, context: &RuleContext<'_>) -> bool {
    let share = account::account(finding.rule, context).share();
    finding.rule == RuleId::PoolExhausted && share.is_some_and(|share| share >= CLOSED_SHARE_MIN)
}

/// What is seen is a queue; what it is for, or whose, is not.
fn is_symptom_alone(finding: &BottleneckFinding) -> bool {
    let is_queue = matches!(
        finding.rule,
        RuleId::PoolExhausted | RuleId::RowLock | RuleId::AcceptQueue
    );
    is_queue && finding.grade == EvidenceGrade::C
}

/// Users in loops lose nothing, and the finding rests on what has other causes, too.
fn is_vague(finding: &BottleneckFinding, context: &RuleContext<'_>) -> bool {
    finding.grade == EvidenceGrade::C
        && !context.has_signs()
        && finding.part != BottleneckPart::TestBed
}

/// Something is seen to be full, and accounts for too little of what is lost to be named: that is no room.
fn is_anything_full(findings: &[BottleneckFinding]) -> bool {
    findings.iter().any(|finding| {
        finding.role == FindingRole::Notice
            && finding.grade <= EvidenceGrade::B
            && matches!(
                finding.rule,
                RuleId::NoisyNeighbour
                    | RuleId::TargetCpu
                    | RuleId::DatabaseCpu
                    | RuleId::DatabaseStorage
                    | RuleId::RedisCpu
                    | RuleId::StorageWait
                    | RuleId::RowLock
            )
    })
}

/// The answer in one line.
pub(super) fn answer(
    findings: &[BottleneckFinding],
    context: &RuleContext<'_>,
) -> ExplanationAnswer {
    let callers = &context.view.callers;
    let first = findings.first();
    // That nobody listens any more needs no measuring, nor what it died of.
    let is_down = |first: &BottleneckFinding| {
        matches!(first.rule, RuleId::Down | RuleId::OutOfMemory) && first.role == FindingRole::Limit
    };
    if first.is_some_and(is_down) {
        return ExplanationAnswer::Limited;
    }
    // Nor does what the target says of itself.
    let is_asked =
        first.is_some_and(|first| first.rule == RuleId::Refused && first.grade == EvidenceGrade::A);
    // Nor do requests that are wrong, from the first to the last.
    if first.is_some_and(|first| {
        first.rule == RuleId::WrongRequests && first.role == FindingRole::Limit
    }) {
        return ExplanationAnswer::Failing;
    }
    if (callers.seconds < SECONDS_MIN && !is_asked) || callers.durations.count() < REQUESTS_MIN {
        return ExplanationAnswer::TooLittle;
    }
    let is_shown = first.is_some_and(|first| {
        let is_told = matches!(first.role, FindingRole::Limit | FindingRole::Slow);
        is_told && first.rule != RuleId::UnknownLimit
    });
    if !is_shown && !context.view.run.generator_limits.is_empty() {
        return ExplanationAnswer::NotValid;
    }
    match first {
        Some(first) if matches!(first.rule, RuleId::UnknownLimit | RuleId::ServedAtOnce) => {
            ExplanationAnswer::UnknownLimit
        }
        Some(first) if first.role == FindingRole::Limit && first.rule.is_of_failing() => {
            ExplanationAnswer::Failing
        }
        // That all connections are held is seen, but not for what; that sessions wait for a lock, but not whose.
        Some(first)
            if first.role == FindingRole::Limit
                && is_symptom_alone(first)
                && (context.has_signs() || is_queue_of_all(first, context)) =>
        {
            ExplanationAnswer::UnknownLimit
        }
        // Where nothing is lost, what would fit other causes, too, is no sign of one.
        Some(first) if first.role == FindingRole::Limit && is_vague(first, context) => {
            ExplanationAnswer::NoSign
        }
        Some(first) if first.role == FindingRole::Limit => ExplanationAnswer::Limited,
        // Users in loops ask for no more than slow requests let them.
        Some(first)
            if first.role == FindingRole::Slow
                && (!context.view.run.load.is_open || context.loss.is_objective_alone) =>
        {
            ExplanationAnswer::Slow
        }
        _ if is_seen(context) && !is_anything_full(findings) => ExplanationAnswer::NoBottleneck,
        _ => ExplanationAnswer::NoSign,
    }
}

/// The findings, none of which says that it limits now where the answer names no limit.
pub(super) fn agreed(
    mut findings: Vec<BottleneckFinding>,
    answer: ExplanationAnswer,
) -> Vec<BottleneckFinding> {
    let names_none = matches!(
        answer,
        ExplanationAnswer::NoBottleneck
            | ExplanationAnswer::NoSign
            | ExplanationAnswer::TooLittle
            | ExplanationAnswer::NotValid
    );
    let is_denied = |one: &BottleneckFinding| one.role == FindingRole::Limit;
    if !names_none || !findings.iter().any(is_denied) {
        return findings;
    }
    // What would limit after that was told of a limit.
    findings.retain(|one| one.rule != RuleId::NextLimit);
    for one in findings.iter_mut().filter(|one| is_denied(one)) {
        one.role = FindingRole::Notice;
    }
    // They stay before what else is told: they would be first to limit.
    findings
}
