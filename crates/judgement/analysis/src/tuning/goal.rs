//! What a study is to reach, and what a trial is worth by it.
//!
//! ```text
//! goal      = "meet" [":"] conditions
//!           | objective ("max" | "min") ["subject to" conditions]
//! objective = "throughput" | statistic                 p(95), mean, errors, ...
//! condition = ("tps" | "throughput") (">" | ">=") number | term of an objective (`slo`)
//! ```

use std::fmt;
use std::str::FromStr;

use loadline_text::{Message, tune};

use crate::slo::{Statistic, Term, TermError};

/// A time that too few starts keep stands for an hour: beyond all limits, and still a number.
const NEVER_MS: f64 = 3_600_000.0;
/// Shares near zero are compared as if they were this: a ratio to nothing means nothing.
const LEAST_SHARE: f64 = 0.001;
/// Names of the throughput.
const THROUGHPUT: [&str; 3] = ["throughput", "tps", "rps"];

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objective {
    /// Successful requests per second.
    Throughput,
    /// A statistic of requests.
    Statistic(Statistic),
}

/// What must hold.
#[derive(Debug, Clone, PartialEq)]
pub enum GoalCondition {
    /// So many successful requests per second at least.
    Throughput(f64),
    /// A term of an objective.
    Term(Term),
}

/// What a study is to reach.
#[derive(Debug, Clone, PartialEq)]
pub enum TuningGoal {
    /// The best value for which conditions hold.
    Best {
        /// What is to be as high or as low as possible.
        objective: Objective,
        /// Whether high is good.
        more: bool,
        /// What must hold.
        conditions: Vec<GoalCondition>,
    },
    /// All conditions, as cheaply as possible.
    Meet(Vec<GoalCondition>),
}

impl TuningGoal {
    /// Whether it says how many requests may fail.
    #[must_use]
    pub fn judges_failures(&self) -> bool {
        let (Self::Best { conditions, .. } | Self::Meet(conditions)) = self;
        conditions.iter().any(|condition| match condition {
            GoalCondition::Throughput(_) => false,
            GoalCondition::Term(term) => term.statistic == Statistic::Errors,
        })
    }
}

/// Why a text is no goal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoalError {
    /// It begins with neither `meet` nor something to make high or low.
    #[error("`{text}` is neither `meet ...` nor `throughput max ...`")]
    Malformed {
        /// The whole text.
        text: String,
    },
    /// A condition on the throughput cannot be read.
    #[error("`{text}` is not `tps>=` and a number above zero")]
    Throughput {
        /// The condition.
        text: String,
    },
    /// A condition asks for a part of the requests, and a study judges all of them.
    #[error("`{text}` is of a part of the requests")]
    Scope {
        /// The condition.
        text: String,
    },
    /// Another condition cannot be read.
    #[error(transparent)]
    Term(#[from] TermError),
}

impl GoalError {
    /// The same for people, in their language.
    #[must_use]
    pub fn words(&self) -> Message {
        match self {
            Self::Malformed { text } => tune::mistake_goal(text),
            Self::Throughput { text } => tune::mistake_goal_throughput(text),
            Self::Scope { text } => tune::mistake_goal_scope(text),
            Self::Term(cause) => cause.words(),
        }
    }
}

impl FromStr for TuningGoal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Self, GoalError> {
        let text = text.trim();
        let malformed = || GoalError::Malformed {
            text: text.to_owned(),
        };
        if let Some(rest) = text.strip_prefix("meet") {
            let rest = rest.trim_start().trim_start_matches(':');
            let conditions = conditions(rest)?;
            return if conditions.is_empty() {
                Err(malformed())
            } else {
                Ok(Self::Meet(conditions))
            };
        }
        let (what, rest) = match text.split_once("subject to") {
            Some((what, rest)) => (what.trim(), rest),
            None => (text, ""),
        };
        let (name, direction) = what.rsplit_once(' ').ok_or_else(malformed)?;
        let more = match direction {
            "max" => true,
            "min" => false,
            _ => return Err(malformed()),
        };
        let name = name.trim();
        let objective = if THROUGHPUT.contains(&name) {
            Objective::Throughput
        } else {
            // A term with any limit names the statistic.
            let wants_more = name == "checks";
            let limit = if wants_more { ">1%" } else { "<1%" };
            let time = format!("{name}<1ms").parse::<Term>();
            let term = time.or_else(|_| format!("{name}{limit}").parse::<Term>());
            Objective::Statistic(term.map_err(|_| malformed())?.statistic)
        };
        Ok(Self::Best {
            objective,
            more,
            conditions: conditions(rest)?,
        })
    }
}

