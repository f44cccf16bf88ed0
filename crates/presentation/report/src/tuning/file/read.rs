//! From a file back to the study that it is of.

use loadline_analysis::tuning::answer::{
    EffectFinding, EqualSetting, KnobChange, KnobEffect, KnobInteraction, OtherKnobs, StudyAnswer,
    StudyEnd, StudyOutcome,
};

use super::super::{CurrentTrial, StudyKnob, StudyReport, StudyTrial};
use super::{
    EffectFindingInFile, EffectInFile, EndInFile, KnobInFile, OtherKnobsInFile, OutcomeInFile,
    SettingInFile, TrialInFile, TuningFile, TuningFileError,
};

impl TuningFile {
    /// The setting that the answer is about.
    fn spoken_of(&self) -> Result<&SettingInFile, TuningFileError> {
        let spoken_of = self.winner.as_ref().or(self.candidate.as_ref());
        spoken_of.ok_or(TuningFileError::NoSetting)
    }

    /// The study that it is of.
    ///
    /// # Errors
    /// A setting names a value that no knob has.
    pub fn report(&self) -> Result<StudyReport, TuningFileError> {
        let reader = FileReader { file: self };
        let answer = StudyAnswer {
            outcome: outcome_of(&self.outcome),
            winner: reader.levels(self.spoken_of()?)?,
            end: end_of(self.end),
            noise: self.noise,
            detectable: self.detectable,
            disturbed: self.disturbed,
            effects: all(&self.effects, |effect| reader.effect(effect))?,
            interaction: match &self.interaction {
                Some(found) => Some(KnobInteraction {
                    knobs: [reader.knob(&found.knobs[0])?, reader.knob(&found.knobs[1])?],
                    change: found.change.into(),
                }),
                None => None,
            },
            differences: all(&self.differences, |found| {
                Ok((reader.levels(&found.setting)?, found.change.into()))
            })?,
            failed: all(&self.failed, |setting| reader.levels(setting))?,
            other_answers: all(&self.other_answers, |setting| reader.levels(setting))?,
            cheaper_untried: all(&self.cheaper_untried, |setting| reader.levels(setting))?,
            cheaper_as_good: match &self.cheaper_as_good {
                Some(found) => Some(EqualSetting {
                    setting: reader.levels(&found.setting)?,
                    change: found.change.into(),
                    pairs: found.pairs,
                }),
                None => None,
            },
        };
        Ok(StudyReport {
            name: self.study.clone(),
            goal: self.goal.clone(),
            less_is_better: self.less_is_better,
            knobs: all(&self.knobs, |knob| reader.read_knob(knob))?,
            answer,
            trials: all(&self.trials, |trial| reader.trial(trial))?,
            trial_seconds: self.trial_seconds,
            now: match &self.now {
                Some(now) => Some(CurrentTrial {
                    number: now.number,
                    purpose: now.purpose.clone(),
                    setting: reader.levels(&now.setting)?,
                }),
                None => None,
            },
        })
    }
}

/// Reads each of a list.
fn all<A, B>(
    items: &[A],
    read: impl Fn(&A) -> Result<B, TuningFileError>,
) -> Result<Vec<B>, TuningFileError> {
    items.iter().map(read).collect()
}

struct FileReader<'a> {
    file: &'a TuningFile,
}

