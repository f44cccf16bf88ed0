//! What owners and services change, one line of the log each: when, what, whose key, what
//! came of it. No user ids, addresses, tickets or bodies.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use serde_json::json;

use super::{Shared, caller};
use crate::directory::KeySecret;

/// Writes a line for each call of the admin listener that changes something or is refused.
pub(super) async fn write(State(edge): State<Shared>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let path = without_user(request.uri().path()).to_owned();
    let key = caller::bearer(request.headers())
        .and_then(KeySecret::parse)
        .map(|secret| secret.id.to_string());
    let response = next.run(request).await;
    let status = response.status();
    if method != Method::GET || matches!(status.as_u16(), 401 | 403 | 500..) {
        let told = json!({
            "method": method.as_str(),
            "path": path,
            "key": key,
            "status": status.as_u16(),
        });
        edge.gate.log("admin_call", told);
    }
    response
}

/// A path up to where it would name a person.
fn without_user(path: &str) -> &str {
    let end = path.find("/waiters/").map(|at| at + "/waiters".len());
    &path[..end.unwrap_or(path.len())]
}
