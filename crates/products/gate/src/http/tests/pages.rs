use super::Site;
use axum::http::StatusCode;
use serde_json::{Value, json};

/// S6: the page asks nobody else for anything, and the policy says so.
#[tokio::test]
async fn s06_the_page_uses_nothing_of_others_and_allows_nothing_else() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold", "page": { "accent": "#aa3300", "notice": "Doors <b>open</b> at 10" } })).await;
    let page = site
        .public(
            "GET",
            &format!("/w/{queue}"),
            &[("accept-language", "en")],
            Value::Null,
        )
        .await;
    assert_eq!(page.status, StatusCode::OK);
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"));
    assert_eq!(page.header("referrer-policy"), "same-origin");
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(
        !page.text.contains("http://") && !page.text.contains("https://"),
        "{}",
        page.text
    );
    assert!(
        page.text.contains("Doors &lt;b&gt;open&lt;/b&gt; at 10"),
        "{}",
        page.text
    );
    assert!(page.text.contains("--accent: #aa3300"));
    for asset in ["/assets/wait.css", "/assets/wait.js"] {
        let asset = site.public("GET", asset, &[], Value::Null).await;
        assert_eq!(asset.status, StatusCode::OK);
        assert!(!asset.text.contains("//cdn") && !asset.text.contains("https://"));
    }
}

#[tokio::test]
async fn an_owners_title_and_notice_are_said_in_the_pages_language() {
    let site = Site::open().await;
    let texts = json!({ "ko": { "title": "여름 세일", "notice": "10시에 엽니다" }, "en": { "notice": "Opens at 10" } });
    let given = json!({ "mode": "hold", "title": "Summer sale", "page": { "notice": "10:00", "texts": texts } });
    let queue = site.one_queue(given).await;
    let page = async |lang: &str| {
        let headers = [("accept-language", lang)];
        let uri = format!("/w/{queue}");
        site.public("GET", &uri, &headers, Value::Null).await.text
    };
    let korean = page("ko-KR").await;
    assert!(
        korean.contains("<h1>여름 세일</h1>") && korean.contains("10시에 엽니다"),
        "{korean}"
    );
    let english = page("en").await;
    assert!(
        english.contains("<h1>Summer sale</h1>") && english.contains("Opens at 10"),
        "{english}"
    );
    let uri = format!("/v1/queues/{queue}");
    let send = |body: Value| site.with_key(&site.root, "PATCH", &uri, body);
    let shown = send(json!({ "page": { "accent": "#aa3300" } }))
        .await
        .json();
    assert_eq!(shown["page"]["texts"]["ko"]["title"], "여름 세일");
    for bad in [
        json!({ "fr": { "title": "Soldes" } }),
        json!({ "ko": { "title": "" } }),
        json!({ "ko": { "notice": "가".repeat(501) } }),
        json!({ "ko": { "colour": "red" } }),
    ] {
        let refused = send(json!({ "page": { "texts": bad } })).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{bad}");
    }
    send(json!({ "page": { "texts": null } })).await;
    let korean = page("ko-KR").await;
    assert!(
        korean.contains("<h1>Summer sale</h1>") && korean.contains("10:00"),
        "{korean}"
    );
}

#[tokio::test]
async fn the_page_speaks_the_visitors_language_and_works_without_scripts() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let uri = format!("/w/{queue}?rt=https%3A%2F%2Fshop.example%2Fcart");
    let page = site
        .public(
            "GET",
            &uri,
            &[("accept-language", "ko-KR,ko;q=0.9,en;q=0.8")],
            Value::Null,
        )
        .await;
    assert!(
        page.text.contains("<html lang=\"ko\">") && page.text.contains("다음 차례입니다."),
        "{}",
        page.text
    );
    assert!(
        page.text.contains("<noscript><meta http-equiv=\"refresh\""),
        "{}",
        page.text
    );
    let cookie = page.cookie();
    let again = site
        .public(
            "GET",
            &uri,
            &[("cookie", &cookie), ("accept-language", "en")],
            Value::Null,
        )
        .await;
    assert!(
        again.text.contains("You are next."),
        "the same place: {}",
        again.text
    );

    site.with_key(
        &site.root,
        "PUT",
        &format!("/v1/queues/{queue}/mode"),
        json!({ "mode": "auto" }),
    )
    .await;
    let token = cookie.split_once('=').unwrap().1.to_owned();
    site.until(&queue, &token, "ready").await;
    let ready = site
        .public("GET", &uri, &[("cookie", &cookie)], Value::Null)
        .await;
    assert!(
        ready.text.contains("<form id=\"enter\" method=\"post\""),
        "{}",
        ready.text
    );
    let headers = [
        ("cookie", cookie.as_str()),
        ("sec-fetch-site", "same-origin"),
    ];
    let entered = site.public("POST", &uri, &headers, Value::Null).await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER);
    assert!(
        entered
            .header("location")
            .starts_with("https://shop.example/cart?wr="),
        "{}",
        entered.header("location")
    );
}

