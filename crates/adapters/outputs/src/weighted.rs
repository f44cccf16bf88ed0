//! Points that replace the samples of a window; each stands for several samples.
//!
//! A counter becomes one point with the sum, a gauge one with its last value, a rate one point
//! for its ones and one for its zeros, and a trend one point for each bucket. Points of rates and
//! trends say how many samples they stand for, so counts stay exact and distributions equal the
//! run's own.

use loadline_metrics::MetricValue;

use crate::catalog::Catalog;
use crate::frame::{Frame, Sample};

/// One point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WeightedPoint {
    pub(crate) value: f64,
    /// How many samples it stands for; `None` for a counter's sum and a gauge's last value.
    pub(crate) count: Option<u64>,
}

/// Calls `take` for each sample of a frame. For sums it calls it with the points that replace
/// their samples, at the end of the window.
pub(crate) fn each_point(
    frame: Frame,
    catalog: &Catalog,
    mut take: impl FnMut(Sample, Option<WeightedPoint>),
) {
    match frame {
        Frame::Samples(samples) => {
            for sample in samples {
                take(sample, None);
            }
        }
        Frame::Sums(sums) => {
            for (series, value) in &sums.series {
                let (metric, tags) = catalog.series(*series);
                for point in points(value) {
                    let sample = Sample {
                        metric,
                        tags,
                        at: sums.until,
                        value: point.value,
                    };
                    take(sample, Some(point));
                }
            }
        }
    }
}

/// The points of a value.
fn points(value: &MetricValue) -> Vec<WeightedPoint> {
    let whole = |value| WeightedPoint { value, count: None };
    let many = |value, count| WeightedPoint {
        value,
        count: Some(count),
    };
    match value {
        MetricValue::Counter(sum) => sum.iter().map(|sum| whole(sum.value())).collect(),
        MetricValue::Gauge(gauge) => gauge.iter().map(|gauge| whole(gauge.last)).collect(),
        MetricValue::Rate(rate) => [(1.0, rate.trues), (0.0, rate.total - rate.trues)]
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(value, count)| many(value, count))
            .collect(),
        MetricValue::Trend(trend) => {
            if let Some(values) = trend.raw() {
                return values.iter().map(|value| many(*value, 1)).collect();
            }
            let (min, max) = (trend.min(), trend.max());
            let buckets = trend.buckets().into_iter();
            buckets
                .map(|(bucket, count)| {
                    let middle = bucket.middle();
                    let held = match (min, max) {
                        (Some(min), Some(max)) => middle.clamp(min, max),
                        _ => middle,
                    };
                    many(held, count)
                })
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_metrics::{Histogram, RateValue};

    #[test]
    fn points_stand_for_every_sample() {
        let rate = MetricValue::Rate(RateValue {
            trues: 3,
            total: 10,
        });
        let expected = [
            WeightedPoint {
                value: 1.0,
                count: Some(3),
            },
            WeightedPoint {
                value: 0.0,
                count: Some(7),
            },
        ];
        assert_eq!(points(&rate), expected);

        let mut trend = Histogram::new();
        (1..=5000).for_each(|n| trend.record(f64::from(n)));
        let points = points(&MetricValue::Trend(trend));
        assert_eq!(
            points.iter().filter_map(|point| point.count).sum::<u64>(),
            5000
        );
        assert!(points.iter().all(|p| (1.0..=5000.0).contains(&p.value)));
    }
}
