use super::Site;
use crate::ids::{QueueId, TenantId};
use crate::queue::VisitorId;
use crate::tokens::{Token, TokenPurpose};
use axum::http::StatusCode;
use serde_json::{Value, json};

/// S2 over HTTP: forged, altered, expired and foreign tickets, on every call that takes one.
#[tokio::test]
async fn s02_no_call_takes_a_ticket_that_was_not_given_for_it() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({ "mode": "hold" })).await;
    let other = site
        .queue(&tenant, "other", json!({ "mode": "hold" }))
        .await;
    let good = site.join(&queue).await;
    let foreign = site.join(&other).await;
    let flip = |at: usize| {
        let mut text = good.clone().into_bytes();
        text[at] = if text[at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(text).unwrap()
    };
    // Signed with the installation's secret, and yet not good for this.
    let signer = site.gate.signer(
        QueueId::parse(&queue).unwrap(),
        TenantId::parse(&tenant).unwrap(),
    );
    let wid = VisitorId([7; 16]);
    let sign = |purpose, expires_s| {
        let ticket = Token {
            wid,
            seq: 1,
            lease: 0,
            expires_s,
        };
        signer.sign(purpose, &ticket)
    };
    let later = site.gate.now_s() + 1_000;
    let strangers = {
        let tenant = site.tenant("other").await;
        let queue = site.queue(&tenant, "sale", json!({ "mode": "hold" })).await;
        site.join(&queue).await
    };
    let jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJraW0ifQ.";
    let refused = [
        foreign,
        strangers,
        sign(TokenPurpose::Waiting, site.gate.now_s()),
        sign(TokenPurpose::Code, later),
        sign(TokenPurpose::Session, later),
        flip(0),
        flip(10),
        flip(40),
        flip(70),
        String::new(),
        jwt.to_owned(),
        "x".repeat(9_000),
    ];
    for token in &refused {
        for (method, call) in [
            ("GET", "me"),
            ("GET", "events"),
            ("POST", "claim"),
            ("POST", "leave"),
        ] {
            let answer = site
                .as_visitor(token, method, &format!("/q/{queue}/{call}"), Value::Null)
                .await;
            assert_eq!(
                (answer.status, answer.code()),
                (StatusCode::UNAUTHORIZED, "no_ticket".to_owned()),
                "{call} {token}"
            );
        }
    }
    assert_eq!(
        site.as_visitor(&good, "GET", &format!("/q/{queue}/me"), Value::Null)
            .await
            .status,
        StatusCode::OK
    );
}

/// S3 over HTTP: neither a queue's own address nor a visitor's leads anywhere that is not listed.
#[tokio::test]
async fn s03_nobody_is_sent_to_an_address_that_is_not_listed() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    for bad in [
        "javascript:alert(1)",
        "//evil.example",
        "https://evil.example/",
        "https://shop.example@evil.example/",
        "https://evil.example\\@shop.example/",
        "https://shop.example.evil.example/",
        "http://shop.example/",
        "https://shop.example:444/",
        "data:text/html,x",
        "/path",
    ] {
        let rt = json!({ "rt": bad });
        for call in ["join", "claim"] {
            let answer = site
                .as_visitor(&token, "POST", &format!("/q/{queue}/{call}"), rt.clone())
                .await;
            assert_eq!(
                (answer.status, answer.code()),
                (StatusCode::BAD_REQUEST, "address_not_allowed".to_owned()),
                "{call} {bad}"
            );
        }
        let register = format!("/v1/queues/{queue}/waiters");
        let answer = site
            .with_key(
                &site.root,
                "POST",
                &register,
                json!({ "user_id": "kim", "rt": bad }),
            )
            .await;
        assert_eq!(answer.code(), "address_not_allowed", "{bad}");
        let target = json!({ "redirect_to": bad });
        let answer = site
            .with_key(&site.root, "PATCH", &format!("/v1/queues/{queue}"), target)
            .await;
        assert_eq!(answer.code(), "address_not_allowed", "{bad}");
        let encoded: String = url::form_urlencoded::byte_serialize(bad.as_bytes()).collect();
        let page = site
            .public("GET", &format!("/w/{queue}?rt={encoded}"), &[], Value::Null)
            .await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{bad}");
        assert!(!page.text.contains("evil.example"), "{bad}");
    }
}

