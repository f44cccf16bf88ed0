//! Sessions of the database, and whose they are.

use loadline_record::signals::{Entity, Label, SignalKind};

use super::super::ownership::idle_level;
use super::super::view::RunView;
use super::SessionView;

pub(super) fn sessions(view: &RunView<'_>) -> SessionView {
    let any = Entity::new();
    // What is there without the load is not the target's.
    let of_all = |kind| Some((view.gauge(kind, &any)? - idle_level(view, kind)).max(0.0));
    let told = [
        SignalKind::SessionsActive,
        SignalKind::SessionsIdle,
        SignalKind::SessionsIdleInTransaction,
    ];
    let all: f64 = told
        .into_iter()
        .filter_map(|kind| view.gauge(kind, &any))
        .sum();
    // Where they are not told apart, their number is.
    let all = all.max(view.gauge(SignalKind::Sessions, &any).unwrap_or(0.0));
    // Where clients are told apart, and some are the target's, the others' sessions are not its.
    let is_owned = owned_sessions(view);
    let of = |kind, of_client| {
        if is_owned {
            Some(view.gauge(of_client, &owned()).unwrap_or(0.0))
        } else {
            of_all(kind)
        }
    };
    SessionView {
        active: of(SignalKind::SessionsActive, SignalKind::ClientSessionsActive),
        idle_in_transaction: of(
            SignalKind::SessionsIdleInTransaction,
            SignalKind::ClientSessionsIdleInTransaction,
        ),
        lock: of(
            SignalKind::SessionsWaitingForLock,
            SignalKind::ClientSessionsWaitingForLock,
        ),
        waiting: of(
            SignalKind::SessionsWaiting,
            SignalKind::ClientSessionsWaiting,
        ),
        is_owned,
        all,
        most: view.largest(SignalKind::SessionsMax, &any),
    }
}

/// What is the target's own.
fn owned() -> Entity {
    Entity::new().with(Label::Owner, "target")
}

/// Whose sessions the database has is known.
fn owned_sessions(view: &RunView<'_>) -> bool {
    let mut sessions = view
        .run
        .signals
        .series()
        .iter()
        .filter(|series| series.kind.name().starts_with("client-sessions-"));
    sessions.any(|series| series.entity.get(Label::Owner).is_some())
}
