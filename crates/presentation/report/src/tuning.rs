//! A study of settings: what it came to, what each knob does, every trial, and what to paste.

pub mod document;
pub mod file;
mod size;
mod words;

use std::collections::BTreeMap;

use loadline_analysis::compare::{AnswerChange, OtherAnswers};
use loadline_analysis::tuning::answer::{StudyAnswer, StudyEnd, StudyOutcome};
use loadline_explain::BottleneckPart;
use loadline_record::{AnswerDifference, DifferenceKind, LimitVerdict};
use loadline_text::{Catalog, Exit, Message, counted, grouped, millis, percent, significant, tune};
use loadline_units::duration::go_string;

use crate::bodies;
use crate::explanation::verdict;
use crate::grid::{Grid, Side};
use crate::health;
use words::Words;

/// A knob as reports name it.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyKnob {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// The level before the study.
    pub now: usize,
    /// Of each level, the place it is written in and the text to write.
    pub paste: Vec<(String, String)>,
    /// The part of the target that it sets, by its name in files, where that is known.
    pub part: Option<String>,
}

/// A trial as reports show it.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyTrial {
    /// Its number.
    pub number: usize,
    /// The block it belongs to.
    pub block: usize,
    /// Why it was run: `noise`, `race`, `without`, `confirm`.
    pub purpose: String,
    /// The level of each knob.
    pub setting: Vec<usize>,
    /// Successful requests per second.
    pub rate: Option<f64>,
    /// The 95th percentile, ms.
    pub p95_ms: Option<f64>,
    /// The share of failed requests.
    pub errors: Option<f64>,
    /// Whether all of a load of arrivals was carried in time.
    pub carries_all: bool,
    /// Whether the target failed.
    pub failed: bool,
    /// Whether the target answered otherwise than under the start setting.
    pub other_answers: bool,
    /// Why it does not count, in the language of the study.
    pub reason: Option<String>,
    /// The same for all languages: the key of the sentence and its arguments.
    pub cause: Option<(String, BTreeMap<String, String>)>,
    /// The stored run.
    pub run: Option<String>,
    /// What limited it, as `explain` says.
    pub limit: Option<LimitVerdict>,
}

/// All of a study that reports show.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyReport {
    /// Its name.
    pub name: String,
    /// The goal as written.
    pub goal: String,
    /// Whether less is better of what is measured.
    pub less_is_better: bool,
    /// The knobs.
    pub knobs: Vec<StudyKnob>,
    /// What it came to.
    pub answer: StudyAnswer,
    /// All trials.
    pub trials: Vec<StudyTrial>,
    /// How long a trial takes, seconds.
    pub trial_seconds: f64,
    /// The trial that goes on.
    pub now: Option<CurrentTrial>,
}

/// A trial that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentTrial {
    /// Its number.
    pub number: usize,
    /// Why it is run.
    pub purpose: String,
    /// The level of each knob.
    pub setting: Vec<usize>,
}

/// The name of a purpose.
#[must_use]
pub fn purpose(name: &str) -> Message {
    match name {
        "noise" => tune::purpose_noise(),
        "without" => tune::purpose_without(),
        "confirm" => tune::purpose_confirm(),
        _ => tune::purpose_race(),
    }
}

/// Why a trial does not count, in words. Limits of the generator are named by their keys in it.
#[must_use]
pub fn reason(cause: &Message, catalog: &Catalog) -> String {
    let arg = |wanted: &str| {
        let mut args = cause.args();
        args.find_map(|(name, value)| (name == wanted).then_some(value))
    };
    let told = match (arg("limits"), arg("time"), arg("hook")) {
        (Some(keys), ..) => Some(tune::reason_generator(health::reasons_of_keys(
            keys, catalog,
        ))),
        (_, Some(time), None) => Some(tune::reason_not_ready(catalog.length(time))),
        (_, Some(time), Some(hook)) => Some(tune::reason_hook_timeout(hook, catalog.length(time))),
        _ => bodies::trial_in_words(cause, catalog),
    };
    catalog.text(told.as_ref().unwrap_or(cause))
}

