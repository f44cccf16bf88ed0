//! The port: OTLP over HTTP/1.1 and over gRPC, told apart by the client's first bytes.

use std::io::Read as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use loadline_listen::{CloseReason, Limits, ListenError, Listener, ShutdownSignal, is_same_secret};
use loadline_otlp::{
    ExportKind, ExportMetricsServiceRequest, ExportTraceServiceRequest, METRICS_GRPC_PATH, Message,
    TRACES_GRPC_PATH, decoded_bytes,
};
use loadline_record::signals::SourceError;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::forward::Forwarder;
use super::received::Received;

/// The largest message, packed or unpacked.
const MESSAGE_BYTES_MAX: usize = 8 << 20;
/// Messages that have begun to arrive, all together. Whoever comes beyond that is asked to come again.
const ARRIVING_BYTES_MAX: usize = 16 << 20;
/// What the parts of one message may take in memory: twice of a batch of 8,192 spans with 20 attributes.
const DECODED_BYTES_MAX: usize = 24 << 20;
/// Senders at once; beyond three quarters of it those that are idle are told to go.
const CONNECTIONS_MAX: usize = 1_024;
const SHED_AT: usize = CONNECTIONS_MAX * 3 / 4;
const STREAMS_MAX: u32 = 4;
/// How long a sender may take to say something, and to send a message that it began.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(10);
/// Exports come once a minute, or more often.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// How often a connection over HTTP/2 is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// How long senders may take to finish at the end.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);
/// A gRPC message begins with a flag and its length.
const FRAME_HEADER_BYTES: usize = 5;

/// The thread that serves the port, until it is dropped.
pub(super) struct ReceiverThread {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

type Shared = Arc<Mutex<Received>>;

/// Where messages go.
#[derive(Clone)]
pub(super) struct Inbox {
    received: Shared,
    forwarder: Option<Forwarder>,
    /// What the header `Authorization` has to say.
    authorization: Option<Arc<[u8]>>,
    /// Bytes that may still begin to arrive.
    room: Arc<Semaphore>,
}

impl Inbox {
    pub(super) fn new(received: Shared, forwarder: Option<Forwarder>, token: Option<&str>) -> Self {
        Self {
            received,
            forwarder,
            authorization: token.map(|token| format!("Bearer {token}").into_bytes().into()),
            room: Arc::new(Semaphore::new(ARRIVING_BYTES_MAX)),
        }
    }

    fn allows(&self, headers: &HeaderMap) -> bool {
        self.authorization.as_ref().is_none_or(|wanted| {
            let given = headers.get(AUTHORIZATION);
            given.is_some_and(|given| is_same_secret(given.as_bytes(), wanted))
        })
    }
}

impl ReceiverThread {
    pub(super) fn start(address: SocketAddr, inbox: Inbox) -> Result<Self, SourceError> {
        let other = |error: std::io::Error| SourceError::Other(error.to_string());
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(other)?;
        let limits = Limits {
            connections: CONNECTIONS_MAX,
            shed_at: SHED_AT,
            drain: DRAIN_TIMEOUT,
            ..Limits::default()
        };
        let listener = {
            let _inside = runtime.enter();
            Listener::bind(address, limits).map_err(|error| error_of(&error))?
        };
        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            let converse = move |stream, closing| converse(inbox.clone(), stream, closing);
            runtime.block_on(listener.serve_connections(converse, async {
                // A sender that is gone says the same.
                let _ = stopped.await;
            }));
        };
        let thread = std::thread::Builder::new().name("otlp".to_owned());
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread.spawn(serve).map_err(other)?),
        })
    }
}

impl Drop for ReceiverThread {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // What it panicked of was told when it did.
            let _ = thread.join();
        }
    }
}

fn error_of(error: &ListenError) -> SourceError {
    match error {
        ListenError::InUse { .. } => SourceError::PortTaken,
        ListenError::NotPermitted { .. } => SourceError::NoPermission,
        ListenError::NotHere { .. } => SourceError::NoSuchHost,
        ListenError::Other { source, .. } => SourceError::Other(source.to_string()),
    }
}

/// Serves a connection. Its errors concern only the sender.
async fn converse(inbox: Inbox, stream: TcpStream, mut closing: ShutdownSignal) {
    // One that says nothing keeps no place.
    let mut byte = [0];
    let first = tokio::time::timeout(SILENCE_TIMEOUT, stream.peek(&mut byte));
    let first = tokio::select! {
        first = first => first,
        () = closing.received() => return,
    };
    if !matches!(first, Ok(Ok(1..))) {
        return;
    }
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_TIMEOUT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(SILENCE_TIMEOUT);
    let activity = Arc::new(Activity::default());
    let seen = activity.clone();
    let service = service_fn(move |request| {
        let (inbox, under_way) = (inbox.clone(), RequestUnderWay::new(&seen));
        async move {
            let answer = answer(inbox, request).await;
            drop(under_way);
            answer
        }
    });
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut silence = std::pin::pin!(silence(&activity));
    loop {
        tokio::select! {
            _ = &mut connection => return,
            () = &mut silence => return,
            reason = closing.next() => {
                if reason == CloseReason::Shutdown || activity.is_idle() {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                    return;
                }
            }
        }
    }
}

