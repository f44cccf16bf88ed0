use super::Site;
use axum::http::StatusCode;
use serde_json::{Value, json};

/// S1: no key of one tenant sees or changes anything of another, whatever it is called.
#[tokio::test]
async fn s01_a_tenants_key_reaches_nothing_of_another() {
    let site = Site::open().await;
    let (ours, theirs) = (site.tenant("ours").await, site.tenant("theirs").await);
    let queue = site.queue(&ours, "sale", json!({ "mode": "hold" })).await;
    let evil = json!({ "mode": "hold", "redirect_origins": ["https://evil.example"], "redirect_to": "https://evil.example/" });
    let same_name = site.queue(&theirs, "sale", evil).await;
    assert_ne!(queue, same_name);
    let token = site.join(&queue).await;
    let key = site
        .key(&theirs, &["admin", "admit", "force", "register", "read"])
        .await;
    let before = site
        .with_key(
            &site.root,
            "GET",
            &format!("/v1/queues/{queue}"),
            Value::Null,
        )
        .await
        .text;

    for (method, call, body) in [
        ("GET", "", Value::Null),
        (
            "PATCH",
            "",
            json!({ "redirect_origins": ["https://evil.example"] }),
        ),
        ("PUT", "/mode", json!({ "mode": "open" })),
        (
            "PUT",
            "/capacity",
            json!({ "loadline_capacity": 1, "line": { "requests_per_second": 1 } }),
        ),
        ("POST", "/admit", json!({ "count": 1_000_000 })),
        ("POST", "/block", json!({ "user_id": "kim" })),
        ("POST", "/unblock", json!({ "user_id": "kim" })),
        ("POST", "/bypass", json!({ "user_id": "kim" })),
        ("DELETE", "/bypass", json!({ "user_id": "kim" })),
        ("POST", "/waiters", json!({ "user_id": "kim" })),
        ("GET", "/waiters/kim", Value::Null),
        ("POST", "/sessions/complete", json!({ "user_ids": ["kim"] })),
        ("GET", "/stats", Value::Null),
        ("GET", "/audit", Value::Null),
    ] {
        let answer = site
            .with_key(&key, method, &format!("/v1/queues/{queue}{call}"), body)
            .await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::NOT_FOUND, "no_such_queue".to_owned()),
            "{method} {call}"
        );
    }
    no_keys_and_queues_for(&site, &ours, &key).await;
    let seen = site
        .with_key(&key, "GET", "/v1/queues", Value::Null)
        .await
        .text;
    assert!(!seen.contains(&queue) && seen.contains(&same_name));
    let after = site
        .with_key(
            &site.root,
            "GET",
            &format!("/v1/queues/{queue}"),
            Value::Null,
        )
        .await
        .text;
    assert_eq!(before, after);
    assert_eq!(site.until(&queue, &token, "waiting").await["seq"], json!(1));
}

/// No key and no queue is made or seen at a tenant that is not the key's.
async fn no_keys_and_queues_for(site: &Site, ours: &str, key: &str) {
    let keys = format!("/v1/tenants/{ours}/keys");
    for (method, uri, body) in [
        ("GET", keys.as_str(), Value::Null),
        ("POST", keys.as_str(), json!({ "scopes": ["admin"] })),
        (
            "POST",
            "/v1/queues",
            json!({ "tenant": ours, "slug": "x", "redirect_origins": ["https://evil.example"] }),
        ),
    ] {
        assert_eq!(
            site.with_key(key, method, uri, body).await.status,
            StatusCode::NOT_FOUND,
            "{method} {uri}"
        );
    }
}

