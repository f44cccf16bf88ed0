//! Opens a WebSocket: the request, and the check of the answer.

use std::pin::pin;
use std::time::Duration;

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use loadline_wire::{
    RequestHeadError, RequestKind, RequestWriter, ResponseEvent, ResponseHead, ResponseParser,
    canonical_name, is_field_value,
};

use super::WebSocket;
use super::deflate::DeflateTerms;
use crate::client::{Client, CountedAs};
use crate::connect::Route;
use crate::deadline::DeadlineTimer;
use crate::failure::{Cause, Failure, Operation};
use crate::pool::Target;
use crate::response::Response;
use crate::stream::Stream;
use crate::timing::Timing;
use crate::url::Url;

/// The server's answer to `key` (RFC 6455, 4.2.2).
fn accept_of(key: &str) -> String {
    let text = format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes());
    STANDARD.encode(hash.as_ref())
}

/// The timeout of opening.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(60);
/// How many bytes are kept of an answer that does not open the WebSocket.
const REFUSAL_BODY_BYTES_MAX: usize = 1024;
/// Fields that the handshake sets itself.
const OWN: [&str; 5] = [
    "Upgrade",
    "Connection",
    "Sec-Websocket-Key",
    "Sec-Websocket-Version",
    "Sec-Websocket-Extensions",
];
/// The name of the protocol field, in its canonical spelling.
const PROTOCOL: &str = "Sec-Websocket-Protocol";
const DEFLATE: &str = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
/// What Node's client offers, and from which length on it compresses.
const DEFLATE_OF_NODE: &str = "permessage-deflate; client_max_window_bits";
const NODE_COMPRESSION_BYTES_MIN: usize = 1024;

/// The offer of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompressionMode {
    /// None.
    None,
    /// Each message alone, as k6's client does.
    Alone,
    /// As Node's client does: the server may build on earlier messages.
    Node,
}

/// The parameters of a handshake.
#[derive(Debug, Clone, Copy)]
pub struct Handshake<'h> {
    /// The URL; `http` for `ws`, `https` for `wss`.
    pub url: &'h Url,
    /// Further header fields; `Host` replaces that of the URL.
    pub fields: &'h [(String, String)],
    /// The offered protocols, as written in the field.
    pub protocols: &'h str,
    /// The offer of compression.
    pub deflate: CompressionMode,
    /// 16 random bytes for the key, and 8 that seed the masks.
    pub random: [u8; 24],
}

/// Why a WebSocket was not opened.
#[derive(Debug, thiserror::Error)]
pub enum WebSocketError {
    /// The connection could not be made, or it broke.
    #[error(transparent)]
    Connect(#[from] Failure),
    /// The server answered with another status than 101.
    #[error("Unexpected server response: {status}")]
    Refused {
        /// The status.
        status: u16,
    },
    /// The answer is not that of a WebSocket handshake.
    #[error("Invalid Sec-WebSocket-Accept header")]
    Handshake,
    /// The request cannot be encoded, or the server chose what was not offered.
    #[error("{0}")]
    Refusal(String),
}

impl Client {
    /// Opens a WebSocket. `response` is cleared first and holds what arrived, including the start
    /// of the body if the answer does not open the WebSocket.
    ///
    /// # Errors
    /// [`WebSocketError`].
    pub async fn open_websocket(
        &self,
        handshake: &Handshake<'_>,
        response: &mut Response,
    ) -> Result<WebSocket, WebSocketError> {
        let handle = self.connector().network.handle();
        response.begin(Timing::starting(handle.now()));
        let deadline = handle.now() + HANDSHAKE_TIMEOUT;
        let under_way = self.begin(CountedAs::WebSocketHandshake);
        let outcome = {
            let opening = pin!(self.shake_hands(handshake, response));
            DeadlineTimer::new(handle).within(deadline, opening).await
        };
        response.timing.end(handle.now());
        let is_open = matches!(outcome, Some(Ok(_)));
        under_way.end_call(outcome.is_some() && response.has_head(), is_open);
        outcome.unwrap_or_else(|| Err(Failure::new(Cause::Timeout).into()))
    }

