//! Distributions as Prometheus native histograms.
//!
//! Schema 3 has eight buckets per doubling, which is the resolution of k6's factor 1.1. Our
//! histograms have 256 buckets per doubling. Each of them is counted in the Prometheus bucket
//! that holds its middle, which is within 0.2 % of every value in it. Count and sum are exact.

use std::collections::BTreeMap;

use loadline_metrics::Histogram as Trend;

use super::message::{BucketSpan, Histogram};

/// The schema: 2^3 buckets per doubling.
const BUCKET_SCHEMA: i32 = 3;

/// Values closer to zero than this count as zero: Prometheus' default, 2^-128.
const ZERO_THRESHOLD: f64 = 2.938_735_877_055_719e-39;

/// A trend with its values multiplied by `scale` (0.001 converts milliseconds to seconds).
pub(crate) fn histogram(trend: &Trend, scale: f64, timestamp: i64) -> Histogram {
    let (mut negative, mut zeros, mut positive) = (BTreeMap::new(), 0, BTreeMap::new());
    let mut add = |value: f64, count: u64| {
        let size = value.abs();
        if size <= ZERO_THRESHOLD {
            zeros += count;
        } else if value > 0.0 {
            *positive.entry(place(size)).or_default() += count;
        } else {
            *negative.entry(place(size)).or_default() += count;
        }
    };
    match trend.raw() {
        Some(values) => values.iter().for_each(|value| add(value * scale, 1)),
        None => trend
            .buckets()
            .into_iter()
            .for_each(|(bucket, count)| add(bucket.middle() * scale, count)),
    }
    let (negative_spans, negative_deltas) = spans(&negative);
    let (positive_spans, positive_deltas) = spans(&positive);
    Histogram {
        count_int: Some(trend.count()),
        sum: trend.sum() * scale,
        schema: BUCKET_SCHEMA,
        zero_threshold: ZERO_THRESHOLD,
        zero_count_int: Some(zeros),
        negative_spans,
        negative_deltas,
        positive_spans,
        positive_deltas,
        timestamp,
    }
}

/// The bucket of a positive value: bucket i ends at 2^(i/8), inclusive.
fn place(size: f64) -> i32 {
    let place = (size.log2() * f64::from(1 << BUCKET_SCHEMA)).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "logarithms of doubles times eight are below 2^14"
    )]
    let place = place as i32;
    place
}

/// Spans of consecutive buckets, and each count as the difference to the one before.
fn spans(buckets: &BTreeMap<i32, u64>) -> (Vec<BucketSpan>, Vec<i64>) {
    let mut spans: Vec<BucketSpan> = Vec::new();
    let mut deltas = Vec::new();
    let mut next = 0;
    let mut before = 0_i64;
    for (place, count) in buckets {
        match spans.last_mut() {
            Some(span) if *place == next => span.length += 1,
            _ => spans.push(BucketSpan {
                offset: place - next,
                length: 1,
            }),
        }
        next = place + 1;
        let count = i64::try_from(*count).unwrap_or(i64::MAX);
        deltas.push(count - before);
        before = count;
    }
    (spans, deltas)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_a_bucket_that_holds_it() {
        let trend = Trend::from_values(&[0.0, 1.0, 1000.0, 1000.0, 2000.0, -500.0]);
        let native = histogram(&trend, 0.001, 7);
        assert_eq!(native.count_int, Some(6));
        assert_eq!(native.zero_count_int, Some(1));
        // 0.001 s is 2^-9.97: bucket -79. 1 s is the end of bucket 0; 2 s the end of bucket 8.
        let span = |offset, length| BucketSpan { offset, length };
        assert_eq!(
            native.positive_spans,
            [span(-79, 1), span(78, 1), span(7, 1)]
        );
        assert_eq!(native.positive_deltas, [1, 1, -1]);
        assert_eq!(native.negative_spans, [span(-8, 1)]);
        assert_eq!(native.negative_deltas, [1]);
    }

    #[test]
    fn buckets_next_to_each_other_share_a_span() {
        let buckets = BTreeMap::from([(2, 5), (3, 1), (7, 2)]);
        let (spans, deltas) = spans(&buckets);
        let expected = [
            BucketSpan {
                offset: 2,
                length: 2,
            },
            BucketSpan {
                offset: 3,
                length: 1,
            },
        ];
        assert_eq!(spans, expected);
        assert_eq!(deltas, [5, -4, 1]);
    }
}
