//! Refuses requests that a web page made somebody's browser send.
//!
//! A server on 127.0.0.1 is reachable by every page open on that machine. Two
//! checks close that door. **Host**: a page that re-binds its own name to 127.0.0.1
//! still sends that name, so only IP addresses, `localhost` and names listed by
//! the owner are served. **Origin**: a page may post across sites without asking,
//! but the browser then names the page, so a request that changes something must
//! come from the server's own origin or from no page at all.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use crate::Refusal;

/// Host names a server answers to, besides every IP address and `localhost`.
#[derive(Debug, Clone, Default)]
pub struct AllowedHosts {
    names: Vec<String>,
}

impl AllowedHosts {
    /// IP addresses and `localhost` only.
    pub fn local() -> Self {
        Self::default()
    }

    /// Also answers to `name` (without port).
    #[must_use]
    pub fn and(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    fn allows(&self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        bare.parse::<Ipv4Addr>().is_ok()
            || bare.parse::<Ipv6Addr>().is_ok()
            || host.eq_ignore_ascii_case("localhost")
            || self.names.iter().any(|n| n.eq_ignore_ascii_case(host))
    }

    /// Judges one request by its method, target and headers.
    fn judge(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let authority = requested(uri, headers).ok_or_else(|| {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                "bad_host",
                "the request names no host, or more than one",
            )
        })?;
        if !is_whole(&authority) || !self.allows(authority.host()) {
            let message = format!("this server does not answer to the name `{}`", authority);
            return Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "host_not_allowed",
                message,
            ));
        }
        if method.is_safe() {
            return Ok(());
        }
        same_origin(&authority, headers)
    }
}

/// Serves `router` only to requests whose Host, and Origin if they change something, are allowed.
pub fn guard(router: Router, hosts: AllowedHosts) -> Router {
    router.layer(from_fn_with_state(Arc::new(hosts), check))
}

async fn check(State(hosts): State<Arc<AllowedHosts>>, request: Request, next: Next) -> Response {
    match hosts.judge(request.method(), request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Whether nothing but a port follows the host: of `[::1].evil.com` the library takes `[::1]`.
fn is_whole(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host());
    rest.is_some_and(|rest| {
        let port = rest.strip_prefix(':').unwrap_or(rest);
        rest.is_empty() || (rest.starts_with(':') && port.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The authority asked for: the request target's if it has one, else the only Host header's.
fn requested(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    if let Some(authority) = uri.authority() {
        return Some(authority.clone());
    }
    only(headers, &HOST)?.parse().ok()
}

fn same_origin(own: &Authority, headers: &HeaderMap) -> Result<(), Refusal> {
    let refused = |origin: &str| {
        let message = format!("a page of `{origin}` may not change anything here");
        Refusal::new(StatusCode::FORBIDDEN, "origin_not_allowed", message)
    };
    if headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "cross-site")
    {
        return Err(refused(only(headers, &ORIGIN).unwrap_or("another site")));
    }
    if !headers.contains_key(ORIGIN) {
        return Ok(());
    }
    let origin = only(headers, &ORIGIN).unwrap_or("an unreadable origin");
    let authority = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    match authority {
        Some(authority) if authority.eq_ignore_ascii_case(own.as_str()) => Ok(()),
        _ => Err(refused(origin)),
    }
}

/// The value of a header that is there exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    values.next().is_none().then(|| first.to_str().ok())?
}

#[cfg(test)]
mod tests {
    use super::AllowedHosts;
    use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};

    fn verdict(method: &Method, headers: &[(&'static str, &'static str)]) -> &'static str {
        let hosts = AllowedHosts::local().and("load.example");
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        match hosts.judge(method, &Uri::from_static("/settings"), &map) {
            Ok(()) => "served",
            Err(refusal) => refusal.code(),
        }
    }

    #[test]
    fn addresses_localhost_and_listed_names_are_served() {
        for host in [
            "127.0.0.1:8080",
            "[::1]:8080",
            "10.0.0.7",
            "LOCALHOST:1",
            "load.example:80",
        ] {
            assert_eq!(verdict(&Method::GET, &[("host", host)]), "served", "{host}");
        }
    }

    /// Guards against DNS rebinding: the page's own name now points at 127.0.0.1.
    #[test]
    fn a_foreign_name_is_refused_even_for_reading() {
        for host in [
            "evil.example:8080",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "[::1].evil.example",
            "[::1]evil:80",
            "127.0.0.1@evil.example",
            "evil.example@127.0.0.1",
        ] {
            assert_eq!(
                verdict(&Method::GET, &[("host", host)]),
                "host_not_allowed",
                "{host}"
            );
        }
    }

    #[test]
    fn no_host_or_two_hosts_is_a_bad_request() {
        assert_eq!(verdict(&Method::GET, &[]), "bad_host");
        let two = [("host", "127.0.0.1"), ("host", "localhost")];
        assert_eq!(verdict(&Method::GET, &two), "bad_host");
    }

    #[test]
    fn only_the_own_origin_may_change_something() {
        let from = |origin| {
            verdict(
                &Method::PUT,
                &[("host", "127.0.0.1:8080"), ("origin", origin)],
            )
        };
        assert_eq!(from("http://127.0.0.1:8080"), "served");
        assert_eq!(from("http://127.0.0.1:9999"), "origin_not_allowed");
        assert_eq!(from("https://evil.example"), "origin_not_allowed");
        assert_eq!(from("null"), "origin_not_allowed");
    }

    #[test]
    fn a_program_sends_no_origin_and_is_served() {
        assert_eq!(
            verdict(&Method::POST, &[("host", "127.0.0.1:8080")]),
            "served"
        );
    }

    #[test]
    fn a_cross_site_request_without_origin_may_not_change_something() {
        let headers = [("host", "127.0.0.1:8080"), ("sec-fetch-site", "cross-site")];
        assert_eq!(verdict(&Method::POST, &headers), "origin_not_allowed");
    }
}
