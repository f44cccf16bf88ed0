//! How long callers saw the very requests take that a source counts in the busy part.
//!
//! A page is looked at between the seconds of the callers, and traces arrive when they are whole, some seconds after the
//! request: where times grow from second to second, means of other seconds are those of other requests.

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, SignalKind};

use super::RunView;
use crate::input::{number, share};

/// The durations of the callers' requests that a source counted.
pub(in super::super) struct SameRequests {
    /// Their mean, ms; the seconds at both ends count in part.
    pub(in super::super) mean_ms: f64,
    /// All of them, of whole seconds.
    pub(in super::super) durations: Histogram,
}

impl RunView<'_> {
    /// Those that ended between the first and the last look at a signal; `None` without looks, or where none ended.
    pub(in super::super) fn ended_between_looks(&self, kind: SignalKind) -> Option<SameRequests> {
        let (from, to) = self.looks(kind, &Entity::new())?;
        let second = |at_ms: u64| Some(number(at_ms.checked_sub(self.run.from_ms)?) / 1000.0);
        self.ended_within(second(from)?, second(to)?)
    }

    /// Those whose traces arrived in the busy part: the same part of all requests as of all traces. `None` without traces.
    pub(in super::super) fn traced(&self) -> Option<SameRequests> {
        let (kind, any) = (SignalKind::TracedRequests, Entity::new());
        let series = self.belonging(kind, &any);
        let until = |at_ms: u64| -> f64 {
            let before = series.iter().filter_map(|series| {
                let before = series.points().iter().rev();
                before
                    .map(|point| (point.at_ms, point.value))
                    .find(|(at, _)| *at <= at_ms)
            });
            before.map(|(_, value)| value).sum()
        };
        let (all, ended) = (until(u64::MAX), *self.ended_before.last()?);
        let second_of = |traced: f64| {
            let wanted = share(traced, all) * ended;
            let second = self.ended_before.partition_point(|before| *before < wanted);
            let (Some(second), Some(after)) =
                (second.checked_sub(1), self.ended_before.get(second))
            else {
                return Some(0.0);
            };
            let before = self.ended_before.get(second)?;
            Some(number(u64::try_from(second).ok()?) + share(wanted - before, after - before))
        };
        let (from, to) = (
            second_of(until(self.from_ms))?,
            second_of(until(self.to_ms))?,
        );
        (all > 0.0).then(|| self.ended_within(from, to)).flatten()
    }

    /// Requests that ended within these seconds of the run; within one evenly.
    fn ended_within(&self, from: f64, to: f64) -> Option<SameRequests> {
        let (mut count, mut time) = (0.0, 0.0);
        let mut durations = Histogram::default();
        for (second, window) in self.run.windows.iter().enumerate() {
            let begin = number(u64::try_from(second).ok()?);
            let part = (to.min(begin + 1.0) - from.max(begin)).clamp(0.0, 1.0);
            if part <= 0.0 {
                continue;
            }
            let Some(mean) = window.durations.mean() else {
                continue;
            };
            let ended = part * number(window.durations.count());
            count += ended;
            time += ended * mean;
            if part > 0.5 {
                durations.merge(&window.durations);
            }
        }
        (count > 0.0).then(|| SameRequests {
            mean_ms: time / count,
            durations,
        })
    }
}
