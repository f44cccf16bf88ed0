//! Handles one request: its route, its wait, its answer.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_timer::Delay;
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Either, Full as Whole};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response, StatusCode};
use tokio::time::{Instant, Sleep};

use crate::body::Values;
use crate::spec::Route;
use crate::state::State;

/// How long a request that gets no answer is held.
const UNANSWERED_HOLD: Duration = Duration::from_secs(600);
/// The interval between pieces of a slow body.
const PIECE_EVERY: Duration = Duration::from_millis(100);

/// When those answers of a connection were due whose first byte is not written yet.
#[derive(Debug, Default)]
pub(crate) struct DueTimes(Mutex<Vec<Instant>>);

impl DueTimes {
    fn add(&self, at: Instant) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(at);
    }

    /// Bytes were written: all answers that were due are being sent.
    pub(crate) fn written(&self, state: &State) {
        let mut due = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if due.is_empty() {
            return;
        }
        let now = Instant::now();
        for at in due.drain(..) {
            state.added.record(now.saturating_duration_since(at));
        }
    }
}

pub(crate) type Answer = Response<Either<Whole<Bytes>, TrickledBody>>;

/// A request in progress. It ends when this is dropped, also when the client disconnects.
struct InFlight<'a>(&'a State);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.leave();
    }
}

/// Answers a request.
pub(crate) async fn answer(
    state: Arc<State>,
    due: Arc<DueTimes>,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let came = Instant::now();
    state.in_flight.enter();
    let _counted = InFlight(&state);
    let sequence = state.sequence.fetch_add(1, Ordering::Relaxed) + 1;
    let (head, body) = request.into_parts();
    // An unread body would end the connection.
    if !body.is_end_stream() {
        let mut body = body;
        while let Some(Ok(_)) = body.frame().await {}
    }
    let served = state.served();
    let path = head.uri.path();
    let fits = |route: &Route| {
        route
            .method
            .as_ref()
            .is_none_or(|method| *method == head.method)
            && route.pattern.takes(path).is_some()
    };
    let Some(route) = served.routes.iter().find(|route| fits(route)) else {
        due.add(Instant::now());
        let text =
            "{\"error\":{\"code\":\"no_route\",\"message\":\"no route of this mock fits\"}}\n";
        return Ok(finish(&state, plain(StatusCode::NOT_FOUND, text)));
    };
    let slot = match &route.gate {
        None => None,
        Some((gate, status)) => match gate.enter().await {
            Ok(slot) => slot,
            Err(_) => {
                state.turned_away.fetch_add(1, Ordering::Relaxed);
                due.add(Instant::now());
                let text =
                    "{\"error\":{\"code\":\"limit\",\"message\":\"too many wait already\"}}\n";
                return Ok(finish(&state, plain(*status, text)));
            }
        },
    };
    // Waiting for a limit is part of the answer's time; the latency follows it.
    let from = if route.gate.is_some() {
        Instant::now()
    } else {
        came
    };
    if route.timeouts > 0.0 && state.random.unit() < route.timeouts {
        state.unanswered.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(UNANSWERED_HOLD).await;
        return Ok(finish(&state, plain(StatusCode::GATEWAY_TIMEOUT, "")));
    }
    let latency = route.latency.at(served.since.elapsed()).draw(&state.random);
    let at = from + latency;
    if !latency.is_zero() {
        // Not tokio's timers: every 4.1 s their wheel moves all waiting ones at once, which takes
        // 50 ms with 50,000.
        Delay::new(at.saturating_duration_since(Instant::now())).await;
    }
    let response = match route.errors {
        Some((share, status)) if state.random.unit() < share => plain(
            status,
            "{\"error\":{\"code\":\"told_to_fail\",\"message\":\"this mock fails a share of requests\"}}\n",
        ),
        _ => good(&state, route, path, head.uri.query(), sequence),
    };
    drop(slot);
    due.add(at);
    Ok(finish(&state, response))
}

fn finish(state: &State, response: Answer) -> Answer {
    let class = usize::from(response.status().as_u16() / 100).min(5);
    state.answered[class].fetch_add(1, Ordering::Relaxed);
    response
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    let mut response = Response::new(Either::Left(Whole::new(Bytes::from_static(
        text.as_bytes(),
    ))));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

fn good(state: &State, route: &Route, path: &str, query: Option<&str>, sequence: u64) -> Answer {
    let text = match route.body.fixed() {
        Some(text) => text.to_owned(),
        None => route.body.fill(&Values {
            path: &route.pattern.takes(path).unwrap_or_default(),
            query: query.unwrap_or_default(),
            sequence,
            random: &state.random,
            wall_clock: state.wall_clock,
        }),
    };
    let bytes = Bytes::from(text);
    let body = match route.bytes_per_second {
        None => Either::Left(Whole::new(bytes)),
        Some(rate) => Either::Right(TrickledBody::new(bytes, rate)),
    };
    let mut response = Response::new(body);
    *response.status_mut() = route.status;
    for (name, value) in &route.headers {
        response.headers_mut().insert(name.clone(), value.clone());
    }
    response
}

/// A body that is sent slowly.
pub(crate) struct TrickledBody {
    left: Bytes,
    piece: usize,
    pause: Pin<Box<Sleep>>,
    first: bool,
}

impl TrickledBody {
    fn new(bytes: Bytes, per_second: u64) -> Self {
        let piece = usize::try_from(per_second / 10)
            .unwrap_or(usize::MAX)
            .max(1);
        Self {
            left: bytes,
            piece,
            pause: Box::pin(tokio::time::sleep(Duration::ZERO)),
            first: true,
        }
    }
}

impl Body for TrickledBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left.is_empty() {
            return Poll::Ready(None);
        }
        if !self.first && self.pause.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.first = false;
        let piece = self.piece.min(self.left.len());
        let piece = self.left.split_to(piece);
        let next = Instant::now() + PIECE_EVERY;
        self.pause.as_mut().reset(next);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}
