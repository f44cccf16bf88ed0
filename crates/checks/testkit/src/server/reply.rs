//! Builds responses; the one place that knows the body type.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::header::{CONTENT_TYPE, LOCATION};
use hyper::{Response, StatusCode};
use serde_json::Value;

pub(super) type Body = UnsyncBoxBody<Bytes, Infallible>;
pub(super) type Reply = Response<Body>;

/// A whole body of any type.
pub(super) fn bytes(status: u16, content_type: &str, body: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Full::new(body.into()).boxed_unsync());
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Ok(value) = content_type.parse() {
        reply.headers_mut().insert(CONTENT_TYPE, value);
    }
    reply
}

pub(super) fn text(status: u16, body: impl Into<String>) -> Reply {
    bytes(status, "text/plain; charset=utf-8", body.into())
}

pub(super) fn html(body: &str) -> Reply {
    bytes(200, "text/html; charset=utf-8", body.to_owned())
}

pub(super) fn json(status: u16, value: &Value) -> Reply {
    bytes(status, "application/json", value.to_string())
}

/// A redirect with a short body, so that clients that show it differ visibly.
pub(super) fn redirect(status: u16, location: &str) -> Reply {
    let mut reply = text(status, "redirecting\n");
    if let Ok(value) = location.parse() {
        reply.headers_mut().insert(LOCATION, value);
    }
    reply
}

/// Status without a body.
pub(super) fn empty(status: u16) -> Reply {
    let mut reply = bytes(status, "", Bytes::new());
    reply.headers_mut().remove(CONTENT_TYPE);
    reply
}
