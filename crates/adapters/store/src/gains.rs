//! What each series gained in a window, as bytes.
//!
//! Only series that changed are written, by ascending id; each id is the difference to the one
//! before. A distribution is a list of buckets, each with the difference of its index and its
//! count. Up to two values need no buckets: they are the minimum and the maximum. A *total* of up
//! to 256 values keeps the values themselves, so a stored run shows exactly what it showed when
//! it ended.

use loadline_metrics::{Bucket, GaugeValue, Histogram, MetricValue, RateValue, Sum};
use loadline_units::Time;

use crate::blob;
use crate::blob_error::BlobError;
use crate::varint::{self, Reader};

const COUNTER_TAG: u8 = 1;
const GAUGE_TAG: u8 = 2;
const RATE_TAG: u8 = 3;
const TREND_BUCKETS_TAG: u8 = 4;
const TREND_VALUES_TAG: u8 = 5;

/// How precisely a distribution of few values is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Buckets, for windows.
    Buckets,
    /// Single values where they are known, for totals.
    Values,
}

/// Writes gains one after another.
#[derive(Debug)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    detail: Detail,
    last: u32,
}

impl Writer {
    /// Starts with a capacity of `room` bytes.
    pub(crate) fn new(detail: Detail, room: usize) -> Self {
        Self {
            bytes: blob::buffer(room),
            detail,
            last: 0,
        }
    }

    /// Appends what a series gained. Ids must ascend; an empty value is left out.
    pub(crate) fn put(&mut self, series: u32, value: &MetricValue) {
        if value.is_empty() {
            return;
        }
        varint::put(&mut self.bytes, u64::from(series.wrapping_sub(self.last)));
        self.last = series;
        put_value(&mut self.bytes, value, self.detail);
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads gains one after another.
#[derive(Debug)]
pub(crate) struct Gains<'a> {
    reader: Reader<'a>,
    last: u32,
}

impl<'a> Gains<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            reader: Reader::new(bytes),
            last: 0,
        }
    }

    fn read(&mut self) -> Result<(u32, MetricValue), BlobError> {
        let id = self.last.wrapping_add(self.reader.small()?);
        self.last = id;
        Ok((id, read_value(&mut self.reader)?))
    }
}

impl Iterator for Gains<'_> {
    type Item = Result<(u32, MetricValue), BlobError>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.reader.is_empty()).then(|| {
            let gain = self.read();
            if gain.is_err() {
                self.reader = Reader::new(&[]); // what follows means nothing any more
            }
            gain
        })
    }
}

fn put_value(to: &mut Vec<u8>, value: &MetricValue, detail: Detail) {
    match value {
        MetricValue::Counter(sum) => {
            to.push(COUNTER_TAG);
            put_sum(to, sum.unwrap_or_default());
        }
        MetricValue::Gauge(gauge) => {
            to.push(GAUGE_TAG);
            let gauge = gauge.unwrap_or(GaugeValue {
                last: 0.0,
                at: Time::ZERO,
                min: 0.0,
                max: 0.0,
            });
            varint::put(to, gauge.at.as_nanos());
            for number in [gauge.last, gauge.min, gauge.max] {
                varint::put_float(to, number);
            }
        }
        MetricValue::Rate(rate) => {
            to.push(RATE_TAG);
            varint::put(to, rate.trues);
            varint::put(to, rate.total);
        }
        MetricValue::Trend(histogram) => put_trend(to, histogram, detail),
    }
}

fn put_sum(to: &mut Vec<u8>, sum: Sum) {
    let (high, low) = sum.parts();
    varint::put_float(to, high);
    varint::put_float(to, low);
}

fn put_trend(to: &mut Vec<u8>, histogram: &Histogram, detail: Detail) {
    let (Some(min), Some(max)) = (histogram.min(), histogram.max()) else {
        return;
    };
    let values = match (histogram.raw(), histogram.count()) {
        (Some(_), 1) => Some(vec![min]),
        (Some(_), 2) => Some(vec![min, max]),
        (Some(raw), _) if detail == Detail::Values => Some(raw.to_vec()),
        _ => None,
    };
    if let Some(values) = values {
        to.push(TREND_VALUES_TAG);
        varint::put(to, values.len() as u64);
        for value in values {
            varint::put_float(to, value);
        }
        return;
    }
    to.push(TREND_BUCKETS_TAG);
    put_sum(to, histogram.exact_sum());
    varint::put_float(to, min);
    varint::put_float(to, max);
    let buckets = histogram.buckets();
    varint::put(to, buckets.len() as u64);
    let mut last = 0_i64;
    for (bucket, count) in buckets {
        let index = i64::from(bucket.index());
        varint::put_signed(to, index - last);
        varint::put(to, count);
        last = index;
    }
}

