//! A run's totals as JSON: what `handleSummary` gets and what `--summary-export` writes.

use loadline_record::{Check, Group, Summary};
use md5::{Digest, Md5};
use serde::Serialize;
use serde_json::{Map, Number, Value, json};

use super::options::{SummaryOptions, TrendStat};
use super::shown::{MetricFigures, is_shown};

/// What the summary's destination is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tty {
    /// Whether standard output is a terminal.
    pub stdout: bool,
    /// Whether standard error is a terminal.
    pub stderr: bool,
}

/// What k6 hands to `handleSummary`.
#[must_use]
pub fn handle_summary_data(summary: &Summary, options: &SummaryOptions, tty: Tty) -> Value {
    let mut data = json!({
        "root_group": group(&summary.root),
        "options": {
            "summaryTrendStats": options.trend_stats.iter().map(TrendStat::name).collect::<Vec<_>>(),
            "summaryTimeUnit": options.time_unit.map_or("", super::options::TimeUnit::name),
            "noColor": options.no_color,
        },
        "state": {
            "isStdOutTTY": tty.stdout,
            "isStdErrTTY": tty.stderr,
            "testRunDurationMs": number(summary.run.duration.as_secs_f64() * 1000.0),
        },
        "metrics": metrics(summary, options),
    });
    // What set-up did not return is undefined there, not null.
    if let Some(setup) = &summary.run.setup_data {
        data["setup_data"] = setup.clone();
    }
    data
}

/// What `--summary-export` writes, made of [`handle_summary_data`]: groups and checks by
/// name, values without the metric's kind, and each threshold with whether it *failed*.
#[must_use]
pub fn summary_export(data: &Value) -> String {
    let mut export = Map::new();
    for (key, value) in data.as_object().into_iter().flatten() {
        let value = match key.as_str() {
            "options" | "state" => continue,
            "root_group" => group_by_name(value),
            "metrics" => {
                let metrics = value.as_object().into_iter().flatten();
                let plain = metrics.map(|(name, metric)| (name.clone(), plain_metric(metric)));
                Value::Object(plain.collect())
            }
            _ => value.clone(),
        };
        export.insert(key.clone(), value);
    }
    pretty(&Value::Object(export))
}

/// JSON with four spaces per level, as `JSON.stringify(value, null, 4)`.
pub(super) fn pretty(value: &Value) -> String {
    let mut bytes = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    let written = value.serialize(&mut serializer);
    debug_assert!(written.is_ok(), "writing to memory does not fail");
    String::from_utf8(bytes).unwrap_or_default()
}

/// A number that prints without a fraction when it has none; `null` when not finite.
pub(super) fn number(value: f64) -> Value {
    const EXACT_INTEGER_MAX: f64 = 9_007_199_254_740_992.0; // 2^53
    if value.fract() == 0.0 && value.abs() <= EXACT_INTEGER_MAX {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return Value::Number(Number::from(value as i64));
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn metrics(summary: &Summary, options: &SummaryOptions) -> Value {
    let known = summary.metrics.iter().filter(|m| is_shown(m));
    let each = known.map(|metric| {
        let shown = MetricFigures::new(metric, options, summary.run.duration);
        let values = shown.values.iter();
        let values: Map<_, _> = values.map(|(k, v)| (k.clone(), number(*v))).collect();
        let mut data = json!({
            "type": metric.kind.name(),
            "contains": metric.contains.name(),
            "values": values,
        });
        if !shown.thresholds.is_empty() {
            let thresholds = shown.thresholds.iter();
            let thresholds: Map<_, _> = thresholds
                .map(|one| (one.source.clone(), json!({ "ok": one.ok })))
                .collect();
            data["thresholds"] = Value::Object(thresholds);
        }
        (metric.name.clone(), data)
    });
    Value::Object(each.collect())
}

fn group(node: &Group) -> Value {
    json!({
        "name": node.name,
        "path": node.path,
        "id": id(&node.path),
        "groups": node.groups.iter().map(group).collect::<Vec<_>>(),
        "checks": node.checks.iter().map(|c| check(c, &node.path)).collect::<Vec<_>>(),
    })
}

fn check(check: &Check, group: &str) -> Value {
    let path = format!("{group}::{}", check.name);
    json!({
        "name": check.name,
        "path": path,
        "id": id(&path),
        "passes": check.passes,
        "fails": check.fails,
    })
}

/// k6's id of a group or check.
fn id(path: &str) -> String {
    let digest = Md5::digest(path.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn group_by_name(group: &Value) -> Value {
    let mut group = group.clone();
    for (key, transform) in [
        ("groups", group_by_name as fn(&Value) -> Value),
        ("checks", Value::clone),
    ] {
        let list = group[key].as_array().into_iter().flatten();
        let named = list.map(|item| {
            let name = item["name"].as_str().unwrap_or_default().to_owned();
            (name, transform(item))
        });
        group[key] = Value::Object(named.collect());
    }
    group
}

fn plain_metric(metric: &Value) -> Value {
    let mut plain = metric["values"].as_object().cloned().unwrap_or_default();
    if let Some(thresholds) = metric["thresholds"].as_object() {
        let failed = thresholds.iter().map(|(source, result)| {
            let ok = result["ok"].as_bool().unwrap_or_default();
            (source.clone(), Value::Bool(!ok))
        });
        plain.insert("thresholds".to_owned(), Value::Object(failed.collect()));
    }
    if metric["type"] == "rate"
        && let Some(rate) = plain.shift_remove("rate")
    {
        plain.insert("value".to_owned(), rate);
    }
    Value::Object(plain)
}