    async fn shake_hands(
        &self,
        handshake: &Handshake<'_>,
        response: &mut Response,
    ) -> Result<WebSocket, WebSocketError> {
        let key = key_of(handshake.random);
        let request = request(handshake, &key)?;
        let url = handshake.url;
        let port = url
            .port()
            .ok_or_else(|| Failure::new(Cause::Address(url.host().to_owned())))?;
        let network = &self.connector().network;
        let route = Route {
            url,
            proxy: network.0.settings.proxies.find(url, port),
            target: Target {
                secure: url.is_secure(),
                host: url.host_name(),
                port,
                proxy: false,
            },
            upgrades: true,
        };
        let mut stream = Box::pin(self.connector().connect(route, response)).await?;
        response.remote = Some(stream.remote());
        response.tls = stream.tls();
        let written = stream.write_all(&request).await;
        written.map_err(|error| Failure::new(stream.cause(Operation::Write, &error)))?;
        let early = read_answer(&mut stream, response).await?;
        check(&response.head, &key)?;
        let deflates = agreed(&response.head, handshake.deflate)?;
        let [.., a, b, c, d, e, f, g, h] = handshake.random;
        let seed = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        Ok(WebSocket::new(
            network.clone(),
            stream,
            early,
            deflates,
            seed,
        ))
    }
}

/// Reads the head of the answer and returns the bytes after it. If the answer does not open the
/// WebSocket, reads the start of its body.
async fn read_answer(stream: &mut Stream, response: &mut Response) -> Result<Vec<u8>, Failure> {
    let mut parser = ResponseParser::new();
    parser.begin(RequestKind::Ordinary, &mut response.head);
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read_some(&mut buffer).await;
        let count = count.map_err(|error| stream.cause(Operation::Read, &error))?;
        if count == 0 {
            if response.head_complete {
                return Ok(Vec::new());
            }
            return Err(Cause::Other("unexpected EOF".to_owned()).into());
        }
        let mut bytes = &buffer[..count];
        loop {
            let (used, event) = parser.advance(&mut response.head, bytes)?;
            bytes = &bytes[used..];
            match event {
                ResponseEvent::Head => {
                    response.head_complete = true;
                    if response.head.status() == 101 {
                        return Ok(bytes.to_vec());
                    }
                }
                ResponseEvent::Body(piece) => {
                    let room = REFUSAL_BODY_BYTES_MAX - response.body.len();
                    response
                        .body
                        .extend_from_slice(&piece[..piece.len().min(room)]);
                    if response.body.len() == REFUSAL_BODY_BYTES_MAX {
                        return Ok(Vec::new());
                    }
                }
                ResponseEvent::Incomplete => break,
                ResponseEvent::End => return Ok(Vec::new()),
            }
        }
    }
}

fn key_of(random: [u8; 24]) -> String {
    STANDARD.encode(&random[..16])
}

