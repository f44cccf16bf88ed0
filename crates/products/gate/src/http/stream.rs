//! Server-sent events for one visitor: the state at connect, and after each change.
//!
//! A stream holds a wake-up flag, a timer and the state it sent last. When it is polled it
//! looks at the queue and sends the whole state. There is no backlog: a slow reader skips
//! old states and gets the current one.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body::Frame;
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

use super::answer::ApiError;
use super::answer::StateJson;
use super::caller;
use super::held::HeldPlace;
use super::{Peer, Shared};
use crate::gate::{Room, Subscription};
use crate::queue::VisitorState;

/// Between two keep-alive comments.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The shortest time between two looks at a visitor's place.
const LOOK_INTERVAL_MIN: Duration = Duration::from_secs(1);

/// `GET /q/{queue}/events`
pub(super) async fn events(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let stream = open(&edge, &queue, peer.0.ip(), &headers).await?;
    let mut response = Body::new(stream).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // nginx would else keep events back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// Opens the stream of the holder of a request's ticket.
pub(super) async fn open(
    edge: &Shared,
    queue: &str,
    peer: IpAddr,
    headers: &HeaderMap,
) -> Result<Stream, ApiError> {
    let room = caller::room(edge, queue).await?;
    let shown = caller::require_token(edge, &room, headers)?;
    let wid = shown.ticket.wid;
    // Opening a stream is a sign of life, and brings back who was passed over.
    let view = room.visit(wid, shown.ticket.seq).await?;
    edge.throttle_poll(wid, &view)?;
    let held = edge.streams.take(edge.visitor(peer, headers));
    let is_refused = edge.runs_short() || !edge.may_stream(room.info().tenant);
    let (Some(subscription), Some(held), false) = (room.hub().subscribe(wid), held, is_refused)
    else {
        let message = "no more streams here; polling tells the same";
        return Err(
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "streams_full", message).retry_after(30),
        );
    };
    Ok(Stream {
        room,
        subscription,
        said: None,
        timer: Box::pin(tokio::time::sleep(KEEP_ALIVE)),
        next_word: Instant::now() + KEEP_ALIVE,
        ended: false,
        _held: held,
    })
}

/// A visitor's stream.
pub(super) struct Stream {
    room: Arc<Room>,
    subscription: Subscription,
    /// What was sent last: state's name, number, those ahead, version of the rules.
    said: Option<(&'static str, Option<u64>, Option<u64>, u64)>,
    timer: Pin<Box<Sleep>>,
    /// When the next keep-alive is due.
    next_word: Instant,
    ended: bool,
    /// Of the streams that the visitor's address may have.
    _held: HeldPlace,
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        if this.ended {
            return Poll::Ready(None);
        }
        loop {
            let first = this.said.is_none();
            let signalled = this.subscription.poll_signalled(cx.waker());
            let due = this.timer.as_mut().poll(cx).is_ready();
            if !(first || signalled || due) {
                return Poll::Pending;
            }
            if this.subscription.is_over() {
                this.ended = true;
                return Poll::Ready(Some(Ok(Frame::data(goodbye(&this.subscription)))));
            }
            if let Some(word) = this.word(Instant::now()) {
                return Poll::Ready(Some(Ok(Frame::data(word))));
            }
        }
    }
}

impl Stream {
    /// Looks at the queue as soon as it is read again.
    pub(super) fn look_again(&mut self) {
        self.timer.as_mut().reset(Instant::now());
    }

    /// Ready at `until`; nothing is said before [`Stream::look_again`].
    pub(super) fn poll_until(&mut self, cx: &mut Context<'_>, until: Instant) -> Poll<()> {
        if self.timer.deadline() != until {
            self.timer.as_mut().reset(until);
        }
        self.timer.as_mut().poll(cx)
    }

    /// What is to be sent now, if anything; sets the timer for the next look.
    fn word(&mut self, now: Instant) -> Option<Bytes> {
        let view = self.room.view(self.subscription.wid());
        let ahead = match view.state {
            VisitorState::Waiting { ahead, .. } => Some(ahead),
            _ => None,
        };
        let saying = (view.state.name(), view.state.seq(), ahead, view.version);
        let first = self.said.is_none();
        let text = if self.said != Some(saying) {
            self.said = Some(saying);
            let json = serde_json::to_string(&StateJson::from(&view)).unwrap_or_default();
            Some(self.event(&view.state, view.version, &json, first))
        } else if now >= self.next_word {
            Some(": ka\n\n".to_owned())
        } else {
            None
        };
        if text.is_some() {
            self.next_word = now + KEEP_ALIVE;
        }
        self.timer.as_mut().reset(
            self.next_word
                .min(now + view.poll_after.max(LOOK_INTERVAL_MIN)),
        );
        text.map(Bytes::from)
    }

    fn event(&self, state: &VisitorState, version: u64, json: &str, first: bool) -> String {
        let name = match state {
            VisitorState::Ready { .. } => "ready",
            _ => "state",
        };
        // When the store took what this stands on: what a measurement needs, and no secret.
        let taken_ms = self.subscription.hub().taken_ms();
        let body = json.trim_end_matches('}');
        let retry = if first { "retry: 3000\n" } else { "" };
        format!("{retry}id: {version}\nevent: {name}\ndata: {body},\"taken_ms\":{taken_ms}}}\n\n")
    }
}

/// The last event of a gate that shuts down or runs short; `retry` spreads the reconnects.
fn goodbye(subscription: &Subscription) -> Bytes {
    let spread = u64::from(subscription.wid().0[12]) * 20;
    Bytes::from(format!(
        "retry: {}\nevent: bye\ndata: {{}}\n\n",
        500 + spread
    ))
}
