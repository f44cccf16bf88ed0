//! k6's `--out json`: a JSON text a line, each a metric or one sample of one.
//!
//! Lines are taken one by one, and what is kept of them does not grow with their number: totals,
//! each list up to a limit, and windows of time that become longer as the file goes on.

mod csv;
mod line;
mod time;
mod windows;
mod words;

use std::collections::BTreeMap;
use std::time::Duration;

use loadline_metrics::threshold::{ConditionState, Expression, judge};
use loadline_metrics::{Histogram, Kind, MetricValue};
use loadline_record::is_failed_request;
use loadline_sizing::history::routes;
use loadline_text::Catalog;
use loadline_units::Time;
use serde_json::{Map, Value, json};

use crate::document::ReportDocument;
pub use csv::CsvColumns;
use line::{Line, Sample};
use windows::Windows;

/// The most bytes of a line; k6's have some hundreds.
pub const MOST_LINE: usize = 1 << 20;
/// Metrics that are kept; samples of further ones are counted.
const METRICS_MAX: usize = 500;
/// Endpoints, likewise.
const ENDPOINTS_MAX: usize = 500;
/// Checks, likewise.
const CHECKS_MAX: usize = 500;
/// The metrics that charts show.
const DURATION: &str = "http_req_duration";
const REQUESTS: &str = "http_reqs";
const FAILED: &str = "http_req_failed";
const USERS: &str = "vus";

/// A line that is not k6's.
#[derive(Debug, thiserror::Error)]
#[error("line {number} is neither a metric nor a sample of k6")]
pub struct ForeignLine {
    /// The first has 1.
    pub number: u64,
}

/// Samples of a run of k6, added up.
#[derive(Debug, Default)]
pub struct K6Points {
    lines: u64,
    metrics: BTreeMap<String, PointMetric>,
    /// By name and method.
    endpoints: BTreeMap<(String, String), PointEndpoint>,
    checks: BTreeMap<String, (u64, u64)>,
    windows: Windows,
    /// Samples of metrics, endpoints and checks beyond the limits.
    left_out: u64,
    is_cut: bool,
    has_submetrics: bool,
    is_csv: bool,
}

/// A metric of the file.
#[derive(Debug)]
struct PointMetric {
    value: MetricValue,
    contains: String,
    thresholds: Vec<String>,
}

/// Requests of one name and method.
#[derive(Debug, Default)]
struct PointEndpoint {
    requests: u64,
    failed: u64,
    /// Of those that did not fail.
    durations: Histogram,
    failed_durations: Histogram,
}

impl K6Points {
    /// Whether a file that begins with this line is one of k6's samples.
    #[must_use]
    pub fn begins_with(line: &str) -> bool {
        Line::parse(line).is_some()
    }

    /// Takes the next line in; empty ones say nothing.
    ///
    /// # Errors
    /// [`ForeignLine`].
    pub fn line(&mut self, text: &str) -> Result<(), ForeignLine> {
        self.lines += 1;
        if text.trim().is_empty() {
            return Ok(());
        }
        match Line::parse(text) {
            Some(Line::Metric(name, definition)) => self.declare(&name, &definition),
            Some(Line::Sample(sample)) => self.add(&sample),
            None => {
                return Err(ForeignLine { number: self.lines });
            }
        }
        Ok(())
    }

