//! Sessions of the database wait for its storage.

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_text::{evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext};

/// What `PostgreSQL` calls reads and writes that a session waits for.
const STORAGE: &str = "IO";
/// So many sessions wait for storage on average, ...
const WAITING_SESSIONS_MIN: f64 = 0.8;
/// ... and at least this share of those that execute a statement.
const WAITING_SHARE_MIN: f64 = 0.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let waiting = waiting_for_storage(context)?;
    let active = context.measured.sessions.active?;
    if waiting < WAITING_SESSIONS_MIN || waiting < WAITING_SHARE_MIN * active {
        return None;
    }
    Draft::new(
        RuleId::DatabaseStorage,
        BottleneckPart::Database,
        EvidenceGrade::A,
        findings::database_storage(significant(waiting)),
    )
    .shown(
        "storage-sessions",
        evidence::sessions_active(),
        active,
        EvidenceUnit::Count,
    )
    .shown(
        "database-cpu",
        evidence::database_cpu(),
        context.measured.database_cores_used(),
        EvidenceUnit::Cores,
    )
    .naming_heaviest(context.measured)
    .advised([
        Advice::to(findings::database_storage_try_read_less()),
        Advice::to(findings::database_storage_try_faster()),
    ])
    .limiting_at(context.measured.rate)
    .done()
}

/// Sessions that wait for storage, on average.
fn waiting_for_storage(context: &RuleContext<'_>) -> Option<f64> {
    let of_storage = Entity::new().with(Label::Wait, STORAGE);
    let waits = context
        .view
        .run
        .signals
        .of_kind(SignalKind::SessionsWaiting);
    let named = waits.filter(|series| series.entity.get(Label::Wait) == Some(STORAGE));
    named.count().checked_sub(1)?;
    context.view.gauge(SignalKind::SessionsWaiting, &of_storage)
}