/// Comes after the time in which a connection must have asked for something, if it did not; else never.
/// Half of a head, or of HTTP/2's first words, is no request.
async fn silence(activity: &Activity) {
    tokio::time::sleep(SILENCE_TIMEOUT).await;
    if activity.has_asked() {
        std::future::pending::<()>().await;
    }
}

/// What a connection is at.
#[derive(Default)]
struct Activity {
    requests: AtomicUsize,
    under_way: AtomicUsize,
}

impl Activity {
    fn has_asked(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 0
    }

    fn is_idle(&self) -> bool {
        self.under_way.load(Ordering::Relaxed) == 0
    }
}

/// A request that is not answered yet; also one that its sender gives up ends with it.
struct RequestUnderWay(Arc<Activity>);

impl RequestUnderWay {
    fn new(activity: &Arc<Activity>) -> Self {
        activity.requests.fetch_add(1, Ordering::Relaxed);
        activity.under_way.fetch_add(1, Ordering::Relaxed);
        Self(activity.clone())
    }
}

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Service {
    Traces,
    Metrics,
}

/// Why a request is refused: the status over HTTP, and that of gRPC.
struct Refused(StatusCode, u8);

const UNKNOWN: Refused = Refused(StatusCode::NOT_FOUND, 12);
const UNKNOWN_SENDER: Refused = Refused(StatusCode::UNAUTHORIZED, 16);
const UNREADABLE: Refused = Refused(StatusCode::BAD_REQUEST, 3);
const TOO_LARGE: Refused = Refused(StatusCode::PAYLOAD_TOO_LARGE, 8);
/// Senders come again after these.
const NO_ROOM: Refused = Refused(StatusCode::SERVICE_UNAVAILABLE, 14);
const TOO_SLOW: Refused = Refused(StatusCode::REQUEST_TIMEOUT, 4);
const NO_PROTOBUF: Refused = Refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, 12);

/// Of these a person is told: a sender that works is asked for less.
const UNTAKEN: [StatusCode; 3] = [TOO_LARGE.0, NO_ROOM.0, TOO_SLOW.0];

type Answer = Response<http_body_util::combinators::BoxBody<Bytes, std::convert::Infallible>>;

async fn answer(
    inbox: Inbox,
    request: Request<Incoming>,
) -> Result<Answer, std::convert::Infallible> {
    let kind = request.headers().get(CONTENT_TYPE).cloned();
    let is_grpc = kind
        .as_ref()
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"));
    let result = receive(&inbox, request, is_grpc).await;
    if let Err(Refused(status, _)) = &result
        && UNTAKEN.contains(status)
    {
        let received = inbox.received.lock();
        received.unwrap_or_else(PoisonError::into_inner).refuse();
    }
    Ok(match (is_grpc, result) {
        (true, result) => grpc_answer(result.err().map_or(0, |refused| refused.1)),
        (false, Ok(())) => http_answer(StatusCode::OK),
        (false, Err(refused)) => http_answer(refused.0),
    })
}

