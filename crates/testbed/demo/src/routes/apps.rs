//! `/apps/first-page`: four queries, one after the other, on one connection.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use loadline_listen::Refusal;
use serde_json::{Map, Value, json};
use std::sync::Arc;

use super::load::connection;
use crate::target::Target;

const CATEGORY_COUNT: u32 = 3;
const APPS_PER_ORDER: u32 = 10;

pub(super) async fn first_page(
    State(target): State<Arc<Target>>,
    category: Option<Path<String>>,
) -> Result<Json<Value>, Refusal> {
    let category = category.map(|Path(text)| known(&text)).transpose()?;
    let live = target.live();
    let queries = &live.settings.first_page;
    let connection = connection(&live).await?;
    let mut orders = Map::new();
    for (order, (name, time)) in (1..).zip([
        ("rating", queries.rating),
        ("downloads", queries.downloads),
        ("newest", queries.newest),
        ("updated", queries.updated),
    ]) {
        connection.hold(time).await;
        orders.insert(name.to_owned(), apps(order).into());
    }
    drop(connection);
    Ok(Json(
        json!({"code": "success", "category": category, "orders": orders}),
    ))
}

/// The same ten apps, shown in an order of their own.
fn apps(order: u32) -> Vec<Value> {
    (0..APPS_PER_ORDER)
        .map(|n| (n * 3 + order) % APPS_PER_ORDER + 1)
        .map(|id| json!({"id": id, "name": format!("App {id}")}))
        .collect()
}

fn known(category: &str) -> Result<u32, Refusal> {
    category
        .parse()
        .ok()
        .filter(|id| (1..=CATEGORY_COUNT).contains(id))
        .ok_or_else(|| {
            let message = format!("no category `{category}`; there are 1 to {CATEGORY_COUNT}");
            Refusal::new(StatusCode::NOT_FOUND, "not_found", message)
        })
}
