//! Judging a server's certificate, in the order Go does: dates, name, authority.
//!
//! The order decides which of several faults a user is told. The rules are webpki's, but
//! for one: a certificate that is itself among the roots is trusted although it says it is
//! an authority, which is what a self-signed test certificate usually says.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
};

use super::public_key::public_key;
use crate::failure::ChainFault;

/// What to judge with; `skip` takes every certificate, but still wants the server to have
/// its key.
pub(super) fn verifier(
    skip: bool,
    roots: &Arc<RootCertStore>,
    provider: &CryptoProvider,
) -> Arc<dyn ServerCertVerifier> {
    Arc::new(Verifier {
        roots: (!skip).then(|| roots.clone()),
        algorithms: provider.signature_verification_algorithms,
    })
}

#[derive(Debug)]
struct Verifier {
    /// Absent: everything is trusted.
    roots: Option<Arc<RootCertStore>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(roots) = &self.roots else {
            return Ok(ServerCertVerified::assertion());
        };
        let certificate = ParsedCertificate::try_from(end_entity)
            .map_err(|error| without_names(end_entity, server_name).unwrap_or(error))?;
        let signed = verify_server_cert_signed_by_trust_anchor(
            &certificate,
            roots,
            intermediates,
            now,
            self.algorithms.all,
        );
        let Err(fault) = signed else {
            verify_server_name(&certificate, server_name)?;
            return Ok(ServerCertVerified::assertion());
        };
        if is_about_dates(&fault) {
            return Err(fault);
        }
        verify_server_name(&certificate, server_name)?;
        if matches!(
            fault,
            Error::InvalidCertificate(
                CertificateError::UnknownIssuer | CertificateError::BadSignature
            )
        ) {
            return Err(unknown_authority(end_entity, intermediates));
        }
        if !names_authority(&fault) {
            return Err(fault);
        }
        if is_among(roots, end_entity) {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(unknown_authority(end_entity, intermediates))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let verified = verify_tls12_signature(message, certificate, signed, &self.algorithms);
        self.or_unreadable(message, certificate, signed, verified)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let verified = verify_tls13_signature(message, certificate, signed, &self.algorithms);
        self.or_unreadable(message, certificate, signed, verified)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

impl Verifier {
    /// Where every certificate is taken, also one that webpki does not read (X.509 version 1): its key is looked
    /// up and asked all the same.
    fn or_unreadable(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
        verified: Result<HandshakeSignatureValid, Error>,
    ) -> Result<HandshakeSignatureValid, Error> {
        let is_readable = || webpki::EndEntityCert::try_from(certificate).is_ok();
        if self.roots.is_some() || verified.is_ok() || is_readable() {
            return verified;
        }
        let Some(key) = public_key(certificate) else {
            return Err(Error::InvalidCertificate(CertificateError::BadEncoding));
        };
        let mapping = self.algorithms.mapping.iter();
        let algorithms = mapping
            .filter(|(scheme, _)| *scheme == signed.scheme)
            .flat_map(|(_, algorithms)| *algorithms);
        let key = webpki::RawPublicKeyEntity::try_from(&key);
        let has_signed = key.is_ok_and(|key| {
            let mut algorithms = algorithms;
            algorithms.any(|a| {
                key.verify_signature(*a, message, signed.signature())
                    .is_ok()
            })
        });
        if has_signed {
            Ok(HandshakeSignatureValid::assertion())
        } else {
            Err(Error::InvalidCertificate(CertificateError::BadSignature))
        }
    }
}

fn is_about_dates(error: &Error) -> bool {
    matches!(
        error,
        Error::InvalidCertificate(
            CertificateError::ExpiredContext { .. } | CertificateError::NotValidYetContext { .. }
        )
    )
}

/// The error for a certificate of an older version of X.509, which webpki does not read: it cannot name hosts.
fn without_names(certificate: &CertificateDer<'_>, host: &ServerName<'_>) -> Option<Error> {
    let unread = webpki::EndEntityCert::try_from(certificate).err()?;
    let nameless = CertificateError::NotValidForNameContext {
        expected: host.to_owned(),
        presented: Vec::new(),
    };
    (unread == webpki::Error::UnsupportedCertVersion).then_some(Error::InvalidCertificate(nameless))
}

/// The error for a certificate without a known authority, with what its chain lacks.
fn unknown_authority(certificate: &CertificateDer<'_>, above: &[CertificateDer<'_>]) -> Error {
    let fault = if signed_itself(certificate) {
        ChainFault::SelfSigned
    } else if above.iter().any(signed_itself) {
        ChainFault::SelfSignedAbove
    } else if above.is_empty() {
        ChainFault::Alone
    } else {
        ChainFault::Incomplete
    };
    Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(fault))))
}

/// Whether a certificate names itself as its issuer.
fn signed_itself(certificate: &CertificateDer<'_>) -> bool {
    webpki::EndEntityCert::try_from(certificate)
        .is_ok_and(|certificate| certificate.issuer() == certificate.subject())
}

/// Whether the only fault found is that the server's certificate is an authority's.
fn names_authority(error: &Error) -> bool {
    let Error::InvalidCertificate(CertificateError::Other(other)) = error else {
        return false;
    };
    let fault = other.0.downcast_ref::<webpki::Error>();
    matches!(fault, Some(webpki::Error::CaUsedAsEndEntity))
}

/// Whether a root has the certificate's name and key.
fn is_among(roots: &RootCertStore, certificate: &CertificateDer<'_>) -> bool {
    let mut own = RootCertStore::empty();
    // What cannot be a root is not among them.
    let parsed = own.add(certificate.clone().into_owned());
    parsed.is_ok() && roots.roots.contains(&own.roots[0])
}
