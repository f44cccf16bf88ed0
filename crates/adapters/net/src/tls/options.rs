//! What is asked of TLS.

use super::identity::Identity;
use super::suites::{CipherSuites, TlsVersions};

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
