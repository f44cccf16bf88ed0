//! Cookies as k6 (and so Go's `net/http`) reads, stores and sends them.
//!
//! A server's cookies are parsed leniently ([`SetCookie::parse`]); sent ones are sanitised
//! ([`push_pair`]). The [`CookieJar`] decides which cookies belong to which request.

mod date;
mod jar;
#[cfg(test)]
mod tests;

pub use date::{DateError, parse_date};
pub use jar::{CookieJar, JarCookie, UnixMillis};

use loadline_wire::{ResponseHead, is_token};

use crate::request::Request;
use crate::url::Url;

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
        const NEVER_SAID: i64 = -62_135_596_800;
        let seconds = self.expires.unwrap_or(NEVER_SAID);
        seconds.wrapping_mul(1_000_000_000) / 1_000_000
    }
}

/// The cookies that a response sets.
pub fn set_cookies(head: &ResponseHead) -> impl Iterator<Item = SetCookie> {
    head.fields()
        .get_all("Set-Cookie")
        .filter_map(SetCookie::parse)
}

/// A cookie that a script sets for a single request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestCookie {
    /// Its name, as it is sent.
    pub name: String,
    /// Its value, before cleaning.
    pub value: String,
    /// Whether it replaces those of the same name in the jar; otherwise both are sent.
    pub replace: bool,
}

/// Appends the cookies of `request` to its `Cookie` field: first the given ones, then those of
/// the jar.
pub fn add_cookies(
    request: &mut Request,
    given: &[RequestCookie],
    jar: &mut CookieJar,
    now: UnixMillis,
) {
    if let Some(line) = cookie_line(
        request.field("Cookie").unwrap_or_default(),
        request.url(),
        (given, jar),
        now,
    ) {
        request.set_field("Cookie", line);
    }
}

/// `before` and the cookies for `url`; `None` if there are none to add.
fn cookie_line(
    before: &str,
    url: &Url,
    (given, jar): (&[RequestCookie], &mut CookieJar),
    now: UnixMillis,
) -> Option<String> {
    if given.is_empty() && jar.is_empty() {
        return None;
    }
    let mut line = before.to_owned();
    for cookie in given {
        push_pair(&mut line, &cookie.name, &cookie.value, false);
    }
    let replaced = |name: &str| given.iter().any(|c| c.replace && c.name == name);
    for cookie in jar.cookies_for(url, now) {
        if !replaced(cookie.name) {
            // k6 passes name and value on, but not whether there were quotes.
            push_pair(&mut line, cookie.name, cookie.value, false);
        }
    }
    (line.len() > before.len()).then_some(line)
}

/// Appends `name=value` to a `Cookie` line, after `; ` if the line is not empty.
///
/// Bytes that are not allowed in a value are left out. A value with blanks or commas is quoted.
pub fn push_pair(line: &mut String, name: &str, value: &str, quoted: bool) {
    if !line.is_empty() {
        line.push_str("; ");
    }
    let clean = |c: char| if matches!(c, '\r' | '\n') { '-' } else { c };
    line.extend(name.chars().map(clean));
    line.push('=');
    let quoted = quoted || value.contains([' ', ',']);
    if quoted {
        line.push('"');
    }
    line.extend(
        value
            .chars()
            .filter(|&c| u8::try_from(c).is_ok_and(is_value_byte)),
    );
    if quoted {
        line.push('"');
    }
}

fn is_value_byte(byte: u8) -> bool {
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
