//! Versions and cipher suites: k6's names, and what is offered in which order.

use std::fmt;
use std::str::FromStr;

use rustls::{CipherSuite, ProtocolVersion, SupportedCipherSuite};

use super::error::TlsError;

/// A version of TLS we speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TlsVersion {
    /// TLS 1.2
    Tls12,
    /// TLS 1.3
    Tls13,
}

impl TlsVersion {
    /// `tls1.2`, `tls1.3`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tls12 => "tls1.2",
            Self::Tls13 => "tls1.3",
        }
    }
}

impl fmt::Display for TlsVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a connection came to: k6's `tls_version` and `tls_cipher_suite`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TlsInfo {
    /// The version.
    pub version: TlsVersion,
    /// The suite, by Go's name.
    pub cipher_suite: &'static str,
}

/// Go's names of versions, oldest first.
const VERSIONS: [&str; 4] = ["tls1.0", "tls1.1", "tls1.2", "tls1.3"];

/// A range of versions that holds at least one we speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TlsVersions {
    min: TlsVersion,
    max: TlsVersion,
}

impl Default for TlsVersions {
    fn default() -> Self {
        Self {
            min: TlsVersion::Tls12,
            max: TlsVersion::Tls13,
        }
    }
}

impl TlsVersions {
    /// The versions from `min` to `max` (`tls1.0` to `tls1.3`; empty: any) that we speak:
    /// those older than 1.2 are never offered.
    ///
    /// # Errors
    /// [`TlsError::UnknownVersion`]; [`TlsError::UnsupportedVersions`] when none is left.
    pub fn between(min: &str, max: &str) -> Result<Self, TlsError> {
        let position = |text: &str, if_empty: usize| match text {
            "" => Ok(if_empty),
            text => VERSIONS
                .iter()
                .position(|version| *version == text)
                .ok_or_else(|| TlsError::UnknownVersion(text.to_owned())),
        };
        let (from, to) = (position(min, 2)?, position(max, 3)?);
        if to < 2 || to < from {
            return Err(TlsError::UnsupportedVersions {
                min: VERSIONS[from].to_owned(),
                max: VERSIONS[to].to_owned(),
            });
        }
        let spoken = |at: usize| {
            if at < 3 {
                TlsVersion::Tls12
            } else {
                TlsVersion::Tls13
            }
        };
        Ok(Self {
            min: spoken(from),
            max: spoken(to),
        })
    }

    pub(super) fn holds(self, version: TlsVersion) -> bool {
        self.min <= version && version <= self.max
    }
}

impl FromStr for TlsVersions {
    type Err = TlsError;

    /// One version alone.
    fn from_str(text: &str) -> Result<Self, TlsError> {
        Self::between(text, text)
    }
}

/// The suites offered with TLS 1.2; those of TLS 1.3 cannot be chosen, as in Go.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CipherSuites(pub(super) Option<Vec<&'static str>>);

impl CipherSuites {
    /// The suites of these names.
    ///
    /// # Errors
    /// [`TlsError::UnknownSuite`] for what is no name.
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, TlsError> {
        let find = |name: &str| {
            cipher_suite_name(name).ok_or_else(|| TlsError::UnknownSuite(name.to_owned()))
        };
        let names: Result<Vec<_>, _> = names.into_iter().map(find).collect();
        Ok(Self(Some(names?)))
    }
}

/// The name of a cipher suite that k6 knows, if `name` is one; it may be one we do not speak.
#[must_use]
pub fn cipher_suite_name(name: &str) -> Option<&'static str> {
    let mut known = SPOKEN.iter().map(|(_, name)| *name).chain(NOT_SPOKEN);
    known.find(|known| *known == name)
}

/// What we speak, by Go's names, in the order Go offers it.
pub(super) const SPOKEN: [(CipherSuite, &str); 9] = [
    (
        CipherSuite::TLS13_AES_128_GCM_SHA256,
        "TLS_AES_128_GCM_SHA256",
    ),
    (
        CipherSuite::TLS13_AES_256_GCM_SHA384,
        "TLS_AES_256_GCM_SHA384",
    ),
    (
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256,
        "TLS_CHACHA20_POLY1305_SHA256",
    ),
    (
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    ),
    (
        CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    ),
    (
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    ),
    (
        CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    ),
    (
        CipherSuite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
    ),
    (
        CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
    ),
];

/// What k6 knows and we do not speak: no forward secrecy, or CBC, RC4, 3DES.
const NOT_SPOKEN: [&str; 16] = [
    "TLS_RSA_WITH_RC4_128_SHA",
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA",
    "TLS_RSA_WITH_AES_256_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
];

pub(super) fn go_name(suite: CipherSuite) -> &'static str {
    let found = SPOKEN.iter().find(|(spoken, _)| *spoken == suite);
    found.map_or("", |(_, name)| name)
}

/// What was agreed on.
pub(crate) fn info(
    version: Option<ProtocolVersion>,
    suite: Option<SupportedCipherSuite>,
) -> Option<TlsInfo> {
    let version = match version? {
        ProtocolVersion::TLSv1_2 => TlsVersion::Tls12,
        ProtocolVersion::TLSv1_3 => TlsVersion::Tls13,
        _ => return None,
    };
    Some(TlsInfo {
        version,
        cipher_suite: go_name(suite?.suite()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_older_than_1_2_are_not_offered() {
        let between = TlsVersions::between;
        assert_eq!(between("", ""), Ok(TlsVersions::default()));
        assert_eq!(between("tls1.0", "tls1.3"), Ok(TlsVersions::default()));
        assert_eq!(between("tls1.0", "tls1.2"), "tls1.2".parse());
        assert_eq!(
            "tls1.1".parse::<TlsVersions>().unwrap_err().to_string(),
            "TLS versions from tls1.1 to tls1.1 are not supported, only tls1.2 and tls1.3 are"
        );
        assert!(between("tls1.3", "tls1.2").is_err());
        let unknown = "ssl3".parse::<TlsVersions>().unwrap_err();
        assert_eq!(unknown.to_string(), "unknown TLS version 'ssl3'");
    }
}
