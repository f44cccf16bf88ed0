//! Frames: samples or sums as bytes, which wait for a receiver.
//!
//! Frames never outlive the process, so only this module knows their format. Metrics, tag sets
//! and series are numbers of the [`crate::catalog`]; times are times of day.

use loadline_metrics::{Bucket, GaugeValue, Histogram, MetricValue, RateValue, Sum};
use loadline_units::Time;

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sample {
    pub(crate) metric: u32,
    pub(crate) tags: u32,
    /// Nanoseconds since 1970.
    pub(crate) at: i64,
    pub(crate) value: f64,
}

/// What series gained in one or more windows.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    /// When the time they cover begins, in nanoseconds since 1970.
    pub(crate) from: i64,
    /// When it ends.
    pub(crate) until: i64,
    /// By series.
    pub(crate) series: Vec<(u32, MetricValue)>,
}

/// What is delivered in one piece.
#[derive(Debug, Clone)]
pub(crate) enum Frame {
    /// Every sample of a window.
    Samples(Vec<Sample>),
    /// Sums.
    Sums(Sums),
}

const SAMPLES: u8 = 1;
const SUMS: u8 = 2;
const SAMPLE_BYTES: usize = 24;

/// The length of a frame of `count` samples, in bytes.
pub(crate) const fn samples_len(count: u64) -> u64 {
    1 + count * SAMPLE_BYTES as u64
}

