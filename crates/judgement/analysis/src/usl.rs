//! The Universal Scalability Law, fitted to measured levels.
//!
//! A check and a second opinion, never the answer: targets are limited by queues and pools
//! as often as by contention, and then the law misses. Its residuals say where.

/// Levels with different concurrency that a fit needs.
pub const MIN_LEVELS: usize = 5;
/// A fit whose curve is further off than this at some level, as a share, is not used.
pub const TRUSTED_WITHIN: f64 = 0.1;

/// The result of a fit: X(N) = λN / (1 + σ(N−1) + κN(N−1)).
#[derive(Debug, Clone, PartialEq)]
pub struct UslFit {
    /// Throughput of one, per second.
    pub lambda: f64,
    /// Contention.
    pub sigma: f64,
    /// Coherency.
    pub kappa: f64,
    /// How far each level lies above (positive) or below the curve, as a share of its own
    /// throughput; in the order given.
    pub residuals: Vec<f64>,
}

/// Why there is no fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// Too few levels of different concurrency.
    #[error("{found} levels of different concurrency, at least {MIN_LEVELS} are needed")]
    TooFewLevels {
        /// How many there are.
        found: usize,
    },
    /// A number is not finite, or not above zero.
    #[error("level {index} is no concurrency and throughput above zero")]
    NotFinite {
        /// The level's place.
        index: usize,
    },
    /// No curve of the law comes near.
    #[error("no curve fits")]
    NoFit,
}

/// Fits the law to `(concurrency ≥ 1, throughput per second)` in any order, so that the sum of
/// squared relative residuals is least. σ and κ are never below zero.
///
/// # Errors
/// [`FitError`].
///
/// Source: N. Gunther, *Guerrilla Capacity Planning*, Springer 2007: with it N/X is a
/// quadratic of N.
pub fn fit(levels: &[(f64, f64)]) -> Result<UslFit, FitError> {
    let sound = |(n, x): (f64, f64)| n.is_finite() && x.is_finite() && n > 0.0 && x > 0.0;
    if let Some(index) = levels.iter().position(|level| !sound(*level)) {
        return Err(FitError::NotFinite { index });
    }
    let mut different: Vec<f64> = levels.iter().map(|(n, _)| *n).collect();
    different.sort_by(f64::total_cmp);
    different.dedup_by(|a, b| (*a - *b).abs() < 0.01 * b.abs());
    if different.len() < MIN_LEVELS {
        return Err(FitError::TooFewLevels {
            found: different.len(),
        });
    }
    // Terms of 1/λ, σ/λ, κ/λ; those that come out negative are left out in turn.
    let choices: [&[usize]; 4] = [&[0, 1, 2], &[0, 1], &[0, 2], &[0]];
    let fits = choices.iter().filter_map(|terms| with_terms(levels, terms));
    let square = |fit: &UslFit| fit.residuals.iter().map(|r| r * r).sum::<f64>();
    fits.min_by(|a, b| square(a).total_cmp(&square(b)))
        .ok_or(FitError::NoFit)
}

impl UslFit {
    /// The throughput the curve gives at a concurrency.
    #[must_use]
    pub fn at(&self, n: f64) -> f64 {
        self.lambda * n / (1.0 + self.sigma * (n - 1.0) + self.kappa * n * (n - 1.0))
    }

    /// The concurrency at which the curve is highest, one at least; `None` when it never falls.
    #[must_use]
    pub fn peak(&self) -> Option<f64> {
        if self.sigma >= 1.0 {
            // Each one more only waits for the others.
            return Some(1.0);
        }
        (self.kappa > 0.0).then(|| ((1.0 - self.sigma) / self.kappa).sqrt().max(1.0))
    }

    /// The highest throughput that the curve gives; infinite where it grows in proportion.
    #[must_use]
    pub fn ceiling(&self) -> f64 {
        self.peak()
            .map_or_else(|| self.lambda / self.sigma.max(0.0), |top| self.at(top))
    }

