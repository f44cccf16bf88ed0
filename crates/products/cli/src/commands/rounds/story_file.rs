//! Rounds as a person types them: a YAML file.

use std::collections::BTreeMap;

use loadline_analysis::slo::Term;
use loadline_report::rounds::{FigureRange, Round, RoundCapacity, RoundFigures};
use loadline_text::{Catalog, Location, Message, Problem, arguments, problem, rounds};
use loadline_units::{nearest, parse_share, without_separators};
use serde::Deserialize;
use serde_saphyr::{Error as YamlError, Spanned};

use crate::refusal::Refusal;
use crate::typed_numbers;

/// So many keys that mean nothing are told at once.
const UNKNOWN_KEYS_MAX: usize = 20;

/// What a file of rounds says.
#[derive(Debug)]
pub(super) struct StoryFile {
    pub(super) title: String,
    pub(super) goal: Vec<Term>,
    pub(super) rounds: Vec<FiledRound>,
}

/// A file of rounds as it is typed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TypedStory {
    title: String,
    goal: Option<Spanned<Words>>,
    rounds: Vec<TypedRound>,
}

/// A round as it is typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TypedRound {
    name: String,
    change: String,
    commit: String,
    settings: BTreeMap<String, String>,
    runs: Option<Spanned<Words>>,
    /// Whether the next rounds build on it.
    kept: Option<bool>,
    costs: Words,
    rejected: Words,
    users: Option<Spanned<String>>,
    rate: Option<Spanned<String>>,
    mean: Option<Spanned<String>>,
    p95: Option<Spanned<String>>,
    errors: Option<Spanned<String>>,
    capacity: Option<Spanned<String>>,
    knee: Option<Spanned<String>>,
    peak: Option<Spanned<String>>,
    table: Option<Spanned<String>>,
    limit: String,
    figures: BTreeMap<String, String>,
}

/// One text or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

impl Default for Words {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Words {
    fn list(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Many(all) => all,
        }
    }
}

/// A round of a file: what was typed of it, and the runs or the table it is of.
#[derive(Debug)]
pub(super) struct FiledRound {
    pub(super) round: Round,
    pub(super) runs: Vec<String>,
    /// Where the file names them, or the table.
    pub(super) place: Option<Location>,
    /// A table of a stress test that was measured elsewhere, as a path from the file's folder.
    pub(super) table: Option<String>,
}

/// A file as it is read: mistakes in it are gathered, so that all are told at once.
struct StoryReader<'a> {
    path: &'a str,
    catalog: &'a Catalog,
    mistakes: Vec<Problem>,
}

impl StoryFile {
    /// Reads the text of the file at `path`, whose rounds follow so many others.
    ///
    /// # Errors
    /// All that is wrong with it, and where.
    pub(super) fn read(
        text: &str,
        path: &str,
        before: usize,
        catalog: &Catalog,
    ) -> Result<Self, Vec<Problem>> {
        let mut reader = StoryReader {
            path,
            catalog,
            mistakes: Vec::new(),
        };
        let story = reader.story(text).unwrap_or_default();
        let goal = reader.goal(story.goal);
        let typed = story.rounds.into_iter().enumerate();
        let rounds = typed.map(|(place, typed)| {
            let name = match typed.name.as_str() {
                "" => (before + place + 1).to_string(),
                name => name.to_owned(),
            };
            reader.round(typed, name)
        });
        let rounds: Vec<FiledRound> = rounds.collect();
        if rounds.is_empty() && reader.mistakes.is_empty() {
            let reason = catalog.text(&rounds::mistake_no_rounds());
            reader.mistakes.push(problem::rounds_file(path, reason));
        }
        if reader.mistakes.is_empty() {
            Ok(Self {
                title: story.title,
                goal,
                rounds,
            })
        } else {
            Err(reader.mistakes)
        }
    }
}

