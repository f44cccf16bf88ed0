//! The test server: one set of loopback ports per instance, so that runs in parallel share no state.
//!
//! Decides which ports exist and how they are served. What is answered is decided in `routes` (well-formed HTTP)
//! and `raw` (bytes that break the rules).

mod auth;
mod bodies;
mod cookies;
mod echo;
mod grpc;
mod ntlm;
mod pages;
mod raw;
mod reply;
mod routes;
mod sockets;
mod state;
mod tls;

pub use state::{Defect, Stats};
pub use tls::TlsMaterial;

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use state::State;

/// Where one instance listens. The field names, upper-cased, are the environment variables that scripts read.
#[derive(Debug, Clone, Serialize)]
pub struct Bases {
    /// Plain HTTP/1.1.
    pub base: String,
    /// HTTPS, HTTP/2 or HTTP/1.1 by ALPN.
    pub tls_base: String,
    /// HTTPS, HTTP/1.1 only.
    pub tls1_base: String,
    /// HTTPS up to TLS 1.2, HTTP/1.1 only.
    pub tls12_base: String,
    /// HTTPS with a certificate that has run out.
    pub expired_base: String,
    /// HTTPS with a certificate for another name.
    pub wronghost_base: String,
    /// HTTPS that demands a client certificate signed by the test authority.
    pub mtls_base: String,
    /// Bytes that break the rules; the path chooses how.
    pub raw_base: String,
    /// gRPC over plain HTTP/2.
    pub grpc_base: String,
    /// gRPC over TLS.
    pub grpc_tls_base: String,
    /// gRPC over TLS that demands a client certificate signed by the test authority.
    pub grpc_mtls_base: String,
}

impl Bases {
    /// Environment variable and value of each port.
    #[must_use]
    pub fn environment(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("BASE", &self.base),
            ("TLS_BASE", &self.tls_base),
            ("TLS1_BASE", &self.tls1_base),
            ("TLS12_BASE", &self.tls12_base),
            ("EXPIRED_BASE", &self.expired_base),
            ("WRONGHOST_BASE", &self.wronghost_base),
            ("MTLS_BASE", &self.mtls_base),
            ("RAW_BASE", &self.raw_base),
            ("GRPC_BASE", &self.grpc_base),
            ("GRPC_TLS_BASE", &self.grpc_tls_base),
            ("GRPC_MTLS_BASE", &self.grpc_mtls_base),
        ]
    }
}

/// What an instance is started with.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Port of `BASE`; 0 takes a free one. The others are always free ones.
    pub port: u16,
    /// A deliberate mistake, to prove that a comparison notices it.
    pub defect: Option<Defect>,
}

/// A running instance; dropping it closes its ports.
#[derive(Debug)]
pub struct TestServer {
    bases: Bases,
    state: Arc<State>,
    tasks: Vec<JoinHandle<()>>,
}

impl TestServer {
    /// Binds all ports on 127.0.0.1 and starts to serve on the current runtime.
    ///
    /// # Errors
    /// When a port cannot be bound.
    pub async fn start(options: &Options, tls: &TlsMaterial) -> io::Result<Self> {
        let state = Arc::new(State::new(options.defect));
        let mut tasks = Vec::new();
        let plain = bind(options.port).await?;
        let base = format!("http://{}", plain.local_addr()?);
        tasks.push(spawn_plain(plain, Arc::clone(&state)));
        let raw = bind(0).await?;
        let raw_base = format!("http://{}", raw.local_addr()?);
        tasks.push(raw::spawn(raw, Arc::clone(&state)));
        let calls = bind(0).await?;
        let grpc_base = format!("http://{}", calls.local_addr()?);
        tasks.push(grpc::spawn(calls, Arc::clone(&state)));
        let mut secure_calls = async |config: &Arc<rustls::ServerConfig>| {
            let listener = bind(0).await?;
            let address = listener.local_addr()?;
            let state = Arc::clone(&state);
            tasks.push(grpc::spawn_tls(listener, Arc::clone(config), state));
            io::Result::Ok(format!("https://{address}"))
        };
        let grpc_tls_base = secure_calls(&tls.both).await?;
        let grpc_mtls_base = secure_calls(&tls.mutual_http2).await?;
        let mut secure = async |config: &Arc<rustls::ServerConfig>| {
            let listener = bind(0).await?;
            let address = listener.local_addr()?;
            tasks.push(spawn_tls(listener, Arc::clone(config), Arc::clone(&state)));
            io::Result::Ok(format!("https://{address}"))
        };
        let bases = Bases {
            base,
            tls_base: secure(&tls.both).await?,
            tls1_base: secure(&tls.http1).await?,
            tls12_base: secure(&tls.tls12).await?,
            expired_base: secure(&tls.expired).await?,
            wronghost_base: secure(&tls.wrong_host).await?,
            mtls_base: secure(&tls.mutual).await?,
            raw_base,
            grpc_base,
            grpc_tls_base,
            grpc_mtls_base,
        };
        Ok(Self {
            bases,
            state,
            tasks,
        })
    }