/// What is other in the answers of a trial: the first thing that changed.
#[must_use]
pub fn other_answers(found: &OtherAnswers) -> Message {
    // Without a name it is of all requests.
    let name = if found.endpoint.is_empty() {
        "*"
    } else {
        &found.endpoint
    };
    match (found.changes.first(), found.failed_checks) {
        (Some(AnswerChange::Size { before, after }), _) => {
            tune::reason_answers_size(name, grouped(*before, 0), grouped(*after, 0))
        }
        (
            Some(AnswerChange::Status {
                status,
                before,
                after,
            }),
            _,
        ) => tune::reason_answers_status(name, status, percent(*before), percent(*after)),
        (Some(AnswerChange::Body(change)), _) => bodies::of_trial(name, change),
        (None, checks) => {
            let (before, after) = checks.unwrap_or_default();
            tune::reason_answers_checks(name, percent(before), percent(after))
        }
    }
}

/// What is other in an answer to a request that was sent under the current settings, too.
#[must_use]
pub fn other_answer(found: &AnswerDifference) -> Message {
    let none = |text: &str| if text.is_empty() { "–" } else { text }.to_owned();
    let place = match found.kind {
        DifferenceKind::Status => "status",
        DifferenceKind::MediaType => "Content-Type",
        DifferenceKind::Location => "Location",
        DifferenceKind::Binary => "body",
        _ => &found.path,
    };
    let endpoint = format!("{} {}", found.method, found.endpoint);
    tune::reason_answers_differ(endpoint, place, none(&found.was), none(&found.is))
}

/// What a trial measured, in one line.
#[must_use]
pub fn measured(rate: f64, p95_ms: Option<f64>, errors: f64) -> String {
    let p95 = p95_ms.map_or_else(String::new, |p95| format!("  p95 {}", millis(p95)));
    let errors = if errors > 0.0 {
        format!("  {}", percent(errors))
    } else {
        String::new()
    };
    format!("{}/s{p95}{errors}", significant(rate))
}

/// That a knob need not be tuned: it sets the threads of which the target has far more than were ever busy.
#[must_use]
pub fn spare_knob(
    name: &str,
    now: &str,
    part: Option<&str>,
    limit: &LimitVerdict,
) -> Option<Message> {
    let spare = limit.spare_threads?;
    let is_it = part == Some(BottleneckPart::Threads.name())
        && now
            .parse::<f64>()
            .is_ok_and(|now| (now - spare.most).abs() < 0.5);
    is_it.then(|| tune::knob_spare(name, counted(spare.busy), counted(spare.most)))
}