impl StoryReader<'_> {
    fn place(&self, at: serde_saphyr::Location) -> Location {
        let number = |from: u64| u32::try_from(from).unwrap_or(u32::MAX);
        Location::file(self.path).line(number(at.line()), number(at.column()))
    }

    /// The file without the lines of keys that mean nothing, which are mistakes; `None` where the rest cannot be read.
    fn story(&mut self, text: &str) -> Option<TypedStory> {
        let mut lines: Vec<&str> = text.lines().collect();
        loop {
            let error = match serde_saphyr::from_str::<TypedStory>(&lines.join("\n")) {
                Ok(story) => return Some(story),
                Err(error) => error,
            };
            let at = error.location();
            let line = at.and_then(|at| usize::try_from(at.line()).ok());
            let line = line.and_then(|line| lines.get_mut(line.checked_sub(1)?));
            if let (
                YamlError::SerdeUnknownField {
                    field, expected, ..
                },
                Some(line),
                Some(at),
            ) = (error.without_snippet(), line, at)
                && self.mistakes.len() < UNKNOWN_KEYS_MAX
            {
                let mistake = match nearest(field, expected.iter().copied()) {
                    Some(meant) => problem::rounds_key_meant(field, meant),
                    None => problem::rounds_key(field, expected.join(", ")),
                };
                self.mistakes.push(mistake.at(self.place(at)));
                *line = "";
                continue;
            }
            // What a line that was left out leaves behind is no mistake of its own.
            if self.mistakes.is_empty() {
                let text = error.without_snippet().to_string();
                let reason = text.lines().next().unwrap_or_default();
                self.mistakes.push(problem::rounds_file(self.path, reason));
            }
            return None;
        }
    }

    fn goal(&mut self, typed: Option<Spanned<Words>>) -> Vec<Term> {
        let Some(typed) = typed else {
            return Vec::new();
        };
        let place = self.place(typed.referenced);
        let mut terms = Vec::new();
        for text in typed.value.list() {
            match text.parse::<Term>() {
                Ok(term) => terms.push(term),
                Err(error) => {
                    let refusal = Refusal::goal("goal", &text, &error, self.catalog);
                    self.mistakes.push(refusal.problem.at(place.clone()));
                }
            }
        }
        terms
    }

    fn figure<T>(
        &mut self,
        key: &str,
        typed: Option<Spanned<String>>,
        read: impl Fn(&str) -> Result<T, Message>,
    ) -> Option<T> {
        let typed = typed?;
        match read(typed.value.trim()) {
            Ok(figure) => Some(figure),
            Err(expected) => {
                let expected = self.catalog.text(&expected);
                let mistake = problem::rounds_figure(key, typed.value, expected);
                self.mistakes.push(mistake.at(self.place(typed.referenced)));
                None
            }
        }
    }

    fn round(&mut self, typed: TypedRound, name: String) -> FiledRound {
        let figures = RoundFigures {
            users: self.figure("users", typed.users, users),
            rate: self.figure("rate", typed.rate, rate),
            mean_ms: self.figure("mean", typed.mean, time),
            p95_ms: self.figure("p95", typed.p95, time),
            errors: self.figure("errors", typed.errors, errors),
            capacity: self.figure("capacity", typed.capacity, capacity),
            knee: self.figure("knee", typed.knee, rate),
            peak: self.figure("peak", typed.peak, rate),
        };
        let round = Round {
            name,
            change: typed.change,
            commit: typed.commit,
            settings: typed.settings,
            figures,
            also: typed.figures,
            limit: typed.limit,
            costs: typed.costs.list(),
            rejected: typed.rejected.list(),
            is_rejected: typed.kept == Some(false),
            ..Round::default()
        };
        let of_runs = typed.runs.as_ref().map(|runs| runs.referenced);
        let of_table = typed.table.as_ref().map(|table| table.referenced);
        let runs = typed.runs.map(|runs| runs.value.list());
        FiledRound {
            round,
            runs: runs.unwrap_or_default(),
            place: of_table.or(of_runs).map(|at| self.place(at)),
            table: typed
                .table
                .map(|table| table.value)
                .filter(|path| !path.is_empty()),
        }
    }
}

fn users(text: &str) -> Result<f64, Message> {
    let number = without_separators(text).parse::<f64>().ok();
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(arguments::expected_users)
}

fn rate(text: &str) -> Result<f64, Message> {
    let rate = typed_numbers::rate(text).map_err(|_| arguments::expected_rate())?;
    Ok(rate.as_per_second())
}

/// `750ms`, or `1.0s..1.7s`.
fn time(text: &str) -> Result<FigureRange, Message> {
    let one = |text: &str| {
        let time = typed_numbers::positive_duration(text.trim()).ok()?;
        Some(time.as_secs_f64() * 1_000.0)
    };
    let span = match text.split_once("..") {
        None => one(text).map(FigureRange::from),
        Some((low, high)) => one(low)
            .zip(one(high))
            .map(|(low, high)| FigureRange { low, high }),
    };
    span.filter(|span| span.low <= span.high)
        .ok_or_else(rounds::expected_time)
}

fn errors(text: &str) -> Result<f64, Message> {
    parse_share(text).map_err(|_| rounds::expected_share())
}

/// `150/s`, `140/s..160/s`, or `>=150/s`.
fn capacity(text: &str) -> Result<RoundCapacity, Message> {
    let one = |text: &str| rate(text.trim()).map_err(|_| rounds::expected_capacity());
    let bare = text.strip_prefix(">=").or_else(|| text.strip_prefix('≥'));
    let (low, high) = match (bare, text.split_once("..")) {
        (Some(bound), _) => (one(bound)?, None),
        (None, Some((low, high))) => (one(low)?, Some(one(high)?)),
        (None, None) => (one(text)?, Some(one(text)?)),
    };
    if high.is_some_and(|high| high < low) {
        return Err(rounds::expected_capacity());
    }
    Ok(RoundCapacity {
        middle: high.map_or(low, |high| f64::midpoint(low, high)),
        low,
        high,
        is_of_goal: false,
    })
}
