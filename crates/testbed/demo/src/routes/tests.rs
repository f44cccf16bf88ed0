//! Each fault seen from outside, in virtual time: no socket, no real waiting.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower::ServiceExt;

use crate::settings::DemoSettings;
use crate::target::Target;

#[derive(Clone)]
struct Client(Router);

impl Client {
    fn new() -> Self {
        Self(super::router(Arc::new(
            Target::new(DemoSettings::default()),
        )))
    }

    /// Also returns `null` for a body that is not JSON or breaks off.
    async fn send(&self, method: &str, path: &str, body: Value) -> (StatusCode, Value) {
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1:8080")
            .header("content-type", "application/json")
            .body(body)
            .unwrap();
        let response = self.0.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let json = match to_bytes(response.into_body(), usize::MAX).await {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            Err(_) => Value::Null,
        };
        (status, json)
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.send("GET", path, Value::Null).await
    }

    async fn set(&self, change: Value) {
        let (status, answer) = self.send("PUT", "/settings", change).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }

    /// Sends `n` at once; gives back how many were answered 200 and when the last one was.
    async fn burst(&self, n: usize, path: &'static str) -> (usize, Duration) {
        let start = Instant::now();
        let mut requests = JoinSet::new();
        for _ in 0..n {
            let client = self.clone();
            requests.spawn(async move { client.get(path).await.0 });
        }
        let statuses = requests.join_all().await;
        let good = statuses.iter().filter(|s| **s == StatusCode::OK).count();
        (good, start.elapsed())
    }

