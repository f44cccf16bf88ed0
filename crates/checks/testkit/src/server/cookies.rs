//! Cookies: shows, sets and deletes them.

use std::collections::BTreeMap;

use hyper::header::SET_COOKIE;
use serde_json::json;

use super::reply::{self, Reply};
use super::routes::Asked;
use super::state::{Defect, State};

pub(super) fn reply(asked: &Asked, parts: &[&str], state: &State) -> Reply {
    match parts.get(1).copied() {
        Some("set") => {
            let target = asked.parameter("to").unwrap_or("/cookies").to_owned();
            let mut reply = reply::redirect(302, &target);
            for (name, value) in asked.query.iter().filter(|(name, _)| name != "to") {
                add(&mut reply, &format!("{name}={value}; Path=/"));
            }
            reply
        }
        Some("set-attrs") => attributes(asked),
        Some("delete") => {
            let mut reply = reply::redirect(302, "/cookies");
            if state.defect != Some(Defect::CookieStays) {
                for (name, _) in &asked.query {
                    add(&mut reply, &format!("{name}=; Path=/; Max-Age=0"));
                }
            }
            reply
        }
        _ => show(asked),
    }
}

/// Sets `name=value` with the attributes given in the query, without a redirect.
fn attributes(asked: &Asked) -> Reply {
    let name = asked.parameter("name").unwrap_or("a");
    let mut cookie = format!("{name}={}", asked.parameter("value").unwrap_or("1"));
    for (key, attribute) in [
        ("path", "Path"),
        ("domain", "Domain"),
        ("max_age", "Max-Age"),
        ("expires", "Expires"),
        ("same_site", "SameSite"),
    ] {
        if let Some(value) = asked.parameter(key) {
            cookie.push_str(&format!("; {attribute}={value}"));
        }
    }
    for (key, attribute) in [("secure", "Secure"), ("http_only", "HttpOnly")] {
        if asked.parameter(key).is_some() {
            cookie.push_str(&format!("; {attribute}"));
        }
    }
    let mut reply = show(asked);
    add(&mut reply, &cookie);
    reply
}

fn show(asked: &Asked) -> Reply {
    let mut cookies: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut raw = Vec::new();
    for header in asked.headers.get_all("cookie") {
        let text = String::from_utf8_lossy(header.as_bytes()).into_owned();
        for pair in text
            .split(';')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
        {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            cookies
                .entry(name.to_owned())
                .or_default()
                .push(value.to_owned());
        }
        raw.push(text);
    }
    reply::json(200, &json!({ "cookies": cookies, "raw": raw }))
}

fn add(reply: &mut Reply, cookie: &str) {
    if let Ok(value) = cookie.parse() {
        reply.headers_mut().append(SET_COOKIE, value);
    }
}
