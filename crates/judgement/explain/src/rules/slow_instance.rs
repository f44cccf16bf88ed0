//! One instance takes much longer for a request than the others.

use std::collections::BTreeSet;

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_text::{counted, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// By so much longer than the slowest of the others, ...
const TIME_FACTOR_MIN: f64 = 2.0;
/// ... and at least by so many s.
const TIME_GAP_SECONDS_MIN: f64 = 0.02;
/// Requests a second below which a mean says little.
const REQUESTS_PER_SECOND_MIN: f64 = 0.5;
/// An instance that gets so many times the requests of the busiest other one is slow because of them,
/// which the rule of uneven load tells.
const RATE_FACTOR_MAX: f64 = 1.5;
/// Its CPU is at its limit from this share on.
const USED_UP: f64 = 0.85;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let requests = view.run.signals.of_kind(SignalKind::ServerRequests);
    let names: BTreeSet<&str> = requests
        .filter_map(|one| one.entity.get(Label::Instance))
        .collect();
    let mut times: Vec<(f64, &str, f64)> = names
        .into_iter()
        .filter_map(|name| {
            let of = Entity::new().with(Label::Instance, name);
            let rate = view.rate(SignalKind::ServerRequests, &of)?;
            let time = view.each(
                SignalKind::ServerRequestTime,
                SignalKind::ServerRequests,
                &of,
            )?;
            (rate >= REQUESTS_PER_SECOND_MIN).then_some((time, name, rate))
        })
        .collect();
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [(slowest, name, rate), (next, ..), ..] = times[..] else {
        return None;
    };
    let busiest_other = times[1..].iter().map(|other| other.2).fold(0.0, f64::max);
    if rate > RATE_FACTOR_MAX * busiest_other {
        return None;
    }
    if slowest < TIME_FACTOR_MIN * next || slowest - next < TIME_GAP_SECONDS_MIN {
        return None;
    }
    let of_it = |other: &Entity| other.get(Label::Instance) == Some(name);
    let measured = context.measured;
    let cpu = measured.cpu.as_ref();
    let pool = measured.exhausted();
    let part = if pool.is_some_and(|pool| of_it(&pool.usage.entity)) {
        BottleneckPart::Pool
    } else if cpu.is_some_and(|cpu| cpu.share() >= USED_UP && of_it(&cpu.entity)) {
        BottleneckPart::Cpu
    } else {
        BottleneckPart::Code
    };
    let count = f64::from(u32::try_from(times.len()).unwrap_or(u32::MAX));
    let (slowest, next) = (slowest * 1000.0, next * 1000.0);
    Draft::new(
        RuleId::SlowInstance,
        part,
        EvidenceGrade::A,
        findings::slow_instance(counted(count), name, millis(slowest), millis(next)),
    )
    .role(FindingRole::Slow)
    .entity(&Entity::new().with(Label::Instance, name))
    .shown(
        "time-of-instance",
        evidence::time_of_instance(),
        slowest,
        EvidenceUnit::Millis,
    )
    .shown(
        "time-of-others",
        evidence::time_of_others(),
        next,
        EvidenceUnit::Millis,
    )
    .shown(
        "instances",
        evidence::instances(),
        count,
        EvidenceUnit::Count,
    )
    .advised([Advice::to(findings::slow_instance_try())])
    .done()
}
