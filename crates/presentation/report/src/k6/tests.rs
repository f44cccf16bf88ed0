//! Runs of k6, recorded sample by sample with what it printed, put through our
//! own metrics and shown again: the texts must be the same to the byte.
//!
//! Recorded with `k6 run -q -o json=… --summary-export=… --summary-mode=…` against a
//! local server; the colours on a pseudo-terminal.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use loadline_metrics::threshold::{Condition, Phase, ThresholdSource, Thresholds};
use loadline_metrics::{Kind, Merger, MetricId, Registry, Shard, Submetrics, TagSetId, ValueType};
use loadline_record::{Run, Summary};
use loadline_units::{Time, WorkerId};
use serde_json::Value;

use super::*;

/// A recorded run and the options of its script.
struct Recorded {
    run: &'static str,
    thresholds: &'static [(&'static str, &'static [&'static str])],
    options: SummaryOptions,
}

fn first_script(run: &'static str) -> Recorded {
    let stats = ["avg", "min", "med", "max", "p(90)", "p(99.9)", "count"];
    Recorded {
        run,
        thresholds: &[
            (
                "http_req_duration",
                &["p(95)<500", "avg<0.0001", " max < 1000 "],
            ),
            ("http_req_duration{group:::one}", &["p(75)<100"]),
            ("http_reqs{nope:x}", &["count>5"]),
            ("checks", &["rate>0.9"]),
            ("my_gauge", &["value<1"]),
            ("my_counter", &["count>1", "rate<10000"]),
            ("unused_counter", &["count<1"]),
            ("my_rate{a:b}", &["rate>0.1"]),
            ("my_trend{a:b}", &[]),
        ],
        options: SummaryOptions {
            trend_stats: stats.iter().map(|s| s.parse().unwrap()).collect(),
            ..SummaryOptions::default()
        },
    }
}

fn second_script(run: &'static str) -> Recorded {
    Recorded {
        run,
        thresholds: &[
            ("http_req_duration", &["p(95)<500", "med < 1000"]),
            ("http_req_duration{scenario:buy}", &["p(99)<1"]),
            ("step_time{group:::one::inner}", &["avg<1e9"]),
            ("checks", &["rate>0.9"]),
            ("orders", &["count>1"]),
            ("vus", &["value>0"]),
        ],
        options: SummaryOptions {
            time_unit: Some(TimeUnit::Milliseconds),
            colors: true,
            ..SummaryOptions::default()
        },
    }
}

impl Recorded {
    fn summary(&self) -> Summary {
        let run: Value = serde_json::from_str(self.run).unwrap();
        let registry = Arc::new(Registry::new());
        let ids: Vec<MetricId> = array(&run["metrics"])
            .map(|m| declare(&registry, m))
            .collect();
        if registry.find("unused_counter").is_none() && self.names("unused_counter") {
            let unused = registry.register("unused_counter", Kind::Counter, ValueType::Default);
            assert!(unused.is_ok());
        }
        let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
        let sets: Vec<TagSetId> = array(&run["tags"])
            .map(|tags| tag_set(&mut shard, tags))
            .collect();
        let mut parts = Submetrics::default();
        parts
            .add("http_req_duration{expected_response:true}", &registry)
            .unwrap();
        let sources = self.sources();
        let mut thresholds = Thresholds::compile(&sources, &registry, &mut parts).unwrap();
        for (moment, sample) in (0..).zip(array(&run["samples"])) {
            let place = |i: usize| usize::try_from(sample[i].as_u64().unwrap()).unwrap();
            shard.set_now(Time::from_nanos(moment));
            shard.record(ids[place(0)], sets[place(2)], sample[1].as_f64().unwrap());
        }
        let mut merger = Merger::new(1, Arc::clone(&registry), parts);
        merger.absorb(shard.take_window(0));
        merger.next_ready().unwrap();
        let length = Duration::from_secs_f64(run["seconds"].as_f64().unwrap());
        thresholds.evaluate(merger.totals(), length, Phase::Final);
        let mut facts = Run::finished(length);
        facts.setup_data = Some(serde_json::json!({"a": 1, "z": [1, 2]}));
        Summary::new(&merger, &registry, &thresholds, facts)
    }

