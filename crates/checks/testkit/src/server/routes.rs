//! Path to answer. Every answer depends on the request and the counters of this instance only.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::{HeaderMap, Method, Request};
use serde_json::json;

use super::reply::{self, Reply};
use super::state::{Defect, State};
use super::{auth, bodies, cookies, echo, pages};

/// A request read to its end.
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) scheme: &'static str,
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: HeaderMap,
    pub(super) version: String,
    pub(super) body: Bytes,
}

impl Asked {
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.query
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    pub(super) fn number(&self, name: &str, default: u64) -> u64 {
        self.parameter(name)
            .and_then(|value| value.parse().ok())
            .unwrap_or(default)
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

/// Reads the request, answers it and counts it.
pub(super) async fn answer(
    request: Request<Incoming>,
    scheme: &'static str,
    state: &Arc<State>,
) -> Reply {
    let (head, body) = request.into_parts();
    let body = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    let query = head.uri.query().unwrap_or_default();
    let mut headers = head.headers;
    // HTTP/2 carries the host in the target.
    let authority = head
        .uri
        .authority()
        .filter(|_| !headers.contains_key("host"));
    if let Some(Ok(value)) = authority.map(|authority| authority.as_str().parse()) {
        headers.insert("host", value);
    }
    let asked = Asked {
        method: head.method,
        scheme,
        path: head.uri.path().to_owned(),
        query: url::form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect(),
        headers,
        version: format!("{:?}", head.version),
        body,
    };
    let mut reply = route(&asked, state).await;
    if state.defect == Some(Defect::Created) && reply.status() == 200 {
        *reply.status_mut() = hyper::StatusCode::CREATED;
    }
    if asked.path != "/stats" {
        state.count_request(format!(
            "{} {} {}",
            asked.method,
            asked.path,
            reply.status().as_u16()
        ));
    }
    reply
}

async fn route(asked: &Asked, state: &Arc<State>) -> Reply {
    let parts: Vec<&str> = asked.path.trim_start_matches('/').split('/').collect();
    let number = |index: usize| {
        parts
            .get(index)
            .and_then(|part| part.parse::<u64>().ok())
            .unwrap_or_default()
    };
    match parts[0] {
        "" => reply::text(200, "ok\n"),
        "get" | "post" | "put" | "patch" | "delete" => only(asked, parts[0]),
        "anything" | "echo" => echo::reply(asked),
        "status" => status(number(1)),
        "redirect" | "redirect-loop" | "redirect-to" => redirect(asked, &parts, state),
        "cookies" => cookies::reply(asked, &parts, state),
        "gzip" | "deflate" | "br" | "zstd" | "encoded" | "gzip-bad" => {
            bodies::encoded(&parts, state)
        }
        "bytes" => bodies::bytes(number(1), asked.number("seed", 1)),
        "big" => bodies::big(number(1)),
        "bomb" => bodies::bomb(number(1)).await,
        "text" => reply::text(
            200,
            "abcdefghij"
                .repeat(200)
                .chars()
                .cycle()
                .take(size(number(1)))
                .collect::<String>(),
        ),
        "latin1" => reply::bytes(
            200,
            "text/plain; charset=iso-8859-1",
            &b"caf\xe9 \xff\xfe"[..],
        ),
        "stream" => bodies::stream(number(1), asked.number("gap", 0)),
        "trailers" => bodies::trailers(),
        "delay" => delay(number(1)).await,
        "stall" => delay(2_000).await,
        "basic-auth" => auth::basic(asked, &parts),
        "digest-auth" => auth::digest(asked, &parts),
        "token" | "private" => auth::token(asked, parts[0]),
        "json" if parts.get(1) == Some(&"big") => pages::big(asked.number("n", 1_000)).await,
        "json" | "items" => pages::json(asked, &parts),
        "html" | "forms" | "links" => pages::html(parts[0]),
        "headers" => headers(asked, &parts),
        "etag" => etag(asked),
        "close" => close(),
        "counter" => counter(asked, &parts, state),
        "fail-every" => fail_every(asked, number(1), state),
        "deers" => deers(asked, state),
        "login" => login(asked),
        "stats" => stats(state),
        _ => reply::text(404, "no such page\n"),
    }
}

/// A size a test asks for; never more than memory has.
fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).min(64 << 20)
}

fn only(asked: &Asked, method: &str) -> Reply {
    let head_of_get = method == "get" && asked.method == Method::HEAD;
    if asked.method.as_str().eq_ignore_ascii_case(method) || head_of_get {
        echo::reply(asked)
    } else {
        let mut reply = reply::text(405, "method not allowed\n");
        if let Ok(value) = method.to_ascii_uppercase().parse() {
            reply.headers_mut().insert("allow", value);
        }
        reply
    }
}

fn status(code: u64) -> Reply {
    let code = u16::try_from(code).unwrap_or(500);
    if matches!(code, 204 | 304) {
        reply::empty(code)
    } else {
        reply::text(code, format!("status {code}\n"))
    }
}

