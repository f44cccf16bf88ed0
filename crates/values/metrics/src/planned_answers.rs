//! What became of planned starts: the unit of latency goals.
//!
//! A goal such as `p(95)<500ms` asks that at least 95 % of the planned starts are answered well
//! within 500 ms. A start whose answer is a failure, that was cut or that was never sent is a
//! miss, however fast it was: else a target that fails at once would keep any goal of latency.
//! Where users set the pace, each request is a start.
//!
//! A mean is no share of starts. It is that of the good answers, and is missed as soon as
//! [`MEAN_MISSES_SHARE_MIN`] of the starts are misses.
//!
//! Every goal of ours is judged by this: `--slo` of runs and searches, `goal` of studies, and
//! what `explain` reads of them. k6's thresholds and Artillery's `ensure` are not.

use crate::histogram::Histogram;

/// A mean is missed from this share of misses on.
pub const MEAN_MISSES_SHARE_MIN: f64 = 0.01;
/// Shares that differ by less are one: 0.95 times 20 is 19.
const SHARE_TOLERANCE: f64 = 1e-9;

/// Planned starts by what became of them.
#[derive(Debug, Clone, Default)]
pub struct PlannedAnswers {
    /// How long those took that were answered well, ms.
    pub well: Histogram,
    /// Starts answered with a failure, or with nothing.
    pub failed: u64,
    /// Starts that were cut or never sent.
    pub lost: u64,
}

impl PlannedAnswers {
    /// All starts.
    #[must_use]
    pub fn planned(&self) -> u64 {
        self.well.count() + self.missed()
    }

    /// Those that were not answered well.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.failed + self.lost
    }

    /// The share of the starts that were not answered well; 0 without any.
    #[must_use]
    pub fn missed_share(&self) -> f64 {
        self.missed() as f64 / (self.planned() as f64).max(1.0)
    }

    /// Adds other starts.
    pub fn add(&mut self, other: &Self) {
        self.well.merge(&other.well);
        self.failed += other.failed;
        self.lost += other.lost;
    }

    /// The time within which a share (0 to 1) of the starts was answered well, ms; `None` where
    /// fewer ever were, or nothing was planned.
    #[must_use]
    pub fn percentile(&self, share: f64) -> Option<f64> {
        let (planned, well) = (self.planned() as f64, self.well.count() as f64);
        let wanted = (share * planned - SHARE_TOLERANCE).ceil().max(1.0);
        // The time of a start, not one between two: so it keeps a limit where that many starts do.
        let place = wanted - 1.0;
        (wanted <= well).then(|| self.well.at_places(&[place]).first().copied().flatten())?
    }

    /// The time within which all starts were answered well, ms.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        self.well.max().filter(|_| self.missed() == 0)
    }

    /// The mean of the good answers, ms; `None` where so many starts are misses that it says
    /// nothing of the planned ones.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let is_told = self.missed_share() < MEAN_MISSES_SHARE_MIN;
        self.well.mean().filter(|_| is_told)
    }

    /// Starts that were not answered well in time, as `is_late` says of a time.
    #[must_use]
    pub fn late_or_missed(&self, is_late: impl Fn(f64) -> bool) -> u64 {
        self.well.count_where(is_late) + self.missed()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn starts(well: &[f64], failed: u64, lost: u64) -> PlannedAnswers {
        PlannedAnswers {
            well: Histogram::from_values(well),
            failed,
            lost,
        }
    }

    fn is_near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn without_misses_all_answers_count() {
        let values: Vec<f64> = (1..=40).map(f64::from).collect();
        let starts = starts(&values, 0, 0);
        assert!(is_near(starts.percentile(0.95), 38.0));
        assert!(is_near(starts.mean(), 20.5) && is_near(starts.max(), 40.0));
    }

    /// Seen: 46 % failed at once, and p95 was that of all answers together.
    #[test]
    fn failed_cut_and_never_sent_starts_are_misses_however_fast_they_were() {
        assert_eq!(starts(&[10.0; 54], 46, 0).percentile(0.95), None);
        assert_eq!(starts(&[10.0; 90], 0, 10).percentile(0.95), None);
        assert!(is_near(starts(&[10.0; 54], 46, 0).percentile(0.5), 10.0));
        assert_eq!(starts(&[10.0; 999], 1, 0).max(), None);
        assert_eq!(starts(&[], 5, 0).percentile(0.5), None);
        assert_eq!(starts(&[], 0, 0).percentile(0.5), None);
    }

    #[test]
    fn exactly_the_share_asked_for_is_enough() {
        let mut values = vec![10.0; 18];
        values.push(30.0);
        assert!(is_near(starts(&values, 1, 0).percentile(0.95), 30.0));
        assert_eq!(starts(&values, 2, 0).percentile(0.95), None);
    }

    #[test]
    fn a_mean_is_that_of_the_good_answers_while_hardly_any_start_is_a_miss() {
        assert!(is_near(starts(&[10.0; 995], 5, 0).mean(), 10.0));
        assert_eq!(starts(&[10.0; 980], 10, 10).mean(), None);
    }

    proptest! {
        /// A percentile keeps a limit exactly where the share of starts answered well in time is
        /// at least that of the percentile.
        #[test]
        fn a_reached_percentile_is_one_that_enough_starts_kept(
            well in prop::collection::vec(1.0..1000.0_f64, 0..60), missed in 0_u64..20,
            percent in 1_u32..100, limit in 1.0..1000.0_f64,
        ) {
            let share = f64::from(percent) / 100.0;
            let starts = starts(&well, missed, 0);
            let planned = starts.planned() as f64;
            let in_time = planned - starts.late_or_missed(|time| time >= limit) as f64;
            let is_kept = in_time + 1e-9 >= share * planned && planned > 0.0;
            prop_assert_eq!(starts.percentile(share).is_some_and(|time| time < limit), is_kept);
        }
    }
}
