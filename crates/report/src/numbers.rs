//! The few numbers of a run that every report of ours asks for.

use loadline_metrics::{Censored, Histogram, RateValue, Value};
use loadline_record::Summary;

/// Looks numbers up in a summary; what was not measured is zero or `None`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers<'a>(pub(crate) &'a Summary);

impl<'a> Numbers<'a> {
    pub(crate) fn value(self, name: &str) -> Option<&'a Value> {
        self.0.metric(name).map(|metric| &metric.value)
    }

    pub(crate) fn trend(self, name: &str) -> Option<&'a Histogram> {
        match self.value(name) {
            Some(Value::Trend(trend)) if !trend.is_empty() => Some(trend),
            _ => None,
        }
    }

    /// How long requests took from when they were sent; those that were cut took longer than
    /// their age.
    pub(crate) fn latency(self) -> Option<Censored> {
        self.with_censored("http_req_duration", "http_reqs_cut")
    }

    /// How long iterations took from their planned start.
    pub(crate) fn intended_latency(self) -> Option<Censored> {
        let all = self.trend("intended_latency")?;
        let nothing = Histogram::new();
        let censored = self.trend("intended_latency_censored").unwrap_or(&nothing);
        Some(Censored::within(all, censored))
    }

    /// The time to the first byte of requests that ended.
    pub(crate) fn first_byte(self) -> Option<Censored> {
        self.trend("http_req_waiting")
            .map(|waiting| Censored::joining(waiting, &Histogram::new()))
    }

    fn with_censored(self, exact: &str, censored: &str) -> Option<Censored> {
        let nothing = Histogram::new();
        let (exact, censored) = (self.trend(exact), self.trend(censored));
        exact.or(censored)?;
        let (exact, censored) = (exact.unwrap_or(&nothing), censored.unwrap_or(&nothing));
        Some(Censored::joining(exact, censored))
    }

    pub(crate) fn count_of(self, name: &str) -> f64 {
        match self.value(name) {
            Some(Value::Counter(Some(sum))) => sum.value(),
            _ => 0.0,
        }
    }

    /// Per second of the run.
    pub(crate) fn rate_of(self, name: &str) -> f64 {
        let length = self.0.run.duration;
        if length.is_zero() {
            return 0.0;
        }
        self.count_of(name) / length.as_secs_f64()
    }

    pub(crate) fn failed(self) -> RateValue {
        match self.value("http_req_failed") {
            Some(Value::Rate(rate)) => *rate,
            _ => RateValue::default(),
        }
    }

    /// The share of requests that failed.
    pub(crate) fn errors(self) -> f64 {
        let (failed, all) = self.0.failed_requests();
        if all == 0 {
            return 0.0;
        }
        failed as f64 / all as f64
    }

    /// The 95th percentile of requests' durations, in milliseconds.
    pub(crate) fn p95_ms(self) -> Option<f64> {
        self.trend("http_req_duration")?.percentile(0.95)
    }
}
