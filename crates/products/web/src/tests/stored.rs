//! Pages of runs that are stored.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_record::signals::{Entity, Signals, TargetSetting};
use loadline_record::{LowerBounds, Redactor, Run, VerdictDetail};
use loadline_store::{QUEUE_BYTES_MAX, Recorder, RecorderConfig, RunEnd, RunInfo};
use loadline_units::{Time, WorkerId};
use serde_json::Value;

use super::*;

/// Keeps a run of so many seconds, of ten requests each, that take about `level` ms.
fn keep(path: &Path, name: &str, seconds: u64, level: f64) {
    keep_observed(path, name, seconds, level, None);
}

/// The same of a run whose target gave these signals.
fn keep_observed(path: &Path, name: &str, seconds: u64, level: f64, signals: Option<Signals>) {
    let registry = Arc::new(Registry::new());
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    let mut merger = Merger::new(1, registry.clone(), Submetrics::default());
    let mut recorder = Recorder::start(RecorderConfig {
        path: path.to_owned(),
        name: name.to_owned(),
        about: RunInfo {
            test: "http://127.0.0.1/".to_owned(),
            ..RunInfo::default()
        },
        redactor: Redactor::default(),
        fold_limit: 0,
        wall_clock: || UNIX_EPOCH + Duration::from_secs(1_800_000_000),
        queue: QUEUE_BYTES_MAX,
    });
    for second in 0..seconds {
        shard.set_now(Time::from_nanos(second * 1_000_000_000));
        for request in 0..10_u32 {
            let endpoint = format!("/endpoint/{}", request % 3);
            let status = if request == 9 { "503" } else { "200" };
            let tags = [("name", endpoint.as_str()), ("status", status)];
            let tags = shard.tags.extend(TagSetId::EMPTY, &tags);
            let spread = f64::from(request * request) + (second % 60) as f64;
            let failed = f64::from(u8::from(request == 9));
            let samples = [
                (builtin::HTTP_REQS, 1.0),
                (builtin::HTTP_REQ_DURATION, level + spread),
                (builtin::HTTP_REQ_FAILED, failed),
            ];
            shard.record_all(tags, &samples);
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
    if let Some(signals) = signals {
        recorder.signals(signals);
    }
    let kept = recorder.finish(end, &merger, Duration::from_secs(60));
    assert!(kept.loss.is_none());
}

async fn answer(store: &Path, path: &str) -> (String, Response) {
    let (text, response) = asked(store, path).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    (text, response)
}

/// What is answered where something is wrong with what was asked for.
async fn refused(store: &Path, path: &str) -> String {
    let (text, response) = asked(store, path).await;
    assert!(response.status().is_client_error(), "{path}: {text}");
    text
}

async fn asked(store: &Path, path: &str) -> (String, Response) {
    let request = Request::builder()
        .uri(path)
        .header("host", "127.0.0.1:8089")
        .header("authorization", bearer(AccessRole::Read));
    let request = request.body(Body::empty()).unwrap();
    let response = served(store.to_owned()).oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let bytes = to_bytes(body, 8 << 20).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    (text, Response::from_parts(head, Body::empty()))
}

/// The most points of a series, and the most columns of a heat map.
fn most_points(document: &Value) -> usize {
    let sections = document["sections"].as_array().unwrap().iter();
    let blocks = sections.flat_map(|section| section["blocks"].as_array().unwrap());
    let charts = blocks.filter(|block| block["type"] == "chart");
    let sizes = charts.flat_map(|chart| {
        let series = chart["series"].as_array().unwrap().iter();
        let points = series.map(|one| one["points"].as_array().unwrap().len());
        let layers = chart["heat"]["layers"].as_array().into_iter().flatten();
        let columns = layers.map(|layer| {
            let cells = layer["cells"].as_array().unwrap().iter();
            let lefts = cells.map(|cell| cell[0].as_f64().unwrap().to_bits());
            lefts.collect::<BTreeSet<_>>().len()
        });
        points.chain(columns).collect::<Vec<_>>()
    });
    sizes.max().unwrap_or(0)
}

/// Six times as long is no more to send, to keep in mind and to draw.
#[tokio::test]
async fn the_page_of_an_hour_is_no_larger_than_that_of_ten_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let mut sizes = Vec::new();
    for (name, seconds) in [("minutes", 600), ("hour", 3600)] {
        let store = folder.path().join(name);
        keep(&store, name, seconds, 20.0);
        let (page, _) = answer(&store, "/api/runs/latest").await;
        let (report, _) = answer(&store, "/api/runs/latest/report.html").await;
        let page_of: Value = serde_json::from_str(&page).unwrap();
        assert_eq!(page_of["row"]["requests"], 10.0 * seconds as f64);
        let points = most_points(&page_of["document"]);
        assert!((200..=601).contains(&points), "{name}: {points} points");
        assert!(report.len() < 1_500_000, "{name}: {}", report.len());
        sizes.push((page.len(), report.len()));
    }
    assert!(sizes[1].0 < sizes[0].0 * 5 / 4, "pages: {sizes:?}");
    assert!(sizes[1].1 < sizes[0].1 * 5 / 4, "reports: {sizes:?}");
    assert!(sizes[1].0 < 400_000, "pages: {sizes:?}");
}

/// The page of a run, and that of a comparison, show how the target was set up.
#[tokio::test]
async fn pages_show_how_the_target_was_set_up() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let signals = |version: &str| {
        let mut signals = Signals::default();
        let setting = TargetSetting::new("jvm.version", version, Entity::new());
        signals.set(setting);
        Some(signals)
    };
    keep_observed(&store, "before", 30, 5.0, signals("17.0.15"));
    keep_observed(&store, "after", 30, 5.0, signals("21.0.7"));
    let run = "/api/runs/latest~1?lang=ko";
    let page: Value = serde_json::from_str(&answer(&store, run).await.0).unwrap();
    let sections = page["document"]["sections"].as_array().unwrap();
    let setup = sections.iter().find(|section| section["id"] == "setup");
    let setup = setup.unwrap_or_else(|| panic!("{page:#}")).to_string();
    assert!(
        setup.contains("jvm.version") && setup.contains("17.0.15"),
        "{setup}"
    );
    let path = "/api/compare?before=latest~1&after=latest";
    let (compared, _) = answer(&store, path).await;
    assert!(
        compared.contains("jvm.version 17.0.15 → 21.0.7"),
        "{compared}"
    );
}

