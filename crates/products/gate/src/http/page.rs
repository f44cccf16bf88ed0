//! The hosted page: a visitor's place, kept up to date with or without JavaScript.
//!
//! The server writes the whole page, in the visitor's language, and a reload is always
//! right: it names no state but the cookie. Nothing comes from anybody else's server, and
//! the policy sent along allows nothing that the page does not use.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::{
    ACCEPT, ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION,
    RETRY_AFTER, SET_COOKIE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use loadline_text::{Catalog, Lang, Message, gate as words};
use serde::Deserialize;
use std::sync::{Arc, LazyLock};
use url::form_urlencoded;

use super::Shared;
use super::answer::ApiError;
use super::caller::{self, Address};
use super::real_visit::is_visit;
use super::visitor;
use crate::gate::Room;
use crate::queue::{Command, VisitorId, VisitorState};
use crate::tokens::redirect::parse_target;
use crate::tokens::{Token, TokenPurpose};

mod html;

pub(super) use html::HtmlPage;
pub(super) use html::escaped;

static ENGLISH: LazyLock<Catalog> = LazyLock::new(|| Catalog::new(Lang::En));
static KOREAN: LazyLock<Catalog> = LazyLock::new(|| Catalog::new(Lang::Ko));

#[derive(Debug, Default, Deserialize)]
pub(super) struct PageQuery {
    /// Where to go once let in.
    #[serde(default)]
    rt: Option<String>,
    /// A ticket that the service got for the visitor.
    #[serde(default)]
    t: Option<String>,
    /// A language chosen.
    #[serde(default)]
    lang: Option<String>,
    /// Set by the door on the service's host: this browser has no session there.
    #[serde(default)]
    again: Option<String>,
}

impl PageQuery {
    /// The page's own address, without the ticket.
    fn address(&self, room: &Room) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [
            ("rt", &self.rt),
            ("lang", &self.lang),
            ("again", &self.again),
        ] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        let query = query.finish();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("/w/{}{mark}{query}", room.id)
    }
}

/// One request for a page: queue, language, and the page's own address.
struct Visit {
    edge: Shared,
    room: Arc<Room>,
    catalog: &'static Catalog,
    query: PageQuery,
    headers: HeaderMap,
}

/// `GET /w/{queue}`
pub(super) async fn show(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    query: Result<Query<PageQuery>, QueryRejection>,
    Address(address): Address,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let visit = match Visit::new(edge, &queue, query, headers).await {
        Ok(visit) => visit,
        Err(response) => return *response,
    };
    let shown = caller::ticket(&visit.edge, &visit.room, &visit.headers);
    if let Some(text) = &visit.query.t {
        let holds = shown.is_some_and(|shown| visit.room.holds(shown.ticket.wid));
        // A link must not put somebody else's place into the hands of who holds one.
        return if holds {
            visit.back()
        } else {
            visit.keep_ticket(text)
        };
    }
    let first = shown.map(|shown| u64::from(shown.ticket.lease));
    if let Some(shown) = shown {
        match visit.room.visit(shown.ticket.wid, shown.ticket.seq).await {
            Ok(view) if view.state != VisitorState::Gone => {
                return visit.page(&view, first.unwrap_or(0), None);
            }
            Ok(_) => {}
            Err(away) => return visit.refused(ApiError::from(away)),
        }
    }
    if !is_visit(&method, &visit.headers) {
        return visit.message_page(StatusCode::OK, words::page_preview(), None);
    }
    match visitor::newcomer(&visit.edge, &visit.room, shown, address, &visit.headers) {
        Ok(wid) => match visitor::join_as(&visit.edge, &visit.room, wid).await {
            Ok(_) => {
                let view = visit.room.view(wid);
                let ahead = match view.state {
                    VisitorState::Waiting { ahead, .. } => ahead + 1,
                    _ => 1,
                };
                let cookie = visit.cookie(wid, view.state.seq().unwrap_or(0), ahead);
                visit.page(&view, ahead, Some(cookie))
            }
            Err(refused) => visit.refused(refused),
        },
        Err(refused) => visit.refused(refused),
    }
}

