//! The client's side of WebSocket as bytes: writes frames, parses messages (RFC 6455).
//!
//! [`write_frame`] appends a masked frame to a buffer. [`MessageReader`] takes the bytes of a
//! socket as they arrive and returns whole messages and control frames; a message's payload is in
//! a buffer that is reused. The caller decompresses messages that are marked as compressed (RFC
//! 7692), and checks that text is UTF-8.
//!
//! Errors are worded like those of the client that k6 uses.

mod frame;
#[cfg(test)]
mod tests;

pub use frame::{LONGEST_CONTROL, Opcode, write_frame};

use frame::{Head, HeadReader};

/// What the bytes so far give.
#[derive(Debug, PartialEq, Eq)]
pub enum SocketEvent<'s> {
    /// All bytes were taken and nothing is complete.
    Incomplete,
    /// A message.
    Message {
        /// Whether it is binary; otherwise it is text.
        binary: bool,
        /// Whether its payload is compressed.
        compressed: bool,
        /// The payload of all its frames.
        payload: &'s [u8],
    },
    /// To be answered with a pong of the same payload.
    Ping(&'s [u8]),
    /// A pong, with or without a ping before it.
    Pong(&'s [u8]),
    /// The peer closes; nothing follows.
    Close {
        /// The status code, if it gave one.
        code: Option<u16>,
        /// The reason as text.
        reason: &'s str,
    },
}

/// The peer violated the protocol; the connection cannot be used any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SocketError {
    /// A frame violates the protocol: everything that is wrong with it.
    #[error("{0}")]
    Protocol(String),
    /// A message exceeds the limit.
    #[error("read limit exceeded")]
    TooLarge,
}

impl SocketError {
    /// The status code to close with.
    #[must_use]
    pub const fn close_code(&self) -> u16 {
        match self {
            Self::Protocol(_) => 1002,
            Self::TooLarge => 1009,
        }
    }
}

/// Parses the messages of a server.
#[derive(Debug)]
pub struct MessageReader {
    compression: bool,
    limit: usize,
    head: HeadReader,
    /// The frame whose payload is being read, and how many bytes are left of it.
    frame: Option<(Head, u64)>,
    /// The message that is being assembled: the head of its first frame.
    message: Option<Head>,
    payload: Vec<u8>,
    control: Vec<u8>,
    /// The payload was returned; the next call clears it.
    told: bool,
}

impl MessageReader {
    /// The default limit of one message: 64 MiB.
    pub const DEFAULT_LIMIT: usize = 64 * 1024 * 1024;
    /// A larger buffer is freed after use.
    const KEPT_BYTES_MAX: usize = 64 * 1024;

    /// A reader at the start of a connection; `compression` says whether messages may be
    /// compressed.
    #[must_use]
    pub fn new(compression: bool) -> Self {
        Self::with_limit(compression, Self::DEFAULT_LIMIT)
    }

    /// A reader that accepts messages of up to `limit` bytes, as transferred.
    #[must_use]
    pub fn with_limit(compression: bool, limit: usize) -> Self {
        Self {
            compression,
            limit,
            head: HeadReader::default(),
            frame: None,
            message: None,
            payload: Vec::new(),
            control: Vec::new(),
            told: false,
        }
    }

