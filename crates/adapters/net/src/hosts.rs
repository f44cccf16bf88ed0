//! Redirected and blocked hosts: k6's `hosts`, `blockHostnames` and `blacklistIPs`.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// Why a host, pattern or range is malformed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// Not a pattern that `hosts` accepts.
    #[error("invalid host pattern '{0}'")]
    HostPattern(String),
    /// Not a pattern that `blockHostnames` accepts.
    #[error("invalid hostname pattern '{0}'")]
    NamePattern(String),
    /// Not an address, or address and port.
    #[error("invalid address '{0}': expected IP or IP:port")]
    Target(String),
    /// Not an address range.
    #[error("failed to parse CIDR '{0}': invalid CIDR address: {0}")]
    Range(String),
}

/// The address that [`HostMap`] gives for a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostAddress {
    /// The address.
    pub ip: IpAddr,
    /// The port, if it replaces that of the URL.
    pub port: Option<u16>,
}

impl FromStr for HostAddress {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        if let Ok(ip) = text.parse() {
            return Ok(Self { ip, port: None });
        }
        let address: SocketAddr = text
            .parse()
            .map_err(|_| HostError::Target(text.to_owned()))?;
        Ok(Self {
            ip: address.ip(),
            // k6 treats port 0 as none.
            port: Some(address.port()).filter(|port| *port != 0),
        })
    }
}

/// Names in lower case, some with a leading `*`; the most specific one applies.
#[derive(Debug, Clone)]
struct Patterns<T> {
    exact: HashMap<String, T>,
    /// The texts after the `*`, longest first.
    suffixes: Vec<(String, T)>,
}

impl<T> Default for Patterns<T> {
    fn default() -> Self {
        Self {
            exact: HashMap::new(),
            suffixes: Vec::new(),
        }
    }
}

impl<T> Patterns<T> {
    fn insert(&mut self, pattern: &str, value: T) {
        match pattern.strip_prefix('*') {
            None => {
                self.exact.insert(pattern.to_owned(), value);
            }
            Some(suffix) => {
                self.suffixes.retain(|(kept, _)| kept != suffix);
                self.suffixes.push((suffix.to_owned(), value));
                self.suffixes
                    .sort_by_key(|(kept, _)| std::cmp::Reverse(kept.len()));
            }
        }
    }

    fn get(&self, name: &str) -> Option<&T> {
        self.exact.get(name).or_else(|| {
            let fits = |(suffix, _): &&(String, T)| name.ends_with(suffix.as_str());
            self.suffixes.iter().find(fits).map(|(_, value)| value)
        })
    }

    fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.suffixes.is_empty()
    }
}

/// Letters, digits and inner hyphens between dots; a leading `*` or `*.`; and, if allowed, a
/// port.
fn is_pattern(text: &str, with_port: bool) -> bool {
    let mut rest = text;
    if with_port && let Some((before, port)) = text.rsplit_once(':') {
        if port.is_empty() || port.len() > 5 || !port.bytes().all(|b| b.is_ascii_digit()) {
            return false;
        }
        rest = before;
    }
    if let Some(suffix) = rest.strip_prefix('*') {
        rest = suffix.strip_prefix('.').unwrap_or(suffix);
    }
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        !label.is_empty()
            && bytes
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || *b == b'-')
            && bytes.first() != Some(&b'-')
            && bytes.last() != Some(&b'-')
    };
    rest.is_empty() || rest.split('.').all(is_label)
}

/// k6's `hosts`: names, with or without a port, and their addresses.
#[derive(Debug, Clone, Default)]
pub struct HostMap(Patterns<HostAddress>);

impl HostMap {
    /// Maps `name`, `name:port`, `*.name` or `*.name:port` to addresses.
    ///
    /// # Errors
    /// [`HostError::HostPattern`].
    pub fn new<'p>(
        entries: impl IntoIterator<Item = (&'p str, HostAddress)>,
    ) -> Result<Self, HostError> {
        let mut patterns = Patterns::default();
        for (pattern, target) in entries {
            if !is_pattern(pattern, true) {
                return Err(HostError::HostPattern(pattern.to_owned()));
            }
            patterns.insert(&pattern.to_lowercase(), target);
        }
        Ok(Self(patterns))
    }

    /// The address for `host` and `port`; an entry with a port has priority.
    #[must_use]
    pub fn get(&self, host: &str, port: u16) -> Option<SocketAddr> {
        if self.0.is_empty() {
            return None;
        }
        let host = host.to_lowercase();
        let with_port = if host.contains(':') {
            format!("[{host}]:{port}")
        } else {
            format!("{host}:{port}")
        };
        let target = self.0.get(&with_port).or_else(|| self.0.get(&host))?;
        Some(SocketAddr::new(target.ip, target.port.unwrap_or(port)))
    }
}

/// k6's `blockHostnames`.
#[derive(Debug, Clone, Default)]
pub struct BlockedNames(Patterns<String>);

