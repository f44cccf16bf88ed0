//! The request that a redirect leads to, by the rules of Go's client.
//!
//! This module sends nothing; the agent handles the jar's cookies.

use loadline_wire::ResponseHead;

use crate::failure::{Cause, Failure};
use crate::request::Request;
use crate::url::{Url, quoted};

/// How earlier redirects changed the request.
#[derive(Debug, Default)]
pub(crate) struct RedirectState {
    /// A redirect removed the body; it stays removed.
    bodiless: bool,
    /// A redirect led to another domain; credentials stay removed.
    stripped: bool,
}

impl RedirectState {
    /// The request that `head`, the answer to `last`, redirects to; `None` if it is no redirect.
    /// `first` is the original request, whose fields are sent on.
    ///
    /// # Errors
    /// A [`Failure`] if the `Location` is malformed.
    pub(crate) fn next(
        &mut self,
        first: &Request,
        last: &Request,
        head: &ResponseHead,
    ) -> Result<Option<Request>, Failure> {
        let keeps_body = match head.status() {
            301..=303 => false,
            307 | 308 => true,
            _ => return Ok(None),
        };
        let location = head.fields().get("Location").unwrap_or_default();
        if location.is_empty() {
            return Ok(None);
        }
        let location = lossless(location);
        let url = last.url().join(&location).map_err(|error| {
            Failure::new(Cause::Other(format!(
                "failed to parse Location header {}: {error}",
                quoted(&location)
            )))
        })?;
        self.bodiless |= !keeps_body;
        let changed_host = first.url().host() != url.host();
        if changed_host && !is_same_or_below(url.host_name(), first.url().host_name()) {
            self.stripped = true;
        }
        let method = match last.method() {
            method if keeps_body => method,
            method @ ("GET" | "HEAD") => method,
            _ => "GET",
        };
        Ok(Some(self.request(method, url, first, last, &location)))
    }

    fn request(
        &self,
        method: &str,
        url: Url,
        first: &Request,
        last: &Request,
        location: &str,
    ) -> Request {
        let referer = referer(last.url(), &url);
        let mut next = Request::new(method, url);
        for (name, value) in first.fields() {
            let dropped =
                (self.stripped && is_secret(name)) || (self.bodiless && is_about_body(name));
            if !dropped {
                next.add_field(name.as_str(), value.as_str());
            }
        }
        // A Referer of the request itself is kept.
        if let Some(referer) = referer
            && next.field("Referer").is_none_or(str::is_empty)
        {
            next.set_field("Referer", referer);
        }
        let is_relative = Url::parse(location).is_ok_and(|url| url.scheme().is_empty());
        if let Some(host) = last.host()
            && host != last.url().host()
            && is_relative
        {
            next.add_field("Host", host);
        }
        if !self.bodiless {
            next.set_body(first.body().cloned());
        }
        next
    }
}

/// Whether a status may be a redirect.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301..=303 | 307 | 308)
}

/// The previous URL without credentials; none from https to http.
fn referer(from: &Url, to: &Url) -> Option<String> {
    if from.is_secure() && to.scheme() == "http" {
        return None;
    }
    Some(from.without_user().to_string())
}

fn is_secret(name: &str) -> bool {
    is_one_of(
        name,
        &[
            "Authorization",
            "Www-Authenticate",
            "Cookie",
            "Cookie2",
            "Proxy-Authorization",
            "Proxy-Authenticate",
        ],
    )
}

fn is_about_body(name: &str) -> bool {
    is_one_of(
        name,
        &[
            "Content-Encoding",
            "Content-Language",
            "Content-Location",
            "Content-Type",
        ],
    )
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|n| n.eq_ignore_ascii_case(name))
}

fn is_same_or_below(host: &str, parent: &str) -> bool {
    if host == parent {
        return true;
    }
    let is_name = !host.contains([':', '%']);
    is_name
        && host
            .strip_suffix(parent)
            .is_some_and(|before| before.ends_with('.'))
}

