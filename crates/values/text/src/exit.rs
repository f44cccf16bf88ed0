//! How a program's end is told to the one that started it: a table per dialect.
//!
//! The dialect is that of the test: k6 scripts end with k6's codes, Artillery files with
//! Artillery's, URL runs with our own.

/// Whose exit codes are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Ours, for URL runs and all other commands.
    Loadline,
    /// k6's, for its scripts.
    K6,
    /// Artillery's, for its files.
    Artillery,
}

/// How a run ended, as far as exit codes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// All went well.
    Success,
    /// A threshold failed.
    ThresholdsFailed,
    /// Set-up took too long.
    SetupTimeout,
    /// Teardown took too long.
    TeardownTimeout,
    /// Something else took too long.
    Timeout,
    /// Stopped over the REST interface.
    StoppedByApi,
    /// What was typed or written cannot be run.
    InvalidConfig,
    /// Stopped by a signal or key.
    Interrupted,
    /// The REST interface could not start.
    ApiUnavailable,
    /// The script threw outside an iteration.
    ScriptException,
    /// The script ended the run.
    AbortedByTest,
    /// This program has a defect.
    Panic,
    /// The script declared the run failed.
    MarkedFailed,
    /// The generator was the bottleneck.
    GeneratorLimited,
    /// Load or answers fell short, and the run was to fail then.
    FellShort,
    /// The generator was the bottleneck, and the run was to fail then.
    NotValid,
    /// No request was answered.
    NoAnswer,
    /// The target did not come back after a level that was too much.
    NotRecovered,
    /// A comparison was to fail on a regression, and one can be neither seen nor ruled out.
    CannotJudge,
    /// Anything else, such as a missing file.
    Other,
}

impl Exit {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::Success,
        Self::ThresholdsFailed,
        Self::SetupTimeout,
        Self::TeardownTimeout,
        Self::Timeout,
        Self::StoppedByApi,
        Self::InvalidConfig,
        Self::Interrupted,
        Self::ApiUnavailable,
        Self::ScriptException,
        Self::AbortedByTest,
        Self::Panic,
        Self::MarkedFailed,
        Self::GeneratorLimited,
        Self::FellShort,
        Self::NotValid,
        Self::NoAnswer,
        Self::NotRecovered,
        Self::CannotJudge,
        Self::Other,
    ];

    /// The code in a dialect.
    #[must_use]
    pub const fn code(self, dialect: Dialect) -> u8 {
        match dialect {
            Dialect::Loadline => self.loadline(),
            Dialect::K6 => self.k6(),
            Dialect::Artillery => self.artillery(),
        }
    }

    /// 2 is what shells and most programs use for wrong usage, 130 for an interrupt.
    const fn loadline(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::InvalidConfig => 2,
            Self::ThresholdsFailed | Self::FellShort => 3,
            Self::GeneratorLimited | Self::NotValid => 4,
            Self::NoAnswer => 5,
            Self::NotRecovered => 6,
            Self::CannotJudge => 7,
            Self::Interrupted | Self::StoppedByApi => 130,
            Self::Panic => 109,
            Self::SetupTimeout
            | Self::TeardownTimeout
            | Self::Timeout
            | Self::ApiUnavailable
            | Self::ScriptException
            | Self::AbortedByTest
            | Self::MarkedFailed
            | Self::Other => 1,
        }
    }

    /// k6 v1.8's; it knows nothing of its own limits or of a silent target. What `--fail-on`
    /// asks for has our own codes, which k6 does not use.
    const fn k6(self) -> u8 {
        match self {
            Self::Success | Self::GeneratorLimited | Self::NoAnswer | Self::NotRecovered => 0,
            Self::CannotJudge => 7,
            Self::FellShort => 3,
            Self::NotValid => 4,
            Self::ThresholdsFailed => 99,
            Self::SetupTimeout => 100,
            Self::TeardownTimeout => 101,
            Self::Timeout => 102,
            Self::StoppedByApi => 103,
            Self::InvalidConfig => 104,
            Self::Interrupted => 105,
            Self::ApiUnavailable => 106,
            Self::ScriptException => 107,
            Self::AbortedByTest => 108,
            Self::Panic => 109,
            Self::MarkedFailed => 110,
            Self::Other => 255,
        }
    }

    /// Artillery's; 21 (an expectation failed) is what marks a run as failed there.
    const fn artillery(self) -> u8 {
        match self {
            Self::Success | Self::GeneratorLimited | Self::NoAnswer | Self::NotRecovered => 0,
            Self::CannotJudge => 7,
            Self::MarkedFailed => 21,
            Self::FellShort => 3,
            Self::NotValid => 4,
            Self::Interrupted | Self::StoppedByApi => 130,
            Self::ThresholdsFailed
            | Self::SetupTimeout
            | Self::TeardownTimeout
            | Self::Timeout
            | Self::InvalidConfig
            | Self::ApiUnavailable
            | Self::ScriptException
            | Self::AbortedByTest
            | Self::Panic
            | Self::Other => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_success_is_zero_for_url_runs() {
        for exit in Exit::ALL {
            let code = exit.code(Dialect::Loadline);
            assert_eq!(code == 0, exit == Exit::Success, "{exit:?}");
        }
    }

    #[test]
    fn k6_codes_are_those_of_k6() {
        let codes: Vec<u8> = Exit::ALL.iter().map(|e| e.code(Dialect::K6)).collect();
        let k6 = [
            0, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 0, 3, 4, 0, 0, 7, 255,
        ];
        assert_eq!(codes, k6);
    }

    #[test]
    fn artillery_codes_are_those_of_artillery() {
        assert_eq!(Exit::ThresholdsFailed.code(Dialect::Artillery), 1);
        assert_eq!(Exit::MarkedFailed.code(Dialect::Artillery), 21);
        assert_eq!(Exit::Interrupted.code(Dialect::Artillery), 130);
    }
}
