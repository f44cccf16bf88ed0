//! Which parts of a path are identifiers: one rule for what a run asked for, what an access log
//! shows and what a target tells of its routes.

use std::borrow::Cow;

/// What a part of a path is, by its looks alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathPart {
    /// A word, the name of a file, a version such as `v1`.
    Name,
    /// It names one of many things.
    Identifier,
    /// Numbers with points, such as `3.0.1`: of an interface where it is the only one in its
    /// place, else of one of many things.
    Version,
}

/// Characters of a hexadecimal identifier, at least.
const HEX_CHARS_MIN: usize = 8;
/// A mix of letters and at least [`MIXED_DIGITS_MIN`] digits is an identifier from so many characters on.
const MIXED_CHARS_MIN: usize = 16;
const MIXED_DIGITS_MIN: usize = 2;
/// Letters of both cases and digits that change as often as chance has it are one from so many on, ...
const TOKEN_CHARS_MIN: usize = 10;
/// ... and without a digit, as one in sixty of 22 characters is, from so many.
const TOKEN_LETTERS_MIN: usize = 18;
/// Of the places between two characters, the share at which a token changes between lower case, upper case and digits: of base64
/// nearly two thirds do, of words in camel case (`getOrdersByCustomer`) a third.
const TOKEN_CHANGES_MIN: f64 = 0.45;
/// ... of short ones more: `iPhone15Pro` changes at half of its places.
const SHORT_TOKEN_CHANGES_MIN: f64 = 0.51;
/// Digits after a word, as in `order-20260001`; fewer may count pages (`page-2`) or years.
const NUMBER_OF_WORD_MIN: usize = 5;
/// Nothing that people name is longer.
const NAME_CHARS_MAX: usize = 64;
/// `v1`, `v12`, `v2024`; longer ones are identifiers that happen to begin so.
const VERSION_DIGITS_MAX: usize = 4;

impl PathPart {
    /// What a part between two `/` is; `%40` and the like count as what they stand for.
    #[must_use]
    pub fn new(part: &[u8]) -> Self {
        // The usual cases first: a number, a word.
        if !part.is_empty() && part.iter().all(u8::is_ascii_digit) {
            return Self::Identifier;
        }
        let is_word = |b: &u8| b.is_ascii_lowercase() || *b == b'-' || *b == b'_';
        if part.len() <= TOKEN_LETTERS_MIN && part.iter().all(is_word) {
            return Self::Name;
        }
        let decoded = decoded(part, |_| true);
        let text = String::from_utf8_lossy(&decoded);
        if is_version(&text) {
            return Self::Version;
        }
        if is_identifier(&text) {
            Self::Identifier
        } else {
            Self::Name
        }
    }
}

/// The part as people write it: letters beyond ASCII that clients escape are one name with those
/// that are not. What has a meaning of its own in addresses (`%2F`, `%20`) stays.
#[must_use]
pub fn readable_part(part: &[u8]) -> Cow<'_, str> {
    let decoded = match decoded(part, |byte| !byte.is_ascii()) {
        Cow::Owned(bytes) if std::str::from_utf8(&bytes).is_err() => Cow::Borrowed(part),
        decoded => decoded,
    };
    match decoded {
        Cow::Borrowed(part) => String::from_utf8_lossy(part),
        Cow::Owned(part) => Cow::Owned(String::from_utf8_lossy(&part).into_owned()),
    }
}

/// With the escaped bytes that are wanted as they are.
fn decoded(part: &[u8], is_wanted: impl Fn(u8) -> bool) -> Cow<'_, [u8]> {
    if !part.contains(&b'%') {
        return Cow::Borrowed(part);
    }
    let digit = |at: usize| char::from(*part.get(at)?).to_digit(16);
    let mut out = Vec::with_capacity(part.len());
    let mut at = 0;
    while at < part.len() {
        let escaped = digit(at + 1).zip(digit(at + 2));
        let byte = escaped.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        match byte.filter(|byte| part[at] == b'%' && is_wanted(*byte)) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(part[at]);
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}

