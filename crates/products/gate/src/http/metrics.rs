//! Figures for Prometheus, and probes.

use axum::extract::State;
use axum::http::header::{CONNECTION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::fmt::{Display, Write};

use super::Shared;
use super::answer::ApiError;
use crate::replica::{APPEND_CLASSES_S, COMMAND_CLASSES_S};

/// The most troubles that are listed: when the store is unreachable, every queue has the same.
const TROUBLES_MAX: usize = 10;

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
    if edge.gate.is_draining() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response()
    } else {
        (StatusCode::OK, format!("ready\n{}", troubles(&edge))).into_response()
    }
}

/// A line for each log that does not answer and each queue that is not open.
fn troubles(edge: &Shared) -> String {
    let troubles = edge.gate.troubles();
    let lines = troubles.iter().take(TROUBLES_MAX);
    let mut text: String = lines.map(|(log, why)| format!("{log}: {why}\n")).collect();
    if troubles.len() > TROUBLES_MAX {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "and {} more", troubles.len() - TROUBLES_MAX);
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
    write_of_gate(&mut text, &edge);
    write_of_logs(&mut text, &edge);
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// One figure of the gate.
fn write_one(text: &mut String, name: &str, kind: &str, help: &str, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "# HELP loadline_gate_{name} {help}\n# TYPE loadline_gate_{name} {kind}\nloadline_gate_{name} {value}"
    );
}

fn write_of_gate(text: &mut String, edge: &Shared) {
    let gate = &edge.gate;
    let (open, most) = edge.connections();
    for (name, help, value) in [
        ("streams", "Open streams.", gate.streams()),
        ("connections", "Open connections of visitors.", open),
        (
            "connections_limit",
            "Connections of visitors at most.",
            most,
        ),
        (
            "store_up",
            "Whether the store answers.",
            usize::from(gate.is_reachable()),
        ),
        (
            "queues_failed",
            "Queues that are not served.",
            gate.failed_queues(),
        ),
    ] {
        write_one(text, name, "gauge", help, value);
    }
    let refused = "# HELP loadline_gate_refused_total Requests of visitors and services that were refused.\n# TYPE loadline_gate_refused_total counter\n";
    text.push_str(refused);
    for (status, count) in edge.refused.all() {
        let _ = writeln!(
            text,
            "loadline_gate_refused_total{{status=\"{status}\"}} {count}"
        );
    }
}

fn write_of_logs(text: &mut String, edge: &Shared) {
    let (figures, lag) = edge.gate.log_figures();
    let lag_s = format!("{:.3}", lag.as_secs_f64());
    let help = "The longest that a log has not been read: what this gate knows may be so old.";
    write_one(text, "log_lag_seconds", "gauge", help, lag_s);
    let help = "Logs that were lost or set back and were repaired.";
    write_one(text, "repairs_total", "counter", help, figures.repairs);
    let help = "How long the store takes to keep an entry.";
    let (counts, sum_s) = (&figures.appends[..], figures.append_s);
    write_histogram(
        text,
        "append_seconds",
        help,
        &APPEND_CLASSES_S,
        counts,
        sum_s,
    );
    let help = "How long a command takes, from all gates: so long its queue answers nobody.";
    let (counts, sum_s) = (&figures.commands[..], figures.command_s);
    write_histogram(
        text,
        "command_seconds",
        help,
        &COMMAND_CLASSES_S,
        counts,
        sum_s,
    );
}

/// Counts of times by class, the last of which has no end, and the sum of the times.
fn write_histogram(
    text: &mut String,
    name: &str,
    help: &str,
    ends_s: &[f64],
    counts: &[u64],
    sum_s: f64,
) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "# HELP loadline_gate_{name} {help}\n# TYPE loadline_gate_{name} histogram"
    );
    let mut sum = 0;
    let ends = ends_s.iter().map(f64::to_string);
    for (count, end) in counts.iter().zip(ends.chain(["+Inf".to_owned()])) {
        sum += count;
        let _ = writeln!(text, "loadline_gate_{name}_bucket{{le=\"{end}\"}} {sum}");
    }
    let _ = writeln!(
        text,
        "loadline_gate_{name}_sum {sum_s}\nloadline_gate_{name}_count {sum}"
    );
}
