//! The generator's delays in a second.

use loadline_metrics::Histogram;

/// Delays of a second are known at these percentiles (0 to 1).
pub(super) const DELAY_SHARES: [f64; 7] = [0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 1.0];

/// Delays of one kind, ms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DelayTimes {
    /// At [`DELAY_SHARES`].
    pub(super) at_shares: [f64; DELAY_SHARES.len()],
    pub(super) mean: f64,
}

/// The generator's delays in a second, and in those before in which its requests began.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SecondDelays {
    pub(super) starts: DelayTimes,
    pub(super) reads: DelayTimes,
    /// How much later its answers may be for stops, ms.
    pub(super) stopped_ms: f64,
}

impl SecondDelays {
    /// The longer ones of both; stops are those that the later one still feels.
    pub(super) fn or(self, other: &Self) -> Self {
        Self {
            starts: self.starts.or(&other.starts),
            reads: self.reads.or(&other.reads),
            stopped_ms: other.stopped_ms,
        }
    }
}

impl DelayTimes {
    pub(super) fn or(self, other: &Self) -> Self {
        let longer = |place: usize| self.at_shares[place].max(other.at_shares[place]);
        Self {
            at_shares: std::array::from_fn(longer),
            mean: self.mean.max(other.mean),
        }
    }

    pub(super) fn longest(&self) -> f64 {
        self.at_shares[DELAY_SHARES.len() - 1]
    }

    /// Whether there were none to be measured.
    pub(super) fn is_empty(&self) -> bool {
        self.at_shares.iter().all(|ms| *ms <= 0.0)
    }
}

impl From<&Histogram> for DelayTimes {
    fn from(delays: &Histogram) -> Self {
        let found = delays.percentiles(&DELAY_SHARES).unwrap_or_default();
        let at = |place: usize| found.get(place).copied().unwrap_or(0.0).max(0.0);
        Self {
            at_shares: std::array::from_fn(at),
            mean: delays.mean().unwrap_or(0.0).max(0.0),
        }
    }
}
