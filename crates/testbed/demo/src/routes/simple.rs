//! `/fast`, `/pooled`, `/downstream`, `/cpu`: one limit each.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use loadline_listen::Refusal;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::load::{query_and_call, thread};
use crate::cpu::{burn, thread_time};
use crate::target::{LONGEST_WAIT, Target};

const FAST: &str = r#"{"code":"success","message":"fast"}"#;

pub(super) async fn fast() -> ([(HeaderName, &'static str); 1], &'static str) {
    ([(CONTENT_TYPE, "application/json")], FAST)
}

pub(super) async fn pooled(State(target): State<Arc<Target>>) -> Result<Json<Value>, Refusal> {
    let live = target.live();
    let pooled = &live.settings.pooled;
    query_and_call(&live, pooled.query, pooled.downstream, pooled.call).await?;
    Ok(Json(json!({"code": "success", "call": pooled.call})))
}

/// How long `/downstream` takes.
#[derive(Deserialize)]
pub(super) struct Takes {
    ms: Option<u64>,
}

pub(super) async fn downstream(
    State(target): State<Arc<Target>>,
    Query(takes): Query<Takes>,
) -> Result<Json<Value>, Refusal> {
    let time = match takes.ms {
        Some(ms) => at_most_a_minute(ms)?,
        None => target.live().settings.pooled.downstream,
    };
    sleep(time).await;
    Ok(Json(json!({"code": "success"})))
}

pub(super) async fn cpu(State(target): State<Arc<Target>>) -> Result<Json<Value>, Refusal> {
    let live = target.live();
    let work = live.settings.cpu.work;
    let thread = thread(&live.cpu).await?;
    let done = spawn_blocking(move || {
        burn(work, thread_time);
        // Here, not when the answer is sent: a client that breaks off does not stop the work.
        drop(thread);
    });
    done.await.map_err(|_| {
        let message = "the server stopped while working";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message)
    })?;
    Ok(Json(json!({"code": "success"})))
}

/// A time given in a query string.
pub(super) fn at_most_a_minute(ms: u64) -> Result<Duration, Refusal> {
    let time = Duration::from_millis(ms);
    if time > LONGEST_WAIT {
        let message = format!("ms: {ms} is outside 0 to {}", LONGEST_WAIT.as_millis());
        return Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            "out_of_range",
            message,
        ));
    }
    Ok(time)
}
