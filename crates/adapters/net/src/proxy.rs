//! Which requests go through a proxy: HTTP_PROXY, HTTPS_PROXY and NO_PROXY with Go's rules.
//!
//! The caller reads the environment; this module parses the values. `tunnel` speaks to the proxy.

use std::net::IpAddr;

use crate::auth::basic;
use crate::hosts::IpRange;
use crate::url::Url;

/// Why a proxy variable is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid proxy address {address:?}: {reason}")]
pub struct ProxyError {
    /// The variable's value.
    pub address: String,
    /// The reason.
    pub reason: String,
}

/// The protocol of a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProxyKind {
    Http,
    /// HTTP over TLS.
    Https,
    Socks5,
}

/// One proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proxy {
    pub(crate) kind: ProxyKind,
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Name and password.
    pub(crate) user: Option<(String, String)>,
    /// `Proxy-Authorization`.
    pub(crate) authorization: Option<String>,
}

impl Proxy {
    /// Whether it forwards plain requests itself and makes no tunnel for them.
    pub(crate) fn forwards(&self) -> bool {
        self.kind != ProxyKind::Socks5
    }

    /// Parses `http://user:password@host:port`; the default scheme is `http`.
    fn parse(address: &str) -> Result<Self, ProxyError> {
        let bad = |reason: String| ProxyError {
            address: address.to_owned(),
            reason,
        };
        let parsed = Url::parse(address);
        let url = match parsed {
            Ok(url) if !url.scheme().is_empty() && !url.host().is_empty() => url,
            _ => Url::parse(&format!("http://{address}")).map_err(|error| bad(error.reason))?,
        };
        let (kind, usual_port) = match url.scheme() {
            "http" => (ProxyKind::Http, 80),
            "https" => (ProxyKind::Https, 443),
            "socks5" | "socks5h" => (ProxyKind::Socks5, 1080),
            other => return Err(bad(format!("unknown scheme {other:?}"))),
        };
        let port = match url.port_text() {
            None => usual_port,
            Some(text) => text
                .parse()
                .map_err(|_| bad(format!("invalid port {text:?}")))?,
        };
        if url.host_name().is_empty() {
            return Err(bad("there is no host".to_owned()));
        }
        let user = url.user();
        Ok(Self {
            kind,
            host: url.host_name().to_owned(),
            port,
            authorization: user.map(basic),
            user: user.map(|user| {
                let password = user.password.clone().unwrap_or_default();
                (user.name.clone(), password)
            }),
        })
    }
}

/// A host that is reached without a proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Exception {
    All,
    Range(IpRange),
    Address(IpAddr, Option<u16>),
    /// With a leading dot; `itself` says that the name without it matches, too.
    Domain {
        suffix: String,
        itself: bool,
        port: Option<u16>,
    },
}

impl Exception {
    /// Parses an entry of NO_PROXY; a malformed one matches nothing, as in Go.
    fn parse(entry: &str) -> Option<Self> {
        if entry == "*" {
            return Some(Self::All);
        }
        if let Ok(range) = entry.parse() {
            return Some(Self::Range(range));
        }
        if let Ok(ip) = entry.parse() {
            return Some(Self::Address(ip, None));
        }
        let (host, port) = match entry.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (entry, None),
        };
        let plain = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
        if let Ok(ip) = plain.unwrap_or(host).parse() {
            return Some(Self::Address(ip, port));
        }
        let host = match host.strip_prefix('*') {
            Some(rest) if rest.starts_with('.') => rest,
            _ => host,
        };
        if host.is_empty() {
            return None;
        }
        let itself = !host.starts_with('.');
        let dot = if itself { "." } else { "" };
        Some(Self::Domain {
            suffix: format!("{dot}{host}"),
            itself,
            port,
        })
    }

    fn holds(&self, host: &str, ip: Option<IpAddr>, port: u16) -> bool {
        let fits = |wanted: &Option<u16>| wanted.is_none_or(|wanted| wanted == port);
        match self {
            Self::All => true,
            Self::Range(range) => ip.is_some_and(|ip| range.contains(ip)),
            Self::Address(own, wanted) => ip == Some(*own) && fits(wanted),
            Self::Domain {
                suffix,
                itself,
                port,
            } => {
                let named = host.ends_with(suffix.as_str()) || *itself && *host == suffix[1..];
                ip.is_none() && named && fits(port)
            }
        }
    }
}

/// The proxies of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    exceptions: Vec<Exception>,
}

