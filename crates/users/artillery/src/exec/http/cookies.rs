//! Cookies by the rules of tough-cookie, the jar that Artillery uses: values go back as they came, cookies for
//! another host are errors, and secure ones are never sent without TLS.

use loadline_net::{CookieJar, Request, Response, SetCookie, Url};

use crate::vu::Vu;

/// A line that sets no cookie of this host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CookieError;

/// Reads a `Set-Cookie` line.
fn parse(line: &str, host: &str) -> Result<SetCookie, CookieError> {
    let (pair, attributes) = line.split_once(';').unwrap_or((line, ""));
    let (name, value) = pair.split_once('=').ok_or(CookieError)?;
    let (name, value) = (name.trim(), value.trim());
    let is_control = |c: char| c.is_ascii_control();
    if name.is_empty() || name.contains(is_control) || value.contains(is_control) {
        return Err(CookieError);
    }
    let rest = SetCookie::parse(format!("x=;{attributes}").as_bytes()).unwrap_or_default();
    let domain = rest.domain.trim_start_matches('.').to_ascii_lowercase();
    let is_own = domain.is_empty()
        || domain == host
        || (host.ends_with(&format!(".{domain}")) && host.parse::<std::net::IpAddr>().is_err());
    if !is_own {
        return Err(CookieError);
    }
    Ok(SetCookie {
        name: name.to_owned(),
        value: value.to_owned(),
        ..rest
    })
}

/// Keeps what an answer sets.
pub(super) fn keep(vu: &Vu, url: &Url, response: &Response) -> Vec<CookieError> {
    let host = url.host_name().to_ascii_lowercase();
    let lines = response.head.fields().get_all("Set-Cookie");
    let read: Vec<_> = lines
        .map(|line| parse(&String::from_utf8_lossy(line), &host))
        .collect();
    let (cookies, broken): (Vec<_>, Vec<_>) = read.into_iter().partition(Result::is_ok);
    let now = vu.local.agents.wall_now();
    let cookies = cookies.into_iter().filter_map(Result::ok);
    vu.jar.borrow_mut().set(url, cookies, now);
    broken.into_iter().filter_map(Result::err).collect()
}

/// The `cookie` field for a request; `None` when no cookie fits.
pub(super) fn field(vu: &Vu, request: &Request) -> Option<String> {
    let (url, now) = (request.url(), vu.local.agents.wall_now());
    let mut jar = vu.jar.borrow_mut();
    let cookies = jar.cookies_for(url, now);
    let pairs: Vec<String> = cookies
        .iter()
        .filter(|cookie| !cookie.secure || url.is_secure())
        .map(|cookie| format!("{}={}", cookie.name, cookie.value))
        .collect();
    (!pairs.is_empty()).then(|| pairs.join("; "))
}

/// Sets cookies for a URL, as the option `cookie` of a request and of the defaults does.
pub(super) fn set_cookies(vu: &Vu, url: &Url, cookies: Vec<(String, String)>) {
    let jar: &mut CookieJar = &mut vu.jar.borrow_mut();
    let now = vu.local.agents.wall_now();
    let cookies = cookies
        .into_iter()
        .map(|(name, value)| SetCookie::new(name, value));
    jar.set(url, cookies, now);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_as_they_come() {
        let value = |line: &str| parse(line, "h").map(|cookie| cookie.value);
        assert_eq!(
            value(r#"a={"b":"c","d":1}; Path=/"#).as_deref(),
            Ok(r#"{"b":"c","d":1}"#)
        );
        assert_eq!(value(r#"a="q""#).as_deref(), Ok(r#""q""#));
        assert_eq!(value(r"a=b\\c d, e").as_deref(), Ok(r"b\\c d, e"));
        assert_eq!(value("no equals sign"), Err(CookieError));
        assert_eq!(value("=value"), Err(CookieError));
        assert_eq!(value("a=1; Domain=example.com"), Err(CookieError));
    }
}
