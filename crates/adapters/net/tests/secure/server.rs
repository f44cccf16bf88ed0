//! Servers that speak TLS in a simulated network.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_reactor::sim::{Peer, PeerActions};
use rustls::{HandshakeKind, ServerConfig, ServerConnection};

use super::common::Bed;

pub(crate) const ADDRESS: [u8; 4] = [10, 0, 0, 1];

/// What a TLS server saw of one connection.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) server_name: Option<String>,
    pub(crate) protocol: Option<Vec<u8>>,
    pub(crate) kind: Option<HandshakeKind>,
    /// The client's certificate.
    pub(crate) certificate: Option<Vec<u8>>,
    /// What the client sent, in the clear.
    pub(crate) plaintext: Vec<u8>,
    /// The client sent close_notify.
    pub(crate) close_notify: bool,
}

/// What is spoken within TLS.
pub(crate) trait App {
    /// Bytes came in, answered by bytes.
    fn received(&mut self, bytes: &[u8]) -> Vec<u8>;

    /// How long an answer takes.
    fn delay(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether all has been said.
    fn is_over(&self) -> bool {
        false
    }
}

impl<F: FnMut(&[u8]) -> Vec<u8>> App for F {
    fn received(&mut self, bytes: &[u8]) -> Vec<u8> {
        self(bytes)
    }
}

/// The server's side of one TLS connection.
pub(crate) struct TlsPeer {
    session: ServerConnection,
    app: Box<dyn App>,
    seen: Rc<RefCell<Vec<Seen>>>,
    number: usize,
    refused: bool,
}

impl TlsPeer {
    /// What is answered to `bytes`.
    pub(crate) fn answer(&mut self, mut bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        while !bytes.is_empty() && !self.refused {
            self.session.read_tls(&mut bytes).unwrap();
            match self.session.process_new_packets() {
                Ok(state) => self.take(state.plaintext_bytes_to_read(), state.peer_has_closed()),
                Err(_) => self.refused = true,
            }
            while self.session.wants_write() {
                self.session.write_tls(&mut out).unwrap();
            }
        }
        out
    }

    fn take(&mut self, length: usize, close_notify: bool) {
        let mut plaintext = vec![0; length];
        self.session.reader().read_exact(&mut plaintext).unwrap();
        {
            let mut all = self.seen.borrow_mut();
            let seen = &mut all[self.number];
            seen.server_name = self.session.server_name().map(ToOwned::to_owned);
            seen.protocol = self.session.alpn_protocol().map(<[u8]>::to_vec);
            seen.kind = self.session.handshake_kind();
            let certificates = self.session.peer_certificates();
            seen.certificate = certificates.map(|chain| chain[0].to_vec());
            seen.plaintext.extend_from_slice(&plaintext);
            seen.close_notify = close_notify;
        }
        if !plaintext.is_empty() {
            let answer = self.app.received(&plaintext);
            self.session.set_buffer_limit(None);
            self.session.writer().write_all(&answer).unwrap();
        }
    }
}

impl Peer for TlsPeer {
    fn received(&mut self, bytes: &[u8], wire: &mut PeerActions) {
        let out = self.answer(bytes);
        if !out.is_empty() {
            wire.send(self.app.delay(), out);
        }
        if self.refused || self.app.is_over() {
            wire.close(self.app.delay());
        }
    }
}

/// Serves `app` on `port` of 10.0.0.1.
pub(crate) fn serve<A: App + 'static>(
    bed: &Bed,
    port: u16,
    config: ServerConfig,
    app: impl FnMut() -> A + 'static,
) -> Rc<RefCell<Vec<Seen>>> {
    let peers = Peers::new(config, app);
    let seen = peers.seen.clone();
    let address = SocketAddr::from((ADDRESS, port));
    bed.world.listen(address, move || Box::new(peers.accept()));
    seen
}

type NewApp = Box<dyn FnMut() -> Box<dyn App>>;

/// The connections of a TLS server, whichever way they come.
pub(crate) struct Peers {
    config: Arc<ServerConfig>,
    app: RefCell<NewApp>,
    pub(crate) seen: Rc<RefCell<Vec<Seen>>>,
}

impl Peers {
    pub(crate) fn new<A: App + 'static>(
        config: ServerConfig,
        mut app: impl FnMut() -> A + 'static,
    ) -> Self {
        Self {
            config: Arc::new(config),
            app: RefCell::new(Box::new(move || Box::new(app()))),
            seen: Rc::default(),
        }
    }

    pub(crate) fn accept(&self) -> TlsPeer {
        self.seen.borrow_mut().push(Seen::default());
        TlsPeer {
            session: ServerConnection::new(self.config.clone()).unwrap(),
            app: (self.app.borrow_mut())(),
            seen: self.seen.clone(),
            number: self.seen.borrow().len() - 1,
            refused: false,
        }
    }
}

/// An HTTP/1.1 server that answers each request with `ok`, once it has all of it.
pub(crate) fn ok() -> impl FnMut(&[u8]) -> Vec<u8> {
    let mut unread = Vec::new();
    move |bytes: &[u8]| {
        unread.extend_from_slice(bytes);
        if unread.windows(4).any(|w| w == b"\r\n\r\n") {
            unread.clear();
            return b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".to_vec();
        }
        Vec::new()
    }
}
