//! `/waiting-room`: join, then ask whether the ticket is let in.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use loadline_listen::Refusal;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::time::Instant;

use super::load::connection;
use crate::target::Target;
use crate::waiting_room::Standing;

pub(super) async fn join(State(target): State<Arc<Target>>) -> Result<Json<Value>, Refusal> {
    let live = target.live();
    let settings = &live.settings.waiting_room;
    {
        let connection = connection(&live).await?;
        connection.hold(settings.join).await;
    }
    let (ticket, standing) = live
        .waiting_room
        .join(settings.admitted_per_second, Instant::now());
    Ok(Json(described(ticket, standing)))
}

/// Which ticket is asked about.
#[derive(Deserialize)]
pub(super) struct TicketQuery {
    ticket: String,
}

pub(super) async fn status(
    State(target): State<Arc<Target>>,
    Query(asked): Query<TicketQuery>,
) -> Result<Json<Value>, Refusal> {
    let live = target.live();
    let rate = live.settings.waiting_room.admitted_per_second;
    let ticket = asked
        .ticket
        .strip_prefix("t-")
        .and_then(|number| number.parse().ok());
    let ticket = ticket.unwrap_or(0);
    match live.waiting_room.standing(ticket, rate, Instant::now()) {
        Standing::Unknown => {
            let message = format!("no ticket `{}` was given out", asked.ticket);
            Err(Refusal::new(
                StatusCode::NOT_FOUND,
                "unknown_ticket",
                message,
            ))
        }
        standing => Ok(Json(described(ticket, standing))),
    }
}

fn described(ticket: u64, standing: Standing) -> Value {
    let (state, position) = match standing {
        Standing::Waiting(position) => ("waiting", position),
        Standing::Admitted | Standing::Unknown => ("admitted", 0),
    };
    json!({"code": "success", "ticket": format!("t-{ticket}"), "state": state, "position": position})
}