/// `POST /w/{queue}`: comes in, if it is the visitor's turn; else shows the page.
pub(super) async fn come_in(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    query: Result<Query<PageQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let (visit, wid) = match Visit::posted(edge, &queue, query, headers).await {
        Ok(posted) => posted,
        Err(response) => return *response,
    };
    let (rt, again) = (visit.query.rt.as_deref(), visit.query.again.is_some());
    match visitor::come_in(&visit.edge, &visit.room, wid, rt, again).await {
        Ok(entry) => see_other(&entry.redirect),
        // Came in with another tab: the service knows the visitor already.
        Err(refused) if refused.kind().1 == "already_inside" => {
            match visitor::target(&visit.room, visit.query.rt.as_deref()) {
                Ok(target) => see_other(target.as_str()),
                Err(refused) => visit.refused(refused),
            }
        }
        Err(refused) if refused.kind().1 == "store_away" => visit.refused(refused),
        Err(_) => visit.back(),
    }
}

/// `POST /w/{queue}/leave`: gives the place up.
pub(super) async fn leave(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    query: Result<Query<PageQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let (visit, wid) = match Visit::posted(edge, &queue, query, headers).await {
        Ok(posted) => posted,
        Err(response) => return *response,
    };
    match visit.room.ask(Command::Leave { wid }).await {
        Ok(_) => {
            let name = caller::waiting_cookie(&visit.edge, visit.room.id);
            let gone = caller::set_cookie(&visit.edge, &name, "", 0);
            visit.message_page(StatusCode::OK, words::page_left(), Some(gone))
        }
        Err(away) => visit.refused(ApiError::from(away)),
    }
}

impl Visit {
    /// A form of our own page, and whose it is.
    async fn posted(
        edge: Shared,
        queue: &str,
        query: Result<Query<PageQuery>, QueryRejection>,
        headers: HeaderMap,
    ) -> Result<(Self, VisitorId), Box<Response>> {
        let visit = Self::new(edge, queue, query, headers).await?;
        if let Err(refused) = caller::same_site(&visit.edge, &visit.headers) {
            let sentence = words::page_foreign_form();
            return Err(Box::new(visit.message_page(
                refused.kind().0,
                sentence,
                None,
            )));
        }
        match caller::ticket(&visit.edge, &visit.room, &visit.headers) {
            Some(shown) => Ok((visit, shown.ticket.wid)),
            None => Err(Box::new(visit.back())),
        }
    }

    async fn new(
        edge: Shared,
        queue: &str,
        query: Result<Query<PageQuery>, QueryRejection>,
        headers: HeaderMap,
    ) -> Result<Self, Box<Response>> {
        let Ok(Query(query)) = query else {
            let catalog = catalog(None, None, &headers);
            let page = HtmlPage::plain(catalog, words::page_bad_address());
            return Err(Box::new(answer(StatusCode::BAD_REQUEST, &page, None)));
        };
        let catalog = |of: Option<&str>| catalog(query.lang.as_deref(), of, &headers);
        let room = match caller::room(&edge, queue).await {
            Ok(room) => room,
            Err(refused) => {
                return Err(Box::new(without_queue(&refused, catalog(None), |page| {
                    page
                })));
            }
        };
        let info = room.info();
        let catalog = catalog(info.page.lang.as_deref());
        let bad = query
            .rt
            .as_ref()
            .is_some_and(|rt| parse_target(rt, &info.origins).is_err());
        if bad {
            let page = HtmlPage::plain(catalog, words::page_bad_address());
            return Err(Box::new(answer(StatusCode::BAD_REQUEST, &page, None)));
        }
        Ok(Self {
            edge,
            room,
            catalog,
            query,
            headers,
        })
    }

