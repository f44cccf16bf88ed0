#![expect(clippy::float_cmp, reason = "counts are exact, that is the point")]

use std::sync::Arc;

use loadline_metrics::{Histogram, MetricId, Shard, Submetrics, TagSetId, builtin};
use loadline_record::signals::{Entity, Label, SignalKind, SourceKind, SourceStatus};
use loadline_record::{LowerBounds, Run, VerdictDetail};
use loadline_units::{Time, WorkerId};
use tempfile::TempDir;

use super::*;
use crate::error::StoreError;
use crate::reader::{SeriesGains, StoredRun, merge};
use crate::runs::{Store, StoredRunState};

const TEST_DEADLINE: Duration = Duration::from_secs(10);
const NOW_MS: i64 = 1_800_000_000_000;

/// A run of one worker, whose samples the test makes.
struct Rig {
    folder: TempDir,
    registry: Arc<Registry>,
    shard: Shard,
    merger: Merger,
    window: u64,
}

impl Rig {
    fn new() -> Self {
        let registry = Arc::new(Registry::new());
        Self {
            folder: TempDir::new().unwrap(),
            shard: Shard::new(WorkerId(0), registry.clone()),
            merger: Merger::new(1, registry.clone(), Submetrics::default()),
            registry,
            window: 0,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("runs.db")
    }

    fn recorder(&self, name: &str) -> Recorder {
        self.recorder_with(name, QUEUE_BYTES_MAX)
    }

    fn recorder_with(&self, name: &str, queue: usize) -> Recorder {
        let about = RunInfo {
            kind: "url".to_owned(),
            test: "http://127.0.0.1/".to_owned(),
            ..RunInfo::default()
        };
        Recorder::start(RecorderConfig {
            path: self.path(),
            name: name.to_owned(),
            about,
            redactor: Redactor::knowing(["hush-hush-1"]),
            fold_limit: 10_000,
            wall_clock: || UNIX_EPOCH + Duration::from_millis(NOW_MS.unsigned_abs()),
            queue,
        })
    }

    fn record(&mut self, metric: MetricId, url: &str, value: f64) {
        let tags = self.shard.tags.extend(TagSetId::EMPTY, &[("name", url)]);
        self.shard.record(metric, tags, value);
    }

    /// A request that took `millis` milliseconds.
    fn request(&mut self, url: &str, millis: f64) {
        self.record(builtin::HTTP_REQS, url, 1.0);
        self.record(builtin::HTTP_REQ_DURATION, url, millis);
        self.record(builtin::HTTP_REQ_FAILED, url, 0.0);
    }

    fn second(&mut self, recorder: &mut Recorder) {
        self.shard
            .set_now(Time::from_nanos(self.window * 1_000_000_000));
        self.merger.absorb(self.shard.take_window(self.window));
        self.window += 1;
        while let Some(window) = self.merger.next_ready() {
            recorder.window(&window, &self.merger, &self.registry);
        }
    }

    fn finish(&self, recorder: Recorder) -> RecordingResult {
        recorder.finish(end(self.window), &self.merger, TEST_DEADLINE)
    }

    fn read(&self, reference: &str) -> StoredRun {
        let store = Store::open(&self.path()).unwrap();
        let row = store.find(reference, NOW_MS).unwrap();
        store.read(row).unwrap()
    }

    fn windows(&self, reference: &str) -> Vec<crate::StoredWindow> {
        let store = Store::open(&self.path()).unwrap();
        let row = store.find(reference, NOW_MS).unwrap();
        let mut windows = Vec::new();
        store.windows(&row, |window| windows.push(window)).unwrap();
        windows
    }
}

fn end(seconds: u64) -> RunEnd {
    RunEnd {
        run: Run::finished(Duration::from_secs(seconds)),
        warm_up: None,
        began: true,
        verdict: "passed".to_owned(),
        detail: VerdictDetail::default(),
        lower_bounds: LowerBounds::default(),
        bodies: Vec::new(),
    }
}

/// The sum of a metric over all windows.
fn sum_of(run: &StoredRun, gains: &SeriesGains, metric: &str) -> MetricValue {
    let mut total: Option<MetricValue> = None;
    for (id, value) in gains {
        if run.series[*id as usize].metric == metric {
            total
                .get_or_insert_with(|| MetricValue::empty(value.kind()))
                .merge(value);
        }
    }
    total.unwrap()
}

fn trend(value: &MetricValue) -> &Histogram {
    match value {
        MetricValue::Trend(histogram) => histogram,
        _ => panic!("a trend"),
    }
}

#[test]
fn a_finished_run_reads_as_it_was_in_memory() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("first111");
    let mut all = Histogram::new();
    for second in 0..150_u32 {
        for request in 0..20_u32 {
            let millis = f64::from(second * 7 + request) * 0.311;
            all.record(millis);
            rig.request(if request % 2 == 0 { "/a" } else { "/b" }, millis);
        }
        rig.second(&mut recorder);
    }
    let kept = rig.finish(recorder);
    assert_eq!((kept.loss, kept.coarse), (None, 0));

