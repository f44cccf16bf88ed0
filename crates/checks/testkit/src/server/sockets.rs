//! Connections that stay: `/ws/...` speaks WebSocket, `/sse/...` sends events.
//!
//! Frames are written by hand in `frames`, because some of them are to break the rules; the path chooses what is done.

mod events;
mod frames;

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;

use super::reply::{self, Reply};
use super::state::State;
use frames::{BINARY, CLOSE, Frame, PING, PONG, Socket, TEXT};

/// Whether a path is answered here.
pub(super) fn claims(path: &str) -> bool {
    path.starts_with("/ws/") || path.starts_with("/sse/")
}

/// What a request asks for, its query read.
struct Asked {
    parts: Vec<String>,
    query: Vec<(String, String)>,
    headers: HeaderMap,
}

impl Asked {
    fn of(request: &Request<Incoming>) -> Self {
        let query = request.uri().query().unwrap_or_default();
        Self {
            parts: request
                .uri()
                .path()
                .split('/')
                .skip(2)
                .map(str::to_owned)
                .collect(),
            query: url::form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
            headers: request.headers().clone(),
        }
    }

    fn part(&self, index: usize) -> &str {
        self.parts.get(index).map_or("", String::as_str)
    }

    fn part_number(&self, index: usize) -> u64 {
        self.part(index).parse().unwrap_or_default()
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str, default: u64) -> u64 {
        self.parameter(name)
            .and_then(|value| value.parse().ok())
            .unwrap_or(default)
    }

    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

/// Answers and counts a request.
pub(super) async fn answer(request: Request<Incoming>, state: &Arc<State>) -> Reply {
    let line = format!("{} {}", request.method(), request.uri().path());
    let asked = Asked::of(&request);
    let reply = if request.uri().path().starts_with("/sse/") {
        events::answer(request, &asked).await
    } else {
        upgrade(request, asked).await
    };
    state.count_request(format!("{line} {}", reply.status().as_u16()));
    reply
}

/// Answers a handshake, and speaks WebSocket once the answer is out.
async fn upgrade(request: Request<Incoming>, asked: Asked) -> Reply {
    match asked.part(0) {
        "reject" => {
            let status = u16::try_from(asked.part_number(1)).unwrap_or(400);
            let mut reply = reply::text(status, format!("rejected with {status}\n"));
            reply
                .headers_mut()
                .insert("x-reason", HeaderValue::from_static("told to"));
            return reply;
        }
        "slow-open" => tokio::time::sleep(Duration::from_millis(asked.part_number(1))).await,
        _ => {}
    }
    let key = asked.header("sec-websocket-key");
    if key.is_empty() {
        return reply::text(400, "no handshake\n");
    }
    let mut reply = reply::empty(101);
    *reply.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let accept = if asked.part(0) == "bad-accept" {
        "bm90IHRoaXM=".to_owned()
    } else {
        accept_of(key)
    };
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = value.parse() {
            reply.headers_mut().append(name, value);
        }
    };
    set("upgrade", "websocket");
    set("connection", "Upgrade");
    set("sec-websocket-accept", &accept);
    if let Some(protocol) = asked.parameter("choose") {
        set("sec-websocket-protocol", protocol);
    }
    for (name, value) in &asked.query {
        if name == "cookie" {
            set("set-cookie", value);
        }
    }
    let offered = asked
        .header("sec-websocket-extensions")
        .contains("permessage-deflate");
    let deflates = offered && asked.parameter("plain").is_none();
    if deflates {
        let agreed = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
        set(
            "sec-websocket-extensions",
            asked.parameter("extension").unwrap_or(agreed),
        );
    }
    tokio::spawn(async move {
        // A client that does not go on has gone.
        let Ok(upgraded) = hyper::upgrade::on(request).await else {
            return;
        };
        let socket = Socket::new(TokioIo::new(upgraded), deflates);
        let _gone = speak(socket, &asked).await;
    });
    reply
}

fn accept_of(key: &str) -> String {
    let text = format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes());
    STANDARD.encode(hash.as_ref())
}

