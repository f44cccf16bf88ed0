//! Cookies as servers set them.

use loadline_wire::is_token;

use super::date::{self, parse_date};

/// A cookie with the attributes that the server sets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SetCookie {
    /// The name: a token.
    pub name: String,
    /// The value without the quotes around it.
    pub value: String,
    /// Whether there were quotes.
    pub quoted: bool,
    /// As written; empty if the cookie is for the host alone.
    pub domain: String,
    /// As written; empty if it is the folder of the URL.
    pub path: String,
    /// Hidden from scripts.
    pub http_only: bool,
    /// Only sent over https (and to loopback).
    pub secure: bool,
    /// Its lifetime in seconds; 0 if unset, negative if the cookie is to be removed.
    pub max_age: i64,
    /// When it expires, in seconds since 1970; `None` if unset.
    pub expires: Option<i64>,
}

impl SetCookie {
    /// A session cookie for the host and folder that set it.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            ..Self::default()
        }
    }

    /// Parses a `Set-Cookie` value; `None` if it has no cookie. Malformed attributes are ignored.
    #[must_use]
    pub fn parse(line: &[u8]) -> Option<Self> {
        let mut parts = line.split(|&b| b == b';').map(trim);
        let (name, value) = cut(parts.next()?)?;
        let name = trim(name);
        if !is_token(name) {
            return None;
        }
        let (value, quoted) = match value {
            [b'"', inner @ .., b'"'] => (inner, true),
            value => (value, false),
        };
        let mut cookie = Self {
            name: text(name)?,
            value: text(value)?,
            quoted,
            ..Self::default()
        };
        for part in parts {
            let (name, value) = cut(part).unwrap_or((part, b""));
            if let Some(value) = text(value) {
                cookie.set_attribute(name, value);
            }
        }
        Some(cookie)
    }

    fn set_attribute(&mut self, name: &[u8], value: String) {
        let is = |expected: &str| name.eq_ignore_ascii_case(expected.as_bytes());
        if is("secure") {
            self.secure = true;
        } else if is("httponly") {
            self.http_only = true;
        } else if is("domain") {
            self.domain = value;
        } else if is("path") {
            self.path = value;
        } else if is("max-age") {
            match value.parse::<i64>() {
                Ok(0) => self.max_age = -1,
                Ok(seconds) if !value.starts_with('0') => {
                    self.max_age = if seconds < 0 { -1 } else { seconds };
                }
                _ => {}
            }
        } else if is("expires") {
            self.expires = parse_date(&value)
                .or_else(|_| date::parse_dashed_date(&value))
                .ok();
        }
    }

    /// `expires` as k6 shows it in `res.cookies`: milliseconds since 1970, computed through
    /// 64-bit nanoseconds. Those overflow outside the years 1678 to 2262, also when `expires` is
    /// unset.
    #[must_use]
    pub fn expires_as_k6_shows(&self) -> i64 {
        /// Go's zero time: the first of January of the year 1.
        const GO_ZERO_TIME: i64 = -62_135_596_800;
        let seconds = self.expires.unwrap_or(GO_ZERO_TIME);
        seconds.wrapping_mul(1_000_000_000) / 1_000_000
    }
}

pub(super) fn is_value_byte(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte) && !b"\";\\".contains(&byte)
}

/// The text of a value or attribute, if all its bytes are allowed.
fn text(bytes: &[u8]) -> Option<String> {
    if bytes.iter().all(|&b| is_value_byte(b)) {
        String::from_utf8(bytes.to_vec()).ok()
    } else {
        None
    }
}

/// The parts before and after the first `=`.
fn cut(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|&b| b == b'=')?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

fn trim(bytes: &[u8]) -> &[u8] {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
    let start = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
    let end = bytes
        .iter()
        .rposition(|b| !blank(b))
        .map_or(start, |at| at + 1);
    &bytes[start..end]
}
