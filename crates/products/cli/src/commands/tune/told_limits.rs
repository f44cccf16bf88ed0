//! What a study says of what limits its trials, each thing once.

use loadline_knobs::journal::TrialEntry;
use loadline_knobs::study::StudyFile;
use loadline_record::LimitVerdict;
use loadline_report::explanation::verdict;
use loadline_report::tuning::spare_knob;
use loadline_text::{Catalog, Message, tune};

use super::limit;

/// What was said last.
#[derive(Debug, Default)]
pub(super) struct ToldLimits {
    last: Option<LimitVerdict>,
    /// Settings that come first were told.
    has_settings: bool,
}

impl ToldLimits {
    /// What is to be said of a trial: of the target as it is before anything else is tried, later where it changes.
    pub(super) fn lines(
        &mut self,
        entry: &TrialEntry,
        file: &StudyFile,
        catalog: &Catalog,
    ) -> Vec<Message> {
        let Some(found) = entry.limit.as_ref().filter(|limit| limit.is_told()) else {
            return Vec::new();
        };
        let mut lines = self.of_limit(found, entry, file, catalog);
        if entry.setting == file.start() && !self.has_settings {
            let settings = of_settings(found, file, catalog);
            self.has_settings = !settings.is_empty();
            lines.extend(settings);
        }
        lines
    }

    fn of_limit(
        &mut self,
        found: &LimitVerdict,
        entry: &TrialEntry,
        file: &StudyFile,
        catalog: &Catalog,
    ) -> Vec<Message> {
        let is_known = |told: &LimitVerdict| told.is_same(found);
        if self.last.as_ref().is_some_and(is_known) {
            return Vec::new();
        }
        let is_first = self.last.replace(found.clone()).is_none();
        let mut lines = if is_first && entry.setting == file.start() {
            at_start(found, file, catalog)
        } else {
            vec![tune::limit_trial(verdict::text(found, catalog))]
        };
        lines.extend(entry.guess.as_ref().map(|guess| {
            let setting = file.label(guess);
            if found.decides.is_some() {
                tune::limit_decides(setting)
            } else {
                tune::limit_guess(setting)
            }
        }));
        lines
    }
}

/// What limits the target as it is, and what to do before its settings are tried.
fn at_start(found: &LimitVerdict, file: &StudyFile, catalog: &Catalog) -> Vec<Message> {
    let said = verdict::text(found, catalog);
    let mut knobs = file.knobs.iter();
    let is_moved = knobs.any(|knob| limit::part(knob) == found.part.as_deref());
    let head = if found.cause_part().is_some() && !is_moved {
        tune::elsewhere_before(said)
    } else {
        tune::limit_start(said)
    };
    let first = verdict::of_code(found, catalog);
    std::iter::once(head)
        .chain(first.iter().map(tune::limit_first))
        .collect()
}

/// Settings that come before those of the study, and knobs of which nothing is to be gained.
fn of_settings(found: &LimitVerdict, file: &StudyFile, catalog: &Catalog) -> Vec<Message> {
    let spare = file.knobs.iter().filter_map(|knob| {
        let now = &knob.values[knob.now];
        spare_knob(&knob.name, now, limit::part(knob), found)
    });
    let first = verdict::settings_first(found, catalog).into_iter();
    first.map(tune::limit_first).chain(spare).collect()
}
