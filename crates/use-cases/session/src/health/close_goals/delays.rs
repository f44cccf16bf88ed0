//! The generator's delays in a second.

use loadline_metrics::Histogram;

use super::stops::FeltStops;

/// Delays of a second are known at these percentiles (0 to 1).
const DELAY_SHARES: [f64; 7] = [0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 1.0];

/// The place of the share by which seconds are put in an order.
const USUAL_PLACE: usize = 3;

/// How often delays of each kind are part of what a goal is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct DelayParts {
    pub(super) starts: f64,
    pub(super) reads: f64,
}

/// All but a share of answers were delayed by no more than this.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DelayBound {
    pub(super) at_most_ms: f64,
    pub(super) longer_share: f64,
}

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
    /// What stops do to its answers.
    pub(super) stops: FeltStops,
}

impl SecondDelays {
    /// The delay of most answers, ms.
    pub(super) fn usual(&self, parts: DelayParts) -> f64 {
        parts.starts * self.starts.at_shares[USUAL_PLACE]
            + parts.reads * self.reads.at_shares[USUAL_PLACE]
    }

    /// Bounds of what an answer was delayed; each of them holds. Starts that are late are not the answers that are read late,
    /// or they are: both are counted.
    pub(super) fn bounds(&self, parts: DelayParts) -> impl Iterator<Item = DelayBound> + '_ {
        let starts = self.starts.bounds(parts.starts);
        starts.flat_map(move |start| {
            self.reads.bounds(parts.reads).map(move |read| DelayBound {
                at_most_ms: start.at_most_ms + read.at_most_ms,
                longer_share: start.longer_share + read.longer_share,
            })
        })
    }

    /// The longer ones of both; stops are those that the later one still feels.
    pub(super) fn or(self, other: &Self) -> Self {
        Self {
            starts: self.starts.or(&other.starts),
            reads: self.reads.or(&other.reads),
            stops: other.stops,
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

    /// The same of one kind, which is so often part of an answer.
    fn bounds(&self, times: f64) -> impl Iterator<Item = DelayBound> + '_ {
        let shares = if times > 0.0 {
            &DELAY_SHARES[..]
        } else {
            &DELAY_SHARES[..1]
        };
        shares
            .iter()
            .zip(&self.at_shares)
            .map(move |(share, ms)| DelayBound {
                at_most_ms: times * ms,
                longer_share: times * (1.0 - share),
            })
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
