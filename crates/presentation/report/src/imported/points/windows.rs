//! Samples by time: windows of equal length, never more than a chart can show.

use std::collections::BTreeMap;
use std::time::Duration;

use loadline_metrics::Histogram;

/// The most windows; when a sample lies beyond them, they become twice as long.
const WINDOWS_MAX: i64 = 600;
/// How long windows are at first, in milliseconds.
const FIRST_STEP_MS: i64 = 1000;

/// What ended in a window.
#[derive(Debug, Default)]
pub(super) struct PointWindow {
    pub(super) requests: f64,
    pub(super) failed: f64,
    pub(super) durations: Histogram,
    /// Users at its end.
    pub(super) users: Option<f64>,
}

/// All windows that hold a sample.
#[derive(Debug)]
pub(super) struct Windows {
    step_ms: i64,
    /// By their place: the moment divided by the step.
    all: BTreeMap<i64, PointWindow>,
    /// The first and the last sample, milliseconds since 1970.
    span: Option<(i64, i64)>,
}

impl Default for Windows {
    fn default() -> Self {
        Self {
            step_ms: FIRST_STEP_MS,
            all: BTreeMap::new(),
            span: None,
        }
    }
}

impl Windows {
    /// Makes room for a sample of this moment.
    pub(super) fn see(&mut self, at_ms: i64) {
        let (first, last) = self.span.unwrap_or((at_ms, at_ms));
        let (first, last) = (first.min(at_ms), last.max(at_ms));
        self.span = Some((first, last));
        let place = |at: i64, step: i64| at.div_euclid(step);
        while place(last, self.step_ms) - place(first, self.step_ms) >= WINDOWS_MAX {
            self.step_ms *= 2;
            let all = std::mem::take(&mut self.all);
            for (at, window) in all {
                let of = self.all.entry(at.div_euclid(2)).or_default();
                of.requests += window.requests;
                of.failed += window.failed;
                of.durations.absorb(window.durations);
                of.users = window.users.or(of.users);
            }
        }
    }

    /// The window of a moment that was seen.
    pub(super) fn at(&mut self, at_ms: i64) -> &mut PointWindow {
        self.all.entry(at_ms.div_euclid(self.step_ms)).or_default()
    }

    /// From the first sample to the last.
    pub(super) fn length(&self) -> Duration {
        let (first, last) = self.span.unwrap_or_default();
        Duration::from_millis(last.abs_diff(first))
    }

    /// Nanoseconds from the first sample to this one.
    pub(super) fn nanos_since_first(&self, at_ms: i64) -> u64 {
        let (first, _) = self.span.unwrap_or_default();
        at_ms.abs_diff(first).saturating_mul(1_000_000)
    }

    /// When the first sample was, milliseconds since 1970.
    pub(super) fn first_ms(&self) -> i64 {
        self.span.unwrap_or_default().0
    }

    /// Seconds of a window.
    pub(super) fn step_s(&self) -> f64 {
        self.step_ms as f64 / 1000.0
    }

    /// Each window from the first to the last, also those without a sample: the seconds from the
    /// first sample to its end, the seconds that the run was in it, and what it holds.
    pub(super) fn in_order(&self) -> Vec<(f64, f64, Option<&PointWindow>)> {
        let Some((first, last)) = self.span else {
            return Vec::new();
        };
        let places = first.div_euclid(self.step_ms)..=last.div_euclid(self.step_ms);
        let seconds = |ms: i64| ms as f64 / 1000.0;
        let windows = places.map(|place| {
            let begin = (place * self.step_ms).max(first);
            let end = ((place + 1) * self.step_ms).min(last);
            (
                seconds(end - first),
                seconds(end - begin),
                self.all.get(&place),
            )
        });
        windows.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten hours, then a sample from before and one of another century: nothing is lost, and no
    /// list grows.
    #[test]
    fn windows_become_longer_and_keep_everything() {
        let mut windows = Windows::default();
        let moments = (0..36_000).map(|second| 1_700_000_000_000 + second * 1000);
        for at in moments.chain([1_699_999_000_000, 2_000_000_000_000]) {
            windows.see(at);
            let window = windows.at(at);
            window.requests += 1.0;
            window.durations.record(5.0);
            assert!(windows.all.len() <= 601);
        }
        let all = windows.in_order();
        assert!(all.len() <= 601, "{}", all.len());
        let sum: f64 = all
            .iter()
            .filter_map(|(.., of)| Some(of.as_ref()?.requests))
            .sum();
        assert!((sum - 36_002.0).abs() < 1e-9);
    }
}
