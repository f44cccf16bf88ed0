//! Why a run ended before its plan did.

use loadline_units::VuId;
use std::any::Any;

/// Why a run stops early. The first cause wins and is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopCause {
    /// The person asked (SIGINT, SIGTERM, a key).
    Signal,
    /// The test asked: `test.abort`.
    Aborted {
        /// The reason it gave.
        message: String,
    },
    /// Thresholds that abort were crossed.
    ThresholdsCrossed {
        /// The metrics they stand on.
        metrics: Vec<String>,
    },
    /// Asked for over the network.
    Remote,
    /// Something the run cannot do without failed.
    Failed(Fault),
}

/// A failure that is not one request's but the run's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// Whose it is.
    pub class: FaultClass,
    /// What happened, in the words of the language or system it comes from.
    pub message: String,
}

/// Whose failure it is.
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
    /// What the test's own code gave cannot be used.
    Data,
    /// A stage took longer than it may.
    StageTimeout,
    /// The generator ran out of something, or has a defect.
    Generator,
    /// A thread of ours panicked.
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

    /// Data of the test's that is of no use.
    pub fn data(message: impl Into<String>) -> Self {
        Self {
            class: FaultClass::Data,
            message: message.into(),
        }
    }

    /// A defect of ours that showed as a panic, raised with `payload`.
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
