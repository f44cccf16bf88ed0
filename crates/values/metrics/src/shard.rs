//! One worker's samples.
//!
//! Nothing here is shared: a shard lives on its worker's thread, and what leaves it is
//! moved. Recording is two look-ups and an update; hashing happens only when a tag set
//! is extended.

use std::sync::Arc;

use loadline_units::{Time, WorkerId};

use crate::fold::FoldRule;
use crate::kind::MetricId;
use crate::registry::Registry;
use crate::tags::{TagSetId, TagSets};
use crate::tap::{RawPart, Tap, TapPool, TapSample};
use crate::value::MetricValue;

/// Marks a (tag set, metric) pair without samples so far.
const NO_SERIES: u32 = u32::MAX;

/// A worker's series and tag sets.
pub struct Shard {
    /// The tag sets samples are recorded under.
    pub tags: TagSets,
    worker: WorkerId,
    registry: Arc<Registry>,
    /// By tag set, then by metric: the place in `series`.
    rows: Vec<Vec<u32>>,
    series: Vec<Series>,
    /// Places in `series` that changed since the last hand-over.
    touched: Vec<u32>,
    /// By tag set: whether the merger knows it.
    announced: Vec<bool>,
    now: Time,
    not_finite: u64,
    folded_before: u64,
    tap: Option<Tap>,
}

struct Series {
    metric: MetricId,
    tags: TagSetId,
    touched: bool,
    since: Time,
    value: MetricValue,
}

impl Series {
    /// Adds a sample; `touched` hears of the first one of a window.
    #[inline]
    fn add(&mut self, place: u32, sample: f64, now: Time, touched: &mut Vec<u32>) {
        if !self.touched {
            self.touched = true;
            touched.push(place);
        }
        self.value.record(sample, now);
    }
}

/// What one worker measured in one window.
#[derive(Debug)]
pub struct ShardWindow {
    /// Who measured.
    pub worker: WorkerId,
    /// The window's number; all earlier windows of this worker are complete too.
    pub window: u64,
    /// Tag sets the series use and that were not handed over before.
    pub tag_sets: Vec<TagSetDef>,
    /// Series that changed, with the change.
    pub series: Vec<SeriesDelta>,
    /// Samples refused because they were infinite or not a number.
    pub not_finite: u64,
    /// Tag sets folded because there were too many.
    pub folded: u64,
    /// The samples one by one, while the shard is tapped.
    pub raw: Option<RawPart>,
}

/// The meaning of a worker's tag-set id.
#[derive(Debug)]
pub struct TagSetDef {
    /// The id, known to this worker only.
    pub id: TagSetId,
    /// Keys and values, ordered by key.
    pub tags: Vec<(Box<str>, Box<str>)>,
}

/// What a series gained in a window.
#[derive(Debug)]
pub struct SeriesDelta {
    /// The metric.
    pub metric: MetricId,
    /// The worker's tag-set id.
    pub tags: TagSetId,
    /// When its first sample came.
    pub since: Time,
    /// The samples since the last hand-over.
    pub value: MetricValue,
}

impl ShardWindow {
    /// A window in which a worker measured nothing.
    #[must_use]
    pub fn empty(worker: WorkerId, window: u64) -> Self {
        Self {
            worker,
            window,
            tag_sets: Vec::new(),
            series: Vec::new(),
            not_finite: 0,
            folded: 0,
            raw: None,
        }
    }
}

impl Shard {
    /// An empty shard without a limit on series.
    #[must_use]
    pub fn new(worker: WorkerId, registry: Arc<Registry>) -> Self {
        Self::with_fold(worker, registry, FoldRule::unlimited())
    }

    /// An empty shard that folds tag sets by `fold`.
    #[must_use]
    pub fn with_fold(worker: WorkerId, registry: Arc<Registry>, fold: FoldRule) -> Self {
        Self {
            tags: TagSets::with_fold(fold),
            worker,
            registry,
            rows: Vec::new(),
            series: Vec::new(),
            touched: Vec::new(),
            announced: Vec::new(),
            now: Time::ZERO,
            not_finite: 0,
            folded_before: 0,
            tap: None,
        }
    }

    /// Keeps the samples one by one, too, from now on.
    pub fn tap(&mut self, pool: TapPool) {
        self.tap = Some(Tap::new(pool));
    }

    /// Whose samples these are.
    #[must_use]
    pub fn worker(&self) -> WorkerId {
        self.worker
    }

    /// Tells the shard the time, once per wake-up of the worker. Gauges need it, as of two
    /// workers' values the later one counts, and new series, to tell which came first.
    pub fn set_now(&mut self, now: Time) {
        self.now = now;
    }

    /// Adds one sample. Values that are not finite are counted and left out.
    #[inline]
    pub fn record(&mut self, metric: MetricId, tags: TagSetId, sample: f64) {
        if !sample.is_finite() {
            self.not_finite += 1;
            return;
        }
        if let Some(tap) = &mut self.tap {
            tap.push(TapSample {
                metric,
                tags,
                at: self.now,
                value: sample,
            });
        }
        self.add(metric, tags, sample);
    }

    #[inline]
    fn add(&mut self, metric: MetricId, tags: TagSetId, sample: f64) {
        let place = match self
            .rows
            .get(tags.index())
            .map(|row| row.get(metric.index()))
        {
            Some(Some(&place)) if place != NO_SERIES => place,
            _ => self.make_series(metric, tags),
        };
        self.series[place as usize].add(place, sample, self.now, &mut self.touched);
    }

