//! What secrets look like: values, and places in texts.

use std::sync::LazyLock;

use regex::{Captures, Match, Regex};

use super::names::{REST, WORDS, is_of_another_thing};
use super::pattern::compiled;

/// The mask.
pub const MASK: &str = "(redacted)";

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
#[must_use]
pub fn is_plain(value: &str) -> bool {
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

/// A place in a text that holds a secret whatever its value is.
struct Shape {
    pattern: Regex,
    masked: Masked,
    /// The group of what ends it, kept as it is, which may begin the next one: a line end between two
    /// assignments.
    ending: Option<usize>,
}

/// Compiles the patterns.
pub(super) fn prepare() {
    LazyLock::force(&SHAPES);
}

/// The text with every secret masked that is known by its place or its look.
pub(super) fn masked(mut text: String) -> String {
    for shape in SHAPES.iter() {
        if shape.pattern.is_match(&text) {
            text = shape.masked_in(&text);
        }
    }
    text
}

impl Shape {
    const fn ended_by(mut self, group: usize) -> Self {
        self.ending = Some(group);
        self
    }

    /// The text with what matches masked.
    fn masked_in(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let (mut copied, mut from) = (0_usize, 0);
        while let Some(found) = self.pattern.captures_at(text, from) {
            let all = found.get_match();
            // It begins with what ended the one before, which is written already.
            out.truncate(out.len() - copied.saturating_sub(all.start()));
            out.push_str(text.get(copied..all.start()).unwrap_or_default());
            let of_another = |name: Match<'_>| is_of_another_thing(name.as_str());
            if found.get(1).is_some_and(of_another) {
                out.push_str(all.as_str());
            } else {
                out.push_str(&(self.masked)(&found));
            }
            copied = all.end();
            let ending = self.ending.and_then(|group| found.get(group));
            from = ending.map_or(copied, |ending| ending.start());
        }
        out + &text[copied..]
    }
}

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let keep_first: Masked = |found| format!("{}{MASK}", &found[1]);
    let shape = |pattern: &str, masked| Shape {
        pattern: compiled(pattern),
        masked,
        ending: None,
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
                r#"(?i)([?&;](?:{names}|auth|key|jwt|pass|pw|session|sid|sig)=)([^&\s"'`#<>\\]+)"#
            ),
            |found| {
                if ["true", "false"].contains(&&found[2]) {
                    found[0].to_owned()
                } else {
                    format!("{}{MASK}", &found[1])
                }
            },
        ),
        // A code of authorization; a shorter one is of a product or a country.
        shape(r#"(?i)([?&;]code=)[^&\s"'`#<>\\]{10,}"#, keep_first),
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
                r#"(?i)((?:^|[\s,;(\[])(?:{names}|session|sid)=)[0-9a-z_.~+/%@!$^*-]{{4,}}([\s,;:)\]"'`]|$)"#
            ),
            |found| format!("{}{MASK}{}", &found[1], &found[2]),
        )
        .ended_by(2),
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
                r#"(?i)((?:unexpected |/)?(?-u:\b)(?:{names}|session|sid|jwt|pass|pw)["'`]?\]?\s*([:=,])\s*{quote})[^{quote}\n]+({quote})(\s*:)?"#
            ),
            // A parser's error, "unexpected token: '<'", paths one after the other, and the next key of an object
            // after a value that ends like a name.
            |found| {
                let is_path = found[1].starts_with('/') && &found[2] == ",";
                let is_key = &found[2] == "," && found.get(4).is_some();
                if is_path || is_key || found[1].to_lowercase().starts_with("unexpected ") {
                    return found[0].to_owned();
                }
                let after = found.get(4).map_or("", |colon| colon.as_str());
                format!("{}{MASK}{}{after}", &found[1], &found[3])
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
        &format!(r#"(?im)((?:^|[\s,;(\[{{-])(?:{names}|session|sid|pass|pw)\s*:[ \t]+)([^\s"'`,;()\[\]{{}}|&<>$!*]{{4,}})([\s,;)\]}}]|$)"#),
        |found| if is_word_of_code(&found[2]) { found[0].to_owned() } else { format!("{}{MASK}{}", &found[1], &found[3]) },
    ).ended_by(3));
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
