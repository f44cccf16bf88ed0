//! Servers that attack their clients: one row for each attack, one port for each row.
//!
//! A row says what a connection gets first, what it gets without end, and how it ends. Nothing here
//! judges: the tests of the binary run it against all rows, and `attacks/k6.tsv` holds what k6 made of
//! each of them.

mod grpc;
mod http1;
mod http2;
mod server;
mod sockets;
mod tls;

pub use server::AttackServer;

/// What a client speaks to be attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttackProtocol {
    /// HTTP/1.1: the attack answers a request.
    Http1,
    /// Server-sent events over HTTP/1.1.
    Sse,
    /// HTTP/2 over TLS: the attack follows the client's first frames.
    Http2,
    /// gRPC over HTTP/2 without TLS.
    Grpc,
    /// A WebSocket: the attack follows the handshake.
    WebSocket,
    /// Socket.IO over a WebSocket.
    SocketIo,
    /// TLS: the attack answers the client's hello.
    Tls,
}

/// How a connection ends after the first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttackEnd {
    /// The next request gets the same.
    Again,
    /// It is closed.
    Close,
    /// It stays open and silent.
    Silence,
    /// `flood` is sent as fast as the client reads.
    Flood,
    /// `flood` is sent once a second.
    Drip,
}

/// One attack.
#[derive(Debug, Clone)]
pub struct Attack {
    /// Its name in all tables.
    pub name: &'static str,
    /// What its client speaks.
    pub protocol: AttackProtocol,
    /// What a connection gets first.
    pub first: Vec<u8>,
    /// What it gets again and again.
    pub flood: Vec<u8>,
    /// What follows the first bytes.
    pub end: AttackEnd,
}

impl Attack {
    /// One answer, the same for each request.
    fn answer(name: &'static str, protocol: AttackProtocol, first: impl Into<Vec<u8>>) -> Self {
        Self {
            name,
            protocol,
            first: first.into(),
            flood: Vec::new(),
            end: AttackEnd::Again,
        }
    }

    fn ending(mut self, end: AttackEnd) -> Self {
        self.end = end;
        self
    }

    /// Goes on with this without end.
    fn flooding(mut self, unit: impl AsRef<[u8]>) -> Self {
        const PIECE_BYTES: usize = 16 * 1024;
        let unit = unit.as_ref();
        self.flood = unit.repeat((PIECE_BYTES / unit.len()).max(1));
        self.end = AttackEnd::Flood;
        self
    }

    /// Goes on with this, once a second.
    fn dripping(mut self, unit: impl Into<Vec<u8>>) -> Self {
        self.flood = unit.into();
        self.end = AttackEnd::Drip;
        self
    }
}

/// All attacks.
#[must_use]
pub fn all() -> Vec<Attack> {
    let mut all = http1::attacks();
    all.extend(http2::attacks());
    all.extend(grpc::attacks());
    all.extend(sockets::attacks());
    all.extend(tls::attacks());
    all
}

/// What k6 made of an attack, as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct K6End {
    /// The attack.
    pub name: &'static str,
    /// From start to end of the process.
    pub seconds: f64,
    /// The most memory it had, less that of a run without attack.
    pub more_megabytes: f64,
    /// Its warning, or what else it said.
    pub said: &'static str,
}

/// What k6 made of the attacks: 2 s of one user, 1 s of grace, 1.5 s for each request.
#[must_use]
pub fn of_k6() -> Vec<K6End> {
    let rows = include_str!("k6.tsv").lines().skip(1);
    let read = |row: &'static str| {
        let mut cells = row.splitn(4, '\t');
        Some(K6End {
            name: cells.next()?,
            seconds: cells.next()?.parse().ok()?,
            more_megabytes: cells.next()?.parse().ok()?,
            said: cells.next()?,
        })
    };
    rows.filter_map(read).collect()
}
