use super::{Answer, Site};
use crate::tokens::admission::shared_secret;
use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// Joins, waits and comes in; the code or token.
pub(super) async fn let_in(site: &Site, queue: &str) -> String {
    let token = site.join(queue).await;
    site.until(queue, &token, "ready").await;
    let claimed = site
        .as_visitor(&token, "POST", &format!("/q/{queue}/claim"), Value::Null)
        .await;
    claimed.json()["code"].as_str().unwrap().to_owned()
}

/// S4: a code is good once, for its queue, and by a service with a key.
#[tokio::test]
async fn s04_a_code_is_good_once() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({})).await;
    let other = site.queue(&tenant, "other", json!({})).await;
    let code = let_in(&site, &queue).await;
    let bearer = format!("Bearer {}", site.root);
    let exchange = async |queue: &str, code: &str| {
        let headers = [("authorization", bearer.as_str())];
        let body = json!({ "queue": queue, "code": code });
        site.public("POST", "/v1/token/exchange", &headers, body)
            .await
    };
    assert_eq!(exchange(&other, &code).await.code(), "code_refused");
    assert_eq!(exchange(&queue, &code[..70]).await.code(), "code_refused");
    let first = exchange(&queue, &code).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.text);
    assert_eq!(first.json()["seq"], json!(1));
    let second = exchange(&queue, &code).await;
    assert_eq!(
        (second.status, second.code()),
        (StatusCode::CONFLICT, "already_used".to_owned())
    );
    let audit = site
        .with_key(
            &site.root,
            "GET",
            &format!("/v1/queues/{queue}/audit"),
            Value::Null,
        )
        .await;
    // Apart from what people did, which anybody with an old link could else push out.
    assert_eq!(audit.json()["replays"][0]["what"], json!("code_replayed"));
    assert_ne!(audit.json()["audit"][0]["what"], json!("code_replayed"));
}

#[tokio::test]
async fn a_jwt_is_checked_with_the_published_keys() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "proof": "jwt_eddsa" })).await;
    let jwt = let_in(&site, &queue).await;
    let parts: Vec<&str> = jwt.split('.').collect();
    let part = |text: &str| -> Value {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap()
    };
    let (header, claims) = (part(parts[0]), part(parts[1]));
    assert_eq!(header["alg"], "EdDSA");
    assert_eq!(
        (&claims["aud"], &claims["iss"]),
        (&json!(queue), &json!("https://wait.example"))
    );
    assert!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap() <= 120);

    let keys = site
        .public("GET", "/.well-known/jwks.json", &[], Value::Null)
        .await
        .json();
    let keys = keys["keys"].as_array().unwrap().clone();
    assert_eq!(keys.len(), 3, "previous, current, next");
    let key = keys.iter().find(|key| key["kid"] == header["kid"]).unwrap();
    let public = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    let signature = URL_SAFE_NO_PAD.decode(parts[2]).unwrap();
    let signed = format!("{}.{}", parts[0], parts[1]);
    let verifier = UnparsedPublicKey::new(&ED25519, public);
    assert!(verifier.verify(signed.as_bytes(), &signature).is_ok());
    assert!(
        verifier
            .verify(signed.replace('A', "B").as_bytes(), &signature)
            .is_err()
    );
}

/// C9: the shared secret is made by the gate, so it can neither be weak nor fail when used.
#[tokio::test]
async fn c09_a_shared_secret_is_made_and_never_chosen() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "proof": "jwt_hs256" })).await;
    let jwt = let_in(&site, &queue).await;
    let shown = site
        .with_key(
            &site.root,
            "GET",
            &format!("/v1/queues/{queue}"),
            Value::Null,
        )
        .await
        .json();
    let secret = shown["hs256_secret"].as_str().unwrap();
    let id = crate::ids::QueueId::parse(&queue).unwrap();
    let expected = shared_secret(&site.gate.options().secret, id, 1);
    assert_eq!(
        secret,
        expected
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    );
    let (signed, signature) = jwt.rsplit_once('.').unwrap();
    let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, &expected);
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    assert!(aws_lc_rs::hmac::verify(&key, signed.as_bytes(), &signature).is_ok());
}

#[tokio::test]
async fn rotation_keeps_tickets_and_sessions_good() {
    let site = Site::open().await;
    let tenant = site.tenant("shop").await;
    let queue = site.queue(&tenant, "sale", json!({ "mode": "hold" })).await;
    let token = site.join(&queue).await;
    let rotated = site
        .with_key(
            &site.root,
            "POST",
            &format!("/v1/tenants/{tenant}/rotate"),
            Value::Null,
        )
        .await;
    assert_eq!(rotated.json()["rotation"], json!(2));
    let me = site
        .as_visitor(&token, "GET", &format!("/q/{queue}/me"), Value::Null)
        .await;
    assert_eq!(me.status, StatusCode::OK);
}

