//! How much runs vary, drawn from all endpoints together (Smyth 2004).

use super::{Measure, values};

/// Variances of all endpoints count as much as so many runs of its own.
const PRIOR_FREEDOM: f64 = 6.0;

/// How much runs vary in the middle of all endpoints, by measure of times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prior {
    pub(super) measure: Measure,
    pub(super) variance_of_run: f64,
}

impl Prior {
    /// The variance and degrees of freedom of a difference, with what other endpoints tell of it.
    pub(super) fn moderated(&self, own: [values::Spread; 2], freedom: f64) -> (f64, f64) {
        let [a, b] = own;
        let variance = a.variance_of_mean + b.variance_of_mean;
        let of_all = self.variance_of_run * (1.0 / a.count + 1.0 / b.count);
        let drawn = (PRIOR_FREEDOM * of_all + freedom * variance) / (PRIOR_FREEDOM + freedom);
        (drawn.max(variance), freedom + PRIOR_FREEDOM)
    }

    pub(super) fn find(all: &[Self], measure: Measure) -> Option<&Self> {
        all.iter().find(|one| one.measure == measure)
    }
}
