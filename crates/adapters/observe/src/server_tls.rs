//! TLS of sources that speak another protocol than HTTP.

use std::sync::Arc;

use loadline_net::{Roots, Tls, TlsOptions};
use loadline_record::signals::SourceError;
use rustls::ClientConfig;

use crate::address::Trust;

/// TLS that takes the certificates that `trust` says.
///
/// # Errors
/// The file of authorities is missing, or holds none.
pub(crate) fn client_config(trust: &Trust) -> Result<Arc<ClientConfig>, SourceError> {
    let roots = match trust {
        Trust::Any => Roots::none(),
        Trust::Roots(None) => Roots::system().0,
        Trust::Roots(Some(file)) => {
            let pem = std::fs::read(file).map_err(|_| SourceError::NoFile)?;
            Roots::from_pem(&pem).map_err(|_| SourceError::Tls)?
        }
    };
    let options = TlsOptions {
        skip_verification: *trust == Trust::Any,
        http2: false,
        ..TlsOptions::default()
    };
    let tls = Tls::new(&options, &roots).map_err(|_| SourceError::Tls)?;
    Ok(tls.without_protocols())
}
