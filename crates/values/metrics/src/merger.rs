//! Workers' parts joined into windows and totals.
//!
//! Lives on the control plane. A worker that delivered window k has delivered all
//! before it, so window k is complete once every worker has delivered k or a later one.
//! A part that comes after its window was given out is added to the totals and handed
//! on as *late* with the next window: sums over everything given out stay exact.

mod totals;
mod window;

pub use totals::Totals;
pub use window::{LatePart, SeriesValue, Window};

use std::collections::BTreeMap;
use std::sync::Arc;

use loadline_units::{Time, WorkerId};
use rustc_hash::FxHashMap;

use crate::kind::MetricId;
use crate::registry::Registry;
use crate::shard::{SeriesDelta, ShardWindow};
use crate::submetric::{SubmetricId, Submetrics};
use crate::tags::{TagSetId, TagSets};
use crate::tap::RawPart;
use crate::value::MetricValue;

/// A series of the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeriesId(u32);

impl SeriesId {
    /// The position among the series of its merger.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a series is.
#[derive(Debug, Clone)]
pub struct SeriesInfo {
    /// Its metric.
    pub metric: MetricId,
    /// Its tags, in [`Merger::tags`].
    pub tags: TagSetId,
    /// When its first sample came, on whichever worker.
    pub since: Time,
    /// The sub-metrics its samples also count for.
    pub submetrics: Box<[SubmetricId]>,
}

/// Joins the parts of all workers.
pub struct Merger {
    registry: Arc<Registry>,
    submetrics: Submetrics,
    tags: TagSets,
    series: Vec<SeriesInfo>,
    by_identity: FxHashMap<(MetricId, TagSetId), SeriesId>,
    workers: Vec<WorkerState>,
    pending: BTreeMap<u64, Pending>,
    /// The window to give out next.
    next: u64,
    late: Vec<LatePart>,
    totals: Totals,
    /// Of the totals, what is to be left out of a second look at them.
    left_out: Option<Box<Totals>>,
}

#[derive(Default)]
struct WorkerState {
    /// By the worker's tag-set id: the run's.
    tag_sets: Vec<Option<TagSetId>>,
    /// Windows below this number are delivered.
    delivered: u64,
}

#[derive(Default)]
struct Pending {
    series: BTreeMap<SeriesId, MetricValue>,
    raw: Vec<Arc<RawPart>>,
    not_finite: u64,
    folded: u64,
}

impl Merger {
    /// The metrics there are.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Expects parts of `workers` workers, numbered from 0, and windows from 0.
    #[must_use]
    pub fn new(workers: usize, registry: Arc<Registry>, submetrics: Submetrics) -> Self {
        let totals = Totals::new(&registry, &submetrics);
        Self {
            registry,
            submetrics,
            tags: TagSets::new(),
            series: Vec::new(),
            by_identity: FxHashMap::default(),
            workers: std::iter::repeat_with(WorkerState::default)
                .take(workers)
                .collect(),
            pending: BTreeMap::new(),
            next: 0,
            late: Vec::new(),
            totals,
            left_out: None,
        }
    }

    /// Takes in a worker's part.
    ///
    /// # Panics
    /// When the part comes from a worker this merger was not told of.
    pub fn absorb(&mut self, part: ShardWindow) {
        let worker = part.worker.index();
        for def in part.tag_sets {
            let pairs: Vec<(&str, &str)> = def.tags.iter().map(|(k, v)| (&**k, &**v)).collect();
            let id = self.tags.extend(TagSetId::EMPTY, &pairs);
            let known = &mut self.workers[worker].tag_sets;
            if known.len() <= def.id.index() {
                known.resize(def.id.index() + 1, None);
            }
            known[def.id.index()] = Some(id);
        }
        let series: Vec<(SeriesId, MetricValue)> = part
            .series
            .into_iter()
            .map(|delta| (self.series_of(worker, &delta), delta.value))
            .collect();
        let raw = part.raw.map(|raw| self.of_the_run(worker, raw));
        let state = &mut self.workers[worker];
        state.delivered = state.delivered.max(part.window + 1);
        if part.window < self.next {
            self.totals
                .add_refused(part.window, part.not_finite, part.folded);
            self.add_late(part.window, series, raw);
            return;
        }
        let pending = self.pending.entry(part.window).or_default();
        pending.not_finite += part.not_finite;
        pending.folded += part.folded;
        pending.raw.extend(raw);
        for (id, value) in series {
            match pending.series.entry(id) {
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(value);
                }
                std::collections::btree_map::Entry::Occupied(mut place) => {
                    place.get_mut().absorb(value);
                }
            }
        }
    }

    /// The next window, once every worker delivered it.
    pub fn next_ready(&mut self) -> Option<Window> {
        let complete = self.workers.iter().all(|w| w.delivered > self.next);
        complete.then(|| self.emit())
    }

    /// The next window as far as it was delivered; what is missing comes as late.
    pub fn force_next(&mut self) -> Window {
        self.emit()
    }

    /// Whether some worker delivered a part of a window not given out yet.
    #[must_use]
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The number of the window to come next.
    #[must_use]
    pub fn next_window(&self) -> u64 {
        self.next
    }

    /// All windows that hold anything still, at the end of a run.
    pub fn finish(&mut self) -> Vec<Window> {
        let mut windows = Vec::new();
        while self
            .pending
            .keys()
            .next_back()
            .is_some_and(|last| *last >= self.next)
            || !self.late.is_empty()
        {
            windows.push(self.emit());
        }
        windows
    }

