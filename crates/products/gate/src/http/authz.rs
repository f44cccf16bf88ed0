//! For proxies that ask before they forward: nginx `auth_request`, Traefik, Envoy, Caddy.
//!
//! `GET /authz?queue=...` answers 204 for a visitor inside and 401 with the waiting room's
//! address for any other; with `&redirect=true` a browser gets 303 instead, for proxies
//! that pass the answer on as it is. The session is a signed cookie on the service's own
//! host, set by the gate's [door](super::enter) there. Both are answered from memory, so
//! visitors inside stay inside while the store is away.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION, REFERER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use url::{Url, form_urlencoded};

use super::answer::ApiError;
use super::query::AskedQuery;
use super::{Shared, caller, door, real_visit};
use crate::gate::Room;
use crate::queue::VisitorState;
use crate::replica::StoreUnavailableError;
use crate::tokens::redirect::parse_target;
use crate::tokens::{Token, TokenPurpose};

#[derive(Debug, Deserialize)]
pub(super) struct AuthzQuery {
    queue: String,
    /// Whether a browser without a session is redirected by this answer itself.
    #[serde(default)]
    redirect: bool,
}

/// `GET /authz`
pub(super) async fn authz(
    State(edge): State<Shared>,
    AskedQuery(query): AskedQuery<AuthzQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let room = caller::room(&edge, &query.queue).await?;
    if let Some(ticket) = current_session(&edge, &room, &headers).await? {
        room.touch(ticket.wid);
        let mut response = StatusCode::NO_CONTENT.into_response();
        if let Ok(wid) = HeaderValue::from_str(&ticket.wid.to_string()) {
            response.headers_mut().insert("x-wr-wid", wid);
        }
        return Ok(response);
    }
    let status = if query.redirect && real_visit::is_navigation(&headers) {
        StatusCode::SEE_OTHER
    } else {
        StatusCode::UNAUTHORIZED
    };
    let mut response = status.into_response();
    let wanted = wanted(&room, &headers);
    let to = waiting_room(&edge, &room, wanted.as_ref().map(Url::as_str), false);
    if let Ok(location) = HeaderValue::from_str(&to) {
        response.headers_mut().insert(LOCATION, location);
    }
    let fresh = HeaderValue::from_static("no-store");
    response.headers_mut().insert(CACHE_CONTROL, fresh);
    Ok(response)
}

/// As [`session`]; a signed one is not called over before this gate has caught up.
///
/// # Errors
/// 503 when it cannot: the session may well go on.
pub(super) async fn current_session(
    edge: &Shared,
    room: &Room,
    headers: &HeaderMap,
) -> Result<Option<Token>, StoreUnavailableError> {
    let known = session(edge, room, headers);
    if known.is_some() || signed_session(edge, room, headers).is_none() {
        return Ok(known);
    }
    room.catch_up().await?;
    Ok(session(edge, room, headers))
}

/// The session that a request's cookie speaks of, if the gates signed it.
fn signed_session(edge: &Shared, room: &Room, headers: &HeaderMap) -> Option<Token> {
    let secure = caller::is_service_https(edge, headers);
    let text = caller::cookie(headers, &caller::session_cookie(secure, room.id))?;
    let signer = edge.gate.signer(room.id, room.info().tenant);
    signer
        .check(TokenPurpose::Session, text, edge.gate.now_s())
        .ok()
}

/// The session a request carries, if its holder is inside as far as this gate knows.
fn session(edge: &Shared, room: &Room, headers: &HeaderMap) -> Option<Token> {
    let ticket = signed_session(edge, room, headers)?;
    match room.view(ticket.wid).state {
        VisitorState::Inside { seq, lease, .. } => {
            ((seq, lease) == (ticket.seq, ticket.lease)).then_some(ticket)
        }
        _ => None,
    }
}

/// The waiting room's address; from there the way leads through the door on the service's
/// host to `wanted`, if that is at one of the queue's origins. `is_door` says that the door sends
/// the visitor.
pub(super) fn waiting_room(
    edge: &Shared,
    room: &Room,
    wanted: Option<&str>,
    is_door: bool,
) -> String {
    let base = format!("{}/w/{}", edge.gate.options().public_url, room.id);
    let wanted = wanted.and_then(|url| parse_target(url, &room.info().origins).ok());
    let Some(wanted) = wanted else { return base };
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("rt", &door::address(&wanted, room.id));
    // At the door a visitor who came in has lost the session, and needs another code. Here it may be
    // a tab that has waited beside the one that came in: another code would end that one's session.
    if is_door {
        query.append_pair("again", "1");
    }
    format!("{base}?{}", query.finish())
}

/// Where a visitor wants to go on the service, at one of the queue's origins.
///
/// A form cannot be sent again after the wait. Its visitor goes back to the page with the
/// form, or to the start of the service when the form was on another site.
fn wanted(room: &Room, headers: &HeaderMap) -> Option<Url> {
    let origins = &room.info().origins;
    let asked = parse_target(&original(headers)?, origins).ok()?;
    if is_read(headers) {
        return Some(asked);
    }
    let referrer = headers.get(REFERER).and_then(|value| value.to_str().ok());
    let page = referrer.and_then(|url| parse_target(url, origins).ok());
    let same = page.filter(|page| page.origin() == asked.origin());
    same.or_else(|| asked.join("/").ok())
}

/// Whether the request only reads, by the proxy's word. A proxy that does not say is taken
/// to ask for a page.
fn is_read(headers: &HeaderMap) -> bool {
    let names = ["x-original-method", "x-forwarded-method"];
    let method = names.iter().find_map(|name| headers.get(*name));
    method.is_none_or(|method| method == "GET" || method == "HEAD")
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
