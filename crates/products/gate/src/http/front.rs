//! The first look at a connection: polls and streams are served here, everything else by
//! the router.
//!
//! Nine of ten requests are polls, and most connections are streams that send nothing for
//! minutes. Both are plain `GET`s with a token and need no full HTTP server: a poll is
//! answered from the buffer it was read into, and a stream keeps a socket, a wake-up flag
//! and a timer, and no buffers. Any other request, and any that would be refused, goes to
//! the router with its bytes, and the connection with it.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use bytes::{Buf, Bytes};
use http_body::Body;
use loadline_listen::{CloseReason, ShutdownSignal};
use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, UNIX_EPOCH};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::answer::{ApiError, StateJson};
use super::stream::{self, Stream};
use super::{HEAD_BYTES_MAX, IDLE_TIMEOUT, Shared, UNREAD_TIMEOUT, cors, visitor};

/// Room for a request's head at first; a ticket in a header makes about 250 bytes.
const HEAD_BUFFER_BYTES: usize = 512;
/// Header fields of a request here; a request with more is served by the router.
const HEADER_FIELDS_MAX: usize = 48;
/// How long a client may take to send a head once it began.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// A connection that said nothing for so long may go when connections run short.
const SCARCE_IDLE_TIMEOUT: Duration = Duration::from_secs(1);
/// The same when none is left: others wait for its place.
const FULL_IDLE_TIMEOUT: Duration = Duration::from_millis(250);
/// How long a client that is turned away may take to send its request and read the answer.
const TURN_AWAY_TIMEOUT: Duration = Duration::from_secs(2);

/// What is to become of a connection.
pub(super) enum Handover {
    /// It is over.
    Ended,
    /// A stream was opened on it; the head of its answer is to be sent.
    Stream(TcpStream, Box<Stream>, Bytes),
    /// The router serves it, from these bytes on.
    Router(Prefixed),
}

/// A call that is served here.
enum FastCall {
    Place,
    Events,
}

/// A request that is served here, read whole.
struct FastRequest {
    asked: FastCall,
    queue: String,
    headers: HeaderMap,
    /// Bytes it took.
    length: usize,
}

/// Serves polls until something else comes.
pub(super) async fn serve(
    edge: &Shared,
    mut socket: TcpStream,
    peer: SocketAddr,
    closing: &mut ShutdownSignal,
) -> Handover {
    let mut read = Vec::with_capacity(HEAD_BUFFER_BYTES);
    let mut answer = Vec::new();
    loop {
        if !next_head(edge, &mut socket, &mut read, closing).await {
            return Handover::Ended;
        }
        let Some(plain) = plain(&read) else {
            return Handover::Router(Prefixed::new(read, socket));
        };
        let is_last = edge.gate.is_draining() || edge.runs_short();
        answer.clear();
        let shared = cors::head_lines(edge, &plain.queue, &plain.headers);
        match plain.asked {
            FastCall::Events => {
                let opened = stream::open(edge, &plain.queue, peer.ip(), &plain.headers).await;
                match opened {
                    Ok(opened) => {
                        let head = stream_head(edge, &shared);
                        return Handover::Stream(socket, Box::new(opened), head);
                    }
                    Err(refused) if is_of_load(&refused) => {
                        edge.refused.note(refused.kind().0);
                        write_refusal(&mut answer, &refused, &shared, is_last);
                    }
                    Err(_) => return Handover::Router(Prefixed::new(read, socket)),
                }
            }
            FastCall::Place => {
                let place = visitor::place(edge, &plain.queue, &plain.headers).await;
                match place {
                    Ok((status, state)) => {
                        edge.refused.note(status);
                        write_answer(edge, &mut answer, status, &state, &shared, is_last);
                    }
                    Err(refused) if is_of_load(&refused) => {
                        edge.refused.note(refused.kind().0);
                        write_refusal(&mut answer, &refused, &shared, is_last);
                    }
                    Err(_) => return Handover::Router(Prefixed::new(read, socket)),
                }
            }
        }
        let sent = tokio::time::timeout(UNREAD_TIMEOUT, socket.write_all(&answer)).await;
        if !matches!(sent, Ok(Ok(()))) || is_last {
            return Handover::Ended;
        }
        read.drain(..plain.length);
        // Who sends many at once takes turns with the others.
        if !read.is_empty() {
            tokio::task::yield_now().await;
        }
    }
}