    /// Totals of everything given out so far, late parts included.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Starts the totals anew, as after a warm-up; series keep their ids, and parts of
    /// windows given out before no longer count even when they come late.
    pub fn reset_totals(&mut self) {
        let counted_from = self.next;
        self.totals = Totals::new(&self.registry, &self.submetrics);
        self.totals.counted_from = counted_from;
        self.left_out = None;
    }

    /// Leaves what a window gained out of [`Merger::rest`]; the totals keep it.
    pub fn leave_out(&mut self, window: &Window) {
        self.leave_out_gains(window.index, &window.series);
    }

    /// The same of parts that came too late for their windows.
    pub fn leave_out_late(&mut self, window: &Window) {
        for part in &window.late {
            self.leave_out_gains(part.window, &part.series);
        }
    }

    fn leave_out_gains(&mut self, window: u64, gains: &[SeriesValue]) {
        if window < self.totals.counted_from {
            return;
        }
        let left_out = self
            .left_out
            .get_or_insert_with(|| Box::new(Totals::new(&self.registry, &self.submetrics)));
        for gain in gains {
            let info = &self.series[gain.series.index()];
            left_out.add(window, gain.series, info, &gain.value);
        }
    }

    /// The totals without the windows that were left out.
    #[must_use]
    pub fn rest(&self) -> Totals {
        match &self.left_out {
            Some(left_out) => self.totals.without(left_out),
            None => self.totals.clone(),
        }
    }

    /// What a series is.
    ///
    /// # Panics
    /// When `id` belongs to another merger.
    #[must_use]
    pub fn series(&self, id: SeriesId) -> &SeriesInfo {
        &self.series[id.index()]
    }

    /// All series, in the order in which they appeared.
    pub fn all_series(&self) -> impl Iterator<Item = (SeriesId, &SeriesInfo)> {
        let mut all: Vec<_> = (0..).map(SeriesId).zip(&self.series).collect();
        all.sort_by_key(|(_, info)| info.since);
        all.into_iter()
    }

    /// How many series there are.
    #[must_use]
    pub fn series_count(&self) -> usize {
        self.series.len()
    }

    /// The series from the `first` on, in the order of their ids.
    pub fn series_from(&self, first: usize) -> impl Iterator<Item = (SeriesId, &SeriesInfo)> {
        let ids = (0..).map(SeriesId).zip(&self.series);
        ids.skip(first)
    }

    /// The tag sets that series refer to.
    #[must_use]
    pub fn tags(&self) -> &TagSets {
        &self.tags
    }

    /// The sub-metrics that totals are kept of.
    #[must_use]
    pub fn submetrics(&self) -> &Submetrics {
        &self.submetrics
    }

    fn emit(&mut self) -> Window {
        let index = self.next;
        self.next += 1;
        let pending = self.pending.remove(&index).unwrap_or_default();
        let series: Vec<SeriesValue> = pending
            .series
            .into_iter()
            .map(|(id, value)| self.counted(index, id, value))
            .collect();
        self.totals
            .add_refused(index, pending.not_finite, pending.folded);
        Window {
            index,
            missing: (0..)
                .map(WorkerId)
                .zip(&self.workers)
                .filter(|(_, state)| state.delivered <= index)
                .map(|(worker, _)| worker)
                .collect(),
            series,
            raw: pending.raw,
            late: std::mem::take(&mut self.late),
            not_finite: pending.not_finite,
            folded: pending.folded,
        }
    }

    fn add_late(
        &mut self,
        window: u64,
        series: Vec<(SeriesId, MetricValue)>,
        raw: Option<Arc<RawPart>>,
    ) {
        let series: Vec<SeriesValue> = series
            .into_iter()
            .map(|(id, value)| self.counted(window, id, value))
            .collect();
        if !series.is_empty() {
            self.late.push(LatePart {
                window,
                series,
                raw,
            });
        }
    }

    /// A worker's single samples, with the run's tag sets.
    fn of_the_run(&self, worker: usize, mut raw: RawPart) -> Arc<RawPart> {
        let known = &self.workers[worker].tag_sets;
        raw.translate(|own| {
            known[own.index()]
                .expect("a shard defines a tag set with the first series that uses it")
        });
        Arc::new(raw)
    }

    /// Adds a series' gain to the totals and labels it.
    fn counted(&mut self, window: u64, id: SeriesId, value: MetricValue) -> SeriesValue {
        let info = &self.series[id.index()];
        self.totals.add(window, id, info, &value);
        SeriesValue {
            series: id,
            metric: info.metric,
            value,
        }
    }

    /// The run's id of a worker's series, made if it is new.
    fn series_of(&mut self, worker: usize, delta: &SeriesDelta) -> SeriesId {
        let tags = self.workers[worker].tag_sets[delta.tags.index()]
            .expect("a shard defines a tag set with the first series that uses it");
        let identity = (delta.metric, tags);
        if let Some(known) = self.by_identity.get(&identity) {
            let since = &mut self.series[known.index()].since;
            *since = delta.since.min(*since);
            return *known;
        }
        let id = SeriesId(u32::try_from(self.series.len()).expect("fewer than 2^32 series"));
        self.series.push(SeriesInfo {
            metric: delta.metric,
            tags,
            since: delta.since,
            submetrics: self.submetrics.fed_by(delta.metric, tags, &self.tags),
        });
        self.by_identity.insert(identity, id);
        id
    }
}

#[cfg(test)]
mod tests;
