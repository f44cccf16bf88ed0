//! How much a run takes on disk, and that a long one opens quickly.
#![expect(
    clippy::cast_possible_truncation,
    clippy::print_stdout,
    reason = "small numbers; what was measured is worth reading"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "opening a file is timed, in real time"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

use loadline_metrics::{Merger, MetricId, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_record::{LowerBounds, Redactor, Run, VerdictDetail};
use loadline_store::{QUEUE_BYTES_MAX, Recorder, RecorderConfig, RunEnd, RunInfo, Store};
use loadline_units::{Random, Time, WorkerId};
use tempfile::TempDir;

/// The metrics of an HTTP request, and how long each takes of it.
const PHASES: [(MetricId, f64); 7] = [
    (builtin::HTTP_REQ_DURATION, 1.0),
    (builtin::HTTP_REQ_WAITING, 0.93),
    (builtin::HTTP_REQ_SENDING, 0.02),
    (builtin::HTTP_REQ_RECEIVING, 0.05),
    (builtin::HTTP_REQ_BLOCKED, 0.001),
    (builtin::HTTP_REQ_CONNECTING, 0.0),
    (builtin::HTTP_REQ_TLS_HANDSHAKING, 0.0),
];

/// Response times that are the same in each run of the test.
struct Noise(Random);

impl Noise {
    /// A time as servers have it, in milliseconds with nanoseconds: most are near `level`,
    /// some are many times that.
    fn time(&self, level: f64) -> f64 {
        let spread = (0..6).map(|_| self.0.unit()).sum::<f64>() - 3.0;
        let nanos = level * (0.5 * spread).exp() * 1e6;
        nanos.round() / 1e6
    }
}

/// Keeps a run of so many endpoints with nine series each; its series.
fn keep(path: &Path, endpoints: usize, rate: u32, seconds: u64) -> usize {
    let registry = Arc::new(Registry::new());
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    let mut merger = Merger::new(1, registry.clone(), Submetrics::default());
    let mut recorder = Recorder::start(RecorderConfig {
        path: path.to_owned(),
        name: "sizes111".to_owned(),
        about: RunInfo::default(),
        redactor: Redactor::default(),
        fold_limit: 0,
        wall_clock: || UNIX_EPOCH + Duration::from_secs(1_800_000_000),
        queue: QUEUE_BYTES_MAX,
    });
    let noise = Noise(Random::new(7));
    for second in 0..seconds {
        shard.set_now(Time::from_nanos(second * 1_000_000_000));
        for request in 0..rate {
            let endpoint = (request as usize + second as usize) % endpoints;
            let name = format!("/endpoint/{endpoint}");
            let tags = [
                ("name", name.as_str()),
                ("method", "GET"),
                ("status", "200"),
                ("scenario", "a"),
                ("url", name.as_str()),
            ];
            let tags = shard.tags.extend(TagSetId::EMPTY, &tags);
            for (metric, share) in PHASES {
                let time = noise.time(20.0 * share);
                shard.record(metric, tags, time);
            }
            shard.record(builtin::HTTP_REQS, tags, 1.0);
            shard.record(builtin::HTTP_REQ_FAILED, tags, 0.0);
        }
        merger.absorb(shard.take_window(second));
        while let Some(window) = merger.next_ready() {
            recorder.window(&window, &merger, &registry);
        }
    }
    let end = RunEnd {
        run: Run::finished(Duration::from_secs(seconds)),
        warm_up: None,
        began: true,
        verdict: "passed".to_owned(),
        detail: VerdictDetail::default(),
        lower_bounds: LowerBounds::default(),
        bodies: Vec::new(),
    };
    let kept = recorder.finish(end, &merger, Duration::from_secs(60));
    assert_eq!((kept.loss, kept.coarse), (None, 0));
    merger.series_count()
}

#[test]
fn a_minute_of_a_hundred_series_is_at_most_a_megabyte() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs.db");
    let series = keep(&path, 11, 200, 120);
    assert_eq!(series, 99);
    let store = Store::open(&path).unwrap();
    let row = store.find("latest", 0).unwrap();
    let (bytes, windows) = store.size(&row).unwrap();
    assert_eq!(windows, 120);
    assert!(bytes / 2 <= 1_000_000, "{} bytes a minute", bytes / 2);
    println!(
        "{} bytes a minute, {series} series, 200 requests/s",
        bytes / 2
    );
}

/// The windows of ten minutes are there, the roll-up is what is read.
#[test]
fn a_run_of_ten_minutes_opens_in_half_a_second() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs.db");
    keep(&path, 11, 40, 600);
    let begun = Instant::now();
    let store = Store::open(&path).unwrap();
    let row = store.find("latest", 0).unwrap();
    let summary = store.read(row).unwrap().summary();
    let took = begun.elapsed();
    assert!(summary.metric("http_reqs").is_some());
    assert!(took < Duration::from_millis(500), "{took:?}");
    println!("opened in {took:?}");
}
