use loadline_metrics::{Histogram, Shard, Submetrics, TagSetId};
use loadline_record::{LowerBounds, Redactor, VerdictDetail};
use loadline_units::Time;
use std::time::UNIX_EPOCH;
use tempfile::TempDir;

use super::*;
use crate::about::SegmentInfo;
use crate::runs::Store;
use crate::writer::QUEUE_BYTES_MAX;

fn config(folder: &TempDir, name: &str, about: RunInfo) -> RecorderConfig {
    RecorderConfig {
        path: folder.path().join("runs.db"),
        name: name.to_owned(),
        about,
        redactor: Redactor::default(),
        fold_limit: 0,
        wall_clock: || UNIX_EPOCH + Duration::from_secs(1_800_000_000),
        queue: QUEUE_BYTES_MAX,
    }
}

/// A generator that ran a segment and began its load in its window `began`.
fn generator(folder: &TempDir, name: &str, part: &str, began: u64, samples: &[f64]) {
    let about = RunInfo {
        hash: "same".to_owned(),
        segment: Some(SegmentInfo {
            part: part.to_owned(),
            sequence: "0,1/4,1/2,3/4,1".to_owned(),
        }),
        thresholds: vec![crate::about::ThresholdInfo {
            metric: "http_req_duration".to_owned(),
            condition: Some("max<500".to_owned()),
        }],
        ..RunInfo::default()
    };
    let registry = Arc::new(Registry::new());
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    let mut merger = Merger::new(1, registry.clone(), Submetrics::default());
    let mut recorder = Recorder::start(config(folder, name, about));
    recorder.event(
        began * NANOS_PER_SECOND + 250_000_000,
        "begins",
        serde_json::Value::Null,
    );
    for window in 0..10 {
        shard.set_now(Time::from_nanos(window * NANOS_PER_SECOND));
        if window >= began {
            let tags = shard.tags.extend(TagSetId::EMPTY, &[("name", "a")]);
            for sample in samples {
                shard.record(builtin::HTTP_REQ_DURATION, tags, *sample);
                shard.record(builtin::HTTP_REQS, tags, 1.0);
            }
        }
        merger.absorb(shard.take_window(window));
        while let Some(window) = merger.next_ready() {
            recorder.window(&window, &merger, &registry);
        }
    }
    let mut run = Run::finished(Duration::from_secs(10 - began));
    run.complete_iterations = 100;
    run.most_vus = 5;
    let end = RunEnd {
        run,
        warm_up: None,
        began: true,
        verdict: "passed".to_owned(),
        detail: VerdictDetail::default(),
        lower_bounds: LowerBounds::default(),
        bodies: Vec::new(),
    };
    let kept = recorder.finish(end, &merger, JOIN_TIMEOUT);
    assert_eq!(kept.loss, None);
}

fn parts(folder: &TempDir, names: &[&str]) -> Vec<JoinPart> {
    let store = Store::open(&folder.path().join("runs.db")).unwrap();
    let parts = names.iter().map(|name| {
        let row = store.find(name, 0).unwrap();
        let windows = store.all_windows(&row).unwrap();
        let run = store.read(row).unwrap();
        JoinPart { run, windows }
    });
    parts.collect()
}

fn samples(seed: u32) -> Vec<f64> {
    (0..300_u32)
        .map(|i| f64::from((i * 7919 + seed * 104_729) % 4999) * 0.1 + 0.01)
        .collect()
}

/// Four generators, of which some began a second or two later than others.
#[test]
fn four_segments_merged_are_one_histogram_of_all_samples() {
    let folder = TempDir::new().unwrap();
    let segments = ["0:1/4", "1/4:1/2", "1/2:3/4", "3/4:1"];
    let names = ["part1111", "part2222", "part3333", "part4444"];
    let mut all = Histogram::new();
    for (place, (name, segment)) in (0_u32..).zip(names.iter().zip(segments)) {
        let began = u64::from(place % 3);
        generator(&folder, name, segment, began, &samples(place));
        for _ in began..10 {
            samples(place).iter().for_each(|sample| all.record(*sample));
        }
    }
    let parts = parts(&folder, &names);
    let joined = join(&parts, config(&folder, "joined11", RunInfo::default())).unwrap();
    assert_eq!(
        joined.error,
        Duration::ZERO,
        "all began 250 ms into a second"
    );

    let metric = joined.summary.metric("http_req_duration").unwrap();
    let MetricValue::Trend(merged) = &metric.value else {
        unreachable!()
    };
    assert_eq!(merged.buckets(), all.buckets());
    assert_eq!(merged.count(), all.count());
    assert!(metric.thresholds[0].ok, "judged on the whole");
    assert_eq!(joined.summary.run.complete_iterations, 400);
    assert_eq!(joined.summary.run.most_vus, 20);

    // As a run like any other it reads the same, and load begins in one window for all.
    let store = Store::open(&folder.path().join("runs.db")).unwrap();
    let row = store.find("joined11", 0).unwrap();
    assert_eq!(row.segment, "");
    let windows = store.all_windows(&row).unwrap();
    let busy: Vec<u64> = windows
        .iter()
        .filter(|window| !window.gains.is_empty())
        .map(|window| window.first)
        .collect();
    assert_eq!(busy.first(), Some(&2));
    let stored = store.read(row).unwrap();
    assert_eq!(stored.about.merged_from, names);
    let summary = stored.summary();
    let MetricValue::Trend(read) = &summary.metric("http_req_duration").unwrap().value else {
        unreachable!()
    };
    assert_eq!(read.buckets(), all.buckets());
}

#[test]
fn a_missing_or_duplicated_segment_is_refused() {
    let folder = TempDir::new().unwrap();
    for (name, part) in [
        ("aaaa1111", "0:1/4"),
        ("bbbb1111", "1/4:1/2"),
        ("cccc1111", "1/2:3/4"),
        ("dddd1111", "3/4:1"),
    ] {
        generator(&folder, name, part, 0, &[1.0]);
    }
    let refused = |names: &[&str]| {
        let parts = parts(&folder, names);
        let runs: Vec<&StoredRun> = parts.iter().map(|part| &part.run).collect();
        check(&runs).unwrap_err()
    };
    let missing = refused(&["aaaa1111", "bbbb1111", "dddd1111"]);
    assert!(matches!(
        missing,
        JoinError::Parts(PartsError::Missing { .. })
    ));
    let twice = refused(&["aaaa1111", "bbbb1111", "bbbb1111", "cccc1111", "dddd1111"]);
    assert!(matches!(twice, JoinError::Parts(PartsError::Twice { .. })));
    assert!(matches!(refused(&["aaaa1111"]), JoinError::TooFew));
}
