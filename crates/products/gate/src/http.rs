//! The edge: what visitors, services and owners call.
//!
//! Two listeners. The public one serves visitors and the services' own calls; the admin
//! one serves owners, figures and probes, and need not be reachable from outside. Polls
//! and streams are answered from memory; nothing here keeps state but the count of joins
//! by address.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::routing::{get, post, put};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use loadline_listen::{DrainResult, Limits, Listener, ShutdownSignal};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::gate::Gate;

mod addresses;
mod admin;
mod answer;
mod audit;
mod authz;
mod call_log;
mod caller;
mod control;
mod enter;
mod front;
mod metrics;
mod openapi;
mod owner_page;
mod page;
mod queue_body;
mod real_visit;
mod service;
mod stream;
mod visitor;

use addresses::Addresses;

/// Bytes of a request's body; a capacity file is the longest.
const BODY: usize = 256 * 1024;
/// Bytes of a request's head.
const HEAD: usize = 16 * 1024;
/// Files kept for everything that is no visitor's connection.
const OTHER_FILES: u64 = 256;
/// How long a client may take to send a request's head.
const SLOW_CLIENT: Duration = Duration::from_secs(75);

/// What every handler knows.
pub(crate) struct Edge {
    pub(crate) gate: Arc<Gate>,
    joins: Addresses,
}

type Shared = Arc<Edge>;

/// Where a request came from: the connection's other end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Edge {
    fn new(gate: Arc<Gate>) -> Shared {
        let joins = Addresses::new(gate.options().joins_per_address);
        Arc::new(Self { gate, joins })
    }
}

/// How both listeners are bounded.
#[must_use]
pub fn limits(connections: usize) -> Limits {
    Limits {
        connections,
        backlog: 65_535,
        head_bytes: HEAD,
        body_bytes: BODY,
        idle: SLOW_CLIENT,
        drain: Duration::from_secs(5),
    }
}

/// Raises the limit of open files to what is allowed; how many connections that leaves.
pub fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        // What is not allowed stays as it is.
        let raised = Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        };
        let _ = setrlimit(Resource::Nofile, raised);
    }
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(files.saturating_sub(OTHER_FILES).max(1)).unwrap_or(usize::MAX)
}

/// When a gate is to end, in two steps.
pub struct ShutdownSignals<A, C> {
    /// Completes when it is to say that it is not ready.
    pub asked: A,
    /// Completes after that, when those who send visitors here have had time to see it.
    pub close: C,
}

/// Serves both until `ending` says so. At first the gate is not ready and serves on, so that
/// nobody is turned away while load balancers look elsewhere; then streams end with a last
/// event, no connection is taken any more, and requests in flight are finished.
///
/// Until the gate is open, probes say that the process lives and is not ready, and
/// everything else is to be asked again.
pub async fn serve(
    opened: PendingGate,
    (public, admin): (Listener, Listener),
    ending: ShutdownSignals<impl Future<Output = ()>, impl Future<Output = ()>>,
) -> DrainResult {
    let admin = admin.serve_connections(owners(&opened), std::future::pending());
    let admin = tokio::spawn(admin);
    let stop = async {
        let gate = || opened.0.get().map(|routes| &routes.edge.gate);
        ending.asked.await;
        gate().inspect(|gate| gate.begin_drain());
        ending.close.await;
        gate().inspect(|gate| gate.close_streams());
    };
    let drained = public.serve_connections(visitors(&opened), stop).await;
    admin.abort();
    drained
}

/// What connections are served with, once the gate is open.
#[derive(Clone, Default)]
pub struct PendingGate(Arc<OnceLock<Routes>>);

impl PendingGate {
    /// From now on `gate` serves. Only the first call counts.
    pub fn open(&self, gate: Arc<Gate>) {
        self.0.get_or_init(|| Routes::new(Edge::new(gate)));
    }
}

struct Routes {
    edge: Shared,
    public: Router,
    admin: Router,
}

impl Routes {
    fn new(edge: Shared) -> Self {
        Self {
            public: public_router(edge.clone()),
            admin: admin_router(edge.clone()),
            edge,
        }
    }
}

/// What is served while the store has not been read yet.
fn starting_router() -> Router {
    Router::new()
        .route("/healthz", get(metrics::alive))
        .fallback(metrics::starting)
}

/// What visitors and services call.
pub(crate) fn public_router(edge: Shared) -> Router {
    Router::new()
        .route("/q/{queue}/join", post(visitor::join))
        .route("/q/{queue}/me", get(visitor::me))
        .route("/q/{queue}/claim", post(visitor::claim))
        .route("/q/{queue}/leave", post(visitor::leave))
        .route("/q/{queue}/status", get(visitor::status))
        .route("/q/{queue}/events", get(stream::events))
        .route("/w/{queue}", get(page::show).post(page::come_in))
        .route("/w/{queue}/leave", get(page::left).post(page::leave))
        .route("/assets/{file}", get(page::asset))
        // The page has no icon; an empty answer keeps errors out of the browser's console.
        .route(
            "/favicon.ico",
            get(|| async { axum::http::StatusCode::NO_CONTENT }),
        )
        .route("/authz", get(authz::authz))
        .route("/enter/{queue}", get(enter::enter))
        .route("/.well-known/jwks.json", get(service::keys))
        .route("/healthz", get(metrics::alive))
        .merge(service_routes())
        .fallback(page::nothing)
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(edge)
}

