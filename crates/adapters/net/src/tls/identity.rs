//! Client certificates, and which one a server is shown.

use std::sync::Arc;

use rustls::client::ResolvesClientCert;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{DistinguishedName, InconsistentKeys, SignatureScheme};
use webpki::EndEntityCert;

use super::error::TlsError;

/// A certificate of ours, its key, and the hosts it is meant for (k6's `tlsAuth`).
#[derive(Debug, Clone)]
pub struct Identity {
    key: Arc<CertifiedKey>,
    domains: Vec<String>,
}

impl Identity {
    /// Reads certificate chain and key, both PEM. `domains` are hosts, `*.` may stand for
    /// one label.
    ///
    /// # Errors
    /// [`TlsError`]: unreadable, encrypted, or a key of another certificate.
    pub fn from_pem(
        certificate: &[u8],
        key: &[u8],
        domains: Vec<String>,
    ) -> Result<Self, TlsError> {
        let bad_certificate = |reason: String| TlsError::Certificate(reason);
        let chain: Vec<_> = CertificateDer::pem_slice_iter(certificate)
            .collect::<Result<_, _>>()
            .map_err(|e| bad_certificate(e.to_string()))?;
        if chain.is_empty() {
            return Err(bad_certificate("there is none".to_owned()));
        }
        if key.windows(9).any(|word| word == b"ENCRYPTED") {
            return Err(TlsError::EncryptedKey);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|e| TlsError::Key(e.to_string()))?;
        let key = CertifiedKey::from_der(chain, key, &aws_lc_rs::default_provider());
        let key = key.map_err(|error| match error {
            rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                TlsError::Key("it is not the certificate's".to_owned())
            }
            rustls::Error::InvalidCertificate(reason) => bad_certificate(format!("{reason:?}")),
            other => TlsError::Key(other.to_string()),
        })?;
        let domains = domains.iter().map(|d| d.to_lowercase()).collect();
        Ok(Self {
            key: Arc::new(key),
            domains,
        })
    }

    pub(super) fn domains(&self) -> impl Iterator<Item = &str> {
        self.domains.iter().map(String::as_str)
    }

    fn is_signed_by_any(&self, authorities: &[&[u8]]) -> bool {
        let mut issuers = self.key.cert.iter().filter_map(issuer);
        authorities.is_empty() || issuers.any(|issuer| authorities.contains(&issuer.as_ref()))
    }
}

/// The issuer's name; `None` when the certificate is malformed.
fn issuer(certificate: &CertificateDer<'_>) -> Option<DistinguishedName> {
    let certificate = EndEntityCert::try_from(certificate).ok()?;
    Some(DistinguishedName::in_sequence(certificate.issuer()))
}

/// Whether `host` is `domain`, or one label more when `domain` begins with `*.`.
pub(super) fn fits(domain: &str, host: &str) -> bool {
    match domain.strip_prefix("*.") {
        None => domain.eq_ignore_ascii_case(host),
        Some(parent) => host
            .split_once('.')
            .is_some_and(|(_, rest)| parent.eq_ignore_ascii_case(rest)),
    }
}

/// Certificates in the order they are tried.
#[derive(Debug)]
pub(super) struct Identities(Vec<Identity>);

impl Identities {
    /// Those meant for `host`, then the others: k6 shows a server the first certificate it
    /// takes, whatever the domains say.
    pub(super) fn for_host(identities: &[Identity], host: Option<&str>) -> Self {
        let mut ordered = identities.to_vec();
        ordered.sort_by_key(|identity| {
            host.is_none_or(|host| !identity.domains().any(|domain| domain == host))
        });
        Self(ordered)
    }
}

impl ResolvesClientCert for Identities {
    fn resolve(
        &self,
        authorities: &[&[u8]],
        schemes: &[SignatureScheme],
    ) -> Option<Arc<CertifiedKey>> {
        let fitting = self.0.iter().find(|identity| {
            identity.is_signed_by_any(authorities)
                && identity.key.key.choose_scheme(schemes).is_some()
        });
        fitting.map(|identity| identity.key.clone())
    }

    fn has_certs(&self) -> bool {
        !self.0.is_empty()
    }
}