    let run = rig.read("first");
    assert_eq!(run.row.state, StoredRunState::Finished);
    assert_eq!((run.row.requests, run.row.rate), (3000.0, 20.0));
    let durations = sum_of(&run, &run.totals, "http_req_duration");
    assert_eq!(trend(&durations).buckets(), all.buckets());

    let mut windows = SeriesGains::new();
    let stored = rig.windows("first");
    assert_eq!(stored.len(), 150);
    for window in stored {
        merge(&mut windows, window.gains);
    }
    let merged = sum_of(&run, &windows, "http_req_duration");
    assert_eq!(trend(&merged).buckets(), all.buckets());
    let counted = sum_of(&run, &windows, "http_reqs");
    assert!(matches!(counted, MetricValue::Counter(Some(sum)) if sum.value() == 3000.0));

    let summary = run.summary();
    let live = summary.metric("http_req_duration").unwrap();
    assert_eq!(trend(&live.value).count(), 3000);
}

/// An interrupted run is read from its roll-up and the windows after it; nothing counts twice.
#[test]
fn a_run_without_an_end_has_all_windows_that_were_written() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("cutoff11");
    for _ in 0..200 {
        rig.request("/a", 5.0);
        rig.second(&mut recorder);
    }
    drop(recorder.items); // as if the process were gone
    let _ = recorder.ended.recv_timeout(TEST_DEADLINE);

    let run = rig.read("latest");
    assert_eq!(run.end, None);
    let counted = sum_of(&run, &run.totals, "http_reqs");
    assert!(matches!(counted, MetricValue::Counter(Some(sum)) if sum.value() == 200.0));
    assert_eq!(run.row.requests, 200.0);
    assert_eq!(
        run.summary().run.ending,
        loadline_record::Ending::Interrupted
    );
}

/// The reader of an interrupted run adds up at most a minute of windows.
#[test]
fn totals_are_written_each_minute_and_what_comes_late_counts_once() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("minutes1");
    for second in 0..130 {
        rig.request("/a", 5.0);
        if second == 119 {
            // The second minute ends without this worker's part.
            let given_out = rig.merger.force_next();
            recorder.window(&given_out, &rig.merger, &rig.registry);
        }
        rig.second(&mut recorder);
    }
    drop(recorder.items); // as if the process were gone
    let _ = recorder.ended.recv_timeout(TEST_DEADLINE);

    let connection = rusqlite::Connection::open(rig.path()).unwrap();
    let sql = "SELECT seq, first, span FROM chunk WHERE level = ?1";
    let whole = connection.query_row(sql, [Level::Whole as u8], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    });
    assert_eq!(whole, Ok((120_i64, 0_i64, 120_i64)));
    let run = rig.read("minutes1");
    let counted = sum_of(&run, &run.totals, "http_reqs");
    assert!(matches!(counted, MetricValue::Counter(Some(sum)) if sum.value() == 130.0));

    let store = Store::open(&rig.path()).unwrap();
    let mut minutes = Vec::new();
    let row = store.find("minutes1", NOW_MS).unwrap();
    store.minutes(&row, |minute| minutes.push(minute)).unwrap();
    let seen = minutes.iter().map(|minute| {
        let requests = sum_of(&run, &minute.gains, "http_reqs");
        assert!(
            matches!(requests, MetricValue::Counter(Some(sum)) if sum.value() == minute.span as f64)
        );
        (minute.first, minute.span, minute.late, minute.missing)
    });
    // A late part is stored before the next window, so it is in the minute it belongs to.
    let expected = [(0, 60, false, 0), (60, 60, false, 1), (120, 10, false, 0)];
    assert_eq!(seen.collect::<Vec<_>>(), expected);
}

#[test]
fn minutes_end_where_a_warm_up_does() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("warmup11");
    for second in 0..70_u64 {
        rig.request("/a", 5.0);
        rig.second(&mut recorder);
        if second == 29 {
            rig.merger.reset_totals();
            recorder.counted_from(30);
        }
    }
    Rig::finish(&rig, recorder);
    let store = Store::open(&rig.path()).unwrap();
    let row = store.find("warmup11", NOW_MS).unwrap();
    let mut minutes = Vec::new();
    store
        .minutes(&row, |m| minutes.push((m.first, m.span)))
        .unwrap();
    assert_eq!(minutes, [(0, 30), (30, 30), (60, 10)]);
    let run = rig.read("warmup11");
    let counted = sum_of(&run, &run.totals, "http_reqs");
    assert!(matches!(counted, MetricValue::Counter(Some(sum)) if sum.value() == 40.0));
}