/// S1: nothing can be made or changed without a key.
#[tokio::test]
async fn s01_nothing_is_made_without_a_key() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let long = "A".repeat(43);
    for key in [
        "",
        "wrk_0000000000000000_AAAA",
        &format!("wrk_0000000000000000_{long}"),
    ] {
        for (method, uri) in [
            ("POST", "/v1/tenants".to_owned()),
            ("POST", "/v1/queues".to_owned()),
            ("PATCH", format!("/v1/queues/{queue}")),
            ("POST", format!("/v1/queues/{queue}/admit")),
            ("POST", format!("/v1/queues/{queue}/waiters")),
            ("POST", "/v1/token/exchange".to_owned()),
            ("GET", format!("/v1/queues/{queue}/stats")),
            ("GET", format!("/v1/queues/{queue}/audit")),
        ] {
            let answer = site
                .with_key(key, method, &uri, json!({ "name": "x" }))
                .await;
            assert_eq!(
                (answer.status, answer.code()),
                (StatusCode::UNAUTHORIZED, "no_key".to_owned()),
                "{method} {uri}"
            );
        }
    }
    let settings = site
        .public("POST", "/v1/tenants", &[], json!({ "name": "x" }))
        .await;
    assert_eq!(
        settings.status,
        StatusCode::NOT_FOUND,
        "settings are on the admin listener only"
    );
}

/// S5: a key that was revoked or whose time is over is refused from the next call on.
#[tokio::test]
async fn s05_a_revoked_key_is_refused_and_scopes_hold() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({ "mode": "hold" })).await;
    let key = site.key(&tenant, &["register"]).await;
    let register = format!("/v1/queues/{queue}/waiters");
    let kim = json!({ "user_id": "kim" });
    assert_eq!(
        site.with_key(&key, "POST", &register, kim.clone())
            .await
            .status,
        StatusCode::CREATED
    );
    for (method, call) in [
        ("POST", "/admit"),
        ("PUT", "/mode"),
        ("GET", "/stats"),
        ("POST", "/block"),
    ] {
        let answer = site
            .with_key(
                &key,
                method,
                &format!("/v1/queues/{queue}{call}"),
                kim.clone(),
            )
            .await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::FORBIDDEN, "scope_missing".to_owned()),
            "{call}"
        );
    }
    let more = site
        .with_key(
            &key,
            "POST",
            &format!("/v1/tenants/{tenant}/keys"),
            json!({ "scopes": ["admin"] }),
        )
        .await;
    assert_eq!(
        more.status,
        StatusCode::FORBIDDEN,
        "nobody gives what he lacks"
    );

    let id = key.split('_').nth(1).unwrap();
    let revoked = site
        .with_key(
            &site.root,
            "DELETE",
            &format!("/v1/keys/k_{id}"),
            Value::Null,
        )
        .await;
    assert_eq!(revoked.status, StatusCode::NO_CONTENT);
    assert_eq!(
        site.with_key(&key, "POST", &register, kim).await.status,
        StatusCode::UNAUTHORIZED
    );
}

/// S8: a user id is nowhere: not in answers, addresses, pages, nor in what the store keeps.
#[tokio::test]
async fn s08_a_user_id_is_kept_and_shown_nowhere() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let kim = "kim.minsu@example.com";
    let register = format!("/v1/queues/{queue}/waiters");
    let made = site
        .with_key(&site.root, "POST", &register, json!({ "user_id": kim }))
        .await;
    site.with_key(
        &site.root,
        "POST",
        &format!("/v1/queues/{queue}/bypass"),
        json!({ "user_id": kim }),
    )
    .await;
    assert!(!made.text.contains("kim"));
    let url = made.json()["waiting_url"]
        .as_str()
        .unwrap()
        .replace("https://wait.example", "");
    let kept = site.public("GET", &url, &[], Value::Null).await;
    let page = site
        .public(
            "GET",
            kept.header("location"),
            &[("cookie", &kept.cookie())],
            Value::Null,
        )
        .await;
    assert!(page.text.contains("<h1>sale</h1>") && !page.text.contains("kim"));
    let audit = site
        .with_key(
            &site.root,
            "GET",
            &format!("/v1/queues/{queue}/audit"),
            Value::Null,
        )
        .await;
    assert!(audit.text.contains("bypass") && !audit.text.contains("kim"));
    {
        let log = super::LOG.lock().unwrap();
        let logged = |part: &str| log.iter().any(|line| line.contains(part));
        assert!(logged(&format!("/v1/queues/{queue}/bypass")) && logged("\"status\":201"));
        assert!(!logged("kim"), "{log:?}");
    }
    for file in files(site.home.as_ref().unwrap().path()) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(
            !bytes.windows(kim.len()).any(|part| part == kim.as_bytes()),
            "{}",
            file.display()
        );
    }
}

fn files(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
