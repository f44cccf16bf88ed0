//! What is known of a searched target: what limits it, as `explain` says of the level that shows it, and
//! how it was set up.

use loadline_analysis::compare::TargetSettings;
use loadline_record::LimitVerdict;
use loadline_text::Catalog;

use crate::context::Context;
use crate::launch::recording::RecordingFlags;
use crate::stored::Stored;

/// What is known of a searched target.
#[derive(Debug, Default)]
pub(in crate::commands) struct KnownTarget {
    /// What limits it; `None` where nothing was stored.
    pub(in crate::commands) limit: Option<LimitVerdict>,
    /// How it was set up, as far as it was observed.
    pub(in crate::commands) setup: TargetSettings,
}

impl KnownTarget {
    /// Reads the stored search. A store that cannot be read is reported, and costs no more than this.
    pub(super) fn read(
        context: &mut Context,
        keep: &RecordingFlags,
        run: &str,
        catalog: &Catalog,
    ) -> Self {
        let read = Stored::open(context, keep.store.as_deref()).and_then(|stored| {
            let limit = Some(stored.limit(run)?);
            let setup = stored.target(run)?;
            Ok(Self { limit, setup })
        });
        read.unwrap_or_else(|refusal| {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            Self::default()
        })
    }
}
