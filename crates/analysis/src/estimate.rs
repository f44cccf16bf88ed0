//! Numbers with the range they may lie in, from windows that are not independent.
//!
//! Neighbouring seconds resemble each other. A mean is therefore worth fewer values than it
//! has (first-order autocorrelation), and a share of requests fewer requests than were sent
//! (design effect: how much more its windows differ than chance among single requests
//! would make them).

use crate::student;

/// The autocorrelation beyond which values are taken for hardly independent at all.
const MOST_CORRELATED: f64 = 0.8;

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
    let Some((variance, freedom)) = variance_of_sum(&rests) else {
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

/// The share of bad ones: `(bad, all)` of each window, in order; the interval reaches `z`
/// standard deviations. `None` when there were none at all.
///
/// Wilson's interval, with as many requests as the windows' spread says they are worth.
#[must_use]
pub fn share_of(windows: &[(f64, f64)], z: f64) -> Option<Estimate> {
    let all: f64 = windows.iter().map(|(_, all)| all).sum();
    if all <= 0.0 {
        return None;
    }
    let middle = windows.iter().map(|(bad, _)| bad).sum::<f64>() / all;
    let worth = all / design_effect(windows, middle, all);
    let square = z * z;
    let below = 1.0 + square / worth;
    let centre = (middle + square / (2.0 * worth)) / below;
    let inner = middle * (1.0 - middle) / worth + square / (4.0 * worth * worth);
    let reach = z * inner.sqrt() / below;
    Some(Estimate {
        low: (centre - reach).clamp(0.0, middle),
        middle,
        high: (centre + reach).clamp(middle, 1.0),
    })
}

/// Whether `bad` of `all` independent ones are more than a share of `limit` explains, by `z`
/// standard deviations: intervals are too short for a handful of bad ones, so their number is
/// held against the Poisson distribution.
#[must_use]
pub fn is_beyond_chance(bad: f64, all: f64, limit: f64, z: f64) -> bool {
    if bad <= 0.0 {
        return false;
    }
    let expected = limit * all;
    if expected <= 0.0 || bad > 100.0 {
        return true; // none is allowed, or the interval will do
    }
    // The upper tail: 1 - P(fewer than bad).
    let (mut term, mut below, mut count) = ((-expected).exp(), 0.0, 0.0);
    while count < bad - 0.5 {
        below += term;
        count += 1.0;
        term *= expected / count;
    }
    let allowed = (-z * z / 2.0).exp() / (z * (2.0 * std::f64::consts::PI).sqrt());
    1.0 - below < allowed
}

/// How many requests of the windows are worth one independent request, at least 1.
#[must_use]
pub fn design_effect(windows: &[(f64, f64)], share: f64, all: f64) -> f64 {
    let by_chance = share * (1.0 - share) * all;
    let rests: Vec<f64> = windows.iter().map(|(bad, n)| bad - share * n).collect();
    match variance_of_sum(&rests) {
        Some((variance, _)) if by_chance > 0.0 => (variance / by_chance).max(1.0),
        _ => 1.0,
    }
}

/// The variance of the sum of what windows are off their expectation, and its degrees of
/// freedom; `None` for fewer than three windows.
fn variance_of_sum(rests: &[f64]) -> Option<(f64, f64)> {
    if rests.len() < 3 {
        return None;
    }
    let n = rests.len() as f64;
    let squares: f64 = rests.iter().map(|rest| rest * rest).sum();
    let products: f64 = rests.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let rho = if squares > 0.0 {
        (products / squares).clamp(0.0, MOST_CORRELATED)
    } else {
        0.0
    };
    let longer = (1.0 + rho) / (1.0 - rho);
    let variance = squares * n / (n - 1.0) * longer;
    Some((variance, (n / longer - 1.0).max(1.0)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    #[test]
    fn no_bad_one_among_few_may_still_hide_some() {
        let few = share_of(&[(0.0, 60.0)], 1.96).unwrap();
        assert!(few.low.abs() < f64::EPSILON && few.high > 0.05, "{few:?}");
        let many = share_of(&[(0.0, 6000.0)], 1.96).unwrap();
        assert!(many.high < 0.001, "{many:?}");
    }

    #[test]
    fn bad_ones_in_one_window_say_less_than_bad_ones_everywhere() {
        let spread = share_of(&[(5.0, 100.0); 10], 1.96).unwrap();
        let mut bunched = [(0.0, 100.0); 10];
        bunched[4].0 = 50.0;
        let bunched = share_of(&bunched, 1.96).unwrap();
        assert!((spread.middle - bunched.middle).abs() < 1e-12);
        assert!(bunched.high > 2.0 * spread.high, "{bunched:?} {spread:?}");
    }

    #[test]
    fn one_failure_among_few_is_chance_and_many_are_not() {
        assert!(!is_beyond_chance(1.0, 6.0, 0.01, 3.3));
        assert!(!is_beyond_chance(2.0, 48.0, 0.01, 1.96));
        assert!(is_beyond_chance(8.0, 100.0, 0.01, 3.3));
        assert!(is_beyond_chance(1.0, 6.0, 0.0, 3.3), "none was allowed");
        assert!(!is_beyond_chance(0.0, 6.0, 0.0, 3.3));
    }

    proptest! {
        #[test]
        fn a_share_lies_in_its_interval_and_both_within_0_and_1(
            windows in proptest::collection::vec((0_u32..50, 50_u32..100), 1..20),
        ) {
            let windows: Vec<(f64, f64)> =
                windows.into_iter().map(|(b, n)| (f64::from(b), f64::from(n))).collect();
            let share = share_of(&windows, 2.33).unwrap();
            prop_assert!(0.0 <= share.low && share.low <= share.middle);
            prop_assert!(share.middle <= share.high && share.high <= 1.0);
        }
    }
}