    /// Takes a record of `--out csv` in; its kind is known of k6's own metrics only.
    ///
    /// # Errors
    /// [`ForeignLine`].
    pub fn record<'a>(
        &mut self,
        columns: &CsvColumns,
        fields: impl Iterator<Item = &'a str>,
    ) -> Result<(), ForeignLine> {
        self.is_csv = true;
        self.lines += 1;
        let sample = columns.sample(fields);
        // The first line holds the columns.
        let sample = sample.ok_or(ForeignLine {
            number: self.lines + 1,
        })?;
        let is_new = !self.metrics.contains_key(&sample.metric);
        if is_new && self.metrics.len() < METRICS_MAX {
            let definition = csv::definition(&sample.metric);
            self.declare(&sample.metric, &definition);
        }
        self.add(&sample);
        Ok(())
    }

    /// The file ends in the middle of a line, as that of a killed run does.
    pub const fn cut(&mut self) {
        self.is_cut = true;
    }

    /// k6 declares a metric before its first sample.
    fn declare(&mut self, name: &str, definition: &Value) {
        if self.metrics.contains_key(name) {
            return;
        }
        if self.metrics.len() == METRICS_MAX {
            self.left_out += 1;
            return;
        }
        // k6 itself makes the first, for its summary.
        let own = definition["submetrics"].as_array().into_iter().flatten();
        let mut of_test = own.filter(|one| one["suffix"] != "expected_response:true");
        self.has_submetrics |= of_test.next().is_some();
        let kind = match definition["type"].as_str() {
            Some("counter") => Kind::Counter,
            Some("gauge") => Kind::Gauge,
            Some("rate") => Kind::Rate,
            _ => Kind::Trend,
        };
        let texts = definition["thresholds"].as_array();
        // Older programs wrote objects.
        let texts = texts.into_iter().flatten().filter_map(|one| {
            let text = one.as_str().or_else(|| one["source"].as_str());
            text.map(str::to_owned)
        });
        let metric = PointMetric {
            value: MetricValue::empty(kind),
            contains: definition["contains"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            thresholds: texts.collect(),
        };
        self.metrics.insert(name.to_owned(), metric);
    }

    fn add(&mut self, sample: &Sample) {
        self.windows.see(sample.at_ms);
        let Some(metric) = self.metrics.get_mut(&sample.metric) else {
            self.left_out += 1;
            return;
        };
        let since = self.windows.nanos_since_first(sample.at_ms);
        metric.value.record(sample.value, Time::from_nanos(since));
        let known = |name: &str| sample.tags[name].as_str();
        let tag = |name: &str| known(name).unwrap_or_default();
        let (name, method) = (tag("name"), tag("method"));
        match &*sample.metric {
            REQUESTS => {
                self.windows.at(sample.at_ms).requests += sample.value;
                self.endpoint(name, method, |of| of.requests += 1);
            }
            FAILED if sample.value != 0.0 => {
                self.windows.at(sample.at_ms).failed += 1.0;
                self.endpoint(name, method, |of| of.failed += 1);
            }
            DURATION => {
                let is_failed = is_failed_request(known("expected_response"), known("status"));
                if is_failed {
                    let record = |of: &mut PointEndpoint| of.failed_durations.record(sample.value);
                    self.endpoint(name, method, record);
                } else {
                    let durations = &mut self.windows.at(sample.at_ms).durations;
                    durations.record(sample.value);
                    self.endpoint(name, method, |of| of.durations.record(sample.value));
                }
            }
            USERS => self.windows.at(sample.at_ms).users = Some(sample.value),
            "checks" => self.check(tag("check"), sample.value != 0.0),
            _ => {}
        }
    }

    fn endpoint(&mut self, name: &str, method: &str, count: impl FnOnce(&mut PointEndpoint)) {
        let key = (name.to_owned(), method.to_owned());
        let is_full = self.endpoints.len() == ENDPOINTS_MAX && !self.endpoints.contains_key(&key);
        if is_full {
            self.left_out += 1
        } else {
            count(self.endpoints.entry(key).or_default())
        }
    }

    /// The endpoints by method and route, as those of runs of our own; names that the script gave
    /// stay.
    fn routes(&self) -> BTreeMap<String, PointEndpoint> {
        let is_address = |name: &str| name.contains("://");
        let addresses = self
            .endpoints
            .iter()
            .filter(|((name, _), _)| is_address(name));
        let routes = routes(addresses.map(|((name, _), of)| (name.as_str(), of.requests)));
        let mut all: BTreeMap<String, PointEndpoint> = BTreeMap::new();
        for ((name, method), of) in &self.endpoints {
            let shown = match routes.get(name.as_str()) {
                Some(route) => format!("{method} {route}").trim_start().to_owned(),
                None => name.clone(),
            };
            let known = all.entry(shown).or_default();
            known.requests += of.requests;
            known.failed += of.failed;
            known.durations.merge(&of.durations);
            known.failed_durations.merge(&of.failed_durations);
        }
        all
    }

    fn check(&mut self, name: &str, passes: bool) {
        if self.checks.len() == CHECKS_MAX && !self.checks.contains_key(name) {
            self.left_out += 1;
            return;
        }
        let (passed, failed) = self.checks.entry(name.to_owned()).or_default();
        if passes { *passed += 1 } else { *failed += 1 }
    }

    /// From the first sample to the last.
    fn length(&self) -> Duration {
        self.windows.length()
    }

    /// What k6 would have handed to `handleSummary`, as far as samples tell.
    fn summary(&self) -> Value {
        let metrics = self.metrics.iter().filter(|(_, of)| !of.value.is_empty());
        let metrics = metrics.map(|(name, of)| (name.clone(), of.summary(self.length())));
        let checks = self
            .checks
            .iter()
            .map(|(name, (passes, fails))| json!({"name": name, "passes": passes, "fails": fails}));
        json!({
            "root_group": {"name": "", "groups": [], "checks": checks.collect::<Vec<_>>()},
            "state": {"testRunDurationMs": self.length().as_secs_f64() * 1000.0},
            "metrics": metrics.collect::<Map<String, Value>>(),
        })
    }

    /// The document, its numbers as JSON, and how many seconds it covers.
    #[must_use]
    pub fn document(&self, name: &str, catalog: &Catalog) -> (ReportDocument, String, f64) {
        let summary = self.summary();
        let (mut document, seconds) = super::k6::document(&summary, name, catalog);
        words::add(self, &mut document, catalog);
        (document, format!("{summary:#}\n"), seconds)
    }
}