    /// Adds one sample to each of several metrics under one tag set, as an HTTP request
    /// does with its nine.
    pub fn record_all<const N: usize>(&mut self, tags: TagSetId, samples: &[(MetricId, f64); N]) {
        let mut rest = samples.as_slice();
        if self.tap.is_some() {
            rest.iter()
                .for_each(|(metric, sample)| self.record(*metric, tags, *sample));
            return;
        }
        // The row is looked up once; what is not in it yet, or not finite, goes the long way.
        if let Some(row) = self.rows.get(tags.index()) {
            while let Some(((metric, sample), after)) = rest.split_first() {
                match row.get(metric.index()) {
                    Some(&place) if place != NO_SERIES && sample.is_finite() => {
                        let series = &mut self.series[place as usize];
                        series.add(place, *sample, self.now, &mut self.touched);
                        rest = after;
                    }
                    _ => break,
                }
            }
        }
        for (metric, sample) in rest {
            self.record(*metric, tags, *sample);
        }
    }

    /// Moves out what changed since the last call, as window `window`.
    pub fn take_window(&mut self, window: u64) -> ShardWindow {
        let mut touched = std::mem::take(&mut self.touched);
        let mut tag_sets = Vec::new();
        let mut deltas = Vec::with_capacity(touched.len());
        for place in touched.drain(..) {
            let series = &mut self.series[place as usize];
            series.touched = false;
            let empty = MetricValue::empty(series.value.kind());
            deltas.push(SeriesDelta {
                metric: series.metric,
                tags: series.tags,
                since: series.since,
                value: std::mem::replace(&mut series.value, empty),
            });
            let announced = &mut self.announced[series.tags.index()];
            if !*announced {
                *announced = true;
                let pairs = self.tags.tags(series.tags);
                tag_sets.push(TagSetDef {
                    id: series.tags,
                    tags: pairs.map(|(k, v)| (k.into(), v.into())).collect(),
                });
            }
        }
        self.touched = touched;
        let folded = self.tags.folded();
        ShardWindow {
            worker: self.worker,
            window,
            tag_sets,
            series: deltas,
            not_finite: std::mem::take(&mut self.not_finite),
            folded: folded - std::mem::replace(&mut self.folded_before, folded),
            raw: self.tap.as_mut().map(|tap| tap.take(self.worker)),
        }
    }

    #[cold]
    #[inline(never)]
    fn make_series(&mut self, metric: MetricId, tags: TagSetId) -> u32 {
        if tags.index() >= self.rows.len() {
            self.rows.resize_with(tags.index() + 1, Vec::new);
            self.announced.resize(tags.index() + 1, false);
        }
        let row = &mut self.rows[tags.index()];
        if metric.index() >= row.len() {
            row.resize(metric.index() + 1, NO_SERIES);
        }
        let place = u32::try_from(self.series.len()).expect("fewer than 2^32 series");
        row[metric.index()] = place;
        self.tags.series_made(metric.0, tags);
        self.series.push(Series {
            metric,
            tags,
            touched: false,
            since: self.now,
            value: MetricValue::empty(self.registry.get(metric).kind),
        });
        place
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "sums are exact, that is the point")]
mod tests {
    use super::*;
    use crate::builtin;

    fn shard() -> Shard {
        Shard::new(WorkerId(0), Arc::new(Registry::new()))
    }

    #[test]
    fn a_window_holds_only_what_changed_and_defines_each_tag_set_once() {
        let mut shard = shard();
        let tags = shard.tags.extend(TagSetId::EMPTY, &[("scenario", "a")]);
        shard.record(builtin::HTTP_REQS, tags, 1.0);
        shard.record(builtin::HTTP_REQS, tags, 1.0);
        shard.record(builtin::CHECKS, tags, 0.0);

        let first = shard.take_window(0);
        assert_eq!(first.series.len(), 2);
        assert_eq!(first.tag_sets.len(), 1);
        assert!(
            matches!(&first.series[0].value, MetricValue::Counter(Some(n)) if n.value() == 2.0)
        );

        shard.record(builtin::HTTP_REQS, tags, 5.0);
        let second = shard.take_window(1);
        assert_eq!((second.series.len(), second.tag_sets.len()), (1, 0));
        assert!(
            matches!(&second.series[0].value, MetricValue::Counter(Some(n)) if n.value() == 5.0)
        );

        let third = shard.take_window(2);
        assert!(third.series.is_empty());
    }

    #[test]
    fn what_is_not_finite_is_counted_not_kept() {
        let mut shard = shard();
        for sample in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            shard.record(builtin::HTTP_REQ_DURATION, TagSetId::EMPTY, sample);
        }
        let window = shard.take_window(0);
        assert_eq!(window.not_finite, 3);
        assert!(window.series.is_empty());
        assert_eq!(shard.take_window(1).not_finite, 0);
    }

    #[test]
    fn one_call_records_all_metrics_of_a_request() {
        let mut shard = shard();
        shard.record_all(
            TagSetId::EMPTY,
            &[(builtin::HTTP_REQS, 1.0), (builtin::HTTP_REQ_FAILED, 0.0)],
        );
        let window = shard.take_window(0);
        let metrics: Vec<MetricId> = window.series.iter().map(|s| s.metric).collect();
        assert_eq!(metrics, [builtin::HTTP_REQS, builtin::HTTP_REQ_FAILED]);
    }
}
