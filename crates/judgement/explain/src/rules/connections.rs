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
/// Users who come anew open so many each, where they are kept.
const OPENED_PER_NEW_USER_MAX: f64 = 1.1;
/// From this share of the requests' time on, connecting is what makes them slow.
const CONNECTING_SHARE_MIN: f64 = 0.2;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let times = context.view.run.times?;
    let opened = share(times.opened, times.requests);
    // Who comes anew opens one, whatever the target keeps.
    if times.opened <= OPENED_PER_NEW_USER_MAX * context.view.run.load.new_users {
        return None;
    }
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
            each,
            EvidenceUnit::Millis,
        )
        .advised([Advice::to(findings::connections_of_callers_try())])
        .done()
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::ComparedWindow;

    use crate::{CallerTimes, ExplainedLoad, ExplainedRun, RuleId, explain};

    /// Seen: "connections are not kept: let the target keep them (A)" of users of an Artillery file, who open one each.
    #[test]
    fn users_who_come_anew_open_one_each() {
        let told = |new_users: f64| {
            let mut window = ComparedWindow {
                requests: 14.0,
                iterations: 8.0,
                planned: 8.0,
                ..ComparedWindow::default()
            };
            (0..14).for_each(|_| window.durations.record(20.0));
            let run = ExplainedRun {
                windows: vec![window; 10],
                load: ExplainedLoad {
                    is_open: true,
                    users: 3.0,
                    new_users,
                    ..ExplainedLoad::default()
                },
                times: Some(CallerTimes {
                    connecting: 0.3,
                    opened: 81.0,
                    requests: 136.0,
                    waiting: 20.0,
                    receiving: 0.1,
                }),
                ..ExplainedRun::default()
            };
            let findings = explain(&run, &[]).findings;
            findings
                .iter()
                .any(|one| one.rule == RuleId::ConnectionsOfCallers)
        };
        assert!(told(0.0) && told(40.0));
        assert!(!told(81.0));
    }
}
