//! Requests that cannot be meant, refused as everything else is.

use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{Request, StatusCode, Version};
use axum::response::{IntoResponse, Response};

use super::answer::ApiError;

/// Refuses a body that is no object: a list would be read as one, its members in order.
pub(super) fn must_be_object(body: &[u8]) -> Result<(), ApiError> {
    match body.trim_ascii_start().first() {
        Some(b'[') => Err(ApiError::bad_request(
            "the body: a list instead of an object",
        )),
        _ => Ok(()),
    }
}

/// What a request is refused with that does not name one host: a proxy before the gate may have
/// read another one than the gate would.
pub(super) fn host_refused<B>(request: &Request<B>) -> Option<Response> {
    let hosts = request.headers().get_all(HOST).iter().count();
    let is_right = hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11);
    let message = "a request names one host";
    (!is_right).then(|| ApiError::bad_request(message).into_response())
}

/// A refusal in the one form that errors have. Those of the framework, for paths and bodies that
/// cannot be read, are plain text.
pub(super) fn in_form(response: Response) -> Response {
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
