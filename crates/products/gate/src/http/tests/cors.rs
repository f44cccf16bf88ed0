//! Pages of other origins: who may call from a script, and what each answer says of it.

use super::{Answer, Site};
use axum::http::StatusCode;
use serde_json::{Value, json};

const APP: &str = "https://app.shop.example";

fn is_shared(answer: &Answer, origin: &str) -> bool {
    assert_eq!(
        answer.header("access-control-allow-credentials"),
        "",
        "cookies are never of another origin's call"
    );
    answer.header("access-control-allow-origin") == origin
}

#[tokio::test]
async fn a_browser_may_ask_first_for_listed_origins_only() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let with = json!({ "cors_origins": [APP] });
    let listed = site.queue(&tenant, "listed", with).await;
    let other = site.queue(&tenant, "other", json!({})).await;
    let ask = async |queue: &str, origin: &str, call: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            (
                "access-control-request-headers",
                "authorization,content-type",
            ),
        ];
        let uri = format!("/q/{queue}/{call}");
        site.public("OPTIONS", &uri, &headers, Value::Null).await
    };
    for call in ["join", "me", "claim", "leave", "status", "events"] {
        let good = ask(&listed, APP, call).await;
        assert_eq!(good.status, StatusCode::NO_CONTENT, "{call}: {}", good.text);
        assert!(is_shared(&good, APP), "{call}");
        let fields = good.header("access-control-allow-headers");
        assert!(fields.contains("authorization") && fields.contains("content-type"));
        assert_eq!(good.header("access-control-allow-methods"), "GET, POST");
        assert_eq!(good.header("vary"), "origin");
        let bad = ask(&listed, "https://app.shop.example.evil.example", call).await;
        assert_eq!(bad.status, StatusCode::FORBIDDEN, "{call}");
        assert_eq!(bad.code(), "origin_not_allowed");
        assert!(is_shared(&bad, ""), "{call}");
        let bad = ask(&other, APP, call).await;
        assert_eq!(
            bad.status,
            StatusCode::FORBIDDEN,
            "{call}: of another queue"
        );
        let bad = ask(&listed, "null", call).await;
        assert_eq!(
            bad.status,
            StatusCode::FORBIDDEN,
            "{call}: a page of a file"
        );
    }
    let missing = ask("q_0000000000000001", APP, "join").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    let owners = format!("/v1/queues/{listed}/waiters");
    let headers = [("origin", APP), ("access-control-request-method", "POST")];
    let owners = site.public("OPTIONS", &owners, &headers, Value::Null).await;
    assert!(is_shared(&owners, ""), "calls with a key are no page's");
}

#[tokio::test]
async fn a_page_of_a_listed_origin_joins_comes_in_and_reads_refusals_too() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "cors_origins": [APP] })).await;
    let call = async |origin: &str, method: &str, call: &str, token: &str| {
        let bearer = format!("Bearer {token}");
        let headers = [("origin", origin), ("authorization", bearer.as_str())];
        let headers = &headers[..if token.is_empty() { 1 } else { 2 }];
        let uri = format!("/q/{queue}/{call}");
        site.public(method, &uri, headers, Value::Null).await
    };
    let joined = call(APP, "POST", "join", "").await;
    assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.text);
    assert!(is_shared(&joined, APP));
    let token = joined.json()["waiting_token"].as_str().unwrap().to_owned();
    site.until(&queue, &token, "ready").await;
    let place = call(APP, "GET", "me", &token).await;
    assert!(place.status == StatusCode::OK && is_shared(&place, APP));
    let entry = call(APP, "POST", "claim", &token).await;
    assert!(
        entry.status == StatusCode::OK && is_shared(&entry, APP),
        "{}",
        entry.text
    );
    for (method, name, status) in [
        ("GET", "me", StatusCode::UNAUTHORIZED),
        ("POST", "claim", StatusCode::UNAUTHORIZED),
    ] {
        let refused = call(APP, method, name, "made-up").await;
        assert_eq!(refused.status, status);
        assert!(is_shared(&refused, APP), "a script must see why: {name}");
        let exposed = refused.header("access-control-expose-headers");
        assert_eq!(exposed, "retry-after");
    }
    for origin in ["https://evil.example", "null", "http://app.shop.example"] {
        let unread = call(origin, "GET", "me", &token).await;
        assert!(is_shared(&unread, ""), "{origin}");
    }
    let status = format!("/q/{queue}/status");
    let status = site.public("GET", &status, &[], Value::Null).await;
    assert_eq!(status.header("vary"), "origin", "for caches");
}

#[tokio::test]
async fn origins_are_changed_read_back_and_recorded() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "cors_origins": [APP] })).await;
    let uri = format!("/v1/queues/{queue}");
    let send = |body: Value| site.with_key(&site.root, "PATCH", &uri, body);
    let shown = site.with_key(&site.root, "GET", &uri, Value::Null).await;
    assert_eq!(shown.json()["cors_origins"], json!([APP]));
    for bad in ["*", "null", "https://app.example/path", "app.example"] {
        let refused = send(json!({ "cors_origins": [bad] })).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{bad}");
    }
    let two = json!([APP, "https://m.shop.example"]);
    let sent = json!({ "cors_origins": ["https://app.shop.example/", "https://m.shop.example"] });
    assert_eq!(send(sent).await.json()["cors_origins"], two);
    assert_eq!(
        send(json!({ "title": "Sale" })).await.json()["cors_origins"],
        two,
        "left out, it stays"
    );
    let none = send(json!({ "cors_origins": null })).await;
    assert_eq!(none.json()["cors_origins"], json!([]));
    let same = send(none.json()).await;
    assert_eq!(same.status, StatusCode::OK, "{}", same.text);
    let audit = site.with_key(&site.root, "GET", "/v1/audit", Value::Null);
    let audit = audit.await.json();
    let deed =
        audit["audit"].as_array().unwrap().iter().find(|deed| {
            deed["what"] == "queue_changed" && deed["after"]["cors_origins"] == json!([])
        });
    assert_eq!(deed.unwrap()["before"]["cors_origins"], two, "{audit}");
}
