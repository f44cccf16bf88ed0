//! Numbers of a run that several reports need.

use std::time::Duration;

use loadline_metrics::{Censored, Histogram, MetricValue, RateValue, ValueBounds};
use loadline_record::Summary;
use loadline_text::{Catalog, latency, messages};
use loadline_units::Bytes;
use loadline_units::duration::go_string;

/// Looks numbers up in a summary; what was not measured is zero or `None`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers<'a>(pub(crate) &'a Summary);

impl<'a> Numbers<'a> {
    pub(crate) fn value(self, name: &str) -> Option<&'a MetricValue> {
        self.0.metric(name).map(|metric| &metric.value)
    }

    pub(crate) fn trend(self, name: &str) -> Option<&'a Histogram> {
        match self.value(name) {
            Some(MetricValue::Trend(trend)) if !trend.is_empty() => Some(trend),
            _ => None,
        }
    }

    /// The time to the first byte of requests that ended; where some failed, of the others.
    pub(crate) fn first_byte(self) -> Option<Censored> {
        let waiting = self.trend("http_req_waiting")?;
        let good = waiting.without(&self.0.failed_first_byte);
        Some(Censored::joining(&good, &Histogram::new()))
    }

    pub(crate) fn count_of(self, name: &str) -> f64 {
        match self.value(name) {
            Some(MetricValue::Counter(Some(sum))) => sum.value(),
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
            Some(MetricValue::Rate(rate)) => *rate,
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

    /// The 95th percentile of the latency that the run is told with, in milliseconds: of good
    /// answers, where it is known which failed.
    pub(crate) fn p95_ms(self) -> Option<ValueBounds> {
        self.0.waited()?.percentile(0.95)
    }

    /// The same in words.
    pub(crate) fn p95(self, catalog: &Catalog) -> String {
        let p95 = self.p95_ms().map_or_else(|| "–".to_owned(), bounded);
        match self.0.waited_apart() {
            // Where no answer was good there is no time that one took.
            Some(apart) if !apart.good.all().is_empty() => catalog.text(&messages::p95_good(p95)),
            _ => p95,
        }
    }
}

/// A time that may be only a lower bound.
pub(crate) fn bounded(time: ValueBounds) -> String {
    let least = latency(time.at_least);
    if time.is_known() {
        least
    } else {
        format!("≥ {least}")
    }
}

/// A duration to the tenth of a second; a shorter one to the millisecond.
pub(crate) fn seconds(length: Duration) -> String {
    if length < Duration::from_secs(1) {
        let millis = u64::try_from(length.as_millis()).unwrap_or(0);
        return go_string(Duration::from_millis(millis));
    }
    let tenths = (length.as_millis() + 50) / 100;
    go_string(Duration::from_millis(
        u64::try_from(tenths)
            .unwrap_or(u64::MAX)
            .saturating_mul(100),
    ))
}

/// A number of bytes in a unit that fits.
pub(crate) fn bytes(value: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size; the cast saturates"
    )]
    let bytes = value.round() as u64;
    Bytes(bytes).to_string()
}