    async fn metrics(&self) -> String {
        let request = Request::get("/metrics").body(Body::empty()).unwrap();
        let response = self.0.clone().oneshot(request).await.unwrap();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

#[tokio::test(start_paused = true)]
async fn the_pool_law_holds_with_the_call_inside() {
    let client = Client::new();
    client
        .set(json!({"pool": {"acquire_timeout_ms": 60000}}))
        .await;

    let (good, took) = client.burst(100, "/pooled").await;

    // 100 requests / 10 permits x (10 + 500) ms
    assert_eq!((good, took), (100, ms(5_100)));
}

#[tokio::test(start_paused = true)]
async fn the_call_outside_frees_the_connection() {
    let client = Client::new();
    client.set(json!({"pooled": {"call": "outside"}})).await;

    let (good, took) = client.burst(100, "/pooled").await;

    // One call for all at once, then 100 / 10 x 10 ms
    assert_eq!((good, took), (100, ms(600)));
}

#[tokio::test(start_paused = true)]
async fn a_larger_pool_carries_more() {
    let client = Client::new();
    client.set(json!({"pool": {"max": 50}})).await;

    assert_eq!(client.burst(100, "/pooled").await, (100, ms(1_020)));
}

#[tokio::test(start_paused = true)]
async fn who_gets_no_connection_in_time_is_told_which_pool() {
    let client = Client::new();

    // 10 are served in each 510 ms; who would start after 3 s is refused.
    let (good, took) = client.burst(200, "/pooled").await;
    assert_eq!((good, took), (60, ms(3_060)));

    client
        .set(json!({"pool": {"max": 1, "acquire_timeout_ms": 100}}))
        .await;
    let (first, second) = tokio::join!(client.get("/pooled"), client.get("/pooled"));
    assert_eq!(first.0, StatusCode::OK);
    assert_eq!(second.0, StatusCode::SERVICE_UNAVAILABLE);
    insta::assert_snapshot!(second.1.to_string(), @r#"{"error":{"code":"pool_timeout","message":"no connection of the pool became free within 100 ms: 1 of 1 busy, 1 waiting","pool":"connections","max":1,"busy":1,"waiting":1}}"#);
}

#[tokio::test(start_paused = true)]
async fn metrics_show_a_pool_that_ran_dry() {
    let client = Client::new();
    let load = tokio::spawn({
        let client = client.clone();
        async move { client.burst(25, "/pooled").await }
    });
    sleep(ms(100)).await;

    let during = client.metrics().await;

    for line in [
        r#"demo_pool_max{pool="connections"} 10"#,
        r#"demo_pool_busy{pool="connections"} 10"#,
        r#"demo_pool_waiting{pool="connections"} 15"#,
        r#"demo_pool_busy{pool="cpu"} 0"#,
        "demo_in_flight 25",
        r#"hikaricp_connections_active{pool="connections"} 10"#,
        r#"hikaricp_connections_pending{pool="connections"} 15"#,
        r#"hikaricp_connections_max{pool="connections"} 10"#,
        r#"executor_pool_max_threads{name="cpu"} 1"#,
        "process_cpu_time_ns_total",
    ] {
        assert!(during.contains(line), "{line} is missing in:\n{during}");
    }
    load.await.unwrap();
    let after = client.metrics().await;
    for line in [
        r#"demo_requests_total{endpoint="/pooled",status="200"} 25"#,
        r#"demo_pool_busy{pool="connections"} 0"#,
        r#"demo_pool_hold_seconds_count{pool="connections"} 25"#,
        "demo_in_flight 0",
        r#"hikaricp_connections_usage_seconds_count{pool="connections"} 25"#,
        r#"http_server_requests_seconds_count{method="GET",uri="/pooled",status="200"} 25"#,
        r#"http_client_requests_seconds_count{client_name="downstream"} 25"#,
    ] {
        assert!(after.contains(line), "{line} is missing in:\n{after}");
    }
}

#[tokio::test]
async fn cpu_work_beyond_threads_and_queue_is_refused() {
    let client = Client::new();
    client
        .set(json!({"cpu": {"work_ms": 5, "threads": 1, "waiting_max": 2}}))
        .await;

    let (good, _) = client.burst(8, "/cpu").await;

    assert_eq!(good, 3, "one works, two wait");
    let (status, _) = client.get("/cpu").await;
    assert_eq!(status, StatusCode::OK, "and then there is room again");
}

#[tokio::test(start_paused = true)]
async fn a_deer_is_posted_once_and_found_by_its_user() {
    let client = Client::new();
    let deer = json!({"userId": 1, "deerId": 7, "data": "antlers"});

    let (_, posted) = client.send("POST", "/deers", deer.clone()).await;
    let (status, again) = client.send("POST", "/deers", deer).await;
    let (_, found) = client.get("/deers?userId=1&deerId=7").await;
    let (other, nothing) = client.get("/deers?userId=2&deerId=7").await;

    assert_eq!(
        posted,
        json!({"code": "success", "userId": "1", "deerId": "7", "data": 7})
    );
    assert_eq!(
        (status, &again["code"]),
        (StatusCode::OK, &json!("duplicate"))
    );
    assert_eq!(found["data"], "antlers");
    assert_eq!(
        (other, &nothing["code"]),
        (StatusCode::NOT_FOUND, &json!("not_found"))
    );
    client.send("DELETE", "/deers", Value::Null).await;
    assert_eq!(
        client.get("/deers?userId=1&deerId=7").await.0,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test(start_paused = true)]
async fn a_deers_slow_call_holds_the_connection_only_inside() {
    for (call, expected) in [("inside", 2_010), ("outside", 2_010)] {
        let client = Client::new();
        client
            .set(json!({"deers": {"downstream_ms": 2000, "call": call}}))
            .await;
        let start = Instant::now();
        let load = tokio::spawn({
            let client = client.clone();
            let deer = json!({"userId": 1, "deerId": 1});
            async move { client.send("POST", "/deers", deer).await }
        });
        sleep(ms(1_000)).await;

        let busy = if call == "inside" { 1 } else { 0 };
        let line = format!(r#"demo_pool_busy{{pool="connections"}} {busy}"#);
        assert!(client.metrics().await.contains(&line), "{call}");
        load.await.unwrap();
        assert_eq!(start.elapsed(), ms(expected));
    }
}

#[tokio::test]
async fn a_deer_without_id_is_refused_with_the_reason() {
    let client = Client::new();
    for (body, status) in [
        (json!({"userId": 1}), StatusCode::UNPROCESSABLE_ENTITY),
        (
            json!({"userId": 1, "deerId": ""}),
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (json!("deer"), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let (got, answer) = client.send("POST", "/deers", body).await;
        assert_eq!(
            (got, &answer["error"]["code"]),
            (status, &json!("bad_deer"))
        );
    }
    assert_eq!(
        client.get("/deers?userId=1").await.0,
        StatusCode::BAD_REQUEST
    );
}

#[tokio::test(start_paused = true)]
async fn contents_and_places_agree_and_end_at_3000() {
    let client = Client::new();

    let (_, content) = client.get("/contents/3000").await;
    let (_, places) = client.get("/contents/3000/places").await;

    assert_eq!(content["content"]["id"], 3000);
    let places = places["places"].as_array().unwrap();
    assert_eq!(places.len(), 17);
    assert_eq!(
        places[16]["id"], 51_000,
        "17 places of each of 3,000 contents"
    );
    for path in [
        "/contents/0",
        "/contents/3001",
        "/contents/x",
        "/contents/3001/places",
    ] {
        assert_eq!(client.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_page_holds_one_connection_for_all_its_queries() {
    let client = Client::new();

    let (good, took) = client.burst(20, "/apps/first-page").await;

    // Two rounds of 120 + 100 + 15 + 15 ms on 10 connections
    assert_eq!((good, took), (20, ms(500)));
    let (_, page) = client.get("/apps/first-page/2").await;
    assert_eq!(page["category"], 2);
    assert_eq!(page["orders"]["rating"].as_array().unwrap().len(), 10);
    assert_eq!(
        client.get("/apps/first-page/4").await.0,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test(start_paused = true)]
async fn tickets_are_let_in_at_the_rate() {
    let client = Client::new();
    client
        .set(json!({"waiting_room": {"admitted_per_second": 2, "join_ms": 0}}))
        .await;
    for _ in 0..3 {
        client.send("POST", "/waiting-room/join", Value::Null).await;
    }

    let (_, waiting) = client.get("/waiting-room/status?ticket=t-3").await;
    sleep(ms(1_500)).await;
    let (_, admitted) = client.get("/waiting-room/status?ticket=t-3").await;

    assert_eq!(
        (&waiting["state"], &waiting["position"]),
        (&json!("waiting"), &json!(3))
    );
    assert_eq!(
        (&admitted["state"], &admitted["position"]),
        (&json!("admitted"), &json!(0))
    );
    let (unknown, _) = client.get("/waiting-room/status?ticket=t-4").await;
    assert_eq!(unknown, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn errors_are_injected_at_their_share() {
    let client = Client::new();
    client.set(json!({"faults": {"error_percent": 20}})).await;

    let (good, _) = client.burst(1_000, "/fast").await;

    assert!((798..=802).contains(&good), "{good} of 1,000");
}

#[tokio::test]
async fn an_error_inside_200_shows_only_in_the_body() {
    let client = Client::new();
    client
        .set(json!({"faults": {"error_in_200_percent": 100}}))
        .await;

    let (status, body) = client.get("/fast").await;

    assert_eq!((status, &body["code"]), (StatusCode::OK, &json!("error")));
}

#[tokio::test(start_paused = true)]
async fn latency_is_added_to_every_answer() {
    let client = Client::new();
    client.set(json!({"faults": {"latency_ms": 250}})).await;

    assert_eq!(client.burst(10, "/fast").await, (10, ms(250)));
}

#[tokio::test]
async fn a_body_breaks_after_so_many_whole_ones() {
    for (how, broken) in [
        ("empty", json!({})),
        ("cut", Value::Null),
        ("close", Value::Null),
    ] {
        let client = Client::new();
        client
            .set(json!({"faults": {"break_body": {"after": 2, "how": how}}}))
            .await;
        for _ in 0..2 {
            assert_eq!(client.get("/fast").await.1["code"], "success");
        }
        assert_eq!(client.get("/fast").await, (StatusCode::OK, broken), "{how}");
        client.set(json!({"faults": {"break_body": null}})).await;
        assert_eq!(client.get("/fast").await.1["code"], "success");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stall_holds_every_endpoint_once_and_no_control_path() {
    let client = Client::new();
    client.send("POST", "/stall?ms=2000", Value::Null).await;

    let start = Instant::now();
    assert_eq!(client.get("/settings").await.0, StatusCode::OK);
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(client.burst(5, "/fast").await, (5, ms(2_000)));
    assert_eq!(client.burst(5, "/fast").await, (5, Duration::ZERO));
    let (status, _) = client.send("POST", "/stall?ms=60001", Value::Null).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test(start_paused = true)]
async fn reset_goes_back_to_the_start() {
    let client = Client::new();
    let fresh = client.get("/").await;
    client
        .set(json!({"pool": {"max": 3}, "faults": {"error_percent": 1}}))
        .await;
    client
        .send("POST", "/deers", json!({"userId": 1, "deerId": 1}))
        .await;
    client.send("POST", "/waiting-room/join", Value::Null).await;
    client.send("POST", "/stall?ms=60000", Value::Null).await;

    client.send("POST", "/reset", Value::Null).await;

    assert_eq!(client.get("/").await, fresh);
    assert_eq!(client.burst(100, "/fast").await, (100, Duration::ZERO));
    assert_eq!(
        client.get("/deers?userId=1&deerId=1").await.0,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        client.get("/waiting-room/status?ticket=t-1").await.0,
        StatusCode::NOT_FOUND
    );
    assert!(client.metrics().await.contains("demo_deers 0"));
}

#[tokio::test]
async fn a_refused_change_changes_nothing_and_names_every_mistake() {
    let client = Client::new();
    let change = json!({"pool": {"max": 0, "acquire_timeout_ms": 100}, "cpu": {"threads": 0}});

    let (status, answer) = client.send("PUT", "/settings", change).await;

    assert_eq!(status, StatusCode::BAD_REQUEST);
    insta::assert_snapshot!(answer.to_string(), @r#"{"error":{"code":"bad_settings","message":"nothing was changed: pool.max: 0 is outside 1 to 10000; cpu.threads: 0 is outside 1 to 64","mistakes":[{"place":"pool.max","what":"0 is outside 1 to 10000"},{"place":"cpu.threads","what":"0 is outside 1 to 64"}]}}"#);
    let settings = serde_json::to_value(DemoSettings::default()).unwrap();
    assert_eq!(client.get("/settings").await.1, settings);
}

/// Guards against a page that switches faults on through somebody's browser.
#[tokio::test]
async fn a_page_of_another_site_changes_nothing() {
    let client = Client::new();
    let request = Request::put("/settings")
        .header("host", "127.0.0.1:8080")
        .header("origin", "http://evil.example")
        .body(Body::from(r#"{"pool": {"max": 1}}"#))
        .unwrap();

    let response = client.0.clone().oneshot(request).await.unwrap();

    assert_eq!(response.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn an_unknown_path_points_to_the_list() {
    let (status, answer) = Client::new().get("/nowhere").await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!("no_such_path"))
    );
}
