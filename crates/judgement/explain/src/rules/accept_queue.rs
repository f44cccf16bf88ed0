//! Callers are not let in: the accept queue or the number of connections is at its limit.
//!
//! A queue that is full at times is a cause only where those who are let in are served quickly. Where they wait, too, or the
//! process has no CPU left, whoever accepts is busy, and the queue shows that.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{counted, doubt, evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId, StackSetting,
};
use super::super::input::{CallerTimes, share};
use super::{Draft, RuleContext, stack};

/// Connections refused by a full queue, a second.
const OVERFLOWS_PER_SECOND_MIN: f64 = 0.1;
/// A queue that overflows has so many waiting, on average.
const WAITING_CONNECTIONS_MIN: f64 = 0.5;
/// A queue that holds this part of what it takes, on average, is full all along.
const ALWAYS_FULL_SHARE_MIN: f64 = 0.7;
/// Where so many wait on average, whoever takes them out comes too seldom.
const ALWAYS_WAITING_MIN: f64 = 1.0;
/// What sets the limit of the servers that tell how many they closed.
const CLOSED_BY: &str = "nginx: worker_connections, worker_rlimit_nofile";
/// A process that uses this share of its cores has none left to accept with.
const CPU_USED_UP: f64 = 0.88;
/// All connections are taken from this share on.
const OPEN_SHARE_MIN: f64 = 0.95;

/// As many wait on average as the queue takes.
fn is_full(context: &RuleContext<'_>, waiting: f64) -> bool {
    let most = context
        .view
        .largest(SignalKind::AcceptQueueMax, &Entity::new());
    most.is_some_and(|most| most > 0.0 && waiting >= ALWAYS_FULL_SHARE_MIN * most)
}

/// Those who are let in wait for their answer for longer than it takes to be let in.
fn are_those_inside_waiting(context: &RuleContext<'_>) -> bool {
    let opened = |times: &CallerTimes| times.connecting * share(times.requests, times.opened);
    let times = context.view.run.times.as_ref();
    times.is_some_and(|times| times.opened > 0.0 && times.waiting > opened(times))
}

/// The process computes, or waits for a core, all the time.
fn has_no_cpu(context: &RuleContext<'_>) -> bool {
    context.is_cpu_used(CPU_USED_UP) || context.measured.is_always_due()
}

/// Connections that are open, and how many may be, where all are taken.
fn all_open(context: &RuleContext<'_>) -> Option<(f64, f64)> {
    let view = context.view;
    let connections = view.run.signals.of_kind(SignalKind::Connections);
    let open = connections.filter_map(|series| {
        let most = view.largest(SignalKind::ConnectionsMax, &series.entity)?;
        let open = view.gauge_of(series)?.median;
        (most > 0.0 && open >= OPEN_SHARE_MIN * most).then_some((open, most))
    });
    open.max_by(|a, b| a.0.total_cmp(&b.0))
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let (view, any) = (context.view, Entity::new());
    let waiting = view.gauge(SignalKind::AcceptQueue, &any);
    // Overflows are counted of all programs of a machine; those of a target whose queue is empty are others'.
    let overflows = view
        .rate(SignalKind::AcceptQueueOverflows, &any)
        .filter(|_| waiting.is_none_or(|waiting| waiting >= WAITING_CONNECTIONS_MIN))
        .unwrap_or(0.0);
    let full = all_open(context);
    // A server that reached its limit of connections accepts further ones, and closes them.
    let closed = view
        .rate(SignalKind::ConnectionsDropped, &any)
        .filter(|closed| *closed >= OVERFLOWS_PER_SECOND_MIN);
    // Connections wait there for threads that are all taken.
    let is_behind = full.is_none() && closed.is_none() && context.taken_threads().is_some();
    if is_behind || (overflows < OVERFLOWS_PER_SECOND_MIN && full.is_none() && closed.is_none()) {
        return None;
    }
    // A queue that is full all along has something behind it that takes too few out.
    let is_at_door = full.is_none() && closed.is_none();
    let is_always_full = is_at_door && waiting.is_some_and(|waiting| is_full(context, waiting));
    let is_behind_busy = is_at_door && (are_those_inside_waiting(context) || has_no_cpu(context));
    let statement = match (full, closed) {
        (Some((_, most)), _) => findings::connections_full(counted(most)),
        (None, Some(closed)) => findings::connections_closed(significant(closed)),
        (None, None) if is_behind_busy => findings::accept_queue_behind(significant(overflows)),
        (None, None) => findings::accept_queue(significant(overflows)),
    };
    let is_seen = full.is_some() || closed.is_some() || waiting.is_some();
    let setting = || match closed {
        Some(_) => StackSetting::Named(CLOSED_BY),
        None => stack::connections(&view.run.signals),
    };
    let is_always_waiting =
        is_at_door && waiting.is_some_and(|waiting| waiting >= ALWAYS_WAITING_MIN);
    let advice = if is_behind_busy {
        Advice::to(findings::accept_queue_behind_try())
    } else if is_always_waiting {
        Advice::to(findings::accept_queue_waiting_try())
    } else {
        Advice::to(findings::accept_queue_try()).by_stack(setting())
    };
    let grade = if is_seen && !is_always_full && !is_behind_busy {
        EvidenceGrade::A
    } else {
        EvidenceGrade::C
    };
    Draft::new(
        RuleId::AcceptQueue,
        BottleneckPart::Threads,
        grade,
        statement,
    )
    .shown(
        "connections",
        evidence::connections(),
        full.map(|f| f.0),
        EvidenceUnit::Count,
    )
    .shown(
        "accept-queue",
        evidence::accept_queue(),
        waiting,
        EvidenceUnit::Count,
    )
    .shown(
        "overflows",
        evidence::overflows(),
        overflows,
        EvidenceUnit::PerSecond,
    )
    .shown(
        "connections-closed",
        evidence::connections_closed(),
        closed,
        EvidenceUnit::PerSecond,
    )
    .against((!is_seen).then(doubt::whole_machine))
    .against(is_always_full.then(doubt::queue_behind))
    .advised([advice])
    .limiting_at(context.measured.rate)
    .done()
}
