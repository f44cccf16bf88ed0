//! Errors in flags.

use crate::error::ExitCode;
use crate::go::quote;

/// Why arguments cannot be read. `Display` is k6's message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlagError {
    /// There is no such flag.
    #[error("unknown flag: --{name}")]
    Unknown {
        /// Its name as written.
        name: String,
    },
    /// There is no such one-letter flag.
    #[error("unknown shorthand flag: {} in -{rest}", letter(*.short))]
    UnknownShort {
        /// The letter.
        short: char,
        /// The letters from it on.
        rest: String,
    },
    /// Dashes without a name.
    #[error("bad flag syntax: {argument}")]
    Syntax {
        /// The argument.
        argument: String,
    },
    /// The flag needs a value and there is none.
    #[error("flag needs an argument: --{flag}")]
    MissingValue {
        /// The flag's name.
        flag: String,
    },
    /// The one-letter flag needs a value and there is none.
    #[error("flag needs an argument: {} in -{rest}", letter(*.short))]
    MissingShortValue {
        /// The letter.
        short: char,
        /// The letters from it on.
        rest: String,
    },
    /// The value is not of the flag's kind.
    #[error("invalid argument {} for {} flag: {text}", quote(value), quote(flag))]
    Kind {
        /// The flag as shown: `-u, --vus`.
        flag: String,
        /// The value as written.
        value: String,
        /// What is wrong with it.
        text: String,
    },
    /// The value is of the flag's kind and still wrong; in k6's words, which name no flag.
    #[error("{0}")]
    Value(String),
    /// A tag is not NAME=VALUE.
    #[error("error parsing tag '{written}': invalid tag, empty {missing}")]
    Tag {
        /// The tag as written.
        written: String,
        /// What it lacks.
        missing: &'static str,
    },
    /// There is not exactly one script.
    #[error(
        "accepts 1 arg(s), received {0}: arg should either be \"-\", if reading script from stdin, or a path to a script file"
    )]
    Scripts(usize),
}

impl FlagError {
    /// How k6 exits.
    #[must_use]
    pub const fn exit(&self) -> ExitCode {
        ExitCode::Other
    }
}

fn letter(short: char) -> String {
    match short {
        '\'' => r"'\''".to_owned(),
        short => format!("'{short}'"),
    }
}
