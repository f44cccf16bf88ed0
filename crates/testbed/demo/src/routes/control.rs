//! What is here, settings, stall, reset, health and metrics. None of it stalls or fails.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use loadline_listen::Refusal;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;

use super::simple::at_most_a_minute;
use crate::endpoint::Endpoint;
use crate::metrics::MEDIA_TYPE;
use crate::settings::{DemoSettings, Mistake, SettingsError};
use crate::target::Target;

type Pretty = ([(HeaderName, &'static str); 1], String);

pub(super) async fn index(State(target): State<Arc<Target>>) -> Pretty {
    let live = target.live();
    let endpoints: Map<_, _> = Endpoint::ALL
        .iter()
        .map(|endpoint| (endpoint.route().to_owned(), endpoint.about().into()))
        .collect();
    pretty(&json!({
        "about": "the built-in target of loadline: each endpoint has a known limit, each fault a switch",
        "endpoints": endpoints,
        "control": {
            "/settings": "GET; PUT the members to change, such as {\"pool\": {\"max\": 30}}",
            "/stall": "POST ?ms=: every endpoint waits once, for that long",
            "/reset": "POST: settings of the start, nothing stored, queued or counted",
            "/metrics": "GET: Prometheus (OpenMetrics) text",
            "/healthz": "GET",
        },
        "settings": live.settings,
    }))
}

pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

pub(super) async fn metrics(State(target): State<Arc<Target>>) -> Pretty {
    ([(CONTENT_TYPE, MEDIA_TYPE)], target.live().metrics_text())
}

pub(super) async fn settings(State(target): State<Arc<Target>>) -> Pretty {
    pretty_settings(&target.live().settings)
}

/// Takes the body whatever its content type says: `curl -d` calls everything a form.
pub(super) async fn change(
    State(target): State<Arc<Target>>,
    body: Bytes,
) -> Result<Pretty, Refusal> {
    let change: Value = serde_json::from_slice(&body).map_err(|error| {
        let message = format!("the body is not JSON: {error}");
        Refusal::new(StatusCode::BAD_REQUEST, "not_json", message)
    })?;
    let live = target.change(&change).map_err(refused)?;
    Ok(pretty_settings(&live.settings))
}

fn refused(error: SettingsError) -> Refusal {
    let message = format!("nothing was changed: {error}");
    let refusal = Refusal::new(StatusCode::BAD_REQUEST, "bad_settings", message);
    match error {
        SettingsError::Shape { place, what } => {
            refusal.with("mistakes", json!([{"place": place, "what": what}]))
        }
        SettingsError::Range(mistakes) => refusal.with("mistakes", listed(&mistakes)),
    }
}

fn listed(mistakes: &[Mistake]) -> Value {
    serde_json::to_value(mistakes).expect("mistakes have string keys only")
}

pub(super) async fn reset(State(target): State<Arc<Target>>) -> Pretty {
    pretty_settings(&target.reset().settings)
}

/// How long to stall.
#[derive(Deserialize)]
pub(super) struct Stalls {
    ms: u64,
}

pub(super) async fn stall(
    State(target): State<Arc<Target>>,
    Query(stalls): Query<Stalls>,
) -> Result<Json<Value>, Refusal> {
    let time = at_most_a_minute(stalls.ms)?;
    target.live().stall.start(time);
    Ok(Json(json!({"code": "success", "stalled_ms": stalls.ms})))
}

fn pretty_settings(settings: &DemoSettings) -> Pretty {
    pretty(&serde_json::to_value(settings).expect("settings have string keys only"))
}

/// For people with curl: indented, and the prompt on a line of its own.
fn pretty(value: &Value) -> Pretty {
    ([(CONTENT_TYPE, "application/json")], format!("{value:#}\n"))
}
