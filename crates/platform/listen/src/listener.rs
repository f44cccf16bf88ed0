//! Binds a socket, serves HTTP/1.1 on it, and drains when told to stop.
//!
//! Each connection is one task. At shutdown the socket closes first, so nobody
//! new gets in; idle connections end at once; a request in flight may finish
//! within [`Limits::drain`], and what is left then is cut and counted.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::{Limits, ServerTls};

/// Pause after a failed accept that will fail again at once (no file left), so the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Between two calls for idle connections to go.
const SHED_PAUSE: Duration = Duration::from_millis(500);
/// The same while no place is left at all: whoever comes waits for one of them to go.
const FULL_PAUSE: Duration = Duration::from_millis(250);

/// Why a server could not start to listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another program holds the port.
    #[error(
        "cannot listen on {address}: another program already listens there; stop it or choose another port (port 0 picks a free one)"
    )]
    InUse {
        /// The address asked for.
        address: SocketAddr,
    },
    /// The port is reserved for privileged programs.
    #[error(
        "cannot listen on {address}: ports below 1024 need extra rights here; choose a port from 1024 up"
    )]
    NotPermitted {
        /// The address asked for.
        address: SocketAddr,
    },
    /// No network interface has this address.
    #[error("cannot listen on {address}: no network interface of this machine has that address")]
    NotHere {
        /// The address asked for.
        address: SocketAddr,
    },
    /// Anything else the system says.
    #[error("cannot listen on {address}: {source}")]
    Other {
        /// The address asked for.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
}

impl ListenError {
    fn new(address: SocketAddr, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AddrInUse => Self::InUse { address },
            io::ErrorKind::PermissionDenied => Self::NotPermitted { address },
            io::ErrorKind::AddrNotAvailable => Self::NotHere { address },
            _ => Self::Other { address, source },
        }
    }
}

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrainResult {
    /// Connections with a request still in flight when the drain time was over.
    pub cut: usize,
}

/// Why a connection should end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseReason {
    /// The server ends: after the requests it is at.
    Shutdown,
    /// Connections run short: if it is idle. It may be told again.
    Shed,
}

/// Tells a connection when the server wants it to end.
#[derive(Debug)]
pub struct ShutdownSignal(watch::Receiver<()>);

impl ShutdownSignal {
    /// Completes when the connection is to end after the requests it is at.
    pub async fn received(&mut self) {
        while self.next().await == CloseReason::Shed {}
    }

    /// The next reason to end that comes.
    pub async fn next(&mut self) -> CloseReason {
        // The sender is dropped at shutdown; each value sent is a call for idle ones to go.
        match self.0.changed().await {
            Ok(()) => CloseReason::Shed,
            Err(_) => CloseReason::Shutdown,
        }
    }
}

/// A bound socket that has not served anything yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    limits: Limits,
    tls: Option<ServerTls>,
}

impl Listener {
    /// Binds `address` and starts to listen; port 0 lets the system choose.
    ///
    /// Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// [`ListenError`], naming the address and what to do.
    pub fn bind(address: SocketAddr, limits: Limits) -> Result<Self, ListenError> {
        let open = || {
            let socket = match address {
                SocketAddr::V4(_) => TcpSocket::new_v4(),
                SocketAddr::V6(_) => TcpSocket::new_v6(),
            }?;
            // A restart must not wait for connections of the last run in TIME_WAIT.
            socket.set_reuseaddr(true)?;
            // Before it listens: connections take it over.
            if let Some(bytes) = limits.socket_buffer {
                socket.set_send_buffer_size(bytes)?;
                socket.set_recv_buffer_size(bytes)?;
            }
            socket.bind(address)?;
            let socket = socket.listen(limits.backlog)?;
            let address = socket.local_addr()?;
            Ok(Self {
                socket,
                address,
                limits,
                tls: None,
            })
        };
        open().map_err(|source| ListenError::new(address, source))
    }

    /// The same, speaking TLS to the clients of [`Self::serve`].
    #[must_use]
    pub fn with_tls(mut self, tls: Option<ServerTls>) -> Self {
        self.tls = tls;
        self
    }

