//! Sessions as the service sees them: signs of life, their end, and answers that were lost.

use super::Site;
use super::entry::{let_in, through_the_door};
use crate::storage::memory::{Memory, MemoryStore};
use axum::http::StatusCode;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Comes in; the one-time code.
async fn claim(site: &Site, queue: &str, token: &str) -> String {
    let uri = format!("/q/{queue}/claim");
    let entry = site.as_visitor(token, "POST", &uri, Value::Null).await;
    assert_eq!(entry.status, StatusCode::OK, "{}", entry.text);
    entry.json()["code"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn the_cap_counts_whom_the_service_sees_and_who_is_over_is_told() {
    let store = Arc::new(MemoryStore::new(&Arc::new(Memory::default())));
    let site = Site::over(store, 1).await;
    let queue = site
        .one_queue(json!({ "cap": 2, "idle_s": 60, "code_life_s": 5 }))
        .await;
    let mut wids = Vec::new();
    for _ in 0..2 {
        let token = site.join(&queue).await;
        site.until(&queue, &token, "ready").await;
        let code = claim(&site, &queue, &token).await;
        let body = json!({ "queue": queue, "code": code });
        let exchanged = site
            .with_key(&site.root, "POST", "/v1/token/exchange", body)
            .await;
        wids.push(exchanged.json()["wid"].as_str().unwrap().to_owned());
    }
    let waits = site.join(&queue).await;
    let heartbeat = format!("/v1/queues/{queue}/sessions/heartbeat");
    let both = json!({ "wids": wids, "user_ids": ["nobody"] });
    let told = site.with_key(&site.root, "POST", &heartbeat, both).await;
    let expected = json!({ "inside": 2, "over": { "user_ids": ["nobody"], "wids": [] } });
    assert_eq!(told.json(), expected, "{}", told.text);
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_secs(40)).await;
        let one = json!({ "wids": [wids[0]] });
        let told = site.with_key(&site.root, "POST", &heartbeat, one).await;
        assert_eq!(told.json()["inside"], 1, "{}", told.text);
    }
    // The other one said nothing for longer than idle_s: its place was given.
    site.until(&queue, &waits, "ready").await;
    let both = json!({ "wids": wids });
    let told = site.with_key(&site.root, "POST", &heartbeat, both).await;
    let expected = json!({ "inside": 1, "over": { "user_ids": [], "wids": [wids[1]] } });
    assert_eq!(told.json(), expected, "{}", told.text);
}

#[tokio::test]
async fn one_call_names_many_sessions_and_not_too_many() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let heartbeat = format!("/v1/queues/{queue}/sessions/heartbeat");
    let wids = vec!["00".repeat(16); 5_001];
    let told = site
        .with_key(&site.root, "POST", &heartbeat, json!({ "wids": wids }))
        .await;
    assert_eq!(told.code(), "bad_request", "{}", told.text);
    let told = site
        .with_key(&site.root, "POST", &heartbeat, json!({ "wids": wids[1..] }))
        .await;
    assert_eq!(told.json()["inside"], 0);
}

/// A service that sends no Idempotency-Key loses the answer to its exchange: the person goes
/// back to the waiting room and comes in with another code, by which the first one is over.
#[tokio::test]
async fn a_lost_answer_to_an_exchange_locks_nobody_out() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    let bearer = format!("Bearer {}", site.root);
    let exchange = async |code: &str| {
        let headers = [("authorization", bearer.as_str())];
        let body = json!({ "queue": queue, "code": code });
        site.public("POST", "/v1/token/exchange", &headers, body)
            .await
    };
    let first = claim(&site, &queue, &token).await;
    assert_eq!(exchange(&first).await.status, StatusCode::OK);
    assert_eq!(exchange(&first).await.code(), "already_used");

    let second = claim(&site, &queue, &token).await;
    assert_eq!(exchange(&second).await.status, StatusCode::OK);
    assert_eq!(exchange(&first).await.code(), "code_over");
    let stats = format!("/v1/queues/{queue}/stats");
    let stats = site.with_key(&site.root, "GET", &stats, Value::Null).await;
    assert_eq!(stats.json()["inside"], 1, "one place");
    // Not without end: it would be a way to let friends in.
    for _ in 0..3 {
        let code = claim(&site, &queue, &token).await;
        assert_eq!(exchange(&code).await.status, StatusCode::OK);
    }
    let uri = format!("/q/{queue}/claim");
    let refused = site.as_visitor(&token, "POST", &uri, Value::Null).await;
    assert_eq!(refused.code(), "already_inside");
}

#[tokio::test]
async fn an_idempotency_key_names_a_person_only_with_the_services_key() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({ "mode": "hold" })).await;
    let service = format!("Bearer {}", site.key(&tenant, &["register"]).await);
    let other = site.tenant("other").await;
    let stranger = format!("Bearer {}", site.key(&other, &["register"]).await);
    let join = format!("/q/{queue}/join");
    let mut numbers = Vec::new();
    for bearer in ["", "", &stranger, &service, &service] {
        let headers = [("authorization", bearer), ("idempotency-key", "abc")];
        let joined = site.public("POST", &join, &headers, Value::Null).await;
        numbers.push(joined.json()["seq"].as_u64().unwrap());
    }
    assert_eq!(numbers, [1, 2, 3, 4, 4]);
}

