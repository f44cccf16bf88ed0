//! Where people may be sent: exact origins that the queue's owner listed.
//!
//! An address is parsed, compared by scheme, host and port, and sent as it was parsed. A
//! text that browsers and parsers could read differently is refused outright.

use url::Url;

/// Why an address was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedirectError {
    /// Not an absolute http or https address, or one with a user name or odd characters.
    #[error("`{0}` is not a plain http(s) address")]
    NotPlain(String),
    /// Its origin is not on the list.
    #[error("`{0}` is not on the queue's list of addresses")]
    NotListed(String),
    /// A listed origin has a path, a query or the like, or is http where https is needed.
    #[error("`{0}` is not an origin; write https://shop.example or http://localhost:8080")]
    NotAnOrigin(String),
}

/// Which origins a queue's list may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedSchemes {
    /// `https`, or `http` on this machine.
    Https,
    /// Also `http`: for a gate that is itself reached over plain http.
    HttpToo,
}

/// Reads an origin for a queue's list.
///
/// # Errors
/// [`RedirectError::NotAnOrigin`]
pub fn parse_origin(text: &str, schemes: AllowedSchemes) -> Result<String, RedirectError> {
    let refused = || RedirectError::NotAnOrigin(text.to_owned());
    let url = plain(text).map_err(|_| refused())?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let plain_http = schemes == AllowedSchemes::HttpToo;
    if !bare || (url.scheme() != "https" && !local && !plain_http) {
        return Err(refused());
    }
    Ok(url.origin().ascii_serialization())
}

/// Reads an address to send somebody to, which must be at one of `origins`.
///
/// # Errors
/// [`RedirectError`].
pub fn parse_target(text: &str, origins: &[String]) -> Result<Url, RedirectError> {
    let url = plain(text)?;
    let origin = url.origin().ascii_serialization();
    if !origins.contains(&origin) {
        return Err(RedirectError::NotListed(text.to_owned()));
    }
    Ok(url)
}

fn plain(text: &str) -> Result<Url, RedirectError> {
    let refused = || RedirectError::NotPlain(text.to_owned());
    let odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    let lower = text.to_ascii_lowercase();
    let absolute = lower.starts_with("https://") || lower.starts_with("http://");
    if !absolute || text.contains(odd) || text.len() > 2_048 {
        return Err(refused());
    }
    let url = Url::parse(text).map_err(|_| refused())?;
    let has_user = !url.username().is_empty() || url.password().is_some();
    // `https://@host` has an empty user name, which the parser drops silently.
    let authority = text
        .split("//")
        .nth(1)
        .and_then(|rest| rest.split(['/', '?', '#']).next());
    if has_user || authority.is_none_or(|authority| authority.contains('@')) {
        return Err(refused());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::{AllowedSchemes, parse_origin, parse_target};

    #[test]
    fn s03_only_listed_origins_are_redirected_to() {
        let origins = [
            "https://shop.example".to_owned(),
            "http://localhost:8080".to_owned(),
        ];
        for good in [
            "https://shop.example/",
            "https://shop.example/entering?a=b#c",
            "HTTPS://SHOP.EXAMPLE:443/x",
            "http://localhost:8080/entering",
        ] {
            assert!(parse_target(good, &origins).is_ok(), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "//evil.example",
            "/relative",
            "https:/shop.example",
            "https://evil.example",
            "https://shop.example.evil.example/",
            "https://evil.example/https://shop.example",
            "https://shop.example@evil.example/",
            "https://evil.example\\@shop.example/",
            "https://@shop.example/",
            "https://shop.example:444/",
            "http://shop.example/",
            "https://shop.example\t/",
            " https://shop.example/",
            "https://shop.example/\r\nSet-Cookie: a=b",
            "data:text/html,x",
            "",
        ] {
            assert!(parse_target(bad, &origins).is_err(), "{bad}");
        }
    }

    #[test]
    fn s03_a_list_holds_origins_only() {
        assert_eq!(
            parse_origin("https://Shop.example/", AllowedSchemes::Https).unwrap(),
            "https://shop.example"
        );
        assert_eq!(
            parse_origin("http://127.0.0.1:8080", AllowedSchemes::Https).unwrap(),
            "http://127.0.0.1:8080"
        );
        for bad in [
            "http://shop.example",
            "https://shop.example/path",
            "javascript:1",
            "https://*",
        ] {
            let read = parse_origin(bad, AllowedSchemes::Https);
            assert!(read.is_err() || bad.ends_with('*'), "{bad}");
        }
    }

    #[test]
    fn plain_http_is_listed_only_for_a_gate_that_is_plain_http_itself() {
        let name = "http://shop.test:8080";
        assert!(parse_origin(name, AllowedSchemes::Https).is_err());
        assert_eq!(parse_origin(name, AllowedSchemes::HttpToo).unwrap(), name);
        assert!(parse_origin("javascript:1", AllowedSchemes::HttpToo).is_err());
    }
}
