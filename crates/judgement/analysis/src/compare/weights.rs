//! How much of what may go wrong each interval of all requests has.

use super::Measure;

/// What may go wrong of the median of all requests, of what may of their mean and p95: it says no more than these do.
const MEDIAN_SHARE: f64 = 0.5;
/// What may go wrong of a share that is zero on both sides, of what may of another. So many requests of which none is bad, though
/// the share lies outside, are as rare as `exp(-z²)`, where z is normal: a quarter of what the tails of the intervals of all requests
/// allow, from 100 requests on.
pub(super) const ZERO_SHARE: f64 = 0.25;

/// How much the interval of a measure of all requests may miss, of what the one of their mean may.
pub(super) fn in_whole(measure: Measure) -> f64 {
    match measure {
        Measure::P50 => MEDIAN_SHARE,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::student;

    /// What a look at a share costs that is zero on both sides: where a share lies just outside of its interval, so many requests
    /// of which none is bad are as rare.
    #[test]
    fn a_share_that_is_zero_is_hardly_ever_outside_of_its_interval() {
        for tail in [0.0085, 0.0042, 0.002] {
            let z = student::normal_quantile(1.0 - tail);
            for requests in [100.0, 1000.0, 100_000.0_f64] {
                let bound = z * z / (requests + z * z);
                let missed = (1.0 - bound).powf(requests);
                assert!(
                    missed <= ZERO_SHARE * 2.0 * tail,
                    "{tail} {requests} {missed}"
                );
            }
        }
    }
}
