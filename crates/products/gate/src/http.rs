//! The edge: what visitors, services and owners call.
//!
//! Two listeners. The public one serves visitors and the services' own calls; the admin
//! one serves owners, figures and probes, and need not be reachable from outside. Polls
//! and streams are answered from memory; nothing here keeps state but counts of bounded
//! size: see [`edge`].

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
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
use tokio::net::TcpStream;

use crate::gate::Gate;

mod addresses;
mod admin;
mod answer;
mod archive;
mod audit;
mod authz;
mod call_log;
mod caller;
mod control;
mod cors;
mod edge;
mod enter;
mod front;
mod held;
mod metrics;
mod openapi;
mod owner_page;
mod page;
mod public_api;
mod public_keys;
mod query;
mod queue_body;
mod real_visit;
mod refused;
mod request_checks;
mod service;
mod stream;
mod tenants;
mod throttle;
mod visitor;

pub(crate) use edge::Edge;
pub(crate) use public_api::PublicApi;

/// Bytes of a body that comes with a key; the sessions of a service are the longest.
const BODY_BYTES_MAX: usize = 256 * 1024;
/// Bytes of a visitor's body.
const SMALL_BODY: usize = 4 * 1024;
/// Bytes of a request's head.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// Files kept for everything that is no visitor's connection: a quarter, within these bounds.
const OTHER_FILES: (u64, u64) = (64, 512);
/// How long a connection may say nothing between two polls.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// How long a client of the router may take to send its next head.
const NEXT_HEAD: Duration = Duration::from_secs(30);
/// How long a request may take from its head to its answer's, its body included.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a client may leave an answer unread.
const UNREAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes kept each way for a connection by the kernel, which doubles it: with the megabytes that
/// it allows, ten clients that sent calls and read nothing took seconds of a gate's time.
const SOCKET_BUFFER: u32 = 64 * 1024;

type Shared = Arc<Edge>;

/// Where a request came from: the connection's other end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// How both listeners are bounded.
#[must_use]
pub fn limits(connections: usize) -> Limits {
    Limits {
        connections,
        shed_at: edge::short_at(connections),
        backlog: 65_535,
        head_bytes: HEAD_BYTES_MAX,
        body_bytes: BODY_BYTES_MAX,
        idle: NEXT_HEAD,
        drain: Duration::from_secs(5),
        socket_buffer: Some(SOCKET_BUFFER),
    }
}

/// Raises the limit of open files to what is allowed; how many connections that leaves to
/// visitors and to owners.
pub fn raise_file_limit() -> (usize, usize) {
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
    let other = (files / 4).clamp(OTHER_FILES.0, OTHER_FILES.1);
    let owners = (files / 16).clamp(8, 1_000);
    let visitors = files.saturating_sub(other + owners).max(8);
    let count = |files: u64| usize::try_from(files).unwrap_or(usize::MAX);
    (count(visitors), count(owners))
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
    public: Listener,
    admin: Listener,
    ending: ShutdownSignals<impl Future<Output = ()>, impl Future<Output = ()>>,
) -> DrainResult {
    let admin = admin.serve_connections(owners(&opened), std::future::pending());
    let admin = tokio::spawn(admin);
    let stop = async {
        let gate = || opened.0.get().map(|routes| &routes.public.edge.gate);
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
    public: PublicApi,
    admin: Router,
}

impl Routes {
    fn new(edge: Shared) -> Self {
        Self {
            public: PublicApi::new(edge.clone()),
            admin: admin_router(edge),
        }
    }
}

/// What is served while the store has not been read yet.
fn starting_router() -> Router {
    Router::new()
        .route("/healthz", get(metrics::alive))
        .fallback(metrics::starting)
}

/// What visitors and services call; what is done around each call is in [`PublicApi`].
fn public_router(edge: Shared) -> Router {
    Router::new()
        .route("/q/{queue}/join", post(visitor::join))
        .route("/q/{queue}/me", get(visitor::me))
        .route("/q/{queue}/claim", post(visitor::claim))
        .route("/q/{queue}/leave", post(visitor::leave))
        .route("/q/{queue}/status", get(visitor::status))
        .route("/q/{queue}/events", get(stream::events))
        .route("/w/{queue}", get(page::show).post(page::come_in))
        .route("/w/{queue}/logo", get(page::logo))
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
        .route(
            "/v1/tenants",
            get(tenants::tenants).post(tenants::add_tenant),
        )
        .route(
            "/v1/tenants/{tenant}/keys",
            get(tenants::keys).post(tenants::add_key),
        )
        .route("/v1/tenants/{tenant}/rotate", post(tenants::rotate))
        .route("/v1/tenants/{tenant}/quotas", put(tenants::set_quotas))
        .route("/v1/key", get(tenants::own_key))
        .route("/v1/keys/{key}", delete(tenants::revoke_key))
        .route("/v1/audit", get(audit::directory_audit))
        .route("/v1/archive", get(archive::archived))
        .route("/v1/archive/{queue}", delete(archive::delete))
        .route("/v1/archive/{queue}/restore", post(archive::restore))
        .route("/v1/queues/{queue}/archive", post(archive::archive))
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
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(axum::middleware::from_fn(
            |request, next: axum::middleware::Next| public_api::in_time(next.run(request)),
        ))
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
    tenants::read_bodies(bytes);
}

/// How a listener serves a connection.
type Conversation = futures_util::future::BoxFuture<'static, ()>;

/// Serves visitors' connections: polls and streams directly, the rest with the router.
fn visitors(opened: &PendingGate) -> impl Fn(TcpStream, ShutdownSignal) -> Conversation + use<> {
    let (opened, starting) = (opened.clone(), starting_router());
    move |socket, closing| match opened.0.get() {
        Some(routes) => Box::pin(one_visitor(routes.public.clone(), socket, closing)),
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
        let socket = front::Prefixed::new(Vec::new(), socket);
        let api = Api::Router(TowerToHyperService::new(router));
        converse(socket, peer, api, closing).await;
    })
}

