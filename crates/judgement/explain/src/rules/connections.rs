//! Connections are not kept: callers open one for each request.

use loadline_text::{evidence, findings, millis, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// From this share of requests on that open one, connections are not kept ...
const OPENED_SHARE_MIN: f64 = 0.2;
/// ... if there are more of them than any user needs, whose browser opens six.
const OPENED_PER_USER_MIN: f64 = 8.0;
/// From this share of the requests' time on, connecting is what makes them slow.
const CONNECTING_SHARE_MIN: f64 = 0.2;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let times = context.view.run.times?;
    let opened = share(times.opened, times.requests);
    if opened < OPENED_SHARE_MIN
        || times.opened < OPENED_PER_USER_MIN * context.view.run.load.users.max(1.0)
    {
        return None;
    }
    let each = share(times.connecting, opened);
    let mean = context.view.callers.mean_ms();
    let is_slow = times.connecting >= CONNECTING_SHARE_MIN * (mean + times.connecting);
    let statement = findings::connections_of_callers(percent(opened), millis(each));
    let (rule, part) = (RuleId::ConnectionsOfCallers, BottleneckPart::Network);
    Draft::new(rule, part, EvidenceGrade::A, statement)
        .role(if is_slow {
            FindingRole::Slow
        } else {
            FindingRole::Notice
        })
        .shown("opened", evidence::opened(), opened, EvidenceUnit::Share)
        .shown(
            "connecting",
            evidence::connecting(),
            times.connecting,
            EvidenceUnit::Millis,
        )
        .advised([Advice::to(findings::connections_of_callers_try())])
        .done()
}
