//! What the samples of one series, sub-metric or metric add up to.

use loadline_units::Time;

use crate::histogram::Histogram;
use crate::kind::Kind;
use crate::sum::Sum;

/// A gauge: the latest value and the extremes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaugeValue {
    /// The latest value.
    pub last: f64,
    /// When it was recorded.
    pub at: Time,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

/// A rate: how many samples there were and how many were not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RateValue {
    /// Samples that were not zero.
    pub trues: u64,
    /// All samples.
    pub total: u64,
}

impl RateValue {
    /// The share of samples that were not zero; none without samples.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.total > 0).then(|| self.trues as f64 / self.total as f64)
    }
}

/// What samples add up to. A variant's presence says nothing about samples: see
/// [`MetricValue::is_empty`].
#[derive(Debug, Clone)]
pub enum MetricValue {
    /// The sum; `None` before the first sample.
    Counter(Option<Sum>),
    /// The latest and the extremes; `None` before the first sample.
    Gauge(Option<GaugeValue>),
    /// Samples and those not zero.
    Rate(RateValue),
    /// The distribution.
    Trend(Histogram),
}

impl MetricValue {
    /// No samples of a metric of this kind.
    #[must_use]
    pub const fn empty(kind: Kind) -> Self {
        match kind {
            Kind::Counter => Self::Counter(None),
            Kind::Gauge => Self::Gauge(None),
            Kind::Rate => Self::Rate(RateValue { trues: 0, total: 0 }),
            Kind::Trend => Self::Trend(Histogram::new()),
        }
    }

    /// The kind of metric this belongs to.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Counter(_) => Kind::Counter,
            Self::Gauge(_) => Kind::Gauge,
            Self::Rate(_) => Kind::Rate,
            Self::Trend(_) => Kind::Trend,
        }
    }

    /// Whether there was no sample yet.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        match self {
            Self::Counter(sum) => sum.is_none(),
            Self::Gauge(gauge) => gauge.is_none(),
            Self::Rate(rate) => rate.total == 0,
            Self::Trend(histogram) => histogram.is_empty(),
        }
    }

    /// Adds one finite sample taken at `now`.
    #[inline]
    pub fn record(&mut self, sample: f64, now: Time) {
        match self {
            Self::Trend(histogram) => histogram.record(sample),
            Self::Counter(sum) => sum.get_or_insert_default().add(sample),
            Self::Rate(rate) => {
                rate.total += 1;
                rate.trues += u64::from(sample != 0.0);
            }
            Self::Gauge(gauge) => {
                let gauge = gauge.get_or_insert(GaugeValue {
                    last: sample,
                    at: now,
                    min: sample,
                    max: sample,
                });
                gauge.last = sample;
                gauge.at = now;
                gauge.min = gauge.min.min(sample);
                gauge.max = gauge.max.max(sample);
            }
        }
    }

    /// Adds the samples of `other`. The order of merges does not matter: of two gauges
    /// the later `last` wins, at the same instant the greater.
    ///
    /// # Panics
    /// When the two belong to metrics of different kinds.
    pub fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Self::Trend(mine), Self::Trend(theirs)) => mine.merge(theirs),
            (Self::Counter(mine), Self::Counter(Some(theirs))) => {
                mine.get_or_insert_default().merge(*theirs);
            }
            (Self::Rate(mine), Self::Rate(theirs)) => {
                mine.trues += theirs.trues;
                mine.total += theirs.total;
            }
            (Self::Gauge(mine), Self::Gauge(Some(theirs))) => merge_gauges(mine, *theirs),
            (Self::Counter(_), Self::Counter(None)) | (Self::Gauge(_), Self::Gauge(None)) => {}
            (mine, theirs) => panic!("a {} cannot hold a {}", mine.kind(), theirs.kind()),
        }
    }

    /// What is left without `part`, whose samples are among this one's. A gauge keeps its latest
    /// value and its extremes, which no part can be taken from.
    ///
    /// # Panics
    /// When the two belong to metrics of different kinds.
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        match (self, part) {
            (Self::Trend(all), Self::Trend(part)) => Self::Trend(all.without(part)),
            (Self::Counter(Some(all)), Self::Counter(Some(part))) => {
                Self::Counter(Some(all.without(*part)))
            }
            (Self::Rate(all), Self::Rate(part)) => Self::Rate(RateValue {
                trues: all.trues.saturating_sub(part.trues),
                total: all.total.saturating_sub(part.total),
            }),
            (Self::Counter(all), Self::Counter(_)) => Self::Counter(*all),
            (Self::Gauge(all), Self::Gauge(_)) => Self::Gauge(*all),
            (all, part) => panic!("a {} holds no {}", all.kind(), part.kind()),
        }
    }

    /// [`MetricValue::merge`] that takes over `other`'s memory when this one is empty.
    ///
    /// # Panics
    /// When the two belong to metrics of different kinds.
    pub fn absorb(&mut self, other: Self) {
        match (self, other) {
            (Self::Trend(mine), Self::Trend(theirs)) => mine.absorb(theirs),
            (mine, theirs) => mine.merge(&theirs),
        }
    }
}

