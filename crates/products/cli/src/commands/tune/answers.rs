//! Holds trials to the answers of the current settings: a setting that is fast because it answers otherwise is no better.

use loadline_analysis::compare::other_answers;
use loadline_analysis::same_answers::AnswerBaseline;
use loadline_knobs::journal::TrialEntry;
use loadline_knobs::study::StudyFile;
use loadline_record::{AnswerDifference, DifferenceKind};
use loadline_report::tuning as report;
use loadline_session::{answers, comparison};
use loadline_text::{Catalog, Message, tune};

use super::trial_entry::cause;
use crate::context::Context;
use crate::stored::Stored;

/// Runs of a setting that are read for its answers: the first ones.
const RUNS_MAX: usize = 8;

/// Runs of the current settings that tell which values of answers are always the same.
const RUNS_KNOWN_MIN: usize = 2;

/// Whether trials are held to the answers of the current settings.
pub(super) struct AnswerCheck {
    /// Why they are not was said.
    is_told: bool,
}

impl AnswerCheck {
    pub(super) const fn new() -> Self {
        Self { is_told: false }
    }

    /// Takes what was measured back from a trial whose setting is answered otherwise than the current ones, also from one that says
    /// nothing else; what is to be said once where that cannot be known.
    pub(super) fn hold(
        &mut self,
        context: &Context,
        study: &HeldStudy<'_>,
        entry: &mut TrialEntry,
    ) -> Option<Message> {
        if !study.file.same_answers
            || entry.run.is_none() && entry.measured.is_none()
            || entry.setting == study.file.start()
        {
            return None;
        }
        match study.changed(context, entry) {
            Ok(None) => None,
            Ok(Some(changed)) => {
                entry.measured = None;
                entry.failed = false;
                entry.other_answers = true;
                entry.cause = Some(cause(&changed));
                entry.reason = Some(report::reason(&changed, study.catalog));
                None
            }
            Err(_) if entry.measured.is_none() => None,
            Err(why) => (!std::mem::replace(&mut self.is_told, true)).then_some(why),
        }
    }
}

/// What a trial is held to.
pub(super) struct HeldStudy<'a> {
    pub(super) file: &'a StudyFile,
    pub(super) trials: &'a [TrialEntry],
    pub(super) store: Option<&'a str>,
    pub(super) catalog: &'a Catalog,
}

impl HeldStudy<'_> {
    /// The stored runs of trials of a setting under which the target worked.
    fn runs(&self, setting: &[usize]) -> Vec<&str> {
        let worked = |trial: &&TrialEntry| trial.measured.is_some() || trial.other_answers;
        let of_setting = self.trials.iter().filter(|trial| trial.setting == setting);
        let of_setting = of_setting.filter(worked);
        let runs = of_setting.filter_map(|trial| trial.run.as_deref());
        runs.take(RUNS_MAX).collect()
    }

    /// What changed in the answers of a trial's setting; an error says why that is not known.
    fn changed(&self, context: &Context, entry: &TrialEntry) -> Result<Option<Message>, Message> {
        let before = self.runs(&self.file.start());
        let mut after = self.runs(&entry.setting);
        after.extend(entry.run.as_deref());
        if before.is_empty() || after.is_empty() {
            return Err(tune::answers_not_stored());
        }
        let unknown =
            |why: &loadline_text::Problem| tune::answers_not_compared(self.catalog.what(why));
        let stored =
            Stored::open(context, self.store).map_err(|refusal| unknown(&refusal.problem))?;
        let side = |names: Vec<&str>| {
            let side = comparison::side_of(&stored.store, names, stored.now_ms);
            side.map_err(|error| unknown(&stored.refusal(error).problem))
        };
        let (left, right) = (side(before.clone())?, side(after.clone())?);
        let found = other_answers(&left, &right, self.file.goal.judges_failures());
        let saved = |names: &[&str]| {
            let saved = answers::of_runs(&stored.store, names, stored.now_ms);
            saved.map_err(|error| unknown(&stored.refusal(error).problem))
        };
        // Where a place in an answer can be named, it says more than a size or a share. One run does not tell what varies from
        // run to run.
        let (known, later) = (saved(&before)?, saved(&after)?);
        let baseline = (known.len() >= RUNS_KNOWN_MIN).then(|| AnswerBaseline::new("", &known));
        let compared = baseline.into_iter().flat_map(|baseline| {
            let runs = later.iter();
            runs.map(|run| baseline.compare(run)).collect::<Vec<_>>()
        });
        let differences = compared.flat_map(|one| one.differences);
        // What was seen once may vary by itself; how many answers have which status was compared before.
        let counts = |one: &AnswerDifference| !one.seen_once && one.kind != DifferenceKind::Status;
        let first = differences.into_iter().find(counts);
        let first = first.map(|first| report::other_answer(&first));
        Ok(first.or_else(|| found.first().map(report::other_answers)))
    }
}
