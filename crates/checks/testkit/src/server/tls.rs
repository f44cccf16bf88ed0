//! Certificates made afresh at each start, so that no private key is ever committed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_lc_rs::cipher::{AES_256, EncryptionContext, PaddedBlockEncryptingKey, UnboundCipherKey};
use aws_lc_rs::iv::FixedLength;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest as _, Md5};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// One authority, its files for clients, and the set-up of each HTTPS port.
#[derive(Debug)]
pub struct TlsMaterial {
    /// PEM file of the test authority, for `SSL_CERT_FILE`.
    pub authority: PathBuf,
    /// PEM file of a client certificate that the mutual port accepts.
    pub client_certificate: PathBuf,
    /// PEM file of its key.
    pub client_key: PathBuf,
    /// PEM file of the same key under the password `secret`, in the old form with `DEK-Info`.
    pub encrypted_key: PathBuf,
    pub(super) both: Arc<ServerConfig>,
    pub(super) http1: Arc<ServerConfig>,
    pub(super) tls12: Arc<ServerConfig>,
    pub(super) expired: Arc<ServerConfig>,
    pub(super) wrong_host: Arc<ServerConfig>,
    pub(super) mutual: Arc<ServerConfig>,
    pub(super) mutual_http2: Arc<ServerConfig>,
}

type Issuer = CertifiedIssuer<'static, KeyPair>;

impl TlsMaterial {
    /// The set-up of a port that speaks HTTP/2 first.
    #[must_use]
    pub fn http2(&self) -> Arc<ServerConfig> {
        self.both.clone()
    }

    /// Makes the certificates and writes what clients need into `directory`.
    ///
    /// # Errors
    /// When a certificate cannot be made or a file cannot be written.
    pub fn generate(directory: &Path) -> io::Result<Self> {
        let mut params = CertificateParams::new(Vec::<String>::new()).map_err(io::Error::other)?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
            .distinguished_name
            .push(rcgen::DnType::CommonName, "loadline test authority");
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let issuer = CertifiedIssuer::self_signed(params, key).map_err(io::Error::other)?;

        let names = ["localhost", "127.0.0.1", "test.example", "*.wild.example"];
        let good = leaf(&issuer, &names, None)?;
        let expired = leaf(&issuer, &names, Some(2001))?;
        let other = leaf(&issuer, &["other.example"], None)?;
        let client = leaf(&issuer, &["client"], None)?;

        let authority = directory.join("authority.pem");
        std::fs::write(&authority, issuer.pem())?;
        let client_certificate = directory.join("client.pem");
        std::fs::write(&client_certificate, &client.0)?;
        let client_key = directory.join("client.key");
        std::fs::write(&client_key, client.2.serialize_pem())?;
        let encrypted_key = directory.join("client-encrypted.key");
        std::fs::write(&encrypted_key, encrypted(&client.2)?)?;

        let mut roots = RootCertStore::empty();
        roots.add(issuer.der().clone()).map_err(io::Error::other)?;
        let all = rustls::ALL_VERSIONS;
        Ok(Self {
            authority,
            client_certificate,
            client_key,
            encrypted_key,
            both: config(&good, all, &["h2", "http/1.1"], None)?,
            http1: config(&good, all, &["http/1.1"], None)?,
            tls12: config(&good, &[&rustls::version::TLS12], &["http/1.1"], None)?,
            expired: config(&expired, all, &["http/1.1"], None)?,
            wrong_host: config(&other, all, &["http/1.1"], None)?,
            mutual: config(&good, all, &["http/1.1"], Some(roots.clone()))?,
            mutual_http2: config(&good, all, &["h2"], Some(roots))?,
        })
    }
}

/// A key in PEM under the password `secret`: OpenSSL's derivation from password and salt, then AES-256.
fn encrypted(key: &KeyPair) -> io::Result<String> {
    const VECTOR: [u8; 16] = *b"salt and no more";
    let mut derived = Vec::new();
    let mut last = Vec::new();
    while derived.len() < 32 {
        last = Md5::digest([&last[..], b"secret", &VECTOR[..8]].concat()).to_vec();
        derived.extend_from_slice(&last);
    }
    let unspecified = |_| io::Error::other("cannot encrypt the key");
    let cipher = UnboundCipherKey::new(&AES_256, &derived).map_err(unspecified)?;
    let cipher = PaddedBlockEncryptingKey::cbc_pkcs7(cipher).map_err(unspecified)?;
    let mut bytes = key.serialize_der();
    let context = EncryptionContext::Iv128(FixedLength::from(&VECTOR));
    cipher
        .less_safe_encrypt(&mut bytes, context)
        .map_err(unspecified)?;
    let vector: String = VECTOR.iter().map(|byte| format!("{byte:02X}")).collect();
    let coded = STANDARD.encode(bytes);
    let lines: Vec<&str> = coded
        .as_bytes()
        .chunks(64)
        .filter_map(|line| std::str::from_utf8(line).ok())
        .collect();
    Ok(format!(
        "-----BEGIN PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,{vector}\n\n{}\n-----END PRIVATE KEY-----\n",
        lines.join("\n")
    ))
}

/// PEM, DER and key of one certificate.
type Leaf = (String, CertificateDer<'static>, KeyPair);

fn leaf(issuer: &Issuer, names: &[&str], expired_in: Option<i32>) -> io::Result<Leaf> {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let mut params = CertificateParams::new(names).map_err(io::Error::other)?;
    if let Some(year) = expired_in {
        params.not_before = date_time_ymd(year - 1, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
    }
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let certificate = params.signed_by(&key, issuer).map_err(io::Error::other)?;
    Ok((certificate.pem(), certificate.der().clone(), key))
}

fn config(
    leaf: &Leaf,
    versions: &[&'static rustls::SupportedProtocolVersion],
    protocols: &[&str],
    clients: Option<RootCertStore>,
) -> io::Result<Arc<ServerConfig>> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(versions)
        .map_err(io::Error::other)?;
    let builder = match clients {
        Some(roots) => {
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                .build()
                .map_err(io::Error::other)?;
            builder.with_client_cert_verifier(verifier)
        }
        None => builder.with_no_client_auth(),
    };
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(leaf.2.serialize_der()));
    let mut config = builder
        .with_single_cert(vec![leaf.1.clone()], key)
        .map_err(io::Error::other)?;
    config.alpn_protocols = protocols
        .iter()
        .map(|protocol| protocol.as_bytes().to_vec())
        .collect();
    Ok(Arc::new(config))
}
