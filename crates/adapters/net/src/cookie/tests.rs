use super::*;
use proptest::prelude::*;

const NOW: UnixMillis = UnixMillis(1_700_000_000_000);

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn parse(line: &str) -> Option<SetCookie> {
    SetCookie::parse(line.as_bytes())
}

/// A jar in which `at` set `lines`.
fn jar(at: &str, lines: &[&str]) -> CookieJar {
    let mut jar = CookieJar::new();
    set(&mut jar, at, lines);
    jar
}

fn set(jar: &mut CookieJar, at: &str, lines: &[&str]) {
    let cookies = lines.iter().map(|line| parse(line).unwrap());
    jar.set(&url(at), cookies, NOW);
}

/// `name=value` of each cookie for `at`.
fn sent_at(jar: &mut CookieJar, at: &str, now: UnixMillis) -> String {
    let cookies = jar.cookies_for(&url(at), now);
    let pairs: Vec<_> = cookies
        .iter()
        .map(|cookie| format!("{}={}", cookie.name, cookie.value))
        .collect();
    pairs.join(" ")
}

fn sent(jar: &mut CookieJar, at: &str) -> String {
    sent_at(jar, at, NOW)
}

#[test]
fn every_attribute_is_read() {
    let cookie = parse(
        "id=\"a b\"; Path=/x; domain=.Example.test; MAX-AGE=60; HttpOnly; secure; \
         Expires=Wed, 21 Oct 2099 07:28:00 GMT; SameSite=Lax; Unknown=1; ;",
    );
    assert_eq!(
        cookie,
        Some(SetCookie {
            name: "id".to_owned(),
            value: "a b".to_owned(),
            quoted: true,
            domain: ".Example.test".to_owned(),
            path: "/x".to_owned(),
            http_only: true,
            secure: true,
            max_age: 60,
            expires: Some(4_096_250_880),
        })
    );
}

/// What k6 makes of the same lines.
#[test]
fn odd_lines_are_read_as_in_k6() {
    for line in ["", "=7", "g", "m=\"x", "a b=1", "n=\u{e9}", "n=a\\b", "é=1"] {
        assert_eq!(parse(line), None, "{line}");
    }
    assert_eq!(parse(" i = j "), Some(SetCookie::new("i", " j")));
    assert_eq!(parse("c=x,y=z"), Some(SetCookie::new("c", "x,y=z")));
    for dropped in [
        "Expires=bogus",
        "max-age=010",
        "Max-Age=x",
        "Path=\u{e9}",
        "Path =/x",
    ] {
        let cookie = parse(&format!("n=1; {dropped}"));
        assert_eq!(cookie, Some(SetCookie::new("n", "1")), "{dropped}");
    }
    assert_eq!(parse("n=1; Max-Age=0").unwrap().max_age, -1);
    assert_eq!(parse("n=1; Max-Age=-5").unwrap().max_age, -1);
    let dashed = parse("n=1; expires=Wed, 21-Oct-2099 7:28:00 UTC");
    assert_eq!(dashed.unwrap().expires, Some(4_096_250_880));
}

#[test]
fn expires_is_shown_as_k6_shows_it() {
    let shown = |expires| {
        let cookie = SetCookie {
            expires,
            ..SetCookie::new("n", "v")
        };
        cookie.expires_as_k6_shows()
    };
    assert_eq!(shown(Some(4_096_250_880)), 4_096_250_880_000);
    assert_eq!(shown(None), -6_795_364_578_871);
    assert_eq!(shown(Some(253_370_764_800)), -4_883_652_231_933);
}

#[test]
fn a_cookie_without_a_domain_is_for_its_host_alone() {
    let mut jar = jar("http://a.example.test:81/", &["n=1"]);
    assert_eq!(sent(&mut jar, "https://A.Example.test.:82/x"), "n=1");
    assert_eq!(sent(&mut jar, "http://b.a.example.test/"), "");
    assert_eq!(sent(&mut jar, "http://example.test/"), "");
    assert_eq!(sent(&mut jar, "ftp://a.example.test/"), "");
}

#[test]
fn a_cookie_with_a_domain_is_for_all_hosts_below() {
    let mut jar = jar("http://a.example.test/", &["n=1; Domain=.EXAMPLE.test"]);
    for host in ["example.test", "b.example.test", "x.a.example.test"] {
        assert_eq!(sent(&mut jar, &format!("http://{host}/")), "n=1");
    }
    assert_eq!(sent(&mut jar, "http://anexample.test/"), "");
}

#[test]
fn a_host_may_not_set_cookies_for_others() {
    let refused = [
        "n=1; Domain=other.test",
        "n=1; Domain=b.example.test",
        "n=1; Domain=.",
        "n=1; Domain=..test",
        "n=1; Domain=example.test.",
    ];
    assert!(jar("http://a.example.test/", &refused).is_empty());
    assert!(jar("ftp://h/", &["n=1"]).is_empty());
    let mut jar = jar(
        "http://127.0.0.1/",
        &["n=1; Domain=127.0.0.1", "m=1; Domain=0.0.1"],
    );
    assert_eq!(sent(&mut jar, "http://127.0.0.1/"), "n=1");
}

