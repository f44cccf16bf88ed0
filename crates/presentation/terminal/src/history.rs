//! The last seconds of a run, one value each.

use std::collections::VecDeque;

/// Seconds that are kept: as many as the widest curve shows.
const HISTORY_SECONDS_MAX: usize = 300;

/// The figures of one second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SecondFigures {
    /// Requests.
    pub requests: f64,
    /// Their 95th percentile in ms; `None` without requests.
    pub p95_ms: Option<f64>,
    /// Iterations.
    pub iterations: f64,
    /// Starts that were planned for it; `None` where load is not planned in starts.
    pub planned: Option<f64>,
    /// Of these, those that were dropped.
    pub dropped: f64,
}

/// The last seconds, the newest last.
#[derive(Debug, Clone, Default)]
pub struct LiveHistory {
    seconds: VecDeque<SecondFigures>,
}

impl LiveHistory {
    /// Adds a second.
    pub fn push(&mut self, second: SecondFigures) {
        if self.seconds.len() == HISTORY_SECONDS_MAX {
            self.seconds.pop_front();
        }
        self.seconds.push_back(second);
    }

    /// Requests of the last seconds, at most so many.
    #[must_use]
    pub fn requests(&self, most: usize) -> Vec<Option<f64>> {
        self.last(most)
            .map(|second| Some(second.requests))
            .collect()
    }

    /// p95 in ms of the last seconds, at most so many; `None` for one without requests.
    #[must_use]
    pub fn p95_ms(&self, most: usize) -> Vec<Option<f64>> {
        self.last(most).map(|second| second.p95_ms).collect()
    }

    /// Iterations, planned and dropped starts of the last second.
    pub(crate) fn iterations(&self) -> Option<(f64, Option<f64>, f64)> {
        let last = self.seconds.back()?;
        Some((last.iterations, last.planned, last.dropped))
    }

    fn last(&self, most: usize) -> impl Iterator<Item = &SecondFigures> {
        let skipped = self.seconds.len().saturating_sub(most);
        self.seconds.iter().skip(skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_its_last_seconds_only() {
        let mut history = LiveHistory::default();
        for second in 0..1000 {
            history.push(SecondFigures {
                requests: f64::from(second),
                ..SecondFigures::default()
            });
        }
        assert_eq!(history.requests(2), [Some(998.0), Some(999.0)]);
        assert_eq!(history.requests(usize::MAX).len(), HISTORY_SECONDS_MAX);
    }
}
