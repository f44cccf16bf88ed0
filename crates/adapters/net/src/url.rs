//! URLs as k6 reads and writes them, which is as Go's `net/url` does.
//!
//! Unlike with the WHATWG rules, a URL stays as written: no slash is added, dots are not removed,
//! hosts keep their case. Paths are escaped where a byte is not allowed; queries are not changed.
//! A [`Url`] is parsed once and only read after that.

mod escape;
mod resolve;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use escape::{Part, escape, unescape};
pub(crate) use escape::{escape_form, quoted};

/// Why a text is not a URL, as k6 shows it after `invalid URL: `.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("parse {}: {reason}", quoted(.text))]
pub struct UrlError {
    /// The text.
    pub text: String,
    /// The reason.
    pub reason: String,
}

/// User name and password before the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserInfo {
    /// The name, unescaped; may be empty.
    pub name: String,
    /// The password, unescaped, if there is a colon.
    pub password: Option<String>,
}

/// A parsed URL, absolute or relative.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Url {
    scheme: String,
    opaque: String,
    user: Option<UserInfo>,
    /// Host with port as written, unescaped.
    host: String,
    /// Where the host's name ends in `host`.
    host_name_end: usize,
    /// The path as sent.
    path: String,
    omits_host: bool,
    query: Option<String>,
    fragment: Option<String>,
    /// The protocol of `scheme`.
    protocol: Protocol,
    /// See [`Self::port`]. Computed once from `scheme` and `host`, because each request needs it.
    port: Option<u16>,
}

/// The protocol that a scheme stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Protocol {
    Http,
    Https,
    #[default]
    Other,
}

