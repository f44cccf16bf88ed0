//! One second of a run, all workers together.

use std::sync::Arc;

use loadline_units::WorkerId;

use super::SeriesId;
use crate::kind::{Kind, MetricId};
use crate::tap::RawPart;
use crate::value::MetricValue;

/// What the run measured in one window.
#[derive(Debug)]
pub struct Window {
    /// Its number, from 0.
    pub index: u64,
    /// Workers whose part is not in it.
    pub missing: Vec<WorkerId>,
    /// The series that gained samples, in the order of their ids.
    pub series: Vec<SeriesValue>,
    /// The samples one by one, worker by worker, while shards are tapped; late parts aside,
    /// they are those that `series` sums up.
    pub raw: Vec<Arc<RawPart>>,
    /// Parts of earlier windows that came too late for them.
    pub late: Vec<LatePart>,
    /// Samples refused because they were infinite or not a number.
    pub not_finite: u64,
    /// Tag sets folded because there were too many.
    pub folded: u64,
}

/// What a series gained.
#[derive(Debug, Clone)]
pub struct SeriesValue {
    /// The series.
    pub series: SeriesId,
    /// Its metric.
    pub metric: MetricId,
    /// The samples gained.
    pub value: MetricValue,
}

/// A worker's part of a window that was given out without it.
#[derive(Debug)]
pub struct LatePart {
    /// The window it belongs to.
    pub window: u64,
    /// The series that gained samples.
    pub series: Vec<SeriesValue>,
    /// The samples one by one, while shards are tapped.
    pub raw: Option<Arc<RawPart>>,
}

impl Window {
    /// Whether a worker's part is missing.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.missing.is_empty()
    }

    /// What a metric of this kind gained over all its series.
    #[must_use]
    pub fn of_metric(&self, metric: MetricId, kind: Kind) -> MetricValue {
        let mut total = MetricValue::empty(kind);
        for gain in self.series.iter().filter(|gain| gain.metric == metric) {
            total.merge(&gain.value);
        }
        total
    }
}
