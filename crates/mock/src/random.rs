//! Random numbers from a seed: enough for latencies and choices, nothing secret.

use std::sync::atomic::{AtomicU64, Ordering};

use loadline_units::random_bits;

/// A stream of numbers that many tasks may draw from.
#[derive(Debug)]
pub(crate) struct Random {
    seed: u64,
    drawn: AtomicU64,
}

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self {
            seed,
            drawn: AtomicU64::new(0),
        }
    }

    pub(crate) fn bits(&self) -> u64 {
        random_bits(self.seed, self.drawn.fetch_add(1, Ordering::Relaxed))
    }

    /// From 0 up to but not including 1.
    pub(crate) fn unit(&self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normal with mean 0 and deviation 1 (Box-Muller).
    pub(crate) fn normal(&self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}
