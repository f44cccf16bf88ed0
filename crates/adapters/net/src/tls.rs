//! TLS as a run is set up to speak it: versions, suites, trust, client certificates.
//!
//! [`Tls`] is made once per run and shared; making it parses and checks everything, so
//! that a connection only copies a pointer. What is offered, and in which order, is what
//! Go offers, so that a server answers us as it answers k6. TLS 1.0 and 1.1 are not spoken.
//!
//! Elsewhere: the connection in [`crate::stream`], k6's texts in `failure`.

mod encrypted_key;
mod failure;
mod identity;
mod public_key;
mod suites;
mod verify;

use std::fmt;
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

pub use encrypted_key::decrypted_key;
pub(crate) use failure::{cause_of, text_of};
pub use identity::Identity;
pub(crate) use suites::info;
pub use suites::{CipherSuites, TlsInfo, TlsVersion, TlsVersions};

/// Why TLS cannot be set up as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// Not the name of a version.
    #[error("unknown TLS version '{0}'")]
    UnknownVersion(String),
    /// A range of versions we do not speak.
    #[error("TLS versions from {min} to {max} are not supported, only tls1.2 and tls1.3 are")]
    UnsupportedVersions {
        /// As asked.
        min: String,
        /// As asked.
        max: String,
    },
    /// Not the name of a cipher suite.
    #[error("unknown cipher suite '{0}'")]
    UnknownSuite(String),
    /// None of the suites asked for is one we speak.
    #[error("none of the cipher suites asked for is supported: {0}")]
    UnsupportedSuites(String),
    /// A client certificate that cannot be read.
    #[error("cannot read the client certificate: {0}")]
    Certificate(String),
    /// A client certificate's key that cannot be read.
    #[error("cannot read the key of the client certificate: {0}")]
    Key(String),
    /// A key that is encrypted, and nobody says with which password.
    #[error("the key of the client certificate is encrypted: its password is missing")]
    EncryptedKey,
    /// A key that its password does not decrypt.
    #[error("{0}")]
    KeyPassword(String),
    /// Roots that cannot be read.
    #[error("cannot read the root certificates: {0}")]
    Roots(String),
}

/// The authorities whose certificates are trusted.
#[derive(Debug, Clone)]
pub struct Roots(Arc<RootCertStore>);

impl Roots {
    /// No authority at all.
    #[must_use]
    pub fn none() -> Self {
        Self(Arc::new(RootCertStore::empty()))
    }

    /// The machine's: `SSL_CERT_FILE`, `SSL_CERT_DIR` or where the system keeps them.
    /// Files that cannot be read are named beside; without any file, nothing is trusted.
    ///
    /// Blocks while it reads: call it once, before load begins.
    #[must_use]
    pub fn system() -> (Self, Vec<String>) {
        let found = rustls_native_certs::load_native_certs();
        let mut store = RootCertStore::empty();
        // A single root of no use must not take the others with it; Go passes it over too.
        store.add_parsable_certificates(found.certs);
        let errors = found.errors.iter().map(ToString::to_string).collect();
        (Self(Arc::new(store)), errors)
    }

    /// The certificates of a PEM file.
    ///
    /// # Errors
    /// [`TlsError::Roots`] when one cannot be read or there are none.
    pub fn from_pem(pem: &[u8]) -> Result<Self, TlsError> {
        let mut store = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|e| TlsError::Roots(e.to_string()))?;
            store
                .add(certificate)
                .map_err(|e| TlsError::Roots(e.to_string()))?;
        }
        if store.is_empty() {
            return Err(TlsError::Roots("there is none".to_owned()));
        }
        Ok(Self(Arc::new(store)))
    }
}

/// What is asked of TLS; the default is k6's.
#[derive(Debug, Clone)]
pub struct TlsOptions {
    /// Take any certificate (k6's `insecureSkipTLSVerify`).
    pub skip_verification: bool,
    /// k6's `tlsVersion`.
    pub versions: TlsVersions,
    /// k6's `tlsCipherSuites`.
    pub cipher_suites: CipherSuites,
    /// k6's `tlsAuth`.
    pub identities: Vec<Identity>,
    /// Resume a user's own sessions. k6 never does: each connection is a full handshake.
    pub resume_sessions: bool,
    /// Offer HTTP/2.
    pub http2: bool,
}