impl PointMetric {
    fn summary(&self, length: Duration) -> Value {
        let seconds = length.as_secs_f64();
        let values = match &self.value {
            MetricValue::Counter(sum) => {
                let count = sum.map_or(0.0, |sum| sum.value());
                let rate = (seconds > 0.0).then(|| count / seconds);
                json!({"count": count, "rate": rate})
            }
            MetricValue::Gauge(gauge) => {
                let of =
                    |value: fn(&loadline_metrics::GaugeValue) -> f64| gauge.as_ref().map(value);
                json!({"value": of(|g| g.last), "min": of(|g| g.min), "max": of(|g| g.max)})
            }
            MetricValue::Rate(rate) => {
                let fails = rate.total - rate.trues;
                json!({"rate": rate.share(), "passes": rate.trues, "fails": fails})
            }
            MetricValue::Trend(all) => {
                let at = |share| all.percentile(share);
                json!({
                    "avg": all.mean(), "min": all.min(), "med": at(0.5), "p(90)": at(0.9),
                    "p(95)": at(0.95), "p(99)": at(0.99), "max": all.max(),
                })
            }
        };
        let judged = self.thresholds.iter().map(|text| {
            let verdict = Expression::parse(text).ok();
            let verdict = verdict.map(|expression| judge(&expression, &self.value, length));
            let ok = verdict.and_then(|verdict| match verdict.outcome {
                ConditionState::Passed => Some(true),
                ConditionState::Failed => Some(false),
                ConditionState::NoData => None,
            });
            (text.clone(), json!({ "ok": ok }))
        });
        json!({
            "type": self.value.kind().name(), "contains": self.contains, "values": values,
            "thresholds": judged.collect::<Map<String, Value>>(),
        })
    }
}

#[cfg(test)]
mod tests;
