//! What limits a searched target, as `explain` says of the level that shows it.

use loadline_record::LimitVerdict;
use loadline_text::Catalog;

use crate::context::Context;
use crate::launch::recording::RecordingFlags;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// Explains the stored search. A store that cannot be read is told, and costs no more than this row.
pub(super) fn found(
    context: &mut Context,
    keep: &RecordingFlags,
    run: &str,
    catalog: &Catalog,
) -> Option<LimitVerdict> {
    match explained(context, keep, run) {
        Ok(limit) => Some(limit),
        Err(refusal) => {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            None
        }
    }
}

fn explained(context: &Context, keep: &RecordingFlags, run: &str) -> Result<LimitVerdict, Refusal> {
    Stored::open(context, keep.store.as_deref())?.limit(run)
}
