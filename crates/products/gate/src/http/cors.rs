//! Pages of other origins whose scripts may call the visitors' part of the API (CORS).
//!
//! The queue's owner lists their origins. Such a script keeps the ticket itself and shows it as a
//! bearer token: no answer allows credentials, so a browser neither sends this host's cookies
//! with such a call nor lets the script read an answer that it asked for with them.

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::answer::ApiError;
use super::{Shared, caller};
use crate::gate::Room;
use crate::ids::QueueId;

/// Which headers a script of another origin may read.
const EXPOSED: &str = "retry-after";
/// How long a browser may remember that it may ask, in seconds; Chromium's longest.
const REMEMBERED_S: &str = "7200";

/// The origin that a request came from, if pages of it may call the queue.
fn allowed<'a>(room: &Room, headers: &'a HeaderMap) -> Option<&'a HeaderValue> {
    let origin = headers.get(ORIGIN)?;
    let browser = room.browser();
    let is_listed = |listed: &String| listed.as_bytes() == origin.as_bytes();
    browser.cors_origins.iter().any(is_listed).then_some(origin)
}

/// A visitor's call that a page of some origin makes.
pub(super) struct PageCall {
    queue: QueueId,
    headers: HeaderMap,
}

/// The call that a request is, if a page makes it of another origin or of its own.
pub(super) fn page_call<B>(request: &Request<B>) -> Option<PageCall> {
    let headers = request.headers();
    headers.get(ORIGIN)?;
    let path = request.uri().path().strip_prefix("/q/")?;
    let queue = QueueId::parse(path.split('/').next()?)?;
    let headers = headers.clone();
    Some(PageCall { queue, headers })
}

impl PageCall {
    /// The answer to a browser that asks first whether it may ask.
    pub(super) async fn preflight(&self, edge: &Shared, method: &Method) -> Option<Response> {
        let asks_first = self.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if method != Method::OPTIONS || !asks_first {
            return None;
        }
        let answer = preflight(edge, self.queue, &self.headers).await;
        Some(answer.unwrap_or_else(IntoResponse::into_response))
    }

    /// Says on an answer who may read it.
    pub(super) fn share(&self, edge: &Shared, response: &mut Response) {
        let Some(room) = edge.gate.room(self.queue) else {
            return;
        };
        let Some(origin) = allowed(&room, &self.headers) else {
            return;
        };
        let exposed = HeaderValue::from_static(EXPOSED);
        let fields = [
            (ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone()),
            (ACCESS_CONTROL_EXPOSE_HEADERS, exposed),
        ];
        response.headers_mut().extend(fields);
        vary(&room, response);
    }
}

/// Keeps caches from giving one origin's answer to another.
pub(super) fn vary(room: &Room, response: &mut Response) {
    if !room.browser().cors_origins.is_empty() {
        let origin = HeaderValue::from_static("origin");
        response.headers_mut().insert(VARY, origin);
    }
}

async fn preflight(
    edge: &Shared,
    queue: QueueId,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let room = caller::room(edge, &queue.to_string()).await?;
    let Some(origin) = allowed(&room, headers) else {
        let message = "pages of this origin may not call this queue; its owner lists those that may in cors_origins";
        let status = StatusCode::FORBIDDEN;
        return Err(ApiError::new(status, "origin_not_allowed", message));
    };
    let fields: [(HeaderName, HeaderValue); 5] = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone()),
        (
            ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, POST"),
        ),
        (
            ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("authorization, content-type, idempotency-key"),
        ),
        (
            ACCESS_CONTROL_MAX_AGE,
            HeaderValue::from_static(REMEMBERED_S),
        ),
        (VARY, HeaderValue::from_static("origin")),
    ];
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().extend(fields);
    Ok(response)
}

/// The same, as lines of a head, for answers that no router makes; usually nothing.
pub(super) fn head_lines(edge: &Shared, queue: &str, headers: &HeaderMap) -> String {
    // Browsers name no origin when a page asks its own host for its place.
    if !headers.contains_key(ORIGIN) {
        return String::new();
    }
    let room = QueueId::parse(queue).and_then(|id| edge.gate.room(id));
    let origin = room.as_ref().and_then(|room| allowed(room, headers));
    let origin = origin.and_then(|origin| origin.to_str().ok());
    origin.map_or_else(String::new, |origin| {
        format!(
            "access-control-allow-origin: {origin}\r\naccess-control-expose-headers: {EXPOSED}\r\n\
             vary: origin\r\n"
        )
    })
}