#[test]
fn a_run_whose_writer_is_gone_is_interrupted() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("orphan11");
    rig.request("/a", 5.0);
    rig.second(&mut recorder);
    drop(recorder.items);
    let _ = recorder.ended.recv_timeout(TEST_DEADLINE);
    let connection = rusqlite::Connection::open(rig.path()).unwrap();
    assert_eq!(rig.read("orphan11").row.state, StoredRunState::Running);

    let sql = "UPDATE run SET owner = json_set(owner, '$.started', 1)";
    connection.execute(sql, []).unwrap();
    assert_eq!(rig.read("orphan11").row.state, StoredRunState::Interrupted);
}

#[test]
fn a_warm_up_is_kept_and_not_counted() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("warmed11");
    for second in 0..100_u64 {
        if second == 30 {
            rig.merger.reset_totals();
            recorder.counted_from(30);
        }
        rig.request("/a", 5.0);
        rig.second(&mut recorder);
    }
    drop(recorder.items);
    let _ = recorder.ended.recv_timeout(TEST_DEADLINE);
    let run = rig.read("latest");
    let counted = sum_of(&run, &run.totals, "http_reqs");
    assert!(matches!(counted, MetricValue::Counter(Some(sum)) if sum.value() == 70.0));
    assert_eq!(rig.windows("latest").len(), 100);
}

