//! Who may change what, what is recorded of it, and what a tenant may have.

use super::Site;
use crate::gate::{Gate, GateError};
use crate::storage::journal::Journal;
use crate::storage::memory::{Memory, MemoryStore};
use crate::tokens::{Secret, Token, TokenPurpose};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;

impl Site {
    async fn root(&self, method: &str, uri: &str, body: Value) -> super::Answer {
        self.with_key(&self.root, method, uri, body).await
    }
}

/// What `GET` shows can be sent back as it is; `null` makes usual; what cannot be changed is
/// refused when it differs.
#[tokio::test]
async fn a_queue_is_patched_with_what_was_read_and_null_makes_it_usual() {
    let site = Site::open().await;
    let set = json!({ "rate_per_s": 5, "cap": 70, "idle_s": 60, "page": { "accent": "#0a5c36", "notice": "hello" } });
    let queue = site.one_queue(set).await;
    let uri = format!("/v1/queues/{queue}");
    let shown = site.root("GET", &uri, Value::Null).await;
    assert_eq!(shown.header("etag"), "\"2\"");
    let same = site.root("PATCH", &uri, shown.json()).await;
    assert_eq!(
        (same.status, same.json()),
        (StatusCode::OK, shown.json()),
        "{}",
        same.text
    );

    let nulls = json!({ "rate_per_s": null, "idle_s": null, "page": { "notice": null } });
    let changed = site.root("PATCH", &uri, nulls).await.json();
    assert_eq!(changed["rate_per_s"], Value::Null);
    assert_eq!(changed["idle_s"], json!(300));
    assert_eq!(changed["page"]["notice"], Value::Null);
    assert_eq!(
        changed["page"]["accent"],
        json!("#0a5c36"),
        "it was not named"
    );
    assert_eq!(changed["cap"], json!(70));
    for (body, status, code) in [
        (
            json!({ "cap": null }),
            StatusCode::UNPROCESSABLE_ENTITY,
            "rules_refused",
        ),
        (
            json!({ "id": "q_0123456789abcdef" }),
            StatusCode::BAD_REQUEST,
            "bad_request",
        ),
        (
            json!({ "waiting_url": "https://evil.example" }),
            StatusCode::BAD_REQUEST,
            "bad_request",
        ),
        (
            json!({ "version": 1, "cap": 3 }),
            StatusCode::PRECONDITION_FAILED,
            "version_changed",
        ),
        (
            json!({ "page": { "acent": "#000000" } }),
            StatusCode::BAD_REQUEST,
            "bad_request",
        ),
    ] {
        let refused = site.root("PATCH", &uri, body.clone()).await;
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (status, code),
            "{body}"
        );
    }
}