#[test]
fn paths_limit_where_a_cookie_goes() {
    let mut jar = jar(
        "http://h/a/b/c",
        &[
            "own=1",
            "up=2; Path=/a",
            "root=3; Path=/",
            "rel=4; Path=x",
            "slash=5; Path=/a/",
        ],
    );
    assert_eq!(
        sent(&mut jar, "http://h/a/b"),
        "own=1 rel=4 slash=5 up=2 root=3"
    );
    assert_eq!(sent(&mut jar, "http://h/a/bc"), "slash=5 up=2 root=3");
    assert_eq!(sent(&mut jar, "http://h/a"), "up=2 root=3");
    assert_eq!(sent(&mut jar, "http://h"), "root=3");
    assert_eq!(
        sent(&mut jar, "http://h/%61/b/x"),
        "own=1 rel=4 slash=5 up=2 root=3"
    );
}

#[test]
fn equal_paths_keep_the_order_of_creation_also_after_a_change() {
    let mut jar = jar("http://h/", &["a=1", "b=2", "c=3"]);
    set(&mut jar, "http://h/", &["a=new", "b=; Max-Age=0"]);
    set(&mut jar, "http://h/", &["b=again"]);
    assert_eq!(sent(&mut jar, "http://h/"), "a=new c=3 b=again");
}

#[test]
fn secure_cookies_stay_within_https_and_loopback() {
    let mut remote = jar("https://h.test/", &["n=1; Secure"]);
    assert_eq!(sent(&mut remote, "http://h.test/"), "");
    assert_eq!(sent(&mut remote, "https://h.test/"), "n=1");
    for host in ["localhost", "x.localhost", "127.0.0.1", "[::1]"] {
        let at = format!("http://{host}/");
        assert_eq!(sent(&mut jar(&at, &["n=1; Secure"]), &at), "n=1");
    }
}

#[test]
fn cookies_end_when_their_time_has_come() {
    let later = |seconds: i64| UnixMillis(NOW.0 + seconds * 1000);
    let mut jar = jar(
        "http://h/",
        &[
            "session=1",
            "minute=2; Max-Age=60",
            "dated=3; Expires=Tue, 14 Nov 2023 22:13:50 GMT",
            "both=5; Max-Age=100; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "past=6; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "ever=7; Max-Age=9223372036854775807",
        ],
    );
    let at = "http://h/";
    assert_eq!(
        sent(&mut jar, at),
        "session=1 minute=2 dated=3 both=5 ever=7"
    );
    assert_eq!(
        sent_at(&mut jar, at, later(30)),
        "session=1 minute=2 both=5 ever=7"
    );
    assert_eq!(sent_at(&mut jar, at, later(60)), "session=1 both=5 ever=7");
    assert_eq!(sent_at(&mut jar, at, NOW), "session=1 both=5 ever=7");
}

/// As k6 does: only what was set for the URL's very host and folder.
#[test]
fn clear_and_delete_reach_the_urls_own_host_and_folder() {
    let mut jar = jar(
        "http://a.h.test/x/y",
        &[
            "own=1",
            "other=2",
            "root=3; Path=/",
            "wide=4; Domain=h.test",
        ],
    );
    let at = "http://a.h.test/x/z";
    jar.delete(&url(at), "own");
    assert_eq!(sent(&mut jar, at), "other=2 wide=4 root=3");
    jar.delete(&url("http://a.h.test/"), "other");
    assert_eq!(sent(&mut jar, at), "other=2 wide=4 root=3");
    jar.clear(&url(at), NOW);
    assert_eq!(sent(&mut jar, at), "wide=4 root=3");
    jar.clear(&url("http://a.h.test/"), NOW);
    assert_eq!(sent(&mut jar, at), "wide=4");
    jar.reset();
    assert!(jar.is_empty());
}

fn given(name: &str, value: &str, replace: bool) -> RequestCookie {
    RequestCookie {
        name: name.to_owned(),
        value: value.to_owned(),
        replace,
    }
}

/// The line k6 sends for the same cookies.
#[test]
fn given_cookies_go_before_those_of_the_jar() {
    let mut jar = jar("http://h/", &["p1=1", "p2=2", "b=\"q v\"", "c=x,y"]);
    let given = [
        given("p1", "R", true),
        given("p2", "dup", false),
        given("we ird", "a b;c\"d\\e", false),
        given("x\r\n", "\u{fc}", false),
    ];
    let mut request = Request::new("GET", url("http://h/"));
    request.add_field("Cookie", "h=1");

    add_cookies(&mut request, &given, &mut jar, NOW);

    assert_eq!(
        request.field("Cookie"),
        Some("h=1; p1=R; p2=dup; we ird=\"a bcde\"; x--=; p2=2; b=\"q v\"; c=\"x,y\"")
    );
}

#[test]
fn a_request_without_cookies_is_left_alone() {
    let mut request = Request::new("GET", url("http://h/"));
    add_cookies(&mut request, &[], &mut CookieJar::new(), NOW);
    let mut other = jar("http://other/", &["n=1"]);
    add_cookies(&mut request, &[], &mut other, NOW);
    assert_eq!(request.fields(), []);
}

proptest! {
    #[test]
    fn no_line_breaks_the_parser(line: Vec<u8>, attributes in "[a-zA-Z=; ,0-9-]{0,60}") {
        let _ = SetCookie::parse(&line);
        let _ = SetCookie::parse(format!("n=v; {attributes}").as_bytes());
    }

    #[test]
    fn a_pair_that_is_sent_can_be_read_back(value in "[ -~]{0,20}") {
        let mut line = String::new();
        push_pair(&mut line, "n", &value, false);
        let cleaned: String = value.chars().filter(|c| !"\";\\".contains(*c)).collect();
        let read = parse(&line).unwrap();
        prop_assert_eq!(read.value, cleaned);
    }
}
