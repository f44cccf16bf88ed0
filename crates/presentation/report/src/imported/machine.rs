//! k6's `--new-machine-readable-summary`, as the data of `handleSummary` hold the same.

use serde_json::{Map, Value, json};

/// Names of values, here and in the data of `handleSummary`.
const RENAMED: [(&str, &str); 4] = [
    ("p90", "p(90)"),
    ("p95", "p(95)"),
    ("p99", "p(99)"),
    ("matches", "passes"),
];

/// `None` for any other file.
pub(super) fn as_handle_summary(file: &Value) -> Option<Value> {
    let results = &file["results"];
    let listed = results["metrics"].as_array()?;
    let seconds = file["config"]["duration"].as_f64()?;
    let of_checks = results["checks"]["metrics"].as_array();
    let all = listed.iter().chain(of_checks.into_iter().flatten());
    let metrics = all.filter_map(|metric| {
        let name = metric["name"].as_str()?.to_owned();
        Some((name, renamed(metric, seconds)))
    });
    let checks = results["checks"]["results"].as_array();
    Some(json!({
        "root_group": {"name": "", "groups": [], "checks": checks},
        "state": {"testRunDurationMs": seconds * 1000.0},
        "metrics": metrics.collect::<Map<String, Value>>(),
    }))
}

/// A metric with the values that `handleSummary` has: a rate of each counter, what failed of a rate.
fn renamed(metric: &Value, seconds: f64) -> Value {
    let mut values = Map::new();
    for (name, value) in metric["values"].as_object().into_iter().flatten() {
        let known = RENAMED.iter().find(|(theirs, _)| theirs == name);
        values.insert(
            known.map_or(name.as_str(), |known| known.1).to_owned(),
            value.clone(),
        );
    }
    let of = |name: &str| metric["values"][name].as_f64();
    if let (Some(count), "counter") = (of("count"), metric["type"].as_str().unwrap_or_default())
        && seconds > 0.0
    {
        values.insert("rate".to_owned(), json!(count / seconds));
    }
    if let (Some(total), Some(matches)) = (of("total"), of("matches")) {
        values.insert("fails".to_owned(), json!(total - matches));
    }
    json!({
        "type": metric["type"], "contains": metric["contains"], "values": values,
        "thresholds": metric["thresholds"],
    })
}
