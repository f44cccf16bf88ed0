use super::*;

/// A check named "got session" is no secret, nor what is told of it.
#[test]
fn a_document_is_masked_text_by_text() {
    let redactor = Redactor::knowing(["hunter2 & more"]);
    let plain = r#"{"checks": {"got session": {"name": "got session", "path": "::has a token",
        "id": "313d0d2cdf27b7807c928718b5469f2c", "passes": 1.50}, "token": {"name": "token", "fails": 0}}}"#;
    assert_eq!(redactor.document(plain), plain);
    assert_eq!(
        redactor.document(r#"{"token": "abc", "tokens" : ["a", "b"], "c": ["d"], "e": "f"}"#),
        r#"{"token": "(redacted)", "tokens" : ["(redacted)", "(redacted)"], "c": ["d"], "e": "f"}"#
    );
    assert_eq!(
        redactor.document(r#"{"\"a\"": "GET /?token=abcdef", "b": "it is \"hunter2 & more\"", "c"#),
        r#"{"\"a\"": "GET /?token=(redacted)", "b": "it is \"(redacted)\"", "c"#
    );
}

#[test]
fn known_values_are_masked_wherever_they_stand_plain_ones_are_not() {
    let redactor = Redactor::knowing([
        "hunter2 & more",
        "http://127.0.0.1:8080",
        "100",
        "30s",
        "1/4:1/2",
    ]);
    assert_eq!(
        redactor.text("GET http://127.0.0.1:8080/a?q=hunter2%20%26%20more 100 30s"),
        "GET http://127.0.0.1:8080/a?q=(redacted) 100 30s"
    );
    assert_eq!(redactor.text("it is hunter2 & more!"), "it is (redacted)!");
}

#[test]
fn shapes_of_secrets_are_masked_in_urls_headers_and_code() {
    let cases = [
        ("http://ann:s3cret@host/x", "http://(redacted)@host/x"),
        (
            "/a?b=1&access_token=abc&c=2",
            "/a?b=1&access_token=(redacted)&c=2",
        ),
        ("/a?key=abc#x", "/a?key=(redacted)#x"),
        ("/a?q=0123456789abcdefghij", "/a?q=(redacted)"),
        ("Authorization: Bearer abc.def", "Authorization: (redacted)"),
        ("Cookie: sid=1; theme=dark", "Cookie: (redacted)"),
        (
            "headers: { 'Authorization': 'Basic YTpi', 'X-Api-Key': \"k\" }",
            "headers: { 'Authorization': '(redacted)', 'X-Api-Key': \"(redacted)\" }",
        ),
        (
            "jar.set(url, 'session_id', 'abcd'); const PASSWORD = `p w`;",
            "jar.set(url, 'session_id', '(redacted)'); const PASSWORD = `(redacted)`;",
        ),
        (
            "auth eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig end",
            "auth (redacted) end",
        ),
        (
            "-H 'Authorization: Token abc'",
            "-H 'Authorization: (redacted)'",
        ),
    ];
    let redactor = Redactor::default();
    for (text, masked) in cases {
        assert_eq!(redactor.text(text), masked);
    }
}

/// The line end, or the blank, that ended one secret was missing where the next one began: of two
/// lines of a file of variables the second stayed.
#[test]
fn secrets_that_follow_each_other_are_all_masked() {
    let redactor = Redactor::default();
    for separator in ["\n", " ", ","] {
        let text = [
            "token.ttl=5000",
            "DB_PASSWORD=hunter22",
            "API_TOKEN=abcd1234",
            "a_secret=efgh",
            "x=1",
        ];
        let masked = [
            "token.ttl=5000",
            "DB_PASSWORD=(redacted)",
            "API_TOKEN=(redacted)",
            "a_secret=(redacted)",
            "x=1",
        ];
        assert_eq!(redactor.text(&text.join(separator)), masked.join(separator));
    }
    let yaml = "password: hunter22, token: abcd1234, secret: efgh5678";
    let masked = "password: (redacted), token: (redacted), secret: (redacted)";
    assert_eq!(redactor.text(yaml), masked);
}

#[test]
fn names_of_secrets_may_be_in_any_script() {
    let redactor = Redactor::default();
    assert_eq!(
        redactor.text("내_token값 = 'abc'"),
        "내_token값 = '(redacted)'"
    );
    assert_eq!(redactor.text("/a?회원token=abc"), "/a?회원token=(redacted)");
    assert!(is_secret_name("회원_password") && is_secret_name("X-Auth-Key"));
    assert!(!is_secret_name("회원") && !is_secret_name("passed"));
}

#[test]
fn what_is_no_secret_stays() {
    let redactor = Redactor::default();
    for text in [
        "http://127.0.0.1:8080/contents/1/places?page=2&size=20",
        "import http from 'k6/http'; export const options = { vus: 10 };",
        "check(res, { 'status is 200': (r) => r.status === 200 });",
        "const token = login();",
        "SyntaxError: unexpected token: '<'",
        "['/fast/token-ring', '/fast/sessions/list', '/passwords-page', '/x?page=2']",
        "params.headers.Authorization = `Bearer ${token}`"
            .split('=')
            .next()
            .unwrap_or(""),
    ] {
        assert_eq!(redactor.text(text), text);
    }
}

#[test]
fn the_key_after_a_value_that_ends_like_a_name_stays() {
    let checks = r#"{"name": "redirected to cookies", "path": "::a", "id": "74d1"}"#;
    assert_eq!(Redactor::default().text(checks), checks);
    let lines = "\"name\": \"has a token\",\n    \"path\" : \"::has a token\"";
    assert_eq!(Redactor::default().text(lines), lines);
    let code = r#"set("token", "abcdefgh"); x = {"token": "abcdefgh", "path": 1}"#;
    let masked = r#"set("token", "(redacted)"); x = {"token": "(redacted)", "path": 1}"#;
    assert_eq!(Redactor::default().text(code), masked);
}

#[test]
fn values_under_a_secrets_name_are_masked_in_json() {
    let redactor = Redactor::knowing(["topsecret"]);
    let masked = redactor.json(serde_json::json!({
        "tlsAuth": [{ "password": "x1", "cert": "topsecret" }], "vus": 3,
        "tokens": ["a"],
    }));
    let expected = serde_json::json!({
        "tlsAuth": [{ "password": "(redacted)", "cert": "(redacted)" }], "vus": 3,
        "tokens": ["(redacted)"],
    });
    assert_eq!(masked, expected);
}

#[test]
fn a_short_value_is_masked_as_a_word_and_not_within_paths_and_names() {
    let redactor = Redactor::knowing(["prod", "longer-secret-1"]);
    assert_eq!(
        redactor.text("GET /products reproduced prod/x in prod."),
        "GET /products reproduced (redacted)/x in (redacted)."
    );
    assert_eq!(redactor.text("xlonger-secret-1y"), "x(redacted)y");
}

#[test]
fn keys_in_pem_keys_of_services_and_plain_assignments_are_masked() {
    let redactor = Redactor::default();
    for (text, masked) in [
        (
            "a -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- b",
            "a (redacted) b",
        ),
        ("key sk_live_51Habcdefgh", "key (redacted)"),
        ("token=abc-123 prod", "token=(redacted) prod"),
        ("--tag session=abcd", "--tag session=(redacted)"),
        ("token=login()", "token=login()"),
        (
            "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
        ),
    ] {
        assert_eq!(redactor.text(text), masked);
    }
}

#[test]
fn lists_tags_and_values_without_quotes_are_masked_under_a_secrets_name() {
    let redactor = Redactor::default();
    for (text, masked) in [
        (
            "{ tokens: ['one', \"two\"], pages: ['three'] }",
            "{ tokens: ['(redacted)', \"(redacted)\"], pages: ['three'] }",
        ),
        (
            "\"secrets\":[\"a\",\"b\"]",
            "\"secrets\":[\"(redacted)\",\"(redacted)\"]",
        ),
        (
            "tokens: [one1, two2], pages: [three3]",
            "tokens: [(redacted), (redacted)], pages: [three3]",
        ),
        ("tokens: [first, second]", "tokens: [first, second]"),
        (
            "tokens:\n  - one1\n  - two2\nx:\n  - y12345",
            "tokens:\n  - (redacted)\n  - (redacted)\nx:\n  - y12345",
        ),
        ("password: hunter2", "password: (redacted)"),
        (
            "the token: ab12, and more",
            "the token: (redacted), and more",
        ),
        (
            "    - password: correcthorse\n",
            "    - password: (redacted)\n",
        ),
        (
            "{ user: ann, password: s3cret }",
            "{ user: ann, password: (redacted) }",
        ),
        (
            "tags: { session: 'abcd' }",
            "tags: { session: '(redacted)' }",
        ),
        (
            "(token: string, password: string)",
            "(token: string, password: string)",
        ),
        (
            "{ token: token, secret: conf.secret }",
            "{ token: token, secret: conf.secret }",
        ),
        ("tokens: 1234 used", "tokens: 1234 used"),
        ("비밀번호 password: 바꿨음", "비밀번호 password: 바꿨음"),
        (
            "max_connections: 100, pool: 20",
            "max_connections: 100, pool: 20",
        ),
    ] {
        assert_eq!(redactor.text(text), masked);
    }
    assert_eq!(redactor.tag("token", "abc"), MASK);
    assert_eq!(redactor.tag("url", "/a?key=1"), "/a?key=(redacted)");
}

/// Seen: `?max_tokens=100`, `?code=KR` and `session.cookie.max-age=30m` were masked.
#[test]
fn what_only_measures_or_describes_a_secret_is_none() {
    let redactor = Redactor::default();
    for text in [
        "/v1/chat?max_tokens=100&code=KR",
        "session.cookie.max-age=30m token-bucket.rate=100 token.ttl=3600",
        "{ passwordMinLength: 12345, token_type: 'bearer', cookieName: \"sid\" }",
        "password.strength: 10000",
        "/a?has_token=false&sort_key=price",
    ] {
        assert_eq!(redactor.text(text), text);
    }
    assert_eq!(redactor.tag("token.ttl", "3600"), "3600");
    let settings = serde_json::json!({ "session.cookie.max-age": "30m", "max_tokens": "100" });
    assert_eq!(redactor.json(settings.clone()), settings);
    for (text, masked) in [
        ("/a?code=4%2F0AX4XfWh", "/a?code=(redacted)"),
        (
            "{ user: ann, pass: s3cret }",
            "{ user: ann, pass: (redacted) }",
        ),
        ("pass: 'a b'", "pass: '(redacted)'"),
        (
            "errors.no luck with token=abcd: 2",
            "errors.no luck with token=(redacted): 2",
        ),
    ] {
        assert_eq!(redactor.text(text), masked);
    }
}

#[test]
fn a_commands_secrets_are_masked_by_the_options_they_are_given_to() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let command = words(
        "java -Xmx96m -Dspring.datasource.password=a1 -jar app.jar --db-password=b2 --api-token c3 --port 80 --url=postgres://u:d4@h/x --keyfile k",
    );
    let masked = words(
        "java -Xmx96m -Dspring.datasource.password=(redacted) -jar app.jar --db-password=(redacted) --api-token (redacted) --port 80 --url=postgres://(redacted)@h/x --keyfile k",
    );
    assert_eq!(Redactor::default().command(&command), masked);
}

#[test]
fn masking_twice_changes_nothing_more() {
    let redactor = Redactor::knowing(["abcd-secret"]);
    let once = redactor.text("http://u:p@h/?token=abcd-secret Authorization: Bearer xyz1");
    assert_eq!(redactor.text(&once), once);
}
