//! The metrics, tag sets and series that the numbers in frames stand for.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use loadline_metrics::{Merger, MetricDef, MetricId, Registry, TagSetId};
use loadline_record::Redactor;

/// Tags of a set, ordered by key.
pub(crate) type Tags = Arc<[(Box<str>, Box<str>)]>;

/// The metrics, tag sets and series of a run; the position is the run's id.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    metrics: Vec<Option<Arc<MetricDef>>>,
    tags: Vec<Option<Tags>>,
    series: Vec<(u32, u32)>,
}

impl Catalog {
    /// A metric by its position.
    pub(crate) fn metric(&self, metric: u32) -> &Arc<MetricDef> {
        let found = self.metrics.get(metric as usize).and_then(Option::as_ref);
        found.expect("a metric is in the catalogue before a frame names it")
    }

    /// A tag set by its position.
    pub(crate) fn tags(&self, tags: u32) -> &Tags {
        let found = self.tags.get(tags as usize).and_then(Option::as_ref);
        found.expect("a tag set is in the catalogue before a frame names it")
    }

    /// The metric and the tag set of a series.
    pub(crate) fn series(&self, series: u32) -> (u32, u32) {
        self.series[series as usize]
    }

    fn add(&mut self, new: &Additions) {
        for (metric, def) in &new.metrics {
            put(&mut self.metrics, *metric, def.clone());
        }
        for (set, tags) in &new.tags {
            put(&mut self.tags, *set, tags.clone());
        }
        self.series.extend_from_slice(&new.series);
    }
}

fn put<T: Clone>(places: &mut Vec<Option<T>>, place: u32, value: T) {
    let place = place as usize;
    if places.len() <= place {
        places.resize(place + 1, None);
    }
    places[place] = Some(value);
}

/// The catalogue that all outputs of a run read.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedCatalog(Arc<RwLock<Catalog>>);

impl SharedCatalog {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Catalog> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, new: &Additions) {
        if !new.series.is_empty() {
            let mut catalog = self.0.write().unwrap_or_else(PoisonError::into_inner);
            catalog.add(new);
        }
    }
}

/// What appeared since the last window.
#[derive(Debug, Default)]
pub(crate) struct Additions {
    metrics: Vec<(u32, Arc<MetricDef>)>,
    tags: Vec<(u32, Tags)>,
    series: Vec<(u32, u32)>,
}

/// Finds the series that a merger did not have before.
#[derive(Debug, Default)]
pub(crate) struct SeriesTracker {
    metrics: Vec<bool>,
    tags: Vec<bool>,
    series: usize,
}

impl SeriesTracker {
    /// What is new; secrets in tags are masked.
    pub(crate) fn take_new(
        &mut self,
        merger: &Merger,
        registry: &Registry,
        redactor: &Redactor,
    ) -> Additions {
        let mut new = Additions::default();
        for (_, info) in merger.series_from(self.series) {
            if is_new(&mut self.metrics, info.metric.index()) {
                new.metrics
                    .push((number(info.metric), registry.get(info.metric)));
            }
            if is_new(&mut self.tags, info.tags.index()) {
                let tags = merger.tags().tags(info.tags);
                let tags = tags.map(|(key, value)| (key.into(), redactor.tag(key, value).into()));
                new.tags.push((set_number(info.tags), tags.collect()));
            }
            new.series
                .push((number(info.metric), set_number(info.tags)));
        }
        self.series += new.series.len();
        new
    }
}

fn is_new(known: &mut Vec<bool>, place: usize) -> bool {
    if known.len() <= place {
        known.resize(place + 1, false);
    }
    !std::mem::replace(&mut known[place], true)
}

/// A metric's position.
pub(crate) fn number(metric: MetricId) -> u32 {
    u32::try_from(metric.index()).expect("ids have 32 bits")
}

/// A tag set's position.
pub(crate) fn set_number(tags: TagSetId) -> u32 {
    u32::try_from(tags.index()).expect("ids have 32 bits")
}
