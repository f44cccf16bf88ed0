//! The database takes no more sessions: of all, or of the one role or database that the target uses.
//!
//! Sessions that are all open limit nothing while some of them are idle and nobody is refused: a pool may be as large as
//! its limit. They do where requests fail, or where nearly all of them work.

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_text::{Message, counted, doubt, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::view::RunView;
use super::{Draft, RuleContext};

/// Nearly all sessions are taken from this share on.
const NEARLY_ALL: f64 = 0.95;
/// Fewer failed requests were not refused by it.
const FAILED_SHARE_MIN: f64 = 0.02;
/// The target has most of the taken sessions from this part on.
const OWN_PART_MIN: f64 = 0.8;
/// All are taken at this share of the looks.
const TAKEN_SHARE_MIN: f64 = 0.8;

/// Sessions that are all taken.
#[derive(Debug, Clone)]
pub(in super::super) struct TakenSessions {
    /// The role or the database that may have so many only; `None`: the server's own limit.
    of: Option<String>,
    taken: f64,
    most: f64,
    /// They are seen to be the target's.
    is_owned: bool,
}

impl TakenSessions {
    /// Those that the target is refused for, or waits for.
    pub(in super::super) fn new(context: &RuleContext<'_>) -> Option<Self> {
        let view = context.view;
        let found = limited(view).or_else(|| of_server(context))?;
        let is_refused = view.callers.failed >= FAILED_SHARE_MIN;
        let active = context.measured.sessions.active.unwrap_or(0.0);
        (is_refused || active >= NEARLY_ALL * found.most).then_some(found)
    }

    /// By Little's law callers say the same: as many requests are answered a second as so many sessions serve, each for as
    /// long as a request takes that waits for nothing.
    pub(in super::super) fn is_confirmed(&self, context: &RuleContext<'_>) -> bool {
        self.is_owned && context.are_holders_quick(self.taken) == Some(true)
    }
}

/// All sessions that the server takes.
fn of_server(context: &RuleContext<'_>) -> Option<TakenSessions> {
    let sessions = context.measured.sessions;
    let most = sessions.most.filter(|most| *most > 0.0)?;
    (sessions.all >= NEARLY_ALL * most).then_some(TakenSessions {
        of: None,
        taken: sessions.all,
        most,
        is_owned: own(context.view).is_some_and(|own| own >= OWN_PART_MIN * sessions.all),
    })
}

/// All sessions of a role or a database that has a limit of its own; those that are seen to be others' are not the target's.
fn limited(view: &RunView<'_>) -> Option<TakenSessions> {
    let own = own(view);
    let all = view.run.signals.of_kind(SignalKind::LimitedSessions);
    let mut taken = all.filter_map(|series| {
        let of = &series.entity;
        let most = view.largest(SignalKind::LimitedSessionsMax, of)?;
        let full = view.share_at_limit(series, most, NEARLY_ALL)?;
        let taken = view.gauge_of(series)?.mean;
        let name = of.get(Label::Client).or_else(|| of.get(Label::Database))?;
        let is_owned = own.map(|own| own >= OWN_PART_MIN * taken);
        (most > 0.0 && full >= TAKEN_SHARE_MIN && is_owned != Some(false)).then(|| TakenSessions {
            of: Some(name.to_owned()),
            taken,
            most,
            is_owned: is_owned == Some(true),
        })
    });
    taken.next()
}

/// Sessions that are the target's own, where that is known.
fn own(view: &RunView<'_>) -> Option<f64> {
    let of_target = Entity::new().with(Label::Owner, "target");
    let kinds = [
        SignalKind::ClientSessionsActive,
        SignalKind::ClientSessionsIdle,
        SignalKind::ClientSessionsIdleInTransaction,
    ];
    let all = kinds
        .into_iter()
        .flat_map(|kind| view.run.signals.of_kind(kind));
    let own = all.filter(|series| series.entity.agrees(&of_target));
    let own = own.filter(|series| series.entity.get(Label::Owner).is_some());
    let means = own.filter_map(|series| Some(view.gauge_of(series)?.mean));
    means.reduce(|a, b| a + b)
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let found = TakenSessions::new(context)?;
    let (taken, most) = (counted(found.taken.round()), counted(found.most));
    let (statement, setting): (Message, &str) = match &found.of {
        Some(name) => (
            findings::database_sessions_of(name.clone(), most),
            "ALTER ROLE ... CONNECTION LIMIT; ALTER DATABASE ... CONNECTION LIMIT",
        ),
        None => (findings::database_sessions(taken, most), "max_connections"),
    };
    let logged = context.logged.evidence(RuleId::DatabaseSessions);
    let is_confirmed = found.is_confirmed(context) || logged.is_some();
    let grade = if is_confirmed {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    Draft::new(
        RuleId::DatabaseSessions,
        BottleneckPart::Database,
        grade,
        statement,
    )
    .shown(
        "sessions",
        evidence::sessions(),
        found.taken,
        EvidenceUnit::Count,
    )
    .shown(
        "sessions-most",
        evidence::sessions_most(),
        found.most,
        EvidenceUnit::Count,
    )
    .shown(
        "failed",
        evidence::failed(),
        Some(context.view.callers.failed).filter(|failed| *failed > 0.0),
        EvidenceUnit::Share,
    )
    .against((!is_confirmed).then(doubt::refusals_unseen))
    .advised([Advice::to(findings::database_sessions_try()).by(setting)])
    .limiting_at(context.measured.rate)
    .done()
}