    /// Puts a ticket from the address into the cookie, and out of the address.
    fn keep_ticket(&self, text: &str) -> Response {
        let signer = self.edge.gate.signer(self.room.id, self.room.info().tenant);
        let mut response = self.back();
        if let Ok(ticket) = signer.check(TokenPurpose::Waiting, text, self.edge.gate.now_s()) {
            let view = self.room.view(ticket.wid);
            let ahead = match view.state {
                VisitorState::Waiting { ahead, .. } => ahead + 1,
                _ => 1,
            };
            let cookie = self.cookie(ticket.wid, ticket.seq, ahead);
            put(&mut response, SET_COOKIE, &cookie);
        }
        response
    }

    /// The ticket as a cookie; `ahead` were before when it was given, which the bar starts from.
    fn cookie(&self, wid: crate::queue::VisitorId, seq: u64, ahead: u64) -> String {
        let expires_s = self.edge.gate.now_s() + visitor::TICKET_LIFE_S;
        let lease = u32::try_from(ahead).unwrap_or(u32::MAX);
        let signer = self.edge.gate.signer(self.room.id, self.room.info().tenant);
        let text = signer.sign(
            TokenPurpose::Waiting,
            &Token {
                wid,
                seq,
                lease,
                expires_s,
            },
        );
        let name = caller::waiting_cookie(&self.edge, self.room.id);
        caller::set_cookie(&self.edge, &name, &text, visitor::TICKET_LIFE_S)
    }

    /// The page of a state.
    fn page(&self, view: &crate::gate::View, first: u64, cookie: Option<String>) -> Response {
        let page = HtmlPage::for_view(
            self.catalog,
            &self.room,
            view,
            first,
            &self.query.address(&self.room),
        );
        answer(StatusCode::OK, &page, cookie)
    }

    /// A page with one sentence, and the way to the queue's page.
    fn message_page(
        &self,
        status: StatusCode,
        sentence: Message,
        cookie: Option<String>,
    ) -> Response {
        let page = HtmlPage::plain(self.catalog, sentence)
            .owned_by(&self.room)
            .with_link(
                self.catalog,
                words::page_again(),
                &self.query.address(&self.room),
            );
        answer(status, &page, cookie)
    }

    /// The page of a refusal; those that pass are tried again.
    fn refused(&self, refused: ApiError) -> Response {
        let (status, code) = refused.kind();
        let (sentence, again_s) = match code {
            "full" => (words::page_full(), 30),
            // It may be opened again.
            "closed" => (words::page_closed(), 60),
            "blocked" => (words::page_blocked(), 0),
            "join_limit" => (words::page_limit(), 6),
            "join_through_service" => (words::page_through_service(), 0),
            _ => (words::page_away(), 5),
        };
        let info = self.room.info();
        let mut page = HtmlPage::plain(self.catalog, sentence)
            .owned_by(&self.room)
            .reloading(again_s);
        // A visitor who gets no place here is told where to go.
        if matches!(code, "full" | "closed" | "join_through_service")
            && let Some(service) = info.origins.first()
        {
            page = page.with_link(self.catalog, words::page_to_service(), service);
        }
        let mut response = answer(status, &page, None);
        if again_s > 0 {
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(again_s));
        }
        response
    }

    fn back(&self) -> Response {
        see_other(&self.query.address(&self.room))
    }
}

/// The page of an address whose queue is not there, or may be and is not known yet.
pub(super) fn without_queue(
    refused: &ApiError,
    catalog: &'static Catalog,
    style: fn(HtmlPage) -> HtmlPage,
) -> Response {
    let (status, _) = refused.kind();
    let page = match status {
        StatusCode::NOT_FOUND => HtmlPage::plain(catalog, words::page_no_queue()),
        _ => HtmlPage::plain(catalog, words::page_away()).reloading(5),
    };
    answer(status, &style(page), None)
}