/// A page of another site cannot make a visitor's browser come in or give the place up.
#[tokio::test]
async fn another_sites_page_cannot_use_a_visitors_cookie() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let cookie = site
        .public("POST", &format!("/q/{queue}/join"), &[], Value::Null)
        .await
        .cookie();
    for foreign in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://evil.example"),
    ] {
        for call in [
            format!("/q/{queue}/leave"),
            format!("/q/{queue}/claim"),
            format!("/w/{queue}"),
            format!("/w/{queue}/leave"),
        ] {
            let headers = [("cookie", cookie.as_str()), foreign];
            let answer = site.public("POST", &call, &headers, Value::Null).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{call}");
            // A page for a browser, JSON for a script.
            let is_page = call.starts_with("/w/") && answer.text.contains("<main");
            let is_json = answer.code() == "origin_not_allowed";
            assert!(is_page || is_json, "{call}: {}", answer.text);
        }
    }
    let own = [
        ("cookie", cookie.as_str()),
        ("sec-fetch-site", "same-origin"),
    ];
    let left = site
        .public("POST", &format!("/q/{queue}/leave"), &own, Value::Null)
        .await;
    assert_eq!(left.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_and_never_breaks_anything() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let bearer = format!("Bearer {}", site.root);
    let headers = [("authorization", bearer.as_str()), ("idempotency-key", "x")];
    for (uri, body) in [
        (
            "/v1/queues".to_owned(),
            json!({ "slug": "UPPER", "redirect_origins": ["https://a.example"] }),
        ),
        ("/v1/queues".to_owned(), json!({ "unknown": 1 })),
        ("/v1/queues".to_owned(), json!([])),
        (format!("/v1/queues/{queue}/admit"), json!({ "count": -1 })),
        (
            format!("/v1/queues/{queue}/admit"),
            json!({ "count": 1, "user_ids": ["a"] }),
        ),
        (
            format!("/v1/queues/{queue}/admit"),
            json!({ "count": 10_000_000 }),
        ),
        (
            format!("/v1/queues/{queue}/waiters"),
            json!({ "user_id": "" }),
        ),
        (
            format!("/v1/queues/{queue}/waiters"),
            json!({ "user_id": "a".repeat(257) }),
        ),
        (format!("/v1/queues/{queue}/block"), json!({ "wid": "zz" })),
    ] {
        let answer = Site::call(&site.admin, "POST", &uri, &headers, &body).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::BAD_REQUEST, "bad_request".to_owned()),
            "{uri} {body}"
        );
    }
    for rules in [
        json!({ "rate_per_s": -1 }),
        json!({ "idle_s": 0 }),
        json!({ "claim_within_s": 1 }),
        json!({ "away_after_s": 1 }),
    ] {
        let answer = Site::call(
            &site.admin,
            "PATCH",
            &format!("/v1/queues/{queue}"),
            &headers,
            &rules,
        )
        .await;
        assert!(answer.status.is_client_error(), "{rules}: {}", answer.text);
    }
    for unknown in ["/q/sale/me", "/q/q_0000000000000000/me", "/q/..%2f/me"] {
        assert_eq!(
            site.public("GET", unknown, &[], Value::Null).await.code(),
            "no_such_queue",
            "{unknown}"
        );
    }
}

/// Whatever the document describes is served, and where it says.
#[tokio::test]
async fn every_call_of_the_document_is_there() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let document: Value = serde_json::from_str(super::super::openapi::DOCUMENT).unwrap();
    for (path, calls) in document["paths"].as_object().unwrap() {
        let uri = path
            .replace("{queue}", &queue)
            .replace("{tenant}", "t_1")
            .replace("{user}", "kim")
            .replace("{key}", "k_1");
        let listener = calls["x-listener"].as_str().unwrap();
        for method in calls
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| *key != "x-listener")
        {
            for (name, router) in [("public", &site.public), ("admin", &site.admin)] {
                if uri.ends_with("/events") {
                    continue; // a stream does not end
                }
                let answer =
                    Site::call(router, &method.to_uppercase(), &uri, &[], &Value::Null).await;
                let is_there = !matches!(
                    answer.status,
                    StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED
                ) || !(answer.text.is_empty() || answer.code() == "not_found");
                assert_eq!(
                    is_there,
                    listener == name || listener == "both",
                    "{method} {path} on {name}: {}",
                    answer.status
                );
            }
        }
    }
}

/// What a query cannot mean is refused as everything else is: programs read the code.
#[tokio::test]
async fn a_query_that_cannot_be_read_is_an_error_of_the_api() {
    let site = Site::open().await;
    for uri in [
        "/authz",
        "/authz?queue=a&queue=b",
        "/.well-known/jwks.json?tenant=a&tenant=b",
    ] {
        let refused = Site::call(&site.public, "GET", uri, &[], &Value::Null).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{uri}");
        assert_eq!(refused.code(), "bad_request", "{uri}: {}", refused.text);
    }
    let page = Site::call(&site.admin, "GET", "/?lang=a&lang=b", &[], &Value::Null).await;
    assert_eq!(page.status, StatusCode::OK);
}

/// A list would be read as an object whose members come in order.
#[tokio::test]
async fn a_list_is_no_body() {
    let site = Site::open().await;
    let tenant = site.tenant("lists").await;
    let queue = site.queue(&tenant, "lists", json!({})).await;
    let key = site
        .key(&tenant, &["register", "admin", "admit", "read"])
        .await;
    for (router, method, uri) in [
        (&site.admin, "PATCH", format!("/v1/queues/{queue}")),
        (&site.public, "POST", format!("/v1/queues/{queue}/waiters")),
        (&site.public, "POST", format!("/q/{queue}/join")),
    ] {
        let shown = format!("Bearer {key}");
        let headers = [("authorization", shown.as_str())];
        for body in [json!([]), json!(["kim"])] {
            let refused = Site::call(router, method, &uri, &headers, &body).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{uri} {body}");
        }
    }
}

#[tokio::test]
async fn what_is_missing_or_no_number_is_named() {
    let site = Site::open().await;
    let tenant = site.tenant("named").await;
    let key = site.key(&tenant, &["admin"]).await;
    let shown = format!("Bearer {key}");
    let headers = [("authorization", shown.as_str())];
    let origins = json!(["https://shop.example"]);
    for (body, said) in [
        (json!({"redirect_origins": origins}), "slug is missing"),
        (json!({"slug": "sale"}), "redirect_origins are missing"),
        (
            json!({"slug": "sale", "rate_per_s": "fast"}),
            "expected a number",
        ),
        (
            json!({"slug": "sale", "cap": -1}),
            "expected a whole number",
        ),
    ] {
        let refused = Site::call(&site.admin, "POST", "/v1/queues", &headers, &body).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{body}");
        assert!(refused.text.contains(said), "{}", refused.text);
    }
}
