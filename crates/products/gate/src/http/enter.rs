//! The gate's own door at a service behind a proxy: takes the one-time code and sets the
//! session's cookie for the service's host.
//!
//! `GET /enter/{queue}?wr=<code>&to=/path`, which the proxy passes to the gate. The way in
//! has two steps. The first one uses nothing up: it gives the browser a random number in a
//! cookie. The second one redeems the code under that number, so that the same browser may
//! ask again when an answer was lost, and nobody else can use the code a second time. A
//! link preview keeps no cookies and never gets to the second step.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use loadline_text::{Catalog, Message, gate as words};
use serde::Deserialize;
use std::time::Duration;
use url::form_urlencoded;

use super::answer::ApiError;
use super::door::{is_local_path, path};
use super::page::{self, HtmlPage};
use super::real_visit::is_visit;
use super::{Shared, authz, caller, service};
use crate::gate::Room;
use crate::ids::QueueId;
use crate::queue::IdempotencyKey;
use crate::tokens::{Token, TokenPurpose};

/// How long a browser has for the second step, in seconds: longer than any code lives.
const STEP_S: u64 = 600;
/// The step after the first, and the one after which nothing is tried again.
const SECOND_STEP: &str = "1";
const LAST_STEP: &str = "2";
/// How long the answer to another tab may be on its way.
const OTHER_TAB_INTERVAL: Duration = Duration::from_millis(300);
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct EnterQuery {
    /// The one-time code.
    wr: Option<String>,
    /// Where to go on the service, as a path.
    to: Option<String>,
    /// Which step it is; none at first.
    c: Option<String>,
}

/// `GET /enter/{queue}`
pub(super) async fn enter(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    query: Result<Query<EnterQuery>, QueryRejection>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let catalog = page::catalog(None, None, &headers);
    let room = match caller::room(&edge, &queue).await {
        Ok(room) => room,
        Err(refused) => return page::without_queue(&refused, catalog, HtmlPage::with_style_inside),
    };
    let catalog = page::catalog(None, room.info().page.lang.as_deref(), &headers);
    let query = query.map(|Query(query)| query);
    let visit = Visit {
        edge,
        room,
        catalog,
        headers,
    };
    let Some(query) = query.ok().filter(|query| is_local_path(query.to())) else {
        return visit.message_page(StatusCode::BAD_REQUEST, words::page_bad_address(), "/");
    };
    if !is_visit(&method, &visit.headers) {
        return visit.message_page(StatusCode::OK, words::page_preview(), query.to());
    }
    visit.come_in(&query).await
}

impl EnterQuery {
    fn to(&self) -> &str {
        self.to.as_deref().unwrap_or("/")
    }

    /// The address of a further step.
    fn step(&self, queue: QueueId, step: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("wr", &self.wr), ("to", &self.to)] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        query.append_pair("c", step);
        format!("{}?{}", path(queue), query.finish())
    }
}

/// One request at the door.
struct Visit {
    edge: Shared,
    room: std::sync::Arc<Room>,
    catalog: &'static Catalog,
    headers: HeaderMap,
}

impl Visit {
    async fn come_in(&self, query: &EnterQuery) -> Response {
        let to = query.to();
        match authz::current_session(&self.edge, &self.room, &self.headers).await {
            Ok(Some(_)) => return see_other(to, None),
            Ok(None) => {}
            Err(away) => return self.refused(&ApiError::from(away), to),
        }
        let Some(code) = &query.wr else {
            return see_other(&self.waiting_room(to), None);
        };
        let secure = caller::is_service_https(&self.edge, &self.headers);
        let step = caller::step_cookie(secure, self.room.id);
        let Some(number) = caller::cookie(&self.headers, &step) else {
            if query.c.is_some() {
                return self.message_page(StatusCode::FORBIDDEN, words::page_cookies(), to);
            }
            let number = match getrandom::u64() {
                Ok(number) => format!("{number:016x}"),
                Err(error) => return ApiError::from(error).into_response(),
            };
            let cookie = caller::service_cookie(secure, &step, &number, STEP_S);
            return see_other(&query.step(self.room.id, SECOND_STEP), Some(&cookie));
        };
        match self.redeem(code, number).await {
            Ok((session, life_s)) => {
                let name = caller::session_cookie(secure, self.room.id);
                let cookie = caller::service_cookie(secure, &name, &session, life_s);
                see_other(to, Some(&cookie))
            }
            // Another tab of this browser may have used it: its session comes with the next request.
            Err(refused)
                if refused.kind().1 == "already_used" && query.c.as_deref() != Some(LAST_STEP) =>
            {
                if let Ok(_place) = self.edge.other_tabs.try_acquire() {
                    tokio::time::sleep(OTHER_TAB_INTERVAL).await;
                }
                see_other(&query.step(self.room.id, LAST_STEP), None)
            }
            Err(refused) => self.refused(&refused, to),
        }
    }

    /// Redeems the code; the session's token and its life in seconds.
    async fn redeem(&self, code: &str, number: &str) -> Result<(String, u64), ApiError> {
        let signer = (self.edge.gate).signer(self.room.id, self.room.info().tenant);
        let now_s = self.edge.gate.now_s();
        let ticket = service::read_code(&signer, code, now_s)?;
        let once = IdempotencyKey::from_parts(&["enter", number]);
        let life_s = service::redeem(&self.room, &ticket, Some(once), "enter".to_owned()).await?;
        let session = Token {
            expires_s: now_s + life_s,
            ..ticket
        };
        Ok((signer.sign(TokenPurpose::Session, &session), life_s))
    }

    fn refused(&self, refused: &ApiError, to: &str) -> Response {
        let (status, code) = refused.kind();
        let sentence = match code {
            "already_used" => words::page_code_used(),
            "store_away" => words::page_away(),
            _ => words::page_code_over(),
        };
        self.message_page(status, sentence, to)
    }

    /// The waiting room with a way back to `to`, if the queue's list allows one.
    fn waiting_room(&self, to: &str) -> String {
        let host = self.headers.get("host").and_then(|host| host.to_str().ok());
        let scheme = if caller::is_service_https(&self.edge, &self.headers) {
            "https"
        } else {
            "http"
        };
        let asked = host.map(|host| format!("{scheme}://{host}{to}"));
        authz::waiting_room(&self.edge, &self.room, asked.as_deref(), true)
    }

    /// A page with one sentence and the way to the waiting room.
    fn message_page(&self, status: StatusCode, sentence: Message, to: &str) -> Response {
        let page = HtmlPage::plain(self.catalog, sentence)
            .owned_by(&self.room)
            .with_style_inside()
            .with_link(self.catalog, words::page_to_room(), &self.waiting_room(to));
        page::answer(status, &page, None)
    }
}

fn see_other(to: &str, cookie: Option<&str>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    let fields = [(LOCATION, Some(to)), (SET_COOKIE, cookie)];
    for (name, value) in fields {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    }
    let referrer = HeaderName::from_static("referrer-policy");
    headers.insert(referrer, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
