//! Requests wait inside the target, for nothing that is seen: neither CPU nor connections nor
//! statements nor other servers take their time.

use loadline_text::{doubt, evidence, findings, millis, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// Shorter requests are not worth telling, s.
const REQUEST_SECONDS_MIN: f64 = 0.05;
/// The target's part of what callers see, at least: else something else takes the time.
const TARGET_SHARE_MIN: f64 = 0.6;
/// What is seen of a request's time explains less than this share of it.
const EXPLAINED_SHARE_MAX: f64 = 0.4;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let callers = &context.view.callers;
    let time = measured.server_time?;
    let cpu = measured.cpu_of_request()?;
    let is_full = measured.exhausted().is_some()
        || measured
            .workers
            .as_ref()
            .is_none_or(|workers| workers.at_limit && !context.do_threads_wait_for_unseen());
    // Without the pool or the database, statements could take the time.
    let statements = statement_time(context)?;
    if time < REQUEST_SECONDS_MIN || time * 1000.0 < TARGET_SHARE_MIN * callers.mean_ms() || is_full
    {
        return None;
    }
    let delay = share(measured.run_delay.unwrap_or(0.0), measured.rate);
    let outside = measured.outside.as_ref();
    let calls = outside.map_or(0.0, |outside| {
        share(outside.mean * outside.calls, measured.rate)
    });
    let pauses = measured.pauses().unwrap_or(0.0) * time;
    let explained = share(cpu + delay + statements + calls + pauses, time);
    if explained >= EXPLAINED_SHARE_MAX {
        return None;
    }
    let is_limiting = !context.view.run.load.is_open || context.has_signs();
    let grade = outside.map_or(EvidenceGrade::C, |_| EvidenceGrade::B);
    let unseen = percent(1.0 - explained);
    Draft::new(
        RuleId::WaitsInside,
        BottleneckPart::Code,
        grade,
        findings::waits_inside(unseen, millis(time * 1000.0)),
    )
    .role(if is_limiting {
        FindingRole::Limit
    } else {
        FindingRole::Slow
    })
    .shown(
        "server-time",
        evidence::server_time(),
        time * 1000.0,
        EvidenceUnit::Millis,
    )
    .shown(
        "cpu-of-request",
        evidence::cpu_of_request(),
        cpu * 1000.0,
        EvidenceUnit::Millis,
    )
    .shown(
        "statements",
        evidence::statements_of_request(),
        statements * 1000.0,
        EvidenceUnit::Millis,
    )
    .shown(
        "outside",
        evidence::outside(),
        outside.map(|outside| outside.mean * 1000.0),
        EvidenceUnit::Millis,
    )
    .against(outside.is_none().then(doubt::calls_unseen))
    .advised([Advice::to(findings::waits_inside_try()).by("jstack PID, py-spy dump --pid PID")])
    .limiting_at(if is_limiting { measured.rate } else { 0.0 })
    .done()
}

/// Seconds of a request in the database or waiting for a connection, as far as it is seen: by
/// connections in use, or by statements.
fn statement_time(context: &RuleContext<'_>) -> Option<f64> {
    let measured = context.measured;
    let held: f64 = measured
        .pools
        .iter()
        .map(|pool| pool.usage.used + pool.pending)
        .sum();
    let by_pool = (!measured.pools.is_empty()).then(|| share(held, measured.rate));
    let by_sessions = || {
        let sessions = measured.sessions;
        let active = sessions.active? + sessions.idle_in_transaction.unwrap_or(0.0);
        Some(share(active, measured.rate))
    };
    by_pool.or_else(by_sessions)
}