    fn names(&self, metric: &str) -> bool {
        self.thresholds.iter().any(|(name, _)| *name == metric)
    }

    fn sources(&self) -> Vec<ThresholdSource> {
        let condition = |text: &&str| Condition {
            text: (*text).to_owned(),
            abort_on_fail: false,
            delay_abort: None,
        };
        let source = |(metric, texts): &(&str, &[&str])| ThresholdSource {
            metric: (*metric).to_owned(),
            conditions: texts.iter().map(condition).collect(),
        };
        self.thresholds.iter().map(source).collect()
    }
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

fn declare(registry: &Registry, metric: &Value) -> MetricId {
    let kind = match metric[1].as_str().unwrap() {
        "counter" => Kind::Counter,
        "gauge" => Kind::Gauge,
        "rate" => Kind::Rate,
        _ => Kind::Trend,
    };
    let contains = match metric[2].as_str().unwrap() {
        "time" => ValueType::Time,
        "data" => ValueType::Data,
        _ => ValueType::Default,
    };
    let name = metric[0].as_str().unwrap();
    registry.register(name, kind, contains).unwrap()
}

fn tag_set(shard: &mut Shard, tags: &Value) -> TagSetId {
    let tags = tags.as_object().unwrap().iter();
    let tags: Vec<(&str, &str)> = tags
        .map(|(k, v)| (k.as_str(), v.as_str().unwrap()))
        .collect();
    shard.tags.extend(TagSetId::EMPTY, &tags)
}

#[track_caller]
fn same_text(ours: &str, theirs: &str) {
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours, theirs);
}

#[test]
fn the_compact_summary_is_that_of_k6() {
    let recorded = first_script(include_str!("../../tests/k6/compact.json"));
    let ours = text(
        &recorded.summary(),
        SummaryDetail::Compact,
        &recorded.options,
    );
    same_text(&ours, include_str!("../../tests/k6/compact.txt"));
}

#[test]
fn the_full_summary_is_that_of_k6() {
    let recorded = first_script(include_str!("../../tests/k6/full.json"));
    let ours = text(&recorded.summary(), SummaryDetail::Full, &recorded.options);
    same_text(&ours, include_str!("../../tests/k6/full.txt"));
}

#[test]
fn scenarios_units_and_colours_are_those_of_k6() {
    let recorded = second_script(include_str!("../../tests/k6/full_colored.json"));
    let ours = text(&recorded.summary(), SummaryDetail::Full, &recorded.options);
    same_text(&ours, include_str!("../../tests/k6/full_colored.txt"));
}

#[test]
fn the_legacy_summary_is_that_of_k6() {
    let plain = first_script(include_str!("../../tests/k6/legacy.json"));
    let ours = text(&plain.summary(), SummaryDetail::Legacy, &plain.options);
    same_text(&ours, include_str!("../../tests/k6/legacy.txt"));
    let colored = second_script(include_str!("../../tests/k6/legacy_colored.json"));
    let ours = text(&colored.summary(), SummaryDetail::Legacy, &colored.options);
    same_text(&ours, include_str!("../../tests/k6/legacy_colored.txt"));
}

/// Compares JSON; numbers to twelve digits, because sums are rounded differently.
#[track_caller]
fn same_json(ours: &Value, theirs: &Value, path: &str) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let mut keys: (Vec<_>, Vec<_>) = (a.keys().collect(), b.keys().collect());
            keys.0.sort();
            keys.1.sort();
            assert_eq!(keys.0, keys.1, "keys of {path}");
            for (key, value) in a {
                same_json(value, &b[key], &format!("{path}.{key}"));
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= b.abs() * 1e-12, "{path}: {a} for {b}");
        }
        _ => assert_eq!(ours, theirs, "{path}"),
    }
}

