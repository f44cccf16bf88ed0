//! Who calls: a visitor with a ticket, or somebody with a key.

use axum::extract::{FromRequestParts, Path};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::answer::ApiError;
use super::{Peer, Shared};
use crate::directory::{ApiKey, KeySecret, Scope};
use crate::gate::Room;
use crate::ids::{QueueId, TenantId};
use crate::tokens::{Token, TokenPurpose};

/// Somebody with a key that may be used now.
#[derive(Debug, Clone)]
pub(super) struct Caller(pub(super) ApiKey);

impl FromRequestParts<Shared> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, edge: &Shared) -> Result<Self, ApiError> {
        let text = bearer(&parts.headers).filter(|text| KeySecret::parse(text).is_some());
        let mut key = text.and_then(|text| edge.gate.key(text));
        // It may have been made at another gate just now.
        if let (None, Some(text)) = (&key, text) {
            edge.gate.catch_up().await?;
            key = edge.gate.key(text);
        }
        key.map(Self).ok_or_else(|| {
            let message = "send a key that is valid as Authorization: Bearer wrk_...";
            ApiError::new(StatusCode::UNAUTHORIZED, "no_key", message)
        })
    }
}

impl Caller {
    /// The queue of a path, if the key may do `scope` with it.
    ///
    /// A queue of somebody else does not exist for the caller.
    pub(super) async fn room(
        &self,
        edge: &Shared,
        queue: &str,
        scope: Scope,
    ) -> Result<Arc<Room>, ApiError> {
        let room = room(edge, queue).await?;
        let tenant = room.info().tenant;
        if self.0.tenant.is_some_and(|own| own != tenant) {
            return Err(ApiError::no_such_queue());
        }
        self.must(scope)?;
        Ok(room)
    }

    /// Refuses a key that may not do `scope`.
    pub(super) fn must(&self, scope: Scope) -> Result<(), ApiError> {
        if self.0.may(scope) {
            return Ok(());
        }
        let message = format!("the key lacks the scope `{}`", scope.name());
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "scope_missing",
            message,
        ))
    }

    /// Refuses a tenant that is not the key's, unless the key is the installation's.
    pub(super) fn must_own(&self, tenant: TenantId) -> Result<(), ApiError> {
        match self.0.tenant {
            Some(own) if own != tenant => Err(ApiError::new(
                StatusCode::NOT_FOUND,
                "no_such_tenant",
                "there is no such tenant",
            )),
            _ => Ok(()),
        }
    }

    /// Its name in the audit log.
    pub(super) fn actor(&self) -> String {
        self.0.id.to_string()
    }
}

/// The queue of a path.
pub(super) async fn room(edge: &Shared, queue: &str) -> Result<Arc<Room>, ApiError> {
    let id = QueueId::parse(queue).ok_or_else(ApiError::no_such_queue)?;
    let room = edge.gate.find_room(id).await?;
    room.ok_or_else(ApiError::no_such_queue)
}

/// The text after `Bearer `.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, text) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| text.trim())
}

/// A visitor's ticket, and how it came.
#[derive(Debug, Clone, Copy)]
pub(super) struct PresentedToken {
    pub(super) ticket: Token,
    /// By cookie: then a page of another site may have made the browser send it.
    pub(super) by_cookie: bool,
}

/// The ticket a request carries for a queue, if it is good.
pub(super) fn ticket(edge: &Shared, room: &Room, headers: &HeaderMap) -> Option<PresentedToken> {
    // A visitor who joins shows none.
    let check = |text: &str| {
        let signer = edge.gate.signer(room.id, room.info().tenant);
        let now_s = edge.gate.now_s();
        signer.check(TokenPurpose::Waiting, text, now_s).ok()
    };
    if let Some(text) = bearer(headers) {
        return check(text).map(|ticket| PresentedToken {
            ticket,
            by_cookie: false,
        });
    }
    let text = cookie(headers, &waiting_cookie(edge, room.id))?;
    check(text).map(|ticket| PresentedToken {
        ticket,
        by_cookie: true,
    })
}

/// The ticket a request must carry.
pub(super) fn require_token(
    edge: &Shared,
    room: &Room,
    headers: &HeaderMap,
) -> Result<PresentedToken, ApiError> {
    ticket(edge, room, headers).ok_or_else(|| {
        let message = "send the waiting token of this queue as Authorization: Bearer or cookie";
        ApiError::new(StatusCode::UNAUTHORIZED, "no_ticket", message)
    })
}