/// C13: the address that a service hands out is exchanged for a cookie and shows no ticket.
#[tokio::test]
async fn c13_a_ticket_in_the_address_becomes_a_cookie_and_outlives_the_wait() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    let register = format!("/v1/queues/{queue}/waiters");
    let body = json!({ "user_id": "kim", "rt": "https://shop.example/cart" });
    let made = site
        .with_key(&site.root, "POST", &register, body)
        .await
        .json();
    let url = made["waiting_url"]
        .as_str()
        .unwrap()
        .replace("https://wait.example", "");
    let kept = site.public("GET", &url, &[], Value::Null).await;
    assert_eq!(kept.status, StatusCode::SEE_OTHER);
    let clean = format!("/w/{queue}?rt=https%3A%2F%2Fshop.example%2Fcart");
    assert_eq!(kept.header("location"), clean);
    let life = made["expires_at_s"].as_u64().unwrap() - site.gate.now_s();
    assert!(life + 2 >= 24 * 3600, "longer than anybody waits: {life} s");
    let page = site
        .public(
            "GET",
            kept.header("location"),
            &[("cookie", &kept.cookie())],
            Value::Null,
        )
        .await;
    assert_eq!(page.status, StatusCode::OK);
    let forged = site
        .public("GET", &format!("/w/{queue}?t=forged"), &[], Value::Null)
        .await;
    assert_eq!(
        (forged.status, forged.header("set-cookie")),
        (StatusCode::SEE_OTHER, "")
    );
}

#[tokio::test]
async fn a_refusal_is_a_page_too() {
    let site = Site::open().await;
    let queue = site
        .one_queue(json!({ "mode": "hold", "max_waiting": 1 }))
        .await;
    site.join(&queue).await;
    let full = site
        .public("GET", &format!("/w/{queue}?lang=ko"), &[], Value::Null)
        .await;
    assert_eq!(
        (full.status, full.header("retry-after")),
        (StatusCode::TOO_MANY_REQUESTS, "30")
    );
    assert!(full.text.contains("가득 찼습니다"), "{}", full.text);
    let unknown = site
        .public(
            "GET",
            "/w/q_0000000000000000",
            &[("accept-language", "en")],
            Value::Null,
        )
        .await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(unknown.text.contains("There is no such waiting room."));
}

/// On plain http a browser sends no `Sec-Fetch-Site`; its form's `Origin` is the page's own.
#[tokio::test]
async fn a_form_of_the_page_is_taken_under_any_name_the_gate_is_reached_by() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    let cookie = format!("__Host-wr_w_{queue}={token}");
    let post = async |host: &str, origin: &str| {
        let headers = [
            ("cookie", cookie.as_str()),
            ("host", host),
            ("origin", origin),
            ("accept-language", "en"),
        ];
        let uri = format!("/w/{queue}");
        site.public("POST", &uri, &headers, Value::Null).await
    };
    for origin in ["http://evil.example", "null"] {
        let foreign = post("wait.internal:8090", origin).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN);
        assert!(
            foreign.text.contains("from another site"),
            "{}",
            foreign.text
        );
    }
    let own = post("wait.internal:8090", "http://wait.internal:8090").await;
    let to = own.header("location");
    assert!(to.starts_with("https://shop.example/enter?wr="), "{to}");
}

#[tokio::test]
async fn a_turn_is_never_said_to_be_kept_longer_than_it_is() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({"claim_within_s": 90})).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    let cookie = format!("__Host-wr_w_{queue}={token}");
    let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
    let uri = format!("/w/{queue}");
    let page = site.public("GET", &uri, &headers, Value::Null).await.text;
    let (_, left) = page.split_once("Your turn is kept for ").unwrap();
    let seconds: u64 = left.split_once(" s.").unwrap().0.parse().unwrap();
    assert!((80..=90).contains(&seconds), "{seconds}");
}

/// The address of the page that says so is opened by people who did not, too.
#[tokio::test]
async fn nobody_who_holds_a_place_is_told_to_have_given_it_up() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({"mode": "hold"})).await;
    let token = site.join(&queue).await;
    let cookie = format!("__Host-wr_w_{queue}={token}");
    let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
    let uri = format!("/w/{queue}/leave");
    let holder = site.public("GET", &uri, &headers, Value::Null).await;
    assert_eq!(holder.header("location"), format!("/w/{queue}"));
    let other = site.public("GET", &uri, &headers[1..], Value::Null).await;
    assert!(other.text.contains("You have given up"), "{}", other.text);
}

