//! Errors and warnings about options.
//!
//! The texts are k6's own wherever k6 has one. They are never translated: files written for k6
//! get its messages.

use std::fmt;

use loadline_testplan::PlanError;

use super::values::{Segment, SegmentSequence};
use loadline_testplan::StripeError;

/// Why a test cannot run with its options. `Display` gives k6's message, but for what k6
/// could do and this program cannot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// The options a script exports cannot be read. k6 puts the script's name in front.
    #[error("{text}")]
    Script {
        /// What is wrong.
        text: String,
        /// k6's exit code.
        exit: ExitCode,
    },
    /// The configuration file cannot be read as options.
    #[error(
        "failed to load the configuration file from the local file system: couldn't parse the configuration from {path:?}: {text}"
    )]
    ConfigFile {
        /// The file as named.
        path: String,
        /// What is wrong.
        text: String,
    },
    /// An environment variable does not fit its option.
    #[error(
        "envconfig.Process: assigning {variable} to {field}: converting '{value}' to type {go_type}. details: {text}"
    )]
    Environment {
        /// The variable.
        variable: &'static str,
        /// k6's name of the option.
        field: &'static str,
        /// The variable's value.
        value: String,
        /// k6's type of the option.
        go_type: &'static str,
        /// What is wrong.
        text: String,
    },
    /// A setting of the run itself (not of the test) is wrong.
    #[error("{0}")]
    Runtime(String),
    /// A name is no statistic of a trend.
    #[error("{0}")]
    TrendStat(String),
    /// How long looked-up names are kept is no length of time.
    #[error("{0}")]
    DnsTtl(String),
    /// Options of one source that exclude each other.
    #[error("{0}")]
    Conflict(Conflict),
    /// The test as a whole is wrong.
    #[error("There were problems with the specified script configuration:{}", listed(.0))]
    Invalid(Vec<ConfigMistake>),
    /// Something k6 does and this program does not.
    #[error("{0}")]
    Unsupported(UnsupportedFeature),
}

impl OptionsError {
    /// How k6 exits.
    #[must_use]
    pub const fn exit(&self) -> ExitCode {
        match self {
            Self::Script { exit, .. } => *exit,
            Self::Runtime(_) | Self::TrendStat(_) | Self::DnsTtl(_) => ExitCode::Other,
            Self::ConfigFile { .. }
            | Self::Environment { .. }
            | Self::Conflict(_)
            | Self::Invalid(_)
            | Self::Unsupported(_) => ExitCode::InvalidConfig,
        }
    }
}

/// How k6 exits when it refuses options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// 104
    InvalidConfig,
    /// 255, for errors without a code of their own.
    Other,
}

impl ExitCode {
    /// The process's exit code.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::InvalidConfig => 104,
            Self::Other => 255,
        }
    }
}

/// Options of one source that exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// Two ways to say what load there is.
    Both(&'static str, &'static str),
    /// A duration of nothing.
    NoDuration,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Both(one, other) => write!(
                f,
                "using `{one}` and `{other}` options simultaneously is not allowed"
            ),
            Self::NoDuration => f.write_str(
                "`duration` option should be more than 0, for infinite duration use the externally-controlled executor",
            ),
        }
    }
}

/// One thing wrong with the test as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigMistake {
    /// The part to run is not one of the parts of the test.
    #[error("provided segment {segment} can't be found in sequence {sequence}")]
    SegmentNotFound {
        /// The part to run.
        segment: Segment,
        /// The parts.
        sequence: SegmentSequence,
    },
    /// A scenario or a limit of the test is wrong.
    #[error("{0}")]
    Plan(PlanError),
    /// A scenario's function is not exported.
    #[error("executor {scenario}: function '{function}' not found in exports")]
    MissingFunction {
        /// The scenario's name.
        scenario: String,
        /// The function's name.
        function: String,
    },
}

fn listed(mistakes: &[ConfigMistake]) -> String {
    mistakes.iter().map(|m| format!("\n\t- {m}")).collect()
}

/// Something k6 does and this program does not, with what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedFeature {
    /// A scenario whose users are set from outside while it runs.
    #[error(
        "scenario {scenario}: the externally-controlled executor is not supported (k6 itself dropped it in version 2); use constant-vus, or ramping-vus with one stage per level"
    )]
    ExternallyControlled {
        /// The scenario's name.
        scenario: String,
    },
    /// A part of the test that cannot be told from the others.
    #[error("execution segment {0}: {1}; use shares such as 1/4 or 25%")]
    Segment(Segment, StripeError),
}

/// Something worth saying that stops nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// The script's options have names that mean nothing.
    UnknownFields {
        /// The first of them.
        first: String,
    },
    /// A higher source's load replaced the scenarios of a lower one.
    ScenariosOverridden {
        /// The higher source: `script`, `env` or `cli`.
        by: &'static str,
    },
    /// A number of users without anything to use it.
    VusIgnored(i64),
    /// A number of users alone replaced scenarios.
    ScenariosOverriddenByVus(i64),
    /// Stages were written and there are none.
    NoStages,
    /// Scenarios were written and there are none.
    NoScenarios,
    /// The summary layout that k6 will remove.
    LegacySummary,
    /// The way to run TypeScript that k6 is about to drop.
    ExperimentalEnhanced,
}

impl Warning {
    /// k6's message.
    #[must_use]
    pub fn message(&self) -> String {
        const ONCE: &str =
            "was explicitly set to an empty value, running the script with 1 iteration in 1 VU";
        match self {
            Self::UnknownFields { .. } => {
                "There were unknown fields in the options exported in the script".to_owned()
            }
            Self::ScenariosOverridden { by } => {
                format!("{by:?} level configuration overrode scenarios configuration entirely")
            }
            Self::VusIgnored(vus) => format!(
                "`vus={vus}` option will be ignored, it only works in conjunction with `iterations`, `duration`, or `stages`"
            ),
            Self::ScenariosOverriddenByVus(vus) => {
                format!("`vus={vus}` overrides scenarios configuration")
            }
            Self::NoStages => format!("`stages` {ONCE}"),
            Self::NoScenarios => format!("`scenarios` {ONCE}"),
            Self::LegacySummary => "The \"legacy\" summary mode has been deprecated, and will be removed by k6 v2.0. Please, migrate to either \"compact\" or \"full\" as soon as possible.".to_owned(),
            Self::ExperimentalEnhanced => "CompatibilityMode \"experimental_enhanced\" is deprecated. Types are stripped by default for `.ts` files. Please move to using \"base\" instead as \"experimental_enhanced\" will be removed in the future".to_owned(),
        }
    }

    /// The `error` field of k6's log line.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        match self {
            Self::UnknownFields { first } => {
                Some(format!("json: unknown field {}", super::go::quote(first)))
            }
            _ => None,
        }
    }
}
