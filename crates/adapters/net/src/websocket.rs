//! A WebSocket client on a connection of the reactor.
//!
//! [`Client::open_websocket`] connects and shakes hands. The [`WebSocket`] is read with
//! [`poll_event`](WebSocket::poll_event). Writing never waits: what does not fit is kept and sent
//! while the socket is read. `wire` handles frames, `deflate` compression. Pings are answered
//! here; closes are not, since the reader decides when.
//!
//! Error texts are those of the client that k6 uses.

mod deflate;
mod handshake;

pub use handshake::{CompressionMode, Handshake, WebSocketError};

use std::io;
use std::task::{Context, Poll};

use loadline_units::Random;
use loadline_wire::{MessageReader, Opcode, SocketError, SocketEvent, write_frame};

use crate::failure::{Failure, Operation};
use crate::network::Network;
use crate::stream::Stream;
use deflate::{Deflate, DeflateTerms, Inflating};

/// What came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WsEvent {
    /// A text message; it may not be UTF-8.
    Text(Vec<u8>),
    /// A binary message.
    Binary(Vec<u8>),
    /// A ping; it was answered.
    Ping,
    /// A pong with its payload.
    Pong(Vec<u8>),
    /// The peer closes.
    Close {
        /// The status code; 1005 if it gave none.
        code: u16,
        /// The reason as text.
        reason: String,
    },
    /// The connection ended without a close (1006).
    Lost,
    /// The connection failed, or the peer violated the protocol.
    Broken(String),
}

/// Why nothing can be written any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A close was sent; nothing may follow it.
    #[error("websocket: close sent")]
    CloseSent,
    /// The peer reads too slowly for what is sent to it.
    #[error("websocket: more than {UNSENT_BYTES_MAX} bytes wait to be sent")]
    TooMuchUnsent,
    /// The connection failed.
    #[error("{0}")]
    Broken(String),
}

/// Bytes that may wait to be sent before a further message is an error.
const UNSENT_BYTES_MAX: usize = 64 << 20;

#[derive(Debug)]
struct InflatingMessage {
    is_binary: bool,
    message: Inflating,
}

/// An open WebSocket. Dropping it closes the connection.
#[derive(Debug)]
pub struct WebSocket {
    network: Network,
    stream: Stream,
    reader: MessageReader,
    /// Bytes that arrived, not parsed from `looked` on.
    unread: Vec<u8>,
    looked: usize,
    /// Bytes to write, from `written` on.
    unsent: Vec<u8>,
    written: usize,
    /// The payload of the last ping that came while other bytes were unsent. Earlier ones need no
    /// answer (RFC 6455, 5.5.3), so a peer that pings and reads nothing costs no memory.
    late_pong: Option<Vec<u8>>,
    deflate: Option<Deflate>,
    /// A message that is being decompressed, turn by turn.
    inflating: Option<InflatingMessage>,
    /// Gives the masks of frames.
    masks: Random,
    close_sent: bool,
    failed: Option<String>,
    ended: bool,
}

fn message_event(is_binary: bool, payload: Vec<u8>) -> WsEvent {
    if is_binary {
        WsEvent::Binary(payload)
    } else {
        WsEvent::Text(payload)
    }
}

impl WebSocket {
    /// The largest buffer that is kept between two reads.
    const KEPT_BUFFER_BYTES_MAX: usize = 16 * 1024;

    fn new(
        network: Network,
        stream: Stream,
        early: Vec<u8>,
        deflates: Option<DeflateTerms>,
        seed: u64,
    ) -> Self {
        Self {
            network,
            stream,
            reader: MessageReader::new(deflates.is_some()),
            unread: early,
            looked: 0,
            unsent: Vec::new(),
            written: 0,
            late_pong: None,
            deflate: deflates.map(Deflate::new),
            inflating: None,
            masks: Random::new(seed),
            close_sent: false,
            failed: None,
            ended: false,
        }
    }

