//! What a simulated server sees of a connection, and what it can do.

use std::time::Duration;

use loadline_units::Time;

/// The server's side of one simulated connection.
pub trait Peer {
    /// Bytes arrived, in the pieces that the client wrote.
    fn received(&mut self, bytes: &[u8], wire: &mut PeerActions);

    /// The client closed its side, or the connection.
    fn client_closed(&mut self, _wire: &mut PeerActions) {}
}

/// The actions of a [`Peer`] on its connection, each with a delay from now.
#[derive(Debug)]
pub struct PeerActions {
    now: Time,
    pub(super) actions: Vec<(Duration, Action)>,
}

#[derive(Debug)]
pub(super) enum Action {
    Send(Vec<u8>),
    Close,
    Reset,
}

impl PeerActions {
    pub(super) fn at(now: Time) -> Self {
        Self {
            now,
            actions: Vec::new(),
        }
    }

    /// The world's clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Sends `bytes` to the client after `delay`.
    pub fn send(&mut self, delay: Duration, bytes: impl Into<Vec<u8>>) {
        self.actions.push((delay, Action::Send(bytes.into())));
    }

    /// Closes the stream to the client after `delay`.
    pub fn close(&mut self, delay: Duration) {
        self.actions.push((delay, Action::Close));
    }

    /// Breaks the connection after `delay`.
    pub fn reset(&mut self, delay: Duration) {
        self.actions.push((delay, Action::Reset));
    }
}
