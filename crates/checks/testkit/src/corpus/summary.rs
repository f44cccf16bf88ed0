//! Reads the file of `--summary-export`.

use serde_json::{Map, Value};

use super::observation::{Metric, Observation, Tally};

/// Fills checks, groups and metrics; `place` replaces what belongs to this machine in names.
pub(super) fn read(value: &Value, place: &dyn Fn(&str) -> String, seen: &mut Observation) {
    seen.summary = true;
    if let Some(group) = value["root_group"].as_object() {
        walk(group, place, seen);
    }
    for (name, metric) in value["metrics"].as_object().into_iter().flatten() {
        if let Some(metric) = metric.as_object() {
            seen.metrics.insert(place(name), read_metric(metric));
        }
    }
}

fn walk(group: &Map<String, Value>, place: &dyn Fn(&str) -> String, seen: &mut Observation) {
    let path = |object: &Value| place(object["path"].as_str().unwrap_or_default());
    for check in children(group, "checks") {
        let number = |name: &str| check[name].as_u64().unwrap_or_default();
        seen.checks.insert(
            path(check),
            Tally {
                passes: number("passes"),
                fails: number("fails"),
            },
        );
    }
    for child in children(group, "groups") {
        seen.groups.insert(path(child));
        if let Some(child) = child.as_object() {
            walk(child, place, seen);
        }
    }
}

fn children<'a>(group: &'a Map<String, Value>, name: &str) -> impl Iterator<Item = &'a Value> {
    group
        .get(name)
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::values)
}

fn read_metric(object: &Map<String, Value>) -> Metric {
    let mut metric = Metric::default();
    for (key, value) in object {
        if let Some(number) = value.as_f64() {
            metric.values.insert(key.clone(), number);
        }
    }
    let has = |key: &str| metric.values.contains_key(key);
    let kind = match () {
        () if has("passes") && has("fails") => "rate",
        () if has("count") && has("rate") => "counter",
        () if has("value") => "gauge",
        () => "trend",
    };
    metric.kind = kind.to_owned();
    for (expression, failed) in object
        .get("thresholds")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        metric
            .thresholds
            .insert(expression.clone(), failed.as_bool().unwrap_or_default());
    }
    metric
}