/// Numbers with points that may be a version: of several points, or `1.2` and `2.0`. A larger one
/// with one point is a measure or a price.
fn is_version(text: &str) -> bool {
    let mut numbers = text.split('.');
    let is_dotted = numbers.all(|one| !one.is_empty() && one.bytes().all(|b| b.is_ascii_digit()));
    let points = text.matches('.').count();
    is_dotted && (points > 1 || (points == 1 && text.find('.') == Some(1)))
}

fn is_identifier(text: &str) -> bool {
    let chars = text.chars().count();
    if chars > NAME_CHARS_MAX || is_mail(text) {
        return true;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 {
        return chars >= TOKEN_LETTERS_MIN && is_token(text);
    }
    if is_named_version(text) {
        return false;
    }
    is_code(text, digits)
        || is_measure(text)
        || (chars >= TOKEN_CHARS_MIN && is_token(text))
        || is_code_after_word(text)
}

/// A number, hexadecimal digits, a long mix of letters and digits: `4711`, `2026-11-29`,
/// `A-1234567`, a UUID, a ULID.
fn is_code(text: &str, digits: usize) -> bool {
    let all = |of: fn(u8) -> bool| text.bytes().all(of);
    let is_hex = all(|b| b.is_ascii_hexdigit() || b == b'-');
    let is_plain = all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'=' | b'~'));
    (is_hex && text.len() >= HEX_CHARS_MIN)
        || (is_plain && text.len() >= MIXED_CHARS_MIN && digits >= MIXED_DIGITS_MIN)
        || (is_plain && digits * 2 > text.len())
}

/// `12.5`, `-0.75`, `37.5665,126.9780`, `+82-10-1234-5678`, `10:30`, `2026-11-29T10:00:00Z`.
fn is_measure(text: &str) -> bool {
    let is_sign = |b: u8| matches!(b, b'+' | b'-' | b'.' | b',' | b':' | b'T' | b'Z' | b' ');
    text.bytes().all(|b| b.is_ascii_digit() || is_sign(b))
}

/// `v1`, `v2.1`, `v1beta2`, `V3.0.1`.
fn is_named_version(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['v', 'V']) else {
        return false;
    };
    let numbers = rest.split(['.', 'a', 'b', 'r']);
    let is_number = |one: &str| {
        let digits = one.trim_start_matches(|c: char| c.is_ascii_lowercase());
        digits.len() <= VERSION_DIGITS_MAX && digits.bytes().all(|b| b.is_ascii_digit())
    };
    rest.starts_with(|c: char| c.is_ascii_digit()) && numbers.into_iter().all(is_number)
}

fn is_mail(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else {
        return false;
    };
    !name.is_empty() && host.contains('.') && !host.contains('@') && !host.starts_with('.')
}

/// Whether lower case, upper case and digits follow each other as in something drawn by chance.
fn is_token(text: &str) -> bool {
    let class = |b: u8| match b {
        b'a'..=b'z' => Some(0),
        b'A'..=b'Z' => Some(1),
        b'0'..=b'9' => Some(2),
        b'-' | b'_' => Some(3),
        _ => None,
    };
    let Some(classes) = text.bytes().map(class).collect::<Option<Vec<i32>>>() else {
        return false;
    };
    let has = |wanted: i32| classes.contains(&wanted);
    let pairs = classes.windows(2);
    let changes = pairs.filter(|pair| pair[0] != pair[1]).count();
    let places = classes.len().saturating_sub(1);
    let least = if classes.len() < MIXED_CHARS_MIN {
        SHORT_TOKEN_CHANGES_MIN
    } else {
        TOKEN_CHANGES_MIN
    };
    has(0) && has(1) && changes as f64 >= least * places as f64
}

