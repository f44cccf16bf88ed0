//! Why a log format cannot be used.

/// Why a log format cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LogFormatError {
    /// It is neither a name that is known nor a format string.
    #[error("unknown log format `{name}`")]
    Unknown {
        /// What was written.
        name: String,
    },
    /// A variable is not known.
    #[error("unknown variable `{name}`")]
    Variable {
        /// The variable as written.
        name: String,
    },
    /// Nothing stands between two variables.
    #[error("nothing parts `{before}` and `{after}`")]
    Adjacent {
        /// The first variable.
        before: String,
        /// The second one.
        after: String,
    },
    /// It has no time of day.
    #[error("no time of day")]
    NoTime,
    /// It has neither a request nor a path.
    #[error("neither a request nor a path")]
    NoRequest,
}
