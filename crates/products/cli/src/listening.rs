//! Addresses that servers of ours listen on: as they are typed, and why listening failed.

use std::net::SocketAddr;

use loadline_listen::{ListenError, ServerTls, TlsSetupError, parse_address};
use loadline_text::{Problem, problem};

use crate::context::Context;
use crate::refusal::Refusal;

/// How a server that others may reach is encrypted.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TlsFlags {
    /// Certificate that the server shows, in PEM, with those between it and its authority
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<String>,
    /// Its private key, in PEM, without a password
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<String>,
    /// Listen on an address that others can reach, without encryption
    #[arg(long, conflicts_with = "tls_cert")]
    insecure: bool,
}

impl TlsFlags {
    /// Certificate and key, if they are named.
    ///
    /// # Errors
    /// They cannot be read, or others could reach `address` unencrypted and nobody asked for that.
    pub(crate) fn for_address(
        &self,
        address: SocketAddr,
        context: &Context,
    ) -> Result<Option<ServerTls>, Refusal> {
        let (Some(chain), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            if address.ip().is_loopback() || self.insecure {
                return Ok(None);
            }
            return Err(Refusal::config(problem::serve_open(address)));
        };
        let read = |path: &String| {
            let bytes = std::fs::read(context.working_dir.join(path));
            bytes.map_err(|error| Refusal::config(problem::file_unreadable(path, error)))
        };
        let tls = ServerTls::of_pem(&read(chain)?, &read(key)?);
        let why = |error: TlsSetupError| {
            Refusal::config(match error {
                TlsSetupError::Certificate => problem::tls_certificate(chain),
                TlsSetupError::Key => problem::tls_key(key),
                TlsSetupError::Pair => problem::tls_pair(chain, key),
            })
        };
        tls.map(Some).map_err(why)
    }
}

/// Reads `--address` and its like. The command line's library asks for a text; what people read
/// is made from the flag's name.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    parse_address(text).map_err(|error| error.to_string())
}

/// Why nothing can listen there, and what to do.
pub(crate) fn problem(error: &ListenError) -> Problem {
    match error {
        ListenError::InUse { address } => problem::port_in_use(address),
        ListenError::NotPermitted { address } => problem::port_not_permitted(address),
        ListenError::NotHere { address } => problem::address_not_here(address),
        ListenError::Other { address, source } => problem::not_listening(address, source),
    }
}
