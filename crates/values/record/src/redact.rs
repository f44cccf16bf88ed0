//! Masks secrets in everything that is stored or written about a run.
//!
//! Two rules work together. *Known* values (variables whose name or look says so) are masked
//! where they are a whole word, long ones wherever they are, unless they are plainly no secret:
//! numbers, times, switches, addresses without credentials. *Shapes* are masked whatever their
//! value: credentials in URLs and headers, cookies, query parameters and assignments whose
//! name says so, private keys, tokens that look like it.
//!
//! The rules have a version, which stands in each stored blob's header.

use std::fmt;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The mask.
pub const MASK: &str = "(redacted)";
/// Shorter values are not masked: the mask would hit half of any text.
const SHORTEST: usize = 4;
/// From so many bytes on a value is masked within words, too: it is not there by chance.
const LONG: usize = 12;

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
    pub const VERSION: u8 = 3;

    /// Masks these values too, except those that are clearly no secret.
    #[must_use]
    pub fn knowing<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known: Vec<String> = values
            .into_iter()
            .filter(|value| value.len() >= SHORTEST && !is_plain(value))
            .flat_map(|value| [value.to_owned(), percent_encoded(value)])
            .collect();
        known.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        known.dedup();
        Self { known }
    }

    /// Compiles the patterns, so that the first text does not have to wait for it.
    pub fn prepare() {
        LazyLock::force(&SHAPES);
    }

    /// The text with every secret masked.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut text = self.values(text);
        for shape in SHAPES.iter() {
            if shape.pattern.is_match(&text) {
                text = shape
                    .pattern
                    .replace_all(&text, |found: &Captures<'_>| (shape.masked)(found))
                    .into_owned();
            }
        }
        text
    }

    /// A tag's value, masked as a whole if its name says so.
    #[must_use]
    pub fn tag(&self, name: &str, value: &str) -> String {
        if is_secret_name(name) {
            return MASK.to_owned();
        }
        self.text(value)
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

/// Text with a known value masked: a short one only where it is a whole word.
fn without(text: &str, value: &str) -> String {
    if value.len() >= LONG {
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

/// Whether a name suggests a secret.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    SECRET_NAME.is_match(name)
}

/// Whether a value looks like a secret, whatever it is called: long, of letters and digits
/// mixed, without spaces.
#[must_use]
pub fn looks_secret(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.bytes().any(|b| test(&b));
    let is_word = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"_-.~%+/=".contains(&b));
    value.len() >= 20
        && is_word
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !value.contains("://")
        && value.matches('/').count() < 2
}

/// Whether a value is clearly no secret: a number, a time, a switch, an address without
/// credentials or query.
fn is_plain(value: &str) -> bool {
    static PLAIN: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"(?x)^(
                [+-]?[0-9]{0,9}(\.[0-9]+)?%?
              | (?i:true|false|yes|no|null|none|auto|default)
              | ([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h|d))+
              | [0-9]+(/[0-9]+)?(:[0-9]+(/[0-9]+)?)?(/(s|m|h))?
              | [a-z][a-z0-9+.-]*://[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?(/[a-z0-9/._-]*)?
              | (localhost|[a-z0-9-]+(\.[a-z0-9-]+)+):[0-9]{1,5}
              | localhost | [0-9]{1,3}(\.[0-9]{1,3}){3}
            )$",
        )
    });
    PLAIN.is_match(value)
}

