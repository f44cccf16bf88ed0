//! A study's answer as JSON (`docs/schemas/tuning.schema.json`), written and read again.

mod read;

use std::collections::BTreeMap;

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{
    EffectFinding, KnobEffect, OtherKnobs, StudyEnd, StudyOutcome,
};
use loadline_analysis::tuning::claims::{bound, is_at_bound};
use loadline_record::LimitVerdict;
use serde::{Deserialize, Serialize};

use super::{StudyKnob, StudyReport, StudyTrial};

/// The version written.
pub const TUNING_VERSION: u32 = 1;

/// Values of knobs by their names.
type SettingInFile = BTreeMap<String, String>;

/// A whole study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TuningFile {
    loadline_tuning: u32,
    study: String,
    goal: String,
    #[serde(default)]
    less_is_better: bool,
    knobs: Vec<KnobInFile>,
    outcome: OutcomeInFile,
    end: EndInFile,
    /// The trial that goes on.
    #[serde(default)]
    now: Option<TrialNowInFile>,
    /// The setting to have; nothing where the study found none.
    winner: Option<SettingInFile>,
    /// Where it found none: the setting that it speaks of, which nobody is told to have.
    #[serde(default)]
    candidate: Option<SettingInFile>,
    noise: Option<f64>,
    detectable: Option<f64>,
    /// Trials that differ from others of their setting by far more.
    #[serde(default)]
    disturbed: usize,
    /// The rule of `explain` that names what limits.
    limited_by: Option<String>,
    /// Whether one of the knobs sets that part.
    #[serde(default)]
    limited_by_setting: bool,
    /// What `explain` says of the setting that the answer is about.
    #[serde(default)]
    limit: Option<LimitVerdict>,
    effects: Vec<EffectInFile>,
    interaction: Option<InteractionInFile>,
    differences: Vec<SettingChangeOfStudy>,
    failed: Vec<SettingInFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    other_answers: Vec<SettingInFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cheaper_untried: Vec<SettingInFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cheaper_as_good: Option<EqualSettingInFile>,
    #[serde(default)]
    trial_seconds: f64,
    trials: Vec<TrialInFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct EqualSettingInFile {
    setting: SettingInFile,
    change: StudyChangeInFile,
    pairs: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KnobInFile {
    name: String,
    values: Vec<String>,
    now: String,
    /// Of each value, where it is written and what to write there.
    paste: Vec<PasteInFile>,
    /// The part of the target that it sets.
    #[serde(default)]
    part: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PasteInFile {
    place: String,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum OutcomeInFile {
    Better {
        change: StudyChangeInFile,
        pairs: usize,
    },
    GoalMet {
        trials: usize,
    },
    GoalMissed,
    NoDifference {
        share: f64,
    },
    NoneWorks,
    CannotTell {
        /// Null where no number of trials would do.
        trials: Option<usize>,
        change: Option<StudyChangeInFile>,
    },
    StartFails,
    LoadTooSmall,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EndInFile {
    Done,
    BudgetSpent,
    Interrupted,
    StartFails,
    Invalid,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StudyChangeInFile {
    /// Nothing where it is no figure: it may be any less.
    low: Option<f64>,
    middle: Option<f64>,
    /// Nothing where it may be any more.
    high: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct TrialNowInFile {
    number: usize,
    purpose: String,
    setting: SettingInFile,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct EffectInFile {
    knob: String,
    /// What the other knobs have: the values of the winner or those before the study.
    #[serde(default)]
    others: OtherKnobsInFile,
    finding: EffectFindingInFile,
    from: Option<String>,
    to: Option<String>,
    change: StudyChangeInFile,
    /// `no-larger-than`: the largest change that fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    /// What the winner's change of this knob does beside its other values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<StudyChangeInFile>,
    /// A clear change beside the values before the study that does not hold beside the winner's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_start: Option<KnobChangeInFile>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OtherKnobsInFile {
    Winner,
    #[default]
    Start,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KnobChangeInFile {
    from: String,
    to: String,
    change: StudyChangeInFile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EffectFindingInFile {
    Matters,
    NoLargerThan,
    CannotTell,
    NotTried,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct InteractionInFile {
    knobs: [String; 2],
    change: StudyChangeInFile,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SettingChangeOfStudy {
    setting: SettingInFile,
    change: StudyChangeInFile,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct TrialInFile {
    number: usize,
    block: usize,
    purpose: String,
    setting: SettingInFile,
    rate: Option<f64>,
    p95_ms: Option<f64>,
    errors: Option<f64>,
    #[serde(default)]
    carries_all: bool,
    valid: bool,
    failed: bool,
    #[serde(default)]
    other_answers: bool,
    reason: Option<String>,
    /// The reason for all languages: a key and its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cause: Option<(String, BTreeMap<String, String>)>,
    run: Option<String>,
    /// What `explain` says of it.
    #[serde(default)]
    limit: Option<LimitVerdict>,
}

/// Why a text is no answer of a study.
#[derive(Debug, thiserror::Error)]
pub enum TuningFileError {
    /// It is not JSON of this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A newer program wrote it.
    #[error("version {found} is newer than {TUNING_VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// It has neither a setting to have nor one that it speaks of.
    #[error("it has neither a winner nor a candidate")]
    NoSetting,
    /// A setting has a value that its knob does not have.
    #[error("no knob has the value {found}")]
    Value {
        /// The knob and the value.
        found: String,
    },
}

impl TuningFile {
    /// A study as it is now.
    #[must_use]
    pub fn new(report: &StudyReport) -> Self {
        let writer = FileWriter { report };
        let limit = report.limit();
        let answer = &report.answer;
        let spoken_of = writer.setting(&answer.winner);
        let (winner, candidate) = if answer.outcome.names_a_setting() {
            (Some(spoken_of), None)
        } else {
            (None, Some(spoken_of))
        };
        Self {
            loadline_tuning: TUNING_VERSION,
            study: report.name.clone(),
            goal: report.goal.clone(),
            less_is_better: report.less_is_better,
            knobs: report.knobs.iter().map(knob).collect(),
            outcome: outcome(&answer.outcome),
            end: end(answer.end),
            now: report.now.as_ref().map(|now| TrialNowInFile {
                number: now.number,
                purpose: now.purpose.clone(),
                setting: writer.setting(&now.setting),
            }),
            winner,
            candidate,
            noise: answer.noise,
            detectable: answer.detectable,
            disturbed: answer.disturbed,
            limited_by: limit.and_then(|limit| limit.rule.clone()),
            limited_by_setting: limit.is_some_and(|limit| report.is_moved_by_knobs(limit)),
            limit: limit.cloned(),
            effects: answer
                .effects
                .iter()
                .map(|effect| writer.effect(effect))
                .collect(),
            interaction: answer.interaction.as_ref().map(|found| InteractionInFile {
                knobs: found.knobs.map(|knob| report.knobs[knob].name.clone()),
                change: found.change.into(),
            }),
            differences: answer
                .differences
                .iter()
                .map(|(levels, change)| SettingChangeOfStudy {
                    setting: writer.setting(levels),
                    change: (*change).into(),
                })
                .collect(),
            failed: answer
                .failed
                .iter()
                .map(|levels| writer.setting(levels))
                .collect(),
            other_answers: answer
                .other_answers
                .iter()
                .map(|levels| writer.setting(levels))
                .collect(),
            cheaper_untried: answer
                .cheaper_untried
                .iter()
                .map(|levels| writer.setting(levels))
                .collect(),
            cheaper_as_good: answer
                .cheaper_as_good
                .as_ref()
                .map(|found| EqualSettingInFile {
                    setting: writer.setting(&found.setting),
                    change: found.change.into(),
                    pairs: found.pairs,
                }),
            trial_seconds: report.trial_seconds,
            trials: report
                .trials
                .iter()
                .map(|trial| writer.trial(trial))
                .collect(),
        }
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`TuningFileError`].
    pub fn parse(text: &str) -> Result<Self, TuningFileError> {
        let file: Self = serde_json::from_str(text)?;
        match file.loadline_tuning {
            TUNING_VERSION => Ok(file),
            found => Err(TuningFileError::Version { found }),
        }
    }

    /// As text.
    ///
    /// # Panics
    /// Never: all keys are strings.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("all keys are strings") + "\n"
    }
}

struct FileWriter<'a> {
    report: &'a StudyReport,
}

impl FileWriter<'_> {
    fn setting(&self, levels: &[usize]) -> SettingInFile {
        let each = self.report.knobs.iter().zip(levels);
        each.map(|(knob, level)| (knob.name.clone(), knob.values[*level].clone()))
            .collect()
    }

    fn effect(&self, effect: &KnobEffect) -> EffectInFile {
        let knob = &self.report.knobs[effect.knob];
        let (finding, share) = match effect.finding {
            EffectFinding::Matters => (EffectFindingInFile::Matters, None),
            EffectFinding::NoLargerThan { share } => {
                (EffectFindingInFile::NoLargerThan, Some(share))
            }
            EffectFinding::CannotTell => (EffectFindingInFile::CannotTell, None),
            EffectFinding::NotTried => (EffectFindingInFile::NotTried, None),
        };
        EffectInFile {
            knob: knob.name.clone(),
            finding,
            from: knob.values.get(effect.levels.0).cloned(),
            to: knob.values.get(effect.levels.1).cloned(),
            change: effect.change.into(),
            share,
            others: match effect.others {
                OtherKnobs::Winner => OtherKnobsInFile::Winner,
                OtherKnobs::Start => OtherKnobsInFile::Start,
            },
            taken: effect.taken.map(Into::into),
            at_start: effect.at_start.map(|before| KnobChangeInFile {
                from: knob.values[before.levels.0].clone(),
                to: knob.values[before.levels.1].clone(),
                change: before.change.into(),
            }),
        }
    }

    fn trial(&self, trial: &StudyTrial) -> TrialInFile {
        TrialInFile {
            number: trial.number,
            block: trial.block + 1,
            purpose: trial.purpose.clone(),
            setting: self.setting(&trial.setting),
            rate: trial.rate,
            p95_ms: trial.p95_ms,
            errors: trial.errors,
            carries_all: trial.carries_all,
            valid: trial.rate.is_some(),
            failed: trial.failed,
            other_answers: trial.other_answers,
            reason: trial.reason.clone(),
            cause: trial.cause.clone(),
            run: trial.run.clone(),
            limit: trial.limit.clone(),
        }
    }
}

fn knob(knob: &StudyKnob) -> KnobInFile {
    let paste = knob.paste.iter().map(|(place, text)| PasteInFile {
        place: place.clone(),
        text: text.clone(),
    });
    KnobInFile {
        name: knob.name.clone(),
        values: knob.values.clone(),
        now: knob.values[knob.now].clone(),
        paste: paste.collect(),
        part: knob.part.clone(),
    }
}

impl From<Change> for StudyChangeInFile {
    fn from(change: Change) -> Self {
        let (least, most) = (bound(false), bound(true));
        let held = |share: f64| share.clamp(least, most);
        Self {
            low: (!is_at_bound(change.low) || change.low > 0.0).then(|| held(change.low)),
            middle: (!is_at_bound(change.middle)).then_some(change.middle),
            high: (!is_at_bound(change.high) || change.high < 0.0).then(|| held(change.high)),
        }
    }
}

impl From<StudyChangeInFile> for Change {
    fn from(change: StudyChangeInFile) -> Self {
        let StudyChangeInFile { low, middle, high } = change;
        let missing = match (low, high) {
            (Some(_), None) => bound(true),
            (None, Some(_)) => bound(false),
            _ => 0.0,
        };
        Self {
            low: low.unwrap_or_else(|| bound(false)),
            middle: middle.unwrap_or(missing),
            high: high.unwrap_or_else(|| bound(true)),
        }
    }
}

const fn end(end: StudyEnd) -> EndInFile {
    match end {
        StudyEnd::Done => EndInFile::Done,
        StudyEnd::BudgetSpent => EndInFile::BudgetSpent,
        StudyEnd::Interrupted => EndInFile::Interrupted,
        StudyEnd::StartFails => EndInFile::StartFails,
        StudyEnd::Invalid => EndInFile::Invalid,
    }
}

fn outcome(outcome: &StudyOutcome) -> OutcomeInFile {
    match *outcome {
        StudyOutcome::Better { change, pairs } => OutcomeInFile::Better {
            change: change.into(),
            pairs,
        },
        StudyOutcome::GoalMet { trials } => OutcomeInFile::GoalMet { trials },
        StudyOutcome::GoalMissed => OutcomeInFile::GoalMissed,
        StudyOutcome::NoDifference { share } => OutcomeInFile::NoDifference { share },
        StudyOutcome::NoneWorks => OutcomeInFile::NoneWorks,
        StudyOutcome::CannotTell { trials, change } => OutcomeInFile::CannotTell {
            trials,
            change: change.map(Into::into),
        },
        StudyOutcome::StartFails => OutcomeInFile::StartFails,
        StudyOutcome::LoadTooSmall => OutcomeInFile::LoadTooSmall,
    }
}
