//! What surrounds every endpoint under load: metrics, stall, faults; and how a
//! request gets a connection or a thread.

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame};
use loadline_listen::Refusal;
use serde_json::json;
use std::io;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use crate::cpu::{burn, thread_time};
use crate::endpoint::Endpoint;
use crate::pool::{AcquireError, Permit, Pool};
use crate::settings::{BodyFault, CallPlacement};
use crate::target::{LONGEST_WAIT, Live, Target};

/// The field in which a caller says whether it wants a trace.
const TRACE_PARENT: &str = "traceparent";

/// Counts the request, lets it wait out a stall, and applies the faults switched on.
pub(super) async fn surround(
    State((target, endpoint)): State<(Arc<Target>, Endpoint)>,
    request: Request,
    next: Next,
) -> Response {
    let live = target.live();
    let _in_flight = live.metrics.enter();
    let method = request.method().clone();
    let since = Instant::now();
    let response = respond(&live, request, next).await;
    let (status, took) = (response.status().as_u16(), since.elapsed());
    live.metrics
        .answered(endpoint, method.as_str(), status, took);
    response
}

async fn respond(live: &Live, request: Request, next: Next) -> Response {
    let faults = &live.settings.faults;
    live.stall.pass().await;
    if !faults.latency.is_zero() {
        sleep(faults.latency).await;
    }
    if live.fault_counts.fails(faults) {
        let message = "answered 500 on purpose: faults.error_percent is not 0";
        return Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "injected", message)
            .into_response();
    }
    if live.fault_counts.fails_in_200(faults) {
        let message = "answered 200 with an error on purpose: faults.error_in_200_percent is not 0";
        return Json(json!({"code": "error", "message": message})).into_response();
    }
    if let Some(cost) = trace_cost(live, &request) {
        // A server that stops has no trace to make.
        let _ = spawn_blocking(move || burn(cost, thread_time)).await;
    }
    let response = next.run(request).await;
    match &faults.break_body {
        Some(fault) if response.status().is_success() && live.fault_counts.breaks(fault.after) => {
            broken(response, fault.how).await
        }
        _ => response,
    }
}

/// What a trace costs, of a request that asks for one.
fn trace_cost(live: &Live, request: &Request) -> Option<Duration> {
    let cost = live.settings.tracing.cpu;
    let parent = request.headers().get(TRACE_PARENT)?;
    (!cost.is_zero() && is_sampled(parent.as_bytes())).then_some(cost)
}

/// Whether a `traceparent` has the flag of sampled requests (W3C Trace Context, 3.2.2.5).
fn is_sampled(parent: &[u8]) -> bool {
    let flags = parent.rsplit(|byte| *byte == b'-').next();
    let flags = flags.and_then(|flags| std::str::from_utf8(flags).ok());
    flags.is_some_and(|flags| u8::from_str_radix(flags, 16).is_ok_and(|bits| bits & 1 == 1))
}

async fn broken(response: Response, how: BodyFault) -> Response {
    let (mut head, body) = response.into_parts();
    let whole = to_bytes(body, usize::MAX)
        .await
        .expect("bodies of this target are in memory");
    let half = whole.slice(..whole.len() / 2);
    head.headers.remove(CONTENT_LENGTH);
    let body = match how {
        BodyFault::Empty => Body::from("{}"),
        BodyFault::Cut => Body::from(half),
        BodyFault::Close => {
            head.headers
                .insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
            Body::new(CutShort::Half(half))
        }
    };
    Response::from_parts(head, body)
}

/// A body that ends in an error after its first half; the server then closes the connection.
enum CutShort {
    Half(Bytes),
    /// Lets the server send what it has: an error at once would take the head with it.
    Pause,
    End,
}

impl HttpBody for CutShort {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match mem::replace(&mut *self, Self::End) {
            Self::Half(half) => {
                *self = Self::Pause;
                Poll::Ready(Some(Ok(Frame::data(half))))
            }
            Self::Pause => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Self::End => Poll::Ready(Some(Err(io::Error::other("cut short on purpose")))),
        }
    }
}

/// Spends `query` on a connection and makes the call `downstream` where `call` says.
pub(super) async fn query_and_call(
    live: &Live,
    query: Duration,
    downstream: Duration,
    call: CallPlacement,
) -> Result<(), Refusal> {
    let inside = match call {
        CallPlacement::Inside => downstream,
        CallPlacement::Outside => {
            sleep(downstream).await;
            Duration::ZERO
        }
    };
    connection(live).await?.hold(query + inside).await;
    if !downstream.is_zero() {
        live.metrics.called(downstream);
    }
    Ok(())
}

/// A connection from the pool.
pub(super) async fn connection(live: &Live) -> Result<Permit, Refusal> {
    let patience = live.settings.pool.acquire_timeout;
    live.connections.acquire(patience).await.map_err(|error| {
        let (AcquireError::TimedOut(fill) | AcquireError::QueueFull(fill)) = error;
        let message = format!(
            "no connection of the pool became free within {} ms: {} of {} busy, {} waiting",
            patience.as_millis(),
            fill.busy,
            fill.max,
            fill.waiting,
        );
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "pool_timeout", message)
            .with("pool", "connections")
            .with("max", fill.max)
            .with("busy", fill.busy)
            .with("waiting", fill.waiting)
    })
}

/// A thread for CPU work.
pub(super) async fn thread(cpu: &Pool) -> Result<Permit, Refusal> {
    cpu.acquire(LONGEST_WAIT).await.map_err(|error| {
        let (AcquireError::TimedOut(fill) | AcquireError::QueueFull(fill)) = error;
        let message = format!(
            "too many requests wait for a thread: {} of {} busy, {} waiting",
            fill.busy, fill.max, fill.waiting,
        );
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "cpu_queue_full", message)
            .with("pool", "cpu")
            .with("max", fill.max)
            .with("busy", fill.busy)
            .with("waiting", fill.waiting)
    })
}

#[cfg(test)]
mod tests {
    use super::is_sampled;

    #[test]
    fn the_last_bit_of_the_flags_asks_for_a_trace() {
        let parent = |flags: &str| format!("00-{:032x}-{:016x}-{flags}", 1, 2);
        for (flags, is_asked) in [("01", true), ("03", true), ("00", false), ("02", false)] {
            assert_eq!(is_sampled(parent(flags).as_bytes()), is_asked, "{flags}");
        }
        assert!(!is_sampled(b""));
        assert!(!is_sampled(&[0xff, b'-', 0xfe]));
    }
}
