//! Stores cookies by the rules of Go's `net/http/cookiejar` without a public suffix list, which
//! is how k6 uses it.

use std::net::IpAddr;

use super::set_cookie::SetCookie;
use crate::url::Url;

/// A time of day: milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(pub i64);

/// The cookies of one virtual user.
#[derive(Debug, Clone, Default)]
pub struct CookieJar {
    /// In the order in which they were first set.
    entries: Vec<Entry>,
}

/// A cookie to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JarCookie<'j> {
    /// Its name.
    pub name: &'j str,
    /// Its value, without quotes.
    pub value: &'j str,
    /// Whether it was set in quotes.
    pub quoted: bool,
    /// Whether it is only for https.
    pub secure: bool,
}

/// Domain, path and name together identify a cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Id {
    domain: String,
    path: String,
    name: String,
}

#[derive(Debug, Clone)]
struct Entry {
    id: Id,
    value: String,
    quoted: bool,
    secure: bool,
    host_only: bool,
    /// `None` for a session cookie.
    expires: Option<UnixMillis>,
}

impl CookieJar {
    /// An empty jar.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it has no cookies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all cookies.
    pub fn reset(&mut self) {
        self.entries.clear();
    }

    /// Stores the cookies that `url` sets, as far as it is allowed to; removes those that expire.
    pub fn set(
        &mut self,
        url: &Url,
        cookies: impl IntoIterator<Item = SetCookie>,
        now: UnixMillis,
    ) {
        let Some(host) = host_of(url) else { return };
        let folder = default_path(&url.unescaped_path()).to_owned();
        for cookie in cookies {
            self.set_one(&host, &folder, cookie, now);
        }
    }

    fn set_one(&mut self, host: &str, folder: &str, cookie: SetCookie, now: UnixMillis) {
        let Some((domain, host_only)) = domain_of(host, &cookie.domain) else {
            return;
        };
        let id = Id {
            domain,
            path: if cookie.path.starts_with('/') {
                cookie.path
            } else {
                folder.to_owned()
            },
            name: cookie.name,
        };
        let expires = match (cookie.max_age, cookie.expires) {
            (0, None) => None,
            (0, Some(seconds)) => Some(UnixMillis(seconds.saturating_mul(1000))),
            (age, _) if age < 0 => Some(now),
            (age, _) => Some(UnixMillis(now.0.saturating_add(age.saturating_mul(1000)))),
        };
        let kept = self.entries.iter().position(|entry| entry.id == id);
        if expires.is_some_and(|at| at <= now) {
            if let Some(at) = kept {
                self.entries.remove(at);
            }
            return;
        }
        let entry = Entry {
            id,
            value: cookie.value,
            quoted: cookie.quoted,
            secure: cookie.secure,
            host_only,
            expires,
        };
        match kept {
            Some(at) => self.entries[at] = entry,
            None => self.entries.push(entry),
        }
    }

    /// The cookies to send to `url`: by path in descending order (Go compares the texts, so the
    /// longer of two with the same beginning comes first), then in the order in which they were
    /// first set. Expired ones are dropped.
    pub fn cookies_for(&mut self, url: &Url, now: UnixMillis) -> Vec<JarCookie<'_>> {
        if self.entries.is_empty() {
            return Vec::new();
        }
        let Some(host) = host_of(url) else {
            return Vec::new();
        };
        self.entries
            .retain(|entry| entry.expires.is_none_or(|at| at > now));
        let path = url.unescaped_path();
        let path = if path.is_empty() { "/" } else { &path };
        let mut selected: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| entry.is_for(&host, path, url.is_secure()))
            .collect();
        selected.sort_by(|a, b| b.id.path.cmp(&a.id.path));
        let kept = |entry| {
            let Entry {
                id,
                value,
                quoted,
                secure,
                ..
            }: &Entry = entry;
            JarCookie {
                name: &id.name,
                value,
                quoted: *quoted,
                secure: *secure,
            }
        };
        selected.into_iter().map(kept).collect()
    }

    /// Removes the cookies that would be sent to `url` and were set for exactly its host and
    /// folder; k6's `clear` reaches no others.
    pub fn clear(&mut self, url: &Url, now: UnixMillis) {
        let names: Vec<String> = self
            .cookies_for(url, now)
            .iter()
            .map(|cookie| cookie.name.to_owned())
            .collect();
        for name in names {
            self.delete(url, &name);
        }
    }

    /// Removes the cookie `name` that was set for the host and folder of `url`.
    pub fn delete(&mut self, url: &Url, name: &str) {
        let Some(host) = host_of(url) else { return };
        let path = url.unescaped_path();
        let folder = default_path(&path);
        self.entries.retain(|entry| {
            !(entry.id.name == name && entry.id.domain == host && entry.id.path == folder)
        });
    }
}

impl Entry {
    fn is_for(&self, host: &str, path: &str, secure: bool) -> bool {
        self.matches_host(host)
            && self.matches_path(path)
            && (secure || !self.secure || is_loopback(&self.id.domain))
    }

    fn matches_host(&self, host: &str) -> bool {
        self.id.domain == host || (!self.host_only && is_below(host, &self.id.domain))
    }

    fn matches_path(&self, path: &str) -> bool {
        match path.strip_prefix(self.id.path.as_str()) {
            None => false,
            Some(rest) => rest.is_empty() || self.id.path.ends_with('/') || rest.starts_with('/'),
        }
    }
}

/// The host that cookies of `url` belong to: in lower case, without a trailing dot; `None` if it
/// cannot have cookies.
fn host_of(url: &Url) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_name();
    Some(host.strip_suffix('.').unwrap_or(host).to_lowercase())
}

/// The domain of a cookie that `host` sets for `domain`, and whether it is for the host alone;
/// `None` if the host may not set it.
fn domain_of(host: &str, domain: &str) -> Option<(String, bool)> {
    if domain.is_empty() {
        return Some((host.to_owned(), true));
    }
    if is_ip(host) {
        return (host == domain).then(|| (host.to_owned(), true));
    }
    let domain = domain.strip_prefix('.').unwrap_or(domain);
    let malformed =
        domain.is_empty() || domain.starts_with('.') || domain.ends_with('.') || !domain.is_ascii();
    if malformed {
        return None;
    }
    let domain = domain.to_ascii_lowercase();
    (host == domain || is_below(host, &domain)).then_some((domain, false))
}

fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain)
        .is_some_and(|before| before.ends_with('.'))
}

fn is_ip(host: &str) -> bool {
    host.contains([':', '%']) || host.parse::<IpAddr>().is_ok()
}

/// Whether secure cookies may be sent there without TLS.
fn is_loopback(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let last = host.rsplit('.').next().unwrap_or_default();
    last.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The folder of a path (RFC 6265, 5.1.4).
fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        Some(at) if at > 0 && path.starts_with('/') => &path[..at],
        _ => "/",
    }
}
