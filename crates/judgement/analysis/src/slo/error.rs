//! Why a text is no term of an objective, for programs and in the words of people.

use loadline_text::{Message, arguments};
use loadline_units::ShareError;

/// Why a text is no term.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TermError {
    /// There is no operator with something on both sides.
    #[error("`{text}` is not a statistic, an operator and a limit")]
    Malformed {
        /// The whole text.
        text: String,
    },
    /// What stands before the operator is no statistic.
    #[error("unknown statistic `{found}`")]
    Statistic {
        /// What stands there.
        found: String,
    },
    /// The operator asks for the wrong direction.
    #[error("`{operator}` after `{statistic}` asks for the wrong direction: write `{instead}`")]
    Direction {
        /// The statistic.
        statistic: String,
        /// The operator.
        operator: String,
        /// The term with the other operator.
        instead: String,
    },
    /// The limit is no time that can be kept to.
    #[error("`{found}` is not a limit of `{statistic}`")]
    Limit {
        /// The statistic.
        statistic: String,
        /// What stands there.
        found: String,
    },
    /// The limit is no share.
    #[error("limit of `{statistic}`: {cause}")]
    Share {
        /// The statistic.
        statistic: String,
        /// What is wrong with it.
        #[source]
        cause: ShareError,
    },
    /// No run can keep it.
    #[error("nothing keeps `{text}`: write `{instead}`")]
    OutOfReach {
        /// The whole text.
        text: String,
        /// What was probably meant.
        instead: String,
    },
    /// The scope is no list of tags.
    #[error("`{found}` is not a list of tag:value")]
    Scope {
        /// What stands there.
        found: String,
    },
}

/// What people call the load, which no goal is about.
const LOADS: [&str; 7] = [
    "rate",
    "rps",
    "tps",
    "qps",
    "load",
    "throughput",
    "requests",
];

impl TermError {
    /// The same for people, in their language.
    #[must_use]
    pub fn words(&self) -> Message {
        match self {
            Self::Malformed { text } => arguments::goal_malformed(text),
            Self::Statistic { found } if LOADS.contains(&found.to_lowercase().as_str()) => {
                arguments::goal_of_load(found)
            }
            Self::Statistic { found } => arguments::goal_statistic(found),
            Self::Direction {
                statistic,
                operator,
                instead,
            } => arguments::goal_direction(statistic, operator, instead),
            Self::Limit { found, .. } if found.contains([',', ';']) => {
                arguments::goal_several(found)
            }
            Self::Limit { statistic, found } => arguments::goal_time(found, statistic),
            Self::Share { cause, .. } => share_words(cause),
            Self::OutOfReach { text, instead } => arguments::goal_out_of_reach(text, instead),
            Self::Scope { found } => arguments::goal_scope(found),
        }
    }
}

/// Why a text is no share, for people.
#[must_use]
pub fn share_words(error: &ShareError) -> Message {
    if error.is_above_all {
        return arguments::share_above_all(&error.found);
    }
    let spellings = &error.spellings;
    arguments::not_a_share(&error.found, &spellings.percent, &spellings.decimal)
}