impl Proxies {
    /// Parses HTTP_PROXY, HTTPS_PROXY and NO_PROXY; empty means unset.
    ///
    /// # Errors
    /// [`ProxyError`] for an invalid address. Go ignores it; here it is an error.
    pub fn from_variables(http: &str, https: &str, none: &str) -> Result<Self, ProxyError> {
        let read = |address: &str| match address {
            "" => Ok(None),
            address => Proxy::parse(address).map(Some),
        };
        let none = none.to_lowercase();
        let entries = none.split(',').map(str::trim).filter(|e| !e.is_empty());
        Ok(Self {
            http: read(http)?,
            https: read(https)?,
            exceptions: entries.filter_map(Exception::parse).collect(),
        })
    }

    /// Whether one of them is reached over TLS.
    #[must_use]
    pub fn speak_tls(&self) -> bool {
        let mut all = self.http.iter().chain(&self.https);
        all.any(|proxy| proxy.kind == ProxyKind::Https)
    }

    /// The proxy for a request to `url`; none for `localhost` and loopback addresses.
    pub(crate) fn find(&self, url: &Url, port: u16) -> Option<&Proxy> {
        let proxy = if url.is_secure() {
            self.https.as_ref()?
        } else {
            self.http.as_ref()?
        };
        let host = url.host_name();
        let ip = host.parse::<IpAddr>().ok();
        if host == "localhost" || ip.is_some_and(|ip| ip.to_canonical().is_loopback()) {
            return None;
        }
        let lower = host.trim().to_lowercase();
        let excepted = self.exceptions.iter().any(|e| e.holds(&lower, ip, port));
        (!excepted).then_some(proxy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goes(none: &str, url: &str) -> bool {
        let proxies = Proxies::from_variables("p.test", "https://s.test", none).unwrap();
        let url = Url::parse(url).unwrap();
        proxies.find(&url, url.port().unwrap()).is_some()
    }

    #[test]
    fn proxies_are_read_as_go_reads_them() {
        let read = |address: &str| Proxy::parse(address).unwrap();
        let plain = read("p.test:3128");
        assert_eq!((plain.kind, plain.port), (ProxyKind::Http, 3128));
        assert_eq!(plain.host, "p.test");
        assert_eq!(plain.user, None);
        let secure = read("https://us%40er:pw@p.test");
        assert_eq!((secure.kind, secure.port), (ProxyKind::Https, 443));
        assert_eq!(secure.user, Some(("us@er".to_owned(), "pw".to_owned())));
        assert_eq!(secure.authorization.as_deref(), Some("Basic dXNAZXI6cHc="));
        assert_eq!(read("socks5h://[::1]").port, 1080);
        assert_eq!(read("socks5://[::1]:1").host, "::1");
        let unknown = Proxy::parse("ftp://p.test").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "invalid proxy address \"ftp://p.test\": unknown scheme \"ftp\""
        );
        for bad in ["http://p.test:99999", "p:x:y"] {
            assert!(Proxy::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn each_scheme_has_its_proxy() {
        let proxies = Proxies::from_variables("", "s.test", "").unwrap();
        let find = |url: &str| proxies.find(&Url::parse(url).unwrap(), 1).is_some();
        assert!(find("https://a.test/") && !find("http://a.test/"));
    }

    #[test]
    fn this_machine_is_never_proxied() {
        for url in [
            "http://localhost/",
            "http://127.0.0.1/",
            "http://127.9.9.9:81/",
            "https://[::1]/",
        ] {
            assert!(!goes("", url), "{url}");
        }
        assert!(goes("", "http://10.0.0.1/") && goes("", "http://sub.localhost/"));
    }

    #[test]
    fn exceptions_are_gos() {
        for (none, url, expected) in [
            ("*", "http://a.test/", false),
            ("a.test", "http://a.test/", false),
            ("a.test", "http://X.A.test/", false),
            ("a.test", "http://ba.test/", true),
            (".a.test", "http://a.test/", true),
            (".a.test", "http://x.a.test/", false),
            ("*.a.test", "http://a.test/", true),
            ("*.a.test", "http://x.a.test/", false),
            ("a.test:81", "http://a.test/", true),
            ("a.test:81", "http://a.test:81/", false),
            ("b.test, A.test", "https://a.test/", false),
            ("10.0.0.0/8", "http://10.2.3.4/", false),
            ("10.0.0.0/8", "http://11.2.3.4/", true),
            ("10.0.0.1", "http://10.0.0.1/", false),
            ("10.0.0.1:81", "http://10.0.0.1/", true),
            ("[fe80::1]:443", "https://[fe80::1]/", false),
            ("fe80::1", "https://[fe80::1]/", false),
            (":80,,.", "http://a.test/", true),
        ] {
            assert_eq!(goes(none, url), expected, "{none} {url}");
        }
    }
}