impl StudyReport {
    /// How the program ends.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        match (&self.answer.outcome, self.answer.end) {
            (_, StudyEnd::Interrupted) => Exit::Interrupted,
            (_, StudyEnd::Invalid) => Exit::GeneratorLimited,
            (StudyOutcome::StartFails, _) => Exit::NoAnswer,
            (StudyOutcome::GoalMissed, _) => Exit::ThresholdsFailed,
            (StudyOutcome::CannotTell { .. } | StudyOutcome::LoadTooSmall, _) => Exit::CannotJudge,
            (
                StudyOutcome::Better { .. }
                | StudyOutcome::GoalMet { .. }
                | StudyOutcome::NoDifference { .. }
                | StudyOutcome::NoneWorks,
                _,
            ) => Exit::Success,
        }
    }

    /// The first line of the answer.
    #[must_use]
    pub fn verdict(&self, catalog: &Catalog) -> String {
        self.words(catalog).verdict()
    }

    /// The whole answer.
    #[must_use]
    pub fn text(&self, catalog: &Catalog) -> String {
        let words = self.words(catalog);
        let mut parts = vec![words.answer(), self.table(&words)];
        let effects = words.effects();
        if !effects.is_empty() {
            let title = catalog.text(&tune::effect_title());
            let lines = words.effects_notes().into_iter().chain(effects);
            let lines = lines.map(|line| format!("  {line}\n"));
            parts.push(format!("{title}\n{}", lines.collect::<String>()));
        }
        let settings = words.settings_notes();
        if !settings.is_empty() {
            parts.push(settings.join("\n") + "\n");
        }
        let paste = words.paste();
        if !paste.is_empty() {
            let title = catalog.text(&tune::paste_title());
            let notes = words.paste_notes().into_iter();
            let notes: String = notes.map(|line| format!("  {line}\n")).collect();
            parts.push(format!("{title}\n{notes}{paste}"));
        }
        parts.join("\n")
    }

    /// Knobs of threads that the target has as many of as the knob says, and hardly ever uses.
    fn spare_knobs(&self, limit: &LimitVerdict) -> Vec<Message> {
        let knobs = self.knobs.iter();
        let spare = knobs.filter_map(|knob| {
            let now = knob.values.get(knob.now)?;
            spare_knob(&knob.name, now, knob.part.as_deref(), limit)
        });
        spare.collect()
    }

    /// What `explain` says of the target as it is, by its last trial that tells.
    fn limit_at_start(&self) -> Option<&LimitVerdict> {
        let start: Vec<usize> = self.knobs.iter().map(|knob| knob.now).collect();
        self.limit_of(&start)
    }

    /// What it says of the setting that the answer is about; never what limits with another one.
    #[must_use]
    pub fn limit(&self) -> Option<&LimitVerdict> {
        self.limit_of(&self.answer.winner)
    }

    /// The stored run that shows what limits: the last one that counts of the setting that the answer is about, else of the
    /// setting of now, else any.
    fn run_to_explain(&self) -> Option<&str> {
        let start: Vec<usize> = self.knobs.iter().map(|knob| knob.now).collect();
        let is_missed = self.answer.outcome == StudyOutcome::GoalMissed;
        let nearest = Some(&self.answer.winner).filter(|_| is_missed);
        let of = |setting: &Vec<usize>| {
            let trials = self.trials.iter().rev();
            let mut trials = trials.filter(|trial| trial.rate.is_some());
            trials.find_map(|trial| trial.run.as_deref().filter(|_| trial.setting == *setting))
        };
        let any = || {
            self.trials
                .iter()
                .rev()
                .find_map(|trial| trial.run.as_deref())
        };
        nearest.and_then(of).or_else(|| of(&start)).or_else(any)
    }

    /// What it says of a setting, by its last trial that tells.
    fn limit_of(&self, setting: &[usize]) -> Option<&LimitVerdict> {
        let mut trials = self.trials.iter().rev();
        trials.find_map(|trial| {
            let limit = trial.limit.as_ref().filter(|limit| limit.is_told())?;
            (trial.setting == setting).then_some(limit)
        })
    }

    /// Whether one of the knobs sets the part that limits.
    #[must_use]
    pub fn is_moved_by_knobs(&self, limit: &LimitVerdict) -> bool {
        let mut knobs = self.knobs.iter();
        limit.part.is_some() && knobs.any(|knob| knob.part == limit.part)
    }

    const fn words<'a>(&'a self, catalog: &'a Catalog) -> Words<'a> {
        Words {
            report: self,
            catalog,
        }
    }

    /// The trials in few columns, a line each under a head, for a screen.
    #[must_use]
    pub fn trial_lines(&self, catalog: &Catalog) -> Vec<String> {
        let words = self.words(catalog);
        let say = |message: Message| catalog.text(&message);
        let mut grid = Grid::default();
        for (head, side) in [
            (tune::column_number(), Side::Right),
            (tune::column_why(), Side::Left),
            (tune::column_setting(), Side::Left),
            (tune::column_rate(), Side::Right),
            (tune::column_p95(), Side::Right),
            (tune::column_errors(), Side::Right),
            (tune::column_result(), Side::Left),
        ] {
            grid.column(say(head), side);
        }
        for trial in &self.trials {
            grid.row(vec![
                trial.number.to_string(),
                say(purpose(&trial.purpose)),
                words.setting(&trial.setting),
                trial.rate.map_or_else(String::new, significant),
                trial.p95_ms.map_or_else(String::new, |p95| grouped(p95, 1)),
                trial.errors.map_or_else(String::new, percent),
                trial.result(catalog),
            ]);
        }
        if self.trials.is_empty() {
            // Columns without cells are left out; the head stands before the first trial, too.
            vec![say(tune::column_trials())]
        } else {
            grid.render().lines().map(str::to_owned).collect()
        }
    }

    /// A setting as it is named: `heap=512 threads=10`.
    #[must_use]
    pub fn setting_text(&self, setting: &[usize], catalog: &Catalog) -> String {
        self.words(catalog).setting(setting)
    }

    /// The setting that leads, with what its last trial measured; `None` before one counts.
    #[must_use]
    pub fn best(&self, catalog: &Catalog) -> Option<(String, String)> {
        let winner = &self.answer.winner;
        let of_winner = self
            .trials
            .iter()
            .rev()
            .filter(|trial| trial.setting == *winner);
        let found = of_winner
            .filter_map(|trial| Some((trial.rate?, trial)))
            .next()?;
        let (rate, trial) = found;
        let result = measured(rate, trial.p95_ms, trial.errors.unwrap_or(0.0));
        Some((self.setting_text(winner, catalog), result))
    }

    /// Every trial in the order it was run.
    fn table(&self, words: &Words<'_>) -> String {
        let say = |message: Message| words.catalog.text(&message);
        let mut grid = Grid::default();
        for (head, side) in [
            (tune::column_number(), Side::Right),
            (tune::column_why(), Side::Left),
            (tune::column_block(), Side::Right),
            (tune::column_setting(), Side::Left),
            (tune::column_rate(), Side::Right),
            (tune::column_p95(), Side::Right),
            (tune::column_errors(), Side::Right),
            (tune::column_change(), Side::Right),
            (tune::column_limit(), Side::Left),
            (tune::column_run(), Side::Left),
            (tune::column_result(), Side::Left),
        ] {
            grid.column(say(head), side);
        }
        for trial in &self.trials {
            grid.row(vec![
                trial.number.to_string(),
                say(purpose(&trial.purpose)),
                (trial.block + 1).to_string(),
                words.setting(&trial.setting),
                trial.rate.map_or_else(String::new, significant),
                trial.p95_ms.map_or_else(String::new, |p95| grouped(p95, 1)),
                trial.errors.map_or_else(String::new, percent),
                words.difference(&trial.setting),
                trial.limited_by(words.catalog),
                trial.run.clone().unwrap_or_default(),
                trial.result(words.catalog),
            ]);
        }
        grid.render()
    }
}

