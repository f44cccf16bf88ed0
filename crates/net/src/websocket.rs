//! A WebSocket client on a connection of the reactor.
//!
//! [`Client::open_websocket`] makes the connection and shakes hands; the [`WebSocket`] is
//! read with [`poll_event`](WebSocket::poll_event) and written without waiting: what does
//! not fit is kept and sent while it is read. Frames are `wire`'s matter, and compression
//! `deflate`'s. Pings are answered in passing, closes are not: who reads decides when.
//!
//! Texts of errors are those of the client that k6 is made with.

mod deflate;
mod handshake;

pub use handshake::{Handshake, WebSocketError};

use std::io;
use std::task::{Context, Poll};

use loadline_wire::{MessageReader, Opcode, SocketError, SocketEvent, write_frame};

use crate::failure::{Failure, Operation};
use crate::network::Network;
use crate::stream::Stream;
use deflate::Deflate;

/// What came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WsEvent {
    /// A message of text, which may not be UTF-8.
    Text(Vec<u8>),
    /// A message of bytes.
    Binary(Vec<u8>),
    /// A ping, answered.
    Ping,
    /// The answer to a ping, with its payload.
    Pong(Vec<u8>),
    /// The other side closes.
    Close {
        /// Why; 1005 when it did not say.
        code: u16,
        /// Why, in words.
        reason: String,
    },
    /// The connection ended without a close (1006).
    Lost,
    /// The connection failed, or the other side broke the rules.
    Broken(String),
}

/// Why nothing can be written any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// A close went out, after which nothing may.
    #[error("websocket: close sent")]
    CloseSent,
    /// The connection failed.
    #[error("{0}")]
    Broken(String),
}

/// An open WebSocket. Dropped, it closes the connection.
#[derive(Debug)]
pub struct WebSocket {
    network: Network,
    stream: Stream,
    reader: MessageReader,
    /// Bytes that came and were not looked at, from `looked` on.
    unread: Vec<u8>,
    looked: usize,
    /// Bytes to be written, from `written` on.
    unsent: Vec<u8>,
    written: usize,
    deflate: Option<Deflate>,
    /// The next frame is masked with this, and it moves on.
    mask: u64,
    close_sent: bool,
    failed: Option<String>,
    ended: bool,
}

impl WebSocket {
    /// Bytes kept for what is yet to be looked at, at most, between two reads.
    const KEPT: usize = 16 * 1024;

    fn new(network: Network, stream: Stream, early: Vec<u8>, deflates: bool, mask: u64) -> Self {
        Self {
            network,
            stream,
            reader: MessageReader::new(deflates),
            unread: early,
            looked: 0,
            unsent: Vec::new(),
            written: 0,
            deflate: deflates.then(Deflate::default),
            mask,
            close_sent: false,
            failed: None,
            ended: false,
        }
    }

    /// What comes next. After a close, a loss or a break nothing comes.
    pub fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<WsEvent> {
        // What could not be written waits for room as long as somebody reads.
        let _ = self.poll_written(cx);
        loop {
            if self.ended {
                return Poll::Pending;
            }
            if let Some(event) = self.look() {
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

    /// What comes next.
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

    /// The next event in what came already.
    fn look(&mut self) -> Option<WsEvent> {
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
                    let payload = match (&mut self.deflate, compressed) {
                        (Some(deflate), true) => match deflate.inflate(payload) {
                            Ok(payload) => payload,
                            Err(error) => return Some(WsEvent::Broken(error)),
                        },
                        _ => payload.to_vec(),
                    };
                    return Some(if binary {
                        WsEvent::Binary(payload)
                    } else {
                        WsEvent::Text(payload)
                    });
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
            // A connection that cannot be written to says so when it is read.
            let _ = self.write(Opcode::Pong, &ping);
            return Some(WsEvent::Ping);
        }
        if self.unread.capacity() > Self::KEPT {
            self.unread = Vec::new();
            self.looked = 0;
        }
        None
    }

    /// Closes on a server that breaks the rules.
    fn refuse(&mut self, error: &SocketError) -> WsEvent {
        let text = error.to_string();
        let words = match error {
            SocketError::Protocol(text) => text.as_str(),
            SocketError::TooLarge => "",
        };
        // It may be gone already.
        let _ = self.close(error.close_code(), words);
        WsEvent::Broken(format!("websocket: {text}"))
    }

    /// Sends a message.
    ///
    /// # Errors
    /// [`NotWritten`].
    pub fn send(&mut self, binary: bool, payload: &[u8]) -> Result<(), NotWritten> {
        let opcode = if binary { Opcode::Binary } else { Opcode::Text };
        self.write(opcode, payload)
    }

    /// Sends a ping.
    ///
    /// # Errors
    /// [`NotWritten`].
    pub fn ping(&mut self, payload: &[u8]) -> Result<(), NotWritten> {
        self.write(Opcode::Ping, payload)
    }

    /// Says that nothing more will be said, and why; 1005 says no reason.
    ///
    /// # Errors
    /// [`NotWritten`].
    pub fn close(&mut self, code: u16, reason: &str) -> Result<(), NotWritten> {
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

    fn write(&mut self, opcode: Opcode, payload: &[u8]) -> Result<(), NotWritten> {
        if self.close_sent {
            return Err(NotWritten::CloseSent);
        }
        if let Some(error) = &self.failed {
            return Err(NotWritten::Broken(error.clone()));
        }
        let mask = self.next_mask();
        let is_message = matches!(opcode, Opcode::Text | Opcode::Binary);
        match &mut self.deflate {
            Some(deflate) if is_message => {
                let squeezed = deflate.deflate(payload);
                write_frame(&mut self.unsent, opcode, true, mask, &squeezed);
            }
            _ => write_frame(&mut self.unsent, opcode, false, mask, payload),
        }
        self.flush();
        match &self.failed {
            None => Ok(()),
            Some(error) => Err(NotWritten::Broken(error.clone())),
        }
    }

    /// A mask nobody can foresee from the script (RFC 6455, 10.3): a generator seeded at
    /// random (splitmix64).
    fn next_mask(&mut self) -> [u8; 4] {
        self.mask = self.mask.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.mask;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let [a, b, c, d, ..] = (word ^ (word >> 31)).to_le_bytes();
        [a, b, c, d]
    }

    /// Writes what fits.
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
                    self.written = 0;
                    self.unsent.clear();
                    if self.unsent.capacity() > Self::KEPT {
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

    /// Ready when everything was written, or never will be.
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
    /// A user that is cut says good-bye as far as that takes no waiting.
    fn drop(&mut self) {
        const GOING_AWAY: u16 = 1001;
        if !self.ended && !self.close_sent {
            let _ = self.close(GOING_AWAY, "");
        }
    }
}
