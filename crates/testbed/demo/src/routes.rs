//! Which path leads where, and what surrounds the endpoints under load.
//!
//! Endpoints under load pass [`load::surround`] (metrics, stall, faults); control
//! paths never stall or fail, and those that change something are guarded against
//! requests that a web page sends.

mod apps;
mod contents;
mod control;
mod deers;
mod load;
mod simple;
mod waiting_room;

use axum::Router;
use axum::handler::Handler;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use loadline_listen::{AllowedHosts, Refusal, guard};
use std::sync::Arc;

use crate::endpoint::Endpoint;
use crate::target::Target;

/// The whole target as a service.
pub(crate) fn router(target: Arc<Target>) -> Router {
    let control = Router::new()
        .route("/", get(control::index))
        .route("/settings", get(control::settings).put(control::change))
        .route("/reset", post(control::reset))
        .route("/stall", post(control::stall))
        .with_state(target.clone());
    // Probes and scrapers come by any name, and change nothing.
    let open = Router::new()
        .route("/healthz", get(control::healthz))
        .route("/metrics", get(control::metrics))
        .with_state(target.clone());
    guard(control, AllowedHosts::local())
        .merge(open)
        .merge(under_load(target))
        .fallback(no_such_path)
}

fn under_load(target: Arc<Target>) -> Router {
    let first_page = || reads(&target, Endpoint::FirstPage, apps::first_page);
    let deers = get(deers::find).post(deers::add).delete(deers::clear);
    Router::new()
        .route("/fast", reads(&target, Endpoint::Fast, simple::fast))
        .route("/pooled", reads(&target, Endpoint::Pooled, simple::pooled))
        .route(
            "/downstream",
            reads(&target, Endpoint::Downstream, simple::downstream),
        )
        .route("/cpu", reads(&target, Endpoint::Cpu, simple::cpu))
        .route("/deers", surrounded(&target, Endpoint::Deers, deers))
        .route(
            "/contents/{id}",
            reads(&target, Endpoint::Content, contents::content),
        )
        .route(
            "/contents/{id}/places",
            reads(&target, Endpoint::Places, contents::places),
        )
        .route("/apps/first-page", first_page())
        .route("/apps/first-page/{category}", first_page())
        .route(
            "/waiting-room/join",
            surrounded(&target, Endpoint::Join, post(waiting_room::join)),
        )
        .route(
            "/waiting-room/status",
            reads(&target, Endpoint::Status, waiting_room::status),
        )
        .with_state(target)
}

fn reads<H, T>(target: &Arc<Target>, endpoint: Endpoint, handler: H) -> MethodRouter<Arc<Target>>
where
    H: Handler<T, Arc<Target>>,
    T: 'static,
{
    surrounded(target, endpoint, get(handler))
}

fn surrounded(
    target: &Arc<Target>,
    endpoint: Endpoint,
    methods: MethodRouter<Arc<Target>>,
) -> MethodRouter<Arc<Target>> {
    methods.layer(from_fn_with_state(
        (target.clone(), endpoint),
        load::surround,
    ))
}

async fn no_such_path() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "no_such_path",
        "no such path; GET / lists them all",
    )
}

#[cfg(test)]
mod tests;
