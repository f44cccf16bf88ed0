//! Prometheus remote write: the totals of each series, window by window.
//!
//! Names, units and suffixes are k6's. A series has one sample for each window in which it
//! changed, at the window's end, with the total up to then. So `rate()` works on it, and a
//! delayed window appears at its own time.

pub(crate) mod message;
mod native;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_metrics::{Histogram, MetricDef, MetricValue, ValueType};
use loadline_net::{NetworkSettings, Url};
use prost::Message;
use rustc_hash::FxHashMap;

use crate::catalog::Catalog;
use crate::config::prometheus::{PrometheusRw, TrendStat};
use crate::frame::{Frame, Sums};
use crate::post::Poster;
use crate::sink::{Sink, Tally};
use message::{Label, Sample, TimeSeries, WriteRequest};

/// The timeout of a write (k6's).
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// The highest number of series in one request.
const REQUEST_SERIES_MAX: usize = 5000;

/// The staleness marker: a NaN with these bits says that a series has ended.
const STALE_MARKER_BITS: u64 = 0x7ff0_0000_0000_0002;

/// Writes series.
pub(crate) struct PrometheusSink {
    poster: Poster,
    url: Url,
    fields: Vec<(String, String)>,
    config: PrometheusRw,
    series: FxHashMap<u32, Series>,
    /// By series and suffix: what is still to be sent.
    pending: BTreeMap<(u32, usize), TimeSeries>,
    /// When the oldest of `pending` was added.
    since: Option<i64>,
    /// The last window's end.
    until: i64,
    bodies: Vec<(Bytes, u64)>,
    is_marked: bool,
    tally: Tally,
}

struct Series {
    value: MetricValue,
    /// Time of the last sample, ms.
    last: i64,
    /// Labels by suffix.
    labels: Vec<Vec<Label>>,
}

