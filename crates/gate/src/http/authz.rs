//! For proxies that ask before they forward: nginx `auth_request`, Traefik, Envoy.
//!
//! `GET /authz?queue=...` answers 204 for somebody inside and 401 with the waiting room's
//! address for anybody else. The session is a signed cookie on the service's own host, set
//! by `GET /enter/{queue}?wr=<code>&to=/path`, which the proxy passes to the gate. Both are
//! answered from memory, so who is inside stays inside while the store is away.

use axum::extract::{Path, Query, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use url::form_urlencoded;

use super::Shared;
use super::answer::ApiError;
use super::{caller, service};
use crate::gate::Room;
use crate::queue::VisitorState;
use crate::tokens::redirect::parse_target;
use crate::tokens::{Purpose, Token};

#[derive(Debug, Deserialize)]
pub(super) struct AuthzQuery {
    queue: String,
}

/// `GET /authz`
pub(super) async fn authz(
    State(edge): State<Shared>,
    Query(query): Query<AuthzQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let room = caller::room(&edge, &query.queue)?;
    if let Some(ticket) = session(&edge, &room, &headers) {
        room.touch(ticket.wid);
        let mut response = StatusCode::NO_CONTENT.into_response();
        if let Ok(wid) = HeaderValue::from_str(&ticket.wid.to_string()) {
            response.headers_mut().insert("x-wr-wid", wid);
        }
        return Ok(response);
    }
    let mut response = StatusCode::UNAUTHORIZED.into_response();
    let to = waiting_room(&edge, &room, original(&headers).as_deref());
    if let Ok(location) = HeaderValue::from_str(&to) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// The session a request carries, if its holder is inside.
fn session(edge: &Shared, room: &Room, headers: &HeaderMap) -> Option<Token> {
    let text = caller::cookie(headers, &caller::session_cookie(edge, room.id))?;
    let signer = edge.gate.signer(room.id, room.info().tenant);
    let ticket = signer
        .check(Purpose::Session, text, edge.gate.now_s())
        .ok()?;
    match room.view(ticket.wid).state {
        VisitorState::Inside { seq, lease, .. } => {
            ((seq, lease) == (ticket.seq, ticket.lease)).then_some(ticket)
        }
        _ => None,
    }
}

fn waiting_room(edge: &Shared, room: &Room, original: Option<&str>) -> String {
    let base = format!("{}/w/{}", edge.gate.options().public_url, room.id);
    let target = original.and_then(|url| parse_target(url, &room.info().origins).ok());
    match target {
        None => base,
        Some(url) => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("rt", url.as_str());
            format!("{base}?{}", query.finish())
        }
    }
}

/// The address that was asked for, from the proxy's headers. It is checked like any other.
fn original(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(url) = text("x-original-url") {
        return Some(url.to_owned());
    }
    let (scheme, host) = (text("x-forwarded-proto")?, text("x-forwarded-host")?);
    Some(format!(
        "{scheme}://{host}{}",
        text("x-forwarded-uri").unwrap_or("/")
    ))
}

#[derive(Debug, Deserialize)]
pub(super) struct EnterQuery {
    wr: String,
    #[serde(default)]
    to: Option<String>,
}

/// `GET /enter/{queue}`
pub(super) async fn enter(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    Query(query): Query<EnterQuery>,
) -> Result<Response, ApiError> {
    let room = caller::room(&edge, &queue)?;
    let to = query.to.as_deref().unwrap_or("/");
    if !is_local_path(to) {
        let message = "`to` must be a path of this host";
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "address_not_allowed",
            message,
        ));
    }
    let signer = edge.gate.signer(room.id, room.info().tenant);
    let now_s = edge.gate.now_s();
    let ticket = signer.check(Purpose::Code, &query.wr, now_s).map_err(|_| {
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            "code_refused",
            "the code is not one of this queue's, or too old",
        )
    })?;
    let session_s = service::redeem(&room, &ticket, "enter".to_owned()).await?;
    let session = Token {
        expires_s: now_s + session_s,
        ..ticket
    };
    let name = caller::session_cookie(&edge, room.id);
    let cookie = caller::set_cookie(
        &edge,
        &name,
        &signer.sign(Purpose::Session, &session),
        session_s,
    );
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    for (header, value) in [(LOCATION, to), (SET_COOKIE, cookie.as_str())] {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(header, value);
        }
    }
    headers.insert("referrer-policy", HeaderValue::from_static("no-referrer"));
    headers.insert("cache-control", HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A path that no browser reads as another host.
fn is_local_path(text: &str) -> bool {
    let odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    text.starts_with('/') && !text.starts_with("//") && !text.contains(odd)
}

#[cfg(test)]
mod tests {
    use super::is_local_path;

    #[test]
    fn s03_a_path_of_this_host_is_no_other_host() {
        assert!(is_local_path("/entering?a=b"));
        for bad in [
            "",
            "//evil.example",
            "/\\evil.example",
            "\\/evil.example",
            "https://evil.example",
            "/\t/evil.example",
        ] {
            assert!(!is_local_path(bad), "{bad}");
        }
    }
}
