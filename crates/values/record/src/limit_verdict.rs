//! What the judge of `explain` says of a run, in short: what searches, studies and comparisons carry of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The verdict on what limits, for programs and in words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LimitVerdict {
    /// `limited`, `slow`, `no-bottleneck`, `no-sign`, `unknown-limit`, `too-little`, `not-valid`.
    pub answer: String,
    /// Where the limit lies, or what is seen of it.
    pub part: Option<String>,
    /// The rule that names it.
    pub rule: Option<String>,
    /// `A`, `B` or `C`.
    pub grade: Option<String>,
    /// The part of which one change tells whether it is this or another that limits, where two fit.
    #[serde(default)]
    pub decides: Option<String>,
    /// The load that was asked for then, where a search set it: iterations per second, or users.
    #[serde(default)]
    pub load: Option<f64>,
    /// Requests answered well per second, at most, while nothing was lost.
    #[serde(default)]
    pub carried: f64,
    /// From when to when, seconds since the run's start.
    #[serde(default)]
    pub window_s: (f64, f64),
    /// Threads that serve requests, where there are far more than were ever busy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spare_threads: Option<ThreadUsage>,
    /// The words, by the tag of their language.
    pub said: BTreeMap<String, LimitText>,
}

/// A verdict in the words of one language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LimitText {
    /// What limits, in one line.
    pub text: String,
    /// What to do, the cheapest first.
    #[serde(default)]
    pub advice: Vec<LimitAdvice>,
    /// Settings with a reason of their own, which come before others are tuned, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
}

/// Threads of which there are far more than were ever busy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadUsage {
    /// Busy at once, at most.
    pub busy: f64,
    /// All that there may be.
    pub most: f64,
}

/// What to do about a limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LimitAdvice {
    /// In words, with what it is predicted to give.
    pub action: String,
    /// The setting, as it is typed.
    #[serde(default)]
    pub setting: Option<String>,
    /// It is done by a setting.
    #[serde(default)]
    pub is_setting: bool,
}

impl LimitVerdict {
    /// In the words of a language, else of any.
    #[must_use]
    pub fn words(&self, lang: &str) -> Option<&LimitText> {
        self.said.get(lang).or_else(|| self.said.values().next())
    }

    /// Something limits, and what it is is not known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.answer == "unknown-limit"
    }

    /// Something limits, seen or not, or makes requests slow.
    #[must_use]
    pub fn is_cause(&self) -> bool {
        matches!(self.answer.as_str(), "limited" | "unknown-limit" | "slow")
    }

    /// The part that limits, where one is named; what only makes requests slow is none.
    #[must_use]
    pub fn cause_part(&self) -> Option<&str> {
        self.part.as_deref().filter(|_| self.answer == "limited")
    }

    /// Enough was measured to tell something.
    #[must_use]
    pub fn is_told(&self) -> bool {
        !matches!(self.answer.as_str(), "too-little" | "not-valid")
    }

    /// Both name the same limit, or none.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.answer == other.answer && self.part == other.part && self.rule == other.rule
    }
}
