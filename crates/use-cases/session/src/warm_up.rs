//! When a warm-up is over.
//!
//! `UntilSteady` looks at the last ten full windows (1 s each): the warm-up is over once
//! neither throughput nor the 95th percentile of latency has a trend by the Mann-Kendall
//! test at the 10 % level. The test asks how many pairs of windows rise and how many fall,
//! so it needs no shape of the curve and no scale, and single outliers weigh little.

use std::collections::VecDeque;
use std::time::Duration;

use loadline_analysis::trend;

/// Windows looked at.
const LOOKED_AT: usize = 10;

/// Beyond this a trend is believed: two-sided 10 % of the normal distribution.
const TREND_Z: f64 = 1.645;

/// The longest an automatic warm-up may take.
pub const WARM_UP_MAX: Duration = Duration::from_secs(120);

/// What of a run is a warm-up: measured, shown, and not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WarmUpSetting {
    /// Nothing.
    #[default]
    None,
    /// This long.
    For(Duration),
    /// Until throughput and latency have no trend, at most this long.
    UntilSteady {
        /// The longest it may take.
        at_most: Duration,
    },
}

/// The last windows' throughput and latency.
#[derive(Debug, Default)]
pub(crate) struct Steadiness {
    rates: VecDeque<f64>,
    p95s: VecDeque<f64>,
}

impl Steadiness {
    /// Takes in a full window; whether the last ten have no trend. A window without
    /// answers has no latency and begins the looking anew.
    pub(crate) fn push(&mut self, rate: f64, p95_ms: Option<f64>) -> bool {
        let Some(p95) = p95_ms else {
            *self = Self::default();
            return false;
        };
        for (series, value) in [(&mut self.rates, rate), (&mut self.p95s, p95)] {
            if series.len() == LOOKED_AT {
                series.pop_front();
            }
            series.push_back(value);
        }
        self.rates.len() == LOOKED_AT && !has_trend(&self.rates) && !has_trend(&self.p95s)
    }
}

fn has_trend(values: &VecDeque<f64>) -> bool {
    let values: Vec<f64> = values.iter().copied().collect();
    trend::score(&values).abs() > TREND_Z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steady_after(rates: &[f64], p95s: &[f64]) -> Option<usize> {
        let mut steadiness = Steadiness::default();
        let mut windows = rates.iter().zip(p95s);
        windows.position(|(rate, p95)| steadiness.push(*rate, Some(*p95)))
    }

    #[test]
    fn what_never_changes_is_steady_after_ten_windows() {
        assert_eq!(steady_after(&[100.0; 20], &[5.0; 20]), Some(9));
    }

    #[test]
    fn rising_throughput_or_falling_latency_is_not_steady() {
        let rising: Vec<f64> = (0..30).map(|i| 100.0 + f64::from(i)).collect();
        let falling: Vec<f64> = (0..30).map(|i| 50.0 - f64::from(i)).collect();
        assert_eq!(steady_after(&rising, &[5.0; 30]), None);
        assert_eq!(steady_after(&[100.0; 30], &falling), None);
    }

    #[test]
    fn noise_around_a_level_is_steady_and_so_is_a_level_reached_after_a_climb() {
        let noise = [3.0, -2.0, 1.0, -1.0, 2.0, -3.0, 0.5, -0.5, 1.5, -1.5];
        let level = |i: usize| 100.0 + noise[i % 10];
        let noisy: Vec<f64> = (0..20).map(level).collect();
        assert_eq!(steady_after(&noisy, &noisy), Some(9));

        let climb = (0..8).map(|i| 10.0 * f64::from(i));
        let then: Vec<f64> = climb.chain((0..30).map(level)).collect();
        let after = steady_after(&then, &vec![5.0; then.len()]).unwrap();
        assert!((12..=18).contains(&after), "{after}");
    }

    #[test]
    fn a_window_without_answers_begins_anew() {
        let mut steadiness = Steadiness::default();
        for _ in 0..9 {
            assert!(!steadiness.push(100.0, Some(5.0)));
        }
        assert!(!steadiness.push(0.0, None));
        for _ in 0..9 {
            assert!(!steadiness.push(100.0, Some(5.0)));
        }
        assert!(steadiness.push(100.0, Some(5.0)));
    }
}