/// Language: the one chosen, else the browser's first that we have, else the queue's.
pub(super) fn catalog(
    chosen: Option<&str>,
    of_queue: Option<&str>,
    headers: &HeaderMap,
) -> &'static Catalog {
    let browser = headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    let tags = browser
        .split(',')
        .filter_map(|tag| tag.split(';').next())
        .map(str::trim);
    let lang = chosen
        .into_iter()
        .chain(tags)
        .chain(of_queue)
        .find_map(Lang::of_tag);
    match lang.unwrap_or_default() {
        Lang::En => &ENGLISH,
        Lang::Ko => &KOREAN,
    }
}

fn see_other(to: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    put(&mut response, LOCATION, to);
    put(&mut response, CACHE_CONTROL, "no-store");
    put(
        &mut response,
        HeaderName::from_static("referrer-policy"),
        "no-referrer",
    );
    response
}

/// `GET /w/{queue}/leave`: somebody reloads the page that said so. Whoever holds a place goes back to it.
pub(super) async fn left(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
    query: Result<Query<PageQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    match Visit::new(edge, &queue, query, headers).await {
        Ok(visit) if caller::ticket(&visit.edge, &visit.room, &visit.headers).is_some() => {
            visit.back()
        }
        Ok(visit) => visit.message_page(StatusCode::OK, words::page_left(), None),
        Err(response) => *response,
    }
}

/// An address where nothing is: a page for browsers, JSON for programs.
pub(super) async fn nothing(headers: HeaderMap) -> Response {
    let accepts = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    if !accepts.is_some_and(|kinds| kinds.contains("text/html")) {
        let message = "there is nothing at this address";
        return ApiError::new(StatusCode::NOT_FOUND, "not_found", message).into_response();
    }
    let page = HtmlPage::plain(catalog(None, None, &headers), words::page_nothing());
    answer(StatusCode::NOT_FOUND, &page, None)
}

pub(super) fn answer(status: StatusCode, page: &HtmlPage, cookie: Option<String>) -> Response {
    let nonce = format!("{:016x}", getrandom::u64().unwrap_or_default());
    let mut response = (status, page.html(&nonce)).into_response();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; connect-src 'self'; \
         img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    put(&mut response, CONTENT_TYPE, "text/html; charset=utf-8");
    put(&mut response, CONTENT_SECURITY_POLICY, &policy);
    put(&mut response, CACHE_CONTROL, "no-store");
    put(
        &mut response,
        HeaderName::from_static("referrer-policy"),
        // With `no-referrer` a browser sends `Origin: null` with the page's own form.
        "same-origin",
    );
    put(
        &mut response,
        HeaderName::from_static("x-content-type-options"),
        "nosniff",
    );
    if let Some(cookie) = cookie {
        put(&mut response, SET_COOKIE, &cookie);
    }
    response
}

pub(super) fn put(response: &mut Response, name: HeaderName, value: &str) {
    // Addresses and cookies are ASCII by construction; what is not is not sent.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// `GET /w/{queue}/logo`: the same to everybody, and another one has another address.
pub(super) async fn logo(
    State(edge): State<Shared>,
    Path(queue): Path<String>,
) -> Result<Response, ApiError> {
    let room = caller::room(&edge, &queue).await?;
    let Some(logo) = room.logo() else {
        let message = "this queue has no logo";
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_logo", message));
    };
    let mut response = logo.bytes().to_vec().into_response();
    for (name, value) in [
        (CONTENT_TYPE, logo.media_type()),
        (CACHE_CONTROL, "public, max-age=86400"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ] {
        put(&mut response, name, value);
    }
    Ok(response)
}

/// `GET /assets/{file}`
pub(super) async fn asset(Path(file): Path<String>) -> Response {
    let (kind, text) = match file.as_str() {
        "wait.css" => ("text/css; charset=utf-8", include_str!("page/wait.css")),
        "wait.js" => (
            "text/javascript; charset=utf-8",
            include_str!("page/wait.js"),
        ),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let mut response = text.into_response();
    put(&mut response, CONTENT_TYPE, kind);
    put(&mut response, CACHE_CONTROL, "public, max-age=300");
    put(
        &mut response,
        HeaderName::from_static("x-content-type-options"),
        "nosniff",
    );
    response
}
