//! What the owner of a queue sets: how fast, how many, how long, and whether at all.

use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::bucket::AdmissionRate;

/// Whether people are let in and may queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueMode {
    /// Tickets are given out and served at the rate, under the cap.
    #[default]
    Auto,
    /// Tickets are given out, nobody is let in.
    Hold,
    /// No new tickets; those given out are served.
    Drain,
    /// Everybody is let in at once; rate and cap do not apply.
    Open,
    /// No new tickets, and nobody is let in. Places are kept.
    Closed,
}

impl QueueMode {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Hold,
        Self::Drain,
        Self::Open,
        Self::Closed,
    ];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Hold => "hold",
            Self::Drain => "drain",
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }

    /// Reads a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// A queue's rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Whether people are let in and may queue.
    pub mode: QueueMode,
    /// Admissions per second; `None` when only the cap limits them.
    pub rate: Option<AdmissionRate>,
    /// Ready and inside together at most; `None` when only the rate limits them.
    pub cap: Option<u64>,
    /// Tickets waiting at most; who comes then gets none.
    pub max_waiting: u64,
    /// How long somebody whose turn it is may take to claim.
    pub claim_within: Duration,
    /// How long a one-time code may be exchanged after the claim.
    pub code_life: Duration,
    /// A session ends after so long without a sign.
    pub idle: Duration,
    /// A session ends this long after its claim, even if it is in use.
    pub absolute: Duration,
    /// A waiter not seen for so long when its turn comes is passed over.
    pub away_after: Duration,
    /// Who was passed over keeps the number for so long.
    pub grace: Duration,
    /// Who did not claim may come back with the number for so long, once; zero for not at all.
    pub rejoin_within: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: QueueMode::Auto,
            rate: None,
            cap: Some(100),
            max_waiting: 1_000_000,
            claim_within: Duration::from_secs(90),
            code_life: Duration::from_secs(60),
            idle: Duration::from_secs(300),
            absolute: Duration::from_secs(3_600),
            away_after: Duration::from_secs(90),
            grace: Duration::from_secs(300),
            rejoin_within: Duration::from_secs(60),
        }
    }
}

/// Why rules were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// A value is out of its range.
    #[error("{field} is {value}; it must be {expected}")]
    OutOfRange {
        /// Its name in the API.
        field: &'static str,
        /// What was set.
        value: String,
        /// What may be set.
        expected: &'static str,
    },
    /// Neither rate nor cap limits admissions.
    #[error("neither rate_per_s nor cap is set, so nothing would be held; use mode open for that")]
    Unlimited,
}

const ONE_DAY: Duration = Duration::from_secs(86_400);

impl Policy {
    /// Checks that the rules can be meant.
    ///
    /// # Errors
    /// The first [`PolicyError`].
    pub fn check(&self) -> Result<(), PolicyError> {
        let times = [
            ("claim_within_s", self.claim_within, 5, ONE_DAY),
            ("code_life_s", self.code_life, 5, ONE_DAY),
            ("idle_s", self.idle, 1, ONE_DAY),
            ("absolute_s", self.absolute, 1, 7 * ONE_DAY),
            ("away_after_s", self.away_after, 10, ONE_DAY),
            ("grace_s", self.grace, 0, ONE_DAY),
            ("rejoin_within_s", self.rejoin_within, 0, ONE_DAY),
        ];
        for (field, length, least_s, most) in times {
            if length < Duration::from_secs(least_s) || length > most {
                return Err(PolicyError::OutOfRange {
                    field,
                    value: format!("{} s", length.as_secs_f64()),
                    expected: match least_s {
                        0 => "0 s to a day",
                        1 => "1 s to a day (absolute_s: a week)",
                        5 => "5 s to a day",
                        _ => "10 s to a day",
                    },
                });
            }
        }
        if self.max_waiting > 50_000_000 {
            return Err(PolicyError::OutOfRange {
                field: "max_waiting",
                value: self.max_waiting.to_string(),
                expected: "at most 50,000,000",
            });
        }
        if self.rate.is_none() && self.cap.is_none() {
            return Err(PolicyError::Unlimited);
        }
        Ok(())
    }
}

/// Where the rate and the cap come from, when a load test measured them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CapacitySource {
    /// The run that measured it.
    pub run: String,
    /// When, in ms since 1970; 0 when the file does not say.
    pub measured_ms: i64,
    /// The line itself, in requests per second, as measured.
    pub line_per_s: f64,
    /// Its interval, when the file has one.
    pub interval: Option<(f64, f64)>,
    /// What it was measured on, as the file says.
    pub environment: String,
    /// The share of the line that is used.
    pub safety: f64,
    /// Requests of one session.
    pub requests_per_session: f64,
}

impl PartialEq for CapacitySource {
    /// Numbers are the same if their bits are: one that is none (NaN), which another hand may have written
    /// into a log, would differ from itself, and be news each time it is set.
    fn eq(&self, other: &Self) -> bool {
        (&self.run, self.measured_ms, &self.environment, self.bits())
            == (
                &other.run,
                other.measured_ms,
                &other.environment,
                other.bits(),
            )
    }
}

impl CapacitySource {
    fn bits(&self) -> (Option<(u64, u64)>, [u64; 3]) {
        let interval = self
            .interval
            .map(|(low, high)| (low.to_bits(), high.to_bits()));
        let numbers = [self.line_per_s, self.safety, self.requests_per_session];
        (interval, numbers.map(f64::to_bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_same_as_itself_whatever_its_numbers_are() {
        let figure = CapacitySource {
            interval: Some((f64::NAN, 1.0)),
            safety: f64::NAN,
            ..CapacitySource::default()
        };
        assert_eq!(figure, figure.clone());
        let other = CapacitySource {
            interval: Some((f64::NAN, 2.0)),
            ..figure.clone()
        };
        assert_ne!(figure, other);
    }
}