impl Default for TlsOptions {
    fn default() -> Self {
        Self {
            skip_verification: false,
            versions: TlsVersions::default(),
            cipher_suites: CipherSuites::default(),
            identities: Vec::new(),
            resume_sessions: false,
            http2: true,
        }
    }
}

/// TLS as one run speaks it.
#[derive(Clone)]
pub struct Tls {
    configs: Configs,
    options: Arc<TlsOptions>,
    roots: Roots,
}

/// Sessions a user remembers, all its servers together.
const SESSIONS_PER_USER: usize = 64;

impl Tls {
    /// Checks `options` and gets everything ready.
    ///
    /// # Errors
    /// [`TlsError`]: suites and versions that leave nothing to offer.
    pub fn new(options: &TlsOptions, roots: &Roots) -> Result<Self, TlsError> {
        let provider = Arc::new(suites::provider(options)?);
        let verifier = verify::verifier(options.skip_verification, &roots.0, &provider);
        let versions = suites::versions(options, &provider);
        let config = |host: Option<&str>, http2: bool| {
            let identities = identity::Identities::for_host(&options.identities, host);
            let mut config = ClientConfig::builder_with_provider(provider.clone())
                .with_protocol_versions(&versions)
                .map_err(|error| TlsError::UnsupportedSuites(error.to_string()))?
                .dangerous()
                .with_custom_certificate_verifier(verifier.clone())
                .with_client_cert_resolver(Arc::new(identities));
            config.resumption = Resumption::disabled();
            if http2 {
                config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
            }
            Ok(Arc::new(config))
        };
        let domains = options.identities.iter().flat_map(Identity::domains);
        let by_domain = domains
            .map(|domain| Ok((domain.to_owned(), config(Some(domain), options.http2)?)))
            .collect::<Result<_, TlsError>>()?;
        Ok(Self {
            configs: Configs {
                any: config(None, options.http2)?,
                proxy: config(None, false)?,
                by_domain,
            },
            options: Arc::new(options.clone()),
            roots: roots.clone(),
        })
    }

    /// The same with another client certificate or none, and with `authorities` (PEM)
    /// trusted besides.
    ///
    /// # Errors
    /// Which of the authorities cannot be read, and why.
    pub fn with_certificates(
        &self,
        identity: Option<Identity>,
        authorities: &[String],
    ) -> Result<Self, (usize, TlsError)> {
        let mut roots = self.roots.clone();
        for (index, pem) in authorities.iter().enumerate() {
            let added = Roots::from_pem(pem.as_bytes()).map_err(|error| (index, error))?;
            Arc::make_mut(&mut roots.0).extend(added.0.roots.iter().cloned());
        }
        let options = TlsOptions {
            identities: identity.into_iter().collect(),
            ..(*self.options).clone()
        };
        Self::new(&options, &roots).map_err(|error| (0, error))
    }

    /// For connections that speak another protocol than HTTP.
    #[must_use]
    pub fn without_protocols(&self) -> Arc<ClientConfig> {
        self.configs.proxy.clone()
    }

    /// Whether HTTP/2 is offered.
    pub(crate) fn offers_http2(&self) -> bool {
        self.options.http2
    }

    /// What one user's connections are made with.
    pub(crate) fn for_user(&self) -> Configs {
        if !self.options.resume_sessions {
            return self.configs.clone();
        }
        let own = |config: &Arc<ClientConfig>| {
            let mut config = ClientConfig::clone(config);
            config.resumption = Resumption::in_memory_sessions(SESSIONS_PER_USER);
            Arc::new(config)
        };
        let by_domain = self.configs.by_domain.iter();
        Configs {
            any: own(&self.configs.any),
            proxy: own(&self.configs.proxy),
            by_domain: by_domain.map(|(d, c)| (d.clone(), own(c))).collect(),
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

/// Settings by host: the certificate presented may depend on it.
#[derive(Clone)]
pub(crate) struct Configs {
    any: Arc<ClientConfig>,
    /// Without a choice of protocols.
    proxy: Arc<ClientConfig>,
    by_domain: Vec<(String, Arc<ClientConfig>)>,
}

impl Configs {
    pub(crate) fn for_proxy(&self) -> &Arc<ClientConfig> {
        &self.proxy
    }

    pub(crate) fn for_host(&self, host: &str) -> &Arc<ClientConfig> {
        let fitting = self
            .by_domain
            .iter()
            .find(|(domain, _)| identity::fits(domain, host));
        fitting.map_or(&self.any, |(_, config)| config)
    }
}
