//! The file that describes a study.
//!
//! It is YAML or JSON (`docs/schemas/study.schema.json`). Everything is checked when it is read,
//! and all mistakes are told at once, each with its line.

mod fields;
mod knob;
mod limits;
mod presence;
mod read;
mod tree;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use loadline_analysis::tuning::goal::TuningGoal;
use loadline_text::Message;

pub use knob::{Knob, KnobMethod, PasteText, ReadMethod};
pub use limits::HardLimit;
pub use read::read;

/// Settings that are counted one by one.
const COUNTED_SETTINGS_MAX: usize = 200_000;

/// A study as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyFile {
    /// Its name.
    pub name: String,
    /// The test: the arguments of `loadline run`.
    pub test: Vec<String>,
    /// Line and column of the test, from 1.
    pub test_place: (u32, u32),
    /// What is to be reached.
    pub goal: TuningGoal,
    /// The goal as it is written.
    pub goal_text: String,
    /// The warm-up of each trial: a time or `auto`.
    pub warm_up: Option<String>,
    /// The quiet time before each trial.
    pub pause: Duration,
    /// How the target is started, asked and stopped.
    pub target: TargetHooks,
    /// What may be changed.
    pub knobs: Vec<Knob>,
    /// What no setting may exceed.
    pub limits: Vec<HardLimit>,
    /// Settings to try first: the level of each knob.
    pub guesses: Vec<Vec<usize>>,
    /// The most trials.
    pub most_trials: usize,
    /// A setting under which the target answers otherwise is not taken.
    pub same_answers: bool,
    /// Where the target meets the goal as it is, nothing else is tried.
    pub stops_when_met: bool,
    /// The longest time.
    pub most_time: Duration,
    /// The folder of the file: where relative paths start.
    pub folder: PathBuf,
}

/// How a target is started, asked and stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetHooks {
    /// Line and column of them, from 1.
    pub place: (u32, u32),
    /// Starts it and stays while it runs; the study owns it then.
    pub start: Option<Vec<String>>,
    /// Restarts it and returns; somebody else owns it.
    pub restart: Option<Vec<String>>,
    /// Stops what `start` started; without it, SIGTERM.
    pub stop: Option<Vec<String>>,
    /// Whether it is ready.
    pub ready: Option<ReadyCondition>,
    /// How long it may take to become ready.
    pub start_timeout: Duration,
    /// How long it may take to stop.
    pub stop_timeout: Duration,
    /// How long any other hook may take.
    pub hook_timeout: Duration,
}

/// How to see whether a target is ready.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadyCondition {
    /// It answers with 200 to 299.
    Url(String),
    /// It ends with 0.
    Command(Vec<String>),
}

/// One thing that is wrong with a study file.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyMistake {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What is wrong and what to write.
    pub what: Message,
}

impl StudyFile {
    /// The values of a setting, in the order of the knobs.
    #[must_use]
    pub fn values(&self, setting: &[usize]) -> Vec<&str> {
        let each = self.knobs.iter().zip(setting);
        each.map(|(knob, level)| knob.values[*level].as_str())
            .collect()
    }

    /// A setting as people read it: `heap=512 threads=10`.
    #[must_use]
    pub fn label(&self, setting: &[usize]) -> String {
        let each = self.knobs.iter().zip(self.values(setting));
        let each: Vec<String> = each
            .map(|(knob, value)| format!("{}={value}", knob.name))
            .collect();
        each.join(" ")
    }

    /// The setting before the study.
    #[must_use]
    pub fn start(&self) -> Vec<usize> {
        self.knobs.iter().map(|knob| knob.now).collect()
    }

    /// Whether the hard limits allow a setting.
    #[must_use]
    pub fn allows(&self, setting: &[usize]) -> bool {
        let value = |name: &str| {
            let place = self.knobs.iter().position(|knob| knob.name == name)?;
            self.knobs[place].values[setting[place]].parse().ok()
        };
        self.limits
            .iter()
            .all(|limit| limit.holds(value).unwrap_or(false))
    }

    /// How many settings there are, and how many of them the limits forbid; `None` where they are
    /// too many to be counted.
    #[must_use]
    pub fn counted(&self) -> Option<(usize, usize)> {
        let all = self.combinations();
        let is_counted = all <= COUNTED_SETTINGS_MAX;
        is_counted.then(|| {
            let forbidden = (0..all).filter(|number| !self.allows(&self.numbered(*number)));
            (all, forbidden.count())
        })
    }

    /// All settings, forbidden ones too.
    #[must_use]
    pub fn combinations(&self) -> usize {
        let levels = self.knobs.iter().map(|knob| knob.values.len());
        levels.fold(1, usize::saturating_mul)
    }

    /// Whether the limits leave a setting beside that of now.
    fn has_choice(&self) -> bool {
        let start = self.start();
        let all = self.combinations();
        let mut settings = (0..all.min(COUNTED_SETTINGS_MAX)).map(|number| self.numbered(number));
        settings.any(|setting| setting != start && self.allows(&setting))
            || all > COUNTED_SETTINGS_MAX
    }

    /// One of all settings: its number written with a digit a knob.
    fn numbered(&self, number: usize) -> Vec<usize> {
        let mut rest = number;
        let levels = self.knobs.iter().map(|knob| {
            let count = knob.values.len();
            let level = rest % count;
            rest /= count;
            level
        });
        levels.collect()
    }

    /// Whether each trial begins with a restart: one knob at least needs it.
    #[must_use]
    pub fn restarts(&self) -> bool {
        self.knobs.iter().any(|knob| knob.restart)
    }
}
