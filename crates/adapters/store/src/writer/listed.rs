//! Totals for the list of runs while a run is going on.

use loadline_metrics::{Histogram, Kind, MetricValue};
use loadline_record::{LatencyStart, is_failed_request};

use crate::dictionary::SeriesDef;

/// Requests, their durations and failures, and virtual users.
#[derive(Debug)]
pub(super) struct ListTotals {
    pub(super) requests: f64,
    pub(super) durations: MetricValue,
    /// Of failed ones.
    failed_durations: MetricValue,
    /// From the planned starts.
    intended: MetricValue,
    /// ... of those that failed.
    failed_intended: MetricValue,
    pub(super) failed: MetricValue,
    pub(super) vus: f64,
}

impl ListTotals {
    pub(super) fn new() -> Self {
        Self {
            requests: 0.0,
            durations: MetricValue::empty(Kind::Trend),
            failed_durations: MetricValue::empty(Kind::Trend),
            intended: MetricValue::empty(Kind::Trend),
            failed_intended: MetricValue::empty(Kind::Trend),
            failed: MetricValue::empty(Kind::Rate),
            vus: 0.0,
        }
    }

    pub(super) fn add(&mut self, def: &SeriesDef, value: &MetricValue) {
        match (def.metric.as_str(), value) {
            ("http_reqs", MetricValue::Counter(Some(sum))) => self.requests += sum.value(),
            // What was cut took at least its age.
            ("http_req_duration" | "http_reqs_cut", MetricValue::Trend(_)) => {
                self.durations.merge(value);
                if def.metric == "http_req_duration" && is_failed(def) {
                    self.failed_durations.merge(value);
                }
            }
            ("intended_latency_failed", MetricValue::Trend(_)) => self.failed_intended.merge(value),
            // The values that are only lower bounds are among them.
            ("intended_latency", MetricValue::Trend(_)) => self.intended.merge(value),
            ("http_req_failed", MetricValue::Rate(_)) => self.failed.merge(value),
            ("vus_max", MetricValue::Gauge(Some(gauge))) => self.vus = self.vus.max(gauge.max),
            _ => {}
        }
    }

    /// The mean and the 95th percentile of the latency that the run is told with: of what was
    /// answered well.
    pub(super) fn mean_and_p95(&self, start: LatencyStart) -> (Option<f64>, Option<f64>) {
        let is_planned =
            start == LatencyStart::Planned && trend(&self.intended).is_some_and(|t| !t.is_empty());
        let (all, failed) = if is_planned {
            (&self.intended, &self.failed_intended)
        } else {
            (&self.durations, &self.failed_durations)
        };
        let Some((all, failed)) = trend(all).zip(trend(failed)) else {
            return (None, None);
        };
        let good = all.without(failed);
        // Requests that were never sent took no time, which is not fast.
        let took_time = |ms: &f64| *ms > 0.0;
        let p95 = good.percentile(0.95).filter(took_time);
        (good.mean().filter(took_time), p95)
    }

    pub(super) fn errors(&self) -> Option<f64> {
        match self.failed {
            MetricValue::Rate(rate) => rate.share(),
            _ => None,
        }
    }
}

fn trend(value: &MetricValue) -> Option<&Histogram> {
    match value {
        MetricValue::Trend(trend) => Some(trend),
        _ => None,
    }
}

fn is_failed(def: &SeriesDef) -> bool {
    let tag = |key: &str| {
        let found = def.tags.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    };
    is_failed_request(tag("expected_response"), tag("status"))
}
