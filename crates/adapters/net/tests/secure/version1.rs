//! Certificates of X.509 version 1, which old tools still make, and what is none.

use std::sync::Arc;

use loadline_net::TlsOptions;
use rcgen::{CertificateParams, KeyPair, SigningKey};
use rustls::crypto::aws_lc_rs::{default_provider, sign::any_supported_type};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ServerConfig, SupportedProtocolVersion};

use super::authority::with_tls;
use super::common::Bed;
use super::server::{ok, serve};
use super::tls::{URL, failure, get_ok};

/// A certificate without version and extensions, signed by itself.
fn version1(key: &KeyPair) -> Vec<u8> {
    let params = CertificateParams::new(vec!["10.0.0.1".to_owned()]).unwrap();
    let third = params.self_signed(key).unwrap();
    let parts = elements(&elements(third.der())[0].1);
    let body = elements(&parts[0].1);
    let kept = body.iter().filter(|(tag, _)| !matches!(tag, 0xa0 | 0xa3));
    let body = element(
        0x30,
        &kept.flat_map(|(t, c)| element(*t, c)).collect::<Vec<_>>(),
    );
    let signature = [vec![0], key.sign(&body).unwrap()].concat();
    let algorithm = element(parts[1].0, &parts[1].1);
    let all = [body, algorithm, element(0x03, &signature)].concat();
    element(0x30, &all)
}

/// The values of DER that `bytes` are: tag and content.
fn elements(mut bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut all = Vec::new();
    while let [tag, first, ..] = *bytes {
        let more = if first < 0x80 {
            0
        } else {
            usize::from(first & 0x7f)
        };
        let length = bytes[2..2 + more]
            .iter()
            .fold(0, |sum, &b| sum << 8 | usize::from(b));
        let length = if more == 0 {
            usize::from(first)
        } else {
            length
        };
        let end = 2 + more + length;
        all.push((tag, bytes[2 + more..end].to_vec()));
        bytes = &bytes[end..];
    }
    all
}

fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let [.., high, low] = content.len().to_be_bytes();
    let length = match content.len() {
        0..0x80 => vec![low],
        0x80..0x100 => vec![0x81, low],
        _ => vec![0x82, high, low],
    };
    [&[tag], &length[..], content].concat()
}

/// Shows a certificate whatever it is, and signs with a key whoever it belongs to.
#[derive(Debug)]
struct Shown(Arc<CertifiedKey>);

impl ResolvesServerCert for Shown {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

fn server(
    certificate: Vec<u8>,
    key: &KeyPair,
    version: &'static SupportedProtocolVersion,
) -> ServerConfig {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let key = any_supported_type(&key).unwrap();
    let shown = CertifiedKey::new(vec![CertificateDer::from(certificate)], key);
    ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[version])
        .unwrap()
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(Shown(Arc::new(shown))))
}

fn bed(skip_verification: bool) -> Bed {
    let roots = super::authority::Authority::new("a").roots();
    let options = TlsOptions {
        skip_verification,
        ..TlsOptions::default()
    };
    Bed::with(with_tls(&options, &roots))
}

/// Go parses what a server shows and has it sign the handshake even where nothing is verified.
#[test]
fn version_1_is_taken_where_any_certificate_is_and_only_with_its_key() {
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let (own, strange) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let certificate = version1(&own);

        let mut skipping = bed(true);
        serve(
            &skipping,
            443,
            server(certificate.clone(), &own, version),
            ok,
        );
        get_ok(&mut skipping, URL);

        let mut skipping = bed(true);
        serve(
            &skipping,
            443,
            server(certificate.clone(), &strange, version),
            ok,
        );
        let refused = failure(&mut skipping, URL).detail();
        let expected = "tls: invalid signature by the server certificate: verification error";
        assert_eq!(refused, expected);

        let mut verifying = bed(false);
        serve(&verifying, 443, server(certificate, &own, version), ok);
        let refused = failure(&mut verifying, URL);
        assert_eq!(refused.code(), 1311);
        assert_eq!(
            refused.detail(),
            "tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs"
        );
    }
}

#[test]
fn what_is_no_certificate_is_refused_even_where_any_certificate_is_taken() {
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let key = KeyPair::generate().unwrap();
        for certificate in [vec![0x30, 0x00], vec![1, 2, 3], b"none".to_vec()] {
            for skip in [true, false] {
                let mut bed = bed(skip);
                serve(&bed, 443, server(certificate.clone(), &key, version), ok);
                let refused = failure(&mut bed, URL).detail();
                let expected =
                    "tls: failed to parse certificate from server: x509: malformed certificate";
                assert_eq!(refused, expected, "{skip}");
            }
        }
    }
}