/// Both steps of the way in, as a browser goes: the last answer, and the browser's cookie.
pub(super) async fn through_the_door(site: &Site, path: &str) -> (Answer, String) {
    let first = site.public("GET", path, &[], Value::Null).await;
    assert_eq!(first.status, StatusCode::SEE_OTHER, "{}", first.text);
    let browser = first.cookie();
    let headers = [("cookie", browser.as_str()), ("accept-language", "en")];
    let second = first.header("location").to_owned();
    let answer = site.public("GET", &second, &headers, Value::Null).await;
    (answer, browser)
}

/// A form cannot be sent again after the wait: its visitor goes to the page with the form.
#[tokio::test]
async fn a_post_leads_back_to_the_page_it_came_from_and_a_script_is_not_redirected() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let authz = format!("/authz?queue={queue}&redirect=true");
    let ask = async |referrer: &str, mode: &str| {
        let headers = [
            ("x-original-url", "https://shop.example/order"),
            ("x-original-method", "POST"),
            ("referer", referrer),
            ("sec-fetch-mode", mode),
        ];
        site.public("GET", &authz, &headers, Value::Null).await
    };
    let own = ask("https://shop.example/cart?a=1", "navigate").await;
    assert_eq!(own.status, StatusCode::SEE_OTHER);
    let to = own.header("location").to_owned();
    assert!(to.ends_with("%3Fto%3D%252Fcart%253Fa%253D1"), "{to}");
    let other = ask("https://evil.example/form", "navigate").await;
    let to = other.header("location").to_owned();
    assert!(to.ends_with(&format!("%2Fenter%2F{queue}")), "{to}");
    let script = ask("https://shop.example/cart", "cors").await;
    assert_eq!(script.status, StatusCode::UNAUTHORIZED);
}

/// Without the first step's cookie nothing is used up, however often the link is fetched.
#[tokio::test]
async fn looks_at_a_link_with_a_code_use_nothing_up() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let code = let_in(&site, &queue).await;
    let path = format!("/enter/{queue}?wr={code}");
    let head = site.public("HEAD", &path, &[], Value::Null).await;
    assert_eq!(
        (head.status, head.cookie()),
        (StatusCode::OK, String::new())
    );
    let prefetch = [("sec-purpose", "prefetch")];
    site.public("GET", &path, &prefetch, Value::Null).await;
    let second = format!("{path}&c=1");
    let follower = site.public("GET", &second, &[], Value::Null).await;
    assert_eq!(follower.status, StatusCode::FORBIDDEN, "no cookies");
    let (entered, _) = through_the_door(&site, &path).await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER, "{}", entered.text);
    let page = format!("/w/{queue}");
    let stats = || site.gate.rooms()[0].look(|queue| queue.totals().joined);
    let before = stats();
    for (method, headers) in [("HEAD", &[][..]), ("GET", &prefetch[..])] {
        let look = site.public(method, &page, headers, Value::Null).await;
        assert_eq!(
            (look.status, look.cookie()),
            (StatusCode::OK, String::new())
        );
    }
    assert_eq!(stats(), before);
}

/// The gate's own door takes codes, also where the service itself checks tokens.
#[tokio::test]
async fn the_door_gets_a_code_whatever_the_proof() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "proof": "jwt_eddsa" })).await;
    let token = site.join(&queue).await;
    site.until(&queue, &token, "ready").await;
    let claim = format!("/q/{queue}/claim");
    let body = json!({ "rt": format!("https://shop.example/enter/{queue}?to=%2Fcart") });
    let claimed = site.as_visitor(&token, "POST", &claim, body).await.json();
    assert_eq!(claimed["proof"], "code");
    let path = claimed["redirect"].as_str().unwrap().to_owned();
    let (entered, _) =
        through_the_door(&site, path.trim_start_matches("https://shop.example")).await;
    assert_eq!(entered.header("location"), "/cart", "{}", entered.text);
}