/// The browser lost its session's cookie and still has its ticket: the door sends it to the
/// waiting room, and from there it comes in again. The session before is over.
#[tokio::test]
async fn who_lost_the_session_comes_in_again_through_the_door() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    let ticket = format!("__Host-wr_w_{queue}={token}");
    let door = format!("rt=https%3A%2F%2Fshop.example%2Fenter%2F{queue}");
    let come_in = async |query: &str| {
        let headers = [("cookie", ticket.as_str())];
        let uri = format!("/w/{queue}?{query}");
        let sent = site.public("POST", &uri, &headers, Value::Null).await;
        sent.header("location").to_owned()
    };
    let enter = async |address: &str| {
        let step = format!("__Host-wr_e_{queue}=0123456789abcdef");
        let path = address.trim_start_matches("https://shop.example");
        let headers = [("cookie", step.as_str()), ("sec-fetch-mode", "navigate")];
        site.public("GET", &format!("{path}&c=1"), &headers, Value::Null)
            .await
            .cookie()
    };
    let is_inside = async |session: &str| {
        let uri = format!("/authz?queue={queue}");
        let headers = [("cookie", session)];
        site.public("GET", &uri, &headers, Value::Null).await.status == StatusCode::NO_CONTENT
    };
    let first = enter(&come_in(&door).await).await;
    assert!(is_inside(&first).await, "{first}");

    let second_tab = come_in(&door).await;
    assert!(!second_tab.contains("wr="), "{second_tab}");
    assert!(is_inside(&first).await, "a second tab ends nothing");
    // A browser that has lost its session is found out at the door, not before.
    let at_door = async |path: &str| {
        let headers = [
            ("host", "shop.example"),
            ("x-forwarded-proto", "https"),
            ("sec-fetch-mode", "navigate"),
        ];
        let answer = site.public("GET", path, &headers, Value::Null).await;
        answer.header("location").to_owned()
    };
    let room = at_door(second_tab.trim_start_matches("https://shop.example")).await;
    assert!(room.ends_with("&again=1"), "{room}");
    let second = enter(&come_in(&format!("{door}&again=1")).await).await;

    assert!(is_inside(&second).await, "{second}");
    assert!(!is_inside(&first).await, "one place, one session");
}

/// A link with somebody else's ticket does not replace the one that a browser holds.
#[tokio::test]
async fn a_ticket_in_a_link_never_replaces_one_that_counts() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let (own, other) = (site.join(&queue).await, site.join(&queue).await);
    let cookie = format!("__Host-wr_w_{queue}={own}");
    let uri = format!("/w/{queue}?t={other}");
    let led = async |headers: &[(&str, &str)]| {
        let answer = site.public("GET", &uri, headers, Value::Null).await;
        assert_eq!(answer.header("location"), format!("/w/{queue}"));
        answer.cookie()
    };
    assert_eq!(led(&[("cookie", &cookie)]).await, "");
    assert!(led(&[]).await.starts_with("__Host-wr_w_"));
    let leave = format!("/q/{queue}/leave");
    site.as_visitor(&own, "POST", &leave, json!({ "forever": true }))
        .await;
    let taken = led(&[("cookie", &cookie)]).await;
    assert!(taken.starts_with("__Host-wr_w_"), "the own one is over");
}

/// Two tabs of one browser come in at once: the second one used the code under another number, and
/// has the first one's session with its next request.
#[tokio::test]
async fn a_second_tab_that_comes_in_at_once_goes_on() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let code = let_in(&site, &queue).await;
    let path = format!("/enter/{queue}?wr={code}&to=%2Fother");
    let (first, _) = through_the_door(&site, &path).await;
    let session = first.cookie();
    let (second, _) = through_the_door(&site, &path).await;
    assert_eq!(second.status, StatusCode::SEE_OTHER, "{}", second.text);
    let last = second.header("location").to_owned();
    assert!(last.ends_with("&c=2"), "{last}");

    let with_session = [("cookie", session.as_str())];
    let on = site.public("GET", &last, &with_session, Value::Null).await;
    assert_eq!(on.header("location"), "/other", "{}", on.text);
    let step = format!("__Host-wr_e_{queue}=0123456789abcdef");
    let other = [("cookie", step.as_str())];
    let page = site.public("GET", &last, &other, Value::Null).await;
    assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
}

/// Each of them holds a connection while it waits for the other tab.
#[tokio::test]
async fn used_links_opened_by_the_hundred_do_not_all_wait() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let code = let_in(&site, &queue).await;
    let path = format!("/enter/{queue}?wr={code}");
    through_the_door(&site, &path).await;
    let used = format!("{path}&c=1");
    let step = format!("__Host-wr_e_{queue}=0123456789abcdef");
    let cookie = [("cookie", step.as_str())];
    // A busy machine may be slow a few times.
    for _ in 0..5 {
        let open = async || {
            let begun = Instant::now();
            let answer = site.public("GET", &used, &cookie, Value::Null).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
            begun.elapsed()
        };
        let took = join_all((0..100).map(|_| open())).await;
        let waited = took.iter().filter(|took| took.as_millis() >= 300).count();
        assert!(waited > 0, "no tab waited for the other one");
        if waited <= 50 {
            return;
        }
    }
    panic!("more than 50 of 100 waited");
}