fn conditions(text: &str) -> Result<Vec<GoalCondition>, GoalError> {
    let mut depth = 0_i32;
    let parts = text.split(|letter| {
        depth += match letter {
            '{' | '(' => 1,
            '}' | ')' => -1,
            _ => 0,
        };
        letter == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.map(GoalCondition::read).collect()
}

impl GoalCondition {
    fn read(text: &str) -> Result<Self, GoalError> {
        let wrong = || GoalError::Throughput {
            text: text.to_owned(),
        };
        let Some(rest) = THROUGHPUT.iter().find_map(|name| text.strip_prefix(name)) else {
            let term: Term = text.parse()?;
            return if term.scope.is_empty() {
                Ok(Self::Term(term))
            } else {
                Err(GoalError::Scope {
                    text: text.to_owned(),
                })
            };
        };
        let rest = rest.trim_start().strip_prefix('>').ok_or_else(wrong)?;
        let limit = rest.trim_start_matches('=').trim().trim_end_matches("/s");
        let limit = limit.parse::<f64>().ok();
        let limit = limit.filter(|limit| limit.is_finite() && *limit > 0.0);
        limit.map(Self::Throughput).ok_or_else(wrong)
    }

    /// How far a value keeps it: the logarithm of the ratio to the limit, above zero if kept.
    #[must_use]
    pub fn margin(&self, value: f64) -> f64 {
        match self {
            Self::Throughput(least) => (value.max(f64::MIN_POSITIVE) / least).ln(),
            Self::Term(term) if term.statistic.is_share() => {
                let share = |kept: f64| {
                    if term.statistic.wants_more() {
                        1.0 - kept
                    } else {
                        kept
                    }
                };
                ((share(term.limit) + LEAST_SHARE) / (share(value).max(0.0) + LEAST_SHARE)).ln()
            }
            Self::Term(term) => (term.limit / value.max(f64::MIN_POSITIVE)).ln(),
        }
    }

    /// What it asks of.
    #[must_use]
    pub const fn objective(&self) -> Objective {
        match self {
            Self::Throughput(_) => Objective::Throughput,
            Self::Term(term) => Objective::Statistic(term.statistic),
        }
    }
}

impl fmt::Display for GoalCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throughput(least) => write!(f, "tps>={least}"),
            Self::Term(term) => write!(f, "{term}"),
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throughput => f.write_str("throughput"),
            Self::Statistic(statistic) => write!(f, "{statistic}"),
        }
    }
}

impl TuningGoal {
    /// What must hold.
    #[must_use]
    pub fn conditions(&self) -> &[GoalCondition] {
        match self {
            Self::Best { conditions, .. } | Self::Meet(conditions) => conditions,
        }
    }

