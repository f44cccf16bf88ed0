//! What garbage collections cost, and what a heap of another size would leave of it.
//!
//! A collection comes as often as what is free after one is used up: its share of the time goes with 1 / free.

use loadline_record::signals::{Entity, Label, SignalKind};

use super::view::RunView;

/// Names of collectors that stop the target for all of their work with one thread.
const SERIAL_COLLECTORS: [&str; 4] = ["Serial", "Copy", "MarkSweepCompact", "Tenured"];
/// The least part of a heap that is taken to be free after a collection.
const FREE_SHARE_MIN: f64 = 0.01;
/// The most of its time in which a target can be stopped and still answer.
const STOPPED_SHARE_MAX: f64 = 0.95;

/// One thread does all of this collector's work.
pub(super) fn is_serial(collector: &str) -> bool {
    SERIAL_COLLECTORS
        .iter()
        .any(|name| collector.contains(name))
}

/// Collections of the target, and the heap they keep free.
#[derive(Debug, Clone, Copy)]
pub(super) struct CollectionView {
    /// The share of the time in which they stop the target.
    pub(super) pauses: f64,
    pub(super) is_serial: bool,
    /// The largest size of the heap, bytes.
    heap: Option<f64>,
}

impl CollectionView {
    /// Of a target that collections stop for a share `pauses` of the time.
    pub(super) fn new(view: &RunView<'_>, pauses: f64) -> Self {
        let mut times = view
            .run
            .signals
            .of_kind(SignalKind::CollectionPauseTime)
            .peekable();
        let is_named = times.peek().is_some();
        let name = |entity: &Entity| is_serial(entity.get(Label::Collector).unwrap_or_default());
        Self {
            pauses,
            is_serial: is_named && times.all(|series| name(&series.entity)),
            heap: view.largest(SignalKind::HeapMax, &Entity::new()),
        }
    }

    /// The share of the time with a heap of so many bytes; `after` is the share of today's that is full after a collection.
    pub(super) fn pauses_with(&self, heap: f64, after: f64) -> Option<f64> {
        let times = heap / self.heap.filter(|today| *today > 0.0)?;
        let free = (1.0 - after).max(FREE_SHARE_MIN);
        let then = (times - (1.0 - free)).max(f64::MIN_POSITIVE);
        Some((self.pauses * free / then).min(STOPPED_SHARE_MAX))
    }
}
