//! A request makes one statement for each row of another.

use loadline_text::{doubt, evidence, findings, millis, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::flow::Flow;
use super::super::heavy;
use super::super::input::share;
use super::super::statement::StatementOrigin;
use super::{Draft, RuleContext};

/// Calls of one statement in each request.
const CALLS_PER_REQUEST_MIN: f64 = 10.0;
/// Each of them is quick, s.
const CALL_SECONDS_MAX: f64 = 0.005;
/// These calls are most of what a resource does from this share on.
const MOST_SHARE_MIN: f64 = 0.4;
/// What a call costs the target itself, in seconds of a core: an ORM's share included.
const CPU_SECONDS_OF_CALL: f64 = 0.000_1;
/// Calls that cost this part of what a request computes are why it does.
const OWN_COST_SHARE_MIN: f64 = 0.3;
/// Requests that go side by side may take so many times their own time.
const TIME_EXCESS_MAX: f64 = 1.25;
/// They make each request slow where they are this share of its time; else they are only worth telling.
const SLOWING_SHARE_MIN: f64 = 0.25;
/// A resource used this much is the limit because of them.
const USED_UP: f64 = 0.7;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    if measured.rate <= 0.0 {
        return None;
    }
    // Those of others who call the target are made for their requests.
    let requests = match context.flow {
        Flow::More { page, .. } => page.max(measured.rate),
        Flow::Fewer { .. } | Flow::Conserved | Flow::Unknown => measured.rate,
    };
    let many = measured.statements.iter().filter(|statement| {
        let each = share(statement.time, statement.calls);
        statement.calls / requests >= CALLS_PER_REQUEST_MIN && each <= CALL_SECONDS_MAX
    });
    let all: Vec<_> = many.collect();
    let most = all.iter().max_by(|a, b| a.calls.total_cmp(&b.calls))?;
    let of_request = all.iter().map(|s| s.calls).sum::<f64>() / requests;
    let each = share(most.time, most.calls) * 1000.0;
    let time: f64 = all.iter().map(|statement| statement.time).sum();
    // More time than requests take: somebody else makes these calls.
    if time > TIME_EXCESS_MAX * measured.ended * context.view.callers.mean_ms() / 1000.0 {
        return None;
    }
    let is_unsure = most.own.is_none() && most.counted_by == StatementOrigin::Database;
    let of_database = share(time, measured.statement_time) >= MOST_SHARE_MIN;
    let cost = measured.cpu_of_request().unwrap_or(0.0);
    let own_cost = of_request * CPU_SECONDS_OF_CALL;
    let held = measured.held_connections();
    let is_limiting = (context.is_cpu_used(USED_UP) && own_cost >= OWN_COST_SHARE_MIN * cost)
        || (context.is_database_used(USED_UP) && of_database)
        || (measured.exhausted().is_some() && time >= MOST_SHARE_MIN * held);
    let is_slowing = time >= SLOWING_SHARE_MIN * context.under_way.callers;
    Draft::new(
        RuleId::ManyStatements,
        BottleneckPart::Database,
        if is_unsure || context.flow.is_broken() {
            EvidenceGrade::B
        } else {
            EvidenceGrade::A
        },
        findings::many_statements(significant(of_request), millis(each)),
    )
    .role(match (is_limiting, is_slowing) {
        (true, _) => FindingRole::Limit,
        (false, true) => FindingRole::Slow,
        (false, false) => FindingRole::Notice,
    })
    .shown("calls", evidence::calls(), of_request, EvidenceUnit::Count)
    .shown(
        "statement-time",
        evidence::statement_time(),
        each,
        EvidenceUnit::Millis,
    )
    .shown(
        "cpu-used",
        evidence::cpu_used(),
        measured.cpu.as_ref().map(|cpu| cpu.used),
        EvidenceUnit::Cores,
    )
    .shown(
        "database-cpu",
        evidence::database_cpu(),
        measured.database_cores_used(),
        EvidenceUnit::Cores,
    )
    .against(is_unsure.then(doubt::calls_of_others))
    .naming(vec![heavy::named(most, measured)])
    .advised([Advice::to(findings::many_statements_try()).by(&most.text)])
    .limiting_at(if is_limiting { measured.rate } else { 0.0 })
    .done()
}
