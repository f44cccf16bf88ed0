//! Queues that are put away, opened again, and forgotten.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::Shared;
use super::answer::{ApiError, fresh};
use super::caller::Caller;
use super::change_answer::done;
use super::rules::guard;
use crate::directory::{ArchivedQueue, DirectoryChange, Scope};
use crate::ids::QueueId;

/// `POST /v1/queues/{queue}/archive`: visitors who wait or are inside are forgotten.
pub(super) async fn archive(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    headers: HeaderMap,
    caller: Caller,
) -> Result<Response, ApiError> {
    let room = caller.room(&edge, &queue, Scope::Admin).await?;
    guard(&room, &headers)?;
    let change = DirectoryChange::ArchiveQueue { id: room.id };
    done(edge.gate.change(&caller.actor(), change).await?)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `GET /v1/archive`
pub(super) async fn archived(
    State(edge): State<Shared>,
    caller: Caller,
) -> Result<Response, ApiError> {
    caller.must(Scope::Read)?;
    let own = caller.0.tenant;
    let queues: Vec<Value> = edge.gate.look(|directory| {
        let all = directory.archived();
        let theirs = all.filter(|found| own.is_none_or(|own| own == found.queue.tenant));
        theirs.map(archived_json).collect()
    });
    Ok(fresh(StatusCode::OK, &json!({ "queues": queues })))
}

fn archived_json(found: &ArchivedQueue) -> Value {
    let queue = &found.queue;
    json!({
        "id": queue.id.to_string(), "tenant": queue.tenant.to_string(), "slug": queue.slug,
        "title": queue.title, "archived_at_ms": found.at_ms,
    })
}

/// `POST /v1/archive/{queue}/restore`: with the places, as far as their times are not over.
pub(super) async fn restore(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let found = archived_queue(&edge, &queue, &caller)?;
    let change = DirectoryChange::RestoreQueue { id: found.queue.id };
    done(edge.gate.change(&caller.actor(), change).await?)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `DELETE /v1/archive/{queue}`
pub(super) async fn delete(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let id = archived_queue(&edge, &queue, &caller)?.queue.id;
    let change = DirectoryChange::DeleteQueue { id };
    done(edge.gate.change(&caller.actor(), change).await?)?;
    if let Err(error) = edge.gate.forget_log(id).await {
        // It is no longer a queue; what is left of it takes room only.
        let told = json!({ "queue": id.to_string(), "why": error.to_string() });
        edge.gate.log("log_left", told);
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn archived_queue(edge: &Shared, queue: &str, caller: &Caller) -> Result<ArchivedQueue, ApiError> {
    let id = QueueId::parse(queue).ok_or_else(ApiError::no_such_queue)?;
    let found = edge.gate.look(|directory| {
        let mut all = directory.archived();
        all.find(|found| found.queue.id == id).cloned()
    });
    let own = caller.0.tenant;
    let found = found.filter(|found| own.is_none_or(|own| own == found.queue.tenant));
    let found = found.ok_or_else(ApiError::no_such_queue)?;
    caller.must(Scope::Admin)?;
    Ok(found)
}
