//! What the people who run a gate see: probes, troubles, one bad queue beside good ones.

use super::{Answer, Site, real_clock};
use crate::storage::journal::Journal;
use crate::storage::memory::{Memory, MemoryStore};
use crate::storage::{LogStore, LogStoreError};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

async fn owners(site: &Site, path: &str) -> Answer {
    Site::call(&site.admin, "GET", path, &[], &Value::Null).await
}

/// The journal of a gate that has ended, as soon as its tasks have let go of it.
async fn again(home: &Path) -> Arc<Journal> {
    loop {
        match Journal::open(home, real_clock()) {
            Err(LogStoreError::InUse { .. }) => tokio::time::sleep(Duration::from_millis(5)).await,
            opened => return Arc::new(opened.unwrap()),
        }
    }
}

#[tokio::test]
async fn a_damaged_log_takes_down_its_own_queue_and_not_the_start() {
    let mut site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let bad = site.queue(&tenant, "bad", json!({})).await;
    let good = site.queue(&tenant, "good", json!({ "mode": "hold" })).await;
    let home = site.home.take().unwrap();
    drop(site);
    let store = again(home.path()).await;
    let journal = home.path().join(&bad).join(format!("{:020}.journal", 0));
    std::fs::write(journal, b"something else altogether").unwrap();

    let site = Site::over(store, 2).await;

    site.join(&good).await;
    let refused = site
        .public("POST", &format!("/q/{bad}/join"), &[], Value::Null)
        .await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    let ready = owners(&site, "/readyz").await;
    assert_eq!(ready.status, StatusCode::OK);
    let told = owners(&site, "/healthz").await.text;
    assert!(told.contains(&format!("{bad}: ")), "{told}");
    assert!(told.contains("it is no journal of this version"), "{told}");
    let figures = owners(&site, "/metrics").await.text;
    assert!(figures.contains("\nloadline_gate_queues_failed 1\n"));
}

#[tokio::test]
async fn an_entry_that_cannot_be_read_stops_its_own_queue_only() {
    let memory = Arc::new(Memory::default());
    let store = Arc::new(MemoryStore::new(&memory));
    let site = Site::over(store.clone(), 1).await;
    let tenant = site.tenant("shop").await;
    let bad = site.queue(&tenant, "bad", json!({})).await;
    let good = site.queue(&tenant, "good", json!({})).await;
    let log = store.open(&bad).await.unwrap().log;
    log.append(vec![0xff; 64]).await.unwrap();
    while !site.gate.rooms().iter().any(|room| room.is_unfit()) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }

    site.join(&good).await;
    let refused = site
        .public("POST", &format!("/q/{bad}/join"), &[], Value::Null)
        .await;
    assert_eq!(refused.code(), "store_away");
    assert!(site.gate.is_reachable(), "the store answers");
    let told = owners(&site, "/healthz").await.text;
    assert!(
        told.contains(&format!("{bad}: an entry cannot be read")),
        "{told}"
    );

    // A gate that starts now is up without it, and at once.
    let started = Site::over(Arc::new(MemoryStore::new(&memory)), 2).await;
    started.join(&good).await;
    assert_eq!(started.gate.failed_queues(), 1);
}

#[tokio::test]
async fn a_gate_that_lost_its_store_is_ready_and_says_why_it_takes_no_changes() {
    let memory = Arc::new(Memory::default());
    let store = Arc::new(MemoryStore::new(&memory));
    let site = Site::over(store.clone(), 1).await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let token = site.join(&queue).await;
    store.cut_off(true);
    while site.gate.is_reachable() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }

    let ready = owners(&site, "/readyz").await;
    assert_eq!(ready.status, StatusCode::OK, "who waits keeps the place");
    assert!(ready.text.contains("no answer in 5 s"), "{}", ready.text);
    let me = site
        .as_visitor(&token, "GET", &format!("/q/{queue}/me"), Value::Null)
        .await;
    assert_eq!(
        (me.status, me.json()["stale"].as_bool()),
        (StatusCode::OK, Some(true))
    );
    store.cut_off(false);
    // Nobody calls: the gate finds out by itself.
    while !site.gate.is_reachable() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_gate_that_is_about_to_end_is_not_ready_and_serves_on() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    site.gate.begin_drain();
    let ready = owners(&site, "/readyz").await;
    assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ready.text, "draining\n");
    assert_eq!(owners(&site, "/healthz").await.status, StatusCode::OK);
    site.join(&queue).await;
}

/// What they ask for, and no metric has, would stay empty and silent.
#[tokio::test]
async fn alerts_and_the_dashboard_ask_for_metrics_that_are_there() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "rate_per_s": 5 })).await;
    site.join(&queue).await;
    site.public("GET", "/q/q_0123456789abcdef/status", &[], Value::Null)
        .await;
    let figures = owners(&site, "/metrics").await.text;
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../deploy");
    for file in ["gate/chart/alerts.yaml", "grafana/dashboards/gate.json"] {
        let text = std::fs::read_to_string(deploy.join(file)).unwrap();
        let names = text.split("loadline_gate_").skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            format!("loadline_gate_{}", &rest[..end.unwrap_or(rest.len())])
        });
        let names: std::collections::BTreeSet<String> = names.collect();
        assert!(names.len() >= 8, "{file}: {names:?}");
        let has = |name: &String| {
            let begins = |line: &str| {
                let rest = line.strip_prefix(name.as_str());
                rest.is_some_and(|rest| rest.starts_with(['{', ' ']))
            };
            figures.lines().any(begins)
        };
        let missing: Vec<&String> = names.iter().filter(|name| !has(name)).collect();
        assert!(missing.is_empty(), "{file}: {missing:?}");
    }
}
