//! Requests that cannot be meant, refused as everything else is.

use axum::http::header::{CONTENT_TYPE, HOST, TRANSFER_ENCODING};
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

/// What a request is refused with that a proxy before the gate may have read otherwise: one that
/// does not name one host, or whose body comes in a coding that is not known here.
pub(super) fn ambiguous_request_refused<B>(request: &Request<B>) -> Option<Response> {
    let headers = request.headers();
    let hosts = headers.get_all(HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() >= Version::HTTP_11) {
        return Some(ApiError::bad_request("a request names one host").into_response());
    }
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    if codings.all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked")) {
        return None;
    }
    let message = "no transfer coding but chunked is known";
    let refused = ApiError::new(StatusCode::NOT_IMPLEMENTED, "coding", message);
    Some(refused.into_response())
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
