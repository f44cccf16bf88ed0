//! The built-in sink: a server that answers at once, on a thread of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::SystemTime;

use loadline_mock::{Mock, MockError, MockOptions, MockSpec, RouteSpec};
use tokio::runtime::{Builder, Runtime};

/// A server that answers everything at once; gone when dropped.
pub struct SinkServer {
    address: SocketAddr,
    /// Ends the server when dropped.
    _runtime: Runtime,
}

/// Why there is no sink.
#[derive(Debug, thiserror::Error)]
pub enum SinkServerError {
    /// No address could be bound.
    #[error(transparent)]
    Mock(#[from] MockError),
    /// No thread could be started.
    #[error("cannot start the sink's thread: {0}")]
    Thread(std::io::Error),
}

impl SinkServer {
    /// Starts one on a free port of this machine.
    ///
    /// # Errors
    /// [`SinkServerError`].
    pub fn start(wall_clock: fn() -> SystemTime) -> Result<Self, SinkServerError> {
        Self::start_as(RouteSpec::default(), wall_clock)
    }

    /// Starts one that answers every request as `route` says, so that a stand-in can be tried.
    ///
    /// # Errors
    /// [`SinkServerError`].
    pub fn start_as(
        route: RouteSpec,
        wall_clock: fn() -> SystemTime,
    ) -> Result<Self, SinkServerError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("sink")
            .enable_all()
            .build()
            .map_err(SinkServerError::Thread)?;
        let options = MockOptions {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            admin: None,
            wall_clock,
        };
        let bound = runtime.block_on(async {
            let mock = Mock::bind(&options, MockSpec::of_route(route))?;
            let address = mock.address();
            tokio::spawn(mock.serve(std::future::pending()));
            Ok::<_, MockError>(address)
        });
        Ok(Self {
            address: bound?,
            _runtime: runtime,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}