/// Another tab came in already: this one follows. A code that comes with it is for a service
/// whose answer to the first one was lost.
#[tokio::test]
async fn a_second_tab_goes_on_to_the_service() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    let claim = format!("/q/{queue}/claim");
    let claimed = site.as_visitor(&token, "POST", &claim, Value::Null).await;
    let code = claimed.json()["code"].clone();
    let body = json!({ "queue": queue, "code": code });
    let exchanged = site.with_key(&site.root, "POST", "/v1/token/exchange", body);
    assert_eq!(exchanged.await.status, StatusCode::OK);
    let cookie = format!("__Host-wr_w_{queue}={token}");
    let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
    let uri = format!("/w/{queue}?rt=https%3A%2F%2Fshop.example%2Fcart");
    let page = site.public("GET", &uri, &headers, Value::Null).await;
    assert!(page.text.contains("<form id=\"on\""), "{}", page.text);
    let on = site.public("POST", &uri, &headers, Value::Null).await;
    let to = on.header("location");
    assert!(to.starts_with("https://shop.example/cart?wr="), "{to}");
}

#[tokio::test]
async fn what_a_browser_meets_by_mistake_are_pages() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let html = [("accept", "text/html"), ("accept-language", "ko")];
    for (uri, status) in [
        ("/nothing".to_owned(), StatusCode::NOT_FOUND),
        (format!("/w/{queue}?rt=a&rt=b"), StatusCode::BAD_REQUEST),
        (format!("/w/{queue}/leave"), StatusCode::OK),
        (
            format!("/enter/{queue}?to=%2F%2Fevil"),
            StatusCode::BAD_REQUEST,
        ),
        (
            "/enter/q_0000000000000000".to_owned(),
            StatusCode::NOT_FOUND,
        ),
    ] {
        let page = site.public("GET", &uri, &html, Value::Null).await;
        assert_eq!(page.status, status, "{uri}");
        assert!(
            page.text.contains("<html lang=\"ko\">"),
            "{uri}: {}",
            page.text
        );
    }
    let json = site.public("GET", "/nothing", &[], Value::Null).await;
    assert_eq!(json.code(), "not_found");
}

/// Set, shown by its address, served to browsers, kept when what was read is sent back, on record,
/// and gone with `null`.
#[tokio::test]
async fn a_queues_logo_is_above_its_page_in_both_languages() {
    let site = Site::open().await;
    let png = "data:image/png;base64,iVBORw0KGgo=";
    let queue = site
        .one_queue(json!({ "mode": "hold", "page": { "logo": png } }))
        .await;
    let uri = format!("/v1/queues/{queue}");
    let patch = async |body: Value| site.with_key(&site.root, "PATCH", &uri, body).await;
    let shown = patch(json!({})).await.json();
    let address = shown["page"]["logo"].as_str().unwrap().to_owned();
    assert!(
        address.starts_with(&format!("/w/{queue}/logo?v=")),
        "{address}"
    );
    let picture = site.public("GET", &address, &[], Value::Null).await;
    assert_eq!(picture.header("content-type"), "image/png");
    assert_eq!(picture.header("x-content-type-options"), "nosniff");
    for lang in ["en", "ko"] {
        let uri = format!("/w/{queue}?lang={lang}");
        let page = site.public("GET", &uri, &[], Value::Null).await.text;
        assert!(page.contains(&format!("src=\"{address}\"")), "{page}");
    }
    let same = patch(json!({ "page": shown["page"] })).await;
    assert_eq!(same.json()["page"]["logo"], json!(address), "{}", same.text);
    for bad in [
        "https://evil.example/a.png",
        "data:image/svg+xml;base64,PHN2Zz4=",
    ] {
        let refused = patch(json!({ "page": { "logo": bad } })).await;
        assert_eq!(refused.code(), "bad_request", "{bad}");
    }

    let gone = patch(json!({ "page": { "logo": null } })).await;
    assert_eq!(gone.json()["page"]["logo"], Value::Null);
    let picture = site.public("GET", &address, &[], Value::Null).await;
    assert_eq!(picture.code(), "no_logo");
    let audit = site
        .with_key(&site.root, "GET", "/v1/audit", Value::Null)
        .await;
    let last = &audit.json()["audit"][0];
    assert_eq!(last["before"], json!({ "logo": address }));
    assert_eq!(last["after"], json!({ "logo": null }));
}
