//! Distributions of which some values are only known to be at least so large.
//!
//! A request that was under way when the run ended would have taken longer than its age.
//! Such values are *right-censored*. A percentile then lies between two bounds, and no
//! model of the values that were not seen is needed: it is at least what it would be if
//! each censored value were its age, and at most what it would be if each were without end.
//! Where the two agree within one percent the percentile is known; else its lower bound is
//! what can be said.
//!
//! Why not the product-limit estimator of Kaplan and Meier (JASA 53, 1958):
//! `docs/decisions/censoring.md`.

use crate::histogram::Histogram;

/// Bounds that lie closer together than this share of the value are one value.
const SAME_SHARE_MAX: f64 = 0.01;

/// A distribution with right-censored values in it.
#[derive(Debug, Clone)]
pub struct Censored {
    /// Every value, a censored one as the least it can be.
    all: Histogram,
    /// The values that are not censored.
    exact: Histogram,
}

/// What is known of a statistic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueBounds {
    /// It is at least this.
    pub at_least: f64,
    /// It is at most this; `None` when nothing is known above.
    pub at_most: Option<f64>,
}

impl ValueBounds {
    /// Whether the bounds are so close that they are one value.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.at_most
            .is_some_and(|most| most - self.at_least <= self.at_least.abs() * SAME_SHARE_MAX)
    }

    /// Of a value that is known.
    #[must_use]
    pub const fn exactly(value: f64) -> Self {
        Self {
            at_least: value,
            at_most: Some(value),
        }
    }

    const fn at_least(value: f64) -> Self {
        Self {
            at_least: value,
            at_most: None,
        }
    }
}

impl Censored {
    /// Of values that are exact and, apart from them, values that are censored.
    #[must_use]
    pub fn joining(exact: &Histogram, censored: &Histogram) -> Self {
        let mut all = exact.clone();
        all.merge(censored);
        Self {
            all,
            exact: exact.clone(),
        }
    }

    /// Of all values, `censored` being those among them that are censored.
    #[must_use]
    pub fn within(all: &Histogram, censored: &Histogram) -> Self {
        Self {
            all: all.clone(),
            exact: all.without(censored),
        }
    }

    /// Every value, a censored one as the least it can be.
    #[must_use]
    pub fn all(&self) -> &Histogram {
        &self.all
    }

    /// How many values are censored.
    #[must_use]
    pub fn censored(&self) -> u64 {
        self.all.count() - self.exact.count()
    }

    /// The bounds of percentiles, by shares from 0 to 1; `None` without values.
    #[must_use]
    pub fn percentiles(&self, shares: &[f64]) -> Option<Vec<ValueBounds>> {
        let lows = self.all.percentiles(shares)?;
        if self.censored() == 0 {
            return Some(lows.into_iter().map(ValueBounds::exactly).collect());
        }
        let last = (self.all.count() - 1) as f64;
        let places: Vec<f64> = shares.iter().map(|share| share * last).collect();
        let highs = self.exact.at_places(&places);
        let both = lows.into_iter().zip(highs);
        Some(
            both.map(|(at_least, high)| ValueBounds {
                at_least,
                // Of more than 256 values a percentile is a bucket's middle.
                at_most: high.map(|high| high.max(at_least)),
            })
            .collect(),
        )
    }

    /// The bounds of one percentile.
    #[must_use]
    pub fn percentile(&self, share: f64) -> Option<ValueBounds> {
        self.percentiles(&[share]).map(|bounds| bounds[0])
    }

    /// The bounds of the mean.
    #[must_use]
    pub fn mean(&self) -> Option<ValueBounds> {
        self.all.mean().map(|mean| self.unless_censored(mean))
    }

    /// The bounds of the greatest value.
    #[must_use]
    pub fn max(&self) -> Option<ValueBounds> {
        self.all.max().map(|max| self.unless_censored(max))
    }