impl StudyTrial {
    /// The part that limited it with its grade, in few words; empty where nothing is known to.
    fn limited_by(&self, catalog: &Catalog) -> String {
        let named = self.limit.as_ref().and_then(|limit| {
            let part = verdict::part(limit.cause_part()?, catalog);
            Some(format!("{part} ({})", limit.grade.as_ref()?))
        });
        named.unwrap_or_default()
    }

    /// Whether it counts, and why not.
    fn result(&self, catalog: &Catalog) -> String {
        let result = if self.rate.is_some() {
            tune::result_counts()
        } else if self.other_answers {
            tune::result_other_answers()
        } else if self.failed {
            tune::result_failed()
        } else {
            tune::result_invalid()
        };
        let result = catalog.text(&result);
        let cause = self.cause.as_ref();
        let cause = cause.and_then(|(key, args)| tune::stored_reason(key, args));
        let reason = cause.map(|cause| reason(&cause, catalog));
        match reason.as_ref().or(self.reason.as_ref()) {
            Some(reason) => format!("{result}: {reason}"),
            None => result,
        }
    }
}

/// A time in words, without fractions of seconds.
pub(crate) fn rounded(seconds: f64) -> String {
    go_string(std::time::Duration::from_secs_f64(
        seconds.clamp(0.0, 1e8).ceil(),
    ))
}

#[cfg(test)]
mod tests;