async fn receive(inbox: &Inbox, request: Request<Incoming>, is_grpc: bool) -> Result<(), Refused> {
    let service = match request.uri().path() {
        "/v1/traces" | TRACES_GRPC_PATH => Service::Traces,
        "/v1/metrics" | METRICS_GRPC_PATH => Service::Metrics,
        _ => return Err(UNKNOWN),
    };
    if request.method() != Method::POST {
        return Err(UNKNOWN);
    }
    if !inbox.allows(request.headers()) {
        return Err(UNKNOWN_SENDER);
    }
    let has = |name: &str, value: &[u8]| {
        let found = request.headers().get(name);
        found.is_some_and(|found| found.as_bytes() == value)
    };
    let is_protobuf = is_grpc || has(CONTENT_TYPE.as_str(), b"application/x-protobuf");
    if !is_protobuf {
        return Err(NO_PROTOBUF);
    }
    let is_packed = if is_grpc {
        has("grpc-encoding", b"gzip")
    } else {
        has(CONTENT_ENCODING.as_str(), b"gzip")
    };
    let arrived = arrived(request.into_body(), &inbox.room);
    let arrived = tokio::time::timeout(SILENCE_TIMEOUT, arrived).await;
    let Arrived { body, .. } = &arrived.map_err(|_| TOO_SLOW)??;
    let (message, is_packed) = if is_grpc {
        let (message, flag) = unframed(body).ok_or(UNREADABLE)?;
        (message, is_packed && flag)
    } else {
        (&body[..], is_packed)
    };
    if let Some(forwarder) = &inbox.forwarder {
        let path = match service {
            Service::Traces => "/v1/traces",
            Service::Metrics => "/v1/metrics",
        };
        forwarder.give(path, body.slice_ref(message), is_packed);
    }
    let message = if is_packed {
        unpacked(message)?
    } else {
        message.to_vec()
    };
    let kind = match service {
        Service::Traces => ExportKind::Traces,
        Service::Metrics => ExportKind::Metrics,
    };
    let decoded = decoded_bytes(kind, &message, DECODED_BYTES_MAX).ok_or(UNREADABLE)?;
    if decoded > DECODED_BYTES_MAX {
        return Err(TOO_LARGE);
    }
    let mut received = inbox
        .received
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    match service {
        Service::Traces => {
            let request =
                ExportTraceServiceRequest::decode(&message[..]).map_err(|_| UNREADABLE)?;
            received.take_traces(&request);
        }
        Service::Metrics => {
            let request =
                ExportMetricsServiceRequest::decode(&message[..]).map_err(|_| UNREADABLE)?;
            received.take_metrics(&request);
        }
    }
    Ok(())
}

/// A body that is all there, with the room that it takes.
struct Arrived {
    body: Bytes,
    _room: Vec<OwnedSemaphorePermit>,
}

/// Reads a body as far as there is room for it.
async fn arrived(mut incoming: Incoming, room: &Arc<Semaphore>) -> Result<Arrived, Refused> {
    let mut body = BytesMut::new();
    let mut taken = Vec::new();
    while let Some(frame) = incoming.frame().await {
        let Ok(data) = frame.map_err(|_| UNREADABLE)?.into_data() else {
            continue;
        };
        if body.len() + data.len() > MESSAGE_BYTES_MAX + FRAME_HEADER_BYTES {
            return Err(TOO_LARGE);
        }
        let bytes = u32::try_from(data.len()).map_err(|_| TOO_LARGE)?;
        let own = room.clone().try_acquire_many_owned(bytes);
        taken.push(own.map_err(|_| NO_ROOM)?);
        body.extend_from_slice(&data);
    }
    Ok(Arrived {
        body: body.freeze(),
        _room: taken,
    })
}

/// The one message of a gRPC body, and whether it is packed.
fn unframed(body: &[u8]) -> Option<(&[u8], bool)> {
    let (head, message) = body.split_at_checked(FRAME_HEADER_BYTES)?;
    let length = u32::from_be_bytes(head[1..].try_into().ok()?);
    (usize::try_from(length).ok()? == message.len()).then_some((message, head[0] == 1))
}

fn unpacked(packed: &[u8]) -> Result<Vec<u8>, Refused> {
    let mut message = Vec::new();
    let most = u64::try_from(MESSAGE_BYTES_MAX).unwrap_or(u64::MAX);
    let mut reader = flate2::read::MultiGzDecoder::new(packed).take(most + 1);
    reader.read_to_end(&mut message).map_err(|_| UNREADABLE)?;
    if message.len() > MESSAGE_BYTES_MAX {
        Err(TOO_LARGE)
    } else {
        Ok(message)
    }
}

/// An empty message: everything was taken.
fn http_answer(status: StatusCode) -> Answer {
    let mut response = Response::new(Full::new(Bytes::new()).boxed());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("application/x-protobuf");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn grpc_answer(status: u8) -> Answer {
    let mut frame = BytesMut::new();
    if status == 0 {
        frame.put_bytes(0, FRAME_HEADER_BYTES);
    }
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from(u16::from(status)));
    let body = Full::new(frame.freeze()).with_trailers(std::future::ready(Some(Ok(trailers))));
    let mut response = Response::new(body.boxed());
    let kind = HeaderValue::from_static("application/grpc");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: each kept connection was cut ten seconds after it began, whatever its sender was sending.
    #[tokio::test(start_paused = true)]
    async fn only_a_connection_that_asked_for_nothing_is_silent() {
        let asking = Arc::new(Activity::default());
        let long = 10 * SILENCE_TIMEOUT;
        let watched = tokio::time::timeout(long, silence(&asking));
        // Its first request comes after the watch began.
        let asked = async { drop(RequestUnderWay::new(&asking)) };
        assert!(tokio::join!(watched, asked).0.is_err());
        let mute = Activity::default();
        assert!(tokio::time::timeout(long, silence(&mute)).await.is_ok());
    }
}
