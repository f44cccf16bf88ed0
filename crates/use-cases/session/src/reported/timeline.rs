//! What was measured when, in so few windows that a report of any run stays small.

use std::collections::BTreeMap;

use loadline_metrics::{Histogram, MetricValue};
use loadline_report::run::{LATE_MS, Timeline, TimelineWindow};
use loadline_store::{SeriesDef, StoredWindow};

use super::is_failure;

/// With more windows than this, each two become one.
const WINDOWS_MAX: usize = 600;

/// Windows as they are read, by the number of their first second.
pub(super) struct TimelineBuilder {
    begins: f64,
    over: Option<f64>,
    step: u64,
    windows: BTreeMap<u64, TimelineWindow>,
}

impl TimelineBuilder {
    /// A timeline of load that began at a second of the run's clock.
    pub(super) fn new(begins: f64) -> Self {
        Self {
            begins,
            over: None,
            step: 1,
            windows: BTreeMap::new(),
        }
    }

    /// Load ended at a second of the run's clock.
    pub(super) fn ends_at(&mut self, over: Option<f64>) {
        self.over = over;
    }

    /// Adds a stored window.
    pub(super) fn add(&mut self, series: &[SeriesDef], stored: &StoredWindow) {
        let seconds = self.seconds_of(stored);
        // Before and after the load there is only set-up and teardown.
        if seconds <= 0.0 && !has_requests(series, stored) {
            return;
        }
        let at = stored.first / self.step * self.step;
        let window = self.windows.entry(at).or_default();
        if !stored.late {
            window.covered += seconds;
        }
        for (id, value) in &stored.gains {
            if let Some(def) = series.get(*id as usize) {
                take_in(window, def, value);
            }
        }
        if self.windows.len() > WINDOWS_MAX {
            self.join();
        }
    }

    /// How much of a window lies within the load.
    fn seconds_of(&self, stored: &StoredWindow) -> f64 {
        let from = (stored.first as f64).max(self.begins);
        let to = (stored.first + stored.span) as f64;
        (self.over.map_or(to, |over| to.min(over)) - from).max(0.0)
    }

    fn join(&mut self) {
        self.step *= 2;
        for (at, window) in std::mem::take(&mut self.windows) {
            let into = self.windows.entry(at / self.step * self.step).or_default();
            into.covered += window.covered;
            into.requests += window.requests;
            into.failed += window.failed;
            into.planned += window.planned;
            into.dropped += window.dropped;
            into.late += window.late;
            into.vus = window.vus.or(into.vus);
            into.durations.absorb(window.durations);
            into.failed_durations.absorb(window.failed_durations);
            into.intended.absorb(window.intended);
            into.failed_intended.absorb(window.failed_intended);
        }
    }

    /// The windows so far, as seconds since load began.
    pub(super) fn build(&self) -> Timeline {
        let windows = self.windows.iter().map(|(at, window)| TimelineWindow {
            at: (*at as f64 - self.begins).max(0.0),
            ..window.clone()
        });
        Timeline {
            step: self.step,
            windows: windows.collect(),
        }
    }
}

fn has_requests(series: &[SeriesDef], stored: &StoredWindow) -> bool {
    let mut ids = stored.gains.keys();
    ids.any(|id| {
        series
            .get(*id as usize)
            .is_some_and(|def| def.metric == "http_reqs")
    })
}

fn take_in(window: &mut TimelineWindow, def: &SeriesDef, value: &MetricValue) {
    match (def.metric.as_str(), value) {
        ("http_reqs", MetricValue::Counter(Some(sum))) => window.requests += sum.value(),
        ("http_req_failed", MetricValue::Rate(rate)) => window.failed += rate.trues as f64,
        ("http_req_duration", MetricValue::Trend(trend)) => {
            if is_failure(def) {
                window.failed_durations.merge(trend);
            } else {
                window.durations.merge(trend);
            }
        }
        ("intended_latency", MetricValue::Trend(trend)) => window.intended.merge(trend),
        ("intended_latency_failed", MetricValue::Trend(trend)) => {
            window.failed_intended.merge(trend);
        }
        // Each start has a lag, also one whose iteration never ends.
        ("start_lag", MetricValue::Trend(lags)) => {
            window.planned += lags.count() as f64;
            window.late += late(lags);
        }
        ("dropped_iterations", MetricValue::Counter(Some(sum))) => {
            window.planned += sum.value();
            window.dropped += sum.value();
        }
        ("vus", MetricValue::Gauge(Some(gauge))) => window.vus = Some(gauge.last),
        _ => {}
    }
}

/// How many starts were late.
fn late(lags: &Histogram) -> f64 {
    let buckets = lags.buckets().into_iter();
    let late = buckets.filter(|(bucket, _)| bucket.middle() >= LATE_MS);
    late.map(|(_, count)| count as f64).sum()
}

#[cfg(test)]
mod tests {
    use loadline_metrics::{Kind, Origin, Sum, ValueType};
    use loadline_units::Time;

    use super::*;

    fn requests() -> Vec<SeriesDef> {
        vec![SeriesDef {
            metric: "http_reqs".to_owned(),
            kind: Kind::Counter,
            contains: ValueType::Default,
            origin: Origin::K6,
            since: Time::ZERO,
            tags: Vec::new(),
        }]
    }

    fn window(first: u64) -> StoredWindow {
        let mut sum = Sum::default();
        sum.add(5.0);
        StoredWindow {
            first,
            span: 1,
            late: false,
            missing: 0,
            gains: [(0, MetricValue::Counter(Some(sum)))].into(),
        }
    }

    /// An hour's report must not be larger than a minute's; nothing is lost by joining.
    #[test]
    fn a_long_run_has_few_windows_that_add_up_to_the_same() {
        let mut builder = TimelineBuilder::new(0.0);
        for second in 0..3600 {
            builder.add(&requests(), &window(second));
        }
        let timeline = builder.build();
        assert!(timeline.windows.len() <= WINDOWS_MAX);
        assert_eq!(timeline.step, 8);
        let sum: f64 = timeline.windows.iter().map(|window| window.requests).sum();
        assert!((sum - 18_000.0).abs() < 1e-6);
        assert!((timeline.windows[0].covered - 8.0).abs() < 1e-6);
    }

    #[test]
    fn starts_that_were_planned_earlier_are_late() {
        let lags = Histogram::from_values(&[0.1, 9.0, 11.0, 250.0]);
        assert!((late(&lags) - 2.0).abs() < 1e-9);
        assert!(late(&Histogram::new()).abs() < 1e-9);
    }

    #[test]
    fn seconds_of_which_the_load_has_only_a_part_count_as_that_part() {
        let mut builder = TimelineBuilder::new(2.25);
        builder.ends_at(Some(4.5));
        for second in 2..5 {
            builder.add(&requests(), &window(second));
        }
        let timeline = builder.build();
        let covered: Vec<f64> = timeline.windows.iter().map(|w| w.covered).collect();
        assert_eq!(covered, [0.75, 1.0, 0.5]);
        let at: Vec<f64> = timeline.windows.iter().map(|w| w.at).collect();
        assert_eq!(at, [0.0, 0.75, 1.75]);
    }
}
