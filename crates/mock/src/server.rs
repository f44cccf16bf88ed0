//! Connections: HTTP/1.1 or, when a client begins with its preface, HTTP/2.

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
use loadline_listen::{Closing, Drained, Limits, ListenError, Listener};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::admin;
use crate::service::{DueTimes, answer};
use crate::spec::{MockSpec, SpecError};
use crate::state::{State, Status};

/// Streams of one HTTP/2 connection.
const STREAMS: u32 = 1000;
/// Files kept for everything that is no connection.
const OTHER_FILES: u64 = 64;

/// How to serve a mock.
#[derive(Debug, Clone)]
pub struct MockOptions {
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// Where its admin port is, if it has one.
    pub admin: Option<SocketAddr>,
    /// The time of day, for bodies.
    pub wall_clock: fn() -> SystemTime,
}

/// Something a person must know while a mock runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MockEvent {
    /// The next connection would leave no file for anything else; it was refused.
    OpenFiles {
        /// Open connections.
        connections: usize,
        /// Files the process may have open.
        limit: u64,
    },
}

/// Why a mock cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum MockError {
    /// An address cannot be listened on.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// The file makes no sense.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// A mock, bound and not yet serving.
#[derive(Debug)]
pub struct Mock {
    listener: Listener,
    admin: Option<Listener>,
    state: Arc<State>,
    events: mpsc::UnboundedSender<MockEvent>,
    heard: Option<mpsc::UnboundedReceiver<MockEvent>>,
}

impl Mock {
    /// Checks the spec and binds. Must be called inside a tokio runtime. The process may
    /// open as many files as it may allow itself from then on.
    ///
    /// # Errors
    /// [`MockError`].
    pub fn bind(options: &MockOptions, spec: MockSpec) -> Result<Self, MockError> {
        let file_limit = raise_file_limit();
        let room = file_limit.saturating_sub(OTHER_FILES).max(1);
        let most = usize::try_from(room).unwrap_or(usize::MAX);
        let state = State::new(spec, options.wall_clock, (file_limit, most))?;
        let limits = Limits {
            // Beyond our own bound, which answers before it closes.
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

    /// What happens while it serves; `None` after the first call.
    pub fn events(&mut self) -> Option<mpsc::UnboundedReceiver<MockEvent>> {
        self.heard.take()
    }

    /// A look at what it knows of itself, also after it ended.
    pub fn watch(&self) -> impl Fn() -> Status + Send + Sync + use<> {
        let state = self.state.clone();
        move || state.status()
    }

    /// Serves until `shutdown` completes, then lets requests under way finish.
    pub async fn serve(self, shutdown: impl Future<Output = ()>) -> Drained {
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

/// One connection to its end. Its errors are the client's affair.
async fn converse(
    state: Arc<State>,
    events: mpsc::UnboundedSender<MockEvent>,
    stream: TcpStream,
    mut closing: Closing,
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
            .max_concurrent_streams(STREAMS);
        let own = state.clone();
        let service = service_fn(move |request| answer(own.clone(), due.clone(), request));
        let mut connection = std::pin::pin!(builder.serve_connection(io, service));
        tokio::select! {
            _ = &mut connection => {}
            () = closing.told() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    }
    state.connections.leave();
}

/// Says why before the kernel would say nothing.
async fn refuse(
    state: &State,
    events: &mpsc::UnboundedSender<MockEvent>,
    mut stream: TcpStream,
    connections: usize,
) {
    if state.refused.fetch_add(1, Ordering::Relaxed) == 0 {
        // Nobody may listen.
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

/// Raises the soft limit of open files to the hard one; gives what holds then.
fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        };
        // What is not allowed stays as it is.
        let _ = setrlimit(Resource::Nofile, raised);
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// A connection that notes when bytes were written.
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
