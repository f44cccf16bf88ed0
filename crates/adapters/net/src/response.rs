//! What came back, in buffers that are used again.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;

use loadline_units::Time;
use loadline_wire::{ResponseHead, Version};

use crate::timing::Timing;
use crate::tls::TlsInfo;

/// The protocol a response came over, as k6 names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// HTTP/1.0
    Http10,
    /// HTTP/1.1
    #[default]
    Http11,
    /// HTTP/2
    Http2,
}

impl Protocol {
    /// `HTTP/1.1`, `HTTP/2.0`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http10 => "HTTP/1.0",
            Self::Http11 => "HTTP/1.1",
            Self::Http2 => "HTTP/2.0",
        }
    }
}

impl From<Version> for Protocol {
    fn from(version: Version) -> Self {
        match version {
            Version::Http10 => Self::Http10,
            Version::Http11 => Self::Http11,
        }
    }
}

/// A response, filled by [`crate::Client::exchange`] as far as it came, also when the
/// exchange fails: the timing is always there. Hand the same one in again to use its
/// buffers again.
#[derive(Debug, Default)]
pub struct Response {
    /// Status and header fields; status 0 while there are none.
    pub head: ResponseHead,
    /// The body as sent, without chunk framing, coded as its Content-Encoding says
    /// unless an [`crate::Agent`] decoded it. Empty when it is discarded. After a failure,
    /// what came before it.
    pub body: Vec<u8>,
    /// The time of each phase.
    pub timing: Timing,
    /// The protocol of the response.
    pub protocol: Protocol,
    /// The server (or proxy) the exchange had a connection to; `None` when none came about.
    pub remote: Option<SocketAddr>,
    /// What TLS came to, where it is spoken.
    pub tls: Option<TlsInfo>,
    /// Whether the connection had carried an exchange before.
    pub reused: bool,
    /// Bytes of this exchange that passed the socket, with TLS, and with connecting when
    /// the connection was made for it: to the server. With HTTP/2 only the client's totals
    /// are exact.
    pub bytes_sent: u64,
    /// The same, from the server.
    pub bytes_received: u64,
    /// Bytes of the body as sent, without chunk framing, kept or not; 0 for one that is read
    /// piece by piece.
    pub body_bytes: u64,
    /// The head was read to its end.
    pub(crate) head_complete: bool,
    /// When bytes of the body came last; none before the head's end. Shared with the exchange's deadline.
    pub(crate) heard: Rc<Cell<Option<Time>>>,
}

impl Response {
    /// An empty response.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it asks to come back later: 429 (Too Many Requests), or 503 with
    /// Retry-After (RFC 9110, 15.6.4).
    #[must_use]
    pub fn asks_to_wait(&self) -> bool {
        match self.head.status() {
            429 => true,
            503 => self.head.fields().get("retry-after").is_some(),
            _ => false,
        }
    }

    /// Whether status and header fields came to their end, whatever became of the body.
    #[must_use]
    pub const fn has_head(&self) -> bool {
        self.head_complete
    }

    pub(crate) fn begin(&mut self, timing: Timing) {
        self.head.clear();
        self.body.clear();
        self.timing = timing;
        self.protocol = Protocol::default();
        self.remote = None;
        self.tls = None;
        self.reused = false;
        self.bytes_sent = 0;
        self.bytes_received = 0;
        self.head_complete = false;
        self.heard.set(None);
        self.body_bytes = 0;
    }
}
