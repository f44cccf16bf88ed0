//! Numbers with the range they may lie in, from windows that are not independent.
//!
//! Neighbouring seconds resemble each other. A mean is therefore worth fewer values than it
//! has (first-order autocorrelation). These intervals are for one look at finished data;
//! `sequential` has those for looking again and again.

use crate::student;

/// The autocorrelation beyond which values are taken for hardly independent at all.
const MOST_CORRELATED: f64 = 0.95;

/// A number and the range it lies in with the confidence asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The least it may be.
    pub low: f64,
    /// The estimate.
    pub middle: f64,
    /// The most it may be.
    pub high: f64,
}

impl Estimate {
    /// A number known exactly, or of which no range is known.
    #[must_use]
    pub const fn exact(value: f64) -> Self {
        Self {
            low: value,
            middle: value,
            high: value,
        }
    }

    /// The same number in another unit.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            low: self.low * factor,
            middle: self.middle * factor,
            high: self.high * factor,
        }
    }
}

/// The mean of what windows hold: `(sum, count)` of each, in order; the interval has this
/// confidence (0.95). `None` without any count.
#[must_use]
pub fn mean_of(windows: &[(f64, f64)], confidence: f64) -> Option<Estimate> {
    let count: f64 = windows.iter().map(|(_, count)| count).sum();
    if count <= 0.0 {
        return None;
    }
    let middle = windows.iter().map(|(sum, _)| sum).sum::<f64>() / count;
    let rests: Vec<f64> = windows.iter().map(|(sum, n)| sum - middle * n).collect();
    let Some((variance, freedom)) = variance_of_sum(&rests, 1.0) else {
        return Some(Estimate::exact(middle));
    };
    let reach =
        student::quantile(f64::midpoint(1.0, confidence), freedom) * variance.sqrt() / count;
    Some(Estimate {
        low: middle - reach,
        middle,
        high: middle + reach,
    })
}

/// The variance of the sum of what windows are off their expectation, and its degrees of
/// freedom; `None` for fewer than three windows. At least `least` of them are taken to say as
/// much as an independent one.
pub(crate) fn variance_of_sum(rests: &[f64], least: f64) -> Option<(f64, f64)> {
    if rests.len() < 3 {
        return None;
    }
    let n = rests.len() as f64;
    let squares: f64 = rests.iter().map(|rest| rest * rest).sum();
    let longer = longer(rests).max(least);
    let variance = squares * n / (n - 1.0) * longer;
    Some((variance, (n / longer - 1.0).max(1.0)))
}

/// How many values, each given as its distance from their mean, say as much as a single
/// independent one: 1 + 2 x the sum of their autocorrelations, as long as pairs of these are
/// above zero (Geyer 1992), or what the first one alone comes to if it went on falling by the
/// same factor. Few values show less autocorrelation than there is, which is added (Kendall 1954).
pub(crate) fn longer(rests: &[f64]) -> f64 {
    let n = rests.len();
    let squares: f64 = rests.iter().map(|rest| rest * rest).sum();
    if squares <= 0.0 || n < 3 {
        return 1.0;
    }
    let at = |lag: usize| {
        let pairs = rests.iter().zip(&rests[lag..]);
        let seen = pairs.map(|(a, b)| a * b).sum::<f64>() / squares;
        seen + (1.0 + 3.0 * seen.max(0.0)) / n as f64
    };
    let first = at(1).clamp(0.0, MOST_CORRELATED);
    let falling = (1.0 + first) / (1.0 - first);
    let mut sum = 1.0 + 2.0 * first;
    for lag in (2..n / 3).step_by(2) {
        let pair = at(lag) + at(lag + 1);
        if pair <= 0.0 {
            break;
        }
        sum += 2.0 * pair;
    }
    falling.max(sum)
}

/// The median, the mean of the two in the middle of an even number of values; `None` of none.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    let mut ordered = values.to_vec();
    ordered.sort_by(f64::total_cmp);
    let upper = ordered.get(ordered.len() / 2)?;
    Some(f64::midpoint(*upper, ordered[(ordered.len() - 1) / 2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_that_of_all_and_lies_in_its_interval() {
        let windows = [(10.0, 2.0), (12.0, 2.0), (9.0, 2.0), (33.0, 6.0)];
        let mean = mean_of(&windows, 0.95).unwrap();
        assert!((mean.middle - 64.0 / 12.0).abs() < 1e-12);
        assert!(mean.low < mean.middle && mean.middle < mean.high);
        assert_eq!(mean_of(&[(0.0, 0.0)], 0.95), None);
    }

    #[test]
    fn values_that_follow_each_other_say_less_than_independent_ones() {
        let wave = |period: usize| -> Vec<(f64, f64)> {
            let value = |i: usize| {
                if (i / period).is_multiple_of(2) {
                    9.0
                } else {
                    11.0
                }
            };
            (0..40).map(|i| (value(i), 1.0)).collect()
        };
        let width = |windows: &[(f64, f64)]| {
            let mean = mean_of(windows, 0.95).unwrap();
            mean.high - mean.low
        };
        assert!(width(&wave(10)) > 2.0 * width(&wave(1)));
    }
}