/// A service whose answer was lost asks again with the same key and learns the same.
#[tokio::test]
async fn an_exchange_is_repeated_with_its_key_and_by_nobody_else() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let code = let_in(&site, &queue).await;
    let bearer = format!("Bearer {}", site.root);
    let exchange = async |key: &str| {
        let headers = [("authorization", bearer.as_str()), ("idempotency-key", key)];
        let body = json!({ "queue": queue, "code": code });
        site.public("POST", "/v1/token/exchange", &headers, body)
            .await
    };
    let first = exchange("a").await;
    let second = exchange("a").await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.text);
    assert_eq!(second.json()["wid"], first.json()["wid"]);
    assert_eq!(exchange("b").await.code(), "already_used");
}

/// A proxy asks; who is not inside is sent to the waiting room, who is inside passes.
#[tokio::test]
async fn a_proxy_lets_through_who_is_inside_and_nobody_else() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({})).await;
    let authz = format!("/authz?queue={queue}");
    let asked = [
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "shop.example"),
        ("x-forwarded-uri", "/cart?a=1"),
    ];
    let outside = site.public("GET", &authz, &asked, Value::Null).await;
    assert_eq!(outside.status, StatusCode::UNAUTHORIZED);
    let expected = format!(
        "https://wait.example/w/{queue}?rt=https%3A%2F%2Fshop.example%2Fenter%2F{queue}%3Fto%3D%252Fcart%253Fa%253D1"
    );
    assert_eq!(outside.header("location"), expected);
    let foreign = [("x-original-url", "https://evil.example/")];
    let foreign = site.public("GET", &authz, &foreign, Value::Null).await;
    assert_eq!(
        foreign.header("location"),
        format!("https://wait.example/w/{queue}")
    );

    let code = let_in(&site, &queue).await;
    let path = format!("/enter/{queue}?wr={code}&to=/cart");
    let (enter, browser) = through_the_door(&site, &path).await;
    assert_eq!(
        (enter.status, enter.header("location")),
        (StatusCode::SEE_OTHER, "/cart")
    );
    assert!(
        enter
            .header("set-cookie")
            .contains("; HttpOnly; SameSite=Lax; Secure"),
        "{}",
        enter.header("set-cookie")
    );
    let session = enter.cookie();
    assert!(session.starts_with("__Host-wr_s_"), "{session}");
    let inside = site
        .public("GET", &authz, &[("cookie", &session)], Value::Null)
        .await;
    assert_eq!(inside.status, StatusCode::NO_CONTENT);
    let (replay, other) = through_the_door(&site, &path).await;
    // Another tab of a browser that is inside would go on now.
    let (last, other) = (
        replay.header("location"),
        [("cookie", other.as_str()), ("accept-language", "en")],
    );
    let replay = site.public("GET", last, &other, Value::Null).await;
    assert_eq!(replay.status, StatusCode::CONFLICT, "another browser");
    assert!(replay.text.contains("used already"), "{}", replay.text);
    let own = [("cookie", browser.as_str())];
    let lost = site.public("GET", &path, &own, Value::Null).await;
    assert_eq!(lost.status, StatusCode::SEE_OTHER, "the same browser");
    assert!(
        lost.cookie().starts_with("__Host-wr_s_"),
        "{}",
        lost.cookie()
    );
    let with_session = [("cookie", session.as_str())];
    let again = site.public("GET", &path, &with_session, Value::Null).await;
    assert_eq!(again.header("location"), "/cart", "with a session");
    let away = format!("/enter/{queue}?wr={code}&to=//evil.example");
    let away = site.public("GET", &away, &[], Value::Null).await;
    assert_eq!(away.status, StatusCode::BAD_REQUEST);

    let wid = inside.header("x-wr-wid").to_owned();
    let complete = format!("/v1/queues/{queue}/sessions/complete");
    let done = site
        .with_key(&site.root, "POST", &complete, json!({ "wids": [wid] }))
        .await;
    assert_eq!(done.json(), json!({ "completed": 1 }));
    let over = site
        .public("GET", &authz, &[("cookie", &session)], Value::Null)
        .await;
    assert_eq!(over.status, StatusCode::UNAUTHORIZED);
}

/// C10 at the edge: what a gate signs ends by the store's time, whatever its machine's clock
/// says. Every gate of these tests is told five minutes too much.
#[tokio::test]
async fn c10_what_is_signed_ends_by_the_clock_of_the_store() {
    let site = Site::open().await;
    let queue = site.one_queue(json!({ "proof": "jwt_eddsa" })).await;
    let token = let_in(&site, &queue).await;
    let claims = token.split('.').nth(1).unwrap();
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    let real = super::real_clock()().duration_since(std::time::UNIX_EPOCH);
    let off = claims["iat"]
        .as_u64()
        .unwrap()
        .abs_diff(real.unwrap().as_secs());
    assert!(off <= 2, "{off} s");
}
