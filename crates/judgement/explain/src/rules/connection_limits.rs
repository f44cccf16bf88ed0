//! A limit of connections that does not fit the rest: fewer connections than threads.

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_text::{counted, doubt, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// What sets how many connections are taken.
const CONNECTIONS: &str = "server.tomcat.max-connections >= server.tomcat.threads.max";

/// The connections of a server, with what they are of; `None` without a limit.
fn limits<'a>(context: &RuleContext<'a>) -> impl Iterator<Item = (f64, &'a Entity)> {
    let view = context.view;
    let all = view.run.signals.of_kind(SignalKind::ConnectionsMax);
    all.filter_map(|series| Some((view.gauge_of(series)?.last, &series.entity)))
        .filter(|(most, _)| *most > 0.0)
}

/// A connection has one request at a time: threads beyond connections have none.
pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let mut found = limits(context).filter_map(|(connections, of)| {
        // Executors beside the server have names of their own.
        of.get(Label::Pool)?;
        let threads = view.largest(SignalKind::WorkersMax, of)?;
        (connections < threads).then_some((connections, threads, of))
    });
    let (connections, threads, of) = found.next()?;
    let count = EvidenceUnit::Count;
    Draft::new(
        RuleId::ConnectionLimits,
        BottleneckPart::Threads,
        EvidenceGrade::B,
        findings::connections_below_threads(counted(connections), counted(threads)),
    )
    .role(FindingRole::Notice)
    .entity(of)
    .against(Some(doubt::requests_share_connections()))
    .advised([Advice::to(findings::connections_below_threads_try()).by(CONNECTIONS)])
    .shown(
        "connections-most",
        evidence::connections_most(),
        connections,
        count,
    )
    .shown("threads-most", evidence::threads_most(), threads, count)
    .done()
}
