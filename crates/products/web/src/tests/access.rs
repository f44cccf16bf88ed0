//! Who gets in, and how far. Routes are drawn from the table that the router is made of.

use axum::http::HeaderMap;

use super::*;
use crate::access::Access;
use crate::routes::{self, PageRoute};

/// A path with names in the place of its parameters.
fn path_of(route: &PageRoute) -> String {
    let names = [
        ("{run}", "latest"),
        ("{study}", "latest"),
        ("{test}", "none"),
        ("{form}", "html"),
    ];
    let path = names
        .iter()
        .fold(route.path.to_owned(), |path, (parameter, name)| {
            path.replace(parameter, name)
        });
    assert!(!path.contains('{'), "name the parameter of {path}");
    path
}

/// Methods and paths of all routes.
pub(super) fn addresses() -> Vec<(String, String)> {
    let all = routes::table();
    let all = all.iter();
    all.map(|route| (route.method.to_string(), path_of(route)))
        .collect()
}

fn cookie(role: AccessRole, port: u16) -> String {
    format!("loadline-{port}={}", tokens().cookie(role, port))
}

fn link(role: AccessRole) -> String {
    tokens().link(role, now_ms(), |bytes| bytes.fill(7))
}

fn now_ms() -> i64 {
    let since = clock()().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

async fn body(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn who_has_no_token_reads_nothing_and_changes_nothing() {
    let table = routes::table();
    assert!(table.len() > 30, "{}", table.len());
    let wrong_bearer = ("authorization", "Bearer 0123456789abcdef0123456789abcdef");
    let of_another_port = cookie(AccessRole::Own, PORT + 1);
    let renamed = of_another_port.replace(&(PORT + 1).to_string(), &PORT.to_string());
    for route in &table {
        let path = path_of(route);
        let method = route.method.as_str();
        for headers in [
            &[][..],
            &[wrong_bearer],
            &[("authorization", "Bearer ")],
            &[("authorization", "Basic b3duOm93bg==")],
            &[("cookie", of_another_port.as_str())],
            &[("cookie", renamed.as_str())],
            &[("cookie", "loadline-8089=")],
        ] {
            let answer = asked_with(method, &path, headers).await;
            if route.access == Access::Open {
                assert_eq!(answer.status(), StatusCode::OK, "{path}");
                continue;
            }
            assert_eq!(
                answer.status(),
                StatusCode::UNAUTHORIZED,
                "{method} {path} {headers:?}"
            );
            assert_eq!(answer.headers()["www-authenticate"], "Bearer");
            assert_eq!(answer.headers()["cache-control"], "no-store");
        }
    }
}

/// What is open is named here, too: it must hold no data.
#[test]
fn only_files_of_the_program_are_open() {
    let table = routes::table();
    let open = table.iter().filter(|route| route.access == Access::Open);
    let open: Vec<&str> = open.map(|route| route.path).collect();
    assert_eq!(open, ["/assets/app.js", "/assets/app.css", "/favicon.svg"]);
}

#[tokio::test]
async fn each_role_does_what_those_before_it_may_and_no_more() {
    let mut needed = BTreeSet::new();
    for route in routes::table() {
        let Access::Needs(wanted) = route.access else {
            continue;
        };
        needed.insert(wanted);
        let path = path_of(&route);
        for role in AccessRole::ALL {
            let by_token = ("authorization", bearer(role));
            let by_cookie = ("cookie", cookie(role, PORT));
            for (name, value) in [by_token, by_cookie] {
                let origin = ("origin", "http://127.0.0.1:8089");
                let headers = [(name, value.as_str()), origin];
                let answer = asked_with(route.method.as_str(), &path, &headers).await;
                let is_refused =
                    [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&answer.status());
                assert_eq!(is_refused, role < wanted, "{role:?} {path} by {name}");
            }
        }
    }
    assert_eq!(needed.len(), AccessRole::ALL.len(), "each role is of use");
}

/// What no route is declared for does not exist, and a stranger is not told so.
#[tokio::test]
async fn what_is_not_in_the_table_does_not_exist() {
    for (method, path) in [
        ("GET", "/api/none"),
        ("GET", "/none"),
        ("PUT", "/api/runs"),
        ("POST", "/"),
        ("OPTIONS", "/api/runs"),
        ("GET", "/api/runs/latest/none"),
    ] {
        let stranger = asked_with(method, path, &[]).await;
        assert_eq!(stranger.status(), StatusCode::UNAUTHORIZED, "{path}");
        let owner = asked(method, path, &[]).await.status();
        let absent = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
        assert!(absent.contains(&owner), "{method} {path}: {owner}");
    }
    let head = asked_with("HEAD", "/api/runs", &[]).await;
    assert_eq!(head.status(), StatusCode::UNAUTHORIZED);
    // A router that something is added to elsewhere would have routes without a role.
    let mut sources = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut sources,
    );
    let added = sources.iter().filter(|path| {
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        let text = std::fs::read_to_string(path).unwrap();
        !is_test
            && [".route(", ".route_service(", ".nest(", ".merge("]
                .iter()
                .any(|call| text.contains(call))
    });
    let added: Vec<_> = added.collect();
    assert_eq!(added.len(), 1, "{added:?}");
    assert!(added[0].ends_with("routes.rs"));
}

/// The address that is printed: it opens once, and leaves no token behind.
#[tokio::test]
async fn a_link_sets_a_cookie_and_goes_away_from_the_address() {
    let folder = tempfile::tempdir().unwrap();
    let router = served(folder.path().join("runs.db"));
    let ask = |path: String, headers: Vec<(&'static str, String)>| {
        let mut request = Request::builder()
            .uri(path)
            .header("host", "127.0.0.1:8089");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        router.clone().oneshot(request.body(Body::empty()).unwrap())
    };
    let token = link(AccessRole::Run);
    let opened = ask(format!("/runs/k3f9?a=1&token={token}&b=2"), Vec::new());
    let opened = opened.await.unwrap();
    assert_eq!(opened.status(), StatusCode::SEE_OTHER);
    assert_eq!(opened.headers()["location"], "/runs/k3f9?a=1&b=2");
    assert_eq!(opened.headers()["referrer-policy"], "no-referrer");
    let set = opened.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        set.ends_with("; Path=/; HttpOnly; SameSite=Strict") && set.starts_with("loadline-8089="),
        "{set}"
    );
    assert!(!set.contains(tokens().token(AccessRole::Run)) && !set.contains(&token));
    let cookie = set.split(';').next().unwrap().to_owned();
    let session = ask(
        "/api/session".to_owned(),
        vec![("cookie", format!("other=1; {cookie}"))],
    );
    assert_eq!(body(session.await.unwrap()).await, r#"{"role":"run"}"#);

    // A second click works, and so does the link of who has the cookie already.
    for headers in [Vec::new(), vec![("cookie", cookie)]] {
        let again = ask(format!("/?token={token}"), headers).await.unwrap();
        assert_eq!(again.status(), StatusCode::SEE_OTHER);
        assert_eq!(again.headers()["location"], "/");
    }
    // One who may do more stays who he is.
    let own = vec![("cookie", super::access::cookie(AccessRole::Own, PORT))];
    let kept = ask(format!("/?token={token}"), own.clone()).await.unwrap();
    assert_eq!(
        kept.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .split(';')
            .next(),
        own[0].1.as_str().into()
    );
}

#[tokio::test]
async fn a_link_that_is_wrong_old_or_no_link_opens_nothing() {
    let hours_ago = |hours: i64| now_ms() - hours * 3_600_000;
    let made = |ms: i64| tokens().link(AccessRole::Own, ms, |bytes| bytes.fill(7));
    let good = made(hours_ago(LINK_HOURS_MAX - 1));
    let other_role = good.replace("own.", "read.");
    let (start, _) = good.rsplit_once('.').unwrap();
    for (token, status) in [
        (good.clone(), StatusCode::SEE_OTHER),
        (
            made(hours_ago(LINK_HOURS_MAX + 1)),
            StatusCode::UNAUTHORIZED,
        ),
        (other_role, StatusCode::UNAUTHORIZED),
        (
            format!("{start}.00000000000000000000000000000000"),
            StatusCode::UNAUTHORIZED,
        ),
        (format!("{good}.1"), StatusCode::UNAUTHORIZED),
        (
            tokens().token(AccessRole::Own).to_owned(),
            StatusCode::UNAUTHORIZED,
        ),
        (String::new(), StatusCode::UNAUTHORIZED),
    ] {
        let answer = asked_with("GET", &format!("/?token={token}"), &[]).await;
        assert_eq!(answer.status(), status, "{token}");
    }
    // A program's address holds no token.
    let api = asked_with("GET", &format!("/api/runs?token={good}"), &[]).await;
    assert_eq!(api.status(), StatusCode::UNAUTHORIZED);
    // Nor does a link lead anywhere else.
    for path in ["//evil.example/x", "/\\evil.example/x", "///evil.example/x"] {
        let answer = asked_with("GET", &format!("{path}?token={good}"), &[]).await;
        assert_eq!(answer.headers()["location"], "/evil.example/x", "{path}");
    }
}

/// It is printed once, and logs, histories and lists of processes keep what was printed.
#[test]
fn a_link_opens_once_and_a_minute_longer() {
    let opened = crate::access::links::OpenedLinks::default();
    let of = |number: u8| {
        let random: [fn(&mut [u8]); 2] = [|bytes| bytes.fill(1), |bytes| bytes.fill(2)];
        let token = tokens().link(AccessRole::Read, 0, random[usize::from(number)]);
        tokens().role_of_link(&token, 0).unwrap()
    };
    assert!(opened.admits(&of(0), 1_000) && opened.admits(&of(0), 61_000));
    assert!(!opened.admits(&of(0), 61_001), "it was opened a minute ago");
    assert!(opened.admits(&of(1), 61_001), "another one");
}

/// A browser leaves a strict cookie out when a page of another site sent it here, in redirects too.
#[tokio::test]
async fn a_link_in_a_page_of_another_site_opens_by_way_of_a_page_of_ours() {
    let other_site = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
    ];
    let path = format!("/compare?before=a&token={}&after=b", link(AccessRole::Read));
    let answer = asked_with("GET", &path, &other_site).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.headers().contains_key("set-cookie"));
    let page = body(answer).await;
    assert!(
        page.contains(r#"content="0;url=/compare?before=a&amp;after=b""#),
        "{page}"
    );
    let again = r#"<meta http-equiv="refresh" content="0">"#;
    let answer = asked_with("GET", "/runs/k3f9", &other_site).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert!(body(answer).await.contains(again));
    let own_site = asked_with("GET", "/runs/k3f9", &[("sec-fetch-site", "same-origin")]).await;
    assert!(!body(own_site).await.contains(again), "no loop");
}