/// How a match is masked.
type Masked = fn(&Captures<'_>) -> String;

struct Shape {
    pattern: Regex,
    masked: Masked,
}

/// Words in the names of secrets, as a part of a regular expression.
const WORDS: &str = "(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|credential|authorization|cookie|session[_.-]?id|signature)";

/// What else a name may hold: every letter, in any script. Not `\w`, whose tables cost
/// each start of the program some 20 ms.
const REST: &str = r"(?-i:[0-9A-Za-z_.\-\u{80}-\u{10FFFF}])*";

static SECRET_NAME: LazyLock<Regex> = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:{REST}{WORDS}{REST}|x-auth{REST}|{REST}[_.-]pass|auth|key|pass|pw|jwt|session|sid|sig)$"
    ))
});

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let keep_first: Masked = |found| format!("{}{MASK}", &found[1]);
    let shape = |pattern: &str, masked| Shape {
        pattern: compiled(pattern),
        masked,
    };
    let names = format!("{REST}{WORDS}{REST}");
    let mut shapes = vec![
        // scheme://user:password@host
        shape(
            r#"(?i)(?-u:\b)([a-z][a-z0-9+.-]*://)[^/\s"'`@?#]*@"#,
            |found| format!("{}{MASK}@", &found[1]),
        ),
        // ?token=..., &api_key=...
        shape(
            &format!(
                r#"(?i)([?&;](?:{names}|auth|key|code|jwt|pass|pw|session|sid|sig)=)[^&\s"'`#<>\\]+"#
            ),
            keep_first,
        ),
        // Any query parameter that looks like a token.
        shape(r#"([?&][^=&\s"'`]+=)([^&\s"'`#<>\\]{20,})"#, |found| {
            if looks_secret(&found[2]) {
                format!("{}{MASK}", &found[1])
            } else {
                found[0].to_owned()
            }
        }),
        // Private keys in PEM.
        shape(
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z0-9 ]*PRIVATE KEY-----",
            |_| MASK.to_owned(),
        ),
        // Keys of services that give them a prefix of their own.
        shape(
            r"(?-u:\b)(?:(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{8,}|gh[opsru]_[0-9A-Za-z]{20,}|glpat-[0-9A-Za-z_-]{16,}|xox[abeprs]-[0-9A-Za-z-]{10,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,})",
            |_| MASK.to_owned(),
        ),
        // token=abc in notes, tags and command lines; not token=login() in code.
        shape(
            &format!(
                r#"(?i)((?:^|[\s,;(\[])(?:{names}|session|sid)=)[0-9a-z_.~+/%@!$^*-]{{4,}}([\s,;)\]"'`]|$)"#
            ),
            |found| format!("{}{MASK}{}", &found[1], &found[2]),
        ),
        // JSON web tokens, and what follows the name of a scheme.
        shape(
            r"eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]*)?",
            |_| MASK.to_owned(),
        ),
        shape(
            r"(?i)(?-u:\b)((?:bearer|basic|digest|negotiate)\s+)[0-9a-z_.~+/=-]{4,}",
            keep_first,
        ),
    ];
    // name: "value", name = 'value', "name", "value" - in code, JSON and command lines.
    for quote in ['"', '\'', '`'] {
        shapes.push(shape(
            &format!(
                r#"(?i)((?:unexpected )?(?-u:\b)(?:{names}|session|sid|jwt)["'`]?\]?\s*[:=,]\s*{quote})[^{quote}\n]+({quote})"#
            ),
            // A parser's error, "unexpected token: '<'".
            |found| {
                if found[1].to_lowercase().starts_with("unexpected ") {
                    return found[0].to_owned();
                }
                format!("{}{MASK}{}", &found[1], &found[2])
            },
        ));
    }
    // tokens: ['a', 'b'] in code and JSON: each text of the list.
    shapes.push(shape(
        &format!(r#"(?i)((?-u:\b){names}["'`]?\s*[:=]\s*)(\[[^\[\]]*\])"#),
        |found| format!("{}{}", &found[1], without_texts(&found[2])),
    ));
    // The same in YAML, a line for each.
    shapes.push(shape(
        &format!(r"(?i)((?-u:\b){names}:[ \t]*\n)((?:[ \t]*-[ \t]+[^\n]*(?:\n|$))+)"),
        |found| format!("{}{}", &found[1], without_texts(&found[2])),
    ));
    // Authorization: value, Cookie: a=b; c=d - as headers are written.
    shapes.push(shape(
        r#"(?i)((?-u:\b)(?:[0-9a-z_-]*authorization|(?:set-)?cookie|x-api-key|x-auth[0-9a-z_-]*)\s*[:=]\s*)[^\s"'`$({][^\r\n"'`{}]*"#,
        keep_first,
    ));
    // password: hunter2 in notes and YAML; not token: string in code.
    shapes.push(shape(
        &format!(r#"(?im)((?:^|[\s,;(\[{{-])(?:{names}|session|sid)\s*:[ \t]+)([^\s"'`,;()\[\]{{}}|&<>$!*]{{4,}})([\s,;)\]}}]|$)"#),
        |found| match is_word_of_code(&found[2]) {
            true => found[0].to_owned(),
            false => format!("{}{MASK}{}", &found[1], &found[3]),
        },
    ));
    shapes
});

/// A list with its items masked: texts, and in YAML what is no name either.
fn without_texts(list: &str) -> String {
    static ITEMS: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r#""(?:[^"\\\n]|\\.)+"|'(?:[^'\\\n]|\\.)+'|`(?:[^`\\]|\\.)+`|[^\s,\[\]"'`(){}-][^\s,\[\]"'`(){}]{3,}"#,
        )
    });
    let masked = ITEMS.replace_all(list, |found: &Captures<'_>| {
        let item = &found[0];
        match item.chars().next().filter(|c| ['"', '\'', '`'].contains(c)) {
            Some(quote) => format!("{quote}{MASK}{quote}"),
            None if is_word_of_code(item) => item.to_owned(),
            None => MASK.to_owned(),
        }
    });
    masked.into_owned()
}

/// What may stand after `token:` in code or prose and is none: a type, a name, a word. A word of
/// letters alone counts as one unless it is as long as a password people call strong.
fn is_word_of_code(value: &str) -> bool {
    let is_name = value
        .bytes()
        .all(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'.');
    let is_type = |text: &str| {
        let types = [
            "string",
            "number",
            "boolean",
            "undefined",
            "unknown",
            "object",
        ];
        types.contains(&text)
    };
    is_type(value)
        || (is_name && (value.len() < 10 || value.contains('.')))
        || !value.is_ascii()
        || is_plain(value)
}

#[expect(clippy::expect_used, reason = "constants, covered by every test below")]
fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant")
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
            "params.headers.Authorization = `Bearer ${token}`"
                .split('=')
                .next()
                .unwrap_or(""),
        ] {
            assert_eq!(redactor.text(text), text);
        }
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

    #[test]
    fn masking_twice_changes_nothing_more() {
        let redactor = Redactor::knowing(["abcd-secret"]);
        let once = redactor.text("http://u:p@h/?token=abcd-secret Authorization: Bearer xyz1");
        assert_eq!(redactor.text(&once), once);
    }
}