/// One visitor's connection to its end.
async fn one_visitor(api: PublicApi, socket: TcpStream, mut closing: ShutdownSignal) {
    let edge = api.edge.clone();
    let Ok(peer) = socket.peer_addr() else { return };
    let _taken = match edge.take_connection(peer.ip()) {
        Ok(taken) => taken,
        Err(refused) => {
            edge.refused.note(refused.kind().0);
            return Box::pin(front::turn_away(socket, refused)).await;
        }
    };
    // Boxed, as the router's part below: what a stream does not need must not stay with it.
    let next = Box::pin(front::serve(&edge, socket, peer, &mut closing)).await;
    match next {
        front::Handover::Ended => {}
        front::Handover::Stream(socket, stream, head) => {
            // The hub ends a stream at shutdown, so it needs neither of these.
            drop((api, closing));
            front::hold(socket, stream, head).await;
        }
        front::Handover::Router(socket) => {
            Box::pin(converse(socket, peer, Api::Public(api), closing)).await
        }
    }
}

/// What answers the calls of a connection.
#[derive(Clone)]
enum Api {
    Public(PublicApi),
    Router(TowerToHyperService<Router>),
}

impl Api {
    /// Whether the gate is about to end, so that a visitor's connection goes after its answer.
    fn is_draining(&self) -> bool {
        match self {
            Self::Public(api) => api.edge.gate.is_draining(),
            Self::Router(_) => false,
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response {
        if let Some(refused) = request_checks::ambiguous_request_refused(&request) {
            return refused;
        }
        match self {
            Self::Public(api) => api.answer(request).await,
            Self::Router(router) => router.call(request).await.into_response(),
        }
    }
}

/// Serves a connection, telling where it came from, to its end: the client's, or the first
/// answer of a gate that is about to end. Its errors do not concern the server.
async fn converse(
    socket: front::Prefixed,
    peer: SocketAddr,
    api: Api,
    mut closing: ShutdownSignal,
) {
    let turns = socket.turns();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let is_last = api.is_draining();
        let (api, turns) = (api.clone(), turns.clone());
        async move {
            turns.next().await;
            let mut response = api.answer(request).await;
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
        .header_read_timeout(NEXT_HEAD)
        .max_buf_size(HEAD_BYTES_MAX);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(socket), service));
    tokio::select! {
        // What was read already is served first.
        biased;
        _ = &mut connection => {}
        // Or idle ones are to go: hyper ends it after the request it is at.
        _ = closing.next() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

#[cfg(test)]
mod tests;
