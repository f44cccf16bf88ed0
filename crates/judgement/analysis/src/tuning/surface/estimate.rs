//! What is believed of settings.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use loadline_units::random::Random;

use super::super::linear::Factor;
use super::returns::DiminishingReturns;

/// Surfaces that are drawn.
const SURFACES_DRAWN: usize = 128;
/// What is added to variances for the rounding of their sums.
const ROUNDING_VARIANCE: f64 = 1e-7;
/// Surfaces of which each hangs on the one before: until they do not hang on where they began, and those that count.
const SETTLING_SURFACES: usize = 150;
const SURFACES_IN_A_ROW: usize = 450;
/// An angle in which nothing as likely was found, in radians.
const ANGLE_MIN: f64 = 1e-9;

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

    /// By how many deviations a sum of settings' values, each with its weight, is above zero.
    fn deviations_of_sum(&self, weights: &BTreeMap<usize, f64>) -> f64 {
        let sums = weights.iter();
        let sum: f64 = sums
            .map(|(place, weight)| weight * self.means[*place])
            .sum();
        let deviation = self.variance_of_sum(weights).sqrt();
        sum / deviation.max(f64::MIN_POSITIVE)
    }

    /// The variance of a sum of settings' values, each with its weight.
    fn variance_of_sum(&self, weights: &BTreeMap<usize, f64>) -> f64 {
        let with_others = |(at, weight): (&usize, &f64)| {
            let others = weights.iter();
            let each = others.map(|(other, of_other)| of_other * self.covariances[*at][*other]);
            weight * each.sum::<f64>()
        };
        weights.iter().map(with_others).sum()
    }

    /// Surfaces that are drawn as they are likely.
    #[must_use]
    pub fn drawn(&self, count: usize, random: &Random) -> Vec<Vec<f64>> {
        let factor = self.factor();
        let draw = |_| self.surface(&self.random_part(factor.as_ref(), random));
        (0..count).map(draw).collect()
    }

    /// How likely each setting is within `within` of the best.
    #[must_use]
    pub fn near_best(&self, within: f64, random: &Random) -> Vec<f64> {
        near_best(&self.drawn(SURFACES_DRAWN, random), within)
    }

    /// The same of these settings, where a step of one of these knobs gains no more than the one before it.
    #[must_use]
    pub fn near_best_by_returns(
        &self,
        settings: &[Vec<usize>],
        ordered: &[usize],
        within: f64,
        random: &Random,
    ) -> Vec<f64> {
        let deviations = |weights: &BTreeMap<usize, f64>| self.deviations_of_sum(weights);
        let returns = DiminishingReturns::new(settings, ordered, deviations);
        near_best(&self.drawn_by_returns(&returns, random), within)
    }

    /// Surfaces one after the other, as returns that diminish make them likely: elliptical slices (I. Murray, R. P. Adams and
    /// D. J. C. MacKay, 2010).
    fn drawn_by_returns(&self, returns: &DiminishingReturns, random: &Random) -> Vec<Vec<f64>> {
        let factor = self.factor();
        let mut off = vec![0.0; self.means.len()];
        let mut log = returns.log_likelihood(&self.means);
        let mut surfaces = Vec::new();
        for number in 0..SETTLING_SURFACES + SURFACES_IN_A_ROW {
            let other = self.random_part(factor.as_ref(), random);
            let least = log + random.unit().max(f64::MIN_POSITIVE).ln();
            let mut angle = TAU * random.unit();
            let (mut low, mut high) = (angle - TAU, angle);
            while high - low > ANGLE_MIN {
                let (sine, cosine) = angle.sin_cos();
                let both = off.iter().zip(&other);
                let moved: Vec<f64> = both.map(|(a, b)| a * cosine + b * sine).collect();
                let of_moved = returns.log_likelihood(&self.surface(&moved));
                if of_moved > least {
                    (off, log) = (moved, of_moved);
                    break;
                }
                if angle < 0.0 {
                    low = angle;
                } else {
                    high = angle;
                }
                angle = low + (high - low) * random.unit();
            }
            if number >= SETTLING_SURFACES {
                surfaces.push(self.surface(&off));
            }
        }
        surfaces
    }

    /// What makes of independent values such as vary together like the settings; `None` where rounding is larger.
    fn factor(&self) -> Option<Factor> {
        let mut matrix = self.covariances.clone();
        for (at, row) in matrix.iter_mut().enumerate() {
            row[at] += ROUNDING_VARIANCE;
        }
        Factor::new(matrix)
    }

    /// By how much one surface is off from the means.
    fn random_part(&self, factor: Option<&Factor>, random: &Random) -> Vec<f64> {
        let unit: Vec<f64> = self.means.iter().map(|_| random.normal()).collect();
        let off = factor.map(|factor| factor.correlated(&unit));
        off.unwrap_or_else(|| vec![0.0; self.means.len()])
    }

    fn surface(&self, off: &[f64]) -> Vec<f64> {
        self.means.iter().zip(off).map(|(a, b)| a + b).collect()
    }
}

/// How likely each setting is within `within` of the best, by surfaces that are drawn.
fn near_best(surfaces: &[Vec<f64>], within: f64) -> Vec<f64> {
    let mut near = vec![0.0; surfaces.first().map_or(0, Vec::len)];
    for values in surfaces {
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (near, value) in near.iter_mut().zip(values) {
            if best - value <= within {
                *near += 1.0 / surfaces.len() as f64;
            }
        }
    }
    near
}
