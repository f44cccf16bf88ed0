//! Normally distributed numbers for latencies.

use loadline_units::SharedRandom;

/// A number of the normal distribution with mean 0 and standard deviation 1 (Box-Muller).
pub(crate) fn normal(random: &SharedRandom) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}