/// The bytes as text; if they are not UTF-8, bytes beyond ASCII are percent-encoded.
fn lossless(bytes: &[u8]) -> String {
    use std::fmt::Write;
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for &byte in bytes {
        if byte.is_ascii() {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("a String takes all");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use loadline_wire::{RequestKind, ResponseParser};

    fn head(status: u16, location: Option<&[u8]>) -> ResponseHead {
        let mut bytes = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n").into_bytes();
        if let Some(location) = location {
            bytes.extend_from_slice(&[b"Location: ", location, b"\r\n"].concat());
        }
        bytes.extend_from_slice(b"\r\n");
        let (mut parser, mut head) = (ResponseParser::new(), ResponseHead::default());
        parser.begin(RequestKind::Ordinary, &mut head);
        parser.advance(&mut head, &bytes).unwrap();
        head
    }

    fn request(method: &str, url: &str, fields: &[(&str, &str)]) -> Request {
        let mut request = Request::new(method, Url::parse(url).unwrap());
        for (name, value) in fields {
            request.add_field(*name, *value);
        }
        request
    }

    fn next(first: &Request, status: u16, location: &str) -> Request {
        let head = head(status, Some(location.as_bytes()));
        let next = RedirectState::default().next(first, first, &head);
        next.unwrap().unwrap()
    }

    fn url_after(from: &str, location: &str) -> String {
        next(&request("GET", from, &[]), 302, location)
            .url()
            .to_string()
    }

    #[test]
    fn method_and_body_follow_the_status() {
        for (status, method, expected, keeps) in [
            (301, "POST", "GET", false),
            (302, "PUT", "GET", false),
            (303, "DELETE", "GET", false),
            (303, "HEAD", "HEAD", false),
            (302, "GET", "GET", false),
            (307, "POST", "POST", true),
            (308, "PUT", "PUT", true),
        ] {
            let mut first = request(method, "http://h/", &[("Content-Type", "t"), ("A", "b")]);
            first.set_body(Some(Bytes::from_static(b"body")));
            let next = next(&first, status, "/x");
            assert_eq!(next.method(), expected, "{status} {method}");
            assert_eq!(next.body().is_some(), keeps);
            assert_eq!(next.field("content-type").is_some(), keeps);
            assert_eq!(next.field("A"), Some("b"));
        }
    }

    #[test]
    fn a_body_once_dropped_does_not_come_back() {
        let mut first = request("POST", "http://h/", &[("Content-Type", "t")]);
        first.set_body(Some(Bytes::from_static(b"body")));
        let mut trail = RedirectState::default();
        let second = trail.next(&first, &first, &head(302, Some(b"/2"))).unwrap();
        let second = second.unwrap();
        let third = trail
            .next(&first, &second, &head(307, Some(b"/3")))
            .unwrap();
        let third = third.unwrap();
        assert_eq!(third.method(), "GET");
        assert_eq!((third.body(), third.field("Content-Type")), (None, None));
    }

    #[test]
    fn other_answers_lead_nowhere() {
        let first = request("GET", "http://h/", &[]);
        for (status, location) in [
            (200, Some("/x")),
            (300, Some("/x")),
            (304, Some("/x")),
            (302, None),
            (302, Some("")),
        ] {
            let head = head(status, location.map(str::as_bytes));
            assert!(
                RedirectState::default()
                    .next(&first, &first, &head)
                    .unwrap()
                    .is_none()
            );
        }
    }

    #[test]
    fn the_location_is_resolved_against_the_last_url() {
        assert_eq!(
            url_after("http://us:pw@h/a/b?c#d", "x?a=b c#frag"),
            "http://us:pw@h/a/x?a=b c#frag"
        );
        assert_eq!(url_after("http://us:pw@h/", "//other/x"), "http://other/x");
        assert_eq!(url_after("http://h/", "ftp://x/"), "ftp://x/");
        let bytes = head(302, Some(b"/\xc3\xa9/\xe9"));
        let first = request("GET", "http://h/", &[]);
        let next = RedirectState::default()
            .next(&first, &first, &bytes)
            .unwrap();
        assert_eq!(next.unwrap().url().to_string(), "http://h/%C3%A9/%E9");
    }

    #[test]
    fn a_location_that_cannot_be_read_fails_as_in_k6() {
        let first = request("GET", "http://h/", &[]);
        let outcome =
            RedirectState::default().next(&first, &first, &head(302, Some(b"http://[::1")));
        let failure = outcome.unwrap_err();
        assert_eq!(failure.code(), 1000);
        assert_eq!(
            failure.text(),
            "failed to parse Location header \"http://[::1\": \
             parse \"http://[::1\": missing ']' in host"
        );
    }

    #[test]
    fn credentials_stay_within_the_domain_for_good() {
        let secrets = [("Authorization", "x"), ("Cookie", "c=1"), ("X-A", "1")];
        let first = request("GET", "http://h.test/", &secrets);
        for (location, kept) in [
            ("/x", true),
            ("http://h.test:81/", true),
            ("http://a.h.test/", true),
            ("http://ah.test/", false),
            ("http://test/", false),
        ] {
            let next = next(&first, 302, location);
            assert_eq!(next.field("Authorization").is_some(), kept, "{location}");
            assert_eq!(next.field("Cookie").is_some(), kept);
            assert_eq!(next.field("X-A"), Some("1"));
        }
        let mut trail = RedirectState::default();
        let away = trail.next(&first, &first, &head(302, Some(b"http://b.test/")));
        let away = away.unwrap().unwrap();
        let back = trail.next(&first, &away, &head(302, Some(b"http://h.test/")));
        assert_eq!(back.unwrap().unwrap().field("Authorization"), None);
    }

    #[test]
    fn the_url_left_behind_is_told_but_not_from_https_to_http() {
        let referer = |from: &str, to: &str, own: &[(&str, &str)]| {
            let next = next(&request("GET", from, own), 302, to);
            next.field("Referer").map(str::to_owned)
        };
        assert_eq!(
            referer("http://us:pw@h/a?b#c", "/x", &[]).as_deref(),
            Some("http://h/a?b#c")
        );
        assert_eq!(referer("https://h/a", "http://h/", &[]), None);
        let own = [("referer", "mine")];
        assert_eq!(referer("http://h/a", "/x", &own).as_deref(), Some("mine"));
        assert_eq!(
            referer("https://h/a", "http://h/", &own).as_deref(),
            Some("mine")
        );
    }

    #[test]
    fn a_host_of_the_requests_own_goes_along_with_relative_locations() {
        let first = request("GET", "http://h/", &[("Host", "other")]);
        assert_eq!(next(&first, 302, "/x").host(), Some("other"));
        assert_eq!(next(&first, 302, "//h/x").host(), Some("other"));
        assert_eq!(next(&first, 302, "http://h/x").host(), None);
    }
}
