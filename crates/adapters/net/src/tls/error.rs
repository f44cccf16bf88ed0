//! Why TLS cannot be set up as asked.

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
