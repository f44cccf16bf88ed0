//! Which names are those of secrets.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern::compiled;

/// Words in the names of secrets, as a part of a regular expression.
pub(super) const WORDS: &str = "(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|credential|authorization|cookie|session[_.-]?id|signature)";

/// What else a name may hold: every letter, in any script. Not `\w`, whose tables cost
/// each start of the program some 20 ms.
pub(super) const REST: &str = r"(?-i:[0-9A-Za-z_.\-\u{80}-\u{10FFFF}])*";

/// The last words of names that measure or describe a secret, and are none themselves.
const DESCRIBING: [&str; 40] = [
    "age",
    "alg",
    "algorithm",
    "bytes",
    "count",
    "days",
    "domain",
    "enabled",
    "expiration",
    "expires",
    "expiry",
    "file",
    "format",
    "header",
    "hours",
    "interval",
    "length",
    "lifetime",
    "limit",
    "max",
    "millis",
    "min",
    "minutes",
    "ms",
    "name",
    "path",
    "policy",
    "prefix",
    "rate",
    "required",
    "retries",
    "seconds",
    "secs",
    "size",
    "strength",
    "timeout",
    "ttl",
    "type",
    "version",
    "window",
];

/// Words that make any name that of a number.
const MEASURING: [&str; 4] = ["max", "min", "num", "total"];

static SECRET_NAME: LazyLock<Regex> = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:{REST}{WORDS}{REST}|x-auth{REST}|{REST}[_.-]pass|auth|key|pass|pw|jwt|session|sid|sig)$"
    ))
});

/// Whether a name suggests a secret.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    SECRET_NAME.is_match(name) && !is_of_another_thing(name)
}

/// Whether what stands before a value ends with a name such as `token.ttl` or `max_tokens`.
pub(super) fn is_of_another_thing(before: &str) -> bool {
    let of_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let name = before.trim_end_matches(|c| !of_name(c));
    let start = name.rfind(|c| !of_name(c)).map_or(0, |at| {
        at + name[at..].chars().next().map_or(0, char::len_utf8)
    });
    let words = words(&name[start..]);
    let is_describing = |word: &String| DESCRIBING.contains(&word.as_str());
    let is_measuring = |word: &String| MEASURING.contains(&word.as_str());
    words.len() > 1 && (words.last().is_some_and(is_describing) || words.iter().any(is_measuring))
}

/// The words of a name in small letters: `tokenTtl` and `token.ttl` are two.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let is_border = "_.-".contains(c) || (c.is_ascii_uppercase() && was_small);
        if is_border {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric() {
            words
                .iter_mut()
                .last()
                .into_iter()
                .for_each(|word| word.push(c.to_ascii_lowercase()));
        }
        was_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_describes_a_secret_is_not_that_of_one() {
        for name in [
            "token.ttl",
            "max_tokens",
            "tokenTtl",
            "PASSWORD_MIN_LENGTH",
            "cookie-name",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
        for name in [
            "token",
            "API_KEY",
            "db.password",
            "session",
            "clientSecret",
            "회원token",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
    }
}
