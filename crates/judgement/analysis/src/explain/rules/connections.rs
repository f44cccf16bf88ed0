//! Connections are not kept: callers, or the target in its calls of others, open one for each request.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{evidence, explain, millis, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::{CallerTimes, share};
use super::{Draft, RuleContext};

/// From this share of requests on that open one, connections are not kept ...
const OPENED: f64 = 0.2;
/// ... if there are more of them than any user needs, whose browser opens six.
const OF_A_USER: f64 = 8.0;
/// From this share of the requests' time on, connecting is what makes them slow.
const SLOW: f64 = 0.2;
/// Connections to others for a request, at least.
const OUTGOING: f64 = 0.5;
/// Fewer requests a second say nothing of the whole machine's connections.
const ENOUGH: f64 = 5.0;

pub(super) fn of_callers(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let times = context.view.run.times?;
    let opened = share(times.opened, times.requests);
    if opened < OPENED || times.opened < OF_A_USER * context.view.run.load.users.max(1.0) {
        return None;
    }
    let each = share(times.connecting, opened);
    let mean = context.view.callers.mean_ms();
    let is_slow = times.connecting >= SLOW * (mean + times.connecting);
    let statement = explain::connections_of_callers(percent(opened), millis(each));
    let (rule, part) = (RuleId::ConnectionsOfCallers, BottleneckPart::Network);
    Draft::new(rule, part, EvidenceGrade::A, statement)
        .role(match is_slow {
            true => FindingRole::Slow,
            false => FindingRole::Notice,
        })
        .shown("opened", evidence::opened(), opened, EvidenceUnit::Share)
        .shown(
            "connecting",
            evidence::connecting(),
            times.connecting,
            EvidenceUnit::Millis,
        )
        .advised([Advice::to(explain::connections_of_callers_try())])
        .done()
}

pub(super) fn of_target(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let rate = context.view.callers.ended;
    let all = context
        .view
        .rate(SignalKind::ConnectionsOpened, &Entity::new())?;
    // Where the callers are on the same machine theirs are counted, too.
    let of_callers = |times: CallerTimes| share(times.opened, times.requests) * rate;
    let own = all - context.view.run.times.map_or(rate, of_callers);
    let each = share(own, rate);
    if rate < ENOUGH || each < OUTGOING {
        return None;
    }
    let statement = explain::connections_of_target(significant(each));
    let (rule, part) = (RuleId::ConnectionsOfTarget, BottleneckPart::Code);
    Draft::new(rule, part, EvidenceGrade::C, statement)
        .role(FindingRole::Notice)
        .shown(
            "opened-outgoing",
            evidence::opened_outgoing(),
            each,
            EvidenceUnit::Count,
        )
        .against(Some(explain::doubt_whole_machine()))
        .advised([Advice::to(explain::connections_of_target_try())])
        .done()
}