impl BlockedNames {
    /// The names `name` or `*.name`.
    ///
    /// # Errors
    /// [`HostError::NamePattern`].
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Self, HostError> {
        let mut blocked = Patterns::default();
        for pattern in patterns {
            if !is_pattern(pattern, false) {
                return Err(HostError::NamePattern(pattern.to_owned()));
            }
            let pattern = pattern.to_lowercase();
            blocked.insert(&pattern, pattern.clone());
        }
        Ok(Self(blocked))
    }

    /// The pattern that `host` matches.
    #[must_use]
    pub fn find(&self, host: &str) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&host.to_lowercase()).map(String::as_str)
    }
}

/// A range of addresses in CIDR notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpRange {
    /// The first address.
    first: IpAddr,
    bits: u8,
}

impl IpRange {
    /// Whether `ip` is in the range.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        match (self.first, ip.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(ip)) => masked_v4(ip.into(), self.bits) == first.into(),
            (IpAddr::V6(first), IpAddr::V6(ip)) => masked_v6(ip.into(), self.bits) == first.into(),
            _ => false,
        }
    }
}

fn masked_v4(ip: u32, bits: u8) -> u32 {
    ip & u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0)
}

fn masked_v6(ip: u128, bits: u8) -> u128 {
    ip & u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0)
}

impl FromStr for IpRange {
    type Err = HostError;

    /// Parses `10.0.0.0/8`; the address may be any in the range.
    fn from_str(text: &str) -> Result<Self, HostError> {
        let bad = || HostError::Range(text.to_owned());
        let (ip, bits) = text.split_once('/').ok_or_else(bad)?;
        if !bits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
        let bits: u8 = bits.parse().map_err(|_| bad())?;
        let first = match ip.parse::<IpAddr>().map_err(|_| bad())? {
            IpAddr::V4(ip) if bits <= 32 => IpAddr::V4(masked_v4(ip.into(), bits).into()),
            IpAddr::V6(ip) if bits <= 128 => IpAddr::V6(masked_v6(ip.into(), bits).into()),
            _ => return Err(bad()),
        };
        Ok(Self { first, bits })
    }
}

impl fmt::Display for IpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, &str)]) -> HostMap {
        let parsed = entries.iter().map(|(p, t)| (*p, t.parse().unwrap()));
        HostMap::new(parsed).unwrap()
    }

    #[test]
    fn the_most_exact_host_counts() {
        let hosts = map(&[
            ("*.test", "10.0.0.1"),
            ("*.b.test", "10.0.0.2:81"),
            ("a.b.test", "10.0.0.3"),
            ("A.B.Test:8443", "[::1]:9"),
        ]);
        for (host, port, expected) in [
            ("x.test", 80, Some("10.0.0.1:80")),
            ("x.b.test", 80, Some("10.0.0.2:81")),
            ("a.b.TEST", 80, Some("10.0.0.3:80")),
            ("a.b.test", 8443, Some("[::1]:9")),
            ("test", 80, None),
            ("::1", 80, None),
        ] {
            let expected = expected.map(|e: &str| e.parse().unwrap());
            assert_eq!(hosts.get(host, port), expected, "{host}:{port}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for good in ["a", "a-b.c", "*", "*.a", "*a", "a:80", "1.2.3.4", ""] {
            assert!(is_pattern(good, true), "{good}");
        }
        for bad in ["a.", "-a", "a_b", "a.*", "a:", "a:123456", "a b", "[::1]"] {
            assert!(!is_pattern(bad, true), "{bad}");
        }
        let refused = BlockedNames::new(["a:80"]).unwrap_err();
        assert_eq!(refused.to_string(), "invalid hostname pattern 'a:80'");
        assert!("10.0.0.1:x".parse::<HostAddress>().is_err());
    }

    #[test]
    fn a_blocked_name_tells_its_pattern() {
        let blocked = BlockedNames::new(["*.bad.test", "one.test"]).unwrap();
        assert_eq!(blocked.find("X.bad.test"), Some("*.bad.test"));
        assert_eq!(blocked.find("one.test"), Some("one.test"));
        assert_eq!(blocked.find("bad.test"), None);
    }

    #[test]
    fn ranges_hold_their_addresses_and_show_their_first() {
        let range: IpRange = "10.9.8.7/16".parse().unwrap();
        assert_eq!(range.to_string(), "10.9.0.0/16");
        assert!(range.contains("10.9.255.255".parse().unwrap()));
        assert!(range.contains("::ffff:10.9.1.1".parse().unwrap()));
        assert!(!range.contains("10.10.0.0".parse().unwrap()));
        let all: IpRange = "::/0".parse().unwrap();
        assert!(all.contains("fe80::1".parse().unwrap()));
        let one: IpRange = "::1/128".parse().unwrap();
        assert!(one.contains("::1".parse().unwrap()) && !one.contains("::2".parse().unwrap()));
        for bad in ["10.0.0.0", "10.0.0.0/33", "x/8", "10.0.0.0/+8", "::/129"] {
            assert!(bad.parse::<IpRange>().is_err(), "{bad}");
        }
    }
}