#[tokio::test]
async fn who_has_no_link_is_told_where_it_is_in_both_languages() {
    let answer = asked_with("GET", "/runs/k3f9", &[]).await;
    assert_eq!(answer.headers()["content-type"], "text/html; charset=utf-8");
    let page = body(answer).await;
    for said in [
        "lang=\"en\"",
        "lang=\"ko\"",
        "Open this page with its link",
        "링크로 열어야",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let command = "loadline access --address http://127.0.0.1:8089";
    assert_eq!(page.matches(command).count(), 2, "{page}");
    let answer = asked_with("GET", "/api/runs", &[]).await;
    let text = body(answer).await;
    assert!(
        text.contains("\"token_needed\"") && text.contains("loadline access --token"),
        "{text}"
    );
}

/// Pages of other ports are of the same site, so a browser sends the cookie along with what they post.
#[tokio::test]
async fn a_cookie_changes_nothing_for_pages_of_others() {
    let cookie = cookie(AccessRole::Own, PORT);
    let cookie = ("cookie", cookie.as_str());
    for (method, path) in changes() {
        let silent = asked_with(&method, &path, &[cookie]).await;
        assert_eq!(silent.status(), StatusCode::FORBIDDEN, "{path}");
        let other = ("origin", "http://127.0.0.1:9999");
        let other = asked_with(&method, &path, &[cookie, other]).await;
        assert_eq!(other.status(), StatusCode::FORBIDDEN, "{path}");
        let own = ("origin", "http://127.0.0.1:8089");
        let own = asked_with(&method, &path, &[cookie, own]).await;
        assert_ne!(own.status(), StatusCode::FORBIDDEN, "{path}");
    }
    let read = asked_with("GET", "/api/runs", &[cookie]).await;
    assert_eq!(
        read.headers()["cross-origin-resource-policy"],
        "same-origin"
    );
    let foreign = |headers: &HeaderMap| headers.contains_key("access-control-allow-origin");
    assert!(!foreign(read.headers()), "no other page reads it");
}

/// TLS adds what plain HTTP cannot have, and tokens that cannot be read let nobody in.
#[tokio::test]
async fn a_cookie_is_secure_where_the_server_is_and_no_tokens_are_no_way_in() {
    let settings = |known: bool| WebSettings {
        store: PathBuf::from("none.db"),
        tokens: Box::new(move || known.then(tokens)),
        wall_clock: clock(),
        local_time: |ms| ms.to_string(),
        starter: None,
        hosts: AllowedHosts::local(),
    };
    let at = ServedAt {
        origin: "https://127.0.0.1:8443".to_owned(),
        port: 8443,
        is_encrypted: true,
    };
    let ask = |known: bool| {
        let path = format!("/?token={}", link(AccessRole::Own));
        let request = Request::builder()
            .uri(path)
            .header("host", "127.0.0.1:8443");
        let request = request.body(Body::empty()).unwrap();
        router(settings(known), at.clone()).oneshot(request)
    };
    let opened = ask(true).await.unwrap();
    let set = opened.headers()["set-cookie"].to_str().unwrap();
    assert!(
        set.starts_with("loadline-8443=") && set.ends_with("; Secure"),
        "{set}"
    );
    let none = ask(false).await.unwrap();
    assert_eq!(none.status(), StatusCode::UNAUTHORIZED);
}
