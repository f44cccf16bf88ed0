//! The lengths of a request, phase by phase.

/// The lengths of one exchange in milliseconds, the unit of k6's metrics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseMillis {
    /// The wait for a connection; holds `connecting` and `tls_handshaking`.
    pub blocked: f64,
    /// Of it, connecting.
    pub connecting: f64,
    /// Of it, the TLS handshake.
    pub tls_handshaking: f64,
    /// Sending the request.
    pub sending: f64,
    /// From then until the first byte of the response.
    pub waiting: f64,
    /// From then until its end.
    pub receiving: f64,
    /// `sending + waiting + receiving`.
    pub duration: f64,
}
