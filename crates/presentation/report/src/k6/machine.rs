//! The summary of `--new-machine-readable-summary`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::civil;
use loadline_metrics::Kind;
use loadline_record::Summary;
use serde_json::{Value, json};

use super::blocks::Report;
use super::json::{number, pretty};
use super::options::{SummaryDetail, SummaryOptions};
use super::shown::MetricFigures;

/// The version of the format k6 writes.
const SCHEMA: &str = "1.0.0";

/// What only the caller knows.
#[derive(Debug, Clone, Copy)]
pub struct MachineFacts<'a> {
    /// Which metrics are included: those that the text of this mode shows.
    pub mode: SummaryDetail,
    /// The script's text.
    pub script: &'a str,
    /// The time of day.
    pub generated_at: SystemTime,
}

/// The summary as k6's programs-only format.
#[must_use]
pub fn machine_readable(
    summary: &Summary,
    options: &SummaryOptions,
    facts: MachineFacts<'_>,
) -> Value {
    let report = Report::new(summary, facts.mode, options);
    let total = report.total;
    let metrics = total.topics.iter().flat_map(|(_, metrics)| metrics);
    let checks = total.checks.map(|checks| {
        let [all, succeeded, failed] = &checks.totals;
        let results = checks.each.iter();
        let results: Vec<Value> = results
            .map(|c| json!({"fails": c.fails, "name": c.name, "passes": c.passes}))
            .collect();
        json!({"metrics": [metric(all), metric(failed), metric(succeeded)], "results": results})
    });
    json!({
        "config": {
            "duration": number(summary.run.duration.as_secs_f64()),
            "execution": "local",
            "script": facts.script,
        },
        "metadata": {"generated_at": rfc3339(facts.generated_at), "k6_version": options.k6_version},
        "results": {
            "checks": checks.unwrap_or_else(|| json!({"metrics": [], "results": []})),
            "metrics": metrics.map(metric).collect::<Vec<_>>(),
        },
        "version": SCHEMA,
    })
}

/// The same as `--summary-export` writes it.
#[must_use]
pub fn machine_readable_text(
    summary: &Summary,
    options: &SummaryOptions,
    facts: MachineFacts<'_>,
) -> String {
    pretty(&machine_readable(summary, options, facts))
}

/// The moment in UTC, to the millisecond.
fn rfc3339(at: SystemTime) -> String {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    let epoch = civil::date(1970, 1, 1).at(0, 0, 0, 0);
    let time = epoch.saturating_add(Duration::from_secs(since.as_secs()));
    let millis = since.subsec_millis();
    format!("{}.{millis:03}Z", time.strftime("%Y-%m-%dT%H:%M:%S"))
}

fn metric(shown: &MetricFigures) -> Value {
    json!({
        "contains": shown.contains.name(),
        "name": shown.name,
        "type": shown.kind.name(),
        "values": values(shown),
    })
}

fn values(shown: &MetricFigures) -> Value {
    let of = |key: &str| number(shown.value(key).unwrap_or(0.0));
    match shown.kind {
        Kind::Counter => json!({"count": of("count")}),
        Kind::Gauge => json!({"max": of("max"), "min": of("min"), "value": of("value")}),
        Kind::Rate => {
            let total = shown.value("passes").unwrap_or(0.0) + shown.value("fails").unwrap_or(0.0);
            json!({"matches": of("passes"), "rate": of("rate"), "total": number(total)})
        }
        Kind::Trend => {
            let names = [
                ("avg", "avg"),
                ("max", "max"),
                ("med", "med"),
                ("min", "min"),
                ("p90", "p(90)"),
                ("p95", "p(95)"),
            ];
            let known = names
                .into_iter()
                .filter_map(|(name, key)| Some((name.to_owned(), number(shown.value(key)?))));
            Value::Object(known.collect())
        }
    }
}