/// A code after a word, as payment services and databases make them: `ord_5f2b8c9d`,
/// `cus_NffrFeUfNV2Hib`, `order-20260001`.
fn is_code_after_word(text: &str) -> bool {
    let Some((word, code)) = text.rsplit_once(['_', '-', ':']) else {
        return false;
    };
    let is_word = !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_alphabetic() || c == '_' || c == '-');
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = code.len() >= HEX_CHARS_MIN && code.bytes().all(|b| b.is_ascii_hexdigit());
    let is_number = digits == code.len() && digits >= NUMBER_OF_WORD_MIN;
    let is_token = code.len() >= TOKEN_CHARS_MIN && is_token(code);
    is_word && digits > 0 && (is_hex || is_number || is_token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_all_kinds_are_told_from_names() {
        use PathPart::{Identifier, Name, Version};
        let cases = [
            ("4711", Identifier),
            ("12.5", Identifier),
            ("12.50", Identifier),
            ("-0.75", Identifier),
            ("37.5665,126.9780", Identifier),
            ("+82-10-1234-5678", Identifier),
            ("2026-11-29", Identifier),
            ("20261129", Identifier),
            ("2026-11-29T10:00:00Z", Identifier),
            ("2026-11-29T10%3A00%3A00Z", Identifier),
            ("3fa85f64-5717-4562-b3fc-2c963f66afa6", Identifier),
            ("5f2b8c9d", Identifier),
            ("507f1f77bcf86cd799439011", Identifier),
            ("Vq3Xz0aB9-_kLmN2pQrSt8", Identifier),
            ("VqaXzBaBb-_kLmNxpQrStB", Identifier),
            ("01ARZ3NDEKTSV4RRFFQ69G5FAV", Identifier),
            ("V1StGXR8_Z5jdHi6B-myT", Identifier),
            ("dQw4w9WgXcQ", Identifier),
            ("a.b@c.kr", Identifier),
            ("a.b%40c.kr", Identifier),
            ("kim+shop@example.com", Identifier),
            ("ord_5f2b8c9d", Identifier),
            ("cus_NffrFeUfNV2Hib", Identifier),
            ("order-20260001", Identifier),
            ("주문-20260001", Identifier),
            ("A-1234567", Identifier),
            ("eyJhbGciOiJIUzI1NiJ9", Identifier),
            (
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
                Identifier,
            ),
            ("3.0.1", Version),
            ("1.2", Version),
            ("10.0.0.5", Version),
            ("", Name),
            ("v1", Name),
            ("v12", Name),
            ("v2.1", Name),
            ("v1beta2", Name),
            ("v1alpha", Name),
            ("item2", Name),
            ("page-2", Name),
            ("report-2026", Name),
            ("iPhone15Pro", Name),
            ("getUserOrdersByCustomerId", Name),
            ("internationalization", Name),
            ("recently-viewed-products", Name),
            ("app.js", Name),
            ("jquery-3.7.1.min.js", Name),
            ("@me", Name),
            ("홍길동", Name),
            ("%ED%99%8D%EA%B8%B8%EB%8F%99", Name),
            ("{id}", Name),
            ("${}", Name),
            ("100%", Name),
            ("%zz", Name),
        ];
        for (part, expected) in cases {
            assert_eq!(PathPart::new(part.as_bytes()), expected, "{part}");
        }
    }

    #[test]
    fn letters_beyond_ascii_are_one_name_however_they_were_sent() {
        let cases = [
            ("%ED%99%8D%EA%B8%B8%EB%8F%99", "홍길동"),
            ("홍길동", "홍길동"),
            ("a%20b%2Fc", "a%20b%2Fc"),
            ("caf%C3%A9%20x", "café%20x"),
            ("%ED%99", "%ED%99"),
            ("plain", "plain"),
        ];
        for (part, expected) in cases {
            assert_eq!(readable_part(part.as_bytes()), expected);
        }
    }
}
