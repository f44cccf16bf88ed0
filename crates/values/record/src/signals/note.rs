//! What is to be known of a source's figures before they are believed, as a code that is stored
//! and turned into words later.

use std::fmt;

/// A remark on what a source gave.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", from = "String")]
pub enum SourceNote {
    /// So many processes answer in turn. Each is an instance of its own.
    SeveralProcesses(usize),
    /// So many processes at least answer in turn and nothing tells them apart: no counter of it is used.
    MixedProcesses(usize),
    /// An answer took up to so many milliseconds: it waits in the queue that it measures.
    SlowAnswers(u64),
    /// So many messages were not taken: too large, too slow, or no room for them.
    RefusedMessages(u64),
    /// Signals, by their names, that are means of a minute and came so many seconds after its end.
    MinuteValues {
        /// How late, s.
        late: u64,
        /// `database-cpu-share, sessions`.
        signals: String,
    },
    /// So many traces were fetched, which are the most that are.
    AllTraces(usize),
    /// Statements are told by the database's numbers of them alone, without their text.
    UnnamedStatements,
    /// This metric looks like one that matters and is not used.
    UnusedMetric(String, UnusedReason),
    /// A remark that this version does not know.
    Other(String),
}

/// Why a metric is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnusedReason {
    /// No rule names it.
    UnknownName,
    /// A rule names it, and not with these labels.
    UnknownLabels,
    /// Its value stands for "unknown" or "none": negative, or not a number.
    NoValue,
    /// It has no bound, so nothing can use it up.
    Unbounded,
    /// It is of a pool that does not tell how many of it are in use.
    NoUse,
    /// It is a mean of a minute past, and nothing tells which.
    NoTime,
}

/// The reasons by their codes.
const REASONS: [(&str, UnusedReason); 6] = [
    ("name", UnusedReason::UnknownName),
    ("labels", UnusedReason::UnknownLabels),
    ("no-value", UnusedReason::NoValue),
    ("unbounded", UnusedReason::Unbounded),
    ("no-use", UnusedReason::NoUse),
    ("no-time", UnusedReason::NoTime),
];

const MIXED: &str = "mixed-processes";
const UNNAMED: &str = "unnamed-statements";
/// Fewer are not several; older records say no number.
const SEVERAL_MIN: usize = 2;

impl UnusedReason {
    fn code(self) -> &'static str {
        let found = REASONS.iter().find(|(_, reason)| *reason == self);
        found.map_or("name", |(code, _)| code)
    }

    fn of_code(code: &str) -> Option<Self> {
        let found = REASONS.iter().find(|(known, _)| *known == code);
        found.map(|(_, reason)| *reason)
    }
}

impl fmt::Display for SourceNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SeveralProcesses(number) => write!(f, "several-processes {number}"),
            Self::MixedProcesses(number) => write!(f, "{MIXED} {number}"),
            Self::SlowAnswers(millis) => write!(f, "slow-answers {millis}"),
            Self::RefusedMessages(number) => write!(f, "refused-messages {number}"),
            Self::MinuteValues { late, signals } => write!(f, "minute-values {late} {signals}"),
            Self::AllTraces(number) => write!(f, "all-traces {number}"),
            Self::UnnamedStatements => f.write_str(UNNAMED),
            Self::UnusedMetric(metric, reason) => {
                write!(f, "unused-metric {} {metric}", reason.code())
            }
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl From<SourceNote> for String {
    fn from(note: SourceNote) -> Self {
        note.to_string()
    }
}

impl From<String> for SourceNote {
    fn from(code: String) -> Self {
        let read = match code.split_once(' ') {
            None if code == UNNAMED => Some(Self::UnnamedStatements),
            Some(("minute-values", rest)) => rest.split_once(' ').and_then(|(late, signals)| {
                Some(Self::MinuteValues {
                    late: late.parse().ok()?,
                    signals: signals.to_owned(),
                })
            }),
            None if code == MIXED => Some(Self::MixedProcesses(SEVERAL_MIN)),
            Some((MIXED, number)) => number.parse().ok().map(Self::MixedProcesses),
            Some(("several-processes", number)) => number.parse().ok().map(Self::SeveralProcesses),
            Some(("refused-messages", number)) => number.parse().ok().map(Self::RefusedMessages),
            Some(("all-traces", number)) => number.parse().ok().map(Self::AllTraces),
            Some(("slow-answers", millis)) => millis.parse().ok().map(Self::SlowAnswers),
            Some(("unused-metric", rest)) => rest.split_once(' ').and_then(|(reason, metric)| {
                let reason = UnusedReason::of_code(reason)?;
                Some(Self::UnusedMetric(metric.to_owned(), reason))
            }),
            _ => None,
        };
        read.unwrap_or(Self::Other(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_reads_back_as_its_note() {
        let unused = |(_, reason)| SourceNote::UnusedMetric("pg_pool_size".to_owned(), reason);
        let notes = [
            SourceNote::SeveralProcesses(2),
            SourceNote::MixedProcesses(5),
            SourceNote::SlowAnswers(1500),
            SourceNote::UnnamedStatements,
            SourceNote::AllTraces(2000),
            SourceNote::MinuteValues {
                late: 130,
                signals: "database-cpu-share, sessions".to_owned(),
            },
            SourceNote::Other("later 7".to_owned()),
        ];
        for note in notes.into_iter().chain(REASONS.map(unused)) {
            assert_eq!(SourceNote::from(note.to_string()), note);
        }
        let of_older = SourceNote::from("mixed-processes".to_owned());
        assert_eq!(of_older, SourceNote::MixedProcesses(2));
    }
}
