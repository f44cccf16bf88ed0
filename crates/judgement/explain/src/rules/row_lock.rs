//! Sessions of the database wait for a lock that another one holds.

use loadline_record::signals::{Label, SignalKind};
use loadline_text::{evidence, explain, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext};

/// So many sessions wait on average, ...
const WAITING_SESSIONS_MIN: f64 = 0.8;
/// ... and at least this share of those that have a transaction.
const WAITING_SHARE_MIN: f64 = 0.3;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let sessions = context.measured.sessions;
    let waiting = sessions.lock?;
    let open = sessions.active.unwrap_or(0.0) + sessions.idle_in_transaction.unwrap_or(0.0);
    if waiting < WAITING_SESSIONS_MIN || waiting < WAITING_SHARE_MIN * open {
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
        EvidenceGrade::A,
        explain::row_lock(significant(waiting)),
    )
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
        context.measured.database_cpu.as_ref().map(|cpu| cpu.used),
        EvidenceUnit::Cores,
    )
    .naming_heaviest(context.measured)
    .advised(advice(statement))
    .limiting_at(context.measured.rate)
    .done()
}

/// What to try, with the statement that waits.
pub(super) fn advice(statement: Option<&str>) -> [Advice; 2] {
    let mut order = Advice::to(explain::row_lock_try_order());
    order.setting = statement.map(str::to_owned);
    [order, Advice::to(explain::row_lock_try_count())]
}