    /// Parses `input`, the bytes that follow those taken so far. Returns how many of them were
    /// taken, and what they give. Call it again with the rest until it returns
    /// [`SocketEvent::Incomplete`].
    ///
    /// # Errors
    /// [`SocketError`].
    pub fn advance<'s>(
        &'s mut self,
        input: &[u8],
    ) -> Result<(usize, SocketEvent<'s>), SocketError> {
        if std::mem::take(&mut self.told) {
            self.payload.clear();
            if self.payload.capacity() > Self::KEPT_BYTES_MAX {
                self.payload = Vec::new();
            }
        }
        let mut used = 0;
        loop {
            let (head, left) = match self.frame.take() {
                Some(frame) => frame,
                None => {
                    let (taken, head) = self.head.read(&input[used..]);
                    used += taken;
                    let Some(head) = head else {
                        return Ok((used, SocketEvent::Incomplete));
                    };
                    self.check(&head)?;
                    (head, head.length)
                }
            };
            let rest = &input[used..];
            let here = usize::try_from(left).map_or(rest.len(), |left| left.min(rest.len()));
            let into = if head.opcode.is_control() {
                &mut self.control
            } else {
                &mut self.payload
            };
            into.extend_from_slice(&rest[..here]);
            used += here;
            let left = left - here as u64;
            if left > 0 {
                self.frame = Some((head, left));
                return Ok((used, SocketEvent::Incomplete));
            }
            if head.opcode.is_control() || head.fin {
                return Ok((used, self.complete(&head)?));
            }
        }
    }

    /// Checks that a frame is allowed here and that the message stays within the limit.
    fn check(&mut self, head: &Head) -> Result<(), SocketError> {
        let mut wrong = Vec::new();
        if head.reserved[0] && !self.compression {
            wrong.push("RSV1 set".to_owned());
        }
        for (name, set) in [
            ("RSV2 set", head.reserved[1]),
            ("RSV3 set", head.reserved[2]),
        ] {
            if set {
                wrong.push(name.to_owned());
            }
        }
        match head.opcode {
            Opcode::Close | Opcode::Ping | Opcode::Pong => {
                self.control.clear();
                if head.length > LONGEST_CONTROL as u64 {
                    wrong.push("len > 125 for control".to_owned());
                }
                if !head.fin {
                    wrong.push("FIN not set on control".to_owned());
                }
            }
            Opcode::Text | Opcode::Binary if self.message.is_some() => {
                wrong.push("data before FIN".to_owned());
            }
            Opcode::Continuation if self.message.is_none() => {
                wrong.push("continuation after FIN".to_owned());
            }
            Opcode::Text | Opcode::Binary => self.message = Some(*head),
            Opcode::Continuation => {}
            Opcode::Other(number) => wrong.push(format!("bad opcode {number}")),
        }
        if head.masked {
            wrong.push("bad MASK".to_owned());
        }
        if !wrong.is_empty() {
            return Err(SocketError::Protocol(wrong.join(", ")));
        }
        let so_far = self.payload.len() as u64;
        if !head.opcode.is_control() && so_far.saturating_add(head.length) > self.limit as u64 {
            return Err(SocketError::TooLarge);
        }
        Ok(())
    }

    fn complete(&mut self, head: &Head) -> Result<SocketEvent<'_>, SocketError> {
        match head.opcode {
            Opcode::Ping => Ok(SocketEvent::Ping(&self.control)),
            Opcode::Pong => Ok(SocketEvent::Pong(&self.control)),
            Opcode::Close => close(&self.control),
            _ => {
                let first = self.message.take().unwrap_or(*head);
                self.told = true;
                Ok(SocketEvent::Message {
                    binary: first.opcode == Opcode::Binary,
                    compressed: first.reserved[0],
                    payload: &self.payload,
                })
            }
        }
    }
}

fn close(payload: &[u8]) -> Result<SocketEvent<'_>, SocketError> {
    let [high, low, reason @ ..] = payload else {
        return Ok(SocketEvent::Close {
            code: None,
            reason: "",
        });
    };
    let code = u16::from_be_bytes([*high, *low]);
    let known = matches!(code, 1000..=1003 | 1007..=1013 | 3000..=4999);
    if !known {
        return Err(SocketError::Protocol(format!("bad close code {code}")));
    }
    let reason = std::str::from_utf8(reason)
        .map_err(|_| SocketError::Protocol("invalid utf8 payload in close frame".to_owned()))?;
    Ok(SocketEvent::Close {
        code: Some(code),
        reason,
    })
}
