//! What the web page of a study shows: its row in the store.

use std::path::PathBuf;

use loadline_knobs::journal::{self, StudyJournal};
use loadline_report::tuning::StudyReport;
use loadline_report::tuning::file::TuningFile;
use loadline_store::{Store, StoredRunState, StudyRow};

use super::TuneArgs;
use crate::context::Context;
use crate::stored::{now_ms, store_path};

/// Letters of a study's name in the store.
const STUDY_NAME_LENGTH: usize = 8;

/// The row of a study in the store.
pub(super) struct StudyPage {
    /// `None` where nothing is stored, or a write has failed.
    store: Option<PathBuf>,
    name: String,
    begun_ms: i64,
}

impl StudyPage {
    pub(super) fn new(context: &Context, args: &TuneArgs, journal: &StudyJournal) -> Self {
        let begun_ms = journal.state().begun_ms;
        // The same study has the same row when it goes on.
        let mut name = journal::hash(&format!("{}{begun_ms}", journal.path().display()));
        name.truncate(STUDY_NAME_LENGTH);
        Self {
            store: store_path(context, args.store.store.as_deref()),
            name,
            begun_ms,
        }
    }

    /// Keeps the study as it is now. A store that cannot be written is reported once.
    pub(super) fn keep(
        &mut self,
        context: &Context,
        report: &StudyReport,
        state: StoredRunState,
    ) -> Result<(), String> {
        let Some(path) = &self.store else {
            return Ok(());
        };
        let row = StudyRow {
            name: self.name.clone(),
            study: report.name.clone(),
            begun_ms: self.begun_ms,
            changed_ms: now_ms(context),
            state,
            answer: TuningFile::new(report).to_json(),
        };
        let kept = Store::prepare(path)
            .and_then(|()| Store::open_to_change(path))
            .and_then(|store| store.keep_study(&row));
        kept.map_err(|error| {
            self.store = None;
            error.to_string()
        })
    }
}