/// Of two owners who read the same version only one changes addresses, page or rules.
#[tokio::test]
async fn if_match_guards_addresses_and_page_too() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let uri = format!("/v1/queues/{queue}");
    let key = format!("Bearer {}", site.root);
    let send = async |tag: &str, body: Value| {
        let headers = [("authorization", key.as_str()), ("if-match", tag)];
        Site::call(&site.admin, "PATCH", &uri, &headers, &body).await
    };
    let first = send("\"2\"", json!({ "title": "first" })).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.text);
    assert_eq!(
        (first.json()["title"].clone(), first.header("etag")),
        (json!("first"), "\"3\"")
    );
    let second = send("\"2\"", json!({ "title": "second" })).await;
    assert_eq!(second.status, StatusCode::PRECONDITION_FAILED);
    let archived = Site::call(
        &site.admin,
        "POST",
        &format!("{uri}/archive"),
        &[("authorization", key.as_str()), ("if-match", "\"2\"")],
        &Value::Null,
    )
    .await;
    assert_eq!(archived.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(
        send("W/\"3\"", json!({ "title": "third" })).await.status,
        StatusCode::OK
    );
    assert_eq!(
        send("*", json!({ "title": "fourth" })).await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn if_match_guards_mode_and_capacity() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let key = format!("Bearer {}", site.root);
    let figure = json!({
        "loadline_capacity": 1, "unit": "iterations-per-second", "test": { "run": "r12" },
        "line": { "load": 100, "beyond": 110, "requests_per_second": 500 }, "knee": { "in_flight": 40 },
        "safety": 0.8, "requests_per_session": 5, "session_ms": 12000, "think_ms": 10000,
    });
    for (call, body, version) in [
        ("mode", json!({ "mode": "hold" }), 2),
        ("capacity", figure, 3),
    ] {
        let uri = format!("/v1/queues/{queue}/{call}");
        let (read, older) = (format!("\"{version}\""), format!("\"{}\"", version - 1));
        for (tag, status) in [
            (&older, StatusCode::PRECONDITION_FAILED),
            (&read, StatusCode::OK),
            (&read, StatusCode::PRECONDITION_FAILED),
        ] {
            let headers = [("authorization", key.as_str()), ("if-match", tag.as_str())];
            let answer = Site::call(&site.admin, "PUT", &uri, &headers, &body).await;
            assert_eq!(answer.status, status, "{call} at {tag}: {}", answer.text);
        }
    }
}

/// Every change is on record: who, what it was, what it is.
#[tokio::test]
async fn what_is_changed_is_recorded_with_who_and_what_was_before() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({ "cap": 10 })).await;
    let uri = format!("/v1/queues/{queue}");
    site.root(
        "PATCH",
        &uri,
        json!({ "cap": 20, "redirect_to": "https://shop.example/new" }),
    )
    .await;
    let added = site
        .root(
            "POST",
            &format!("/v1/tenants/{tenant}/keys"),
            json!({ "scopes": ["read"], "label": "eyes" }),
        )
        .await
        .json();
    let id = added["id"].as_str().unwrap();
    site.root("POST", &format!("/v1/tenants/{tenant}/rotate"), Value::Null)
        .await;
    let reader = site.key(&tenant, &["read"]).await;
    site.root("DELETE", &format!("/v1/keys/{id}"), Value::Null)
        .await;

    let audit = site
        .with_key(&reader, "GET", "/v1/audit", Value::Null)
        .await
        .json();
    let records = audit["audit"].as_array().unwrap();
    let kinds: Vec<&str> = records
        .iter()
        .map(|r| r["what"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "key_revoked",
            "key_added",
            "keys_rotated",
            "key_added",
            "queue_changed",
            "queue_added",
            "tenant_added"
        ]
    );
    let actor = json!(format!("k_{}", &site.root[4..20]));
    assert!(
        records
            .iter()
            .all(|record| record["actor"] == actor && record["tenant"] == json!(tenant))
    );
    let changed = &records[4];
    assert_eq!(
        changed["after"],
        json!({ "redirect_to": "https://shop.example/new" })
    );
    assert_eq!(
        changed["before"],
        json!({ "redirect_to": "https://shop.example/enter" })
    );
    let text = site.root("GET", "/v1/audit", Value::Null).await.text;
    assert!(!text.contains(added["key"].as_str().unwrap()), "a secret");

    let rules = site
        .root("GET", &format!("{uri}/audit"), Value::Null)
        .await
        .json();
    let last = &rules["audit"][0];
    assert_eq!(
        (&last["before"], &last["after"]),
        (&json!({ "cap": 10 }), &json!({ "cap": 20 }))
    );
    assert_eq!(last["actor"], actor);
    let theirs = site.tenant("other").await;
    let theirs = site.key(&theirs, &["read"]).await;
    let seen = site
        .with_key(&theirs, "GET", "/v1/audit", Value::Null)
        .await
        .text;
    assert!(!seen.contains(&tenant), "{seen}");
}

/// However often keys are rotated, a visitor who waits keeps the place, and gets a fresh ticket
/// before the old one ends.
#[tokio::test]
async fn rotations_keep_tickets_and_polls_renew_them() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({ "mode": "hold" })).await;
    let token = site.join(&queue).await;
    for _ in 0..4 {
        site.root("POST", &format!("/v1/tenants/{tenant}/rotate"), Value::Null)
            .await;
    }
    let shown = site.until(&queue, &token, "waiting").await;
    assert_eq!(shown["waiting_token"], Value::Null, "the ticket is young");

    let room = site.gate.rooms().remove(0);
    let signer = site.gate.signer(room.id, room.info().tenant);
    let now_s = site.gate.now_s();
    let ticket = signer.check(TokenPurpose::Waiting, &token, now_s).unwrap();
    let expires_s = now_s + 3_600;
    let old = signer.sign(
        TokenPurpose::Waiting,
        &Token {
            expires_s,
            ..ticket
        },
    );
    let renewed = site.until(&queue, &old, "waiting").await;
    let fresh = renewed["waiting_token"].as_str().unwrap();
    assert_eq!(renewed["seq"], shown["seq"]);
    let fresh = signer.check(TokenPurpose::Waiting, fresh, now_s).unwrap();
    assert!(fresh.expires_s > now_s + 23 * 3_600);
    assert_eq!(fresh.wid, ticket.wid);

    let cookie = format!("__Host-wr_w_{queue}={old}");
    let by_cookie = Site::call(
        &site.public,
        "GET",
        &format!("/q/{queue}/me"),
        &[("cookie", &cookie)],
        &Value::Null,
    )
    .await;
    assert!(
        by_cookie
            .cookie()
            .starts_with(&format!("__Host-wr_w_{queue}=")),
        "{}",
        by_cookie.text
    );
}

