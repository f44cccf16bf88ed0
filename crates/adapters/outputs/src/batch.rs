//! A window on its way to the outputs.

use std::sync::Arc;

use loadline_metrics::{MetricValue, RawPart, SeriesId, SeriesValue};
use loadline_units::Time;

use crate::catalog::{Additions, number, set_number};
use crate::frame::{Sample, Sums, encode_samples, encode_sums, samples_len};

/// Converts the run's clock to the time of day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WallClock {
    /// Nanoseconds since 1970 at the clock's origin.
    pub(crate) origin: i64,
}

impl WallClock {
    pub(crate) fn at(self, time: Time) -> i64 {
        let since = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        self.origin.saturating_add(since)
    }
}

/// One window, or a late part of one.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) new: Additions,
    pub(crate) wall: WallClock,
    pub(crate) from: i64,
    pub(crate) until: i64,
    pub(crate) raw: Vec<Arc<RawPart>>,
    pub(crate) series: Vec<(u32, MetricValue)>,
}

impl Batch {
    /// Number of single samples.
    pub(crate) fn samples(&self) -> u64 {
        self.raw.iter().map(|part| part.count()).sum()
    }

    /// Whether it holds all samples of its window.
    pub(crate) fn is_complete(&self) -> bool {
        self.raw.iter().all(|part| part.is_complete())
    }

    /// The length of its samples as a frame, in bytes.
    pub(crate) fn samples_len(&self) -> u64 {
        samples_len(self.samples())
    }

    /// Its samples as a frame.
    pub(crate) fn samples_frame(&self) -> Vec<u8> {
        let samples = self.raw.iter().flat_map(|part| part.samples());
        let samples = samples.map(|sample| Sample {
            metric: number(sample.metric),
            tags: set_number(sample.tags),
            at: self.wall.at(sample.at),
            value: sample.value,
        });
        encode_samples(samples, self.samples())
    }

    /// Its sums.
    pub(crate) fn sums(&self) -> Sums {
        Sums {
            from: self.from,
            until: self.until,
            series: self.series.clone(),
        }
    }

    /// Its sums as a frame.
    pub(crate) fn sums_frame(&self) -> Vec<u8> {
        encode_sums(&self.sums())
    }
}

/// Series by number.
pub(crate) fn numbered(series: &[SeriesValue]) -> Vec<(u32, MetricValue)> {
    let series = series.iter();
    series
        .map(|gain| (series_number(gain.series), gain.value.clone()))
        .collect()
}

fn series_number(series: SeriesId) -> u32 {
    u32::try_from(series.index()).expect("ids have 32 bits")
}