    /// Where this instance listens.
    #[must_use]
    pub fn bases(&self) -> &Bases {
        &self.bases
    }

    /// What it has been asked so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.state.stats()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

fn spawn_plain(listener: TcpListener, state: Arc<State>) -> JoinHandle<()> {
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            prepare(&socket, &state);
            tokio::spawn(serve_http1(socket, "http", Arc::clone(&state)));
        }
    })
}

fn spawn_tls(
    listener: TcpListener,
    config: Arc<rustls::ServerConfig>,
    state: Arc<State>,
) -> JoinHandle<()> {
    let acceptor = tokio_rustls::TlsAcceptor::from(config);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            prepare(&socket, &state);
            let (acceptor, state) = (acceptor.clone(), Arc::clone(&state));
            tokio::spawn(async move {
                // A failed handshake is the client's finding, not ours.
                let Ok(stream) = acceptor.accept(socket).await else {
                    return;
                };
                if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                    serve_http2(stream, state).await;
                } else {
                    serve_http1(stream, "https", state).await;
                }
            });
        }
    })
}

fn prepare(socket: &TcpStream, state: &State) {
    // Small replies must not wait for a delayed acknowledgement.
    let _best_effort = socket.set_nodelay(true);
    state.count_connection();
}

async fn serve_http1<S>(stream: S, scheme: &'static str, state: Arc<State>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let session = ntlm::Session::default();
    let service = service_fn(move |request: Request<Incoming>| {
        let (session, state) = (session.clone(), Arc::clone(&state));
        async move {
            if ntlm::claims(request.uri().path()) {
                return Ok(ntlm::answer(request, &session, &state).await);
            }
            Ok::<_, Infallible>(answer(request, scheme, &state).await)
        }
    });
    // An error here is a client that went away.
    let _gone = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .title_case_headers(true)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
}

async fn answer(
    request: Request<Incoming>,
    scheme: &'static str,
    state: &Arc<State>,
) -> reply::Reply {
    if sockets::claims(request.uri().path()) {
        return sockets::answer(request, state).await;
    }
    routes::answer(request, scheme, state).await
}

async fn serve_http2<S>(stream: S, state: Arc<State>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request| {
        let state = Arc::clone(&state);
        async move { Ok::<_, Infallible>(answer(request, "https", &state).await) }
    });
    let _gone = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// Hash of the sources that decide what scripts of `topic` are answered; recorded results carry it.
#[must_use]
pub fn source_hash(topic: &str) -> String {
    let mut sources = vec![
        include_str!("auth.rs"),
        include_str!("bodies.rs"),
        include_str!("cookies.rs"),
        include_str!("echo.rs"),
        include_str!("pages.rs"),
        include_str!("raw.rs"),
        include_str!("routes.rs"),
        include_str!("state.rs"),
    ];
    if matches!(topic, "ws" | "websockets") {
        sources.extend([
            include_str!("sockets.rs"),
            include_str!("sockets/frames.rs"),
        ]);
    }
    if topic == "auth" {
        sources.push(include_str!("ntlm.rs"));
    }
    if topic == "grpc" {
        sources.extend(grpc::HASHED);
    }
    crate::source_hash::hash_of(&sources)
}
