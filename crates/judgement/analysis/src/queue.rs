//! A queue that is watched from its beginning, and what it may come to at rest.
//!
//! Near its limit a queue needs long to come to rest: about 4 λ D², where λ arrivals a second
//! wait D seconds on average (heavy traffic: reflected Brownian motion, Kingman 1962; Harrison
//! 1985). Before that it is shorter than it will be, and its seconds do not show it: those of a
//! short queue look like those of a fast target. How long it is after so much time depends on
//! nothing but time / (4 λ D²), so what was seen bounds D.

/// How much of the free growth of a queue what was seen must have beneath it. Simulated for
/// random arrivals with equal and with random service times (`docs/decisions/capacity.md`): a
/// queue at its limit shows less in at most one of twenty levels, looked at twice.
const FREE_GROWTH_SHARE_MAX: f64 = 0.25;
/// Standard deviations from which on neighbouring windows resemble each other.
const ALIKE_DEVIATIONS_MIN: f64 = 1.645;

/// The longest mean delay at rest, seconds, of a queue that began empty and had this mean
/// delay, seconds, over so many `seconds` at `rate` arrivals a second. Infinite where any
/// delay is possible.
#[must_use]
pub fn longest_delay_at_rest(delay: f64, rate: f64, seconds: f64) -> f64 {
    if delay <= 0.0 {
        return 0.0;
    }
    // In this time a queue without any limit grows to about this delay.
    let free = (seconds / (4.0 * rate)).sqrt();
    let left = 1.0 / delay - 1.0 / (FREE_GROWTH_SHARE_MAX * free);
    if left > 0.0 {
        1.0 / left
    } else {
        f64::INFINITY
    }
}

/// Whether windows resemble their neighbours, as those of a queue do: by the first
/// autocorrelation of their values.
#[must_use]
pub fn follow_each_other(values: &[f64]) -> bool {
    let alike = autocorrelation(values);
    alike.is_some_and(|alike| alike * (values.len() as f64).sqrt() > ALIKE_DEVIATIONS_MIN)
}

/// The first autocorrelation of values, -1 to 1: how much each resembles the one before. `None` where all are the same.
#[must_use]
pub fn autocorrelation(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / (values.len() as f64).max(1.0);
    let rests: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let squares: f64 = rests.iter().map(|rest| rest * rest).sum();
    let pairs = rests.iter().zip(rests.iter().skip(1));
    let products: f64 = pairs.map(|(a, b)| a * b).sum();
    (squares > 0.0).then(|| products / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_time_bounds_a_queue_less_than_a_long_one() {
        let after = |seconds| longest_delay_at_rest(0.06, 100.0, seconds);
        assert!(after(20.0).is_infinite());
        assert!(after(60.0) > 2.0 * after(600.0));
        assert!((after(1e9) - 0.06).abs() < 1e-4);
        assert!(longest_delay_at_rest(0.0, 100.0, 60.0).abs() < 1e-12);
    }

    #[test]
    fn waves_follow_each_other_and_noise_does_not() {
        let wave: Vec<f64> = (0..60).map(|i| (f64::from(i) / 5.0).sin()).collect();
        let noise: Vec<f64> = (0..60).map(|i| f64::from(i * i * 7 % 11)).collect();
        assert!(follow_each_other(&wave));
        assert!(!follow_each_other(&noise) && !follow_each_other(&[5.0; 30]));
    }
}