    fn unless_censored(&self, value: f64) -> ValueBounds {
        match self.censored() {
            0 => ValueBounds::exactly(value),
            _ => ValueBounds::at_least(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn histogram(values: &[f64]) -> Histogram {
        Histogram::from_values(values)
    }

    fn up_to(n: u32) -> Vec<f64> {
        (1..=n).map(f64::from).collect()
    }

    #[test]
    fn without_censored_values_every_statistic_is_known() {
        let plain = Censored::joining(&histogram(&up_to(10)), &Histogram::new());
        let p95 = plain.percentile(0.95).unwrap();
        assert!(p95.is_known());
        assert_eq!(Some(p95.at_least), histogram(&up_to(10)).percentile(0.95));
        assert!(plain.max().unwrap().is_known());
        assert_eq!(
            Censored::joining(&Histogram::new(), &Histogram::new()).mean(),
            None
        );
    }

    /// A server that answers some and then hangs.
    #[test]
    fn a_percentile_in_the_censored_part_is_at_least_the_age_there() {
        let hanging = vec![9_000.0; 456];
        let both = Censored::joining(&histogram(&[5.0; 599]), &histogram(&hanging));
        let p50 = both.percentile(0.5).unwrap();
        assert!(
            p50.is_known() && (p50.at_least - 5.0).abs() < 0.02,
            "{p50:?}"
        );
        let p95 = both.percentile(0.95).unwrap();
        assert_eq!(p95.at_most, None);
        assert!((p95.at_least - 9_000.0).abs() < 18.0, "{p95:?}");
        assert!(!both.max().unwrap().is_known());
        assert_eq!(both.censored(), 456);
    }

    #[test]
    fn one_young_request_at_the_end_does_not_spoil_what_is_known() {
        let both = Censored::joining(&histogram(&up_to(10_000)), &histogram(&[0.5]));
        assert!(both.percentile(0.5).unwrap().is_known());
        assert!(both.percentile(0.99).unwrap().is_known());
        assert!(
            !both.percentile(1.0).unwrap().is_known(),
            "it may be the longest"
        );
    }

    #[test]
    fn starts_dropped_at_once_leave_the_high_percentiles_open() {
        let both = Censored::joining(&histogram(&up_to(1_000)), &histogram(&[0.0; 100]));
        let p95 = both.percentile(0.95).unwrap();
        assert!(!p95.is_known() && p95.at_most.is_none(), "{p95:?}");
        let p50 = both.percentile(0.5).unwrap();
        assert!(
            p50.at_least < 455.0 && p50.at_most.unwrap() > 545.0,
            "{p50:?}"
        );
    }

    fn values() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(0.001..10_000.0_f64, 0..400)
    }

    proptest! {
        /// Whatever the censored values really were, the bounds hold them.
        #[test]
        fn the_truth_lies_between_the_bounds(
            exact in values(),
            ages in prop::collection::vec((0.001..10_000.0_f64, 1.0..50.0_f64), 1..300),
            share in 0.0..=1.0_f64,
        ) {
            let cut: Vec<f64> = ages.iter().map(|(age, _)| *age).collect();
            let longer = ages.iter().map(|(age, factor)| age * factor);
            let truth = histogram(&exact.iter().copied().chain(longer).collect::<Vec<_>>());
            let truth = truth.percentile(share).unwrap();
            let bounds = Censored::joining(&histogram(&exact), &histogram(&cut)).percentile(share).unwrap();
            prop_assert!(bounds.at_least <= truth * 1.004, "{bounds:?} {truth}");
            prop_assert!(bounds.at_most.is_none_or(|most| truth <= most * 1.004), "{bounds:?} {truth}");
        }

        /// It does not matter whether the censored values are kept apart or among all.
        #[test]
        fn joining_and_taking_away_come_to_the_same(
            exact in values(), cut in values(), share in 0.0..=1.0_f64,
        ) {
            let (exact, cut) = (histogram(&exact), histogram(&cut));
            let joined = Censored::joining(&exact, &cut);
            let within = Censored::within(joined.all(), &cut);
            prop_assert_eq!(joined.censored(), within.censored());
            prop_assert_eq!(within.exact.buckets(), exact.buckets());
            let (one, other) = (joined.percentile(share), within.percentile(share));
            prop_assert_eq!(one.map(|b| b.at_least), other.map(|b| b.at_least));
            prop_assert_eq!(
                one.is_some_and(|b| b.at_most.is_none()),
                other.is_some_and(|b| b.at_most.is_none())
            );
        }
    }
}
