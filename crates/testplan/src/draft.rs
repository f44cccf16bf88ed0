//! A test as it was written, before anyone looked for mistakes.
//!
//! Numbers may be missing, negative or too large. Defaults are filled in by
//! [`crate::Plan::check`], so that a reader of files need not know them.

use std::time::Duration;

use loadline_metrics::threshold;
use loadline_units::{DurationError, parse_duration};

/// A length of time that may be negative, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct SignedDuration(pub i64);

impl SignedDuration {
    /// Reads what [`parse_duration`] reads, with a sign.
    ///
    /// # Errors
    /// [`DurationError`] with the text as written.
    pub fn parse(text: &str) -> Result<Self, DurationError> {
        let (sign, length) = match text.trim().strip_prefix('-') {
            Some(rest) => (-1, parse_duration(rest)?),
            None => (1, parse_duration(text)?),
        };
        let nanos = i64::try_from(length.as_nanos()).map_err(|_| DurationError::TooLong {
            found: text.to_owned(),
        })?;
        Ok(Self(sign * nanos))
    }

    /// The length, unless it is negative.
    #[must_use]
    pub fn length(self) -> Option<Duration> {
        u64::try_from(self.0).ok().map(Duration::from_nanos)
    }
}

impl From<Duration> for SignedDuration {
    fn from(length: Duration) -> Self {
        Self(i64::try_from(length.as_nanos()).unwrap_or(i64::MAX))
    }
}

/// A test as written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanDraft {
    /// Its scenarios, in any order.
    pub scenarios: Vec<ScenarioDraft>,
    /// Its thresholds.
    pub thresholds: Vec<threshold::Source>,
    /// Tags of all samples.
    pub tags: Vec<(String, String)>,
    /// How long set-up may take.
    pub setup_timeout: Option<SignedDuration>,
    /// How long teardown may take.
    pub teardown_timeout: Option<SignedDuration>,
    /// The least time from one iteration's start to the same user's next.
    pub min_iteration_duration: Option<SignedDuration>,
    /// The most requests per second over all users.
    pub max_requests_per_second: Option<i64>,
}

/// A scenario as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioDraft {
    /// Its name.
    pub name: String,
    /// How it makes load.
    pub executor: ExecutorDraft,
    /// When it starts, from the start of the test.
    pub start_time: Option<SignedDuration>,
    /// How long running iterations may go on after its end.
    pub graceful_stop: Option<SignedDuration>,
    /// The function it runs.
    pub exec: Option<String>,
    /// Environment variables its function sees.
    pub env: Vec<(String, String)>,
    /// Tags of its samples.
    pub tags: Vec<(String, String)>,
    /// Whether a planned start waits for a user when none is free, instead of being dropped.
    pub starts_wait: bool,
}

impl ScenarioDraft {
    /// A scenario of which only name and executor are written.
    #[must_use]
    pub fn new(name: impl Into<String>, executor: ExecutorDraft) -> Self {
        Self {
            name: name.into(),
            executor,
            start_time: None,
            graceful_stop: None,
            exec: None,
            env: Vec::new(),
            tags: Vec::new(),
            starts_wait: false,
        }
    }
}

/// A stage as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageDraft {
    /// How long it takes.
    pub duration: Option<SignedDuration>,
    /// Where it leads.
    pub target: Option<i64>,
}

/// An executor as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExecutorDraft {
    /// A fixed number of users loops for a time.
    ConstantVus {
        /// Users; 1 unless written.
        vus: Option<i64>,
        /// How long.
        duration: Option<SignedDuration>,
    },
    /// A number of users that follows stages loops.
    RampingVus {
        /// Users at the start; 1 unless written.
        start_vus: Option<i64>,
        /// The stages.
        stages: Vec<StageDraft>,
        /// How long a user may take to stop on the way down; 30 s unless written.
        graceful_ramp_down: Option<SignedDuration>,
    },
    /// Users share a number of iterations.
    SharedIterations {
        /// Users; 1 unless written.
        vus: Option<i64>,
        /// Iterations of all users together; 1 unless written.
        iterations: Option<i64>,
        /// How long at most; 10 min unless written.
        max_duration: Option<SignedDuration>,
    },
    /// Each user runs a number of iterations.
    PerVuIterations {
        /// Users; 1 unless written.
        vus: Option<i64>,
        /// Iterations of each user; 1 unless written.
        iterations: Option<i64>,
        /// How long at most; 10 min unless written.
        max_duration: Option<SignedDuration>,
    },
    /// Iterations start at a fixed rate.
    ConstantArrivalRate {
        /// Iterations per time unit.
        rate: Option<i64>,
        /// The time unit; 1 s unless written.
        time_unit: Option<SignedDuration>,
        /// How long.
        duration: Option<SignedDuration>,
        /// Users ready at the start.
        pre_allocated_vus: Option<i64>,
        /// Users at most; as many as are ready unless written.
        max_vus: Option<i64>,
    },
    /// Iterations start at a rate that follows stages.
    RampingArrivalRate {
        /// Iterations per time unit at the start; 0 unless written.
        start_rate: Option<i64>,
        /// The time unit; 1 s unless written.
        time_unit: Option<SignedDuration>,
        /// The stages.
        stages: Vec<StageDraft>,
        /// Users ready at the start.
        pre_allocated_vus: Option<i64>,
        /// Users at most; as many as are ready unless written.
        max_vus: Option<i64>,
    },
    /// Users arrive phase by phase; each runs one iteration and is made when it is needed.
    PhasedArrivals {
        /// The phases, one after the other.
        phases: Vec<PhaseDraft>,
    },
}

/// A phase as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseDraft {
    /// How long it takes.
    pub length: Duration,
    /// When users arrive in it.
    pub shape: PhaseShape,
    /// Users at once at most; a start beyond is dropped.
    pub most: Option<u64>,
}

/// When users arrive in a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhaseShape {
    /// Never.
    Pause,
    /// At a rate of so many per this time; the first after one interval, the last at the
    /// end.
    Rate {
        /// So many
        events: u64,
        /// per this time.
        per: Duration,
    },
    /// At a rate that changes evenly.
    Ramp {
        /// So many at the beginning
        from: u64,
        /// and so many at the end
        to: u64,
        /// per this time.
        per: Duration,
    },
    /// At these times, ascending, from the phase's beginning.
    At(Vec<Duration>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_keep_their_sign() {
        assert_eq!(
            SignedDuration::parse("-1.5s"),
            Ok(SignedDuration(-1_500_000_000))
        );
        assert_eq!(
            SignedDuration::parse("250"),
            Ok(SignedDuration(250_000_000))
        );
        assert!(SignedDuration::parse("--1s").is_err());
        assert_eq!(SignedDuration(-1).length(), None);
        assert_eq!(SignedDuration(5).length(), Some(Duration::from_nanos(5)));
    }
}
