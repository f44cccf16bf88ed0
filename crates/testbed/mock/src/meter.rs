//! Measures the delay that the mock itself adds: from the time an answer was due to its first
//! byte.
//!
//! The connection records when each answer was due; the next bytes that are written end the
//! measurement. Counts are atomics in buckets whose width is at most 3 % of their value.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Buckets per power of two.
const PER_OCTAVE: u64 = 32;
/// Values are microseconds below 2^40.
const BUCKET_COUNT: usize = 37 * 32;

/// A distribution of times that many tasks may record into.
#[derive(Debug)]
pub(crate) struct Meter {
    counts: Vec<AtomicU64>,
    max: AtomicU64,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            counts: (0..BUCKET_COUNT).map(|_| AtomicU64::new(0)).collect(),
            max: AtomicU64::new(0),
        }
    }
}

fn bucket(micros: u64) -> usize {
    let index = if micros < PER_OCTAVE {
        micros
    } else {
        let octave = u64::from(micros.ilog2()) - 5;
        (octave + 1) * PER_OCTAVE + (micros >> octave) - PER_OCTAVE
    };
    usize::try_from(index)
        .unwrap_or(BUCKET_COUNT)
        .min(BUCKET_COUNT - 1)
}

/// The middle of a bucket, microseconds.
fn middle(index: usize) -> f64 {
    let index = index as f64;
    let per = PER_OCTAVE as f64;
    if index < per {
        return index + 0.5;
    }
    let octave = (index / per).floor() - 1.0;
    (index % per + per + 0.5) * octave.exp2()
}

impl Meter {
    pub(crate) fn record(&self, length: Duration) {
        let micros = u64::try_from(length.as_micros()).unwrap_or(u64::MAX);
        self.counts[bucket(micros)].fetch_add(1, Ordering::Relaxed);
        self.max.fetch_max(micros, Ordering::Relaxed);
    }

    /// Milliseconds at each share, and the maximum; `None` if nothing was recorded.
    pub(crate) fn percentiles(&self, shares: [f64; 2]) -> Option<([f64; 2], f64)> {
        let counts: Vec<u64> = self
            .counts
            .iter()
            .map(|c| c.load(Ordering::Relaxed))
            .collect();
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let max = self.max.load(Ordering::Relaxed) as f64 / 1000.0;
        let at = |share: f64| {
            let mut seen = 0;
            let found = counts.iter().position(|count| {
                seen += count;
                seen as f64 >= share * all as f64
            });
            (middle(found.unwrap_or(0)) / 1000.0).min(max)
        };
        Some((shares.map(at), max))
    }

    pub(crate) fn reset(&self) {
        for count in &self.counts {
            count.store(0, Ordering::Relaxed);
        }
        self.max.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_within_three_percent() {
        let meter = Meter::default();
        for micros in 1..=100_000 {
            meter.record(Duration::from_micros(micros));
        }
        let ([p50, p99], max) = meter.percentiles([0.5, 0.99]).unwrap();
        assert!((p50 / 50.0 - 1.0).abs() < 0.03, "{p50}");
        assert!((p99 / 99.0 - 1.0).abs() < 0.03, "{p99}");
        assert!((max - 100.0).abs() < 1e-9);
        meter.reset();
        assert_eq!(meter.percentiles([0.5, 0.99]), None);
    }

    #[test]
    fn buckets_rise_with_their_values() {
        let mut last = 0;
        for micros in 0..1_000_000 {
            let index = bucket(micros);
            assert!(index == last || index == last + 1, "{micros}");
            last = index;
        }
    }
}
