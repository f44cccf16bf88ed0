//! What limits a searched target, as far as its signals tell.

use loadline_analysis::explain::{self as rules, ExplanationAnswer, FindingRole};
use loadline_report::explanation as report;
use loadline_session::explanation;
use loadline_text::Catalog;

use super::super::run::keep::KeepFlags;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// The first finding of `explain`.
pub(super) struct FoundLimit {
    /// The rule's name.
    pub(super) rule: &'static str,
    /// In words, with its grade.
    pub(super) text: String,
}

/// Explains the stored search; `None` without signals, or when nothing is found to limit. A store
/// that cannot be read is told, and costs no more than this row.
pub(super) fn found(
    context: &mut Context,
    keep: &KeepFlags,
    run: &str,
    catalog: &Catalog,
) -> Option<FoundLimit> {
    match explained(context, keep, run, catalog) {
        Ok(limit) => limit,
        Err(refusal) => {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            None
        }
    }
}

fn explained(
    context: &Context,
    keep: &KeepFlags,
    run: &str,
    catalog: &Catalog,
) -> Result<Option<FoundLimit>, Refusal> {
    let stored = Stored::open(context, keep.store.as_deref())?;
    let run = explanation::read(&stored.store, stored.find(run)?);
    let run = run.map_err(|error| stored.refusal(error))?;
    if run.signals.series().is_empty() {
        return Ok(None);
    }
    let explanation = rules::explain(&run, &[]);
    let first = explanation.findings.first();
    let is_limited = explanation.answer == ExplanationAnswer::Limited;
    let first = first.filter(|first| is_limited && first.role == FindingRole::Limit);
    Ok(first.map(|first| FoundLimit {
        rule: first.rule.name(),
        text: report::limit(first, catalog),
    }))
}
