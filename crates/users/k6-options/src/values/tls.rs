//! TLS versions, cipher suites and client certificates.

use loadline_net::cipher_suite_name;

/// A version of TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TlsVersionOption {
    /// 1.0
    Tls10,
    /// 1.1
    Tls11,
    /// 1.2
    Tls12,
    /// 1.3
    Tls13,
}

impl TlsVersionOption {
    const ALL: [Self; 4] = [Self::Tls10, Self::Tls11, Self::Tls12, Self::Tls13];

    /// Reads `tls1.2`; nothing for an empty text.
    ///
    /// # Errors
    /// k6's text, with what was written.
    pub fn parse(text: &str) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let found = Self::ALL.into_iter().find(|version| version.name() == text);
        found
            .map(Some)
            .ok_or_else(|| format!("unknown TLS version '{text}'"))
    }

    /// Its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tls10 => "tls1.0",
            Self::Tls11 => "tls1.1",
            Self::Tls12 => "tls1.2",
            Self::Tls13 => "tls1.3",
        }
    }
}

/// The versions of TLS that may be used; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TlsVersionsOption {
    /// The lowest.
    pub min: Option<TlsVersionOption>,
    /// The highest.
    pub max: Option<TlsVersionOption>,
}

/// A cipher suite, by its registered name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CipherSuite(&'static str);

impl CipherSuite {
    /// Reads its name.
    ///
    /// # Errors
    /// k6's text, with what was written.
    pub fn parse(text: &str) -> Result<Self, String> {
        cipher_suite_name(text)
            .map(Self)
            .ok_or_else(|| format!("unknown cipher suite '{text}'"))
    }

    /// Its registered name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// A certificate to show to certain hosts.
#[derive(Clone, PartialEq, Eq)]
pub struct TlsAuth {
    /// The certificate and those above it, PEM.
    pub cert: String,
    /// Its key, PEM.
    pub key: String,
    /// The key's password, if it has one.
    pub password: Option<String>,
    /// Hosts to show it to, perhaps with a wildcard; all when empty.
    pub domains: Vec<String>,
}

impl std::fmt::Debug for TlsAuth {
    /// Keeps secrets out of logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TlsAuth")
            .field("domains", &self.domains)
            .finish_non_exhaustive()
    }
}

impl TlsAuth {
    /// Looks for mistakes that can be seen without reading the certificate.
    ///
    /// # Errors
    /// Go's text.
    pub fn check(&self) -> Result<(), String> {
        if self.password.is_some() {
            if !has_pem(&self.key) {
                return Err("failed to decode PEM key".to_owned());
            }
            if self.key.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") {
                return Err("encrypted pkcs8 formatted key is not supported".to_owned());
            }
        }
        if !has_pem(&self.cert) {
            return Err("tls: failed to find any PEM data in certificate input".to_owned());
        }
        if !has_pem(&self.key) {
            return Err("tls: failed to find any PEM data in key input".to_owned());
        }
        Ok(())
    }
}

fn has_pem(text: &str) -> bool {
    text.contains("-----BEGIN ") && text.contains("-----END ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEM: &str = "-----BEGIN X-----\nAA==\n-----END X-----\n";

    fn auth(cert: &str, key: &str, password: Option<&str>) -> Result<(), String> {
        let auth = TlsAuth {
            cert: cert.into(),
            key: key.into(),
            password: password.map(Into::into),
            domains: vec![],
        };
        assert!(!format!("{auth:?}").contains("BEGIN"));
        auth.check()
    }

    #[test]
    fn missing_pem_is_seen() {
        assert_eq!(auth(PEM, PEM, None), Ok(()));
        assert!(auth("x", PEM, None).unwrap_err().contains("certificate"));
        assert!(auth(PEM, "x", None).unwrap_err().contains("key input"));
        assert!(auth(PEM, "x", Some("p")).unwrap_err().contains("decode"));
    }
}
