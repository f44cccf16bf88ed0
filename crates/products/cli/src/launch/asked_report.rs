//! The report that was asked for when a run was started, `run --report FILE`.

use loadline_record::Series;
use loadline_session::RunResult;
use loadline_text::Catalog;

use super::recording::RecordingFlags;
use super::repeat;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;
use crate::stored::written_report::{ReportFormat, Reported};

/// A run whose report was asked for when it was started.
pub(crate) struct AskedReport<'a> {
    pub(crate) outcome: &'a RunResult,
    /// Its place among repetitions.
    pub(crate) series: Option<&'a Series>,
    pub(crate) catalog: &'a Catalog,
}

impl AskedReport<'_> {
    /// Writes it, if one was asked for.
    ///
    /// # Errors
    /// The stored run cannot be read, or the file cannot be written.
    pub(crate) fn write(
        &self,
        context: &mut Context,
        flags: &RecordingFlags,
    ) -> Result<(), Refusal> {
        let (Some(file), Some(kept)) = (&flags.report, &self.outcome.kept) else {
            return Ok(());
        };
        let stored = Stored::open(context, flags.store.as_deref())?;
        let reported = Reported::from_store(&stored, &kept.name, self.catalog)?;
        let file = repeat::numbered(file, self.series);
        let format = ReportFormat::of_file(&file);
        reported.write(context, format, Some(&file), self.catalog)
    }
}
