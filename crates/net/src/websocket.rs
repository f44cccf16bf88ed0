//! A WebSocket client on a connection of the reactor: the handshake here, frames by
//! `tungstenite`.

use std::io::{self, Read, Write};
use std::task::{Context, Poll, ready};

use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket as Frames};

use crate::client::Client;
use crate::connect::Route;
use crate::failure::{Cause, Failure};
use crate::pool::Target;
use crate::response::Response;
use crate::stream::Stream;
use crate::url::Url;

/// The largest head of an answer to a handshake.
const LARGEST_HEAD: usize = 64 * 1024;
/// The largest message taken.
const LARGEST_MESSAGE: usize = 64 * 1024 * 1024;

/// An open WebSocket.
#[derive(Debug)]
pub struct WebSocket {
    frames: Frames<Io>,
}

/// Why a WebSocket cannot be opened, or ended.
#[derive(Debug, thiserror::Error)]
pub enum WebSocketError {
    /// No connection came about.
    #[error(transparent)]
    Connect(#[from] Failure),
    /// The server answered with something else than 101.
    #[error("Unexpected server response: {status}")]
    Refused {
        /// The status it answered with.
        status: u16,
    },
    /// The answer is no answer to a WebSocket handshake.
    #[error("{0}")]
    Handshake(String),
    /// The connection failed, or broke the rules.
    #[error("{0}")]
    Broken(String),
}

/// A stream as `tungstenite` reads and writes it: never waiting.
#[derive(Debug)]
struct Io {
    stream: Stream,
    /// Bytes that came with the answer to the handshake.
    early: Vec<u8>,
}

impl Read for Io {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.early.is_empty() {
            return self.stream.try_read(buffer);
        }
        let count = self.early.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.early[..count]);
        self.early.drain(..count);
        Ok(count)
    }
}

impl Write for Io {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.try_write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.try_flush()
    }
}

fn is_full(error: &tungstenite::Error) -> bool {
    matches!(error, tungstenite::Error::Io(error) if error.kind() == io::ErrorKind::WouldBlock)
}

impl Client {
    /// Opens a WebSocket at `url` (`http` for `ws`, `https` for `wss`), with these header
    /// fields, offering these protocols. `key` is 16 random bytes.
    ///
    /// # Errors
    /// [`WebSocketError`].
    pub async fn open_websocket(
        &self,
        url: &Url,
        fields: &[(String, String)],
        protocols: &[String],
        key: [u8; 16],
    ) -> Result<WebSocket, WebSocketError> {
        let port = url
            .port()
            .ok_or_else(|| Failure::new(Cause::Address(url.host().to_owned())))?;
        let route = Route {
            url,
            proxy: None,
            target: Target {
                secure: url.is_secure(),
                host: url.host_name(),
                port,
                proxy: false,
            },
        };
        let mut response = Response::new();
        let mut stream = Box::pin(self.connector().connect(route, &mut response)).await?;
        let key = base64_of(&key);
        let request = handshake(url, fields, protocols, &key);
        let broken = |error: io::Error| WebSocketError::Broken(error.to_string());
        stream.write_all(&request).await.map_err(broken)?;
        let mut head = Vec::new();
        let end = loop {
            if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if head.len() > LARGEST_HEAD {
                return Err(WebSocketError::Handshake(
                    "the answer's head is too large".to_owned(),
                ));
            }
            let mut buffer = [0; 4096];
            let count = stream.read_some(&mut buffer).await.map_err(broken)?;
            if count == 0 {
                return Err(WebSocketError::Handshake("socket hang up".to_owned()));
            }
            head.extend_from_slice(&buffer[..count]);
        };
        let early = head.split_off(end);
        check(&head, &key)?;
        let config = WebSocketConfig::default().max_message_size(Some(LARGEST_MESSAGE));
        let io = Io { stream, early };
        Ok(WebSocket {
            frames: Frames::from_raw_socket(io, Role::Client, Some(config)),
        })
    }
}