    /// The address bound, with the port that the system chose.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether it speaks TLS.
    pub fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// Serves `router` over HTTP/1.1 until `shutdown` completes, then drains.
    pub async fn serve(self, router: Router, shutdown: impl Future<Output = ()>) -> DrainResult {
        let limits = self.limits;
        let router = router.layer(DefaultBodyLimit::max(limits.body_bytes));
        let tls = self.tls.clone();
        let converse = move |stream, closing| {
            let (tls, router) = (tls.clone(), router.clone());
            async move {
                match tls {
                    None => converse(stream, router, limits, closing).await,
                    Some(tls) => encrypted(stream, &tls, router, limits, closing).await,
                }
            }
        };
        self.serve_connections(converse, shutdown).await
    }

    /// Serves each connection with `converse` until `shutdown` completes, then drains:
    /// for what no router can do. A connection that is [told](Closing::told) to close ends
    /// after the requests it is at.
    pub async fn serve_connections<C, F>(
        self,
        converse: C,
        shutdown: impl Future<Output = ()>,
    ) -> DrainResult
    where
        C: Fn(TcpStream, ShutdownSignal) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let Self { socket, limits, .. } = self;
        let slots = Arc::new(Semaphore::new(
            limits.connections.min(Semaphore::MAX_PERMITS),
        ));
        let close = watch::Sender::new(());
        let mut connections = JoinSet::new();
        let mut shutdown = pin!(shutdown);
        let mut shed: Option<Instant> = None;
        loop {
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                Some(_) = connections.join_next() => {}
                () = tokio::time::sleep(FULL_PAUSE), if is_full(&slots, limits) => {
                    shed = Some(Instant::now());
                    close.send_replace(());
                }
                (stream, slot) = accept(&socket, &slots) => {
                    let is_due = shed.is_none_or(|last| last.elapsed() >= SHED_PAUSE);
                    if connections.len() >= limits.shed_at && is_due {
                        shed = Some(Instant::now());
                        close.send_replace(());
                    }
                    let conversation = converse(stream, ShutdownSignal(close.subscribe()));
                    connections.spawn(async move {
                        conversation.await;
                        drop(slot);
                    });
                }
            }
        }
        drop(socket);
        drop(close);
        drain(connections, limits.drain).await
    }
}

/// Whether idle connections must go before anybody else can come.
fn is_full(slots: &Semaphore, limits: Limits) -> bool {
    slots.available_permits() == 0 && limits.shed_at <= limits.connections
}

/// Waits for a free slot, then for a client.
async fn accept(socket: &TcpListener, slots: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    let slot = slots
        .clone()
        .acquire_owned()
        .await
        .expect("the semaphore is never closed");
    loop {
        match socket.accept().await {
            Ok((stream, _)) => {
                // Answers are written whole, so delaying small segments could only add
                // latency; a socket that refuses the option still works.
                let _ = stream.set_nodelay(true);
                return (stream, slot);
            }
            // The client left before it was accepted: its own affair.
            Err(e) if e.kind() == io::ErrorKind::ConnectionAborted => {}
            // Out of files or memory. Waiting clients stay in the kernel's queue.
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Agrees on keys, then serves. A client that takes too long, or speaks no TLS, is let go.
async fn encrypted(
    stream: TcpStream,
    tls: &ServerTls,
    router: Router,
    limits: Limits,
    mut closing: ShutdownSignal,
) {
    let agreed = tokio::select! {
        agreed = tokio::time::timeout(limits.idle, tls.0.accept(stream)) => agreed,
        () = closing.received() => return,
    };
    if let Ok(Ok(stream)) = agreed {
        converse(stream, router, limits, closing).await;
    }
}

/// Serves one connection to its end.
///
/// Its errors are dropped: they say that the client broke off or sent no HTTP, which
/// is for the client to see and no fault of the server.
async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    router: Router,
    limits: Limits,
    mut closing: ShutdownSignal,
) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle)
        .max_buf_size(limits.head_bytes.max(8 * 1024));
    let service = TowerToHyperService::new(router);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        _ = &mut connection => {}
        // At shutdown, and where others wait for a place: an idle connection ends at once, another one after its
        // request.
        _ = closing.next() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

async fn drain(mut connections: JoinSet<()>, patience: Duration) -> DrainResult {
    let all_ended = async { while connections.join_next().await.is_some() {} };
    // Both outcomes are read from what is left.
    let _ = tokio::time::timeout(patience, all_ended).await;
    let cut = connections.len();
    connections.shutdown().await;
    DrainResult { cut }
}

#[cfg(test)]
mod tests;
