//! The database takes no more sessions.

use loadline_text::{counted, evidence, explain};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext};

/// Nearly all sessions are taken from this share on.
const NEARLY_ALL: f64 = 0.95;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let sessions = context.measured.sessions;
    let most = sessions.most.filter(|most| *most > 0.0)?;
    if sessions.all < NEARLY_ALL * most {
        return None;
    }
    Draft::new(
        RuleId::DatabaseSessions,
        BottleneckPart::Database,
        EvidenceGrade::A,
        explain::database_sessions(counted(sessions.all), counted(most)),
    )
    .shown(
        "sessions",
        evidence::sessions(),
        sessions.all,
        EvidenceUnit::Count,
    )
    .shown(
        "sessions-most",
        evidence::sessions_most(),
        most,
        EvidenceUnit::Count,
    )
    .advised([Advice::to(explain::database_sessions_try()).by("max_connections")])
    .limiting_at(context.measured.rate)
    .done()
}