#[test]
fn the_exported_summary_is_that_of_k6() {
    let recorded = first_script(include_str!("../../tests/k6/compact.json"));
    let data = handle_summary_data(&recorded.summary(), &recorded.options, Tty::default());
    let ours: Value = serde_json::from_str(&summary_export(&data)).unwrap();
    let theirs: Value =
        serde_json::from_str(include_str!("../../tests/k6/compact.export.json")).unwrap();
    same_json(&ours, &theirs, "");
}

#[test]
fn handle_summary_gets_the_shape_k6_gives() {
    let recorded = first_script(include_str!("../../tests/k6/compact.json"));
    let tty = Tty {
        stdout: true,
        stderr: false,
    };
    let data = handle_summary_data(&recorded.summary(), &recorded.options, tty);
    assert_eq!(data["state"]["isStdOutTTY"], true);
    assert_eq!(data["options"]["summaryTimeUnit"], "");
    assert_eq!(data["options"]["noColor"], false);
    assert_eq!(
        data["root_group"]["groups"][0]["checks"][0]["path"],
        "::one::is 200"
    );
    let counter = &data["metrics"]["my_counter"];
    assert_eq!(counter["type"], "counter");
    assert_eq!(counter["values"]["count"], 18);
    assert_eq!(counter["thresholds"]["count>1"]["ok"], true);
    assert!(data["metrics"].get("start_lag").is_none());
    assert_eq!(data["setup_data"]["z"][1], 2);
}

#[test]
fn changed_data_is_shown_as_changed() {
    let recorded = first_script(include_str!("../../tests/k6/compact.json"));
    let mut data = handle_summary_data(&recorded.summary(), &recorded.options, Tty::default());
    let metrics = data["metrics"].as_object_mut().unwrap();
    metrics.retain(|name, _| name == "my_counter");
    data["root_group"]["checks"] = Value::Array(Vec::new());
    data["root_group"]["groups"] = Value::Array(Vec::new());
    let options = LegacyOptions {
        indent: Some("→".to_owned()),
        colors: Some(false),
        ..LegacyOptions::default()
    };
    let shown = text_summary(&data, &options).unwrap();
    let rate = data["metrics"]["my_counter"]["values"]["rate"]
        .as_f64()
        .unwrap();
    assert_eq!(shown, format!("→  ✓ my_counter...: 18 {rate:.6}/s"));

    data["metrics"]["my_counter"]["values"] = Value::Null;
    let error = text_summary(&data, &options).unwrap_err().to_string();
    assert_eq!(
        error,
        "summary data has no usable `metrics.my_counter.values.count`"
    );
}

#[test]
fn the_machine_readable_summary_has_the_shape_of_k6() {
    let recorded = second_script(include_str!("../../tests/k6/full_colored.json"));
    let facts = MachineFacts {
        mode: SummaryDetail::Full,
        script: "export default function () {}",
        generated_at: UNIX_EPOCH + Duration::from_millis(1_709_251_199_012),
    };
    let text = machine_readable_text(&recorded.summary(), &recorded.options, facts);
    let data: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(data["version"], "1.0.0");
    assert_eq!(data["metadata"]["generated_at"], "2024-02-29T23:59:59.012Z");
    let checks = &data["results"]["checks"];
    assert_eq!(checks["metrics"][0]["name"], "checks_total");
    assert_eq!(checks["metrics"][1]["values"]["total"], 17);
    let metrics = data["results"]["metrics"].as_array().unwrap();
    let trend = metrics.iter().find(|m| m["name"] == "step_time").unwrap();
    assert_eq!(trend["values"]["p95"], 12.5);
    assert!(trend["values"].get("p(95)").is_none());
}