impl FileReader<'_> {
    fn knob(&self, name: &str) -> Result<usize, TuningFileError> {
        let place = self.file.knobs.iter().position(|knob| knob.name == name);
        place.ok_or_else(|| TuningFileError::Value {
            found: name.to_owned(),
        })
    }

    fn level(knob: &KnobInFile, value: &str) -> Result<usize, TuningFileError> {
        let place = knob.values.iter().position(|known| known == value);
        place.ok_or_else(|| TuningFileError::Value {
            found: format!("{}={value}", knob.name),
        })
    }

    fn levels(&self, setting: &SettingInFile) -> Result<Vec<usize>, TuningFileError> {
        let level = |knob: &KnobInFile| {
            let value = setting.get(&knob.name).map(String::as_str);
            Self::level(knob, value.unwrap_or_default())
        };
        self.file.knobs.iter().map(level).collect()
    }

    fn read_knob(&self, knob: &KnobInFile) -> Result<StudyKnob, TuningFileError> {
        let paste = knob.paste.iter();
        let paste = paste.map(|paste| (paste.place.clone(), paste.text.clone()));
        let mut paste: Vec<(String, String)> = paste.collect();
        paste.resize(knob.values.len(), (String::new(), String::new()));
        Ok(StudyKnob {
            name: knob.name.clone(),
            values: knob.values.clone(),
            now: Self::level(knob, &knob.now)?,
            paste,
            part: knob.part.clone(),
        })
    }

    fn effect(&self, effect: &EffectInFile) -> Result<KnobEffect, TuningFileError> {
        let place = self.knob(&effect.knob)?;
        let knob = &self.file.knobs[place];
        let level = |value: &Option<String>| match value {
            Some(value) => Self::level(knob, value),
            None => Ok(knob.values.len()),
        };
        Ok(KnobEffect {
            knob: place,
            levels: (level(&effect.from)?, level(&effect.to)?),
            change: effect.change.into(),
            finding: match effect.finding {
                EffectFindingInFile::Matters => EffectFinding::Matters,
                EffectFindingInFile::NoLargerThan => EffectFinding::NoLargerThan {
                    share: effect.share.unwrap_or_default(),
                },
                EffectFindingInFile::CannotTell => EffectFinding::CannotTell,
                EffectFindingInFile::NotTried => EffectFinding::NotTried,
            },
            others: match effect.others {
                OtherKnobsInFile::Winner => OtherKnobs::Winner,
                OtherKnobsInFile::Start => OtherKnobs::Start,
            },
            taken: effect.taken.map(Into::into),
            at_start: match &effect.at_start {
                Some(before) => Some(KnobChange {
                    levels: (
                        Self::level(knob, &before.from)?,
                        Self::level(knob, &before.to)?,
                    ),
                    change: before.change.into(),
                }),
                None => None,
            },
        })
    }

    fn trial(&self, trial: &TrialInFile) -> Result<StudyTrial, TuningFileError> {
        Ok(StudyTrial {
            number: trial.number,
            block: trial.block.saturating_sub(1),
            purpose: trial.purpose.clone(),
            setting: self.levels(&trial.setting)?,
            rate: trial.rate,
            p95_ms: trial.p95_ms,
            errors: trial.errors,
            carries_all: trial.carries_all,
            failed: trial.failed,
            other_answers: trial.other_answers,
            reason: trial.reason.clone(),
            cause: trial.cause.clone(),
            run: trial.run.clone(),
            limit: trial.limit.clone(),
        })
    }
}

const fn end_of(end: EndInFile) -> StudyEnd {
    match end {
        EndInFile::Done => StudyEnd::Done,
        EndInFile::BudgetSpent => StudyEnd::BudgetSpent,
        EndInFile::Interrupted => StudyEnd::Interrupted,
        EndInFile::StartFails => StudyEnd::StartFails,
        EndInFile::Invalid => StudyEnd::Invalid,
    }
}

fn outcome_of(outcome: &OutcomeInFile) -> StudyOutcome {
    match *outcome {
        OutcomeInFile::Better { change, pairs } => StudyOutcome::Better {
            change: change.into(),
            pairs,
        },
        OutcomeInFile::GoalMet { trials } => StudyOutcome::GoalMet { trials },
        OutcomeInFile::GoalMissed => StudyOutcome::GoalMissed,
        OutcomeInFile::NoDifference { share } => StudyOutcome::NoDifference { share },
        OutcomeInFile::NoneWorks => StudyOutcome::NoneWorks,
        OutcomeInFile::CannotTell { trials, change } => StudyOutcome::CannotTell {
            trials,
            change: change.map(Into::into),
        },
        OutcomeInFile::StartFails => StudyOutcome::StartFails,
        OutcomeInFile::LoadTooSmall => StudyOutcome::LoadTooSmall,
    }
}
