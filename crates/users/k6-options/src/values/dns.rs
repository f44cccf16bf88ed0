//! How host names are looked up.

use std::time::Duration;

use crate::go::parse_extended_duration;

/// Which of several addresses is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DnsSelect {
    /// The first.
    First,
    /// One after the other.
    RoundRobin,
    /// Any.
    Random,
}

/// Which kinds of addresses are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DnsPolicy {
    /// IPv4, or else IPv6.
    PreferIpv4,
    /// IPv6, or else IPv4.
    PreferIpv6,
    /// IPv4.
    OnlyIpv4,
    /// IPv6.
    OnlyIpv6,
    /// Both.
    Any,
}

/// How long an answer is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DnsTtl {
    /// Not again.
    Off,
    /// For so long.
    For(Duration),
    /// For the whole test.
    Forever,
}

/// How host names are looked up, as far as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DnsOptions {
    /// How long an answer is used, as written.
    pub ttl: Option<String>,
    /// Which of several addresses is taken.
    pub select: Option<DnsSelect>,
    /// Which kinds of addresses are taken.
    pub policy: Option<DnsPolicy>,
}

/// What k6 takes for "nothing written", though it is a full text.
const DEFAULT_TEXT: &str = "ttl=5m,select=random,policy=preferIPv4";

impl DnsOptions {
    /// Reads `ttl=1m,select=first,policy=any`, parts in any order.
    ///
    /// # Errors
    /// k6's text, with the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut options = Self::default();
        if text == DEFAULT_TEXT {
            return Ok(options);
        }
        let parts = text.split(',').map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if value.is_empty() {
                return Err(format!("no value for key {part}"));
            }
            Ok((name, value))
        });
        let parts: Result<Vec<_>, _> = parts.collect();
        for (name, value) in parts? {
            match name {
                "ttl" => options.ttl = Some(value.to_owned()),
                "select" => options.select = Some(DnsSelect::parse(value)?),
                "policy" => options.policy = Some(DnsPolicy::parse(value)?),
                _ => return Err(format!("unknown DNS configuration field: {name}")),
            }
        }
        Ok(options)
    }

    /// How long an answer is used; 5 min unless written.
    ///
    /// # Errors
    /// k6's text, with what was written.
    pub fn checked_ttl(&self) -> Result<DnsTtl, String> {
        let text = self.ttl.as_deref().unwrap_or_default();
        match text {
            "inf" => Ok(DnsTtl::Forever),
            "" => Ok(DnsTtl::For(Duration::from_secs(300))),
            _ => {
                let length = parse_extended_duration(text).ok();
                match length.and_then(|length| length.length()) {
                    None => Err(format!("invalid DNS TTL: {text}")),
                    Some(Duration::ZERO) => Ok(DnsTtl::Off),
                    Some(length) => Ok(DnsTtl::For(length)),
                }
            }
        }
    }
}

impl DnsSelect {
    const ALL: [Self; 3] = [Self::First, Self::RoundRobin, Self::Random];

    /// Reads its name.
    ///
    /// # Errors
    /// k6's text, with what was written.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|select| select.name() == text);
        found.ok_or_else(|| format!("{text} does not belong to DNSSelect values"))
    }

    /// Its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::RoundRobin => "roundRobin",
            Self::Random => "random",
        }
    }
}

impl DnsPolicy {
    const ALL: [Self; 5] = [
        Self::PreferIpv4,
        Self::PreferIpv6,
        Self::OnlyIpv4,
        Self::OnlyIpv6,
        Self::Any,
    ];

    /// Reads its name.
    ///
    /// # Errors
    /// k6's text, with what was written.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|policy| policy.name() == text);
        found.ok_or_else(|| format!("{text} does not belong to DNSPolicy values"))
    }

    /// Its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreferIpv4 => "preferIPv4",
            Self::PreferIpv6 => "preferIPv6",
            Self::OnlyIpv4 => "onlyIPv4",
            Self::OnlyIpv6 => "onlyIPv6",
            Self::Any => "any",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ttl_is_a_length_or_a_word() {
        let ttl = |text: &str| {
            let ttl = Some(text.to_owned());
            DnsOptions {
                ttl,
                ..DnsOptions::default()
            }
            .checked_ttl()
        };
        assert_eq!(ttl("inf"), Ok(DnsTtl::Forever));
        assert_eq!(ttl("0"), Ok(DnsTtl::Off));
        assert_eq!(ttl("1500"), Ok(DnsTtl::For(Duration::from_millis(1500))));
        assert_eq!(ttl("-1s"), Err("invalid DNS TTL: -1s".to_owned()));
        assert_eq!(ttl(""), DnsOptions::default().checked_ttl());
    }
}
