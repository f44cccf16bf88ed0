//! By how much times grow, and whether by chance, or by one stop.
//!
//! A queue that grows makes each second's requests wait longer than those of the second before. A machine that others
//! take for a second makes one burst of slow requests, early or late: most seconds do not see it, nor are
//! those after it slower than those before.

use loadline_metrics::Histogram;

use super::super::input::number;

/// Of fewer seconds nothing is told.
const SECONDS_MIN: usize = 4;
/// Seconds get slower one after the other by this rank correlation at least; ...
const RANK_CORRELATION_MIN: f64 = 0.4;
/// ... where there are few of them, by this one.
const RANK_CORRELATION_OF_FEW_MIN: f64 = 0.9;
const FEW_SECONDS: usize = 9;
/// Times that vary grow by less than so many standard errors by chance.
const ERRORS_MIN: f64 = 4.0;

/// How long requests take early and late, and how much of a growth that is.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Growth {
    /// The mean of a second early, the median of these, ms.
    pub(in super::super) early: f64,
    /// ... and late, their lower quartile: what a stop leaves is quick again.
    pub(in super::super) late: f64,
    is_steady: bool,
}

/// What it is told by.
pub(super) struct Parts {
    /// The mean time of each second with requests, in order, ms.
    pub(super) means: Vec<f64>,
    /// So many of the first and of the last seconds are early and late.
    pub(super) part: usize,
    /// How long requests took in these, ms.
    pub(super) early: Histogram,
    pub(super) late: Histogram,
}

impl Growth {
    pub(super) fn new(parts: &Parts) -> Option<Self> {
        let means = &parts.means;
        let part = parts.part.min(means.len());
        if means.len() < SECONDS_MIN || part == 0 {
            return None;
        }
        let correlation_min = if means.len() < FEW_SECONDS {
            RANK_CORRELATION_OF_FEW_MIN
        } else {
            RANK_CORRELATION_MIN
        };
        Some(Self {
            early: quantile(&means[..part], 2)?,
            late: quantile(&means[means.len() - part..], 4)?,
            is_steady: rank_correlation(means) >= correlation_min
                && errors_between(&parts.early, &parts.late) >= ERRORS_MIN,
        })
    }

    /// Requests take so many times as long, and longer from second to second.
    pub(in super::super) fn is_by(&self, factor: f64) -> bool {
        self.is_steady && self.late >= factor * self.early
    }
}

/// The quantile of these means below which one in so many lies; the lower one of two.
fn quantile(means: &[f64], one_in: usize) -> Option<f64> {
    let mut means = means.to_vec();
    means.sort_by(f64::total_cmp);
    means.get(means.len().checked_sub(1)? / one_in).copied()
}

/// By how many standard errors the mean of `late` is above that of `early`.
fn errors_between(early: &Histogram, late: &Histogram) -> f64 {
    let errors = squared_error(early).zip(squared_error(late));
    let means = early.mean().zip(late.mean());
    let both = errors.zip(means);
    both.map_or(0.0, |((of_early, of_late), (early, late))| {
        (late - early) / (of_early + of_late).sqrt().max(f64::MIN_POSITIVE)
    })
}

/// The square of the standard error of a mean.
fn squared_error(times: &Histogram) -> Option<f64> {
    let mean = times.mean()?;
    let all = number(times.count());
    let buckets = times.buckets().into_iter();
    let squares = buckets.map(|(bucket, count)| number(count) * (bucket.middle() - mean).powi(2));
    (all >= 2.0).then(|| squares.sum::<f64>() / (all - 1.0) / all)
}

/// Spearman's: how far the order of these numbers is that of their places.
fn rank_correlation(numbers: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let off = order.iter().enumerate();
    let squares: f64 = off
        .map(|(rank, place)| number(rank.abs_diff(*place) as u64).powi(2))
        .sum();
    let count = number(numbers.len() as u64);
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(means: &[f64]) -> Growth {
        let second = |mean: &f64| {
            let times: Vec<f64> = (0..40)
                .map(|at| mean * (0.9 + 0.005 * f64::from(at)))
                .collect();
            Histogram::from_values(&times)
        };
        let seconds: Vec<Histogram> = means.iter().map(second).collect();
        let part = if means.len() < 9 {
            means.len() / 2
        } else {
            means.len() / 3
        };
        let parts = Parts {
            means: seconds.iter().filter_map(Histogram::mean).collect(),
            part,
            early: Histogram::joined(&seconds[..part]),
            late: Histogram::joined(&seconds[seconds.len() - part..]),
        };
        Growth::new(&parts).unwrap()
    }

    #[test]
    fn a_queue_grows_and_one_stop_does_not() {
        assert!(growth(&[100.0, 300.0, 500.0, 700.0, 900.0]).is_by(1.5));
        assert!(!growth(&[50.0, 51.0, 49.0, 700.0, 300.0]).is_by(1.5));
        assert!(!growth(&[50.0, 51.0, 49.0, 50.0, 900.0]).is_by(1.5));
        let mut stopped = [50.0; 20];
        (stopped[17], stopped[18]) = (900.0, 400.0);
        assert!(!growth(&stopped).is_by(1.5));
        let grows: Vec<f64> = (0..20).map(|at| 50.0 + 20.0 * f64::from(at)).collect();
        assert!(growth(&grows).is_by(3.0));
    }

    #[test]
    fn the_rank_correlation_is_spearmans() {
        assert!((rank_correlation(&[1.0, 2.0, 3.0, 4.0]) - 1.0).abs() < 1e-9);
        assert!((rank_correlation(&[4.0, 3.0, 2.0, 1.0]) + 1.0).abs() < 1e-9);
        assert!((rank_correlation(&[1.0, 3.0, 2.0, 4.0]) - 0.8).abs() < 1e-9);
    }
}
