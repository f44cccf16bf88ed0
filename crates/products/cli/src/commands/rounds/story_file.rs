//! Rounds as a person types them: a YAML file.

use std::collections::BTreeMap;

use loadline_analysis::slo::Term;
use loadline_report::rounds::{FigureRange, Round, RoundCapacity, RoundFigures};
use loadline_text::{Catalog, Message, arguments, problem, rounds};
use loadline_units::parse_share;
use serde::Deserialize;

use crate::refusal::Refusal;
use crate::typed_numbers;

/// A file of rounds.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StoryFile {
    pub(super) title: String,
    goal: Words,
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
    runs: Words,
    /// Whether the next rounds build on it.
    kept: Option<bool>,
    costs: Words,
    rejected: Words,
    users: Option<String>,
    rate: Option<String>,
    mean: Option<String>,
    p95: Option<String>,
    errors: Option<String>,
    capacity: Option<String>,
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

/// A round of a file: what was typed of it, and the runs it is of.
#[derive(Debug)]
pub(super) struct FiledRound {
    pub(super) round: Round,
    pub(super) runs: Vec<String>,
}

/// A figure that cannot be read.
struct FigureMistake {
    key: &'static str,
    value: String,
    expected: Message,
}

impl StoryFile {
    /// Reads the text of the file at `path`.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(super) fn read(text: &str, path: &str) -> Result<Self, Refusal> {
        serde_saphyr::from_str(text).map_err(|error| {
            let text = error.to_string();
            let reason = text.lines().next().unwrap_or_default();
            Refusal::config(problem::rounds_file(path, reason))
        })
    }

    /// The goal it names.
    ///
    /// # Errors
    /// One of its terms means nothing.
    pub(super) fn goal(&self, path: &str, catalog: &Catalog) -> Result<Vec<Term>, Refusal> {
        let (terms, place) = (self.goal.clone().list(), format!("{path}: goal"));
        let terms = terms.iter().map(|text| {
            (text.parse::<Term>()).map_err(|error| Refusal::goal(&place, text, &error, catalog))
        });
        terms.collect()
    }

    /// Its rounds, which follow so many others.
    ///
    /// # Errors
    /// A figure cannot be read.
    pub(super) fn rounds(
        self,
        path: &str,
        before: usize,
        catalog: &Catalog,
    ) -> Result<Vec<FiledRound>, Refusal> {
        let rounds = self.rounds.into_iter().enumerate();
        let rounds = rounds.map(|(place, typed)| {
            let name = match typed.name.as_str() {
                "" => (before + place + 1).to_string(),
                name => name.to_owned(),
            };
            typed.filed(&name).map_err(|mistake| {
                let expected = catalog.text(&mistake.expected);
                let (key, value) = (mistake.key, mistake.value);
                Refusal::config(problem::rounds_figure(path, name, key, value, expected))
            })
        });
        rounds.collect()
    }
}

impl TypedRound {
    fn filed(self, name: &str) -> Result<FiledRound, FigureMistake> {
        let figures = RoundFigures {
            users: typed("users", self.users, users)?,
            rate: typed("rate", self.rate, rate)?,
            mean_ms: typed("mean", self.mean, time)?,
            p95_ms: typed("p95", self.p95, time)?,
            errors: typed("errors", self.errors, errors)?,
            capacity: typed("capacity", self.capacity, capacity)?,
        };
        let round = Round {
            name: name.to_owned(),
            change: self.change,
            commit: self.commit,
            settings: self.settings,
            figures,
            also: self.figures,
            limit: self.limit,
            costs: self.costs.list(),
            rejected: self.rejected.list(),
            is_rejected: self.kept == Some(false),
            ..Round::default()
        };
        Ok(FiledRound {
            round,
            runs: self.runs.list(),
        })
    }
}

fn typed<T>(
    key: &'static str,
    text: Option<String>,
    read: impl Fn(&str) -> Result<T, Message>,
) -> Result<Option<T>, FigureMistake> {
    let Some(text) = text else {
        return Ok(None);
    };
    read(text.trim())
        .map(Some)
        .map_err(|expected| FigureMistake {
            key,
            value: text.clone(),
            expected,
        })
}

fn users(text: &str) -> Result<f64, Message> {
    let number = text.replace(',', "").parse::<f64>().ok();
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
