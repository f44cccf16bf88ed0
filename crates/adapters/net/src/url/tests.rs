use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn target(text: &str) -> String {
    let mut out = String::new();
    url(text).push_target(&mut out);
    out
}

/// Seen: `?q=한글 시험` stood raw in the request line.
#[test]
fn a_typed_query_is_escaped_where_a_request_line_needs_it() {
    let mut out = String::new();
    url("http://h/검색?q=한글 시험&x=a%20b+c[]{}|'\"")
        .with_escaped_query()
        .push_target(&mut out);
    assert_eq!(
        out,
        "/%EA%B2%80%EC%83%89?q=%ED%95%9C%EA%B8%80%20%EC%8B%9C%ED%97%98&x=a%20b+c[]{}|'%22"
    );
}

#[test]
fn a_url_is_shown_as_it_was_written() {
    for text in [
        "http://example.test",
        "http://example.test/",
        "http://Example.test:8080/a/../b?x=1&y=%20#frag",
        "https://user:pass@example.test/",
        "http://[::1]:80/x",
        "http://h/a%2Fb",
        "http://h/?",
        "/relative?x",
        "mailto:someone",
        "*",
    ] {
        assert_eq!(url(text).to_string(), text);
    }
}

/// Found by fuzzing: the zone's sign was escaped once more each time.
#[test]
fn the_zone_of_an_address_is_kept_unescaped_and_shown_as_it_was_written() {
    let url = Url::parse("http://[fe80::1%25eth0]:80/x").unwrap();
    assert_eq!(url.host(), "[fe80::1%eth0]:80");
    assert_eq!(url.host_name(), "fe80::1%eth0");
    assert_eq!(url.to_string(), "http://[fe80::1%25eth0]:80/x");
}

/// Found by fuzzing: the path was written where a host stands, and read as one.
#[test]
fn a_path_that_begins_like_a_host_is_shown_as_a_path() {
    for text in [
        "//://us!r:p@h.",
        "http:////h/x",
        "///x",
        "//:///x",
        "http://://h",
    ] {
        let read = url(text);
        let again = url(&read.to_string());
        assert_eq!(again.host(), read.host(), "{text}");
        assert_eq!(again.path(), read.path(), "{text}");
        assert_eq!(again.to_string(), read.to_string(), "{text}");
    }
    assert_eq!(url("//://us!r:p@h.").to_string(), "//://us!r:p@h.");
}

#[test]
fn only_what_may_not_stand_in_a_path_is_escaped() {
    assert_eq!(
        url("http://h/a b/é?é=a b#ü").to_string(),
        "http://h/a%20b/%C3%A9?é=a b#%C3%BC"
    );
    assert_eq!(target("http://h/a b?c d"), "/a%20b?c d");
    assert_eq!(target("http://h/[x]'(y)"), "/[x]'(y)");
    assert_eq!(target("http://h/a\"b%41"), "/a%22bA");
    assert_eq!(url("not a url").to_string(), "not%20a%20url");
    // Found by fuzzing: what was written could not be read again.
    assert_eq!(url("`a%3Ab/c").to_string(), "./%60a:b/c");
    assert_eq!(url("./%60a:b/c").to_string(), "./%60a:b/c");
}

#[test]
fn targets_begin_with_a_slash() {
    assert_eq!(target("http://h"), "/");
    assert_eq!(target("http://h?x=1"), "/?x=1");
    assert_eq!(target("http://h/?"), "/?");
    assert_eq!(target("http://h/a#b"), "/a");
}

#[test]
fn host_name_and_port_are_told_apart() {
    let parts = |text: &str| {
        let url = url(text);
        (
            url.host().to_owned(),
            url.host_name().to_owned(),
            url.port(),
        )
    };
    let owned = |a: &str, b: &str, port| (a.to_owned(), b.to_owned(), port);
    assert_eq!(parts("http://h/"), owned("h", "h", Some(80)));
    assert_eq!(parts("https://h"), owned("h", "h", Some(443)));
    assert_eq!(parts("http://h:/"), owned("h", "h", Some(80)));
    assert_eq!(parts("http://h:81/"), owned("h:81", "h", Some(81)));
    assert_eq!(
        parts("http://[::1]:81/"),
        owned("[::1]:81", "::1", Some(81))
    );
    assert_eq!(parts("http://[::1]/"), owned("[::1]", "::1", Some(80)));
    assert_eq!(parts("http://h:99999/"), owned("h:99999", "h", None));
    assert_eq!(url("http://h:99999/").port_text(), Some("99999"));
    assert_eq!(parts("ftp://h/"), owned("h", "h", None));
    assert_eq!(parts("http:///x"), owned("", "", Some(80)));
}