impl PrometheusSink {
    pub(crate) fn new(config: &PrometheusRw, settings: Arc<NetworkSettings>) -> Self {
        let mut fields = config.fields.clone();
        fields.extend(
            [
                ("User-Agent", "k6-prometheus-rw-output"),
                ("Content-Encoding", "snappy"),
                ("Content-Type", "application/x-protobuf"),
                ("X-Prometheus-Remote-Write-Version", "0.1.0"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        Self {
            poster: Poster::new(settings, WRITE_TIMEOUT),
            url: config.url.clone(),
            fields,
            config: config.clone(),
            series: FxHashMap::default(),
            pending: BTreeMap::new(),
            since: None,
            until: 0,
            bodies: Vec::new(),
            is_marked: false,
            tally: Tally::default(),
        }
    }

    fn add(&mut self, sums: &Sums, id: u32, gain: &MetricValue, catalog: &Catalog) {
        let (metric, tags) = catalog.series(id);
        let def = catalog.metric(metric);
        let suffixes = self.config.suffixes(def);
        let series = self.series.entry(id).or_insert_with(|| Series {
            value: MetricValue::empty(gain.kind()),
            last: i64::MIN,
            labels: suffixes
                .iter()
                .map(|suffix| labels(&def.name, suffix, catalog.tags(tags)))
                .collect(),
        });
        series.value.merge(gain);
        series.last = (sums.until / 1_000_000).max(series.last.saturating_add(1));
        let timestamp = series.last;
        let points = self.config.points(def, &series.value, timestamp);
        for (place, point) in points.into_iter().enumerate() {
            let entry = self.pending.entry((id, place));
            let pending = entry.or_insert_with(|| TimeSeries {
                labels: series.labels[place].clone(),
                samples: Vec::new(),
                histograms: Vec::new(),
            });
            match point {
                Point::Number(value) => pending.samples.push(Sample { value, timestamp }),
                Point::Histogram(native) => pending.histograms.push(*native),
            }
        }
    }

    fn is_due(&self) -> bool {
        let interval = i64::try_from(self.config.push_interval.as_nanos()).unwrap_or(i64::MAX);
        self.since
            .is_some_and(|since| self.until - since >= interval)
    }

    fn close_bodies(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let series: Vec<TimeSeries> = pending.into_values().collect();
        self.put_bodies(&series);
        self.since = None;
    }

    fn put_bodies(&mut self, series: &[TimeSeries]) {
        for part in series.chunks(REQUEST_SERIES_MAX) {
            let points = part
                .iter()
                .map(|series| series.samples.len() + series.histograms.len())
                .sum::<usize>() as u64;
            let request = WriteRequest {
                timeseries: part.to_vec(),
            };
            let body = snappy(&request.encode_to_vec());
            self.bodies.push((body, points));
        }
    }

    /// Sends staleness markers for all series.
    fn mark_stale(&mut self) {
        let mut series = Vec::new();
        for known in self.series.values() {
            let timestamp = (self.until / 1_000_000).max(known.last) + 1;
            series.extend(known.labels.iter().map(|labels| TimeSeries {
                labels: labels.clone(),
                samples: vec![Sample {
                    value: f64::from_bits(STALE_MARKER_BITS),
                    timestamp,
                }],
                histograms: Vec::new(),
            }));
        }
        self.put_bodies(&series);
    }
}

impl Sink for PrometheusSink {
    fn take(&mut self, frame: Frame, catalog: &Catalog) {
        // This output asks for sums and gets no samples.
        let Frame::Sums(sums) = frame else {
            return;
        };
        self.since.get_or_insert(sums.from);
        self.until = self.until.max(sums.until);
        for (id, gain) in &sums.series {
            self.add(&sums, *id, gain, catalog);
        }
    }

    fn flush(&mut self, all: bool) -> Result<(), String> {
        if self.bodies.is_empty() && (all || self.is_due()) {
            self.close_bodies();
        }
        if all && self.config.stale_markers && !self.is_marked {
            self.is_marked = true;
            self.mark_stale();
        }
        while let Some((body, points)) = self.bodies.first().cloned() {
            let answer = self.poster.post(&self.url, &self.fields, body)?;
            if answer.is_taken() {
                self.tally.points += points;
            } else if answer.may_change() {
                return Err(answer.words());
            } else {
                self.tally.refuse(points, answer.words());
            }
            self.bodies.remove(0);
        }
        Ok(())
    }

    fn pending(&self) -> u64 {
        {
            let open = self
                .pending
                .values()
                .map(|series| series.samples.len() + series.histograms.len());
            open.sum::<usize>() as u64 + self.bodies.iter().map(|(_, points)| points).sum::<u64>()
        }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// One number or distribution of a series.
enum Point {
    Number(f64),
    Histogram(Box<message::Histogram>),
}

impl PrometheusRw {
    /// The suffixes of the series that a metric becomes.
    fn suffixes(&self, def: &MetricDef) -> Vec<String> {
        use loadline_metrics::Kind;
        match def.kind {
            Kind::Counter => vec!["_total".to_owned()],
            Kind::Gauge => vec![String::new()],
            Kind::Rate => vec!["_rate".to_owned()],
            Kind::Trend if self.native_histograms => vec![match def.contains {
                ValueType::Time => "_seconds".to_owned(),
                ValueType::Data => "_bytes".to_owned(),
                ValueType::Default => String::new(),
            }],
            Kind::Trend => {
                let stats = self.trend_stats.iter();
                stats.map(|(name, _)| format!("_{name}")).collect()
            }
        }
    }

    /// The present value for each suffix.
    fn points(&self, def: &MetricDef, value: &MetricValue, timestamp: i64) -> Vec<Point> {
        let scale = match def.contains {
            ValueType::Time => 0.001,
            ValueType::Data | ValueType::Default => 1.0,
        };
        match value {
            MetricValue::Counter(sum) => vec![Point::Number(sum.map_or(0.0, |sum| sum.value()))],
            MetricValue::Gauge(gauge) => vec![Point::Number(gauge.map_or(0.0, |gauge| gauge.last))],
            MetricValue::Rate(rate) => vec![Point::Number(rate.share().unwrap_or_default())],
            MetricValue::Trend(trend) if self.native_histograms => {
                let native = native::histogram(trend, scale, timestamp);
                vec![Point::Histogram(Box::new(native))]
            }
            MetricValue::Trend(trend) => {
                let stats = self.trend_stats.iter();
                stats
                    .map(|(_, stat)| Point::Number(stat_of(trend, *stat, scale)))
                    .collect()
            }
        }
    }
}

/// The value of a statistic. k6 divides every statistic of a time by 1000, even the count; we do
/// not divide the count.
fn stat_of(trend: &Histogram, stat: TrendStat, scale: f64) -> f64 {
    let value = match stat {
        TrendStat::Count => return trend.count() as f64,
        TrendStat::Avg => trend.mean(),
        TrendStat::Min => trend.min(),
        TrendStat::Max => trend.max(),
        TrendStat::Sum => Some(trend.sum()),
        TrendStat::Percentile(share) => trend.percentile(share),
    };
    value.unwrap_or_default() * scale
}

/// The sorted labels of a series, without those that have no value.
fn labels(metric: &str, suffix: &str, tags: &[(Box<str>, Box<str>)]) -> Vec<Label> {
    let mut labels: Vec<Label> = tags
        .iter()
        .filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .map(|(key, value)| Label {
            name: label_name(key),
            value: (**value).to_owned(),
        })
        .collect();
    labels.push(Label {
        name: "__name__".to_owned(),
        value: format!("k6_{metric}{suffix}"),
    });
    labels.sort_by(|one, other| one.name.cmp(&other.name));
    labels.dedup_by(|next, kept| next.name == kept.name);
    labels
}

/// Receivers reject names with characters other than letters, digits and `_`.
fn label_name(key: &str) -> String {
    let mut name: String = key
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

/// Snappy's block format.
fn snappy(bytes: &[u8]) -> Bytes {
    let packed = snap::raw::Encoder::new().compress_vec(bytes);
    // Only inputs above 4 GiB fail; a part with 5,000 series is far smaller.
    packed.unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_ordered_named_as_receivers_take_them_and_never_empty() {
        let tags: Vec<(Box<str>, Box<str>)> = [("my-tag", "1"), ("group", ""), ("a", "x")]
            .map(|(key, value)| (key.into(), value.into()))
            .to_vec();
        let names: Vec<(String, String)> = labels("http_reqs", "_total", &tags)
            .into_iter()
            .map(|label| (label.name, label.value))
            .collect();
        let expected = [
            ("__name__", "k6_http_reqs_total"),
            ("a", "x"),
            ("my_tag", "1"),
        ];
        assert_eq!(
            names,
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }
}