fn base64_of(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn handshake(url: &Url, fields: &[(String, String)], protocols: &[String], key: &str) -> Vec<u8> {
    let mut target = String::new();
    url.push_target(&mut target);
    let mut head = format!(
        "GET {target} HTTP/1.1\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    );
    let plain = |text: &str| !text.contains(['\r', '\n']);
    for (name, value) in fields
        .iter()
        .filter(|(name, value)| plain(name) && plain(value))
    {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if !protocols.is_empty() {
        head.push_str(&format!(
            "Sec-WebSocket-Protocol: {}\r\n",
            protocols.join(",")
        ));
    }
    head.push_str(&format!("Host: {}\r\n\r\n", url.host()));
    head.into_bytes()
}

/// Whether the answer opens the WebSocket.
fn check(head: &[u8], key: &str) -> Result<(), WebSocketError> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.split("\r\n");
    let status = lines.next().unwrap_or_default();
    let status = status
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| WebSocketError::Handshake("Parse Error".to_owned()))?;
    if status != 101 {
        return Err(WebSocketError::Refused { status });
    }
    let expected = tungstenite::handshake::derive_accept_key(key.as_bytes());
    let accept = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("sec-websocket-accept"));
    match accept {
        Some((_, value)) if value.trim() == expected => Ok(()),
        _ => Err(WebSocketError::Handshake(
            "Invalid Sec-WebSocket-Accept header".to_owned(),
        )),
    }
}

impl WebSocket {
    /// Sends a text.
    ///
    /// # Errors
    /// [`WebSocketError::Broken`].
    pub async fn send(&mut self, text: String) -> Result<(), WebSocketError> {
        let mut message = Some(Message::text(text));
        std::future::poll_fn(|cx| {
            loop {
                let outcome = match message.take() {
                    Some(message) => self
                        .frames
                        .write(message)
                        .and_then(|()| self.frames.flush()),
                    None => self.frames.flush(),
                };
                match outcome {
                    Ok(()) => return Poll::Ready(Ok(())),
                    // What was written is kept; only the flush is owed.
                    Err(error) if is_full(&error) => ready!(self.poll_writable(cx)),
                    Err(error) => {
                        return Poll::Ready(Err(WebSocketError::Broken(error.to_string())));
                    }
                }
            }
        })
        .await
    }

    /// The next message's text (of bytes, as far as they are text); `None` when the server
    /// closed. Pings are answered in passing.
    ///
    /// # Errors
    /// [`WebSocketError::Broken`].
    pub async fn next(&mut self) -> Result<Option<String>, WebSocketError> {
        std::future::poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<String>, WebSocketError>> {
        loop {
            match self.frames.read() {
                Ok(Message::Text(text)) => return Poll::Ready(Ok(Some(text.to_string()))),
                Ok(Message::Binary(bytes)) => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    return Poll::Ready(Ok(Some(text)));
                }
                Ok(Message::Close(_)) => return Poll::Ready(Ok(None)),
                Ok(_) => {}
                Err(error) if is_full(&error) => {
                    ready!(self.frames.get_mut().stream.poll_readable(cx));
                }
                Err(tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed) => {
                    return Poll::Ready(Ok(None));
                }
                Err(error) => return Poll::Ready(Err(WebSocketError::Broken(error.to_string()))),
            }
        }
    }

    fn poll_writable(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.frames.get_mut().stream.poll_writable(cx)
    }

    /// Says good-bye, without waiting for the answer.
    pub fn close(&mut self) {
        // The connection is dropped right after; what does not fit is not sent.
        let _ = self.frames.close(None);
        let _ = self.frames.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handshake_of_the_standard_is_accepted_and_others_are_not() {
        let key = "dGhlIHNhbXBsZSBub25jZQ==";
        let answer = |accept: &str| {
            format!("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: {accept}\r\n\r\n")
        };
        assert!(check(answer("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=").as_bytes(), key).is_ok());
        assert!(check(answer("x").as_bytes(), key).is_err());
        let error = check(b"HTTP/1.1 404 Not Found\r\n\r\n", key).unwrap_err();
        assert_eq!(error.to_string(), "Unexpected server response: 404");
    }
}