fn merge_gauges(mine: &mut Option<GaugeValue>, theirs: GaugeValue) {
    let Some(mine) = mine else {
        *mine = Some(theirs);
        return;
    };
    if (theirs.at, theirs.last) > (mine.at, mine.last) {
        mine.at = theirs.at;
        mine.last = theirs.last;
    }
    mine.min = mine.min.min(theirs.min);
    mine.max = mine.max.max(theirs.max);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(kind: Kind, samples: &[(f64, u64)]) -> MetricValue {
        let mut value = MetricValue::empty(kind);
        for (sample, at) in samples {
            value.record(*sample, Time::from_nanos(*at));
        }
        value
    }

    #[test]
    fn a_rate_counts_what_is_not_zero() {
        let MetricValue::Rate(rate) =
            recorded(Kind::Rate, &[(1.0, 0), (0.0, 0), (-2.0, 0), (0.0, 0)])
        else {
            unreachable!()
        };
        assert_eq!(rate, RateValue { trues: 2, total: 4 });
        assert_eq!(rate.share(), Some(0.5));
    }

    #[test]
    fn of_two_gauges_the_later_value_wins_in_either_order() {
        let early = recorded(Kind::Gauge, &[(9.0, 1), (3.0, 5)]);
        let late = recorded(Kind::Gauge, &[(4.0, 7)]);
        for (first, second) in [(&early, &late), (&late, &early)] {
            let mut merged = MetricValue::empty(Kind::Gauge);
            merged.merge(first);
            merged.merge(second);
            let MetricValue::Gauge(Some(gauge)) = merged else {
                unreachable!()
            };
            assert_eq!((gauge.last, gauge.min, gauge.max), (4.0, 3.0, 9.0));
        }
    }

    #[test]
    fn what_is_left_without_a_part_is_what_the_rest_adds_up_to() {
        let (some, rest) = ([(5.0, 0), (0.0, 1)], [(1.0, 2), (7.0, 3), (0.0, 4)]);
        for kind in [Kind::Counter, Kind::Rate, Kind::Trend] {
            let mut all = recorded(kind, &some);
            all.merge(&recorded(kind, &rest));
            let left = all.without(&recorded(kind, &some));
            match (left, recorded(kind, &rest)) {
                (MetricValue::Counter(left), MetricValue::Counter(rest)) => {
                    assert_eq!(left.map(Sum::value), rest.map(Sum::value));
                }
                (MetricValue::Rate(left), MetricValue::Rate(rest)) => assert_eq!(left, rest),
                (MetricValue::Trend(left), MetricValue::Trend(rest)) => {
                    assert_eq!(left.count(), rest.count());
                    assert_eq!(left.percentile(0.5), rest.percentile(0.5));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_counter_of_zeros_is_not_empty() {
        assert!(!recorded(Kind::Counter, &[(0.0, 0)]).is_empty());
        assert!(MetricValue::empty(Kind::Counter).is_empty());
    }
}
