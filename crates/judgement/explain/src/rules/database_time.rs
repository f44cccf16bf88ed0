//! Requests spend their time in the database. Its CPU is not seen, so this is time, not CPU.

use loadline_text::{doubt, evidence, findings, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// The share of a request's time that its statements take.
const STATEMENT_SHARE_MIN: f64 = 0.6;
/// Faster requests are not worth telling, ms.
const REQUEST_MS_MIN: f64 = 50.0;
/// So many sessions at work wait for each other.
const WORKING_SESSIONS_MIN: f64 = 2.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let mean = context.view.callers.mean_ms();
    // Spans of a client that waits for a core are no time of the database.
    let is_of_client = measured.are_statements_traced_alone() && measured.is_starved();
    if is_of_client
        || measured.database_cpu.is_some()
        || measured.rate <= 0.0
        || mean < REQUEST_MS_MIN
    {
        return None;
    }
    let statements: f64 = measured
        .statements
        .iter()
        .map(|statement| statement.time)
        .sum();
    let active = measured.sessions.active;
    let time = if statements > 0.0 {
        statements
    } else {
        active?
    };
    let of_request = share(time / measured.rate * 1000.0, mean).min(1.0);
    let locked = measured.sessions.lock.unwrap_or(0.0);
    let is_crowded = time >= WORKING_SESSIONS_MIN;
    let is_queue = is_crowded && context.has_signs();
    if (of_request < STATEMENT_SHARE_MIN && !is_queue)
        || context.is_cpu_used(0.85)
        || locked >= 0.3 * time
    {
        return None;
    }
    let statement = if of_request < STATEMENT_SHARE_MIN {
        findings::database_crowded(significant(time))
    } else {
        findings::database_time(percent(of_request))
    };
    let top = measured.statements.first();
    let advice = top.map(|top| {
        Advice::to(findings::database_cpu_try_statement(percent(top.share))).by(&top.text)
    });
    Draft::new(
        RuleId::DatabaseTime,
        BottleneckPart::Database,
        EvidenceGrade::C,
        statement,
    )
    .role(if is_crowded {
        FindingRole::Limit
    } else {
        FindingRole::Slow
    })
    .shown(
        "database-time",
        evidence::database_time(),
        of_request,
        EvidenceUnit::Share,
    )
    .shown(
        "sessions-active",
        evidence::sessions_active(),
        active,
        EvidenceUnit::Count,
    )
    .shown("mean", evidence::mean(), mean, EvidenceUnit::Millis)
    .naming_heaviest(measured)
    .against(Some(doubt::database_cpu_unseen()))
    .advised(advice)
    .advised([Advice::to(findings::database_cpu_try_cache())])
    .limiting_at(if is_crowded { measured.rate } else { 0.0 })
    .done()
}
