//! Whether a series of values rises or falls.
//!
//! The Mann-Kendall test counts pairs that rise and pairs that fall: it needs no shape of the
//! curve and no scale, and single outliers weigh little. It takes values for independent;
//! [`score_of_correlated`] does not.

use crate::estimate::longer;
use crate::student;

/// How sure it is that values rise (above zero) or fall (below): standard deviations of the
/// test's score, corrected for ties. Zero for fewer than three values, or equal ones.
#[must_use]
pub fn score(values: &[f64]) -> f64 {
    if values.len() < 3 {
        return 0.0;
    }
    let n = values.len() as f64;
    let mut score = 0.0_f64;
    for (i, earlier) in values.iter().enumerate() {
        for later in &values[i + 1..] {
            score += match later.partial_cmp(earlier) {
                Some(std::cmp::Ordering::Greater) => 1.0,
                Some(std::cmp::Ordering::Less) => -1.0,
                _ => 0.0,
            };
        }
    }
    let spread = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let ties: f64 = tied(values).into_iter().map(spread).sum();
    let variance = (spread(n) - ties) / 18.0;
    if variance <= 0.0 {
        return 0.0; // all are equal
    }
    // One nearer to zero, because the score is a whole number and the normal distribution is not.
    let moved = (score.abs() - 1.0).max(0.0) * score.signum();
    moved / variance.sqrt()
}

/// The same where neighbours may resemble each other: the slope of the straight line through
/// the values, in standard errors by Student's t; what is left of the values without the line says
/// how much they spread, and how many independent ones they are worth.
#[must_use]
pub fn score_of_correlated(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 4 {
        return 0.0;
    }
    let slope = slope(values);
    let mean = values.iter().sum::<f64>() / n;
    let middle = (n - 1.0) / 2.0;
    let places = values.iter().enumerate();
    let rests: Vec<f64> = places
        .map(|(place, value)| value - mean - slope * (place as f64 - middle))
        .collect();
    let spread = rests.iter().map(|rest| rest * rest).sum::<f64>() / (n - 2.0);
    let squares = n * (n * n - 1.0) / 12.0;
    let longer = longer(&rests);
    let error = (spread * longer / squares).sqrt();
    let freedom = (n / longer - 2.0).max(1.0);
    student::as_normal(slope / error.max(f64::MIN_POSITIVE), freedom)
}

/// The change per value, by least squares; zero for fewer than two values.
#[must_use]
pub fn slope(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let middle = (n - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / n;
    let pairs = values.iter().enumerate();
    let (mut products, mut squares) = (0.0, 0.0);
    for (place, value) in pairs {
        let x = place as f64 - middle;
        products += x * (value - mean);
        squares += x * x;
    }
    products / squares
}

/// How many values each group of equal ones has.
fn tied(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .chunk_by(|a, b| a.total_cmp(b).is_eq())
        .map(|group| group.len() as f64)
        .filter(|count| *count > 1.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rising_values_score_high_falling_ones_low_and_equal_ones_nothing() {
        let rising: Vec<f64> = (0..10).map(f64::from).collect();
        let falling: Vec<f64> = rising.iter().map(|v| -v).collect();
        assert!(score(&rising) > 3.0);
        assert!(score(&falling) < -3.0);
        assert!(score(&[5.0; 10]).abs() < f64::EPSILON);
        assert!(score(&[1.0, 2.0]).abs() < f64::EPSILON);
    }

    #[test]
    fn noise_around_a_level_has_no_trend() {
        let noise = [3.0, -2.0, 1.0, -1.0, 2.0, -3.0, 0.5, -0.5, 1.5, -1.5];
        assert!(score(&noise).abs() < 1.0);
    }

    #[test]
    fn a_slow_wave_is_no_trend_but_a_line_is() {
        let wave: Vec<f64> = (0..60).map(|i| (f64::from(i) / 9.0 + 4.0).sin()).collect();
        assert!(score(&wave).abs() > 1.7, "{}", score(&wave));
        let careful = score_of_correlated(&wave);
        assert!(careful.abs() < 1.0, "{careful}");
        let line: Vec<f64> = (0..30).map(|i| f64::from(i) + f64::from(i % 3)).collect();
        assert!(score_of_correlated(&line) > 4.0);
    }

    #[test]
    fn the_slope_of_a_line_is_its_own() {
        let line: Vec<f64> = (0..9).map(|i| 4.0 + 2.5 * f64::from(i)).collect();
        assert!((slope(&line) - 2.5).abs() < 1e-12);
        assert!(slope(&[7.0]).abs() < f64::EPSILON);
    }
}
