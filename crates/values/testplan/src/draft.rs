//! A test as written, before validation.
//!
//! Numbers may be missing, negative or too large. [`crate::Plan::check`] adds the defaults, so a
//! reader of files need not know them.

use std::time::Duration;

use loadline_metrics::threshold;
use loadline_units::{DurationError, parse_duration};

/// A duration that may be negative, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct SignedDuration(pub i64);

impl SignedDuration {
    /// Parses what [`parse_duration`] parses, with a sign.
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

    /// The duration, unless it is negative.
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
    pub thresholds: Vec<threshold::ThresholdSource>,
    /// Tags of all samples.
    pub tags: Vec<(String, String)>,
    /// How long set-up may take.
    pub setup_timeout: Option<SignedDuration>,
    /// How long teardown may take.
    pub teardown_timeout: Option<SignedDuration>,
    /// The shortest time from the start of an iteration to the start of the same user's next one.
    pub min_iteration_duration: Option<SignedDuration>,
    /// The limit of requests per second of all users together.
    pub max_requests_per_second: Option<i64>,
}

/// A scenario as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioDraft {
    /// Its name.
    pub name: String,
    /// Its executor.
    pub executor: ExecutorDraft,
    /// When it starts, from the start of the test.
    pub start_time: Option<SignedDuration>,
    /// How long running iterations may continue after its end.
    pub graceful_stop: Option<SignedDuration>,
    /// The function it runs.
    pub exec: Option<String>,
    /// Environment variables of its function.
    pub env: Vec<(String, String)>,
    /// Tags of its samples.
    pub tags: Vec<(String, String)>,
    /// Whether a planned start waits for a user when none is free, instead of being dropped.
    pub starts_wait: bool,
}

impl ScenarioDraft {
    /// A scenario with only a name and an executor.
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
    /// Its length.
    pub duration: Option<SignedDuration>,
    /// Its target: users or a rate.
    pub target: Option<i64>,
}

/// An executor as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExecutorDraft {
    /// A fixed number of looping users.
    ConstantVus {
        /// Users; 1 by default.
        vus: Option<i64>,
        /// Its length.
        duration: Option<SignedDuration>,
    },
    /// A number of looping users that follows stages.
    RampingVus {
        /// Users at the start; 1 by default.
        start_vus: Option<i64>,
        /// The stages.
        stages: Vec<StageDraft>,
        /// How long a user may take to stop on the way down; 30 s by default.
        graceful_ramp_down: Option<SignedDuration>,
    },
    /// Users share a number of iterations.
    SharedIterations {
        /// Users; 1 by default.
        vus: Option<i64>,
        /// Iterations of all users together; 1 by default.
        iterations: Option<i64>,
        /// The longest time; 10 min by default.
        max_duration: Option<SignedDuration>,
    },
    /// Each user runs a number of iterations.
    PerVuIterations {
        /// Users; 1 by default.
        vus: Option<i64>,
        /// Iterations of each user; 1 by default.
        iterations: Option<i64>,
        /// The longest time; 10 min by default.
        max_duration: Option<SignedDuration>,
    },
    /// Iterations start at a fixed rate.
    ConstantArrivalRate {
        /// Iterations per time unit.
        rate: Option<i64>,
        /// The time unit; 1 s by default.
        time_unit: Option<SignedDuration>,
        /// Its length.
        duration: Option<SignedDuration>,
        /// Users made before the start.
        pre_allocated_vus: Option<i64>,
        /// The limit of users; `pre_allocated_vus` by default.
        max_vus: Option<i64>,
    },
    /// Iterations start at a rate that follows stages.
    RampingArrivalRate {
        /// Iterations per time unit at the start; 0 by default.
        start_rate: Option<i64>,
        /// The time unit; 1 s by default.
        time_unit: Option<SignedDuration>,
        /// The stages.
        stages: Vec<StageDraft>,
        /// Users made before the start.
        pre_allocated_vus: Option<i64>,
        /// The limit of users; `pre_allocated_vus` by default.
        max_vus: Option<i64>,
    },
    /// Users arrive in phases. Each runs one iteration and is made when it is needed.
    PhasedArrivals {
        /// The phases, one after the other.
        phases: Vec<PhaseDraft>,
    },
}

/// A phase as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseDraft {
    /// Its length.
    pub length: Duration,
    /// When users arrive in it.
    pub shape: PhaseShape,
    /// The limit of simultaneous users; further starts are dropped.
    pub most: Option<u64>,
}

/// When users arrive in a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhaseShape {
    /// Never.
    Pause,
    /// At `events` per `per`. The first arrives after one interval, the last at the end.
    Rate {
        /// Number of users.
        events: u64,
        /// The time unit.
        per: Duration,
    },
    /// At a rate that changes linearly.
    Ramp {
        /// Users per `per` at the beginning.
        from: u64,
        /// Users per `per` at the end.
        to: u64,
        /// The time unit.
        per: Duration,
    },
    /// At these times from the phase's beginning, ascending.
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
