//! Writes a run of ten minutes into a store, with all that a source may tell, for measuring how long it takes to
//! explain: `loadline explain --store FILE`. Figures: docs/decisions/explain-judge.md.
//!
//! `cargo run --profile suite -p loadline-session --example long_run -- FILE`
//!
//! 20 endpoints with 400 requests a second, a page of 300 series, 60 statements of a database, traces of each
//! endpoint, and a log with 200 long wordings.
#![expect(
    clippy::expect_used,
    reason = "a tool for developers ends by panicking"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loadline_metrics::{Merger, MetricId, Registry, Shard, Submetrics, builtin};
use loadline_record::signals::{Entity, Label, LineLevel, SignalKind, Signals, TargetSetting};
use loadline_record::{LowerBounds, Redactor, Run, VerdictDetail};
use loadline_store::{QUEUE_BYTES_MAX, Recorder, RecorderConfig, RunEnd, RunInfo, ScenarioInfo};
use loadline_units::{Random, Time, WorkerId};

const SECONDS: u64 = 600;
const ENDPOINTS: usize = 20;
const REQUESTS_PER_SECOND_OF_ENDPOINT: usize = 20;
const SERIES_OF_PAGE: usize = 300;
const STATEMENTS: usize = 60;
const WORDINGS: usize = 200;
/// A line with the trace of an exception.
const WORDING_BYTES: usize = 900;
/// The store's thread has so long for what is left.
const PATIENCE: Duration = Duration::from_secs(60);
const TIMES: [MetricId; 7] = [
    builtin::HTTP_REQ_DURATION,
    builtin::HTTP_REQ_WAITING,
    builtin::HTTP_REQ_CONNECTING,
    builtin::HTTP_REQ_TLS_HANDSHAKING,
    builtin::HTTP_REQ_SENDING,
    builtin::HTTP_REQ_RECEIVING,
    builtin::HTTP_REQ_BLOCKED,
];

fn main() {
    let path = std::env::args().nth(1).expect("the store's file");
    let registry = Arc::new(Registry::new());
    let mut recorder = recorder(PathBuf::from(path));
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    let mut merger = Merger::new(1, registry.clone(), Submetrics::default());
    let random = Random::new(43);
    for second in 0..SECONDS {
        callers(&mut shard, &random);
        shard.set_now(Time::from_nanos(second * 1_000_000_000));
        merger.absorb(shard.take_window(second));
        while let Some(window) = merger.next_ready() {
            recorder.window(&window, &merger, &registry);
        }
    }
    recorder.signals(signals(&random));
    let end = RunEnd {
        run: Run::finished(Duration::from_secs(SECONDS)),
        warm_up: None,
        began: true,
        verdict: "passed".to_owned(),
        detail: VerdictDetail::default(),
        lower_bounds: LowerBounds::default(),
        bodies: Vec::new(),
    };
    let stored = recorder.finish(end, &merger, PATIENCE);
    assert!(stored.loss.is_none(), "{stored:?}");
}

fn recorder(path: PathBuf) -> Recorder {
    let about = RunInfo {
        kind: "k6".to_owned(),
        test: "shop.js".to_owned(),
        scenarios: vec![ScenarioInfo {
            name: "default".to_owned(),
            executor: "constant-vus".to_owned(),
            ..ScenarioInfo::default()
        }],
        ..RunInfo::default()
    };
    Recorder::start(RecorderConfig {
        path,
        name: "long".to_owned(),
        about,
        redactor: Redactor::default(),
        fold_limit: 10_000,
        wall_clock: || SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000),
        queue: QUEUE_BYTES_MAX,
    })
}

/// A second of requests.
fn callers(shard: &mut Shard, random: &Random) {
    for endpoint in 0..ENDPOINTS {
        let name = format!("http://127.0.0.1:8080/shop/{endpoint}/items");
        for request in 0..REQUESTS_PER_SECOND_OF_ENDPOINT {
            let is_failed = request == 0 && random.unit() < 0.3;
            let status = if is_failed { "503" } else { "200" };
            let tags = [
                ("name", name.as_str()),
                ("url", &name),
                ("method", "GET"),
                ("status", status),
                ("scenario", "default"),
                (
                    "expected_response",
                    if is_failed { "false" } else { "true" },
                ),
            ];
            let tags = shard.tags.extend(loadline_metrics::TagSetId::EMPTY, &tags);
            shard.record(builtin::HTTP_REQS, tags, 1.0);
            shard.record(
                builtin::HTTP_REQ_FAILED,
                tags,
                f64::from(u8::from(is_failed)),
            );
            let millis = 20.0 * (2.0 * random.unit()).exp() * (2.0 * random.unit()).exp();
            for metric in TIMES {
                shard.record(metric, tags, millis * random.unit());
            }
        }
    }
}

