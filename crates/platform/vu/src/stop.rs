//! Why a run stops before its plan ends.

use loadline_units::VuId;
use std::any::Any;

/// Why a run stops early. The first cause wins and is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopCause {
    /// A person stopped it (SIGINT, SIGTERM, a key).
    Signal,
    /// The test aborted itself: `test.abort`.
    Aborted {
        /// The reason it gave.
        message: String,
    },
    /// Thresholds that abort were crossed.
    ThresholdsCrossed {
        /// The metrics they are defined on.
        metrics: Vec<String>,
    },
    /// Stopped through the REST API.
    Remote,
    /// A fault that the run cannot continue after.
    Failed(Fault),
}

/// A failure of the whole run, not of one request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// Whose fault it is.
    pub class: FaultClass,
    /// What happened, in the words of the script language or system.
    pub message: String,
}

/// Whose fault a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultClass {
    /// The test's own code threw or does not compile.
    Script,
    /// The test's own code threw, or ended the test, while this user was made.
    Initialising {
        /// The user.
        user: VuId,
        /// It ended the test.
        aborted: bool,
    },
    /// Data from the test's own code cannot be used.
    Data,
    /// A stage took longer than it may.
    StageTimeout,
    /// The generator ran out of something, or has a defect.
    Generator,
    /// A thread of loadline panicked.
    Panic,
}

impl Fault {
    /// A failure of the test's own code.
    pub fn script(message: impl Into<String>) -> Self {
        Self {
            class: FaultClass::Script,
            message: message.into(),
        }
    }

    /// Data from the test that cannot be used.
    pub fn data(message: impl Into<String>) -> Self {
        Self {
            class: FaultClass::Data,
            message: message.into(),
        }
    }

    /// A defect of loadline: a panic with `payload`.
    #[must_use]
    pub fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        Self {
            class: FaultClass::Panic,
            message: text.unwrap_or_else(|| "a panic without a message".to_owned()),
        }
    }

    /// A failure of the generator.
    pub fn generator(message: impl Into<String>) -> Self {
        Self {
            class: FaultClass::Generator,
            message: message.into(),
        }
    }
}