/// Encodes samples as a frame.
pub(crate) fn encode_samples(samples: impl Iterator<Item = Sample>, count: u64) -> Vec<u8> {
    let room = usize::try_from(samples_len(count)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(room);
    bytes.push(SAMPLES);
    for sample in samples {
        bytes.extend_from_slice(&sample.metric.to_le_bytes());
        bytes.extend_from_slice(&sample.tags.to_le_bytes());
        bytes.extend_from_slice(&sample.at.to_le_bytes());
        bytes.extend_from_slice(&sample.value.to_le_bytes());
    }
    bytes
}

/// Encodes sums as a frame.
pub(crate) fn encode_sums(sums: &Sums) -> Vec<u8> {
    let mut out = Writer(vec![SUMS]);
    out.long(sums.from.cast_unsigned());
    out.long(sums.until.cast_unsigned());
    out.short(sums.series.len());
    for (series, value) in &sums.series {
        out.word(*series);
        out.value(value);
    }
    out.0
}

struct Writer(Vec<u8>);

impl Writer {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn word(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn short(&mut self, count: usize) {
        self.word(u32::try_from(count).expect("fewer than 2^32 of anything"));
    }

    fn long(&mut self, long: u64) {
        self.0.extend_from_slice(&long.to_le_bytes());
    }

    fn float(&mut self, float: f64) {
        self.long(float.to_bits());
    }

    fn sum(&mut self, sum: Sum) {
        let (high, low) = sum.parts();
        self.float(high);
        self.float(low);
    }

    fn value(&mut self, value: &MetricValue) {
        match value {
            MetricValue::Counter(sum) => {
                self.byte(0);
                self.sum(sum.unwrap_or_default());
            }
            MetricValue::Gauge(gauge) => {
                self.byte(1);
                self.byte(u8::from(gauge.is_some()));
                if let Some(gauge) = gauge {
                    self.float(gauge.last);
                    self.long(gauge.at.as_nanos());
                    self.float(gauge.min);
                    self.float(gauge.max);
                }
            }
            MetricValue::Rate(rate) => {
                self.byte(2);
                self.long(rate.trues);
                self.long(rate.total);
            }
            MetricValue::Trend(trend) => match trend.raw() {
                Some(values) => {
                    self.byte(3);
                    self.short(values.len());
                    values.iter().for_each(|value| self.float(*value));
                }
                None => self.buckets(trend),
            },
        }
    }

    fn buckets(&mut self, trend: &Histogram) {
        self.byte(4);
        self.sum(trend.exact_sum());
        self.float(trend.min().unwrap_or_default());
        self.float(trend.max().unwrap_or_default());
        let buckets = trend.buckets();
        self.short(buckets.len());
        for (bucket, count) in buckets {
            self.word(bucket.index().cast_unsigned());
            self.long(count);
        }
    }
}

/// Decodes a frame; `None` if the bytes are none.
pub(crate) fn decode(bytes: &[u8]) -> Option<Frame> {
    let mut reader = Reader(bytes);
    match reader.byte()? {
        SAMPLES => {
            let (samples, rest) = reader.0.as_chunks::<SAMPLE_BYTES>();
            rest.is_empty().then(|| {
                let samples = samples.iter().filter_map(sample);
                Frame::Samples(samples.collect())
            })
        }
        SUMS => {
            let from = reader.long()?.cast_signed();
            let until = reader.long()?.cast_signed();
            let count = reader.word()?;
            let mut series = Vec::new();
            for _ in 0..count {
                series.push((reader.word()?, reader.value()?));
            }
            Some(Frame::Sums(Sums {
                from,
                until,
                series,
            }))
        }
        _ => None,
    }
}

fn sample(bytes: &[u8; SAMPLE_BYTES]) -> Option<Sample> {
    let mut reader = Reader(bytes);
    Some(Sample {
        metric: reader.word()?,
        tags: reader.word()?,
        at: reader.long()?.cast_signed(),
        value: reader.float()?,
    })
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn float(&mut self) -> Option<f64> {
        self.long().map(f64::from_bits)
    }

    fn sum(&mut self) -> Option<Sum> {
        Some(Sum::from_parts(self.float()?, self.float()?))
    }

    fn value(&mut self) -> Option<MetricValue> {
        Some(match self.byte()? {
            0 => MetricValue::Counter(Some(self.sum()?)),
            1 => MetricValue::Gauge(match self.byte()? {
                0 => None,
                _ => Some(GaugeValue {
                    last: self.float()?,
                    at: Time::from_nanos(self.long()?),
                    min: self.float()?,
                    max: self.float()?,
                }),
            }),
            2 => MetricValue::Rate(RateValue {
                trues: self.long()?,
                total: self.long()?,
            }),
            3 => {
                let mut values = Vec::new();
                for _ in 0..self.word()? {
                    values.push(self.float()?);
                }
                MetricValue::Trend(Histogram::from_values(&values))
            }
            4 => {
                let sum = self.sum()?;
                let (min, max) = (self.float()?, self.float()?);
                let mut buckets = Vec::new();
                for _ in 0..self.word()? {
                    let bucket = Bucket::numbered(self.word()?.cast_signed())?;
                    buckets.push((bucket, self.long()?));
                }
                MetricValue::Trend(Histogram::from_buckets(buckets, sum, min, max))
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_back_as_they_went_in() {
        let samples = [
            Sample {
                metric: 3,
                tags: 9,
                at: -5,
                value: 1.5,
            },
            Sample {
                metric: 0,
                tags: 0,
                at: i64::MAX,
                value: -0.0,
            },
        ];
        let bytes = encode_samples(samples.into_iter(), 2);
        assert_eq!(bytes.len() as u64, samples_len(2));
        let Some(Frame::Samples(back)) = decode(&bytes) else {
            panic!("samples expected");
        };
        assert_eq!(back, samples);
    }

    #[test]
    fn sums_of_every_kind_come_back_as_they_went_in() {
        let mut large = Histogram::new();
        (0..1000).for_each(|n| large.record(f64::from(n) * 0.37));
        let mut sum = Sum::default();
        sum.add(0.1);
        sum.add(1e17);
        let series = vec![
            (0, MetricValue::Counter(Some(sum))),
            (
                1,
                MetricValue::Gauge(Some(GaugeValue {
                    last: 2.0,
                    at: Time::from_nanos(7),
                    min: 1.0,
                    max: 3.0,
                })),
            ),
            (2, MetricValue::Gauge(None)),
            (3, MetricValue::Rate(RateValue { trues: 2, total: 5 })),
            (4, MetricValue::Trend(Histogram::from_values(&[1.0, 2.5]))),
            (5, MetricValue::Trend(large)),
        ];
        let sums = Sums {
            from: 10,
            until: 20,
            series,
        };
        let bytes = encode_sums(&sums);
        let Some(Frame::Sums(back)) = decode(&bytes) else {
            panic!("sums expected");
        };
        assert_eq!(encode_sums(&back), bytes);
        assert_eq!((back.from, back.until), (10, 20));
        let MetricValue::Trend(trend) = &back.series[5].1 else {
            panic!("a trend expected");
        };
        assert_eq!(trend.count(), 1000);
    }

    #[test]
    fn what_is_cut_off_is_no_frame() {
        let bytes = encode_sums(&Sums {
            from: 0,
            until: 1,
            series: vec![(0, MetricValue::Rate(RateValue { trues: 1, total: 1 }))],
        });
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).is_none(), "{end}");
        }
    }
}
