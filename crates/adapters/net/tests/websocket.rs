//! WebSockets in a simulated network.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod common;

use std::time::Duration;

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::{Bed, Say, now};
use loadline_net::{
    CompressionMode, Handshake, Response, Url, WebSocket, WebSocketError, WriteError, WsEvent,
};

fn after(millis: u64, bytes: &[u8]) -> Say {
    Say::After(Duration::from_millis(millis), bytes.to_vec())
}

const DEFLATE: &str = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover\r\n";

/// The answer that opens what `request` asks for, with the extensions that it agrees to.
fn opened(request: &str, extensions: &str) -> Say {
    let key = request.split("Sec-WebSocket-Key: ").nth(1).unwrap();
    let key = key.split('\r').next().unwrap();
    let text = format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    let accept = STANDARD.encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes()));
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{extensions}Sec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    now(head.as_bytes())
}

async fn open(
    client: &loadline_net::Client,
    response: &mut Response,
    deflate: CompressionMode,
) -> Result<WebSocket, WebSocketError> {
    let url = Url::parse("http://10.0.0.1/chat").unwrap();
    let handshake = Handshake {
        url: &url,
        fields: &[("X-Own".to_owned(), "a".to_owned())],
        protocols: "p, q",
        deflate,
        random: [7; 24],
    };
    client.open_websocket(&handshake, response).await
}

/// All events of a connection on which the server says `says` after the handshake.
fn events(says: impl Fn() -> Vec<Say> + 'static) -> Vec<WsEvent> {
    events_of(CompressionMode::None, says)
}

/// The same with compression.
fn events_of(mode: CompressionMode, says: impl Fn() -> Vec<Say> + 'static) -> Vec<WsEvent> {
    let mut bed = Bed::new();
    let extensions = if mode == CompressionMode::None {
        ""
    } else {
        DEFLATE
    };
    bed.serve(80, move |_, _, request| {
        let mut all = vec![opened(request, extensions)];
        all.extend(says());
        all
    });
    let client = bed.client.clone();
    bed.run(async move {
        let opening = open(&client, &mut Response::new(), mode).await;
        let mut socket = opening.unwrap();
        let mut events = Vec::new();
        loop {
            let event = socket.event().await;
            let ends = !matches!(
                event,
                WsEvent::Text(_) | WsEvent::Binary(_) | WsEvent::Ping | WsEvent::Pong(_)
            );
            events.push(event);
            if ends {
                return events;
            }
        }
    })
}

#[test]
fn what_comes_is_told_in_its_order() {
    let told = events(|| {
        vec![
            now(b"\x81\x05early"),
            after(5, b"\x82\x01\xff\x89\x00\x8a\x01p"),
            after(6, b"\x88\x05\x0f\xa0bye"),
        ]
    });
    let expected = [
        WsEvent::Text(b"early".to_vec()),
        WsEvent::Binary(vec![0xff]),
        WsEvent::Ping,
        WsEvent::Pong(b"p".to_vec()),
        WsEvent::Close {
            code: 4000,
            reason: "bye".to_owned(),
        },
    ];
    assert_eq!(told, expected);
}

/// A message that takes many turns to decompress; what came with it waits.
#[test]
fn a_small_message_that_becomes_a_large_one_keeps_its_place() {
    let text = vec![b'a'; 4 * 1024 * 1024];
    let expected = WsEvent::Text(text.clone());
    let told = events_of(CompressionMode::Alone, move || {
        let mut deflater = flate2::Compress::new(flate2::Compression::fast(), false);
        let mut squeezed = Vec::with_capacity(64 * 1024);
        deflater
            .compress_vec(&text, &mut squeezed, flate2::FlushCompress::Sync)
            .unwrap();
        squeezed.truncate(squeezed.len() - 4);
        let length = u16::try_from(squeezed.len()).unwrap().to_be_bytes();
        let bytes = [
            &[0xc1, 126][..],
            &length,
            &squeezed,
            b"\x81\x05after\x88\x02\x03\xe8",
        ];
        vec![now(&bytes.concat())]
    });
    assert_eq!(told.len(), 3);
    assert!(told[0] == expected, "the message, whole");
    assert_eq!(told[1], WsEvent::Text(b"after".to_vec()));
    assert!(matches!(told[2], WsEvent::Close { code: 1000, .. }));
}

#[test]
fn an_end_without_a_close_is_a_loss_and_a_mistake_is_named() {
    let lost = events(|| vec![Say::Close(Duration::from_millis(1))]);
    assert_eq!(lost, [WsEvent::Lost]);
    let bare = events(|| vec![now(b"\x88\x00")]);
    let no_reason = WsEvent::Close {
        code: 1005,
        reason: String::new(),
    };
    assert_eq!(bare, [no_reason]);
    let wrong = events(|| vec![now(b"\x83\x00")]);
    let text = "websocket: bad opcode 3".to_owned();
    assert_eq!(wrong, [WsEvent::Broken(text)]);
}

#[test]
fn nothing_is_written_after_a_close() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| vec![opened(request, "")]);
    let client = bed.client.clone();
    bed.run(async move {
        let mut socket = open(&client, &mut Response::new(), CompressionMode::None)
            .await
            .unwrap();
        assert_eq!(socket.send(false, b"x"), Ok(()));
        assert_eq!(socket.close(1000, "done"), Ok(()));
        assert_eq!(socket.send(false, b"y"), Err(WriteError::CloseSent));
        assert_eq!(socket.ping(b""), Err(WriteError::CloseSent));
        assert_eq!(socket.close(1000, ""), Err(WriteError::CloseSent));
    });
    let request = bed.seen.borrow().requests[0].clone();
    assert!(
        request.starts_with("GET /chat HTTP/1.1\r\nHost: 10.0.0.1\r\n"),
        "{request}"
    );
    assert!(
        request.contains("\r\nSec-WebSocket-Protocol: p, q\r\n"),
        "{request}"
    );
    assert!(request.contains("\r\nX-Own: a\r\n"), "{request}");
}

#[test]
fn an_answer_that_opens_nothing_is_kept() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![now(
            b"HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno!",
        )]
    });
    let client = bed.client.clone();
    bed.run(async move {
        let mut response = Response::new();
        let error = open(&client, &mut response, CompressionMode::None)
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), "Unexpected server response: 403");
        assert_eq!(
            (response.head.status(), &response.body[..]),
            (403, &b"no!"[..])
        );
    });
}
