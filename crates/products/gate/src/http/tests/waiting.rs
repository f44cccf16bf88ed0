use super::Site;
use axum::http::StatusCode;
use serde_json::{Value, json};

#[tokio::test]
async fn a_visitor_joins_waits_and_comes_in() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let token = site.join(&queue).await;
    let other = site.join(&queue).await;
    let me = site
        .as_visitor(&other, "GET", &format!("/q/{queue}/me"), Value::Null)
        .await
        .json();
    assert_eq!(
        (&me["state"], &me["ahead"], &me["total"]),
        (&json!("waiting"), &json!(1), &json!(2))
    );
    assert!(me["poll_after_ms"].as_u64().unwrap() >= 1_600, "{me}");

    site.with_key(
        &site.root,
        "PUT",
        &format!("/v1/queues/{queue}/mode"),
        json!({ "mode": "auto" }),
    )
    .await;
    site.until(&queue, &token, "ready").await;
    let claimed = site
        .as_visitor(&token, "POST", &format!("/q/{queue}/claim"), Value::Null)
        .await;
    assert_eq!(claimed.status, StatusCode::OK, "{}", claimed.text);
    let redirect = claimed.json()["redirect"].as_str().unwrap().to_owned();
    assert!(
        redirect.starts_with("https://shop.example/enter?wr="),
        "{redirect}"
    );
}

/// C1 over HTTP: reloading, also twenty times, keeps the ticket.
#[tokio::test]
async fn c01_joining_with_the_ticket_or_user_id_again_finds_it() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let join = format!("/q/{queue}/join");
    let first = site.public("POST", &join, &[], Value::Null).await;
    for _ in 0..20 {
        let again = site
            .public("POST", &join, &[("cookie", &first.cookie())], Value::Null)
            .await;
        assert_eq!(
            (again.status, &again.json()["seq"]),
            (StatusCode::OK, &json!(1))
        );
    }
    let register = format!("/v1/queues/{queue}/waiters");
    let kim = json!({ "user_id": "kim" });
    let made = site
        .with_key(&site.root, "POST", &register, kim.clone())
        .await;
    let again = site.with_key(&site.root, "POST", &register, kim).await;
    assert_eq!(
        (made.status, again.status),
        (StatusCode::CREATED, StatusCode::OK)
    );
    assert_eq!(
        (&made.json()["seq"], &again.json()["seq"]),
        (&json!(2), &json!(2))
    );
}

/// C3 over HTTP.
#[tokio::test]
async fn c03_a_ticket_that_counts_no_longer_is_gone() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let token = site.join(&queue).await;
    let leave = format!("/q/{queue}/leave");
    site.as_visitor(&token, "POST", &leave, json!({ "forever": true }))
        .await;
    let me = site
        .as_visitor(&token, "GET", &format!("/q/{queue}/me"), Value::Null)
        .await;
    assert_eq!(
        (me.status, &me.json()["state"]),
        (StatusCode::GONE, &json!("gone"))
    );
    assert_eq!(me.json().get("ahead"), None);
}

/// C5 over HTTP: who opens a stream after the turn was given is told of it at once.
#[tokio::test]
async fn c05_a_stream_opened_late_begins_with_the_state() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    let first = first_event(&site, &queue, &token).await;
    assert!(
        first.starts_with("retry: 3000\nid: 2\nevent: ready\ndata: {\"state\":\"ready\""),
        "{first}"
    );
    assert!(first.ends_with("}\n\n"), "{first}");
}

/// What a stream says first.
async fn first_event(site: &Site, queue: &str, token: &str) -> String {
    use axum::body::Body;
    use axum::http::Request;
    use tower::ServiceExt;
    let request = Request::builder()
        .uri(format!("/q/{queue}/events"))
        .header("authorization", format!("Bearer {token}"))
        .body(Body::empty())
        .unwrap();
    let response = site.public.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    let frame =
        std::future::poll_fn(|cx| http_body::Body::poll_frame(std::pin::Pin::new(&mut body), cx))
            .await;
    let bytes = frame.unwrap().unwrap().into_data().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn letting_in_by_hand_needs_a_key_to_do_it_once() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold", "cap": 3 })).await;
    for _ in 0..5 {
        site.join(&queue).await;
    }
    let admit = format!("/v1/queues/{queue}/admit");
    for _ in 0..3 {
        let admitted = site
            .with_key(&site.root, "POST", &admit, json!({ "count": 2 }))
            .await;
        assert_eq!(
            admitted.json(),
            json!({ "admitted": 2 }),
            "the same answer each time"
        );
    }
    let bearer = format!("Bearer {}", site.root);
    let without = site
        .public(
            "POST",
            &admit,
            &[("authorization", &bearer)],
            json!({ "count": 2 }),
        )
        .await;
    assert_eq!(
        (without.status, without.code()),
        (
            StatusCode::BAD_REQUEST,
            "idempotency_key_missing".to_owned()
        )
    );
    let headers = [
        ("authorization", bearer.as_str()),
        ("idempotency-key", "other"),
    ];
    let capped = site
        .public("POST", &admit, &headers, json!({ "count": 5 }))
        .await;
    assert_eq!(capped.json(), json!({ "admitted": 1 }), "the cap holds");
}

#[tokio::test]
async fn a_figure_sets_rate_and_cap_and_is_shown() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let body = json!({
        "loadline_capacity": 1, "unit": "iterations-per-second", "test": { "run": "r12" },
        "line": { "load": 100, "beyond": 110, "requests_per_second": 500 }, "knee": { "in_flight": 40 },
        "safety": 0.8, "requests_per_session": 5, "session_ms": 12000, "think_ms": 10000,
    });
    let uri = format!("/v1/queues/{queue}/capacity");
    let rules = site
        .with_key(&site.root, "PUT", &uri, body.clone())
        .await
        .json();
    assert_eq!(
        (&rules["rate_per_s"], &rules["cap"]),
        (&json!(80.0), &json!(960))
    );
    assert_eq!(
        (&rules["capacity"]["run"], &rules["capacity"]["interval"]),
        (&json!("r12"), &json!([500.0, 550.0]))
    );
    let by_hand = json!({ "rate_per_s": 10 });
    let rules = site
        .with_key(&site.root, "PATCH", &format!("/v1/queues/{queue}"), by_hand)
        .await
        .json();
    assert_eq!(
        rules["capacity"],
        Value::Null,
        "a rate set by hand comes from no run"
    );
    let mut nonsense = body;
    nonsense["line"]["requests_per_second"] = json!(-1);
    let refused = site.with_key(&site.root, "PUT", &uri, nonsense).await;
    assert_eq!(
        (refused.status, refused.code()),
        (
            StatusCode::UNPROCESSABLE_ENTITY,
            "figure_refused".to_owned()
        )
    );
}

#[tokio::test]
async fn rules_read_at_an_older_version_are_not_overwritten() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let uri = format!("/v1/queues/{queue}");
    let bearer = format!("Bearer {}", site.root);
    let change = async |version: &str| {
        let headers = [("authorization", bearer.as_str()), ("if-match", version)];
        Site::call(&site.admin, "PATCH", &uri, &headers, &json!({ "cap": 7 })).await
    };
    assert_eq!(change("\"2\"").await.status, StatusCode::OK);
    let late = change("\"2\"").await;
    assert_eq!(
        (late.status, &late.json()["error"]["version"]),
        (StatusCode::PRECONDITION_FAILED, &json!(3))
    );
}