/// What is said on an open connection.
async fn speak(mut socket: Socket, asked: &Asked) -> std::io::Result<()> {
    match asked.part(0) {
        "close" => {
            pause(asked, "after").await;
            let code = u16::try_from(asked.part_number(1)).unwrap_or(1000);
            socket
                .close(code, asked.parameter("reason").unwrap_or_default())
                .await?;
        }
        "close-bare" => socket.send(CLOSE, b"").await?,
        "close-bad" => socket.send(CLOSE, b"x").await?,
        "drop" => {
            pause(asked, "after").await;
            return Ok(());
        }
        "send" => send_messages(&mut socket, asked).await?,
        "big" => {
            socket
                .send(
                    TEXT,
                    &vec![
                        b'b';
                        usize::try_from(asked.part_number(1))
                            .unwrap_or(0)
                            .min(1 << 24)
                    ],
                )
                .await?
        }
        "ping" => {
            for number in 0..asked.part_number(1).min(100) {
                socket.send(PING, format!("p{number}").as_bytes()).await?;
            }
        }
        "fragments" => {
            socket.send_raw(&[TEXT, 3], b"one").await?;
            socket.send(PING, b"between").await?;
            socket.send_raw(&[0, 3], b"two").await?;
            socket.send_raw(&[0x80, 5], b"three").await?;
        }
        "reserved" => socket.send_raw(&[0x83, 1], b"x").await?,
        "masked" => socket.send_raw(&[0x81, 0x81], b"\0\0\0\0x").await?,
        "lost-fragment" => socket.send_raw(&[0x80, 1], b"x").await?,
        "bad-utf8" => socket.send(TEXT, b"a\xffb").await?,
        "headers" => tell_headers(&mut socket, asked).await?,
        "greet" => socket.send(TEXT, b"welcome").await?,
        _ => {}
    }
    attend(&mut socket, asked).await
}

async fn pause(asked: &Asked, name: &str) {
    tokio::time::sleep(Duration::from_millis(asked.number(name, 0))).await;
}

/// Numbered messages, and then a close if that was asked for.
async fn send_messages(socket: &mut Socket, asked: &Asked) -> std::io::Result<()> {
    let kind = if asked.parameter("binary").is_some() {
        BINARY
    } else {
        TEXT
    };
    for number in 0..asked.part_number(1).min(10_000) {
        if number > 0 {
            pause(asked, "gap").await;
        }
        let message = format!("message {number}");
        socket.send(kind, message.as_bytes()).await?;
    }
    if let Some(code) = asked.parameter("then") {
        socket.close(code.parse().unwrap_or(1000), "").await?;
    }
    Ok(())
}

/// What the handshake's request said.
async fn tell_headers(socket: &mut Socket, asked: &Asked) -> std::io::Result<()> {
    let shown = |name: &str| json!(asked.header(name));
    let told = json!({
        "cookie": shown("cookie"),
        "extensions": shown("sec-websocket-extensions"),
        "origin": shown("origin"),
        "protocol": shown("sec-websocket-protocol"),
        "user-agent": shown("user-agent"),
        "version": shown("sec-websocket-version"),
        "x-own": shown("x-own"),
        "authorization": shown("authorization"),
    });
    socket.send(TEXT, told.to_string().as_bytes()).await
}

/// Echoes until the client closes.
async fn attend(socket: &mut Socket, asked: &Asked) -> std::io::Result<()> {
    let silent = asked.part(0) == "silent";
    while let Some(Frame { kind, bytes }) = socket.next().await? {
        match kind {
            _ if silent => {}
            PING => socket.send(PONG, &bytes).await?,
            PONG if asked.parameter("tell").is_some() => {
                let told = format!("pong {}", String::from_utf8_lossy(&bytes));
                socket.send(TEXT, told.as_bytes()).await?;
            }
            PONG => {}
            CLOSE => {
                if !socket.has_closed() {
                    socket.send(CLOSE, &bytes).await?;
                }
                return Ok(());
            }
            TEXT if bytes == b"close me" => socket.close(1000, "as asked").await?,
            TEXT if bytes == b"drop me" => return Ok(()),
            TEXT if bytes == b"ping me" => socket.send(PING, b"asked").await?,
            kind => {
                let delay = asked.number("delay", 0);
                if delay > 0 {
                    tokio::time::sleep(Duration::from_millis(delay)).await;
                }
                socket.send(kind, &bytes).await?;
            }
        }
    }
    Ok(())
}
