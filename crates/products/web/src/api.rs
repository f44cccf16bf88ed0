//! What all answers have in common: the store, errors, headers.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::Stream;
use loadline_listen::Refusal;
use loadline_store::{Store, StoreError};
use loadline_text::{Catalog, Lang};
use serde::Deserialize;

use crate::WebSettings;

/// What pages may do: run their own script and style, talk to this server, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// What everything shares.
pub(crate) type Shared = State<Arc<WebSettings>>;

/// The reader's language.
#[derive(Debug, Deserialize)]
pub(crate) struct InLang {
    lang: Option<String>,
}

impl InLang {
    pub(crate) fn catalog(&self) -> Catalog {
        catalog(self.lang.as_deref())
    }
}

pub(crate) fn catalog(lang: Option<&str>) -> Catalog {
    Catalog::new(lang.and_then(Lang::of_tag).unwrap_or_default())
}

/// Adds what a browser must keep to.
pub(crate) async fn with_policy(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    // Pages of other ports of this address are of the same site, and must not load what is here.
    set(CROSS_ORIGIN_RESOURCE_POLICY, "same-origin");
    // What one reader was shown is not for the next one of this browser.
    let no_store = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(no_store);
    response
}

/// Milliseconds since 1970.
pub(crate) fn now_ms(settings: &WebSettings) -> i64 {
    let now = (settings.wall_clock)();
    let since = now
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Asks the store, away from the threads that serve.
pub(crate) async fn ask<T: Send + 'static>(
    settings: Arc<WebSettings>,
    question: impl FnOnce(&Store, &WebSettings) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Refusal> {
    let asked = tokio::task::spawn_blocking(move || {
        let store = Store::open(&settings.store)?;
        question(&store, &settings)
    });
    match asked.await {
        Ok(answer) => answer.map_err(|error| refusal(&error)),
        Err(error) => Err(defect(&error)),
    }
}

/// Asks for a list; a store that is not there yet holds nothing.
pub(crate) async fn listed<T: Send + 'static>(
    settings: Arc<WebSettings>,
    question: impl FnOnce(&Store, &WebSettings) -> Result<Vec<T>, StoreError> + Send + 'static,
) -> Result<Vec<T>, Refusal> {
    match ask(settings, question).await {
        Err(refusal) if refusal.status() == StatusCode::NOT_FOUND => Ok(Vec::new()),
        rows => rows,
    }
}

/// An answer of server-sent events.
pub(crate) fn events(
    events: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(events)).into_response()
}

/// Changes the store, likewise.
pub(crate) async fn change<T: Send + 'static>(
    settings: Arc<WebSettings>,
    change: impl FnOnce(&mut Store, &WebSettings) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Refusal> {
    let asked = tokio::task::spawn_blocking(move || {
        let mut store = Store::open_to_change(&settings.store)?;
        change(&mut store, &settings)
    });
    match asked.await {
        Ok(answer) => answer.map_err(|error| refusal(&error)),
        Err(error) => Err(defect(&error)),
    }
}

pub(crate) fn defect(error: &tokio::task::JoinError) -> Refusal {
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "defect",
        error.to_string(),
    )
}

/// What is wrong with the store, for a program.
pub(crate) fn refusal(error: &StoreError) -> Refusal {
    let (status, code) = match error {
        StoreError::NoRun { .. } | StoreError::Missing { .. } => (StatusCode::NOT_FOUND, "no_run"),
        StoreError::Ambiguous { .. } => (StatusCode::CONFLICT, "ambiguous"),
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "store"),
    };
    Refusal::new(status, code, error.to_string())
}

/// JSON that is already text.
pub(crate) fn json(text: String) -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
