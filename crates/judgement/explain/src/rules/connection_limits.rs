//! Limits of connections that do not fit the rest: fewer connections than threads, fewer than users, a queue that the kernel
//! cuts.

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_text::{counted, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// What sets how many connections are taken, and how many may wait for that.
const CONNECTIONS: &str = "server.tomcat.max-connections >= server.tomcat.threads.max";
const ADMISSION: &str = "server.tomcat.max-connections, server.tomcat.accept-count";
const KERNEL: &str = "net.core.somaxconn";
/// What the server asks of the kernel, where its start says so.
const ACCEPT_COUNT: &str = "server.tomcat.accept-count";

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    below_threads(context)
        .or_else(|| below_users(context))
        .or_else(|| cut_queue(context))
}

/// The connections of a server, with what they are of; `None` without a limit.
fn limits<'a>(context: &RuleContext<'a>) -> impl Iterator<Item = (f64, &'a Entity)> {
    let view = context.view;
    let all = view.run.signals.of_kind(SignalKind::ConnectionsMax);
    all.filter_map(|series| Some((view.gauge_of(series)?.last, &series.entity)))
        .filter(|(most, _)| *most > 0.0)
}

fn draft(statement: loadline_text::Message, of: &Entity, advice: Advice) -> Draft {
    Draft::new(
        RuleId::ConnectionLimits,
        BottleneckPart::Threads,
        EvidenceGrade::B,
        statement,
    )
    .role(FindingRole::Notice)
    .entity(of)
    .advised([advice])
}

/// A connection has one request at a time: threads beyond connections have none.
fn below_threads(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let mut found = limits(context).filter_map(|(connections, of)| {
        // Executors beside the server have names of their own.
        of.get(Label::Pool)?;
        let threads = view.largest(SignalKind::WorkersMax, of)?;
        (connections < threads).then_some((connections, threads, of))
    });
    let (connections, threads, of) = found.next()?;
    let count = EvidenceUnit::Count;
    draft(
        findings::connections_below_threads(counted(connections), counted(threads)),
        of,
        Advice::to(findings::connections_below_threads_try()).by(CONNECTIONS),
    )
    .shown(
        "connections-most",
        evidence::connections_most(),
        connections,
        count,
    )
    .shown("threads-most", evidence::threads_most(), threads, count)
    .done()
}

/// Users in loops keep a connection each.
fn below_users(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    if view.run.load.is_open {
        return None;
    }
    let any = Entity::new();
    let queue = view.largest(SignalKind::AcceptQueueMax, &any)?;
    let (most, of) = limits(context).next()?;
    let instances = limits(context).count();
    let all: f64 = limits(context).map(|(most, _)| most + queue).sum();
    let users = view.run.load.users;
    if users <= all || instances != 1 {
        return None;
    }
    let count = EvidenceUnit::Count;
    draft(
        findings::users_above_connections(counted(users), counted(most), counted(queue)),
        of,
        Advice::to(findings::users_above_connections_try()).by(ADMISSION),
    )
    .shown("users", evidence::users(), users, count)
    .shown(
        "connections-most",
        evidence::connections_most(),
        most,
        count,
    )
    .done()
}

/// The queue that the server asks for, and the kernel makes shorter.
fn cut_queue(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let settings = view.run.signals.settings();
    let wanted = settings.iter().find(|one| one.name == ACCEPT_COUNT)?;
    let wanted: f64 = wanted.value.parse().ok()?;
    let queue = view.largest(SignalKind::AcceptQueueMax, &Entity::new())?;
    (queue < wanted).then_some(())?;
    draft(
        findings::accept_count_cut(counted(wanted), counted(queue)),
        &Entity::new(),
        Advice::to(findings::accept_count_cut_try()).by(KERNEL),
    )
    .done()
}