#[test]
fn user_info_is_unescaped_and_masked() {
    let with_user = url("http://us%40er:p%3Aw@h/x");
    assert_eq!(
        with_user.user(),
        Some(&UserInfo {
            name: "us@er".to_owned(),
            password: Some("p:w".to_owned())
        })
    );
    assert_eq!(with_user.to_string(), "http://us%40er:p%3Aw@h/x");
    assert_eq!(with_user.masked(), "http://****:****@h/x");
    assert_eq!(with_user.without_user().to_string(), "http://h/x");
    assert_eq!(url("http://h/x").masked(), "http://h/x");
}

#[test]
fn a_password_is_hidden_as_go_hides_it() {
    for (text, shown) in [
        ("http://us:p%3Aw@h/x", "http://us:***@h/x"),
        ("http://us@h/x", "http://us@h/x"),
        ("http://h/x//y", "http://h/x//y"),
    ] {
        assert_eq!(url(text).without_password(), shown);
    }
}

#[test]
fn the_path_is_unescaped_on_demand() {
    assert_eq!(
        url("http://h/a%2Fb/\u{e9} x").unescaped_path(),
        "/a/b/\u{e9} x"
    );
    assert_eq!(url("http://h/ab?%zz").unescaped_path(), "/ab");
}

#[test]
fn mistakes_are_named_as_k6_names_them() {
    for (text, message) in [
        (
            "http://a b/",
            r#"parse "http://a b/": invalid character " " in host name"#,
        ),
        ("http://[::1", r#"parse "http://[::1": missing ']' in host"#),
        ("://x", r#"parse "://x": missing protocol scheme"#),
        (
            "http://h:abc/",
            r#"parse "http://h:abc/": invalid port ":abc" after host"#,
        ),
        (
            "http://h/%zz",
            r#"parse "http://h/%zz": invalid URL escape "%zz""#,
        ),
        (
            "http://h/%",
            r#"parse "http://h/%": invalid URL escape "%""#,
        ),
        (
            "http://h/\x01",
            r#"parse "http://h/\x01": net/url: invalid control character in URL"#,
        ),
        (
            "http://%41/",
            r#"parse "http://%41/": invalid URL escape "%41""#,
        ),
        (
            "http://a@b c@h/",
            r#"parse "http://a@b c@h/": net/url: invalid userinfo"#,
        ),
        ("a:b@c:d/x y", "x"),
        (
            "1:2",
            r#"parse "1:2": first path segment in URL cannot contain colon"#,
        ),
        (
            "http://[1.2.3.4]/",
            r#"parse "http://[1.2.3.4]/": invalid IP-literal"#,
        ),
    ] {
        match Url::parse(text) {
            Err(error) => assert_eq!(error.to_string(), message),
            Ok(url) => assert_eq!((text, url.scheme()), ("a:b@c:d/x y", "a")),
        }
    }
}

/// The examples of RFC 3986, section 5.4.
#[test]
fn references_resolve_as_the_rfc_lists() {
    let base = url("http://a/b/c/d;p?q");
    for (reference, expected) in [
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../..", "http://a/"),
        ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"),
        ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."),
        ("./g/.", "http://a/b/c/g/"),
        ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("https://other/x/../y", "https://other/y"),
        ("ftp://x/y", "ftp://x/y"),
    ] {
        assert_eq!(
            base.join(reference).unwrap().to_string(),
            expected,
            "{reference:?}"
        );
    }
    assert_eq!(
        url("http://u:p@a").join("x").unwrap().to_string(),
        "http://u:p@a/x"
    );
    assert!(base.join("http://[::1").is_err());
}
