//! The admin port: shows the mock's status and changes the mock at run time.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post, put};
use axum::{Json, Router};
use loadline_listen::{AllowedHosts, Refusal, guard};

use crate::schedule::Schedule;
use crate::spec::{MockSpec, SpecError};
use crate::state::{State, Status};

/// `GET /self`, `GET /metrics`, `PUT /routes`, `PUT /latency`, `POST /reset`.
pub(crate) fn router(state: Arc<State>) -> Router {
    let control = Router::new()
        .route("/routes", put(routes))
        .route("/latency", put(latency))
        .route("/reset", post(reset))
        .with_state(state.clone());
    let open = Router::new()
        .route("/self", get(own))
        .route("/metrics", get(metrics))
        .with_state(state);
    guard(control, AllowedHosts::local()).merge(open)
}

async fn own(Shared(state): Shared<Arc<State>>) -> Json<Status> {
    Json(state.status())
}

async fn reset(Shared(state): Shared<Arc<State>>) -> StatusCode {
    state.reset();
    StatusCode::NO_CONTENT
}

fn refused(error: &SpecError) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, "bad_routes", error.to_string())
}

/// Replaces the routes by those of a mock file.
async fn routes(Shared(state): Shared<Arc<State>>, text: String) -> Result<StatusCode, Refusal> {
    let spec = MockSpec::parse(&text).map_err(|error| refused(&error))?;
    state.change(spec).map_err(|error| refused(&error))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sets the latency of all routes, given as text: `0.5s`. Schedules start again.
async fn latency(Shared(state): Shared<Arc<State>>, text: String) -> Result<StatusCode, Refusal> {
    let text = text.trim().trim_matches('"');
    Schedule::parse(text)
        .map_err(|reason| Refusal::new(StatusCode::BAD_REQUEST, "bad_latency", reason))?;
    let mut spec = state.served().spec.clone();
    for route in &mut spec.routes {
        *route = route.clone().with_latency(text);
    }
    state.change(spec).map_err(|error| refused(&error))?;
    Ok(StatusCode::NO_CONTENT)
}

/// The data of `/self`, for Prometheus.
async fn metrics(Shared(state): Shared<Arc<State>>) -> impl IntoResponse {
    let status = state.status();
    let mut text = String::new();
    let mut one = |name: &str, kind: &str, help: &str, value: f64| {
        let _ = write!(
            text,
            "# HELP loadline_mock_{name} {help}\n# TYPE loadline_mock_{name} {kind}\nloadline_mock_{name} {value}\n"
        );
    };
    one(
        "requests_total",
        "counter",
        "Requests that came.",
        status.requests as f64,
    );
    one(
        "turned_away_total",
        "counter",
        "Requests turned away by a limit.",
        status.turned_away as f64,
    );
    one(
        "unanswered_total",
        "counter",
        "Requests left without an answer on purpose.",
        status.unanswered as f64,
    );
    one(
        "in_flight",
        "gauge",
        "Requests being worked on.",
        status.in_flight as f64,
    );
    one(
        "waiting",
        "gauge",
        "Requests that wait behind a limit.",
        status.waiting as f64,
    );
    one(
        "connections",
        "gauge",
        "Open connections.",
        status.connections as f64,
    );
    one(
        "refused_connections_total",
        "counter",
        "Connections refused for lack of files.",
        status.refused_connections as f64,
    );
    one(
        "open_file_limit",
        "gauge",
        "Files the process may have open.",
        status.file_limit as f64,
    );
    one(
        "cpu_cores",
        "gauge",
        "CPU used since the last reset, in cores.",
        status.cpu_cores,
    );
    distributions(&status, &mut text);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}

/// Metrics with several numbers.
fn distributions(status: &Status, text: &mut String) {
    let _ = write!(
        text,
        "# HELP loadline_mock_added_latency_seconds Time from when an answer was due to its first byte.\n\
         # TYPE loadline_mock_added_latency_seconds gauge\n"
    );
    let added = [
        ("0.5", status.added_p50_ms),
        ("0.99", status.added_p99_ms),
        ("1", status.added_max_ms),
    ];
    for (quantile, ms) in added {
        if let Some(ms) = ms {
            let _ = writeln!(
                text,
                "loadline_mock_added_latency_seconds{{quantile=\"{quantile}\"}} {}",
                ms / 1000.0
            );
        }
    }
    let _ = write!(
        text,
        "# HELP loadline_mock_answers_total Answers by the first digit of their status.\n\
         # TYPE loadline_mock_answers_total counter\n"
    );
    for (class, count) in status.answers.iter().enumerate().skip(1) {
        let _ = writeln!(
            text,
            "loadline_mock_answers_total{{class=\"{class}xx\"}} {count}"
        );
    }
}
