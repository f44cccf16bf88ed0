//! Which field of a log was taken for the time of a request and why, or why none was.

/// A field that was taken for the time of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeSource {
    /// Its name, or one of its values where it has none.
    pub field: String,
    /// The unit of its values: `s`, `ms`, `µs`, `ns`.
    pub unit: &'static str,
    /// Why it was taken.
    pub reason: TimeReason,
}

/// Why a field was taken for the time of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeReason {
    /// Its values say their unit.
    Unit,
    /// Its name says that it is one.
    Name,
    /// Its values have the decimals that nginx writes.
    Decimals,
    /// Of several such fields it is the one that holds the others.
    Longest,
    /// It holds the times of servers behind, and there is no other.
    Servers,
    /// The log format that was given says so.
    Format,
    /// The log's own format has it there.
    Layout,
    /// The same; values with a point are in seconds (CloudFront), others in milliseconds (IIS).
    Point,
    /// `--log-fields` says so.
    Given,
}

/// Why a field that may be a time was not taken.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeRefusal {
    /// It is the time of day.
    Clock {
        /// One of its values.
        example: String,
    },
    /// Its unit cannot be told.
    NoUnit {
        /// Its name, or nothing.
        field: String,
        /// One of its values.
        example: String,
    },
    /// It may be a version or a ratio.
    FewDecimals {
        /// One of its values.
        example: String,
    },
    /// Two fields may be the time, and each is the longer one in some lines.
    Disagree {
        /// One of them.
        one: String,
        /// The other one.
        other: String,
    },
    /// Most requests would have taken longer than the log is.
    LongerThanLog {
        /// The field.
        field: String,
        /// Its median, in milliseconds.
        median_ms: f64,
    },
}

/// What was found about the times of requests.
#[derive(Debug, Clone, Default)]
pub(super) struct TimeFindings {
    pub(super) taken: Vec<TimeSource>,
    pub(super) refused: Vec<TimeRefusal>,
}

/// How many different fields are told; files of one log have the same.
const SOURCES_MAX: usize = 8;

impl TimeFindings {
    pub(super) fn take(&mut self, source: &TimeSource) {
        if self.taken.len() < SOURCES_MAX && !self.taken.contains(source) {
            self.taken.push(source.clone());
        }
    }

    pub(super) fn refuse(&mut self, refusal: TimeRefusal) {
        // One line tells of a field, not each of its values.
        let kind = std::mem::discriminant(&refusal);
        let is_told = |known: &TimeRefusal| std::mem::discriminant(known) == kind;
        if !self.refused.iter().any(is_told) {
            self.refused.push(refusal);
        }
    }
}
