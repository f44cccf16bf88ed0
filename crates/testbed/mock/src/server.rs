//! Serves connections: HTTP/1.1, or HTTP/2 if the client begins with its preface.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::SystemTime;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use loadline_listen::{DrainResult, Limits, ListenError, Listener, ShutdownSignal};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::admin;
use crate::service::{DueTimes, answer};
use crate::spec::{MockSpec, SpecError};
use crate::state::{State, Status};

/// The highest number of streams of an HTTP/2 connection.
const STREAMS_MAX: u32 = 1000;
/// File descriptors reserved for everything except connections.
const OTHER_FILES: u64 = 64;

/// Options of a mock.
#[derive(Debug, Clone)]
pub struct MockOptions {
    /// The address to listen on; port 0 selects a free port.
    pub address: SocketAddr,
    /// The address of its admin port, if it has one.
    pub admin: Option<SocketAddr>,
    /// The time of day, for bodies.
    pub wall_clock: fn() -> SystemTime,
}

/// An event that people should see while a mock runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MockEvent {
    /// A connection was refused because file descriptors would run out.
    OpenFiles {
        /// Open connections.
        connections: usize,
        /// The limit of file descriptors.
        limit: u64,
    },
}

/// Why a mock cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum MockError {
    /// Listening on an address failed.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// The mock file is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// A mock that listens but does not serve yet.
#[derive(Debug)]
pub struct Mock {
    listener: Listener,
    admin: Option<Listener>,
    state: Arc<State>,
    events: mpsc::UnboundedSender<MockEvent>,
    heard: Option<mpsc::UnboundedReceiver<MockEvent>>,
}

impl Mock {
    /// Validates the mock file and listens. Must be called inside a tokio runtime. Raises the
    /// process's limit of open files to the highest one allowed.
    ///
    /// # Errors
    /// [`MockError`].
    pub fn bind(options: &MockOptions, spec: MockSpec) -> Result<Self, MockError> {
        let file_limit = raise_file_limit();
        let room = file_limit.saturating_sub(OTHER_FILES).max(1);
        let most = usize::try_from(room).unwrap_or(usize::MAX);
        let state = State::new(spec, options.wall_clock, file_limit, most)?;
        let limits = Limits {
            // Above our own limit, which answers before it closes.
            connections: most.saturating_add(32),
            backlog: 65_535,
            ..Limits::default()
        };
        let admin = options
            .admin
            .map(|address| Listener::bind(address, Limits::default()));
        let (events, heard) = mpsc::unbounded_channel();
        Ok(Self {
            listener: Listener::bind(options.address, limits)?,
            admin: admin.transpose()?,
            state: Arc::new(state),
            events,
            heard: Some(heard),
        })
    }

    /// The address bound, with the port that the system chose.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// The admin port's.
    #[must_use]
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(Listener::address)
    }

    /// Events while it serves; `None` after the first call.
    pub fn events(&mut self) -> Option<mpsc::UnboundedReceiver<MockEvent>> {
        self.heard.take()
    }

    /// Returns a function that gives its status, also after it ended.
    pub fn watch(&self) -> impl Fn() -> Status + Send + Sync + use<> {
        let state = self.state.clone();
        move || state.status()
    }

    /// Serves until `shutdown` completes, then finishes the requests in progress.
    pub async fn serve(self, shutdown: impl Future<Output = ()>) -> DrainResult {
        let (state, events) = (self.state, self.events);
        let admin = self.admin.map(|listener| {
            let router = admin::router(state.clone());
            tokio::spawn(listener.serve(router, std::future::pending()))
        });
        let converse =
            move |stream, closing| converse(state.clone(), events.clone(), stream, closing);
        let drained = self.listener.serve_connections(converse, shutdown).await;
        if let Some(admin) = admin {
            admin.abort();
        }
        drained
    }
}

/// Serves a connection. Its errors concern only the client.
async fn converse(
    state: Arc<State>,
    events: mpsc::UnboundedSender<MockEvent>,
    stream: TcpStream,
    mut closing: ShutdownSignal,
) {
    let connections = state.connections.enter();
    if connections > state.most_connections {
        refuse(&state, &events, stream, connections).await;
    } else {
        let due = Arc::new(DueTimes::default());
        let io = WatchedStream {
            io: TokioIo::new(stream),
            due: due.clone(),
            state: state.clone(),
        };
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new());
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(STREAMS_MAX);
        let own = state.clone();
        let service = service_fn(move |request| answer(own.clone(), due.clone(), request));
        let mut connection = std::pin::pin!(builder.serve_connection(io, service));
        tokio::select! {
            _ = &mut connection => {}
            () = closing.received() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    }
    state.connections.leave();
}

/// Answers with the reason, where the kernel would just refuse.
async fn refuse(
    state: &State,
    events: &mpsc::UnboundedSender<MockEvent>,
    mut stream: TcpStream,
    connections: usize,
) {
    if state.refused.fetch_add(1, Ordering::Relaxed) == 0 {
        // There may be no receiver.
        let _ = events.send(MockEvent::OpenFiles {
            connections,
            limit: state.file_limit,
        });
    }
    let body =
        "{\"error\":{\"code\":\"open_files\",\"message\":\"this mock may open no more files\"}}\n";
    let head = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n";
    let text = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// Raises the soft limit of open files to the hard one; returns the limit.
fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        };
        // If it is not allowed, the limit stays.
        let _ = setrlimit(Resource::Nofile, raised);
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// A connection that records when bytes are written.
struct WatchedStream {
    io: TokioIo<TcpStream>,
    due: Arc<DueTimes>,
    state: Arc<State>,
}

impl WatchedStream {
    fn note(&self, written: &Poll<io::Result<usize>>) {
        if matches!(written, Poll::Ready(Ok(count)) if *count > 0) {
            self.due.written(&self.state);
        }
    }
}

impl Read for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl Write for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.note(&written);
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, parts);
        self.note(&written);
        written
    }
}

#[cfg(test)]
mod tests;
