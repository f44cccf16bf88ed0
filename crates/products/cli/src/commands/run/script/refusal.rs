//! Why a script cannot start, in k6's words and with k6's codes.

use loadline_k6::LoadError;
use loadline_k6::log::{Entry, LogLevel};
use loadline_k6_options::OptionsError;
use loadline_session::k6::K6Error;
use loadline_text::{Dialect, Exit};

/// Why a script cannot start: a line for the log, and the exit code.
pub(super) struct ScriptRefusal {
    pub(super) entry: Entry,
    /// Its cause alone, with the place of it.
    pub(super) reason: String,
    pub(super) code: u8,
}

impl ScriptRefusal {
    pub(super) fn new(message: impl Into<String>, code: u8) -> Self {
        let message = message.into();
        Self {
            entry: Entry::new(LogLevel::Error, message.clone()),
            reason: message,
            code,
        }
    }

    pub(super) fn line(&self) -> String {
        let time = jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string();
        self.entry.text_line(&time)
    }
}

impl From<OptionsError> for ScriptRefusal {
    fn from(error: OptionsError) -> Self {
        Self::new(error.to_string(), error.exit().code())
    }
}

impl From<K6Error> for ScriptRefusal {
    fn from(error: K6Error) -> Self {
        let invalid = Exit::InvalidConfig.code(Dialect::K6);
        let other = Exit::Other.code(Dialect::K6);
        let exception = Exit::ScriptException.code(Dialect::K6);
        let mut refusal = match &error {
            K6Error::Options(inner) => Self::new(error.to_string(), inner.exit().code()),
            K6Error::ScriptOptions { source, .. } => {
                Self::new(error.to_string(), source.exit().code())
            }
            K6Error::Thresholds { .. } | K6Error::Network(_) => {
                Self::new(error.to_string(), invalid)
            }
            K6Error::NoTest {
                source: LoadError::Aborted(_),
                ..
            } => Self::new(error.to_string(), Exit::AbortedByTest.code(Dialect::K6)),
            K6Error::NoTest {
                source: LoadError::Program(_),
                ..
            } => Self::new(error.to_string(), exception),
            // To k6 a rejection that nobody handled is no exception of the script's.
            K6Error::NoTest {
                source: LoadError::Rejected(_),
                ..
            } => Self::new(error.to_string(), other),
            K6Error::Load(LoadError::Init(trace) | LoadError::Import { text: trace, .. }) => {
                let mut refusal = Self::new(trace.clone(), exception);
                refusal.entry = refusal.entry.with("hint", "script exception");
                refusal
            }
            K6Error::Load(_) | K6Error::NoTest { .. } => Self::new(error.to_string(), other),
        };
        match &error {
            K6Error::NoTest { source, .. } => refusal.reason = source.to_string(),
            K6Error::ScriptOptions { source, .. } => refusal.reason = source.to_string(),
            _ => {}
        }
        refusal
    }
}
