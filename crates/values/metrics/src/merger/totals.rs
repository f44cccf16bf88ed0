//! Sums over a whole run.

use super::{SeriesId, SeriesInfo};
use crate::kind::MetricId;
use crate::registry::Registry;
use crate::submetric::{SubmetricId, Submetrics};
use crate::value::MetricValue;

/// What all samples so far add up to: per metric, per sub-metric, per series.
#[derive(Debug, Clone)]
pub struct Totals {
    metrics: Vec<Option<MetricValue>>,
    submetrics: Vec<MetricValue>,
    series: Vec<Option<MetricValue>>,
    not_finite: u64,
    folded: u64,
    /// Windows before this one do not count.
    pub(super) counted_from: u64,
}

impl Totals {
    pub(super) fn new(registry: &Registry, submetrics: &Submetrics) -> Self {
        let empty = |metric| MetricValue::empty(registry.get(metric).kind);
        Self {
            metrics: registry
                .all()
                .iter()
                .map(|(id, _)| Some(empty(*id)))
                .collect(),
            submetrics: submetrics.iter().map(|(_, s)| empty(s.metric)).collect(),
            series: Vec::new(),
            not_finite: 0,
            folded: 0,
            counted_from: 0,
        }
    }

    /// The total of a metric; `None` for one that was declared after the run began and
    /// has no sample.
    #[must_use]
    pub fn metric(&self, id: MetricId) -> Option<&MetricValue> {
        self.metrics.get(id.index())?.as_ref()
    }

    /// The total of a sub-metric.
    #[must_use]
    pub fn submetric(&self, id: SubmetricId) -> Option<&MetricValue> {
        self.submetrics.get(id.index())
    }

    /// The total of a series; `None` before its first counted sample.
    #[must_use]
    pub fn series(&self, id: SeriesId) -> Option<&MetricValue> {
        self.series.get(id.index())?.as_ref()
    }

    /// Samples refused because they were infinite or not a number.
    #[must_use]
    pub fn not_finite(&self) -> u64 {
        self.not_finite
    }

    /// Tag sets folded because there were too many.
    #[must_use]
    pub fn folded(&self) -> u64 {
        self.folded
    }

    pub(super) fn add(&mut self, window: u64, id: SeriesId, info: &SeriesInfo, gain: &MetricValue) {
        if window < self.counted_from {
            return;
        }
        let metric = info.metric.index();
        if self.metrics.len() <= metric {
            self.metrics.resize(metric + 1, None);
        }
        self.metrics[metric]
            .get_or_insert_with(|| MetricValue::empty(gain.kind()))
            .merge(gain);
        for part in &info.submetrics {
            self.submetrics[part.index()].merge(gain);
        }
        if self.series.len() <= id.index() {
            self.series.resize(id.index() + 1, None);
        }
        self.series[id.index()]
            .get_or_insert_with(|| MetricValue::empty(gain.kind()))
            .merge(gain);
    }

    /// What is left without `part`, whose samples are among these.
    pub(super) fn without(&self, part: &Self) -> Self {
        let left = |all: &[Option<MetricValue>], part: &[Option<MetricValue>]| {
            let mut parts = part.iter();
            let all = all.iter().map(|all| match (all, parts.next()) {
                (Some(all), Some(Some(part))) => Some(all.without(part)),
                (all, _) => all.clone(),
            });
            all.collect()
        };
        let parts = self.submetrics.iter().zip(&part.submetrics);
        Self {
            metrics: left(&self.metrics, &part.metrics),
            submetrics: parts.map(|(all, part)| all.without(part)).collect(),
            series: left(&self.series, &part.series),
            ..self.clone()
        }
    }

    pub(super) fn add_refused(&mut self, window: u64, not_finite: u64, folded: u64) {
        if window >= self.counted_from {
            self.not_finite += not_finite;
            self.folded += folded;
        }
    }
}
