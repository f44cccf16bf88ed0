//! Masks secrets in everything that is stored or written about a run.
//!
//! Two rules work together. *Known* values (variables whose name or look says so) are masked
//! where they are a whole word, long ones wherever they are, unless they are plainly no secret:
//! numbers, times, switches, addresses without credentials. *Shapes* are masked whatever their
//! value: credentials in URLs and headers, cookies, query parameters and assignments whose
//! name says so, private keys, tokens that look like it.
//!
//! The rules have a version, which stands in each stored blob's header.

mod names;
mod pattern;
mod shapes;

use std::fmt;

pub use names::is_secret_name;
use shapes::is_plain;
pub use shapes::{MASK, looks_secret};

/// Shorter values are not masked: the mask would hit half of any text.
const SECRET_BYTES_MIN: usize = 4;
/// From so many bytes on a value is masked within words, too: it is not there by chance.
const LONG_SECRET_BYTES_MIN: usize = 12;

/// Masks secrets.
#[derive(Clone, Default)]
pub struct Redactor {
    /// The longest first, so that a value that is part of another does not mask only that part.
    known: Vec<String>,
}

impl fmt::Debug for Redactor {
    /// How many values it knows; the values are not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} values)", self.known.len())
    }
}

impl Redactor {
    /// The version of the rules.
    pub const RULES_VERSION: u8 = 4;

    /// Masks these values too, except those that are clearly no secret.
    #[must_use]
    pub fn knowing<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known: Vec<String> = values
            .into_iter()
            .filter(|value| value.len() >= SECRET_BYTES_MIN && !is_plain(value))
            .flat_map(|value| [value.to_owned(), percent_encoded(value)])
            .collect();
        known.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        known.dedup();
        Self { known }
    }

    /// Compiles the patterns, so that the first text does not have to wait for it.
    pub fn prepare() {
        shapes::prepare();
    }

    /// The text with every secret masked.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        shapes::masked(self.values(text))
    }

    /// A document in JSON with secrets masked in each of its texts, and in whole texts and lists under
    /// a secret's name; all else stays as it is written. Objects under such a name are not hidden: it
    /// may be that of a check.
    #[must_use]
    pub fn document(&self, json: &str) -> String {
        let mut masked = String::with_capacity(json.len());
        let (mut rest, mut key, mut is_hidden) = (json, "", false);
        while let Some(begins) = rest.find('"') {
            let (before, literal) = rest.split_at(begins);
            let (literal, after) = literal.split_at(literal_length(literal));
            let mut between = before.chars().filter(|c| !c.is_whitespace());
            is_hidden = match (between.next(), between.next(), between.next()) {
                (Some(':'), None | Some('['), None) => is_secret_name(key.trim_matches('"')),
                (Some(','), None, None) => is_hidden && !after.trim_start().starts_with(':'),
                _ => false,
            };
            masked.push_str(before);
            if is_hidden {
                masked.push_str(&format!("\"{MASK}\""));
            } else {
                masked.push_str(&self.literal(literal));
            }
            (rest, key) = (after, literal);
        }
        masked + rest
    }

    fn literal(&self, literal: &str) -> String {
        let Ok(text) = serde_json::from_str::<String>(literal) else {
            return self.text(literal);
        };
        let masked = self.text(&text);
        if masked == text {
            return literal.to_owned();
        }
        serde_json::Value::String(masked).to_string()
    }

    /// A tag's value, masked as a whole if its name says so.
    #[must_use]
    pub fn tag(&self, name: &str, value: &str) -> String {
        if is_secret_name(name) {
            return MASK.to_owned();
        }
        self.text(value)
    }

    /// A command's words with secrets masked: by their shape, and by the name of the option or the
    /// property that they are given to (`--db-password=x`, `--token x`, `-Dapi.key=x`).
    #[must_use]
    pub fn command(&self, words: &[String]) -> Vec<String> {
        let mut masked = Vec::with_capacity(words.len());
        let mut is_value = false;
        for word in words {
            if is_value && !word.starts_with('-') {
                masked.push(MASK.to_owned());
                is_value = false;
                continue;
            }
            let (name, value) = word
                .split_once('=')
                .map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            let is_secret = is_secret_name(name.trim_start_matches('-'));
            is_value = is_secret && value.is_none() && name.starts_with('-');
            masked.push(match value {
                Some(_) if is_secret => format!("{name}={MASK}"),
                _ => self.text(word),
            });
        }
        masked
    }

    /// The text with known values masked, whatever else stands in it.
    #[must_use]
    pub fn values(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.known {
            if text.contains(value.as_str()) {
                text = without(&text, value);
            }
        }
        text
    }

    /// The value with every secret in it masked: strings by their shape, and whatever
    /// stands under a key that says so.
    #[must_use]
    pub fn json(&self, value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.json(item)).collect(),
            Value::Object(fields) => {
                let masked = fields.into_iter().map(|(key, value)| {
                    let value = if is_secret_name(&key) {
                        hidden(value)
                    } else {
                        self.json(value)
                    };
                    (self.text(&key), value)
                });
                Value::Object(masked.collect())
            }
            other => other,
        }
    }
}

/// How long the text is that begins with a quote, in bytes; all that is there where it does not end.
fn literal_length(json: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return at + 1,
            _ => is_escaped = byte == b'\\' && !is_escaped,
        }
    }
    json.len()
}

/// Text with a known value masked: a short one only where it is a whole word.
fn without(text: &str, value: &str) -> String {
    if value.len() >= LONG_SECRET_BYTES_MIN {
        return text.replace(value, MASK);
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut masked = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(value) {
        let (before, after) = (&rest[..place], &rest[place + value.len()..]);
        let previous = before
            .chars()
            .next_back()
            .or_else(|| masked.chars().next_back());
        let joins = |beside: Option<char>, own: Option<char>| {
            beside.is_some_and(is_word) && own.is_some_and(is_word)
        };
        let is_part = joins(previous, value.chars().next())
            || joins(after.chars().next(), value.chars().next_back());
        masked.push_str(before);
        masked.push_str(if is_part { value } else { MASK });
        rest = after;
    }
    masked + rest
}

/// A value under a secret's name: texts are masked, in lists and objects, too.
fn hidden(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::String(_) => Value::String(MASK.to_owned()),
        Value::Array(items) => items.into_iter().map(hidden).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| (key, hidden(value)));
            Value::Object(fields.collect())
        }
        other => other,
    }
}

/// As it would stand in a URL.
fn percent_encoded(value: &str) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
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
            redactor
                .document(r#"{"\"a\"": "GET /?token=abcdef", "b": "it is \"hunter2 & more\"", "c"#),
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
}
