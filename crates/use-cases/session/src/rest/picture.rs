//! Metrics and groups as the REST API shows them, made once a window.

use std::collections::BTreeMap;

use loadline_metrics::{Merger, MetricValue, Origin, Registry, builtin};
use md5::{Digest, Md5};
use serde_json::{Map, Value as Json, json};

/// What was measured until the last window.
#[derive(Debug, Default)]
pub(super) struct Picture {
    pub(super) metrics: Vec<Json>,
    pub(super) groups: Vec<Json>,
}

impl Picture {
    /// Of all totals; the scenarios began so many seconds ago.
    pub(super) fn new(merger: &Merger, registry: &Registry, seconds: f64) -> Self {
        let totals = merger.totals();
        let metrics = registry.all();
        let metrics = metrics.iter().filter_map(|(id, def)| {
            let value = totals.metric(*id).filter(|value| !value.is_empty())?;
            (def.origin != Origin::Loadline).then(|| {
                json!({ "type": "metrics", "id": &*def.name, "attributes": {
                    "type": def.kind.name(),
                    "contains": def.contains.name(),
                    "tainted": null,
                    "sample": sample(value, seconds),
                }})
            })
        });
        Self {
            metrics: metrics.collect(),
            groups: groups(merger),
        }
    }
}

/// A metric's numbers, as k6 names them.
fn sample(value: &MetricValue, seconds: f64) -> Json {
    match value {
        MetricValue::Counter(sum) => {
            let count = sum.map_or(0.0, |sum| sum.value());
            let rate = if seconds > 0.0 { count / seconds } else { 0.0 };
            json!({ "count": count, "rate": rate })
        }
        MetricValue::Gauge(gauge) => json!({ "value": gauge.map_or(0.0, |gauge| gauge.last) }),
        MetricValue::Rate(rate) => json!({ "rate": rate.share().unwrap_or_default() }),
        MetricValue::Trend(trend) => {
            let shares = [0.5, 0.9, 0.95];
            let found = trend.percentiles(&shares).unwrap_or_else(|| vec![0.0; 3]);
            json!({
                "avg": trend.mean().unwrap_or_default(),
                "max": trend.max().unwrap_or_default(),
                "med": found[0],
                "min": trend.min().unwrap_or_default(),
                "p(90)": found[1],
                "p(95)": found[2],
            })
        }
    }
}

#[derive(Default)]
struct Group {
    /// Passes and fails by the check's name.
    checks: BTreeMap<String, (u64, u64)>,
}

/// All groups that samples were in, the root first.
fn groups(merger: &Merger) -> Vec<Json> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::from([(String::new(), Group::default())]);
    for (id, info) in merger.all_series() {
        let path = merger.tags().get(info.tags, "group").unwrap_or_default();
        let mut above = path;
        while let Some((parent, _)) = above.rsplit_once("::") {
            groups.entry(above.to_owned()).or_default();
            above = parent;
        }
        let check = merger.tags().get(info.tags, "check");
        let total = merger.totals().series(id);
        if let (true, Some(name), Some(MetricValue::Rate(rate))) =
            (info.metric == builtin::CHECKS, check, total)
        {
            let group = groups.entry(path.to_owned()).or_default();
            let counts = group.checks.entry(name.to_owned()).or_default();
            counts.0 += rate.trues;
            counts.1 += rate.total - rate.trues;
        }
    }
    let paths: Vec<&String> = groups.keys().collect();
    groups
        .iter()
        .map(|(path, group)| {
            let below = paths.iter().filter(|other| parent(other) == Some(path));
            let below: Vec<Json> = below.map(|other| reference(other)).collect();
            json!({
                "type": "groups",
                "id": hash(path),
                "attributes": {
                    "path": path,
                    "name": path.rsplit("::").next().unwrap_or_default(),
                    "checks": checks(path, group),
                },
                "relationships": {
                    "groups": { "data": below },
                    "parent": { "data": parent(path).map(reference) },
                },
            })
        })
        .collect()
}

fn checks(path: &str, group: &Group) -> Json {
    if group.checks.is_empty() {
        return Json::Null;
    }
    let checks = group.checks.iter().map(|(name, (passes, fails))| {
        let own = format!("{path}::{name}");
        let mut check = Map::new();
        check.insert("id".to_owned(), hash(&own).into());
        check.insert("path".to_owned(), own.into());
        check.insert("name".to_owned(), name.clone().into());
        check.insert("passes".to_owned(), (*passes).into());
        check.insert("fails".to_owned(), (*fails).into());
        Json::Object(check)
    });
    Json::Array(checks.collect())
}

/// The path of the group above; none above the root.
fn parent(path: &str) -> Option<&str> {
    path.rsplit_once("::").map(|(above, _)| above)
}

fn reference(path: &str) -> Json {
    json!({ "type": "groups", "id": hash(path) })
}

/// k6's id of a path.
fn hash(path: &str) -> String {
    let digest = Md5::digest(path.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use loadline_metrics::{Shard, Submetrics, TagSetId};
    use loadline_units::WorkerId;

    use super::*;

    #[test]
    fn a_picture_has_k6s_ids_and_names() {
        let registry = Arc::new(Registry::new());
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        let tags = shard
            .tags
            .extend(TagSetId::EMPTY, &[("group", "::g"), ("check", "x")]);
        shard.record(builtin::CHECKS, tags, 1.0);
        shard.record(builtin::HTTP_REQS, TagSetId::EMPTY, 1.0);
        shard.record(builtin::START_LAG, TagSetId::EMPTY, 1.0);
        let mut merger = Merger::new(1, registry.clone(), Submetrics::default());
        merger.absorb(shard.take_window(0));
        assert!(merger.next_ready().is_some());

        let picture = Picture::new(&merger, &registry, 2.0);

        let ids: Vec<&str> = picture
            .metrics
            .iter()
            .filter_map(|metric| metric["id"].as_str())
            .collect();
        assert_eq!(ids, ["http_reqs", "checks"]);
        assert_eq!(
            picture.metrics[0]["attributes"]["sample"],
            json!({ "count": 1.0, "rate": 0.5 })
        );
        assert_eq!(picture.groups.len(), 2);
        assert_eq!(
            picture.groups[0]["relationships"]["groups"]["data"][0]["id"],
            "652e756c89643c3ada0b451cbd88a9d3"
        );
        let check = &picture.groups[1]["attributes"]["checks"][0];
        assert_eq!(check["id"], "74eb6cc64e338d2e1d3afca23fb8ff7e");
        assert_eq!((&check["passes"], &check["fails"]), (&json!(1), &json!(0)));
    }
}
