//! Exit codes: one table for loadline's own runs and k6's.

use std::process::ExitCode;

/// How a command ended, as the process says it. The numbers are k6's where k6 has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// All went well.
    Success = 0,
    /// The command line was wrong.
    Usage = 2,
    /// Thresholds were crossed.
    ThresholdsCrossed = 99,
    /// Set-up took too long.
    SetupTimeout = 100,
    /// Teardown took too long.
    TeardownTimeout = 101,
    /// A stage of another kind took too long.
    GenericTimeout = 102,
    /// Stopped over the network.
    StoppedRemotely = 103,
    /// The test's configuration is wrong.
    InvalidConfig = 104,
    /// Stopped by a signal.
    Interrupted = 105,
    /// The test's code threw outside an iteration.
    ScriptException = 107,
    /// The test asked to stop.
    Aborted = 108,
    /// A defect of ours.
    Panic = 109,
    /// The test marked itself failed.
    MarkedFailed = 110,
    /// Anything else.
    Failure = 255,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