/// The story of rounds has its page and its files, and explains its words.
#[tokio::test]
async fn rounds_are_told_on_a_page_and_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    keep(&store, "before11", 40, 60.0);
    keep(&store, "after222", 40, 20.0);
    let asked = "round=before11&round=after222&goal=p95<120ms&title=Cache".replace('<', "%3C");
    let (text, _) = answer(&store, &format!("/api/rounds?{asked}")).await;
    let page: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(page["title"], "Cache");
    assert_eq!(page["verdict"]["class"], "good", "{page:#}");
    let words = page["glossary"].as_array().unwrap();
    let percentile = words
        .iter()
        .find(|word| word["id"] == "percentile")
        .unwrap();
    assert!(
        percentile["labels"]
            .as_array()
            .unwrap()
            .contains(&"p95".into())
    );
    let (markdown, _) = answer(&store, &format!("/api/rounds/report.md?{asked}&lang=ko")).await;
    assert!(markdown.contains("| 라운드 |"), "{markdown}");
    for (wrong, why) in [
        ("lang=ko", "라운드는 1개에서"),
        ("round=before11&goal=p95", "p95"),
        ("round=nobody", "nobody"),
    ] {
        let text = refused(&store, &format!("/api/rounds?{wrong}")).await;
        assert!(text.contains(why), "{wrong}: {text}");
    }
    let (words, _) = answer(&store, "/api/glossary?lang=ko").await;
    assert!(words.contains("백분위수"), "{words}");
}

/// Seen: a run beside itself, "cannot tell".
#[tokio::test]
async fn a_run_is_not_compared_with_itself_on_the_page_either() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    keep(&store, "before11", 40, 20.0);
    keep(&store, "after222", 40, 60.0);
    for (sides, words) in [
        ("before=after222&after=latest", "are the same runs"),
        (
            "before=before11,after222&after=latest",
            "on both sides: after222",
        ),
        (
            "before=before11,after222&after=latest&lang=ko",
            "양쪽에 모두 있는 실행: after222",
        ),
    ] {
        for path in ["/api/compare?", "/api/compare/report.html?"] {
            let body = refused(&store, &format!("{path}{sides}")).await;
            assert!(body.contains(words), "{body}");
        }
    }
}

#[tokio::test]
async fn a_comparison_is_saved_in_every_form_in_the_readers_language() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    keep(&store, "before11", 40, 20.0);
    keep(&store, "after222", 40, 60.0);
    let of = "before=before11&after=after222&lang=ko";
    for (form, begins, holds) in [
        ("html", "<!doctype html>", "before11"),
        ("md", "# ", "after222"),
        ("json", "{", "\"loadline_comparison\""),
        ("xml", "<?xml", "<testcase"),
    ] {
        let path = format!("/api/compare/report.{form}?{of}");
        let (text, response) = answer(&store, &path).await;
        let start = text[..text.len().min(60)].to_lowercase();
        assert!(start.starts_with(begins), "{form}: {start}");
        assert!(text.contains(holds), "{form}: {text}");
        let named = response.headers()["content-disposition"].to_str().unwrap();
        let name = format!("report-after222-before11.{form}");
        assert!(
            named.starts_with("attachment") && named.contains(&name),
            "{named}"
        );
        if ["html", "md"].contains(&form) {
            assert!(text.contains("비교 방법"), "{form}");
        }
    }
    let request = Request::builder()
        .uri(format!(
            "/api/compare/report.html?{}",
            of.replace("before11", "none")
        ))
        .header("host", "127.0.0.1:8089")
        .header("authorization", bearer(AccessRole::Read));
    let response = served(store.clone())
        .oneshot(request.body(Body::empty()).unwrap())
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
}

/// However many watch, the run is looked at once; each hears the whole answer, then its end.
#[tokio::test]
async fn all_who_watch_a_run_are_told_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    keep(&store, "watched1", 5, 20.0);
    let router = served(store);
    let watch = || async {
        let request = Request::builder()
            .uri("/api/runs/latest/live?lang=ko")
            .header("host", "127.0.0.1:8089")
            .header("authorization", bearer(AccessRole::Read));
        let request = request.body(Body::empty()).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        let body = to_bytes(response.into_body(), 8 << 20).await.unwrap();
        String::from_utf8(body.to_vec()).unwrap()
    };
    let mut told = futures_util::future::join_all((0..3).map(|_| watch())).await;
    // One who comes when the others have gone.
    told.push(watch().await);
    assert!(told[0].starts_with("event: run\ndata: {"), "{}", told[0]);
    assert!(told[0].ends_with("event: end\ndata: {}\n\n"));
    assert!(told.iter().all(|text| *text == told[0]));
}
