//! Connections are not observed; the log, or what failed requests are answered, says that requests get none: of the pool, of
//! the database, or of the server itself.

use loadline_text::{counted, doubt, evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId, StackSetting,
};
use super::super::logged::{self, LogEvidence};
use super::{Draft, RuleContext, accept_queue, database_sessions, stack};

/// Fewer lines are not worth telling.
const LOG_LINES_MIN: f64 = 3.0;
/// A smaller share of failed requests tells nothing of the others.
const FAILED_SHARE_MIN: f64 = 0.02;
/// What lets more connections in, by the words of the line that tells of it.
const DOOR_SETTINGS: [(&str, &str); 3] = [
    (
        "worker_connections",
        "nginx: worker_connections, worker_rlimit_nofile",
    ),
    ("listen queue", "uwsgi: --listen; net.core.somaxconn"),
    ("maxrequestworkers", "Apache: MaxRequestWorkers"),
];

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    if !context.has_signs() {
        return None;
    }
    // A database without sessions leaves its pools without connections.
    sessions(context)
        .or_else(|| pool(context))
        .or_else(|| pool_answered(context))
        .or_else(|| door(context))
}

pub(super) fn enough_lines<'a>(
    context: &'a RuleContext<'_>,
    rule: RuleId,
) -> Option<&'a LogEvidence> {
    let logged = context.logged.evidence(rule)?;
    (logged.count >= LOG_LINES_MIN).then_some(logged)
}

fn pool(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let rule = RuleId::PoolExhausted;
    let logged = enough_lines(context, rule).filter(|_| context.measured.exhausted().is_none())?;
    let from = counted(logged.from_s);
    let statement = if logged.is_all_held {
        findings::pool_logged(from)
    } else {
        findings::pool_logged_untold(from)
    };
    Draft::new(rule, BottleneckPart::Pool, logged.grade, statement)
        .witnessed(logged)
        .against(Some(doubt::hold_unseen()))
        .advised([Advice::to(findings::pool_exhausted_try_look())])
        .limiting_at(context.measured.rate)
        .done()
}

/// Most failed requests are answered that they got no connection.
fn pool_answered(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let answers = &context.view.run.failed_answers;
    let count = |is_counted: fn(&str) -> bool| -> u64 {
        let counted = answers.iter().filter(|answer| is_counted(&answer.text));
        counted.map(|answer| answer.count).sum()
    };
    let (said, all) = (count(logged::is_of_full_pool), count(|_| true));
    let failed = context.view.callers.failed;
    let is_told = 2 * said > all && failed >= FAILED_SHARE_MIN;
    if !is_told || context.measured.exhausted().is_some() {
        return None;
    }
    let statement = findings::pool_answered(percent(failed));
    Draft::new(
        RuleId::PoolExhausted,
        BottleneckPart::Pool,
        EvidenceGrade::C,
        statement,
    )
    .against(Some(doubt::hold_unseen()))
    .advised([Advice::to(findings::pool_exhausted_try_look())])
    .limiting_at(context.measured.rate)
    .done()
}

fn sessions(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let rule = RuleId::DatabaseSessions;
    let logged =
        enough_lines(context, rule).filter(|_| database_sessions::check(context).is_none())?;
    let statement = findings::sessions_logged(counted(logged.from_s));
    // What the client writes is what the database told it.
    let grade = logged.grade_beside_callers();
    Draft::new(rule, BottleneckPart::Database, grade, statement)
        .witnessed(logged)
        .advised([Advice::to(findings::database_sessions_try()).by("max_connections")])
        .limiting_at(context.measured.rate)
        .done()
}

fn door(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let rule = RuleId::AcceptQueue;
    let logged = enough_lines(context, rule).filter(|_| accept_queue::check(context).is_none())?;
    let statement = findings::door_logged(counted(logged.from_s));
    let signals = &context.view.run.signals;
    let setting =
        door_setting(logged).map_or_else(|| stack::connections(signals), StackSetting::Named);
    // The server that turns callers away says so of each that callers miss.
    let grade = logged.grade_beside_callers();
    Draft::new(rule, BottleneckPart::Threads, grade, statement)
        .witnessed(logged)
        .advised([Advice::to(findings::accept_queue_try()).by_stack(setting)])
        .limiting_at(context.measured.rate)
        .done()
}

fn door_setting(logged: &LogEvidence) -> Option<&'static str> {
    let text = logged.lines.first()?.text.to_lowercase();
    let mut settings = DOOR_SETTINGS.iter();
    let found = settings.find(|(words, _)| text.contains(words))?;
    Some(found.1)
}

impl Draft {
    /// The lines of the log it rests on, and for how many of the failed or slow requests there is one.
    pub(super) fn witnessed(mut self, logged: &LogEvidence) -> Self {
        let quoted = logged.lines.iter().take(logged::QUOTED_LINES_MAX);
        self.0.logged.extend(quoted.cloned());
        let lines = evidence::log_lines();
        self.shown("log-lines", lines, logged.count, EvidenceUnit::Count)
            .shown(
                "log-accounts",
                evidence::log_accounts(),
                logged.accounts.min(1.0),
                EvidenceUnit::Share,
            )
    }
}