    /// The next event. After a close, a loss or an error there is none.
    pub fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<WsEvent> {
        // What could not be written is sent when there is room, as long as the socket is read.
        let _ = self.poll_written(cx);
        loop {
            if self.ended {
                return Poll::Pending;
            }
            let mut event = self.look();
            if event.is_none() && self.inflating.is_some() {
                event = self.inflate();
                if event.is_none() {
                    // Others have their turn first: a small message may become a large one.
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
            }
            if let Some(event) = event {
                self.ended = matches!(
                    event,
                    WsEvent::Close { .. } | WsEvent::Lost | WsEvent::Broken(_)
                );
                return Poll::Ready(event);
            }
            match self.read() {
                Ok(true) => {}
                Ok(false) => {
                    self.ended = true;
                    return Poll::Ready(WsEvent::Lost);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    std::task::ready!(self.stream.poll_readable(cx));
                }
                Err(error) => {
                    self.ended = true;
                    let failure = Failure::new(self.stream.cause(Operation::Read, &error));
                    return Poll::Ready(WsEvent::Broken(failure.detail()));
                }
            }
        }
    }

    /// The next event.
    pub async fn event(&mut self) -> WsEvent {
        std::future::poll_fn(|cx| self.poll_event(cx)).await
    }

    /// Reads what is there; `false` at the end.
    fn read(&mut self) -> io::Result<bool> {
        let mut buffer = self.network.0.buffer.borrow_mut();
        let count = self.stream.try_read(&mut buffer)?;
        self.unread.clear();
        self.looked = 0;
        self.unread.extend_from_slice(&buffer[..count]);
        Ok(count > 0)
    }

    /// Decompresses as much as a turn allows; the message when it is whole.
    fn inflate(&mut self) -> Option<WsEvent> {
        let deflate = self.deflate.as_mut()?;
        let mut inflating = self.inflating.take()?;
        match deflate.inflate(&mut inflating.message) {
            Ok(true) => {
                let message = inflating.message.into_message();
                Some(message_event(inflating.is_binary, message))
            }
            Ok(false) => {
                self.inflating = Some(inflating);
                None
            }
            Err(error) => Some(WsEvent::Broken(error)),
        }
    }

    /// The next event in the bytes that have arrived. None while a message is decompressed.
    fn look(&mut self) -> Option<WsEvent> {
        if self.inflating.is_some() {
            return None;
        }
        while self.looked < self.unread.len() {
            let outcome = self.reader.advance(&self.unread[self.looked..]);
            let (used, event) = match outcome {
                Ok(told) => told,
                Err(error) => return Some(self.refuse(&error)),
            };
            self.looked += used;
            let ping = match event {
                SocketEvent::Incomplete => continue,
                SocketEvent::Message {
                    binary,
                    compressed,
                    payload,
                } => {
                    if let (Some(deflate), true) = (&mut self.deflate, compressed) {
                        self.inflating = Some(InflatingMessage {
                            is_binary: binary,
                            message: deflate.begin(payload),
                        });
                        return None;
                    }
                    return Some(message_event(binary, payload.to_vec()));
                }
                SocketEvent::Pong(payload) => return Some(WsEvent::Pong(payload.to_vec())),
                SocketEvent::Close { code, reason } => {
                    return Some(WsEvent::Close {
                        code: code.unwrap_or(1005),
                        reason: reason.to_owned(),
                    });
                }
                SocketEvent::Ping(payload) => payload.to_vec(),
            };
            self.answer_ping(ping);
            return Some(WsEvent::Ping);
        }
        if self.unread.capacity() > Self::KEPT_BUFFER_BYTES_MAX {
            self.unread = Vec::new();
            self.looked = 0;
        }
        None
    }

    fn answer_ping(&mut self, payload: Vec<u8>) {
        if self.has_unsent() {
            self.late_pong = Some(payload);
            return;
        }
        // If the pong cannot be written, the next read reports the failure.
        let _ = self.write(Opcode::Pong, &payload);
    }

    /// Closes the connection to a server that violates the protocol.
    fn refuse(&mut self, error: &SocketError) -> WsEvent {
        let text = error.to_string();
        let words = match error {
            SocketError::Protocol(text) => text.as_str(),
            SocketError::TooLarge => "",
        };
        // The connection may be gone already.
        let _ = self.close(error.close_code(), words);
        WsEvent::Broken(format!("websocket: {text}"))
    }

    /// Ends the connection without a close.
    pub fn abandon(mut self) {
        self.ended = true;
    }

    /// Sends a message.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn send(&mut self, binary: bool, payload: &[u8]) -> Result<(), WriteError> {
        let opcode = if binary { Opcode::Binary } else { Opcode::Text };
        self.write(opcode, payload)
    }

