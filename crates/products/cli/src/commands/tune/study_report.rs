//! A study as it is reported: its file, its trials and the answer.
//!
//! The same trials always lead to the same answer, so a journal can be reported again.

use std::sync::Arc;

use loadline_analysis::tuning::answer::{StudyAnswer, StudyOutcome};
use loadline_analysis::tuning::goal::TuningGoal;
use loadline_experiment::tuning::{
    KnobSpace, PlannedTrial, Study, StudyGoal, StudyRules, StudySpace, TrialResult,
};
use loadline_knobs::journal::TrialEntry;
use loadline_knobs::study::StudyFile;
use loadline_report::tuning::{CurrentTrial, StudyKnob, StudyReport, StudyTrial};

use super::{limit, trial_entry};

/// What is reported of a study.
pub(super) struct StudyFacts<'a> {
    pub(super) file: &'a StudyFile,
    pub(super) trials: &'a [TrialEntry],
    pub(super) now: Option<CurrentTrial>,
}

impl StudyFacts<'_> {
    pub(super) fn report(self, mut answer: StudyAnswer) -> StudyReport {
        if answer.outcome == StudyOutcome::GoalMissed && self.is_sent_too_little(&answer.winner) {
            answer.outcome = StudyOutcome::LoadTooSmall;
        }
        StudyReport {
            name: self.file.name.clone(),
            goal: self.file.goal_text.clone(),
            less_is_better: matches!(self.file.goal, TuningGoal::Best { more: false, .. }),
            knobs: knobs(self.file),
            answer,
            trials: self.trials.iter().map(shown).collect(),
            trial_seconds: trial_seconds(self.trials).unwrap_or(0.0),
            now: self.now,
        }
    }
}

impl StudyFacts<'_> {
    /// Whether a setting misses the goal in no trial by anything but what it was sent.
    fn is_sent_too_little(&self, setting: &[usize]) -> bool {
        let of_setting = self.trials.iter().filter(|trial| trial.setting == setting);
        let mut measured = of_setting.filter_map(|trial| trial.measured).peekable();
        measured.peek().is_some() && measured.all(|trial| trial.sent_too_little)
    }
}

/// How long a trial takes; `None` before the first.
pub(super) fn trial_seconds(trials: &[TrialEntry]) -> Option<f64> {
    let seconds: f64 = trials.iter().map(|trial| trial.seconds).sum();
    (!trials.is_empty()).then(|| seconds / trials.len() as f64)
}

/// A study before its first trial.
pub(super) fn study(file: &StudyFile, seed: u64) -> Study {
    Study::new(space(file), rules(file, seed))
}

/// Gives a study the trials of its journal, also those that it would not run now: an earlier version of this program planned
/// otherwise. Whether they are of its settings.
pub(super) fn replay(study: &mut Study, file: &StudyFile, trials: &[TrialEntry]) -> bool {
    let is_of_file = |trial: &TrialEntry| {
        let mut levels = file.knobs.iter().zip(&trial.setting);
        trial.setting.len() == file.knobs.len()
            && levels.all(|(knob, level)| *level < knob.values.len())
    };
    if !trials.iter().all(is_of_file) {
        return false;
    }
    for trial in trials {
        let is_it = study.next_trial().is_some_and(|planned| {
            planned.block == trial.block && planned.setting == trial.setting
        });
        if is_it {
            study.record(result_of(trial), trial.seconds);
        } else {
            let run = PlannedTrial {
                number: trial.number,
                setting: trial.setting.clone(),
                block: trial.block,
                purpose: trial_entry::purpose_of(&trial.purpose),
            };
            study.adopt(&run, result_of(trial), trial.seconds);
        }
        if let Some(guess) = &trial.guess {
            study.guess(guess.clone());
        }
    }
    true
}

fn space(file: &StudyFile) -> StudySpace {
    let knobs = file.knobs.iter().map(|knob| KnobSpace {
        costs: knob.costs.clone(),
        start: knob.now,
        has_order: knob.has_order(),
    });
    let limits = file.clone();
    StudySpace {
        knobs: knobs.collect(),
        allowed: Arc::new(move |setting| limits.allows(setting)),
    }
}

fn rules(file: &StudyFile, seed: u64) -> StudyRules {
    let goal = match file.goal {
        TuningGoal::Best { .. } => StudyGoal::Best,
        TuningGoal::Meet(_) => StudyGoal::Meet,
    };
    StudyRules {
        most_trials: file.most_trials,
        most_seconds: file.most_time.as_secs_f64(),
        guesses: file.guesses.clone(),
        stops_when_met: file.stops_when_met,
        ..StudyRules::new(goal, seed)
    }
}

pub(super) fn result_of(trial: &TrialEntry) -> TrialResult {
    if trial.other_answers {
        return TrialResult::OtherAnswers;
    }
    match (trial.measured, trial.failed) {
        (Some(measured), _) if measured.load_too_small => TrialResult::LoadTooSmall,
        (Some(measured), _) => TrialResult::Measured {
            score: measured.score,
            margin: measured.margin.unwrap_or(f64::INFINITY),
        },
        (None, true) => TrialResult::Failed,
        (None, false) => TrialResult::Invalid,
    }
}

fn shown(trial: &TrialEntry) -> StudyTrial {
    StudyTrial {
        number: trial.number,
        block: trial.block,
        purpose: trial.purpose.clone(),
        setting: trial.setting.clone(),
        rate: trial.measured.map(|measured| measured.rate),
        p95_ms: trial.measured.and_then(|measured| measured.p95_ms),
        errors: trial.measured.map(|measured| measured.errors),
        carries_all: trial.measured.is_some_and(|measured| measured.carries_all),
        failed: trial.failed,
        other_answers: trial.other_answers,
        reason: trial.reason.clone(),
        cause: trial.cause.clone(),
        run: trial.run.clone(),
        limit: trial.limit.clone(),
    }
}

fn knobs(file: &StudyFile) -> Vec<StudyKnob> {
    let knob = |knob: &loadline_knobs::study::Knob| StudyKnob {
        name: knob.name.clone(),
        values: knob.values.clone(),
        now: knob.now,
        paste: knob.values.iter().map(|value| knob.pasted(value)).collect(),
        part: limit::part(knob).map(str::to_owned),
    };
    file.knobs.iter().map(knob).collect()
}
