use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use loadline_text::Lang;
use sha2::{Digest as _, Sha256};
use tower::ServiceExt as _;

use super::*;

#[expect(
    clippy::disallowed_methods,
    reason = "tests hand it over as programs do"
)]
fn clock() -> fn() -> SystemTime {
    SystemTime::now
}

mod access;
mod stored;

/// The port that the server listens on, as its cookies are named.
const PORT: u16 = 8089;

fn tokens() -> AccessTokens {
    AccessTokens::new(b"secret", Path::new("runs.db"))
}

fn bearer(role: AccessRole) -> String {
    format!("Bearer {}", tokens().token(role))
}

fn served(store: PathBuf) -> Router {
    let settings = WebSettings {
        store,
        tokens: Box::new(|| Some(tokens())),
        wall_clock: clock(),
        local_time: |ms| ms.to_string(),
        starter: None,
        hosts: AllowedHosts::local(),
    };
    let at = ServedAt {
        origin: format!("http://127.0.0.1:{PORT}"),
        port: PORT,
        is_encrypted: false,
    };
    router(settings, at)
}

/// Asks with the owner's token.
async fn asked(method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
    let own = bearer(AccessRole::Own);
    let all = [headers, &[("authorization", own.as_str())]].concat();
    asked_with(method, path, &all).await
}

/// Asks with these headers and no others.
async fn asked_with(method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
    let folder = tempfile::tempdir().unwrap();
    let mut request = Request::builder().method(method).uri(path);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "127.0.0.1:8089");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = Body::from("{}");
    let request = request
        .header("content-type", "application/json")
        .body(body);
    served(folder.path().join("runs.db"))
        .oneshot(request.unwrap())
        .await
        .unwrap()
}

/// Methods and paths that change something, with names in the place of parameters.
fn changes() -> Vec<(String, String)> {
    let all = access::addresses().into_iter();
    all.filter(|(method, _)| method != "GET").collect()
}

/// A page of another site may know the address, and a form needs no permission to post.
#[tokio::test]
async fn other_origins_and_other_hosts_change_nothing_even_with_the_token() {
    for (method, path) in changes() {
        for other in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("origin", "http://127.0.0.1:9999"),
            ("sec-fetch-site", "cross-site"),
            ("host", "evil.example:8089"),
        ] {
            let answer = asked(&method, &path, &[other]).await;
            assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path} {other:?}");
        }
    }
    let read = asked("GET", "/api/runs", &[("host", "evil.example:8089")]).await;
    assert_eq!(
        read.status(),
        StatusCode::FORBIDDEN,
        "a rebound name reads nothing"
    );
}

#[tokio::test]
async fn pages_forbid_inline_scripts_and_other_places() {
    for path in [
        "/",
        "/runs/k3f9",
        "/assets/app.js",
        "/api/runs",
        "/api/none",
    ] {
        let answer = asked("GET", path, &[]).await;
        let policy = answer.headers()["content-security-policy"]
            .to_str()
            .unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
        assert!(!policy.contains("unsafe"), "{policy}");
    }
    let page = include_str!("../pages/index.html");
    assert!(!page.contains("<script>") && !page.contains("onload") && !page.contains("style="));
    let files = [page, include_str!("../pages/assets/app.css")].concat();
    assert!(!files.contains("http://") && !files.contains("https://"));
}

#[tokio::test]
async fn a_store_that_is_not_there_has_no_runs() {
    let answer = asked("GET", "/api/runs?lang=ko", &[]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    assert_eq!(body, r#"{"runs":[]}"#);
    let answer = asked("GET", "/api/runs/k3f9", &[]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_plan_is_computed_or_its_inputs_are_named() {
    let answer = asked(
        "GET",
        "/api/plan?dau=50000&requests-per-user=20&peak-factor=3&lang=ko",
        &[],
    )
    .await;
    assert_eq!(answer.status(), StatusCode::OK);
    let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(
        (plan["kind"].as_str(), plan["lang"].as_str()),
        (Some("plan"), Some("ko"))
    );
    let answer = asked("GET", "/api/plan?dau=many", &[]).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    assert!(String::from_utf8_lossy(&body).contains("many"));
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../web")
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into)
        } else {
            into.push(path)
        }
    }
}

/// The built pages are kept beside their source; this tells when only one of them was changed.
#[test]
fn the_pages_are_built_from_the_source_at_hand() {
    let mut all = Vec::new();
    for folder in ["public", "src"] {
        let mut found = Vec::new();
        files(&source().join(folder), &mut found);
        found.sort();
        all.extend(found);
    }
    let first = [
        "index.html",
        "package-lock.json",
        "svelte.config.js",
        "vite.config.js",
    ];
    let first = first.map(|name| source().join(name));
    let mut digest = Sha256::new();
    for path in first.iter().chain(&all) {
        let name = path.strip_prefix(source()).unwrap();
        digest.update(format!("{}\n", name.display()));
        digest.update(std::fs::read(path).unwrap());
    }
    let bytes = digest.finalize();
    let found: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let built = include_str!("../pages/sources.sha256").trim();
    assert_eq!(built, found, "web/ was changed: make web");
}

/// Every text is used by the source, and the source uses no other.
#[test]
fn the_pages_say_what_the_catalogue_has() {
    let mut all = Vec::new();
    files(&source().join("src"), &mut all);
    let mut used = BTreeSet::new();
    for path in all {
        let text = std::fs::read_to_string(path).unwrap();
        for part in text.split("t('").skip(1) {
            let before = text.find(part).unwrap() - 3;
            let is_call = !text[..before].ends_with(|c: char| c.is_ascii_alphanumeric());
            if is_call {
                used.insert(part.split('\'').next().unwrap().to_owned());
            }
        }
    }
    // Names of the inputs of a plan are put together.
    let known: BTreeSet<String> = texts::TEXTS
        .iter()
        .map(|(key, _)| (*key).to_owned())
        .collect();
    let is_input = |key: &str| key.starts_with("plan_") && key != "plan_incomplete";
    let unknown: Vec<_> = used.difference(&known).collect();
    assert!(unknown.is_empty(), "no such text: {unknown:?}");
    let unused = known
        .difference(&used)
        .filter(|key| !is_input(key) && *key != "plan_incomplete");
    let unused: Vec<_> = unused.collect();
    assert!(unused.is_empty(), "no page says {unused:?}");
}

#[test]
fn no_page_text_is_left_in_english() {
    let korean = loadline_text::Catalog::new(Lang::Ko);
    let same = texts::TEXTS.iter().filter(|(_, message)| {
        !korean
            .text(&message())
            .chars()
            .any(|c| ('가'..='힣').contains(&c))
    });
    let same: Vec<&str> = same.map(|(key, _)| *key).collect();
    assert_eq!(same, ["url"]);
}
