//! Random numbers from a seed: enough for latencies and choices, nothing secret.

use std::sync::atomic::{AtomicU64, Ordering};

/// A stream of numbers that many tasks may draw from.
#[derive(Debug)]
pub(crate) struct Random(AtomicU64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    pub(crate) fn bits(&self) -> u64 {
        let step = 0x9e37_79b9_7f4a_7c15;
        let mut x = self.0.fetch_add(step, Ordering::Relaxed).wrapping_add(step);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
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