/// A service that holds this secret and the next misses nobody at a rotation, and the one that
/// leaked signs nothing any more.
#[tokio::test]
async fn a_leaked_shared_secret_is_dropped_at_once() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site
        .queue(&tenant, "sale", json!({ "proof": "jwt_hs256" }))
        .await;
    let uri = format!("/v1/queues/{queue}");
    let before = site.root("GET", &uri, Value::Null).await.json();
    site.root("POST", &format!("/v1/tenants/{tenant}/rotate"), Value::Null)
        .await;
    let after = site.root("GET", &uri, Value::Null).await.json();
    assert_eq!(after["hs256_secret"], before["hs256_next_secret"]);
    assert!(
        !after
            .to_string()
            .contains(before["hs256_secret"].as_str().unwrap())
    );
}

/// What one tenant has does not depend on what another takes.
#[tokio::test]
async fn a_tenant_has_what_its_quotas_say_and_the_others_all_they_want() {
    let site = Site::open().await;
    let (small, large) = (site.tenant("small").await, site.tenant("large").await);
    let uri = format!("/v1/tenants/{small}/quotas");
    let own = site.key(&small, &["admin"]).await;
    let raised = site
        .with_key(&own, "PUT", &uri, json!({ "queues": 100 }))
        .await;
    assert_eq!(raised.status, StatusCode::FORBIDDEN, "not by itself");
    let quotas = json!({ "queues": 1, "joins_per_s": 2 });
    assert_eq!(site.root("PUT", &uri, quotas).await.status, StatusCode::OK);
    let queue = site.queue(&small, "one", json!({ "mode": "hold" })).await;
    let other = site.queue(&large, "one", json!({ "mode": "hold" })).await;
    let another =
        json!({ "tenant": small, "slug": "two", "redirect_origins": ["https://shop.example"] });
    let refused = site.root("POST", "/v1/queues", another).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (StatusCode::CONFLICT, "over_quota")
    );
    let mut joined = Vec::new();
    for queue in [&queue, &other] {
        let uri = format!("/q/{queue}/join");
        let mut of_one = 0;
        for _ in 0..10 {
            let answer = Site::call(&site.public, "POST", &uri, &[], &Value::Null).await;
            of_one += u32::from(answer.status == StatusCode::CREATED);
        }
        joined.push(of_one);
    }
    assert!(joined[0] < 10 && joined[1] == 10, "{joined:?}");
    let shown = site.root("GET", "/v1/tenants", Value::Null).await.json();
    let of_small = shown["tenants"]
        .as_array()
        .unwrap()
        .iter()
        .find(|t| t["id"] == json!(small));
    assert_eq!(of_small.unwrap()["quotas"]["queues"], json!(1));
}

/// Of two queues of a tenant together; another tenant has its own.
#[tokio::test(start_paused = true)]
async fn quotas_bound_who_waits_and_who_listens() {
    let store = Arc::new(MemoryStore::new(&Arc::new(Memory::default())));
    let site = Site::over(store, 1).await;
    let (small, large) = (site.tenant("small").await, site.tenant("large").await);
    let held = json!({ "mode": "hold" });
    let one = site.queue(&small, "one", held.clone()).await;
    let two = site.queue(&small, "two", held.clone()).await;
    let other = site.queue(&large, "one", held).await;
    let quotas = format!("/v1/tenants/{small}/quotas");
    let set = json!({ "waiting": 2, "streams": 1 });
    assert_eq!(site.root("PUT", &quotas, set).await.status, StatusCode::OK);
    // They are counted twice a second.
    let counted = || tokio::time::sleep(std::time::Duration::from_secs(2));
    let (first, second) = (site.join(&one).await, site.join(&two).await);
    counted().await;

    let join = format!("/q/{one}/join");
    let refused = site.public("POST", &join, &[], Value::Null).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (StatusCode::TOO_MANY_REQUESTS, "over_quota")
    );
    for _ in 0..5 {
        site.join(&other).await;
    }
    let rooms = site.gate.rooms();
    let room = rooms
        .iter()
        .find(|room| room.id.to_string() == one)
        .unwrap();
    let signer = site.gate.signer(room.id, room.info().tenant);
    let first = signer.check(TokenPurpose::Waiting, &first, site.gate.now_s());
    let _stream = room.hub().subscribe(first.unwrap().wid).unwrap();
    counted().await;
    let events = format!("/q/{two}/events");
    let refused = site.as_visitor(&second, "GET", &events, Value::Null).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (StatusCode::SERVICE_UNAVAILABLE, "streams_full")
    );
}

