//! From options to a served socket.

use loadline_listen::{DrainResult, Limits, ListenError, Listener};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use crate::routes;
use crate::settings::{DemoSettings, Mistake};
use crate::target::Target;

/// What the built-in target starts with.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoOptions {
    /// Where to listen; port 0 lets the system choose. Default: 127.0.0.1:8080.
    pub address: SocketAddr,
    /// Settings at the start, and those that `POST /reset` goes back to.
    pub settings: DemoSettings,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            settings: DemoSettings::default(),
        }
    }
}

/// Why the built-in target could not start.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The address cannot be listened on.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// [`DemoOptions::settings`] has values outside their range.
    #[error("settings: {}", Mistake::list(.0))]
    Settings(Vec<Mistake>),
}

/// The built-in target, bound and not yet serving.
#[derive(Debug)]
pub struct Demo {
    listener: Listener,
    target: Arc<Target>,
}

impl Demo {
    /// Checks the settings and binds the address. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// [`DemoError`].
    pub fn bind(options: DemoOptions) -> Result<Self, DemoError> {
        let mistakes = options.settings.mistakes();
        if !mistakes.is_empty() {
            return Err(DemoError::Settings(mistakes));
        }
        let limits = Limits {
            body_bytes: 64 * 1024,
            ..Limits::default()
        };
        Ok(Self {
            listener: Listener::bind(options.address, limits)?,
            target: Arc::new(Target::new(options.settings)),
        })
    }

    /// The address bound, with the port that the system chose.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Serves until `shutdown` completes, then lets requests in flight finish (5 s at most).
    pub async fn serve(self, shutdown: impl Future<Output = ()>) -> DrainResult {
        self.listener
            .serve(routes::router(self.target), shutdown)
            .await
    }
}
