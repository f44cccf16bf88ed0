//! The web UI: pages over the store, and an API that they and other programs use.
//!
//! Reading needs a role, too: a link that the server prints when it starts, or a token. Whatever changes
//! something must also come from the server's own pages or from no page at all. Pages run no inline
//! script and load nothing from elsewhere.
//!
//! A run is followed through the store: it does not matter what started it, a page survives a
//! restart of the server, and a run pays nothing for being watched. What steers a run goes to the
//! socket that the run listens on ([`control`]).
//!
//! Elsewhere: what a report says (`report`), starting and printing (`cli`), the pages' source (`web/`).

mod access;
mod api;
mod compare;
pub mod control;
mod live;
mod pages;
mod plan;
mod rounds;
mod routes;
mod runs;
mod saved;
mod start;
mod studies;
mod texts;

pub use access::tokens::{AccessRole, AccessTokens, LINK_HOURS_MAX};
pub use start::{ScheduledTest, StartedTest, TestRequest, TestRunner, TestStartError};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_response};
use loadline_listen::{AllowedHosts, Listener, guard};

use access::{AccessCheck, ServedAt};

/// The most bytes of a body, such as an uploaded test.
const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What the pages stand on.
pub struct WebSettings {
    /// The store's file; it need not exist yet.
    pub store: PathBuf,
    /// The tokens as they are now; none lets nobody in.
    pub tokens: Box<dyn Fn() -> Option<AccessTokens> + Send + Sync>,
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
    let is_encrypted = listener.is_encrypted();
    let scheme = if is_encrypted { "https" } else { "http" };
    let at = ServedAt {
        origin: format!("{scheme}://{}", listener.address()),
        port: listener.address().port(),
        is_encrypted,
    };
    // Those who watch a run at the end see their connection end.
    let _ = listener.serve(router(settings, at), end).await;
}

/// All that is served, behind the one check.
fn router(settings: WebSettings, at: ServedAt) -> Router {
    let hosts = settings.hosts.clone();
    let state = Arc::new(settings);
    let table = routes::table();
    let check = Arc::new(AccessCheck::new(state.clone(), at, routes::needs(&table)));
    let all = routes::router(table)
        .fallback(pages::missing)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(axum::Extension(live::WatchedRuns::default()))
        .layer(from_fn_with_state(check, access::check))
        .layer(map_response(api::with_policy))
        .with_state(state);
    guard(all, hosts)
}

#[cfg(test)]
mod tests;
