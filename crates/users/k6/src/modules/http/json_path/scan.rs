//! The structure of JSON texts: validity, members, elements and strings.
//!
//! Everything except [`is_json`] expects valid JSON.

use std::borrow::Cow;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    /// An object or an array.
    Container,
}

/// What a text's value is.
pub(crate) fn kind_of(json: &str) -> Kind {
    match json.trim_start().as_bytes().first() {
        Some(b'{' | b'[') => Kind::Container,
        Some(b'"') => Kind::String,
        Some(b't') => Kind::True,
        Some(b'f') => Kind::False,
        Some(b'n') | None => Kind::Null,
        Some(_) => Kind::Number,
    }
}

pub(super) fn is_container(json: &str) -> bool {
    kind_of(json) == Kind::Container
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_space) {
        at += 1;
    }
    at
}

/// Behind the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Behind the value that begins at `at`.
fn value_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"') => string_end(bytes, at),
        Some(b'{' | b'[') => {
            let (mut depth, mut at) = (0_usize, at);
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'"' => {
                        at = string_end(bytes, at);
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            at
        }
        _ => {
            let ends = |byte: &u8| is_space(*byte) || matches!(byte, b',' | b'}' | b']');
            let rest = bytes.get(at..).unwrap_or_default();
            at + rest.iter().position(ends).unwrap_or(rest.len())
        }
    }
}

/// Values of an array, one after the other, or of nothing.
pub(super) fn elements(json: &str) -> impl Iterator<Item = &str> {
    let bytes = json.as_bytes();
    let mut at = skip_space(bytes, 0) + 1;
    std::iter::from_fn(move || {
        at = skip_space(bytes, at);
        if bytes.get(at) == Some(&b',') {
            at = skip_space(bytes, at + 1);
        }
        if matches!(bytes.get(at), None | Some(b']')) {
            return None;
        }
        let end = value_end(bytes, at);
        let value = json.get(at..end)?;
        at = end;
        Some(value)
    })
}

/// Keys, in quotation marks, and values of an object.
pub(super) fn members(json: &str) -> impl Iterator<Item = (&str, &str)> {
    let bytes = json.as_bytes();
    let mut at = skip_space(bytes, 0) + 1;
    std::iter::from_fn(move || {
        at = skip_space(bytes, at);
        if bytes.get(at) == Some(&b',') {
            at = skip_space(bytes, at + 1);
        }
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let end = string_end(bytes, at);
        let key = json.get(at..end)?;
        let value = skip_space(bytes, skip_space(bytes, end) + 1);
        at = value_end(bytes, value);
        Some((key, json.get(value..at)?))
    })
}

/// The text of a string, without quotation marks and escapes. A half of a character that is
/// written in two becomes U+FFFD.
pub(crate) fn text_of(string: &str) -> Cow<'_, str> {
    let inner = string.trim();
    let inner = inner.strip_prefix('"').unwrap_or(inner);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        out.push_str(plain);
        let mut chars = escaped.chars();
        match chars.next() {
            Some('u') => {
                let (character, used) = unicode(escaped);
                out.push(character);
                rest = escaped.get(used..).unwrap_or_default();
                continue;
            }
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(other) => out.push(other),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of `uXXXX`, perhaps with a second `\uXXXX`, and the bytes these take.
fn unicode(escaped: &str) -> (char, usize) {
    let unit = |text: Option<&str>| {
        let digits = text?.strip_prefix('u')?;
        u16::from_str_radix(digits, 16).ok()
    };
    let lost = char::REPLACEMENT_CHARACTER;
    let Some(first) = unit(escaped.get(..5)) else {
        return (lost, 1);
    };
    if !(0xd800..0xe000).contains(&first) {
        return (char::from_u32(u32::from(first)).unwrap_or(lost), 5);
    }
    if escaped.get(5..6) != Some("\\") {
        return (lost, 5);
    }
    let Some(second) = unit(escaped.get(6..11)) else {
        return (lost, 5);
    };
    let decoded = char::decode_utf16([first, second]).next();
    (decoded.and_then(Result::ok).unwrap_or(lost), 11)
}

/// A text as a JSON string.
pub(crate) fn string_of(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a text is JSON (RFC 8259), however deep it goes.
pub(crate) fn is_json(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut open: Vec<u8> = Vec::new();
    let mut at = skip_space(bytes, 0);
    loop {
        // A value.
        at = match bytes.get(at) {
            Some(bracket @ (b'{' | b'[')) => {
                let close = if *bracket == b'{' { b'}' } else { b']' };
                at = skip_space(bytes, at + 1);
                if bytes.get(at) == Some(&close) {
                    at + 1
                } else {
                    open.push(close);
                    if close == b'}' {
                        match key(bytes, at) {
                            Some(next) => at = next,
                            None => return false,
                        }
                    }
                    continue;
                }
            }
            Some(_) => match scalar(bytes, at) {
                Some(end) => end,
                None => return false,
            },
            None => return false,
        };
        // What follows it.
        loop {
            at = skip_space(bytes, at);
            let Some(close) = open.last() else {
                return at == bytes.len();
            };
            match bytes.get(at) {
                Some(b',') => {
                    at = skip_space(bytes, at + 1);
                    if *close == b'}' {
                        match key(bytes, at) {
                            Some(next) => at = next,
                            None => return false,
                        }
                    }
                    break;
                }
                Some(byte) if byte == close => {
                    open.pop();
                    at += 1;
                }
                _ => return false,
            }
        }
    }
}

/// Behind a key and its colon, at the value.
fn key(bytes: &[u8], at: usize) -> Option<usize> {
    let end = skip_space(bytes, string(bytes, at)?);
    (bytes.get(end) == Some(&b':')).then(|| skip_space(bytes, end + 1))
}

fn scalar(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    for word in ["true", "false", "null"] {
        if rest.starts_with(word.as_bytes()) {
            return Some(at + word.len());
        }
    }
    if rest.first() == Some(&b'"') {
        string(bytes, at)
    } else {
        number(bytes, at)
    }
}

/// Behind a string that follows the rules.
fn string(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let mut at = at + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            0..=0x1f => return None,
            b'\\' => match bytes.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' => {
                    let digits = bytes.get(at + 2..at + 6)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    at += 6;
                }
                _ => return None,
            },
            _ => at += 1,
        }
    }
}

/// Behind a number that follows the rules.
fn number(bytes: &[u8], mut at: usize) -> Option<usize> {
    let digits = |mut at: usize| {
        let from = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        (at > from).then_some(at)
    };
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    at = if bytes.get(at) == Some(&b'0') {
        at + 1
    } else {
        digits(at)?
    };
    if bytes.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = digits(at)?;
    }
    Some(at)
}

/// The length of the bracket, or the quotation, that a text begins with.
pub(super) fn balanced(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => match quote_end(bytes, at) {
                Some(end) => at = end,
                None => return bytes.len(),
            },
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// At the mark that ends the quotation beginning at `at`.
pub(super) fn quote_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