/// The request's bytes: the caller's fields, then those of the handshake in the standard's
/// spelling, because some servers depend on it.
fn request(handshake: &Handshake<'_>, key: &str) -> Result<Vec<u8>, WebSocketError> {
    let mut target = String::new();
    handshake.url.push_target(&mut target);
    let mut fields = handshake.fields.iter().rev();
    let host = fields.find(|(name, _)| name.eq_ignore_ascii_case("host"));
    let host = host.map_or(handshake.url.host(), |(_, value)| value);
    let mut protocols = handshake.protocols;
    let mut out = Vec::with_capacity(256);
    let words = |error| WebSocketError::Connect(Failure::from(error));
    let mut writer = RequestWriter::begin(&mut out, "GET", &target).map_err(words)?;
    writer.field("Host", host).map_err(words)?;
    for (name, value) in handshake.fields {
        let canonical = canonical_name(name);
        let twice = OWN.contains(&&*canonical)
            || (canonical == PROTOCOL && !handshake.protocols.is_empty());
        if twice {
            let text = format!("websocket: duplicate header not allowed: {canonical}");
            return Err(WebSocketError::Refusal(text));
        }
        match &*canonical {
            "Host" => {}
            PROTOCOL => protocols = value,
            _ => writer.field(&canonical, value).map_err(words)?,
        }
    }
    if !is_field_value(protocols.as_bytes()) {
        return Err(words(RequestHeadError::FieldValue(PROTOCOL.to_owned())));
    }
    let extensions = match handshake.deflate {
        CompressionMode::None => "",
        CompressionMode::Alone => DEFLATE,
        CompressionMode::Node => DEFLATE_OF_NODE,
    };
    let own = [
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Extensions", extensions),
        ("Sec-WebSocket-Key", key),
        ("Sec-WebSocket-Protocol", protocols),
        ("Sec-WebSocket-Version", "13"),
        ("Upgrade", "websocket"),
    ];
    for (name, value) in own.iter().filter(|(_, value)| !value.is_empty()) {
        out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    out.extend_from_slice(b"\r\n");
    Ok(out)
}

/// Whether the answer opens the WebSocket.
fn check(head: &ResponseHead, key: &str) -> Result<(), WebSocketError> {
    let status = head.status();
    if status != 101 {
        return Err(WebSocketError::Refused { status });
    }
    let has = |name: &str, wanted: &str| {
        head.fields().get_all(name).any(|value| {
            let value = String::from_utf8_lossy(value);
            value
                .split(',')
                .any(|token| token.trim().eq_ignore_ascii_case(wanted))
        })
    };
    let accepted = head.fields().get("Sec-WebSocket-Accept");
    let accepted = accepted.is_some_and(|value| value == accept_of(key).as_bytes());
    if accepted && has("Upgrade", "websocket") && has("Connection", "upgrade") {
        return Ok(());
    }
    Err(WebSocketError::Handshake)
}

/// The compression that was negotiated.
fn agreed(
    head: &ResponseHead,
    offered: CompressionMode,
) -> Result<Option<DeflateTerms>, WebSocketError> {
    let refused = |text: &str| Err(WebSocketError::Refusal(text.to_owned()));
    let values = head.fields().get_all("Sec-WebSocket-Extensions");
    let texts: Vec<_> = values.map(String::from_utf8_lossy).collect();
    let extensions = texts.iter().flat_map(|text| text.split(','));
    for extension in extensions {
        let mut parts = extension.split(';').map(str::trim);
        if parts.next() != Some("permessage-deflate") {
            if offered == CompressionMode::Node {
                return refused("Invalid Sec-WebSocket-Extensions header");
            }
            continue;
        }
        let parameters: Vec<_> = parts.collect();
        let has = |wanted: &str| parameters.contains(&wanted);
        return match offered {
            CompressionMode::Alone
                if has("server_no_context_takeover") && has("client_no_context_takeover") =>
            {
                Ok(Some(DeflateTerms::ALONE))
            }
            CompressionMode::Node => {
                // A smaller window than the usual one cannot be kept, so nothing is compressed then.
                let is_narrow = parameters.iter().any(|parameter| {
                    let bits = parameter.strip_prefix("client_max_window_bits=");
                    bits.is_some_and(|bits| bits.trim_matches('"') != "15")
                });
                Ok(Some(DeflateTerms {
                    keeps_context: !has("server_no_context_takeover"),
                    from: (!is_narrow).then_some(NODE_COMPRESSION_BYTES_MIN),
                }))
            }
            CompressionMode::None | CompressionMode::Alone => {
                refused("websocket: invalid compression negotiation")
            }
        };
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> ResponseHead {
        let (mut parser, mut head) = (ResponseParser::new(), ResponseHead::default());
        parser.begin(RequestKind::Ordinary, &mut head);
        parser.advance(&mut head, text.as_bytes()).unwrap();
        head
    }

    const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";

    #[test]
    fn the_handshake_of_the_standard_is_accepted_and_others_are_not() {
        let answer = |upgrade: &str, accept: &str| {
            head(&format!(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: {upgrade}\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
            ))
        };
        let right = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
        assert!(check(&answer("WebSocket", right), KEY).is_ok());
        assert!(check(&answer("h2c", right), KEY).is_err());
        assert!(check(&answer("websocket", "x"), KEY).is_err());
        let error = check(&head("HTTP/1.1 404 Not Found\r\n\r\n"), KEY).unwrap_err();
        assert_eq!(error.to_string(), "Unexpected server response: 404");
    }

    #[test]
    fn compression_is_agreed_on_without_context_only() {
        let answer = |extensions: &str| {
            head(&format!(
                "HTTP/1.1 101 OK\r\nSec-WebSocket-Extensions: {extensions}\r\n\r\n"
            ))
        };
        let alone = CompressionMode::Alone;
        assert_eq!(
            agreed(&answer(DEFLATE), alone).unwrap(),
            Some(DeflateTerms::ALONE)
        );
        assert_eq!(agreed(&answer("x-other"), alone).unwrap(), None);
        assert!(agreed(&answer("permessage-deflate"), alone).is_err());
        assert!(agreed(&answer(DEFLATE), CompressionMode::None).is_err());
    }

    #[test]
    fn nodes_offer_lets_the_server_keep_its_context() {
        let terms = |extensions: &str| {
            let answer = head(&format!(
                "HTTP/1.1 101 OK\r\nSec-WebSocket-Extensions: {extensions}\r\n\r\n"
            ));
            agreed(&answer, CompressionMode::Node).unwrap().unwrap()
        };
        assert!(terms("permessage-deflate").keeps_context);
        assert!(!terms(DEFLATE).keeps_context);
        assert_eq!(
            terms("permessage-deflate; client_max_window_bits=10").from,
            None
        );
    }

    #[test]
    fn fields_of_the_handshake_may_not_be_given_twice() {
        let url = Url::parse("http://a.test/x").unwrap();
        let fields = |name: &str| vec![(name.to_owned(), "v".to_owned())];
        let asked = |fields: &[(String, String)], protocols: &str| {
            let handshake = Handshake {
                url: &url,
                fields,
                protocols,
                deflate: CompressionMode::None,
                random: [0; 24],
            };
            let bytes = request(&handshake, KEY).map_err(|error| error.to_string())?;
            Ok::<_, String>(String::from_utf8(bytes).unwrap())
        };
        assert_eq!(
            asked(&fields("upgrade"), "").unwrap_err(),
            "websocket: duplicate header not allowed: Upgrade"
        );
        assert!(asked(&fields("sec-websocket-protocol"), "p").is_err());
        let text = asked(&fields("sec-websocket-protocol"), "").unwrap();
        assert!(text.contains("\r\nSec-WebSocket-Protocol: v\r\n"), "{text}");
        let text = asked(&fields("host"), "").unwrap();
        assert!(text.starts_with("GET /x HTTP/1.1\r\nHost: v\r\n"), "{text}");
        assert!(asked(&[("x".to_owned(), "a\r\nb".to_owned())], "").is_err());
    }
}
