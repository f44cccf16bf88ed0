//! Sums that do not depend on the order of their terms.
//!
//! Workers are merged in any order, and the total must not show it. The rounding error
//! of each addition is kept in a second float (Knuth's two-sum), so a sum is right to
//! the last digit shown.

/// A running sum.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// Adds one finite term.
    #[inline]
    pub fn add(&mut self, term: f64) {
        let sum = self.high + term;
        let rounded = sum - self.high;
        self.low += (self.high - (sum - rounded)) + (term - rounded);
        self.high = sum;
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: Self) {
        self.add(other.high);
        self.low += other.low;
    }

    /// What is left without a part of the terms.
    #[must_use]
    pub fn without(mut self, part: Self) -> Self {
        self.merge(Self::from_parts(-part.high, -part.low));
        self
    }

    /// The sum; infinite once it left the range of f64.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.high.is_finite() {
            self.high + self.low
        } else {
            self.high
        }
    }

    /// The two floats the sum is kept in, for storage.
    #[must_use]
    pub fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }

    /// The inverse of [`Sum::parts`].
    #[must_use]
    pub const fn from_parts(high: f64, low: f64) -> Self {
        Self { high, low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_tenths_are_a_hundred_thousand() {
        // Miri is a thousand times slower.
        let tens = if cfg!(miri) { 1_000_u32 } else { 100_000 };
        let mut sum = Sum::default();
        for _ in 0..10 * tens {
            sum.add(0.1);
        }
        assert_eq!(sum.value().to_bits(), f64::from(tens).to_bits());
    }

    #[test]
    fn overflow_is_infinite_not_nan() {
        let mut sum = Sum::default();
        sum.add(f64::MAX);
        sum.add(f64::MAX);
        assert!(sum.value().is_infinite());
    }
}
