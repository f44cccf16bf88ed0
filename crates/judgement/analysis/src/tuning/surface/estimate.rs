//! What is believed of settings.

use loadline_units::random::Random;

use super::super::linear::Factor;

/// Surfaces that are drawn.
const SURFACES_DRAWN: usize = 128;
/// What is added to variances for the rounding of their sums.
const ROUNDING_VARIANCE: f64 = 1e-7;

/// Means and covariances of settings' values.
#[derive(Debug, Clone)]
pub struct SettingEstimate {
    means: Vec<f64>,
    covariances: Vec<Vec<f64>>,
    noise: f64,
}

impl SettingEstimate {
    pub(super) const fn new(means: Vec<f64>, covariances: Vec<Vec<f64>>, noise: f64) -> Self {
        Self {
            means,
            covariances,
            noise,
        }
    }

    /// The value of each setting.
    #[must_use]
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The variance of a setting's value.
    #[must_use]
    pub fn variance(&self, at: usize) -> f64 {
        self.covariances[at][at]
    }

    /// Takes that a setting is to be tried, whatever that comes to.
    pub fn tried(&mut self, at: usize) {
        let row = self.covariances[at].clone();
        let variance = row[at].max(0.0) + self.noise;
        for (with, covariances) in row.iter().zip(&mut self.covariances) {
            let by = with / variance;
            for (cell, other) in covariances.iter_mut().zip(&row) {
                *cell -= by * other;
            }
        }
    }

    /// Surfaces that are drawn as they are likely.
    #[must_use]
    pub fn drawn(&self, count: usize, random: &Random) -> Vec<Vec<f64>> {
        let mut matrix = self.covariances.clone();
        for (at, row) in matrix.iter_mut().enumerate() {
            row[at] += ROUNDING_VARIANCE;
        }
        let factor = Factor::new(matrix);
        let draw = |_| {
            let unit: Vec<f64> = self.means.iter().map(|_| random.normal()).collect();
            let off = factor.as_ref().map_or_else(
                || vec![0.0; self.means.len()],
                |factor| factor.correlated(&unit),
            );
            self.means.iter().zip(&off).map(|(a, b)| a + b).collect()
        };
        (0..count).map(draw).collect()
    }

    /// How likely each setting is within `within` of the best.
    #[must_use]
    pub fn near_best(&self, within: f64, random: &Random) -> Vec<f64> {
        let mut near = vec![0.0; self.means.len()];
        for values in self.drawn(SURFACES_DRAWN, random) {
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for (near, value) in near.iter_mut().zip(&values) {
                if best - value <= within {
                    *near += 1.0 / SURFACES_DRAWN as f64;
                }
            }
        }
        near
    }
}
