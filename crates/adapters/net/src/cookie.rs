//! Cookies as k6 (and so Go's `net/http`) reads, stores and sends them.
//!
//! A server's cookies are parsed leniently ([`SetCookie::parse`]); sent ones are sanitised
//! ([`push_pair`]). The [`CookieJar`] decides which cookies belong to which request.

mod date;
mod jar;
mod set_cookie;
#[cfg(test)]
mod tests;

pub use date::{DateError, parse_date};
pub use jar::{CookieJar, JarCookie, UnixMillis};
pub use set_cookie::SetCookie;

use loadline_wire::ResponseHead;

use crate::request::Request;
use crate::url::Url;
use set_cookie::is_value_byte;

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
        given,
        jar,
        now,
    ) {
        request.set_field("Cookie", line);
    }
}

/// `before` and the cookies for `url`; `None` if there are none to add.
fn cookie_line(
    before: &str,
    url: &Url,
    given: &[RequestCookie],
    jar: &mut CookieJar,
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