/// The slowest disk there can be: it writes nothing until the run is over.
#[test]
fn a_writer_that_falls_behind_merges_windows_and_marks_it() {
    let mut rig = Rig::new();
    Rig::finish(&rig, rig.recorder("before11"));
    let other = rusqlite::Connection::open(rig.path()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();

    let mut recorder = rig.recorder_with("behind11", 2_000);
    for _ in 0..300 {
        for request in 0..10_u32 {
            rig.request("/a", f64::from(request));
        }
        rig.second(&mut recorder);
        let queued = recorder.shared.queued.load(Ordering::Relaxed);
        assert!(queued < 2_500, "{queued}");
    }
    other.execute_batch("COMMIT").unwrap();
    let kept = rig.finish(recorder);
    assert_eq!(kept.loss, None);
    assert!(kept.coarse > 200, "{}", kept.coarse);

    let run = rig.read("behind11");
    assert!(run.events.iter().any(|event| event.kind == "coarse"));
    let windows = rig.windows("behind11");
    assert!(windows.iter().any(|window| window.span > 200));
    let mut totals = SeriesGains::new();
    windows
        .into_iter()
        .for_each(|w| merge(&mut totals, w.gains));
    let counted = sum_of(&run, &totals, "http_reqs");
    assert!(matches!(counted, MetricValue::Counter(Some(sum)) if sum.value() == 3000.0));
}

#[test]
fn a_store_held_to_the_end_is_a_stated_loss_and_harms_no_other_run() {
    let mut rig = Rig::new();
    Rig::finish(&rig, rig.recorder("before11"));
    let other = rusqlite::Connection::open(rig.path()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();

    let mut recorder = rig.recorder("locked11");
    rig.request("/a", 1.0);
    rig.second(&mut recorder);
    let kept = recorder.finish(end(1), &rig.merger, Duration::from_millis(300));
    let loss = kept.loss.unwrap();
    assert_eq!((loss.cause, loss.everything), (LossCause::Locked, true));
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(rig.read("before11").row.state, StoredRunState::Finished);
}

#[test]
fn a_store_of_a_newer_program_is_left_as_it_is() {
    let rig = Rig::new();
    Rig::finish(&rig, rig.recorder("before11"));
    let other = rusqlite::Connection::open(rig.path()).unwrap();
    other.pragma_update(None, "journal_mode", "DELETE").unwrap();
    other.pragma_update(None, "user_version", 99).unwrap();
    drop(other);
    let before = std::fs::read(rig.path()).unwrap();

    let kept = Rig::finish(&rig, rig.recorder("newer111"));
    assert_eq!(kept.loss.unwrap().cause, LossCause::Newer);
    assert_eq!(std::fs::read(rig.path()).unwrap(), before);
    let opened = Store::open(&rig.path());
    assert!(matches!(
        opened.err(),
        Some(StoreError::Newer { found: 99, .. })
    ));
}

#[test]
fn a_file_that_is_no_store_is_left_as_it_is() {
    let rig = Rig::new();
    std::fs::write(rig.path(), "a shopping list, by no means a database").unwrap();
    let kept = Rig::finish(&rig, rig.recorder("nostore1"));
    assert_eq!(kept.loss.unwrap().cause, LossCause::Other);
    let text = std::fs::read_to_string(rig.path()).unwrap();
    assert!(text.starts_with("a shopping list"));
}

#[test]
fn no_secret_reaches_the_file() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("secrets1");
    rig.request("http://ann:pw-ann@host/?token=t0ken&q=hush-hush-1", 1.0);
    rig.second(&mut recorder);
    recorder.event(
        0,
        "note",
        serde_json::json!({"password": "pw-event", "x": "hush-hush-1"}),
    );
    Rig::finish(&rig, recorder);
    let run = rig.read("secrets1");
    let all = format!("{:?} {:?}", run.series, run.events);
    for secret in ["pw-ann", "t0ken", "hush-hush-1", "pw-event"] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
}

#[test]
fn tags_notes_and_removal() {
    let rig = Rig::new();
    for name in ["aaaa1111", "bbbb1111", "aaaa2222"] {
        Rig::finish(&rig, rig.recorder(name));
    }
    let mut store = Store::open_to_change(&rig.path()).unwrap();
    let first = store.find("1", NOW_MS).unwrap();
    assert_eq!(first.name, "aaaa1111");
    store.tag(&first, &["base".to_owned()], &[]).unwrap();
    store.note(&first, "before the fix").unwrap();
    let found = store.find("base", NOW_MS).unwrap();
    assert_eq!((found.number, found.note.as_str()), (1, "before the fix"));
    assert_eq!(store.find("latest", NOW_MS).unwrap().name, "aaaa2222");
    assert_eq!(store.find("latest~1", NOW_MS).unwrap().name, "bbbb1111");
    let ambiguous = store.find("aaaa", NOW_MS).err();
    assert!(matches!(
        ambiguous,
        Some(StoreError::Ambiguous { count: 2, .. })
    ));

    store.remove(&[found]).unwrap();
    store.shrink().unwrap();
    assert_eq!(store.runs(NOW_MS).unwrap().len(), 2);
    assert!(matches!(
        store.find("base", NOW_MS).err(),
        Some(StoreError::NoRun { .. })
    ));
    // Seen: a long one was an error of the store, 500 at the pages.
    assert!(matches!(
        store.find(&"a".repeat(60_000), 0).err(),
        Some(StoreError::NoRun { .. })
    ));
}

#[test]
fn the_generators_health_is_known_while_the_run_goes_on() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("seen");
    rig.second(&mut recorder);
    let health = |workers| GeneratorHealth {
        workers,
        ..GeneratorHealth::default()
    };
    recorder.generator(health(1));
    recorder.generator(health(2));
    let answer = |text: &str| FailedAnswer {
        status: 503,
        text: text.to_owned(),
        count: 3,
    };
    recorder.answers(vec![answer("pool_timeout")]);
    assert_eq!(rig.finish(recorder).loss, None);
    let store = Store::open(&rig.path()).unwrap();
    let known = |name| store.generator(&store.find(name, NOW_MS).unwrap()).unwrap();
    assert_eq!(known("seen"), Some(health(2)), "the last replaces others");
    let answers = |name| store.answers(&store.find(name, NOW_MS).unwrap()).unwrap();
    assert_eq!(answers("seen"), [answer("pool_timeout")]);

    let mut recorder = rig.recorder("short");
    rig.second(&mut recorder);
    assert_eq!(rig.finish(recorder).loss, None);
    assert_eq!(known("short"), None);
    assert_eq!(answers("short"), []);
}

#[test]
fn signals_of_the_target_are_stored_with_the_run_without_secrets() {
    let mut rig = Rig::new();
    let mut recorder = rig.recorder("seen");
    rig.second(&mut recorder);
    let mut signals = Signals::default();
    let statement = Entity::new().with(Label::Statement, "select 'hush-hush-1'");
    signals.push(SignalKind::StatementCalls, &statement, 1000, 5.0);
    signals.sources.push(SourceStatus::new(
        "postgres://u:hush-hush-1@db/x",
        SourceKind::Postgres,
    ));
    recorder.signals(Signals::default());
    recorder.signals(signals);
    assert_eq!(rig.finish(recorder).loss, None);
    let store = Store::open(&rig.path()).unwrap();
    let stored = store.signals(&store.find("seen", NOW_MS).unwrap()).unwrap();
    let stored = stored.unwrap();
    assert_eq!(stored.series()[0].points()[0].value, 5.0);
    let text = serde_json::to_string(&stored).unwrap();
    assert!(!text.contains("hush"), "{text}");

    let mut recorder = rig.recorder("unseen");
    rig.second(&mut recorder);
    assert_eq!(rig.finish(recorder).loss, None);
    let without = store
        .signals(&store.find("unseen", NOW_MS).unwrap())
        .unwrap();
    assert_eq!(without, None);
}