    /// Sends a ping.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn ping(&mut self, payload: &[u8]) -> Result<(), WriteError> {
        self.write(Opcode::Ping, payload)
    }

    /// Sends a close with this code and reason; 1005 stands for no code.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn close(&mut self, code: u16, reason: &str) -> Result<(), WriteError> {
        const NO_STATUS: u16 = 1005;
        let payload = if code == NO_STATUS {
            Vec::new()
        } else {
            let mut payload = [&code.to_be_bytes()[..], reason.as_bytes()].concat();
            payload.truncate(loadline_wire::LONGEST_CONTROL);
            payload
        };
        self.write(Opcode::Close, &payload)?;
        self.close_sent = true;
        Ok(())
    }

    fn write(&mut self, opcode: Opcode, payload: &[u8]) -> Result<(), WriteError> {
        if self.close_sent {
            return Err(WriteError::CloseSent);
        }
        if let Some(error) = &self.failed {
            return Err(WriteError::Broken(error.clone()));
        }
        let is_message = matches!(opcode, Opcode::Text | Opcode::Binary);
        if is_message && self.unsent.len() - self.written > UNSENT_BYTES_MAX {
            return Err(WriteError::TooMuchUnsent);
        }
        self.drop_written();
        let mask = self.next_mask();
        match &mut self.deflate {
            Some(deflate) if is_message && deflate.takes(payload.len()) => {
                let squeezed = deflate.deflate(payload);
                write_frame(&mut self.unsent, opcode, true, mask, &squeezed);
            }
            _ => write_frame(&mut self.unsent, opcode, false, mask, payload),
        }
        self.flush();
        match &self.failed {
            None => Ok(()),
            Some(error) => Err(WriteError::Broken(error.clone())),
        }
    }

    /// The next frame's mask. Its seed comes from the system, so a script cannot predict it
    /// (RFC 6455, 10.3).
    fn next_mask(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.masks.next().to_le_bytes();
        [a, b, c, d]
    }

    /// Lets go of bytes that were written, once they are most of the buffer.
    fn drop_written(&mut self) {
        if self.written > Self::KEPT_BUFFER_BYTES_MAX && self.written > self.unsent.len() / 2 {
            self.unsent.drain(..self.written);
            self.written = 0;
        }
    }

    /// Puts the answer to the last ping in the emptied buffer; `false` if there is none.
    fn take_late_pong(&mut self) -> bool {
        let Some(payload) = self.late_pong.take() else {
            return false;
        };
        if self.close_sent {
            return false;
        }
        self.unsent.clear();
        self.written = 0;
        let mask = self.next_mask();
        write_frame(&mut self.unsent, Opcode::Pong, false, mask, &payload);
        true
    }

    /// Writes as much as fits.
    fn flush(&mut self) {
        while self.failed.is_none() {
            let left = &self.unsent[self.written..];
            let outcome = if left.is_empty() {
                self.stream.try_flush().map(|()| 0)
            } else {
                self.stream.try_write(left)
            };
            match outcome {
                Ok(_) if left.is_empty() => {
                    if self.take_late_pong() {
                        continue;
                    }
                    self.written = 0;
                    self.unsent.clear();
                    if self.unsent.capacity() > Self::KEPT_BUFFER_BYTES_MAX {
                        self.unsent = Vec::new();
                    }
                    return;
                }
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) => {
                    let failure = Failure::new(self.stream.cause(Operation::Write, &error));
                    self.failed = Some(failure.detail());
                }
            }
        }
    }

    /// Ready when everything is written or never can be.
    pub fn poll_written(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            self.flush();
            if self.failed.is_some() || self.written == self.unsent.len() {
                return Poll::Ready(());
            }
            std::task::ready!(self.stream.poll_writable(cx));
        }
    }

    /// Whether something waits to be written.
    #[must_use]
    pub fn has_unsent(&self) -> bool {
        self.failed.is_none() && self.written < self.unsent.len()
    }

    /// Why writing failed, if it did.
    #[must_use]
    pub fn write_failure(&self) -> Option<&str> {
        self.failed.as_deref()
    }
}

impl Drop for WebSocket {
    /// A user that is interrupted sends a close, as far as that does not block.
    fn drop(&mut self) {
        const GOING_AWAY: u16 = 1001;
        if !self.ended && !self.close_sent {
            let _ = self.close(GOING_AWAY, "");
        }
    }
}