/// A queue that is over is put away with its places, opened again, or forgotten with its log.
#[tokio::test]
async fn a_queue_is_archived_restored_and_deleted() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({ "mode": "hold" })).await;
    let token = site.join(&queue).await;
    let log = site.home.as_ref().unwrap().path().join(&queue);
    assert!(log.exists());
    let archived = site
        .root("POST", &format!("/v1/queues/{queue}/archive"), Value::Null)
        .await;
    assert_eq!(archived.status, StatusCode::NO_CONTENT);
    site.is_gone(&queue).await;
    let list = site.root("GET", "/v1/archive", Value::Null).await.json();
    assert_eq!(list["queues"][0]["id"], json!(queue));
    let foreign = site.tenant("other").await;
    let foreign = site.key(&foreign, &["admin"]).await;
    let uri = format!("/v1/archive/{queue}");
    let refused = site.with_key(&foreign, "DELETE", &uri, Value::Null).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);

    site.root("POST", &format!("{uri}/restore"), Value::Null)
        .await;
    assert_eq!(site.until(&queue, &token, "waiting").await["seq"], json!(1));
    site.root("POST", &format!("/v1/queues/{queue}/archive"), Value::Null)
        .await;
    assert_eq!(
        site.root("DELETE", &uri, Value::Null).await.status,
        StatusCode::NO_CONTENT
    );
    assert!(!log.exists());
    assert_eq!(
        site.root("DELETE", &uri, Value::Null).await.status,
        StatusCode::NOT_FOUND
    );
    // The name is free again.
    site.queue(&tenant, "sale", json!({})).await;
}

impl Site {
    /// Waits until a queue is served no more.
    async fn is_gone(&self, queue: &str) {
        let uri = format!("/q/{queue}/status");
        for _ in 0..500 {
            let answer = Site::call(&self.public, "GET", &uri, &[], &Value::Null).await;
            if answer.status == StatusCode::NOT_FOUND {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("{queue} is served on");
    }
}

/// A gate with another secret would turn everybody away, so it does not start.
#[tokio::test]
async fn a_gate_with_another_secret_does_not_start() {
    let mut site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    site.join(&queue).await;
    while site
        .gate
        .look(|directory| directory.secret_fingerprint().is_none())
    {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let options = site.gate.options().clone();
    let home = site.home.take().unwrap();
    drop(site);
    let journal = loop {
        // The one before lets go of the directory when its tasks have ended.
        match Journal::open(home.path(), super::real_clock()) {
            Ok(journal) => break Arc::new(journal),
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(10)).await,
        }
    };
    let mut other = options.clone();
    other.secret = Secret::new([10; 32]);
    let refused = Gate::open(journal.clone(), other, 2).await;
    assert!(matches!(refused.err(), Some(GateError::OtherSecret)));
    let gate = Gate::open(journal, options, 3).await.unwrap();
    assert_eq!(gate.rooms().len(), 1);
}

/// What the owners' page shows to change depends on it.
#[tokio::test]
async fn a_key_is_told_what_it_may_do() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let key = site.key(&tenant, &["read", "admit"]).await;
    let own = site.with_key(&key, "GET", "/v1/key", Value::Null).await;
    assert_eq!(own.json()["scopes"], json!(["read", "admit"]));
    assert_eq!(own.json()["tenant"], json!(tenant));
    assert!(!own.text.contains(&key), "no secret");
    let root = site.with_key(&site.root, "GET", "/v1/key", Value::Null);
    let root = root.await.json();
    assert_eq!(
        (&root["scopes"], &root["tenant"]),
        (&json!(["root"]), &Value::Null)
    );
    let nobody = site.with_key("wrk_0_a", "GET", "/v1/key", Value::Null);
    assert_eq!(nobody.await.status, StatusCode::UNAUTHORIZED);
}