impl PresentedToken {
    /// Refuses a change that a page of another site asked for with the visitor's cookie.
    pub(super) fn require_same_site(
        &self,
        edge: &Shared,
        headers: &HeaderMap,
    ) -> Result<(), ApiError> {
        if self.by_cookie {
            same_site(edge, headers)
        } else {
            Ok(())
        }
    }
}

/// Refuses what a page of another site made the browser send.
pub(super) fn same_site(edge: &Shared, headers: &HeaderMap) -> Result<(), ApiError> {
    let refused = || {
        let message = "a page of another site may not ask for this";
        ApiError::new(StatusCode::FORBIDDEN, "origin_not_allowed", message)
    };
    if let Some(site) = headers.get("sec-fetch-site") {
        let own = site == "same-origin" || site == "none";
        return if own { Ok(()) } else { Err(refused()) };
    }
    match headers.get(ORIGIN) {
        None => Ok(()),
        Some(origin) if origin == edge.gate.options().public_url.as_str() => Ok(()),
        // The page was loaded by the name that this request is sent to.
        Some(origin) if is_origin_of_host(origin, headers) => Ok(()),
        Some(_) => Err(refused()),
    }
}

/// Whether an origin is the host that the request names: browsers let no page choose either.
fn is_origin_of_host(origin: &HeaderValue, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let origin = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.split_once("://"));
    match (host, origin) {
        (Some(host), Some((_, name))) => name.eq_ignore_ascii_case(host),
        _ => false,
    }
}

/// The value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let values = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut pairs = values
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

/// Where a visitor's ticket is kept. `__Host-` binds it to the gate's host, and needs https.
pub(super) fn waiting_cookie(edge: &Shared, queue: QueueId) -> String {
    named(is_secure(edge), "wr_w", queue)
}

/// Where a session is kept, on the service's host.
pub(super) fn session_cookie(secure: bool, queue: QueueId) -> String {
    named(secure, "wr_s", queue)
}

/// Where the number of a way in is kept, on the service's host.
pub(super) fn step_cookie(secure: bool, queue: QueueId) -> String {
    named(secure, "wr_e", queue)
}

fn named(secure: bool, kind: &str, queue: QueueId) -> String {
    let prefix = if secure { "__Host-" } else { "" };
    format!("{prefix}{kind}_{queue}")
}

/// A Set-Cookie value.
pub(super) fn set_cookie(edge: &Shared, name: &str, value: &str, max_age_s: u64) -> String {
    service_cookie(is_secure(edge), name, value, max_age_s)
}

/// A Set-Cookie value for the service's host.
pub(super) fn service_cookie(secure: bool, name: &str, value: &str, max_age_s: u64) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}")
}

fn is_secure(edge: &Shared) -> bool {
    edge.gate.options().public_url.starts_with("https://")
}

/// Whether browsers reach the service over https, by the proxy's word; else as the gate
/// itself is reached. A wrong word spoils only the cookie of the one who sent it.
pub(super) fn is_service_https(edge: &Shared, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let scheme = text("x-original-url")
        .and_then(|url| url.split_once("://"))
        .map(|(scheme, _)| scheme)
        .or_else(|| text("x-forwarded-proto"));
    scheme.map_or_else(
        || is_secure(edge),
        |scheme| scheme.eq_ignore_ascii_case("https"),
    )
}

/// Where a request came from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address(pub(super) IpAddr);

impl FromRequestParts<Shared> for Address {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, edge: &Shared) -> Result<Self, Self::Rejection> {
        let peer = Peer::from_parts(parts);
        Ok(Self(edge.visitor(peer.0.ip(), &parts.headers)))
    }
}

impl Peer {
    fn from_parts(parts: &Parts) -> Self {
        let nowhere = SocketAddr::from(([0, 0, 0, 0], 0));
        parts.extensions.get().copied().unwrap_or(Self(nowhere))
    }
}

impl FromRequestParts<Shared> for Peer {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Self::Rejection> {
        Ok(Self::from_parts(parts))
    }
}

/// The queue that a path names. Taken before the body, so that nothing is read for a queue
/// that is not there.
pub(super) struct KnownQueue(pub(super) Arc<Room>);

impl FromRequestParts<Shared> for KnownQueue {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, edge: &Shared) -> Result<Self, ApiError> {
        let path = Path::<String>::from_request_parts(parts, edge).await;
        let Path(queue) = path.map_err(|_| ApiError::no_such_queue())?;
        room(edge, &queue).await.map(Self)
    }
}
