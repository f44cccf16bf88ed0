//! A certificate authority for tests.

use std::sync::Arc;

use loadline_net::{Identity, NetworkSettings, Roots, Tls, TlsOptions};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, IsCa, KeyPair,
};
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};

pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate with its key.
pub(crate) struct Leaf {
    pub(crate) pem: String,
    pub(crate) key_pem: String,
    der: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    pub(crate) fn leaf(&self, hosts: &[&str]) -> Leaf {
        self.leaf_with(hosts, |_| {})
    }

    pub(crate) fn leaf_with(
        &self,
        hosts: &[&str],
        change: impl FnOnce(&mut CertificateParams),
    ) -> Leaf {
        let hosts: Vec<_> = hosts.iter().map(|&h| h.to_owned()).collect();
        let mut params = CertificateParams::new(hosts).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        Leaf::new(&params.signed_by(&key, &self.0).unwrap(), &key)
    }

    pub(crate) fn roots(&self) -> Roots {
        Roots::from_pem(self.0.pem().as_bytes()).unwrap()
    }

    /// Settings that trust this authority.
    pub(crate) fn trusted(&self, options: &TlsOptions) -> NetworkSettings {
        with_tls(options, &self.roots())
    }
}

pub(crate) fn with_tls(options: &TlsOptions, roots: &Roots) -> NetworkSettings {
    NetworkSettings {
        tls: Some(Tls::new(options, roots).unwrap()),
        ..NetworkSettings::default()
    }
}

impl Leaf {
    fn new(certificate: &rcgen::Certificate, key: &KeyPair) -> Self {
        Self {
            pem: certificate.pem(),
            key_pem: key.serialize_pem(),
            der: certificate.der().clone(),
            key: PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
        }
    }

    /// Signed by itself; says it is an authority, as openssl's do.
    pub(crate) fn self_signed(host: &str) -> Self {
        let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self::new(&params.self_signed(&key).unwrap(), &key)
    }

    pub(crate) fn identity(&self, domains: &[&str]) -> Identity {
        let domains = domains.iter().map(|&d| d.to_owned()).collect();
        Identity::from_pem(self.pem.as_bytes(), self.key_pem.as_bytes(), domains).unwrap()
    }

    /// A server that shows this certificate and speaks `protocols`.
    pub(crate) fn server(&self, protocols: &[&str]) -> ServerConfig {
        self.server_of(rustls::ALL_VERSIONS, protocols)
    }

    pub(crate) fn server_of(
        &self,
        versions: &[&'static SupportedProtocolVersion],
        protocols: &[&str],
    ) -> ServerConfig {
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_protocol_versions(versions)
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![self.der.clone()], self.key.clone_key())
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|p| p.as_bytes().to_vec()).collect();
        config
    }

    /// A server that wants certificates of `clients`.
    pub(crate) fn server_for(&self, clients: &Authority) -> ServerConfig {
        let mut roots = RootCertStore::empty();
        roots.add(clients.0.der().clone()).unwrap();
        let provider = Arc::new(default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
                .build()
                .unwrap();
        ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![self.der.clone()], self.key.clone_key())
            .unwrap()
    }
}