impl Url {
    /// Parses a URL or a relative reference.
    ///
    /// # Errors
    /// [`UrlError`] with the whole text and the reason.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        Self::read(text).map_err(|reason| UrlError {
            text: text.to_owned(),
            reason,
        })
    }

    fn read(text: &str) -> Result<Self, String> {
        let (before, fragment) = match text.split_once('#') {
            Some((before, fragment)) => (before, Some(fragment)),
            None => (text, None),
        };
        if before.bytes().any(|b| b < 0x20 || b == 0x7f) {
            return Err("net/url: invalid control character in URL".to_owned());
        }
        let mut url = Self {
            fragment: match fragment {
                None | Some("") => None,
                Some(fragment) => Some(normal(fragment, Part::Fragment)?),
            },
            ..Self::default()
        };
        if before == "*" {
            url.path = "*".to_owned();
            return Ok(url);
        }
        let (scheme, rest) = split_scheme(before)?;
        url.scheme = scheme.to_ascii_lowercase();
        let rest = match rest.split_once('?') {
            Some((rest, query)) => {
                url.query = Some(query.to_owned());
                rest
            }
            None => rest,
        };
        url.read_hierarchy(rest)?;
        url.settle();
        Ok(url)
    }

    /// Computes what depends on scheme and host.
    fn settle(&mut self) {
        self.protocol = match self.scheme.as_str() {
            "http" => Protocol::Http,
            "https" => Protocol::Https,
            _ => Protocol::Other,
        };
        self.port = match (self.port_text(), self.protocol) {
            (Some(text), _) => text.parse().ok(),
            (None, Protocol::Http) => Some(80),
            (None, Protocol::Https) => Some(443),
            (None, Protocol::Other) => None,
        };
    }

    /// Parses the part between scheme and query.
    fn read_hierarchy(&mut self, rest: &str) -> Result<(), String> {
        if !rest.starts_with('/') {
            if !self.scheme.is_empty() {
                self.opaque = rest.to_owned();
                return Ok(());
            }
            let segment = rest.split('/').next().unwrap_or_default();
            if segment.contains(':') {
                return Err("first path segment in URL cannot contain colon".to_owned());
            }
        }
        let has_authority =
            rest.starts_with("//") && (!self.scheme.is_empty() || !rest.starts_with("///"));
        let path = if has_authority {
            let end = rest[2..].find('/').map_or(rest.len(), |at| at + 2);
            self.read_authority(&rest[2..end])?;
            &rest[end..]
        } else {
            self.omits_host = !self.scheme.is_empty() && rest.starts_with('/');
            rest
        };
        self.path = normal(path, Part::Path)?;
        Ok(())
    }

    fn read_authority(&mut self, authority: &str) -> Result<(), String> {
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        self.read_host(host)?;
        let Some(user) = user else { return Ok(()) };
        if !user
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c))
        {
            return Err("net/url: invalid userinfo".to_owned());
        }
        self.user = Some(match user.split_once(':') {
            None => UserInfo {
                name: unescape(user, Part::User)?,
                password: None,
            },
            Some((name, password)) => UserInfo {
                name: unescape(name, Part::User)?,
                password: Some(unescape(password, Part::User)?),
            },
        });
        Ok(())
    }

    fn read_host(&mut self, host: &str) -> Result<(), String> {
        let port_at = match host.rfind('[') {
            Some(0) => match host.rfind(']') {
                Some(end) => end + 1,
                None => return Err("missing ']' in host".to_owned()),
            },
            Some(_) => return Err("invalid IP-literal".to_owned()),
            None => host.find(':').unwrap_or(host.len()),
        };
        let (name, port) = host.split_at(port_at);
        let valid = match port.strip_prefix(':') {
            Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()),
            None => port.is_empty(),
        };
        if !valid {
            return Err(format!("invalid port {} after host", quoted(port)));
        }
        if let Some(literal) = name.strip_prefix('[') {
            let literal = literal.trim_end_matches(']');
            let (address, zone) = match literal.split_once("%25") {
                Some((address, zone)) => (address, Some(unescape(zone, Part::Host)?)),
                None => (literal, None),
            };
            match address.parse::<IpAddr>() {
                Ok(IpAddr::V6(_)) => {}
                Ok(IpAddr::V4(_)) => return Err("invalid IP-literal".to_owned()),
                Err(_) => {
                    return Err(format!(
                        "invalid host: ParseAddr({}): unable to parse IP",
                        quoted(literal)
                    ));
                }
            }
            self.host = match zone {
                Some(zone) => format!("[{address}%{zone}]"),
                None => name.to_owned(),
            };
        } else {
            self.host = unescape(name, Part::Host)?;
        }
        self.host_name_end = self.host.len();
        // An empty port is the same as none.
        if port.len() > 1 {
            self.host.push_str(port);
        }
        Ok(())
    }

    /// The scheme in lower case; empty in a relative reference.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Whether the scheme is `https`.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.protocol == Protocol::Https
    }

    /// Whether the scheme is `http` or `https`.
    #[must_use]
    pub fn is_http(&self) -> bool {
        self.protocol != Protocol::Other
    }

    /// User name and password.
    #[must_use]
    pub fn user(&self) -> Option<&UserInfo> {
        self.user.as_ref()
    }

    /// The same URL without user name and password.
    #[must_use]
    pub fn without_user(&self) -> Self {
        Self {
            user: None,
            ..self.clone()
        }
    }

    /// Host with port, as in the `Host` header.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The host's name or address; an IPv6 address without its brackets.
    #[must_use]
    pub fn host_name(&self) -> &str {
        let name = &self.host[..self.host_name_end];
        name.strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
            .unwrap_or(name)
    }

    /// The port as written, without the colon.
    #[must_use]
    pub fn port_text(&self) -> Option<&str> {
        self.host[self.host_name_end..].strip_prefix(':')
    }

    /// The port as written, or the scheme's default; `None` if it exceeds 65535 or there is no
    /// default.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The path, escaped; may be empty.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The unescaped path.
    #[must_use]
    pub fn unescaped_path(&self) -> Cow<'_, str> {
        if self.path.contains('%') {
            // It was parsed with the URL, so this cannot fail.
            unescape(&self.path, Part::Path).map_or(Cow::Borrowed(&self.path), Cow::Owned)
        } else {
            Cow::Borrowed(&self.path)
        }
    }

    /// The URL as Go shows it in errors: `***` for the password.
    #[must_use]
    pub fn without_password(&self) -> String {
        let Some(UserInfo {
            name,
            password: Some(_),
        }) = &self.user
        else {
            return self.to_string();
        };
        let shown = self.without_user().to_string();
        shown.replacen("//", &format!("//{name}:***@"), 1)
    }

    /// The text between `?` and `#`.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// The same with what no request line can hold escaped in its query, too, as programs do that
    /// take URLs from people.
    #[must_use]
    pub fn with_escaped_query(mut self) -> Self {
        self.query = self.query.map(|query| escape(&query, Part::Query));
        self
    }

    /// Appends the request target, that is path and query: `/`, `/a?b=1`.
    pub fn push_target(&self, out: &mut String) {
        if self.opaque.is_empty() {
            if !self.path.starts_with('/') && self.path != "*" {
                out.push('/');
            }
            out.push_str(&self.path);
        } else {
            out.push_str(&self.opaque);
        }
        if let Some(query) = &self.query {
            out.push('?');
            out.push_str(query);
        }
    }

    /// The URL with `****` for user name and password, if any.
    #[must_use]
    pub fn masked(&self) -> String {
        struct Masked<'u>(&'u Url);
        impl fmt::Display for Masked<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, |_| "****".to_owned())
            }
        }
        Masked(self).to_string()
    }

    /// Writes the URL; `credential` maps user name and password.
    fn write(&self, out: &mut fmt::Formatter<'_>, credential: fn(&str) -> String) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(out, "{}:", self.scheme)?;
        }
        if self.opaque.is_empty() {
            let authority = !self.scheme.is_empty() || !self.host.is_empty() || self.user.is_some();
            // What follows two slashes reads as a host.
            let hides_host = self.path.starts_with("//");
            let omitted =
                self.omits_host && self.host.is_empty() && self.user.is_none() && !hides_host;
            if authority && !omitted {
                if !self.host.is_empty() || !self.path.is_empty() || self.user.is_some() {
                    out.write_str("//")?;
                }
                if let Some(user) = &self.user {
                    out.write_str(&credential(&user.name))?;
                    if let Some(password) = &user.password {
                        write!(out, ":{}", credential(password))?;
                    }
                    out.write_str("@")?;
                }
                out.write_str(&escape(&self.host, Part::Host))?;
            } else if hides_host && !self.path.starts_with("///") {
                // A host without name and port.
                out.write_str("//:")?;
            }
            if !self.path.is_empty() && !self.path.starts_with('/') && !self.host.is_empty() {
                out.write_str("/")?;
            }
            let first_segment = self.path.split('/').next().unwrap_or_default();
            if self.scheme.is_empty() && !authority && first_segment.contains(':') {
                // It would read as a scheme (RFC 3986, 4.2).
                out.write_str("./")?;
            }
            out.write_str(&self.path)?;
        } else {
            out.write_str(&self.opaque)?;
        }
        if let Some(query) = &self.query {
            write!(out, "?{query}")?;
        }
        if let Some(fragment) = &self.fragment {
            write!(out, "#{fragment}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |text| escape(text, Part::User))
    }
}

/// Splits off `http:`. A text that cannot begin with a scheme has none.
fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    for (at, c) in text.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at == 0 => return Err("missing protocol scheme".to_owned()),
            ':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

/// `text` as sent: as written if nothing needs escaping, otherwise unescaped and escaped again.
fn normal(text: &str, part: Part) -> Result<String, String> {
    let plain = unescape(text, part)?;
    if part.is_valid_escaped(text) {
        return Ok(text.to_owned());
    }
    Ok(escape(&plain, part))
}
