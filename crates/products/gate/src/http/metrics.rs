//! Figures for Prometheus, and probes.

use axum::extract::State;
use axum::http::header::{CONNECTION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::fmt::Write;

use super::Shared;
use super::answer::ApiError;

/// Troubles told at most: when the store is away, every queue has the same.
const TOLD: usize = 10;

/// `GET /healthz` for everybody: the process answers.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// `GET /healthz` for owners: the process answers, and what does not work. A restart would
/// mend none of that.
pub(super) async fn health(State(edge): State<Shared>) -> String {
    format!("ok\n{}", troubles(&edge))
}

/// `GET /readyz`: what the store has was read, and the gate is not about to end. While the
/// store is away visitors keep their places here as well as anywhere.
pub(super) async fn ready(State(edge): State<Shared>) -> Response {
    // Rooms are opened before anything is served, so a gate that answers is warm.
    match edge.gate.is_draining() {
        false => (StatusCode::OK, format!("ready\n{}", troubles(&edge))).into_response(),
        true => (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response(),
    }
}

/// A line for each log that does not answer and each queue that is not open.
fn troubles(edge: &Shared) -> String {
    let troubles = edge.gate.troubles();
    let lines = troubles.iter().take(TOLD);
    let mut text: String = lines.map(|(log, why)| format!("{log}: {why}\n")).collect();
    if troubles.len() > TOLD {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "and {} more", troubles.len() - TOLD);
    }
    text
}

/// Everything but `/healthz` before the store was read. The connection ends with the answer, so
/// that the next request meets what is served then.
pub(super) async fn starting() -> Response {
    let message = "the gate is starting: it has not read its store yet";
    let refused = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "starting", message);
    let mut response = refused.retry_after(2).into_response();
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}

/// A metric of each queue: name, kind, help, value.
type Metric = (
    &'static str,
    &'static str,
    &'static str,
    fn(&crate::queue::Queue) -> f64,
);

const QUEUE: [Metric; 14] = [
    ("waiting", "gauge", "Visitors who wait.", |q| {
        q.waiting() as f64
    }),
    ("ready", "gauge", "Visitors whose turn it is.", |q| {
        q.passed().0 as f64
    }),
    ("inside", "gauge", "Visitors inside.", |q| {
        q.passed().1 as f64
    }),
    (
        "away",
        "gauge",
        "Visitors passed over whose place is kept.",
        |q| q.passed().2 as f64,
    ),
    (
        "rate_per_second",
        "gauge",
        "Admissions per second that are set.",
        |q| {
            q.policy()
                .0
                .rate
                .map_or(f64::INFINITY, crate::queue::AdmissionRate::as_per_second)
        },
    ),
    ("cap", "gauge", "Visitors ready and inside at most.", |q| {
        q.policy().0.cap.map_or(f64::INFINITY, |cap| cap as f64)
    }),
    ("joined_total", "counter", "Tickets given out.", |q| {
        q.totals().joined as f64
    }),
    ("admitted_total", "counter", "Turns given.", |q| {
        q.totals().admitted as f64
    }),
    ("claimed_total", "counter", "Turns taken.", |q| {
        q.totals().claimed as f64
    }),
    (
        "no_shows_total",
        "counter",
        "Turns not taken in time.",
        |q| q.totals().no_shows as f64,
    ),
    (
        "passed_over_total",
        "counter",
        "Waiters who were not there.",
        |q| q.totals().passed_over as f64,
    ),
    ("left_total", "counter", "Waiters who gave up.", |q| {
        q.totals().left as f64
    }),
    (
        "completed_total",
        "counter",
        "Sessions that were ended.",
        |q| q.totals().completed as f64,
    ),
    (
        "full_total",
        "counter",
        "Visitors refused for want of room.",
        |q| q.totals().full as f64,
    ),
];

/// `GET /metrics`, without a key: the admin listener is not for everybody.
pub(super) async fn metrics(State(edge): State<Shared>) -> Response {
    let mut rooms = edge.gate.rooms();
    rooms.sort_by_key(|room| room.id);
    let mut text = String::new();
    for (name, kind, help, value) in QUEUE {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "# HELP loadline_gate_{name} {help}\n# TYPE loadline_gate_{name} {kind}"
        );
        for room in &rooms {
            let number = room.look(value);
            let number = if number.is_infinite() {
                "+Inf".to_owned()
            } else {
                number.to_string()
            };
            let _ = writeln!(
                text,
                "loadline_gate_{name}{{queue=\"{}\"}} {number}",
                room.id
            );
        }
    }
    let streams = edge.gate.streams();
    let store = u8::from(edge.gate.is_reachable());
    let failed = edge.gate.failed_queues();
    let _ = writeln!(
        text,
        "# HELP loadline_gate_streams Open streams.\n# TYPE loadline_gate_streams gauge\nloadline_gate_streams {streams}"
    );
    let _ = writeln!(
        text,
        "# HELP loadline_gate_store_up Whether the store answers.\n# TYPE loadline_gate_store_up gauge\nloadline_gate_store_up {store}"
    );
    let _ = writeln!(
        text,
        "# HELP loadline_gate_queues_failed Queues that are not served.\n# TYPE loadline_gate_queues_failed gauge\nloadline_gate_queues_failed {failed}"
    );
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