/// Waits for the next head; `false` when the connection is over: silent for too long, gone,
/// broken off, or told to close.
async fn next_head(
    edge: &Shared,
    socket: &mut TcpStream,
    read: &mut Vec<u8>,
    closing: &mut ShutdownSignal,
) -> bool {
    let begun = Instant::now();
    loop {
        let head = tokio::time::timeout_at(begun + IDLE_TIMEOUT, read_head(socket, read));
        tokio::select! {
            head = head => return matches!(head, Ok(Ok(true))),
            // Between two requests: no answer is due.
            reason = closing.next() => match reason {
                CloseReason::Shutdown => return false,
                CloseReason::Shed => {
                    let most = if edge.is_full() {
                        FULL_IDLE_TIMEOUT
                    } else {
                        SCARCE_IDLE_TIMEOUT
                    };
                    if read.is_empty() && begun.elapsed() > most {
                        return false;
                    }
                }
            }
        }
    }
}

/// Whether somebody is refused for asking too much, which must cost little.
fn is_of_load(refused: &ApiError) -> bool {
    matches!(refused.kind().1, "too_fast" | "streams_full")
}

/// Answers a visitor who comes when there is no room, and closes.
pub(super) async fn turn_away(mut socket: TcpStream, refused: ApiError) {
    let mut answer = Vec::new();
    write_refusal(&mut answer, &refused, "", true);
    let mut read = Vec::with_capacity(HEAD_BUFFER_BYTES);
    let turned_away = async {
        // A client that is still sending would not read the answer.
        while !ends(&read) && read.len() < HEAD_BYTES_MAX && socket.read_buf(&mut read).await? > 0 {
        }
        socket.write_all(&answer).await?;
        socket.shutdown().await
    };
    // One who does not listen is not waited for.
    let _ = tokio::time::timeout(TURN_AWAY_TIMEOUT, turned_away).await;
}

/// Reads until a head is whole or is not for us; `false` when the client is gone.
async fn read_head(socket: &mut TcpStream, read: &mut Vec<u8>) -> io::Result<bool> {
    let mut until = None;
    loop {
        let ours = read.len().min(REQUEST_START.len());
        let other = read[..ours] != REQUEST_START[..ours];
        if !read.is_empty() && (other || ends(read) || read.len() >= HEAD_BYTES_MAX) {
            return Ok(true);
        }
        let length = if read.is_empty() {
            socket.read_buf(read).await?
        } else {
            let until = *until.get_or_insert_with(|| Instant::now() + HEAD_TIMEOUT);
            tokio::time::timeout_at(until, socket.read_buf(read)).await??
        };
        if length == 0 {
            return Ok(false);
        }
    }
}

/// How a request that is served here begins.
const REQUEST_START: &[u8] = b"GET /q/";

/// Whether an empty line is among the bytes.
fn ends(bytes: &[u8]) -> bool {
    let empty = |part: &[u8]| part == b"\n\r\n" || part.starts_with(b"\n\n");
    bytes.windows(3).any(empty) || bytes.ends_with(b"\n\n")
}

/// Reads a poll or the opening of a stream; `None` for anything else, also for what is odd.
fn plain(bytes: &[u8]) -> Option<FastRequest> {
    if !bytes.starts_with(REQUEST_START) {
        return None;
    }
    let mut fields = [httparse::EMPTY_HEADER; HEADER_FIELDS_MAX];
    let mut request = httparse::Request::new(&mut fields);
    let httparse::Status::Complete(length) = request.parse(bytes).ok()? else {
        return None;
    };
    if request.version != Some(1) {
        return None;
    }
    let (queue, call) = request.path?.strip_prefix("/q/")?.split_once('/')?;
    let asked = match call {
        "me" => FastCall::Place,
        "events" => FastCall::Events,
        _ => return None,
    };
    let mut headers = HeaderMap::with_capacity(request.headers.len());
    for field in request.headers.iter() {
        // What speaks of bodies and connections is the router's business.
        let special = [
            "content-length",
            "transfer-encoding",
            "connection",
            "upgrade",
            "expect",
        ];
        let keep_alive = field.name.eq_ignore_ascii_case("connection")
            && field.value.eq_ignore_ascii_case(b"keep-alive");
        if special
            .iter()
            .any(|name| field.name.eq_ignore_ascii_case(name))
            && !keep_alive
        {
            return None;
        }
        let name = HeaderName::from_bytes(field.name.as_bytes()).ok()?;
        headers.append(name, HeaderValue::from_bytes(field.value).ok()?);
    }
    (headers.get_all("host").iter().count() == 1).then(|| FastRequest {
        asked,
        queue: queue.to_owned(),
        headers,
        length,
    })
}

/// See [`super::read_bodies`].
pub(super) fn read_request(bytes: &[u8]) {
    if let Some(plain) = plain(bytes) {
        assert!(
            plain.length <= bytes.len() && ends(bytes),
            "a head without an end"
        );
    }
}

