//! A study read again from its file and its journal, for reports.

use std::path::{Path, PathBuf};

use loadline_analysis::tuning::answer::StudyOutcome;
use loadline_knobs::journal::StudyJournal;
use loadline_knobs::{journal, study as studies};
use loadline_report::run::RunProgress;
use loadline_report::tuning::StudyReport;
use loadline_text::problem;

use super::StudySource;
use super::study_report::{self, StudyFacts};
use crate::context::Context;
use crate::refusal::Refusal;

/// A study that is read again.
pub(in super::super) struct ReportedStudy {
    pub(in super::super) report: StudyReport,
    pub(in super::super) progress: RunProgress,
    pub(in super::super) begun_ms: i64,
}

/// The study file that a path names: itself, if its journal is beside it, or that of a journal.
pub(in super::super) fn named(context: &Context, path: &str) -> Option<PathBuf> {
    let full = context.working_dir.join(path);
    let study = match path.strip_suffix(".journal") {
        Some(study) => context.working_dir.join(study),
        None => full,
    };
    journal::path_of(&study).is_file().then_some(study)
}

/// Whether a study that ended could not tell, and has budget for more trials than it had then: an earlier version of this
/// program stopped sooner.
pub(super) fn has_more_to_try(source: &StudySource, journal: &StudyJournal) -> bool {
    let state = journal.state();
    if !journal.is_over() || state.trials.is_empty() || state.hash != journal::hash(&source.text) {
        return false;
    }
    let mut study = study_report::study(&source.study, state.seed);
    if !study_report::replay(&mut study, &source.study, &state.trials)
        || study.next_trial().is_none()
    {
        return false;
    }
    study.conclude();
    matches!(study.answer().outcome, StudyOutcome::CannotTell { .. })
}

/// Tells a study again.
pub(in super::super) fn read(path: &Path) -> Result<ReportedStudy, Refusal> {
    let text = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|error| Refusal::config(problem::file_unreadable(path.display(), error)))
    };
    let source = text(path)?;
    let journal_path = journal::path_of(path);
    let (state, is_over) = journal::read(&text(&journal_path)?)
        .map_err(|error| super::journal_refusal(&journal_path, &error))?;
    let changed = || Refusal::config(problem::study_changed(journal_path.display()));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new("/"));
    let file = studies::read(&source, &stem, folder).map_err(|_| changed())?;
    let mut study = study_report::study(&file, state.seed);
    if state.hash != journal::hash(&source)
        || !study_report::replay(&mut study, &file, &state.trials)
    {
        return Err(changed());
    }
    // The study itself sees that it is over when it is asked for the next trial.
    if is_over && study.next_trial().is_some() {
        study.conclude();
    }
    let answer = study.answer();
    let facts = StudyFacts {
        file: &file,
        trials: &state.trials,
        now: None,
    };
    Ok(ReportedStudy {
        report: facts.report(answer),
        progress: if is_over {
            RunProgress::Ended
        } else {
            RunProgress::CutOff
        },
        begun_ms: state.begun_ms,
    })
}