fn read_value(reader: &mut Reader<'_>) -> Result<MetricValue, BlobError> {
    Ok(match reader.byte()? {
        COUNTER_TAG => MetricValue::Counter(Some(read_sum(reader)?)),
        GAUGE_TAG => {
            let at = Time::from_nanos(reader.number()?);
            let (last, min, max) = (reader.float()?, reader.float()?, reader.float()?);
            MetricValue::Gauge(Some(GaugeValue { last, at, min, max }))
        }
        RATE_TAG => MetricValue::Rate(RateValue {
            trues: reader.number()?,
            total: reader.number()?,
        }),
        TREND_VALUES_TAG => {
            let mut values = Vec::new();
            for _ in 0..reader.count()? {
                values.push(finite(reader.float()?)?);
            }
            MetricValue::Trend(Histogram::from_values(&values))
        }
        TREND_BUCKETS_TAG => {
            let sum = read_sum(reader)?;
            let (min, max) = (finite(reader.float()?)?, finite(reader.float()?)?);
            let (mut last, mut total, mut buckets) = (0_i64, 0_u64, Vec::new());
            for _ in 0..reader.count()? {
                last = last
                    .checked_add(reader.signed()?)
                    .ok_or(BlobError::Number)?;
                let index = i32::try_from(last).map_err(|_| BlobError::Number)?;
                let bucket = Bucket::numbered(index).ok_or(BlobError::Number)?;
                let count = reader.number()?;
                total = total.checked_add(count).ok_or(BlobError::Number)?;
                buckets.push((bucket, count));
            }
            MetricValue::Trend(Histogram::from_buckets(buckets, sum, min, max))
        }
        _ => return Err(BlobError::Content),
    })
}

fn read_sum(reader: &mut Reader<'_>) -> Result<Sum, BlobError> {
    Ok(Sum::from_parts(reader.float()?, reader.float()?))
}

fn finite(value: f64) -> Result<f64, BlobError> {
    value.is_finite().then_some(value).ok_or(BlobError::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_metrics::Kind;
    use proptest::prelude::*;

    fn trend(values: &[f64]) -> MetricValue {
        MetricValue::Trend(Histogram::from_values(values))
    }

    fn round_trip(gains: &[(u32, MetricValue)], detail: Detail) -> Vec<(u32, MetricValue)> {
        let mut writer = Writer::new(detail, 0);
        for (series, value) in gains {
            writer.put(*series, value);
        }
        let bytes = writer.into_bytes();
        Gains::new(&bytes).collect::<Result<_, _>>().unwrap()
    }

    fn histogram(value: &MetricValue) -> &Histogram {
        match value {
            MetricValue::Trend(histogram) => histogram,
            _ => panic!("a trend"),
        }
    }

    proptest! {
        /// Windows that are stored one by one and then merged give the distribution of all
        /// samples, wherever the window bounds lie.
        #[test]
        fn windows_stored_and_merged_are_one_histogram_of_all_samples(
            windows in proptest::collection::vec(
                proptest::collection::vec(0.0_f64..10_000.0, 0..400), 1..8),
        ) {
            let mut all = Histogram::new();
            let mut merged = Histogram::new();
            for window in &windows {
                window.iter().for_each(|v| all.record(*v));
                for (_, value) in round_trip(&[(3, trend(window))], Detail::Buckets) {
                    merged.merge(histogram(&value));
                }
            }
            prop_assert_eq!(all.buckets(), merged.buckets());
            prop_assert_eq!(all.count(), merged.count());
            prop_assert_eq!((all.min(), all.max()), (merged.min(), merged.max()));
            let mut sorted: Vec<f64> = windows.concat();
            sorted.sort_by(f64::total_cmp);
            for share in [0.0, 0.5, 0.9, 0.95, 0.99, 1.0] {
                let Some(found) = merged.percentile(share) else { continue };
                let place = share * (sorted.len() - 1) as f64;
                #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
                let at = |place: f64| sorted[place as usize];
                let below = at(place.floor());
                let above = at(place.ceil());
                let exact = below + (above - below) * place.fract();
                prop_assert!((found - exact).abs() <= exact.abs() * 0.002 + 1e-12, "{found} {exact}");
            }
        }
    }

    #[test]
    fn all_kinds_come_back_under_their_series() {
        let mut values = Vec::new();
        for kind in [Kind::Counter, Kind::Gauge, Kind::Rate, Kind::Trend] {
            let mut value = MetricValue::empty(kind);
            value.record(0.1, Time::from_nanos(7));
            value.record(2.5, Time::from_nanos(9));
            values.push(value);
        }
        let gains: Vec<(u32, MetricValue)> = [2, 3, 700, 70_000].into_iter().zip(values).collect();
        let read = round_trip(&gains, Detail::Buckets);
        assert_eq!(format!("{read:?}"), format!("{gains:?}"));
    }

    #[test]
    fn totals_of_few_values_keep_them() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.37).collect();
        let read = round_trip(&[(0, trend(&values))], Detail::Values);
        assert_eq!(histogram(&read[0].1).raw(), Some(values.as_slice()));
    }

    #[test]
    fn a_series_without_samples_is_left_out() {
        assert!(round_trip(&[(1, MetricValue::empty(Kind::Trend))], Detail::Values).is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            for gain in Gains::new(&bytes) {
                let _ = gain;
            }
        }
    }
}
