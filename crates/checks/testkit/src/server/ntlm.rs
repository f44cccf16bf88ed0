//! NTLM, version 2: a connection is asked for a proof that it knows the password, and is known from then on.
//!
//! `/ntlm/USER/PASSWORD` wants a user, `/ntlm/USER/PASSWORD/DOMAIN` one of a domain. In the query: `scheme` names what
//! is offered (`NTLM` unless told), `bare` leaves the target's attributes out, `broken` sends a challenge that is none.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::WWW_AUTHENTICATE;
use md4::Md4;
use md5::{Digest as _, Md5};
use serde_json::json;

use super::reply::{self, Reply};
use super::state::State;

/// What is known of a connection.
#[derive(Debug, Default)]
struct Known {
    /// Asked, not answered yet.
    nonce: Option<[u8; 8]>,
    /// Path whose user it has shown to be.
    shown: Option<String>,
}

/// One connection's.
#[derive(Debug, Clone, Default)]
pub(super) struct Session(Arc<Mutex<Known>>);

/// Whether a path is answered here.
pub(super) fn claims(path: &str) -> bool {
    path.starts_with("/ntlm/")
}

/// Reads the request, answers it and counts it.
pub(super) async fn answer(request: Request<Incoming>, session: &Session, state: &State) -> Reply {
    let (head, body) = request.into_parts();
    let body = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    let query: Vec<(String, String)> =
        url::form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes())
            .into_owned()
            .collect();
    let path = head.uri.path();
    let parts: Vec<&str> = path.split('/').skip(2).collect();
    let asked = Asked {
        path,
        user: parts.first().copied().unwrap_or_default(),
        password: parts.get(1).copied().unwrap_or_default(),
        domain: parts.get(2).copied().unwrap_or_default(),
        query: &query,
        shown: head
            .headers
            .get("authorization")
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default(),
    };
    let reply = decide(&asked, session, state, &String::from_utf8_lossy(&body));
    state.count_request(format!(
        "{} {path} {}",
        head.method,
        reply.status().as_u16()
    ));
    reply
}

struct Asked<'a> {
    path: &'a str,
    user: &'a str,
    password: &'a str,
    domain: &'a str,
    query: &'a [(String, String)],
    /// `Authorization`
    shown: &'a str,
}

impl Asked<'_> {
    fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

fn decide(asked: &Asked<'_>, session: &Session, state: &State, body: &str) -> Reply {
    let mut known = session.0.lock().unwrap_or_else(PoisonError::into_inner);
    let scheme = asked.parameter("scheme").unwrap_or("NTLM");
    let message = asked
        .shown
        .strip_prefix(scheme)
        .and_then(|coded| STANDARD.decode(coded.trim()).ok())
        .unwrap_or_default();
    let welcome = || {
        reply::json(
            200,
            &json!({ "authenticated": true, "user": asked.user, "domain": asked.domain, "body": body }),
        )
    };
    match message.get(8) {
        Some(1) if asked.parameter("broken").is_some() => denied(&format!("{scheme} ????")),
        Some(1) => {
            let nonce = state.next("ntlm").to_le_bytes();
            known.nonce = Some(nonce);
            let challenge = challenge(nonce, asked.parameter("bare").is_none());
            denied(&format!("{scheme} {}", STANDARD.encode(challenge)))
        }
        Some(3) => {
            let nonce = known.nonce.take();
            match nonce.filter(|nonce| proves(&message, asked, *nonce)) {
                Some(_) => {
                    known.shown = Some(asked.path.to_owned());
                    welcome()
                }
                None => denied(scheme),
            }
        }
        _ if known.shown.as_deref() == Some(asked.path) => welcome(),
        _ => denied(scheme),
    }
}

fn denied(challenge: &str) -> Reply {
    let mut reply = reply::text(401, "who are you?\n");
    if let Ok(value) = challenge.parse() {
        reply.headers_mut().insert(WWW_AUTHENTICATE, value);
    }
    reply
}

/// The server's message: UTF-16, NTLM, and a target with a name and a time.
fn challenge(nonce: [u8; 8], with_target: bool) -> Vec<u8> {
    const HEAD: u8 = 48;
    let mut target = Vec::new();
    if with_target {
        target.extend_from_slice(&[2, 0, 8, 0]);
        target.extend(utf16("TEST"));
        target.extend_from_slice(&[7, 0, 8, 0]);
        target.extend_from_slice(&[0, 0x80, 0x3e, 0xd5, 0xde, 0xb1, 0x9d, 0x01]);
        target.extend_from_slice(&[0; 4]);
    }
    let length = u8::try_from(target.len()).unwrap_or_default();
    let mut message = b"NTLMSSP\0\x02\0\0\0".to_vec();
    message.extend_from_slice(&[0, 0, 0, 0, HEAD, 0, 0, 0]);
    message.extend_from_slice(&0x0080_0201_u32.to_le_bytes());
    message.extend_from_slice(&nonce);
    message.extend_from_slice(&[0; 8]);
    message.extend_from_slice(&[length, 0, length, 0, HEAD, 0, 0, 0]);
    message.extend_from_slice(&target);
    message
}

/// Whether a client's message names the user and proves the password.
fn proves(message: &[u8], asked: &Asked<'_>, nonce: [u8; 8]) -> bool {
    let names = part(message, 36) == utf16(asked.user) && part(message, 28) == utf16(asked.domain);
    let secret: [u8; 16] = Md4::digest(utf16(asked.password)).into();
    let who = utf16(&format!("{}{}", asked.user.to_uppercase(), asked.domain));
    let key = hmac(&secret, &who);
    let Some((proof, covered)) = part(message, 20).split_at_checked(16) else {
        return false;
    };
    names && hmac(&key, &[&nonce[..], covered].concat()) == proof
}

/// What a field of a message points to.
fn part(message: &[u8], at: usize) -> &[u8] {
    let byte = |at: usize| usize::from(message.get(at).copied().unwrap_or_default());
    let length = byte(at) | byte(at + 1) << 8;
    let start = byte(at + 4) | byte(at + 5) << 8;
    message.get(start..start + length).unwrap_or_default()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn hmac(key: &[u8; 16], text: &[u8]) -> [u8; 16] {
    let pad = |with: u8| -> Vec<u8> {
        let key = key.iter().map(|byte| byte ^ with);
        key.chain(std::iter::repeat_n(with, 48)).collect()
    };
    let inner = Md5::digest([&pad(0x36), text].concat());
    Md5::digest([&pad(0x5c)[..], &inner].concat()).into()
}
