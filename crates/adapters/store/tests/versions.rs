//! A file of every version of the store is still read, and migrated when it is written to.
//!
//! `fixtures/vN.db` holds one run of three seconds, 61 requests, made by the first program
//! that wrote version N; such a file is never made anew.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use loadline_metrics::MetricValue;
use loadline_store::{SCHEMA_VERSION, Store, StoredRunState};
use tempfile::TempDir;

fn copied(version: i64, folder: &TempDir) -> PathBuf {
    let name = format!("v{version}.db");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let path = folder.path().join(&name);
    std::fs::copy(fixtures.join(&name), &path).unwrap();
    path
}

fn check(store: &Store) {
    let row = store.find("base", 0).unwrap();
    assert_eq!((row.requests, row.state), (61.0, StoredRunState::Finished));
    assert_eq!(
        (row.note.as_str(), row.settings["pool"].as_str()),
        ("fixture", "5")
    );
    let windows = store.all_windows(&row).unwrap();
    assert!((3..=5).contains(&windows.len()));
    let run = store.read(row).unwrap();
    assert!(run.about.source.as_deref().unwrap().contains("k6/http"));
    assert_eq!(run.events.first().unwrap().kind, "stage");
    let summary = run.summary();
    let named = summary.metric("wait{kind:x}").unwrap();
    assert!(named.thresholds[0].ok);
    let MetricValue::Trend(trend) = &summary.metric("http_req_duration").unwrap().value else {
        unreachable!()
    };
    assert_eq!(trend.count(), 61);
    assert_eq!(
        trend.raw().map(<[f64]>::len),
        Some(61),
        "totals keep few values"
    );
}

#[test]
fn a_file_of_every_version_is_read() {
    for version in 1..=SCHEMA_VERSION {
        let folder = TempDir::new().unwrap();
        check(&Store::open(&copied(version, &folder)).unwrap());
    }
}

#[test]
fn a_file_of_every_version_is_migrated_and_says_the_same() {
    for version in 1..=SCHEMA_VERSION {
        let folder = TempDir::new().unwrap();
        let path = copied(version, &folder);
        drop(Store::open_to_change(&path).unwrap());
        check(&Store::open(&path).unwrap());
    }
}
