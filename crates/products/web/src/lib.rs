//! The web UI: pages over the store, and an API that they and other programs use.
//!
//! Reading needs no more than an allowed host name. Whatever changes something needs the token
//! that is printed when the server starts, also on this machine, and must come from the server's
//! own pages or from no page at all. Pages run no inline script and load nothing from elsewhere.
//!
//! A run is followed through the store: it does not matter what started it, a page survives a
//! restart of the server, and a run pays nothing for being watched. What steers a run goes to the
//! socket that the run listens on ([`control`]).
//!
//! Elsewhere: what a report says (`report`), starting and printing (`cli`), the pages' source (`web/`).

mod api;
mod compare;
pub mod control;
mod live;
mod pages;
mod plan;
mod runs;
mod saved;
mod start;
mod studies;
mod texts;

pub use start::{ScheduledTest, StartedTest, TestRequest, TestRunner, TestStartError};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post};
use loadline_listen::{AllowedHosts, Listener, guard};

/// The most bytes of a body, such as an uploaded test.
const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What the pages stand on.
pub struct WebSettings {
    /// The store's file; it need not exist yet.
    pub store: PathBuf,
    /// What a change must bring.
    pub token: String,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
    /// Milliseconds since 1970 as the machine's local time.
    pub local_time: fn(i64) -> String,
    /// Starts tests; `None` where none may be started.
    pub starter: Option<Box<dyn TestRunner>>,
    /// Names that the server answers to, besides addresses and `localhost`.
    pub hosts: AllowedHosts,
}

/// Serves pages until `end` completes.
pub async fn serve(settings: WebSettings, listener: Listener, end: impl Future<Output = ()>) {
    // Those who watch a run at the end see their connection end.
    let _ = listener.serve(router(settings), end).await;
}

/// All that is served.
fn router(settings: WebSettings) -> Router {
    let hosts = settings.hosts.clone();
    let state = Arc::new(settings);
    let routes = Router::new()
        .route("/api/texts", get(texts::all))
        .route("/api/runs", get(runs::list))
        .route("/api/runs/{run}", get(runs::report))
        .route("/api/runs/{run}/live", get(live::stream))
        .route("/api/runs/{run}/report.{form}", get(runs::download))
        .route("/api/studies", get(studies::list))
        .route("/api/studies/{study}", get(studies::report))
        .route("/api/studies/{study}/live", get(studies::live))
        .route("/api/studies/{study}/report.{form}", get(studies::download))
        .route("/api/compare", get(compare::report))
        .route("/api/compare/report.{form}", get(compare::download))
        .route("/api/plan", get(plan::report))
        .route("/api/tests", get(start::scheduled))
        .route("/api/tests/{test}", get(start::progress));
    let changes = Router::new()
        .route("/api/runs/{run}", delete(runs::remove))
        .route("/api/studies/{study}", delete(studies::remove))
        .route("/api/runs/{run}/note", post(runs::note))
        .route("/api/runs/{run}/tags", post(runs::tags))
        .route("/api/runs/{run}/control", post(control::steer))
        .route("/api/token", post(api::token_is_known))
        .route("/api/tests", post(start::start))
        .route("/api/preview", post(start::preview))
        .route("/api/tests/{test}", delete(start::cancel))
        .route_layer(axum::middleware::from_fn_with_state(
            state.clone(),
            api::needs_token,
        ));
    let all = routes
        .merge(changes)
        .fallback(get(pages::page))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(axum::Extension(live::WatchedRuns::default()))
        .layer(axum::middleware::map_response(api::with_policy))
        .with_state(state);
    guard(all, hosts)
}

#[cfg(test)]
mod tests;