fn write_answer(
    edge: &Shared,
    out: &mut Vec<u8>,
    status: StatusCode,
    state: &StateJson,
    shared: &str,
    is_last: bool,
) {
    let close = if is_last { "connection: close\r\n" } else { "" };
    let renewed = state
        .renewed
        .as_ref()
        .and_then(|renewed| renewed.cookie.as_ref());
    let cookie = renewed.map(|cookie| format!("set-cookie: {cookie}\r\n"));
    let cookie = cookie.unwrap_or_default();
    let body = serde_json::to_vec(state).unwrap_or_default();
    let reason = status.canonical_reason().unwrap_or("");
    // A Vec takes everything.
    let _ = write!(
        out,
        "HTTP/1.1 {} {reason}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n\
         content-length: {}\r\n{close}{cookie}{shared}date: {}\r\n\r\n",
        status.as_u16(),
        body.len(),
        date(edge)
    );
    out.extend_from_slice(&body);
}

/// A refusal for load, as the router would send it, with the lines that share it.
fn write_refusal(out: &mut Vec<u8>, refused: &ApiError, shared: &str, is_last: bool) {
    let close = if is_last { "connection: close\r\n" } else { "" };
    let (status, _) = refused.kind();
    let reason = status.canonical_reason().unwrap_or("");
    let again = refused.retry_after_s().unwrap_or(1);
    let body = refused.body();
    // A Vec takes everything.
    let _ = write!(
        out,
        "HTTP/1.1 {} {reason}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n\
         retry-after: {again}\r\ncontent-length: {}\r\n{close}{shared}\r\n{body}",
        status.as_u16(),
        body.len(),
    );
}

/// The time of day as headers have it, made once a second.
fn date(edge: &Shared) -> String {
    thread_local! {
        static LAST: RefCell<(u64, String)> = const { RefCell::new((0, String::new())) };
    }
    let now_s = edge.gate.now_s();
    LAST.with_borrow_mut(|(at, text)| {
        if *at != now_s {
            *at = now_s;
            *text = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(now_s));
        }
        text.clone()
    })
}

fn stream_head(edge: &Shared, shared: &str) -> Bytes {
    Bytes::from(format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\n\
         x-accel-buffering: no\r\nconnection: close\r\n{shared}date: {}\r\n\r\n",
        date(edge)
    ))
}

/// Holds a stream, whose head is `unsent`, until it ends, the client goes, or leaves it unread
/// for too long.
pub(super) async fn hold(socket: TcpStream, mut stream: Box<Stream>, mut unsent: Bytes) {
    let mut stuck: Option<Instant> = None;
    poll_fn(|cx| poll_held(cx, &socket, &mut stream, &mut unsent, &mut stuck)).await;
}

fn poll_held(
    cx: &mut Context<'_>,
    socket: &TcpStream,
    stream: &mut Stream,
    unsent: &mut Bytes,
    stuck: &mut Option<Instant>,
) -> Poll<()> {
    if poll_gone(cx, socket).is_ready() {
        return Poll::Ready(());
    }
    loop {
        match poll_send(cx, socket, unsent) {
            Poll::Ready(true) => {
                if stuck.take().is_some() {
                    stream.look_again();
                }
            }
            Poll::Ready(false) => return Poll::Ready(()),
            Poll::Pending => {
                let until = *stuck.get_or_insert_with(|| Instant::now() + UNREAD_TIMEOUT);
                return stream.poll_until(cx, until);
            }
        }
        match ready!(Pin::new(&mut *stream).poll_frame(cx)) {
            Some(Ok(frame)) => *unsent = frame.into_data().unwrap_or_default(),
            None => return Poll::Ready(()),
        }
    }
}

/// Sends what is unsent; `false` when it cannot be.
fn poll_send(cx: &mut Context<'_>, socket: &TcpStream, unsent: &mut Bytes) -> Poll<bool> {
    while !unsent.is_empty() {
        match socket.try_write(unsent) {
            Ok(sent) => unsent.advance(sent),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if ready!(socket.poll_write_ready(cx)).is_err() {
                    return Poll::Ready(false);
                }
            }
            Err(_) => return Poll::Ready(false),
        }
    }
    // What was said once is not kept.
    *unsent = Bytes::new();
    Poll::Ready(true)
}

/// Ready when the client is gone. What it sends on a stream is of no interest.
fn poll_gone(cx: &mut Context<'_>, socket: &TcpStream) -> Poll<()> {
    let mut ignored = [0; 64];
    loop {
        if ready!(socket.poll_read_ready(cx)).is_err() {
            return Poll::Ready(());
        }
        match socket.try_read(&mut ignored) {
            Ok(1..) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(0) | Err(_) => return Poll::Ready(()),
        }
    }
}

mod prefixed;

pub(super) use prefixed::Prefixed;

#[cfg(test)]
mod tests;
