//! Why a source of signals gave none, as a code that is stored and turned into words later.

use std::fmt;

/// Why a source did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceError {
    /// Nothing listens there.
    Refused,
    /// No answer in time.
    TimedOut,
    /// Its name has no address.
    NoSuchHost,
    /// It answered with another status than success.
    Status(u16),
    /// This line of its answer is not a metric.
    NotMetrics(usize),
    /// Its answer has no metrics.
    Empty,
    /// Its answer is larger than what is read.
    TooLarge,
    /// Its answer ended too soon, or the connection broke.
    CutOff,
    /// TLS failed.
    Tls,
    /// There is no such process.
    NoProcess,
    /// There is no such file.
    NoFile,
    /// No process that may be looked at listens on the port.
    NoListener,
    /// It may not be looked at.
    NoPermission,
    /// User or password are wrong.
    Login,
    /// There is no such database.
    NoDatabase,
    /// It answered something else than asked for.
    Unexpected,
    /// It sent nothing yet.
    NothingSent,
    /// Another program has the port.
    PortTaken,
    /// It was asked for lines, and answered with numbers.
    NoLines,
    /// It does not reach any of its own targets.
    TargetsDown,
    /// A defect of loadline.
    Defect,
    /// Something else.
    Other(String),
}

/// Codes without arguments.
const PLAIN: [(&str, SourceError); 19] = [
    ("refused", SourceError::Refused),
    ("timed-out", SourceError::TimedOut),
    ("no-such-host", SourceError::NoSuchHost),
    ("empty", SourceError::Empty),
    ("too-large", SourceError::TooLarge),
    ("cut-off", SourceError::CutOff),
    ("tls", SourceError::Tls),
    ("no-process", SourceError::NoProcess),
    ("no-file", SourceError::NoFile),
    ("no-listener", SourceError::NoListener),
    ("no-permission", SourceError::NoPermission),
    ("login", SourceError::Login),
    ("no-database", SourceError::NoDatabase),
    ("unexpected", SourceError::Unexpected),
    ("nothing-sent", SourceError::NothingSent),
    ("port-taken", SourceError::PortTaken),
    ("no-lines", SourceError::NoLines),
    ("targets-down", SourceError::TargetsDown),
    ("defect", SourceError::Defect),
];

impl SourceError {
    /// Its code: `refused`, `status 503`.
    #[must_use]
    pub fn code(&self) -> String {
        self.to_string()
    }

    /// The error of a code. What is no code of this version stays as it is.
    #[must_use]
    pub fn of_code(code: &str) -> Self {
        if let Some((_, error)) = PLAIN.iter().find(|(plain, _)| *plain == code) {
            return error.clone();
        }
        let read = match code.split_once(' ') {
            Some(("status", status)) => status.parse().ok().map(Self::Status),
            Some(("not-metrics", line)) => line.parse().ok().map(Self::NotMetrics),
            Some(("other:", text)) => Some(Self::Other(text.to_owned())),
            _ => None,
        };
        read.unwrap_or_else(|| Self::Other(code.to_owned()))
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "status {status}"),
            Self::NotMetrics(line) => write!(f, "not-metrics {line}"),
            Self::Other(text) => write!(f, "other: {text}"),
            plain => {
                let found = PLAIN.iter().find(|(_, error)| error == plain);
                f.write_str(found.map_or("defect", |(code, _)| code))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_reads_back_as_its_error() {
        let plain = PLAIN.iter().map(|(_, error)| error.clone());
        let others = [
            SourceError::Status(503),
            SourceError::NotMetrics(12),
            SourceError::Other("a b: c".to_owned()),
        ];
        for error in plain.chain(others) {
            assert_eq!(SourceError::of_code(&error.code()), error);
        }
        let unknown = SourceError::Other("later".to_owned());
        assert_eq!(SourceError::of_code("later"), unknown);
    }
}
