//! What a server needs to speak TLS: a certificate chain and its key, checked before it listens.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// Why a server cannot speak TLS with what it was given.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TlsSetupError {
    /// No certificate in PEM stands there.
    #[error("no certificate in PEM")]
    Certificate,
    /// No private key in PEM stands there, or one under a password.
    #[error("no private key in PEM without a password")]
    Key,
    /// The key is not that of the certificate, or neither is of a kind that is known.
    #[error("the key does not fit the certificate")]
    Pair,
}

/// A certificate with its key.
#[derive(Clone)]
pub struct ServerTls(pub(crate) TlsAcceptor);

impl ServerTls {
    /// From a chain of certificates, the server's own first, and its private key, both in PEM.
    ///
    /// # Errors
    /// [`TlsSetupError`]: one of them cannot be used, or they do not belong together.
    pub fn of_pem(chain: &[u8], key: &[u8]) -> Result<Self, TlsSetupError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain).collect();
        let chain = chain.map_err(|_| TlsSetupError::Certificate)?;
        if chain.is_empty() {
            return Err(TlsSetupError::Certificate);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| TlsSetupError::Key)?;
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(chain, key);
        let mut config = config.map_err(|_| TlsSetupError::Pair)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }
}

impl std::fmt::Debug for ServerTls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerTls")
    }
}