fn signals(random: &Random) -> Signals {
    let mut all = Signals::default();
    page(&mut all, random);
    database(&mut all, random);
    traces(&mut all, random);
    log(&mut all, random);
    all
}

/// A counter that grows by about `rate` a second, or a gauge of about that.
fn follow(all: &mut Signals, kind: SignalKind, of: &Entity, rate: f64, random: &Random) {
    let is_counter = kind.measure() == loadline_record::signals::SignalMeasure::Counter;
    let mut value = 0.0;
    for second in 0..SECONDS {
        let now = rate * (0.5 + random.unit());
        value = if is_counter { value + now } else { now };
        all.push(kind, of, second * 1000 + 300, value);
    }
}

fn page(all: &mut Signals, random: &Random) {
    let instance = Entity::new().with(Label::Instance, "127.0.0.1:9000");
    let of_process = [
        SignalKind::ProcessCpu,
        SignalKind::CoresAvailable,
        SignalKind::MemoryUsed,
        SignalKind::HeapUsed,
        SignalKind::HeapMax,
        SignalKind::CollectionPauseTime,
        SignalKind::CollectionPauses,
        SignalKind::WorkersBusy,
        SignalKind::WorkersMax,
        SignalKind::PoolActive,
        SignalKind::PoolMax,
        SignalKind::PoolPending,
    ];
    for kind in of_process {
        follow(all, kind, &instance, 4.0, random);
    }
    let of_operation = [SignalKind::ServerRequests, SignalKind::ServerRequestTime];
    for number in 0..(SERIES_OF_PAGE - of_process.len()) / of_operation.len() {
        let operation = format!("GET /shop/{number}/items");
        for kind in of_operation {
            let of = instance.clone().with(Label::Operation, &operation);
            follow(all, kind, &of, 2.8, random);
        }
    }
}

fn database(all: &mut Signals, random: &Random) {
    let kinds = [
        SignalKind::StatementCalls,
        SignalKind::StatementTime,
        SignalKind::StatementRows,
        SignalKind::StatementBlocks,
    ];
    for number in 0..STATEMENTS {
        let text = format!("select * from items_{number} where owner = $1 and state in ($2, $3)");
        let of = Entity::new().with(Label::Statement, &text);
        for kind in kinds {
            follow(all, kind, &of, 5.0, random);
        }
    }
    for kind in [SignalKind::SessionsActive, SignalKind::SessionsIdle] {
        follow(all, kind, &Entity::new(), 5.0, random);
    }
}

fn traces(all: &mut Signals, random: &Random) {
    let of_request = [
        SignalKind::TracedRequests,
        SignalKind::TracedTime,
        SignalKind::TracedDatabaseTime,
        SignalKind::TracedOwnTime,
    ];
    for endpoint in 0..ENDPOINTS {
        let operation = format!("GET /shop/{endpoint}/items");
        for band in ["typical", "tail"] {
            let of = Entity::new()
                .with(Label::Operation, &operation)
                .with(Label::Band, band);
            for kind in of_request {
                follow(all, kind, &of, 2.0, random);
            }
        }
    }
}

fn log(all: &mut Signals, random: &Random) {
    for number in 0..WORDINGS {
        let mut text = format!(
            "WARN c.z.hikari.pool_{number} - Connection is not available, request timed out after 30000ms"
        );
        while text.len() < WORDING_BYTES {
            text.push_str(" at com.shop.Items.find(Items.java:42)");
        }
        let of = Entity::new()
            .with(Label::Line, &text)
            .with(Label::Level, LineLevel::Warn.name());
        all.set(TargetSetting::new("log.sample", &text, of.clone()));
        follow(all, SignalKind::LogLines, &of, 0.5, random);
        follow(all, SignalKind::LogErrors, &of, 0.5, random);
    }
}
