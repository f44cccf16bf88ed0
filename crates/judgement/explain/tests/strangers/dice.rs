//! What a case draws by chance, the same for the same seed.

use loadline_units::Random;

/// Draws of one case.
pub(crate) struct Dice(Random);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// From `low` up to `high`.
    pub(crate) fn between(&self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.unit()
    }

    /// The same where small ones are as likely as large ones.
    pub(crate) fn scale(&self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// A whole number, both ends included.
    pub(crate) fn whole(&self, low: usize, high: usize) -> usize {
        low + self.0.below(high - low + 1)
    }

    pub(crate) fn chance(&self, share: f64) -> bool {
        self.0.unit() < share
    }

    pub(crate) fn pick<T: Copy>(&self, from: &[T]) -> T {
        from[self.0.below(from.len())]
    }

    pub(crate) fn seed(&self) -> u64 {
        self.0.next()
    }
}