    /// What a trial is worth: the logarithm of what is to be as high as possible, and how far
    /// the conditions are kept. `measured` gives the value of what was measured; `None` when
    /// something that is needed was not.
    pub fn worth(&self, measured: impl Fn(Objective) -> Option<f64>) -> Option<(f64, f64)> {
        let measured = |objective| measured(objective).map(|value| value.min(NEVER_MS));
        let mut margin = f64::INFINITY;
        for condition in self.conditions() {
            margin = margin.min(condition.margin(measured(condition.objective())?));
        }
        let score = match self {
            Self::Meet(_) => margin,
            Self::Best {
                objective, more, ..
            } => {
                let value = measured(*objective)?;
                let is_share = matches!(objective, Objective::Statistic(of) if of.is_share());
                let least = if is_share { LEAST_SHARE } else { 0.0 };
                let score = (value + least).max(f64::MIN_POSITIVE).ln();
                if *more { score } else { -score }
            }
        };
        Some((score, margin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_as_people_write_them() {
        let goal: TuningGoal = "throughput max subject to p(95)<500ms, errors<1%"
            .parse()
            .unwrap();
        assert_eq!(goal.conditions().len(), 2);
        assert!(matches!(
            goal,
            TuningGoal::Best {
                objective: Objective::Throughput,
                more: true,
                ..
            }
        ));
        let goal: TuningGoal = "meet: tps>=100, p(95)<=500ms".parse().unwrap();
        assert_eq!(goal.conditions()[0], GoalCondition::Throughput(100.0));
        assert_eq!(goal.conditions()[1].to_string(), "p(95)<=500ms");
        let goal: TuningGoal = "p(95) min".parse().unwrap();
        let is_latency = |objective| objective == Objective::Statistic(Statistic::Percentile(95.0));
        assert!(
            matches!(goal, TuningGoal::Best { objective, more: false, .. } if is_latency(objective))
        );
        for wrong in [
            "",
            "fast",
            "meet",
            "throughput up",
            "meet tps<5",
            "p(950) min",
            "x max",
        ] {
            assert!(wrong.parse::<TuningGoal>().is_err(), "{wrong}");
        }
    }

    /// Seen: `meet errors<1` was kept with half of the answers failed.
    #[test]
    fn a_condition_that_cannot_be_read_keeps_its_cause() {
        let said = |text: &str| text.parse::<TuningGoal>().unwrap_err().to_string();
        assert_eq!(
            said("meet tps>=100, errors<1"),
            "limit of `errors`: `1` is not a share: write 1% or 0.01"
        );
        assert_eq!(
            said("throughput max subject to p(95)>500ms"),
            "`>` after `p(95)` asks for the wrong direction: write `p(95)<500ms`"
        );
        assert_eq!(
            said("meet tps>=inf"),
            "`tps>=inf` is not `tps>=` and a number above zero"
        );
    }

    #[test]
    fn a_margin_is_above_zero_when_all_is_kept() {
        let goal: TuningGoal = "meet tps>=100, p(95)<=500ms, errors<1%".parse().unwrap();
        let measured = |tps: f64, p95: f64, errors: f64| {
            goal.worth(|objective| match objective {
                Objective::Throughput => Some(tps),
                Objective::Statistic(Statistic::Percentile(_)) => Some(p95),
                Objective::Statistic(Statistic::Errors) => Some(errors),
                Objective::Statistic(_) => None,
            })
        };
        assert!(measured(120.0, 300.0, 0.0).unwrap().1 > 0.0);
        assert!(measured(90.0, 300.0, 0.0).unwrap().1 < 0.0);
        assert!(measured(120.0, 600.0, 0.0).unwrap().1 < 0.0);
        assert!(measured(120.0, 300.0, 0.05).unwrap().1 < 0.0);
        assert!(goal.worth(|_| None).is_none());
        let never = measured(120.0, crate::slo::NOT_REACHED, 0.0).unwrap();
        assert!(never.1 < 0.0 && never.1.is_finite(), "{never:?}");
    }

    /// Before, the braces were taken and all requests judged.
    #[test]
    fn a_condition_of_a_part_of_the_requests_is_refused() {
        for goal in [
            "meet p(95){endpoint:/a}<1s",
            "throughput max subject to errors{status:503}<1%",
        ] {
            let refused = goal.parse::<TuningGoal>();
            assert!(
                matches!(refused, Err(GoalError::Scope { .. })),
                "{goal}: {refused:?}"
            );
        }
    }
}
