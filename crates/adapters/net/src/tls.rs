//! TLS as a run is set up to speak it: versions, suites, trust, client certificates.
//!
//! [`Tls`] is made once per run and shared; making it parses and checks everything, so
//! that a connection only copies a pointer. What is offered, and in which order, is what
//! Go offers, so that a server answers us as it answers k6. TLS 1.0 and 1.1 are not spoken.
//!
//! Elsewhere: the connection in [`crate::stream`], k6's texts in `failure`.

mod encrypted_key;
mod error;
mod failure;
mod identity;
mod offer;
mod options;
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
pub use error::TlsError;
pub(crate) use failure::{cause_of, text_of};
pub use identity::Identity;
pub use options::TlsOptions;
pub(crate) use suites::info;
pub use suites::{CipherSuites, TlsInfo, TlsVersion, TlsVersions, cipher_suite_name};

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
        let provider = Arc::new(offer::provider(options)?);
        let verifier = verify::verifier(options.skip_verification, &roots.0, &provider);
        let versions = offer::versions(options, &provider);
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