fn redirect(asked: &Asked, parts: &[&str], state: &State) -> Reply {
    let code = u16::try_from(asked.number("code", 302)).unwrap_or(302);
    if parts[0] == "redirect-to" {
        return reply::redirect(code, asked.parameter("url").unwrap_or("/get"));
    }
    if parts[0] == "redirect-loop" {
        return reply::redirect(code, "/redirect-loop");
    }
    let mut left: u64 = parts.get(1).and_then(|part| part.parse().ok()).unwrap_or(1);
    let detour = asked.parameter("detour").is_some();
    if state.defect == Some(Defect::RedirectOneMore) && !detour {
        left += 1;
    }
    let last = asked.parameter("to").unwrap_or("/anything/landed");
    let path = if left <= 1 {
        last.to_owned()
    } else {
        let mark = if state.defect.is_some() {
            "&detour=1"
        } else {
            ""
        };
        let absolute = if asked.parameter("abs").is_some() {
            "&abs=1"
        } else {
            ""
        };
        format!(
            "/redirect/{}?code={code}{absolute}{mark}&to={}",
            left - 1,
            encode(last)
        )
    };
    if asked.parameter("abs").is_some() && path.starts_with('/') {
        reply::redirect(
            code,
            &format!("{}://{}{path}", asked.scheme, asked.header("host")),
        )
    } else {
        reply::redirect(code, &path)
    }
}

pub(super) fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

async fn delay(milliseconds: u64) -> Reply {
    tokio::time::sleep(Duration::from_millis(milliseconds.min(60_000))).await;
    reply::json(200, &json!({ "delay": milliseconds }))
}

fn headers(asked: &Asked, parts: &[&str]) -> Reply {
    let mut reply = reply::text(200, "headers\n");
    if parts.get(1) == Some(&"multi") {
        for value in ["one", "two", "three"] {
            reply
                .headers_mut()
                .append("x-multi", hyper::header::HeaderValue::from_static(value));
        }
        return reply;
    }
    for (name, value) in &asked.query {
        if let (Ok(name), Ok(value)) = (name.parse::<hyper::header::HeaderName>(), value.parse()) {
            reply.headers_mut().append(name, value);
        }
    }
    reply
}

fn etag(asked: &Asked) -> Reply {
    let mut reply = if asked.header("if-none-match") == "\"v1\"" {
        reply::empty(304)
    } else {
        reply::text(200, "version one\n")
    };
    reply
        .headers_mut()
        .insert("etag", hyper::header::HeaderValue::from_static("\"v1\""));
    reply
}

fn close() -> Reply {
    let mut reply = reply::text(200, "closing\n");
    reply.headers_mut().insert(
        "connection",
        hyper::header::HeaderValue::from_static("close"),
    );
    reply
}

fn counter(asked: &Asked, parts: &[&str], state: &State) -> Reply {
    let name = parts.get(1).copied().unwrap_or("default");
    let value = if asked.method == Method::POST {
        state.next(name)
    } else {
        state.current(name)
    };
    reply::json(200, &json!({ "name": name, "value": value }))
}

/// Fails each k-th request of the same path and query.
fn fail_every(asked: &Asked, k: u64, state: &State) -> Reply {
    let count = state.next(&format!(
        "fail {k} {}",
        asked.parameter("name").unwrap_or_default()
    ));
    if k > 0 && count.is_multiple_of(k) {
        let code = u16::try_from(asked.number("code", 500)).unwrap_or(500);
        return reply::json(code, &json!({ "code": "failed", "count": count }));
    }
    reply::json(200, &json!({ "code": "success", "count": count }))
}

/// The chained pair of an internal service: POST takes an id that may be used once, GET reads it back.
fn deers(asked: &Asked, state: &State) -> Reply {
    if asked.method == Method::POST {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&asked.body) else {
            return reply::json(400, &json!({ "code": "bad_request" }));
        };
        let key = format!("{}/{}", value["userId"], value["deerId"]);
        if !state.take(&key) {
            return reply::json(409, &json!({ "code": "duplicate" }));
        }
        state.store(key, value["data"].to_string());
        return reply::json(
            200,
            &json!({ "code": "success", "deerId": value["deerId"] }),
        );
    }
    let as_json = |name| match asked.parameter(name).unwrap_or_default() {
        text if text.parse::<u64>().is_ok() => text.to_owned(),
        text => format!("{text:?}"),
    };
    match state.fetch(&format!("{}/{}", as_json("userId"), as_json("deerId"))) {
        Some(data) => {
            let data: serde_json::Value = serde_json::from_str(&data).unwrap_or_default();
            reply::json(200, &json!({ "code": "success", "data": data }))
        }
        None => reply::json(404, &json!({ "code": "not_found" })),
    }
}

fn login(asked: &Asked) -> Reply {
    let fields: BTreeMap<String, String> = url::form_urlencoded::parse(&asked.body)
        .into_owned()
        .collect();
    if fields.get("password").map(String::as_str) != Some("secret") {
        return reply::json(401, &json!({ "code": "denied" }));
    }
    let user = fields.get("user").cloned().unwrap_or_default();
    let mut reply = reply::json(200, &json!({ "code": "success", "user": user }));
    if let Ok(value) = format!("session={user}; Path=/; HttpOnly").parse() {
        reply.headers_mut().insert("set-cookie", value);
    }
    reply
}

fn stats(state: &State) -> Reply {
    match serde_json::to_value(state.stats()) {
        Ok(value) => reply::json(200, &value),
        Err(error) => reply::text(500, error.to_string()),
    }
}
