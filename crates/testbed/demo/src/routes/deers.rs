//! `/deers`: a POST whose id the following GET needs.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use loadline_listen::Refusal;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

use super::load::{connection, query_and_call};
use crate::deers::{Deer, Id, Stored};
use crate::target::Target;

pub(super) async fn add(
    State(target): State<Arc<Target>>,
    deer: Result<Json<Deer>, JsonRejection>,
) -> Result<Json<Value>, Refusal> {
    let Json(deer) = deer.map_err(|e| Refusal::new(e.status(), "bad_deer", e.body_text()))?;
    let live = target.live();
    let settings = &live.settings.deers;
    query_and_call(&live, settings.query, settings.downstream, settings.call).await?;
    let (user, id) = (deer.user_id.to_string(), deer.deer_id.to_string());
    match live.deers.add(deer, settings.kept_max) {
        // `data` is what the GET needs, as at the targets of labs: their tests read it.
        Stored::Added => Ok(Json(
            json!({"code": "success", "userId": user, "deerId": id, "data": number_of(&id)}),
        )),
        Stored::Duplicate => {
            let message = format!("deerId {id} was used before");
            Ok(Json(json!({"code": "duplicate", "message": message})))
        }
        Stored::Full => {
            let message = format!(
                "{} deers are kept; DELETE /deers forgets them",
                settings.kept_max
            );
            Err(Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "store_full",
                message,
            ))
        }
    }
}

/// An id as a number, where it is one.
fn number_of(id: &str) -> Value {
    id.parse::<u64>()
        .map_or_else(|_| json!(id), |number| json!(number))
}

/// Which deer to find.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeerQuery {
    user_id: Id,
    deer_id: Id,
}

pub(super) async fn find(
    State(target): State<Arc<Target>>,
    wanted: Result<Query<DeerQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(wanted) = wanted.map_err(|e| Refusal::new(e.status(), "bad_deer", e.body_text()))?;
    let live = target.live();
    {
        let connection = connection(&live).await?;
        connection.hold(live.settings.deers.query).await;
    }
    let (user, id) = (wanted.user_id.to_string(), wanted.deer_id.to_string());
    Ok(match live.deers.data(&wanted.user_id, &wanted.deer_id) {
        Some(data) => Json(json!({"code": "success", "userId": user, "deerId": id, "data": data}))
            .into_response(),
        None => {
            let message = format!("user {user} has no deer {id}");
            let body = json!({"code": "not_found", "message": message});
            (StatusCode::NOT_FOUND, Json(body)).into_response()
        }
    })
}

pub(super) async fn clear(State(target): State<Arc<Target>>) -> Json<Value> {
    target.live().deers.clear();
    Json(json!({"code": "success"}))
}
