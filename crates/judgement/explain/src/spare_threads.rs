//! Threads of which there are far more than were ever busy: they cost next to nothing, and nobody need tune them.

use loadline_record::ThreadUsage;
use loadline_record::signals::SignalKind;

use super::view::RunView;

/// At most this part of them was ever busy.
const BUSY_PART_MAX: f64 = 0.25;
/// Fewer threads are few, however many of them are busy.
const THREADS_MIN: f64 = 20.0;

/// The threads of the set of which most were busy at once; `None` where more of them than a part ever were.
pub(super) fn spare_threads(view: &RunView<'_>) -> Option<ThreadUsage> {
    let sets = view.run.signals.of_kind(SignalKind::WorkersBusy);
    let sets = sets.filter_map(|series| {
        let most = view.largest(SignalKind::WorkersMax, &series.entity)?;
        view.gauge_of(series)?;
        let looks = series.points().iter().map(|point| point.value);
        let busy = looks.reduce(f64::max)?;
        Some(ThreadUsage { busy, most })
    });
    let fullest = sets.max_by(|a, b| (a.busy / a.most).total_cmp(&(b.busy / b.most)))?;
    let is_spare = fullest.most >= THREADS_MIN && fullest.busy <= BUSY_PART_MAX * fullest.most;
    is_spare.then_some(fullest)
}
