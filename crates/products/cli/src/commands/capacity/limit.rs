//! What limits a searched target, as far as its signals tell.

use loadline_explain::{self as rules, ExplanationAnswer, FindingRole, RuleId};
use loadline_report::explanation as report;
use loadline_session::explanation;
use loadline_text::{Catalog, capacity};

use crate::context::Context;
use crate::launch::recording::RecordingFlags;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// What `explain` says of the search's limit.
pub(super) struct FoundLimit {
    /// The rule's name; none when what was observed shows no limit.
    pub(super) rule: Option<&'static str>,
    /// In words, with its grade.
    pub(super) text: String,
}

/// Explains the stored search; `None` when nothing was observed and nothing can be told without. A
/// store that cannot be read is told, and costs no more than this row.
pub(super) fn found(
    context: &mut Context,
    keep: &RecordingFlags,
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
    keep: &RecordingFlags,
    run: &str,
    catalog: &Catalog,
) -> Result<Option<FoundLimit>, Refusal> {
    let stored = Stored::open(context, keep.store.as_deref())?;
    let run = explanation::read(&stored.store, stored.find(run)?);
    let run = run.map_err(|error| stored.refusal(error))?;
    let explanation = rules::explain(&run, &[]);
    let first = explanation.findings.first();
    let first = first.filter(|first| match explanation.answer {
        ExplanationAnswer::Limited => first.role == FindingRole::Limit,
        ExplanationAnswer::UnknownLimit => first.rule == RuleId::ServedAtOnce,
        _ => false,
    });
    let is_observed = !run.signals.series().is_empty();
    Ok(match first {
        Some(first) => Some(FoundLimit {
            rule: Some(first.rule.name()),
            text: report::limit(first, catalog),
        }),
        None => is_observed.then(|| FoundLimit {
            rule: None,
            text: catalog.text(&capacity::limit_unseen()),
        }),
    })
}
