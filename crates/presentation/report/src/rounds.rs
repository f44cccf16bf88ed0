//! The story of an experiment: what each round changed, what it gave and cost, what limits then, and what comes next.
//!
//! A round is what stored runs or a stored search say of it, what a person typed, or both. Here it is judged and put into
//! words; [`document`] makes the page, [`text`] what a terminal shows.
//!
//! Elsewhere: how rounds are read from runs and files (`loadline-cli`, `commands/rounds`).

pub mod document;
mod headline;
mod scale_out;
mod text;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use loadline_analysis::slo::{Statistic, Term};
use serde::Serialize;

pub use headline::StoryEnd;
pub use text::text;

/// An experiment in rounds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoundReport {
    /// What it is called; may be empty.
    pub title: String,
    /// What is to be reached; may be empty.
    pub goal: Vec<Term>,
    /// In their order; at least one.
    pub rounds: Vec<Round>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Round {
    /// What it is called: a number, or a word.
    pub name: String,
    /// What was changed; may be empty.
    pub change: String,
    /// The version that ran; may be empty.
    pub commit: String,
    /// Settings of the target.
    pub settings: BTreeMap<String, String>,
    /// What was measured.
    pub figures: RoundFigures,
    /// Figures that were measured elsewhere, as typed: `DB CPU`, `78 %`.
    pub also: BTreeMap<String, String>,
    /// What limits; may be empty.
    pub limit: String,
    /// What to do about it, the cheapest first.
    pub advice: Vec<String>,
    /// What the change costs: a view that is a minute stale.
    pub costs: Vec<String>,
    /// What was tried on the way and rejected.
    pub rejected: Vec<String>,
    /// The objective of its search; `None` without one.
    #[serde(skip)]
    pub objective: Option<Vec<String>>,
    /// The users of the least load of its table, where that misses the goal: nobody knows of fewer.
    #[serde(skip)]
    pub least_missed_users: Option<f64>,
    /// The verdict of its runs where they are no good measure of the target; may be empty.
    pub doubt: String,
    /// The round itself was rejected: what follows does not build on it.
    pub is_rejected: bool,
    /// The stored runs it is of, by name; none of what was typed.
    pub runs: Vec<String>,
    /// What a comparison with the round before says; `None` where runs of both are not stored.
    pub compared: Option<ComparedRound>,
}

/// What was measured in a round.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct RoundFigures {
    /// Virtual users.
    pub users: Option<f64>,
    /// Requests per second.
    pub rate: Option<f64>,
    /// Mean response time, ms.
    pub mean_ms: Option<FigureRange>,
    /// 95th percentile of response times, ms.
    pub p95_ms: Option<FigureRange>,
    /// Share of errors, 0 to 1.
    pub errors: Option<f64>,
    /// What it can carry, as a search found it, or as typed.
    pub capacity: Option<RoundCapacity>,
    /// Requests per second at the knee.
    pub knee: Option<f64>,
    /// The highest rate at which it answered, requests per second.
    pub peak: Option<f64>,
}

/// One value, or from a value to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FigureRange {
    /// The lower end.
    pub low: f64,
    /// The upper end; the same for one value, infinite where only the lower one is known.
    pub high: f64,
}

impl FigureRange {
    /// Whether only its lower end is known.
    #[must_use]
    pub fn is_bound(self) -> bool {
        self.high.is_infinite()
    }
}

/// Requests per second that can be carried.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RoundCapacity {
    /// The best estimate.
    pub middle: f64,
    /// Lower end of its range.
    pub low: f64,
    /// Upper end; `None` where it is a lower bound alone.
    pub high: Option<f64>,
    /// It was found under the goal of the story.
    pub is_of_goal: bool,
}

/// A round against the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedRound {
    /// The name of the one before.
    pub with: String,
    /// What can be said, in a sentence.
    pub said: String,
}

/// Whether a round meets the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalState {
    /// All of it.
    Met,
    /// A part of it is missed.
    Missed,
    /// Something that it asks for was not measured.
    Unknown,
}

impl From<f64> for FigureRange {
    fn from(value: f64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }
}

impl RoundCapacity {
    /// Whether only its lower end is known.
    #[must_use]
    pub const fn is_bound(&self) -> bool {
        self.high.is_none()
    }
}

impl RoundFigures {
    /// The load that it stands for: what can be carried where that is known, else what was sent.
    #[must_use]
    pub fn load(&self) -> Option<f64> {
        self.capacity.map(|capacity| capacity.middle).or(self.rate)
    }

