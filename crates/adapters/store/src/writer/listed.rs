//! Totals for the list of runs while a run is going on.

use loadline_metrics::{Kind, MetricValue};

use crate::dictionary::SeriesDef;

/// Requests, their durations and failures, and virtual users.
#[derive(Debug)]
pub(super) struct ListTotals {
    pub(super) requests: f64,
    pub(super) durations: MetricValue,
    pub(super) failed: MetricValue,
    pub(super) vus: f64,
}

impl ListTotals {
    pub(super) fn new() -> Self {
        Self {
            requests: 0.0,
            durations: MetricValue::empty(Kind::Trend),
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
            ("http_req_failed", MetricValue::Rate(_)) => self.failed.merge(value),
            ("vus_max", MetricValue::Gauge(Some(gauge))) => self.vus = self.vus.max(gauge.max),
            _ => {}
        }
    }

    pub(super) fn mean_and_p95(&self) -> (Option<f64>, Option<f64>) {
        match &self.durations {
            MetricValue::Trend(trend) => (trend.mean(), trend.percentile(0.95)),
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
