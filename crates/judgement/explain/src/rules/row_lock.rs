//! Sessions of the database wait for a lock that another one holds.

use loadline_record::signals::{Label, SignalKind};
use loadline_text::{doubt, evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// So many sessions wait on average, ...
const WAITING_SESSIONS_MIN: f64 = 0.8;
/// ... and at least this share of those that have a transaction.
const WAITING_SHARE_MIN: f64 = 0.3;

/// The target has at least this part of the sessions that wait, where they are its own.
const OWN_PART_MIN: f64 = 0.7;

/// Statements in traces and sessions at work that differ by at most this part are the same.
const TRACED_TOLERANCE: f64 = 0.2;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let sessions = context.measured.sessions;
    let waiting = sessions.lock?;
    let open = sessions.active.unwrap_or(0.0) + sessions.idle_in_transaction.unwrap_or(0.0);
    if waiting < WAITING_SESSIONS_MIN || waiting < WAITING_SHARE_MIN * open {
        return None;
    }
    let is_theirs = !sessions.is_owned && is_contradicted(context, waiting);
    if is_theirs {
        return None;
    }
    let locks = context
        .view
        .run
        .signals
        .of_kind(SignalKind::SessionsWaitingForLock);
    let statements = locks.filter_map(|series| {
        let statement = series.entity.get(Label::Statement)?;
        Some((context.view.gauge_of(series)?.mean, statement))
    });
    let statement = statements
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, text)| text);
    Draft::new(
        RuleId::RowLock,
        BottleneckPart::Database,
        if sessions.is_owned || is_traced(context, open) {
            EvidenceGrade::A
        } else if is_own(context) {
            EvidenceGrade::B
        } else {
            EvidenceGrade::C
        },
        findings::row_lock(significant(waiting)),
    )
    .against((!is_own(context)).then(doubt::sessions_of_others))
    .shown(
        "lock-waiters",
        evidence::lock_waiters(),
        waiting,
        EvidenceUnit::Count,
    )
    .shown(
        "sessions-active",
        evidence::sessions_active(),
        sessions.active,
        EvidenceUnit::Count,
    )
    .shown(
        "database-cpu",
        evidence::database_cpu(),
        context.measured.database_cores_used(),
        EvidenceUnit::Cores,
    )
    .naming_heaviest(context.measured)
    .advised(advice(statement))
    .limiting_at(context.measured.rate)
    .done()
}

/// A session of the target that waits for a lock has a connection of its pool, and its request is in a
/// statement: fewer of those than locks that are waited for are of another program.
fn is_contradicted(context: &RuleContext<'_>, waiting: f64) -> bool {
    let measured = context.measured;
    let held = measured.held_connections();
    let has_pool = !measured.pools.is_empty();
    // Requests that end while a queue grows waited for less than those that are in it: of all that are under way as large a
    // part may be in statements as of those that were traced.
    let in_statements = measured.traced.as_ref().map(|traced| {
        let ended = traced.sql * measured.ended;
        ended.max(share(traced.sql, traced.all) * context.under_way.callers)
    });
    let is_less = |seen: f64| seen < OWN_PART_MIN * waiting;
    (has_pool && is_less(held)) || in_statements.is_some_and(is_less)
}

/// Traced requests are in as many statements as the database has sessions at work: they are the target's.
fn is_traced(context: &RuleContext<'_>, open: f64) -> bool {
    let traced = context.measured.traced.as_ref();
    let in_statements = traced.map(|traced| traced.sql * context.measured.ended);
    in_statements.is_some_and(|seen| (seen - open).abs() <= TRACED_TOLERANCE * open)
}

/// Whose sessions wait is known, or the target's own pool or traces show as many.
fn is_own(context: &RuleContext<'_>) -> bool {
    let measured = context.measured;
    measured.sessions.is_owned || !measured.pools.is_empty() || measured.traced.is_some()
}

/// What to try, with the statement that waits.
pub(super) fn advice(statement: Option<&str>) -> [Advice; 2] {
    let mut order = Advice::to(findings::row_lock_try_order());
    order.setting = statement.map(str::to_owned);
    [order, Advice::to(findings::row_lock_try_count())]
}
