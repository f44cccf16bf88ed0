//! Callers are not let in: the accept queue or the number of connections is at its limit.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{counted, evidence, explain, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext, stack};

/// Connections refused by a full queue, a second.
const OVERFLOWS_PER_SECOND_MIN: f64 = 0.1;
/// A queue that overflows has so many waiting, on average.
const WAITING_CONNECTIONS_MIN: f64 = 0.5;
/// All connections are taken from this share on.
const OPEN_SHARE_MIN: f64 = 0.95;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let (view, any) = (context.view, Entity::new());
    let waiting = view.gauge(SignalKind::AcceptQueue, &any);
    // Overflows are counted of all programs of a machine; those of a target whose queue is empty are others'.
    let overflows = view
        .rate(SignalKind::AcceptQueueOverflows, &any)
        .filter(|_| waiting.is_none_or(|waiting| waiting >= WAITING_CONNECTIONS_MIN))
        .unwrap_or(0.0);
    let open = view
        .run
        .signals
        .of_kind(SignalKind::Connections)
        .filter_map(|series| {
            let most = view.largest(SignalKind::ConnectionsMax, &series.entity)?;
            let open = view.gauge_of(series)?.median;
            (most > 0.0 && open >= OPEN_SHARE_MIN * most).then_some((open, most))
        });
    let full = open.max_by(|a, b| a.0.total_cmp(&b.0));
    if overflows < OVERFLOWS_PER_SECOND_MIN && full.is_none() {
        return None;
    }
    let statement = match full {
        Some((_, most)) => explain::connections_full(counted(most)),
        None => explain::accept_queue(significant(overflows)),
    };
    let is_seen = full.is_some() || waiting.is_some();
    let grade = if is_seen {
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
    .against((!is_seen).then(explain::doubt_whole_machine))
    .advised([
        Advice::to(explain::accept_queue_try()).by_known(stack::connections(&view.run.signals))
    ])
    .limiting_at(context.measured.rate)
    .done()
}
