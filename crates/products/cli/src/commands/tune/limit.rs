//! What limits the target, as `explain` names it.

use loadline_analysis::tuning::answer::{StudyAnswer, StudyOutcome};
use loadline_explain::{self as rules, ExplanationAnswer, FindingRole, RuleId};
use loadline_knobs::journal::TrialEntry;
use loadline_report::explanation as report;
use loadline_session::explanation;
use loadline_text::Catalog;

use crate::context::Context;
use crate::stored::Stored;

/// Rules whose bottleneck is a setting that knobs usually are.
const SETTINGS: [RuleId; 13] = [
    RuleId::UserLimit,
    RuleId::CpuQuota,
    RuleId::HeapTooSmall,
    RuleId::LongPauses,
    RuleId::MemoryLimit,
    RuleId::TooFewThreads,
    RuleId::AcceptQueue,
    RuleId::PoolTooSmall,
    RuleId::PoolExhausted,
    RuleId::DatabaseSessions,
    RuleId::WaitsInside,
    RuleId::UnknownLimit,
    RuleId::ServedAtOnce,
];

/// What limits.
#[derive(Debug, Clone)]
pub(super) struct Limit {
    pub(super) text: String,
    /// It is one that settings move.
    pub(super) is_setting: bool,
}

/// Explains a stored run; `None` without signals of the target, or when nothing limits.
pub(super) fn found(
    context: &Context,
    store: Option<&str>,
    run: &str,
    catalog: &Catalog,
) -> Option<Limit> {
    // Without a store there is nothing to explain, which is no mistake.
    let stored = Stored::open(context, store).ok()?;
    let run = explanation::read(&stored.store, stored.find(run).ok()?).ok()?;
    if run.signals.series().is_empty() {
        return None;
    }
    let explanation = rules::explain(&run, &[]);
    let first = explanation.findings.first()?;
    let limits =
        explanation.answer == ExplanationAnswer::Limited && first.role == FindingRole::Limit;
    limits.then(|| Limit {
        text: report::limit(first, catalog),
        is_setting: SETTINGS.contains(&first.rule),
    })
}

/// What limits a study's nearest setting when its goal was missed, else what limited the last
/// trial that was stored.
pub(super) fn of_answer(
    context: &Context,
    store: Option<&str>,
    trials: &[TrialEntry],
    answer: &StudyAnswer,
    catalog: &Catalog,
) -> Option<Limit> {
    let is_missed = answer.outcome == StudyOutcome::GoalMissed;
    let is_it = |trial: &&TrialEntry| !is_missed || trial.setting == answer.winner;
    let runs = trials.iter().rev().filter(is_it);
    let run = runs.filter_map(|trial| trial.run.clone()).next()?;
    found(context, store, &run, catalog)
}
