//! An event loop is blocked, or has no time left.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{evidence, findings, millis, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::measured::OneThread;
use super::{Draft, RuleContext};

/// A loop this late is blocked, s.
const LAG_SECONDS_MIN: f64 = 0.02;
/// A loop this busy has no time left.
const LOOP_USE_MIN: f64 = 0.9;
/// Busy may be so much more than computing and being blocked together.
const BUSY_TOLERANCE: f64 = 0.15;
/// A loop that computes uses this much of one core.
const LOOP_CORES_MIN: f64 = 0.8;
/// Loops that sleep outside of their poll this share of the time are blocked.
const BLOCKED_SHARE_MIN: f64 = 0.5;

/// ... and those that do this share of it have no time left.
const BLOCKED_FULLY_MIN: f64 = 0.8;
/// A loop that handles one request at a time has about one inside, by the page's own times, ...
const INSIDE_MIN: f64 = 0.85;
/// ... and never more.
const INSIDE_MAX: f64 = 1.05;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let any = Entity::new();
    let lag = context.view.largest(SignalKind::EventLoopLag, &any);
    let busy = context.view.largest(SignalKind::EventLoopUse, &any);
    let seen_blocked = context.view.largest(SignalKind::EventLoopBlocked, &any);
    let used = context.measured.cpu.as_ref().map(|cpu| cpu.used);
    // Threads of one interpreter sleep outside of their poll while another of them computes: that is no loop.
    let is_computing = used.is_some_and(|used| used >= LOOP_CORES_MIN);
    if context.measured.is_one_interpreter && is_computing && lag.is_none() {
        return None;
    }
    let shared = context.measured.computing_all_along();
    if let Some(one) = shared.filter(|one| one.runs < LOOP_CORES_MIN && lag.is_none()) {
        return shared_core(context, one);
    }
    // A loop is busy with computing or with being blocked: where both are seen and do not add up to it, the looks
    // fell on the same moments again and again.
    let busy = busy.filter(|busy| {
        let both = used.zip(seen_blocked).map(|(used, blocked)| used + blocked);
        both.is_none_or(|both| busy - both <= BUSY_TOLERANCE)
    });
    let is_told = busy.is_some();
    let busy = busy.or_else(|| one_at_a_time(context));
    let blocked = seen_blocked.filter(|blocked| *blocked >= BLOCKED_SHARE_MIN);
    let is_late = lag.is_some_and(|lag| lag >= LAG_SECONDS_MIN);
    if !is_late && blocked.is_none() && busy.is_none_or(|busy| busy < LOOP_USE_MIN) {
        return None;
    }
    let computes = blocked.is_none() && used.is_some_and(|used| used >= LOOP_CORES_MIN);
    let statement = match (computes, blocked, lag) {
        (true, _, _) => findings::event_loop_computes(),
        (false, Some(blocked), _) => findings::event_loop_sleeps(percent(blocked)),
        (false, None, Some(_)) if !is_late => {
            findings::event_loop_busy(percent(busy.unwrap_or(1.0)))
        }
        (false, None, Some(lag)) if used.is_none() => {
            findings::event_loop_late(millis(lag * 1000.0))
        }
        (false, None, Some(lag)) => findings::event_loop_blocked(millis(lag * 1000.0)),
        (false, None, None) => findings::event_loop_busy(percent(busy.unwrap_or(1.0))),
    };
    // A loop that is late now and then has time left: only one that has none is seen to limit.
    let has_none_left = computes
        || blocked.is_some_and(|blocked| blocked >= BLOCKED_FULLY_MIN)
        || (is_told && busy.is_some_and(|busy| busy >= LOOP_USE_MIN));
    let grade = if used.is_some() && has_none_left {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    let part = if computes {
        BottleneckPart::Cpu
    } else {
        BottleneckPart::Threads
    };
    Draft::new(RuleId::EventLoop, part, grade, statement)
        .shown(
            "lag",
            evidence::lag(),
            lag.map(|lag| lag * 1000.0),
            EvidenceUnit::Millis,
        )
        .shown(
            "blocked",
            evidence::loop_blocked(),
            blocked,
            EvidenceUnit::Share,
        )
        .shown("busy", evidence::loop_use(), busy, EvidenceUnit::Share)
        .shown("cpu-used", evidence::cpu_used(), used, EvidenceUnit::Cores)
        .advised([Advice::to(if computes {
            findings::event_loop_try_processes()
        } else {
            findings::event_loop_try_move()
        })])
        .limiting_at(context.measured.rate)
        .done()
}

/// The one loop is never idle: for the rest of the time other programs have the core.
fn shared_core(context: &RuleContext<'_>, one: OneThread) -> Option<BottleneckFinding> {
    // Threads of one interpreter are no loop.
    if context.measured.is_one_interpreter {
        return None;
    }
    Draft::new(
        RuleId::EventLoop,
        BottleneckPart::Cpu,
        EvidenceGrade::B,
        findings::target_cpu_shared(percent(one.runs), percent(one.waits)),
    )
    .shown(
        "cpu-used",
        evidence::cpu_used(),
        one.runs,
        EvidenceUnit::Cores,
    )
    .shown(
        "run-delay",
        evidence::run_delay(),
        one.waits * 1000.0,
        EvidenceUnit::Millis,
    )
    .advised([
        Advice::to(findings::neighbour_try()),
        Advice::to(findings::event_loop_try_processes()),
    ])
    .limiting_at(context.measured.rate)
    .done()
}

/// How busy a loop is whose page does not tell it: its requests are handled one after the other. By the page's own times about
/// one is inside, by the callers' law one is served at once, and all others wait before it.
fn one_at_a_time(context: &RuleContext<'_>) -> Option<f64> {
    context
        .view
        .largest(SignalKind::EventLoopLag, &Entity::new())?;
    let served = context
        .served_at_once()
        .filter(|served| served.count <= 1.0 && served.of.is_none())?;
    let inside = context.measured.server_time? * served.rate;
    (INSIDE_MIN..=INSIDE_MAX)
        .contains(&inside)
        .then(|| inside.min(1.0))
}
