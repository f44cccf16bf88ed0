//! Who may do what: each route needs a role, and one check sees that the request has it.
//!
//! A request has the role of the token that it brings as `Authorization: Bearer`, or else that of its
//! cookie, which opening a link sets. What no route is declared for is treated as reading: a stranger
//! does not learn what exists. The table is in `routes`, the tokens in [`tokens`], what those
//! hear who bring none in [`closed`].

pub(crate) mod closed;
pub(crate) mod links;
pub(crate) mod tokens;

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use loadline_listen::Refusal;
use serde_json::{Value, json};

use self::closed::is_from_other_site;
use self::links::OpenedLinks;
use self::tokens::{AccessRole, AccessTokens};
use crate::WebSettings;
use crate::api;

/// What a route needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nothing: it holds no data.
    Open,
    /// At least this role.
    Needs(AccessRole),
}

/// What the routes need, by method and path.
pub(crate) type RouteNeeds = HashMap<(Method, &'static str), Access>;

/// The server as those see it who ask it.
#[derive(Debug, Clone)]
pub(crate) struct ServedAt {
    /// Where it listens, as an address begins: `http://127.0.0.1:8089`.
    pub(crate) origin: String,
    pub(crate) port: u16,
    pub(crate) is_encrypted: bool,
}

/// The check of all requests.
pub(crate) struct AccessCheck {
    settings: Arc<WebSettings>,
    at: ServedAt,
    needs: RouteNeeds,
    opened: OpenedLinks,
}

/// What a request brings.
struct Brought {
    role: AccessRole,
    /// By a cookie: a browser sends it without being asked.
    is_cookie: bool,
}

impl AccessCheck {
    pub(crate) fn new(settings: Arc<WebSettings>, at: ServedAt, needs: RouteNeeds) -> Self {
        Self {
            settings,
            at,
            needs,
            opened: OpenedLinks::default(),
        }
    }

    fn needed(&self, request: &Request) -> Access {
        let method = match *request.method() {
            Method::HEAD => Method::GET,
            ref other => other.clone(),
        };
        let needs: &HashMap<(Method, &str), Access> = &self.needs;
        let path = request.extensions().get::<MatchedPath>();
        let found = path.and_then(|path| needs.get(&(method, path.as_str())));
        found.copied().unwrap_or(Access::Needs(AccessRole::Read))
    }

    /// The role that a request has; none when it brings nothing, or something wrong.
    fn brought(&self, headers: &HeaderMap, tokens: &AccessTokens) -> Option<Brought> {
        let bearer = headers.get(header::AUTHORIZATION);
        let bearer = bearer.and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        if let Some(token) = bearer {
            let role = tokens.role_of_token(token)?;
            let is_cookie = false;
            return Some(Brought { role, is_cookie });
        }
        let name = cookie_name(self.at.port);
        let cookies = headers.get_all(header::COOKIE).into_iter();
        let cookies = cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'));
        let of_ours =
            cookies.filter_map(|cookie| cookie.trim().strip_prefix(&name)?.strip_prefix('='));
        let roles = of_ours.filter_map(|value| tokens.role_of_cookie(value, self.at.port));
        let role = roles.max()?;
        let is_cookie = true;
        Some(Brought { role, is_cookie })
    }

    /// What opening a link brings: the cookie, and the address without the token.
    fn opened(&self, request: &Request, tokens: &AccessTokens, token: &str) -> Option<Response> {
        let now_ms = api::now_ms(&self.settings);
        let known = self.brought(request.headers(), tokens).map(|of| of.role);
        let linked = tokens.role_of_link(token, now_ms);
        let linked = linked.filter(|link| self.opened.admits(link, now_ms));
        let role = known.max(linked.map(|link| link.role))?;
        let to = clean_address(request);
        let secure = if self.at.is_encrypted { "; Secure" } else { "" };
        let value = tokens.cookie(role, self.at.port);
        let name = cookie_name(self.at.port);
        let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict{secure}");
        let mut response = if is_from_other_site(request.headers()) {
            closed::again(&to)
        } else {
            let to = HeaderValue::try_from(to).ok()?;
            (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
        };
        let cookie = HeaderValue::try_from(cookie).ok()?;
        response.headers_mut().insert(header::SET_COOKIE, cookie);
        Some(response)
    }
}

/// Browsers send the cookies of an address to each of its ports: names tell them apart.
fn cookie_name(port: u16) -> String {
    format!("loadline-{port}")
}

/// The token of a link.
fn link_token(request: &Request) -> Option<&str> {
    let query = request.uri().query()?;
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix("token="))
}

/// The request's own path and query without the token of the link. It stays on this server.
fn clean_address(request: &Request) -> String {
    // A browser takes what follows two slashes, or one and its mirror, for another server.
    let path = request.uri().path().trim_start_matches(['/', '\\']);
    let query = request.uri().query().unwrap_or_default();
    let kept = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("token="));
    let kept: Vec<&str> = kept.collect();
    let mark = if kept.is_empty() { "" } else { "?" };
    format!("/{path}{mark}{}", kept.join("&"))
}

/// Lets a request pass that has the role its route needs.
pub(crate) async fn check(
    State(check): State<Arc<AccessCheck>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Access::Needs(needed) = check.needed(&request) else {
        return next.run(request).await;
    };
    let is_page = request.method() == Method::GET && !request.uri().path().starts_with("/api/");
    let closed = |headers: &HeaderMap| {
        if is_page {
            closed::page(&check.at.origin, headers)
        } else {
            closed::refusal()
        }
    };
    let settings = check.settings.clone();
    // It reads a file.
    let tokens = tokio::task::spawn_blocking(move || (settings.tokens)()).await;
    let Ok(Some(tokens)) = tokens else {
        return closed(request.headers());
    };
    if is_page && let Some(token) = link_token(&request) {
        let opened = check.opened(&request, &tokens, token);
        return opened.unwrap_or_else(|| closed(request.headers()));
    }
    let Some(brought) = check.brought(request.headers(), &tokens) else {
        return closed(request.headers());
    };
    if brought.role < needed {
        let message = format!("this needs a link or a token of the role {}", needed.name());
        let refusal = Refusal::new(StatusCode::FORBIDDEN, "role_needed", message);
        return refusal.with("role", needed.name()).into_response();
    }
    let is_change = !request.method().is_safe();
    if is_change && brought.is_cookie && !request.headers().contains_key(header::ORIGIN) {
        let message =
            "a change by a cookie needs the header Origin; programs send Authorization: Bearer";
        return Refusal::new(StatusCode::FORBIDDEN, "origin_needed", message).into_response();
    }
    request.extensions_mut().insert(brought.role);
    next.run(request).await
}

/// What the one who asks may do.
pub(crate) async fn session(Extension(role): Extension<AccessRole>) -> Json<Value> {
    Json(json!({ "role": role.name() }))
}