/// Calls with a key that a service makes: on both listeners.
fn service_routes() -> Router<Shared> {
    Router::new()
        .route("/v1/queues/{queue}/waiters", post(service::register))
        .route("/v1/queues/{queue}/waiters/{user}", get(service::find))
        .route(
            "/v1/queues/{queue}/sessions/heartbeat",
            post(service::heartbeat),
        )
        .route(
            "/v1/queues/{queue}/sessions/complete",
            post(service::complete),
        )
        .route("/v1/queues/{queue}/admit", post(control::admit))
        .route("/v1/token/exchange", post(service::exchange))
}

/// What owners call.
pub(crate) fn admin_router(edge: Shared) -> Router {
    Router::new()
        .route("/v1/tenants", get(admin::tenants).post(admin::add_tenant))
        .route(
            "/v1/tenants/{tenant}/keys",
            get(admin::keys).post(admin::add_key),
        )
        .route("/v1/tenants/{tenant}/rotate", post(admin::rotate))
        .route("/v1/keys/{key}", axum::routing::delete(admin::revoke_key))
        .route("/v1/queues", get(admin::queues).post(admin::add_queue))
        .route(
            "/v1/queues/{queue}",
            get(admin::queue).patch(admin::change_queue),
        )
        .route("/v1/queues/{queue}/mode", put(control::mode))
        .route("/v1/queues/{queue}/capacity", put(control::capacity))
        .route("/v1/queues/{queue}/block", post(control::block))
        .route("/v1/queues/{queue}/unblock", post(control::unblock))
        .route(
            "/v1/queues/{queue}/bypass",
            post(control::bypass).delete(control::end_bypass),
        )
        .route("/v1/queues/{queue}/stats", get(admin::stats))
        .route("/v1/queues/{queue}/audit", get(audit::audit))
        .route("/", get(owner_page::show))
        .route("/assets/{file}", get(owner_page::asset))
        .route("/openapi.json", get(openapi::document))
        .route("/metrics", get(metrics::metrics))
        .route("/healthz", get(metrics::health))
        .route("/readyz", get(metrics::ready))
        .merge(service_routes())
        .layer(DefaultBodyLimit::max(BODY))
        .layer(axum::middleware::from_fn_with_state(
            edge.clone(),
            call_log::write,
        ))
        .with_state(edge)
}

/// Reads bytes as a poll and as every body there is: for fuzzing, which is all that may call it.
#[doc(hidden)]
pub fn read_bodies(bytes: &[u8]) {
    front::read_request(bytes);
    service::read_bodies(bytes);
    visitor::read_bodies(bytes);
    control::read_bodies(bytes);
    admin::read_bodies(bytes);
}

/// How a listener serves a connection.
type Conversation = futures_util::future::BoxFuture<'static, ()>;

/// Serves visitors' connections: polls and streams directly, the rest with the router.
fn visitors(opened: &PendingGate) -> impl Fn(TcpStream, ShutdownSignal) -> Conversation + use<> {
    let (opened, starting) = (opened.clone(), starting_router());
    move |socket, closing| match opened.0.get() {
        Some(routes) => {
            let (edge, router) = (routes.edge.clone(), routes.public.clone());
            Box::pin(one_visitor(edge, router, socket, closing))
        }
        None => conversation(socket, starting.clone(), closing),
    }
}

/// Serves owners' connections.
fn owners(opened: &PendingGate) -> impl Fn(TcpStream, ShutdownSignal) -> Conversation + use<> {
    let (opened, starting) = (opened.clone(), starting_router());
    move |socket, closing| {
        let router = opened.0.get().map_or(&starting, |routes| &routes.admin);
        conversation(socket, router.clone(), closing)
    }
}

/// Serves a connection with a router.
fn conversation(socket: TcpStream, router: Router, closing: ShutdownSignal) -> Conversation {
    Box::pin(async move {
        let Ok(peer) = socket.peer_addr() else { return };
        with_router(socket, peer, (router, None), closing).await;
    })
}

/// One visitor's connection to its end.
async fn one_visitor(edge: Shared, router: Router, socket: TcpStream, mut closing: ShutdownSignal) {
    let Ok(peer) = socket.peer_addr() else { return };
    // Boxed, as the router's part below: what a stream does not need must not stay with it.
    let next = Box::pin(front::serve(&edge, socket, SLOW_CLIENT, &mut closing)).await;
    match next {
        front::Handover::Ended => {}
        front::Handover::Stream(socket, stream) => {
            // The hub ends a stream at shutdown, so it needs neither of these.
            drop((router, closing));
            front::hold(&edge, socket, stream).await;
        }
        front::Handover::Router(socket) => {
            let gate = edge.gate.clone();
            Box::pin(with_router(socket, peer, (router, Some(gate)), closing)).await
        }
    }
}

/// Serves a connection with a router, telling it where it came from, to its end: the
/// client's, or the first answer of a gate that is about to end. Its errors do not concern
/// the server.
async fn with_router(
    socket: impl AsyncRead + AsyncWrite + Unpin,
    peer: SocketAddr,
    (router, gate): (Router, Option<Arc<Gate>>),
    mut closing: ShutdownSignal,
) {
    let inner = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let answered = inner.call(request);
        let is_last = gate.as_ref().is_some_and(|gate| gate.is_draining());
        async move {
            let mut response = answered.await?;
            if is_last {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(SLOW_CLIENT)
        .max_buf_size(HEAD);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(socket), service));
    tokio::select! {
        _ = &mut connection => {}
        () = closing.told() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

#[cfg(test)]
mod tests;