    /// The largest residual by size.
    #[must_use]
    pub fn worst(&self) -> f64 {
        self.residuals.iter().fold(
            0.0,
            |worst: f64, r| if r.abs() > worst.abs() { *r } else { worst },
        )
    }

    /// Whether the curve is near enough at every level to be used.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.worst().abs() <= TRUSTED_WITHIN
    }
}

/// The best curve of these terms only; `None` when one of them comes out negative.
fn with_terms(levels: &[(f64, f64)], terms: &[usize]) -> Option<UslFit> {
    let basis = |n: f64| [1.0, n - 1.0, n * (n - 1.0)];
    let size = terms.len();
    let mut matrix = vec![vec![0.0; size + 1]; size];
    for (n, x) in levels {
        // A residual of N/X becomes a share of X when it is weighted with X/N.
        let weight = (x / n).powi(2);
        let row = basis(*n);
        for (i, a) in terms.iter().enumerate() {
            for (j, b) in terms.iter().enumerate() {
                matrix[i][j] += weight * row[*a] * row[*b];
            }
            matrix[i][size] += weight * row[*a] * n / x;
        }
    }
    let solved = solve(matrix)?;
    let mut all = [0.0; 3];
    for (term, value) in terms.iter().zip(&solved) {
        if *value < 0.0 || !value.is_finite() {
            return None;
        }
        all[*term] = *value;
    }
    if all[0] <= 0.0 {
        return None;
    }
    let lambda = 1.0 / all[0];
    let mut fit = UslFit {
        lambda,
        sigma: all[1] * lambda,
        kappa: all[2] * lambda,
        residuals: Vec::new(),
    };
    let residuals = levels.iter().map(|(n, x)| (x - fit.at(*n)) / x);
    fit.residuals = residuals.collect();
    Some(fit)
}

/// Gauss's elimination of rows with their right side last; `None` when they say too little.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| {
            let size = |row: &usize| rows[*row][column].abs();
            size(a).total_cmp(&size(b))
        })?;
        rows.swap(column, pivot);
        let head = rows[column][column];
        if head.abs() < f64::MIN_POSITIVE {
            return None;
        }
        let reference = rows[column].clone();
        for (place, row) in rows.iter_mut().enumerate() {
            if place == column {
                continue;
            }
            let factor = row[column] / head;
            for (cell, from) in row.iter_mut().zip(&reference) {
                *cell -= factor * from;
            }
        }
    }
    Some((0..size).map(|i| rows[i][size] / rows[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_curve_of_the_law_is_found_again(
            lambda in 1.0..500.0_f64,
            sigma in 0.0..0.3_f64,
            kappa in 0.0..0.01_f64,
        ) {
            let truth = UslFit { lambda, sigma, kappa, residuals: Vec::new() };
            let levels: Vec<(f64, f64)> =
                [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].map(|n| (n, truth.at(n))).to_vec();
            let found = fit(&levels).unwrap();
            prop_assert!(found.worst().abs() < 1e-6, "{found:?}");
            prop_assert!((found.lambda / lambda - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn too_few_levels_and_numbers_that_cannot_be_are_refused() {
        assert_eq!(
            fit(&[(1.0, 1.0), (2.0, 2.0), (2.0, 2.1)]),
            Err(FitError::TooFewLevels { found: 2 })
        );
        assert_eq!(
            fit(&[(1.0, 1.0), (0.0, 2.0)]),
            Err(FitError::NotFinite { index: 1 })
        );
    }

    #[test]
    fn a_pool_that_fills_and_then_gives_no_more_is_missed_and_says_so() {
        let pool: Vec<(f64, f64)> = [1.0, 2.0, 4.0, 8.0, 10.0, 16.0, 40.0, 100.0]
            .map(|n: f64| (n, 20.0 * n.min(10.0)))
            .to_vec();
        assert!(!fit(&pool).unwrap().is_trusted());
    }
}
