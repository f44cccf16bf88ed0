//! `/contents/{id}` and `/contents/{id}/places`: two plain reads.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use loadline_listen::Refusal;
use serde_json::{Value, json};
use std::sync::Arc;

use super::load::connection;
use crate::target::{Live, Target};

/// Contents that there are, and places of each.
const CONTENT_COUNT: u32 = 3_000;
const PLACES_PER_CONTENT: u32 = 17;

pub(super) async fn content(
    State(target): State<Arc<Target>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let id = known(&id)?;
    read(&target.live()).await?;
    Ok(Json(json!({
        "code": "success",
        "content": {"id": id, "title": format!("Content {id}"), "places": PLACES_PER_CONTENT, "favorites": id % 40},
    })))
}

pub(super) async fn places(
    State(target): State<Arc<Target>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let id = known(&id)?;
    read(&target.live()).await?;
    let places: Vec<_> = (0..PLACES_PER_CONTENT)
        .map(|n| (id - 1) * PLACES_PER_CONTENT + n + 1)
        .map(|place| json!({"id": place, "name": format!("Place {place}"), "favorites": place % 9}))
        .collect();
    Ok(Json(json!({"code": "success", "places": places})))
}

async fn read(live: &Live) -> Result<(), Refusal> {
    let connection = connection(live).await?;
    connection.hold(live.settings.contents.query).await;
    Ok(())
}

fn known(id: &str) -> Result<u32, Refusal> {
    id.parse()
        .ok()
        .filter(|id| (1..=CONTENT_COUNT).contains(id))
        .ok_or_else(|| {
            let message = format!("no content `{id}`; ids are 1 to {CONTENT_COUNT}");
            Refusal::new(StatusCode::NOT_FOUND, "not_found", message)
        })
}
