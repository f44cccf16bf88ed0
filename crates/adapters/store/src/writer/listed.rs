//! Totals for the list of runs while a run is going on.

use loadline_metrics::{Kind, MetricValue};
use loadline_record::LatencyStart;

use crate::dictionary::SeriesDef;

/// Requests, their durations and failures, and virtual users.
#[derive(Debug)]
pub(super) struct ListTotals {
    pub(super) requests: f64,
    pub(super) durations: MetricValue,
    /// From the planned starts.
    intended: MetricValue,
    pub(super) failed: MetricValue,
    pub(super) vus: f64,
}

impl ListTotals {
    pub(super) fn new() -> Self {
        Self {
            requests: 0.0,
            durations: MetricValue::empty(Kind::Trend),
            intended: MetricValue::empty(Kind::Trend),
            failed: MetricValue::empty(Kind::Rate),
            vus: 0.0,
        }
    }

    pub(super) fn add(&mut self, def: &SeriesDef, value: &MetricValue) {
        match (def.metric.as_str(), value) {
            ("http_reqs", MetricValue::Counter(Some(sum))) => self.requests += sum.value(),
            // What was cut took at least its age.
            ("http_req_duration" | "http_reqs_cut", MetricValue::Trend(_)) => {
                self.durations.merge(value)
            }
            // The values that are only lower bounds are among them.
            ("intended_latency", MetricValue::Trend(_)) => self.intended.merge(value),
            ("http_req_failed", MetricValue::Rate(_)) => self.failed.merge(value),
            ("vus_max", MetricValue::Gauge(Some(gauge))) => self.vus = self.vus.max(gauge.max),
            _ => {}
        }
    }

    /// The mean and the 95th percentile of the latency that the run is told with.
    pub(super) fn mean_and_p95(&self, start: LatencyStart) -> (Option<f64>, Option<f64>) {
        let told = match (start, &self.intended) {
            (LatencyStart::Planned, MetricValue::Trend(trend)) if !trend.is_empty() => {
                &self.intended
            }
            _ => &self.durations,
        };
        match told {
            // Requests that were never sent took no time, which is not fast.
            MetricValue::Trend(trend) => {
                let took_time = |ms: &f64| *ms > 0.0;
                let p95 = trend.percentile(0.95).filter(took_time);
                (trend.mean().filter(took_time), p95)
            }
            _ => (None, None),
        }
    }

    pub(super) fn errors(&self) -> Option<f64> {
        match self.failed {
            MetricValue::Rate(rate) => rate.share(),
            _ => None,
        }
    }
}
