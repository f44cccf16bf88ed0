//! The forms of answers: a state as JSON, and refusals with the time to come back.

use axum::Json;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use loadline_listen::Refusal;
use serde::Serialize;
use serde_json::Value;

use crate::gate::View;
use crate::queue::{PolicyError, VisitorState};
use crate::replica::StoreUnavailableError;
use crate::tokens::redirect::RedirectError;

/// A visitor's state as JSON.
#[derive(Debug, Serialize)]
pub(super) struct StateJson {
    pub(super) state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ahead: Option<u64>,
    pub(super) total: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) eta: Option<EtaJson>,
    pub(super) poll_after_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left_ms: Option<u64>,
    /// When the turn was given, in ms of queue time, which orders turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    pub(super) mode: &'static str,
    pub(super) version: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stale: bool,
    /// Another ticket, when the one shown is getting old.
    #[serde(flatten)]
    pub(super) renewed: Option<RenewedJson>,
}

/// A ticket that takes the place of the one shown.
#[derive(Debug, Serialize)]
pub(super) struct RenewedJson {
    pub(super) waiting_token: String,
    pub(super) expires_at_s: u64,
    /// The header that keeps it, for who showed a cookie.
    #[serde(skip)]
    pub(super) cookie: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct EtaJson {
    pub(super) p50_s: u64,
    pub(super) p90_s: u64,
}

impl From<&View> for StateJson {
    fn from(view: &View) -> Self {
        let ms =
            |length: std::time::Duration| u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        let (ahead, left, reason) = match &view.state {
            VisitorState::Waiting { ahead, .. } => (Some(*ahead), None, None),
            VisitorState::Away { left, .. } | VisitorState::Ready { left, .. } => {
                (None, Some(ms(*left)), None)
            }
            VisitorState::Inside { idle_left, .. } => (None, Some(ms(*idle_left)), None),
            VisitorState::Blocked { reason } => (None, None, Some(reason.clone())),
            VisitorState::Gone => (None, None, None),
        };
        Self {
            state: view.state.name(),
            seq: view.state.seq(),
            ahead,
            total: view.total,
            eta: view.estimate.map(|e| EtaJson {
                p50_s: whole(e.p50_s),
                p90_s: whole(e.p90_s),
            }),
            poll_after_ms: ms(view.poll_after),
            left_ms: left,
            turn_ms: match &view.state {
                VisitorState::Ready { since, .. } => Some(since.0),
                _ => None,
            },
            reason,
            mode: view.mode.name(),
            version: view.version,
            stale: view.stale,
            renewed: None,
        }
    }
}

fn whole(seconds: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, and is positive"
    )]
    let whole = seconds.ceil() as u64;
    whole
}

/// JSON that nobody may keep.
pub(super) fn fresh(status: StatusCode, body: &impl Serialize) -> Response {
    let mut response = (status, Json(body)).into_response();
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A refusal, and when to come back.
#[derive(Debug)]
pub(super) struct ApiError {
    refusal: Box<Refusal>,
    retry_after_s: Option<u64>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            refusal: Box::new(Refusal::new(status, code, message)),
            retry_after_s: None,
        }
    }

    pub(super) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        *self.refusal = self.refusal.with(name, value);
        self
    }

    /// Its status, and the code that programs compare.
    pub(super) fn kind(&self) -> (StatusCode, &'static str) {
        (self.refusal.status(), self.refusal.code())
    }

    /// When to come back, in seconds.
    pub(super) fn retry_after_s(&self) -> Option<u64> {
        self.retry_after_s
    }

    /// Its JSON.
    pub(super) fn body(&self) -> String {
        self.refusal.body().to_string()
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// A body that is no JSON, or holds something else than what it should.
    pub(super) fn unreadable_body(error: &serde_json::Error) -> Self {
        let mut message = format!("the body: {error}");
        for (kind, plain) in [
            ("f64", "a number"),
            ("u16", "a whole number from 0 on"),
            ("u32", "a whole number from 0 on"),
            ("u64", "a whole number from 0 on"),
        ] {
            message = message.replace(&format!("expected {kind}"), &format!("expected {plain}"));
        }
        Self::bad_request(message)
    }

    pub(super) fn no_such_queue() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "no_such_queue",
            "there is no such queue",
        )
    }
}

impl From<StoreUnavailableError> for ApiError {
    fn from(away: StoreUnavailableError) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "store_away",
            away.to_string(),
        )
        .retry_after(2)
    }
}

impl From<RedirectError> for ApiError {
    fn from(error: RedirectError) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "address_not_allowed",
            error.to_string(),
        )
    }
}

impl From<PolicyError> for ApiError {
    fn from(error: PolicyError) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "rules_refused",
            error.to_string(),
        )
    }
}

impl From<crate::capacity::CapacityError> for ApiError {
    fn from(error: crate::capacity::CapacityError) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "figure_refused",
            error.to_string(),
        )
    }
}

impl From<getrandom::Error> for ApiError {
    fn from(error: getrandom::Error) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "no_randomness",
            error.to_string(),
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.refusal.into_response();
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after_s {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// A refusal in the one form that errors have. Those of the framework, for paths and bodies that
/// cannot be read, are plain text.
pub(super) fn with_error_form(response: Response) -> Response {
    let of_framework = response.status().is_client_error()
        && response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !of_framework {
        return response;
    }
    match response.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = "the body is too long";
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_long", message)
        }
        status => ApiError::new(
            status,
            "bad_request",
            "the address or the body cannot be read",
        ),
    }
    .into_response()
}
