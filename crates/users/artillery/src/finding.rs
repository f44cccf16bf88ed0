//! What is found in a file before any load: errors, and likely mistakes.
//!
//! The texts here are for logs and tests; `cli` words them for people.

use crate::phrase::{Phrase, Reason};
use crate::yaml::Mark;

/// How serious it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// For information.
    Note,
    /// Probably a mistake; an error with `--strict`.
    Warning,
    /// The file cannot be run.
    Error,
}

/// Something found in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Where it is.
    pub mark: Mark,
    /// What it is.
    pub kind: DiagnosticKind,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's text says what its fields are")]
pub enum DiagnosticKind {
    #[error("{reason}")]
    Syntax { reason: String },
    #[error("`{key}` is {found}; expected {expected}")]
    WrongType {
        key: String,
        expected: Phrase,
        found: Phrase,
    },
    #[error("`{key}` is missing in {place}")]
    Missing {
        key: &'static str,
        place: &'static str,
    },
    #[error("`{key}` cannot be `{value}`: {reason}")]
    BadValue {
        key: String,
        value: String,
        reason: Reason,
    },
    #[error("`{key}: {value}` is not text and counts as true")]
    AlwaysHolds { key: String, value: String },
    #[error("`{key}: {value}` cannot be read and counts as true: {reason}")]
    BadCondition {
        key: String,
        value: String,
        reason: String,
    },
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable { path: String, reason: String },
    #[error("the processor `{path}` cannot be read: {reason}")]
    NoProcessorFile { path: String, reason: String },
    #[error("no target: set config.target, an environment's target, or -t")]
    NoTarget {
        /// Environments of the file; one is taken only if it is named.
        environments: Vec<String>,
    },
    #[error("there is no scenario")]
    NoScenarios,
    #[error("`{what}` cannot be run: {reason}")]
    Refused { what: String, reason: Phrase },
    #[error("`{key}` has no effect under `{under}`; it belongs under {belongs}")]
    Misplaced {
        key: String,
        under: &'static str,
        belongs: &'static str,
    },
    #[error("`{key}` is not known under {under}")]
    UnknownKey {
        key: String,
        under: &'static str,
        nearest: Option<&'static str>,
    },
    #[error("`{variable}` is used but never set")]
    NeverSet { variable: String },
    #[error("`over: {variable}` is never set: the loop sends nothing")]
    OverUnset {
        variable: String,
        nearest: Option<String>,
    },
    #[error("`over: {variable}` is one value and no list: the loop sends nothing")]
    OverOneValue { variable: String },
    #[error("`ifTrue` reads `{variable}`, which is never set")]
    ConditionUnset {
        variable: String,
        nearest: Option<String>,
    },
    #[error("{path} has no rows")]
    NoRows { path: String, skips_header: bool },
    #[error("the phases and scenarios send nothing")]
    NothingPlanned,
    #[error("`{variable}` is used here, but first set later (line {line})")]
    SetLater { variable: String, line: u32 },
    #[error("`{variable}` is captured but never used")]
    CaptureUnused { variable: String },
    #[error(
        "rows of {path} are drawn at random and can repeat; `{field}` looks like an id that {method} writes: use order: unique"
    )]
    RandomIds {
        path: String,
        field: String,
        method: String,
    },
    #[error("`think: {value}` is {value} s here; Artillery would wait 1 ms")]
    ThinkFraction { value: String },
    #[error("`count: 0` loops for ever")]
    CountZero,
    #[error("`{key}` is not a step of a WebSocket flow: each user fails there")]
    ForeignStep { key: String },
    #[error("`{key}` in a {under} is a step of its own")]
    StepInside { key: String, under: &'static str },
    #[error("a step has one key; this one has {keys}")]
    SeveralVerbs { keys: String },
    #[error("`{key}` is ignored: {reason}")]
    Ignored { key: String, reason: Phrase },
    #[error("there is no environment `{name}`")]
    UnknownEnvironment {
        name: String,
        environments: Vec<String>,
    },
    #[error("there is no function `{name}`")]
    UnknownFunction {
        name: String,
        nearest: Option<String>,
    },
    #[error("`{name}` is a function of a processor, and `config.processor` is missing")]
    NoProcessor { name: String },
    #[error("`{{{{` without `}}}}` in `{text}`")]
    Unclosed { text: String },
    #[error("`{value}` begins neither with `/` nor with a scheme")]
    BadUrl { value: String },
    #[error("a loop without count, over or whileTrue never ends")]
    EndlessLoop,
    #[error("`weight: {value}` is not a number and counts as 0")]
    BadWeight { value: String },
    #[error("`{name}` is none of Artillery's metrics")]
    UnknownMetric { name: String, nearest: String },
    #[error("`{plugin}` checks nothing without `config.plugins.{plugin}`")]
    NoPlugin { plugin: &'static str },
    #[error("`{key}` is not an HTTP method")]
    UnknownVerb {
        key: String,
        nearest: Option<&'static str>,
    },
    #[error("{path} has {columns} columns; `fields` names {fields}")]
    TooFewColumns {
        path: String,
        columns: usize,
        fields: usize,
    },
    #[error("`{field}` of {path}: {text} becomes the number {number}")]
    DigitsLost {
        path: String,
        field: String,
        text: String,
        number: String,
    },
    #[error("the phases add up to {planned}, not {expected}")]
    LengthMismatch { planned: String, expected: String },
    #[error("{path} has {rows} rows and the phases start {needed} virtual users")]
    TooFewRows {
        path: String,
        rows: u64,
        needed: u64,
    },
    #[error("`from: {from}` is behind the last of the {rows} rows of {path}")]
    FromBehindRows { path: String, from: u64, rows: u64 },
}

impl DiagnosticKind {
    /// How serious it is without `--strict`.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            Self::Syntax { .. }
            | Self::WrongType { .. }
            | Self::Missing { .. }
            | Self::BadValue { .. }
            | Self::Unreadable { .. }
            | Self::NoTarget { .. }
            | Self::NoScenarios
            | Self::Refused { .. }
            | Self::SeveralVerbs { .. }
            | Self::LengthMismatch { .. }
            | Self::NoRows { .. }
            | Self::FromBehindRows { .. } => Severity::Error,
            Self::Misplaced { .. }
            | Self::StepInside { .. }
            | Self::UnknownKey { .. }
            | Self::NeverSet { .. }
            | Self::OverUnset { .. }
            | Self::OverOneValue { .. }
            | Self::ConditionUnset { .. }
            | Self::NothingPlanned
            | Self::SetLater { .. }
            | Self::RandomIds { .. }
            | Self::ThinkFraction { .. }
            | Self::CountZero
            | Self::ForeignStep { .. }
            | Self::Ignored { .. }
            | Self::UnknownEnvironment { .. }
            | Self::BadCondition { .. }
            | Self::AlwaysHolds { .. }
            | Self::UnknownFunction { .. }
            | Self::NoProcessor { .. }
            // The run ends with the code of a worker that cannot start, as in Artillery.
            | Self::NoProcessorFile { .. }
            | Self::Unclosed { .. }
            | Self::BadUrl { .. }
            | Self::EndlessLoop
            | Self::BadWeight { .. }
            | Self::UnknownMetric { .. }
            | Self::NoPlugin { .. }
            | Self::UnknownVerb { .. }
            | Self::TooFewColumns { .. }
            | Self::DigitsLost { .. }
            | Self::TooFewRows { .. } => Severity::Warning,
            Self::CaptureUnused { .. } => Severity::Note,
        }
    }

    /// A stable name, for tables and tests.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "syntax",
            Self::WrongType { .. } => "wrong-type",
            Self::Missing { .. } => "missing",
            Self::BadValue { .. } => "bad-value",
            Self::BadCondition { .. } => "bad-condition",
            Self::AlwaysHolds { .. } => "always-holds",
            Self::Unreadable { .. } => "unreadable",
            Self::NoTarget { .. } => "no-target",
            Self::NoScenarios => "no-scenarios",
            Self::Refused { .. } => "refused",
            Self::Misplaced { .. } => "misplaced",
            Self::StepInside { .. } => "step-inside",
            Self::UnknownKey { .. } => "unknown-key",
            Self::NeverSet { .. } => "never-set",
            Self::OverUnset { .. } => "over-unset",
            Self::OverOneValue { .. } => "over-one-value",
            Self::ConditionUnset { .. } => "condition-unset",
            Self::NoRows { .. } => "no-rows",
            Self::NothingPlanned => "nothing-planned",
            Self::SetLater { .. } => "set-later",
            Self::CaptureUnused { .. } => "capture-unused",
            Self::RandomIds { .. } => "random-ids",
            Self::ThinkFraction { .. } => "think-fraction",
            Self::CountZero => "count-zero",
            Self::ForeignStep { .. } => "foreign-step",
            Self::SeveralVerbs { .. } => "several-verbs",
            Self::Ignored { .. } => "ignored",
            Self::UnknownEnvironment { .. } => "unknown-environment",
            Self::UnknownFunction { .. } => "unknown-function",
            Self::NoProcessor { .. } => "no-processor",
            Self::NoProcessorFile { .. } => "no-processor-file",
            Self::Unclosed { .. } => "unclosed",
            Self::BadUrl { .. } => "bad-url",
            Self::EndlessLoop => "endless-loop",
            Self::BadWeight { .. } => "bad-weight",
            Self::UnknownMetric { .. } => "unknown-metric",
            Self::NoPlugin { .. } => "no-plugin",
            Self::UnknownVerb { .. } => "unknown-verb",
            Self::TooFewColumns { .. } => "too-few-columns",
            Self::DigitsLost { .. } => "digits-lost",
            Self::LengthMismatch { .. } => "length-mismatch",
            Self::TooFewRows { .. } => "too-few-rows",
            Self::FromBehindRows { .. } => "from-behind-rows",
        }
    }
}
