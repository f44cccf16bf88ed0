//! The summary of `--new-machine-readable-summary`.

use loadline_metrics::Kind;
use loadline_record::Summary;
use serde_json::{Value, json};

use super::blocks::Report;
use super::json::{number, pretty};
use super::options::{Mode, Options};
use super::shown::Shown;

/// The version of the format k6 v1.8.1 writes.
const SCHEMA: &str = "1.0.0";

/// What only the caller knows.
#[derive(Debug, Clone, Copy)]
pub struct MachineFacts<'a> {
    /// The script's text.
    pub script: &'a str,
    /// The version of the program.
    pub version: &'a str,
    /// The time of day, RFC 3339.
    pub generated_at: &'a str,
}

/// The summary as k6's programs-only format.
#[must_use]
pub fn machine_readable(summary: &Summary, options: &Options, facts: MachineFacts<'_>) -> String {
    let report = Report::of(summary, Mode::Full, options);
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
    pretty(&json!({
        "config": {
            "duration": number(summary.run.duration.as_secs_f64()),
            "execution": "local",
            "script": facts.script,
        },
        "metadata": {"generated_at": facts.generated_at, "k6_version": facts.version},
        "results": {
            "checks": checks.unwrap_or_else(|| json!({"metrics": [], "results": []})),
            "metrics": metrics.map(metric).collect::<Vec<_>>(),
        },
        "version": SCHEMA,
    }))
}

fn metric(shown: &Shown) -> Value {
    json!({
        "contains": shown.contains.name(),
        "name": shown.name,
        "type": shown.kind.name(),
        "values": values(shown),
    })
}

fn values(shown: &Shown) -> Value {
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
