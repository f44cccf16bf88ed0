//! Basic, digest and bearer authentication. The nonce is fixed so that runs repeat exactly.

use std::collections::HashMap;
use std::fmt::Write as _;

use hyper::Method;
use hyper::header::WWW_AUTHENTICATE;
use md5::{Digest as _, Md5};
use serde_json::json;

use super::reply::{self, Reply};
use super::routes::Asked;

const NONCE: &str = "dcd98b7102dd2f0e8b11d0f600bfb0c093";

pub(super) fn basic(asked: &Asked, parts: &[&str]) -> Reply {
    let (user, password) = credentials(parts);
    if asked.header("authorization")
        == format!("Basic {}", base64(format!("{user}:{password}").as_bytes()))
    {
        return reply::json(200, &json!({ "authenticated": true, "user": user }));
    }
    denied("Basic realm=\"test\"")
}

pub(super) fn digest(asked: &Asked, parts: &[&str]) -> Reply {
    let (user, password) = credentials(parts);
    let fields = asked
        .header("authorization")
        .strip_prefix("Digest ")
        .map(fields)
        .unwrap_or_default();
    let field = |name: &str| fields.get(name).map_or("", String::as_str);
    let ha1 = md5_hex(&format!("{user}:test:{password}"));
    let ha2 = md5_hex(&format!("{}:{}", asked.method, field("uri")));
    let expected = if field("qop").is_empty() {
        md5_hex(&format!("{ha1}:{NONCE}:{ha2}"))
    } else {
        md5_hex(&format!(
            "{ha1}:{NONCE}:{}:{}:{}:{ha2}",
            field("nc"),
            field("cnonce"),
            field("qop")
        ))
    };
    if !fields.is_empty()
        && field("username") == user
        && field("nonce") == NONCE
        && field("response") == expected
    {
        return reply::json(200, &json!({ "authenticated": true, "user": user }));
    }
    denied(&format!(
        "Digest realm=\"test\", nonce=\"{NONCE}\", qop=\"auth\", algorithm=MD5, opaque=\"5ccc\""
    ))
}

/// `POST /token` gives a token for `{user, password}`; `/private` wants it.
pub(super) fn token(asked: &Asked, page: &str) -> Reply {
    if page == "token" {
        let value: serde_json::Value = serde_json::from_slice(&asked.body).unwrap_or_default();
        return match value["user"].as_str() {
            Some(user) if asked.method == Method::POST => reply::json(
                200,
                &json!({ "token": format!("token-{user}"), "expires_in": 3600 }),
            ),
            _ => reply::json(400, &json!({ "error": "user missing" })),
        };
    }
    match asked.header("authorization").strip_prefix("Bearer token-") {
        Some(user) => reply::json(200, &json!({ "user": user })),
        None => denied("Bearer"),
    }
}

fn credentials<'a>(parts: &[&'a str]) -> (&'a str, &'a str) {
    (
        parts.get(1).copied().unwrap_or("user"),
        parts.get(2).copied().unwrap_or("pass"),
    )
}

fn denied(challenge: &str) -> Reply {
    let mut reply = reply::text(401, "who are you?\n");
    if let Ok(value) = challenge.parse() {
        reply.headers_mut().insert(WWW_AUTHENTICATE, value);
    }
    reply
}

fn fields(text: &str) -> HashMap<String, String> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| {
            (
                name.trim().to_owned(),
                value.trim().trim_matches('"').to_owned(),
            )
        })
        .collect()
}

fn md5_hex(text: &str) -> String {
    Md5::digest(text.as_bytes())
        .iter()
        .fold(String::new(), |mut hex, byte| {
            let _infallible = write!(hex, "{byte:02x}");
            hex
        })
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .fold(0_u32, |group, byte| group << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for index in 0..4 {
            if index <= chunk.len() {
                text.push(char::from(
                    ALPHABET[(group >> (18 - 6 * index) & 63) as usize],
                ));
            } else {
                text.push('=');
            }
        }
    }
    text
}