    /// Whether a term is kept; `None` where what it is about was not measured.
    fn keeps(&self, term: &Term) -> Option<bool> {
        if !term.scope.is_empty() {
            return None;
        }
        if self.capacity.is_some_and(|found| found.is_of_goal) {
            return Some(true);
        }
        let observed = match term.statistic {
            Statistic::Percentile(percentile) if (percentile - 95.0).abs() < 1e-9 => self.p95_ms?,
            Statistic::Mean => self.mean_ms?,
            Statistic::Errors => FigureRange::from(self.errors?),
            Statistic::Percentile(_) | Statistic::Max | Statistic::Checks => return None,
        };
        let keeps = |value: f64| value < term.limit || (term.inclusive && value <= term.limit);
        if observed.is_bound() {
            return (!keeps(observed.low)).then_some(false);
        }
        // The worst that was seen counts.
        Some(keeps(observed.high))
    }
}

impl Round {
    /// What a search under the goal of the story found.
    fn line(&self) -> Option<RoundCapacity> {
        self.figures.capacity.filter(|found| found.is_of_goal)
    }

    /// Takes figures in where none were typed.
    pub fn fill(&mut self, found: RoundFigures) {
        let figures = &mut self.figures;
        figures.users = figures.users.or(found.users);
        figures.rate = figures.rate.or(found.rate);
        figures.mean_ms = figures.mean_ms.or(found.mean_ms);
        figures.p95_ms = figures.p95_ms.or(found.p95_ms);
        figures.errors = figures.errors.or(found.errors);
        figures.capacity = figures.capacity.or(found.capacity);
        figures.knee = figures.knee.or(found.knee);
        figures.peak = figures.peak.or(found.peak);
    }
}

impl RoundReport {
    /// Whether a round meets the goal; `None` without one.
    #[must_use]
    pub fn goal_state(&self, round: &Round) -> Option<GoalState> {
        if self.goal.is_empty() {
            return None;
        }
        let terms: Vec<Option<bool>> = (self.goal.iter())
            .map(|term| round.figures.keeps(term))
            .collect();
        // Requests that were cut or never sent are in no figure: what is left of them meets nothing. A search or a table
        // has its line whatever becomes of a run beside it.
        let is_doubtful = !round.doubt.is_empty() && round.line().is_none();
        let may_hold_below = round.least_missed_users.is_some_and(|users| users > 1.0);
        Some(if terms.contains(&Some(false)) && !may_hold_below {
            GoalState::Missed
        } else if may_hold_below || terms.contains(&None) || is_doubtful {
            GoalState::Unknown
        } else {
            GoalState::Met
        })
    }

    /// The goal as it was typed.
    #[must_use]
    pub fn goal_text(&self) -> String {
        let terms: Vec<String> = self.goal.iter().map(ToString::to_string).collect();
        terms.join(", ")
    }

    /// Rounds on which the next ones build.
    fn kept(&self) -> impl DoubleEndedIterator<Item = &Round> {
        self.rounds.iter().filter(|round| !round.is_rejected)
    }

    /// The names of what each round has a column for, in order.
    fn names_of<'a>(
        &'a self,
        of: impl Fn(&'a Round) -> &'a BTreeMap<String, String>,
    ) -> BTreeSet<&'a str> {
        let names = self.rounds.iter().flat_map(|round| of(round).keys());
        names.map(String::as_str).collect()
    }

    /// Settings that are not the same in all rounds.
    fn settings(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names_of(|round| &round.settings).into_iter().collect();
        names.retain(|name| {
            let mut values = self.rounds.iter().map(|round| round.settings.get(*name));
            let first = values.next().flatten();
            self.rounds.len() == 1 || values.any(|value| value != first)
        });
        names
    }

    /// For programs.
    #[must_use]
    pub fn to_json(&self) -> String {
        let rounds = self.rounds.iter().map(|round| {
            let mut value = serde_json::json!(round);
            value["goal"] = serde_json::json!(self.goal_state(round));
            value
        });
        let story = serde_json::json!({
            "loadline_rounds": 1,
            "title": self.title,
            "goal": self.goal.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "end": StoryEnd::from(self).word(),
            "rounds": rounds.collect::<Vec<_>>(),
        });
        format!("{story:#}\n")
    }
}

#[cfg(test)]
mod tests;
