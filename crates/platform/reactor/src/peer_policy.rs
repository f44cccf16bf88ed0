//! Whom a worker may connect to, where somebody wants to be asked.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// Is asked before a worker connects to a peer for the first time.
pub trait PeerPolicy: fmt::Debug + Send + Sync {
    /// Lets connections to `peer` be made from now on.
    ///
    /// # Errors
    /// Why none is to be made. It is what the connection fails with, and is asked again for the next one.
    fn admit(&self, peer: SocketAddr) -> io::Result<()>;
}

/// A guard, and whom it let one worker connect to.
#[derive(Debug)]
pub(crate) struct GuardedPeers {
    guard: Arc<dyn PeerPolicy>,
    /// So that a worker asks once for each peer.
    admitted: RefCell<HashSet<SocketAddr>>,
}

impl GuardedPeers {
    pub(crate) fn new(guard: Arc<dyn PeerPolicy>) -> Self {
        Self {
            guard,
            admitted: RefCell::default(),
        }
    }

    pub(crate) fn admit(&self, peer: SocketAddr) -> io::Result<()> {
        if self.admitted.borrow().contains(&peer) {
            return Ok(());
        }
        self.guard.admit(peer)?;
        self.admitted.borrow_mut().insert(peer);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use crate::Reactor;
    use crate::sim::World;

    use super::*;

    /// Admits the peers on one port, and counts how often it was asked.
    #[derive(Debug, Default)]
    struct OnePort(AtomicU32);

    impl PeerPolicy for OnePort {
        fn admit(&self, peer: SocketAddr) -> io::Result<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            if peer.port() == 80 {
                return Ok(());
            }
            Err(io::Error::other("not this one"))
        }
    }

    #[test]
    fn a_guard_is_asked_once_for_a_peer_it_admits_and_its_no_fails_the_connection() {
        let reactor = Reactor::simulated(&World::new(1));
        let guard = Arc::new(OnePort::default());
        reactor.ask_of_peers(guard.clone());
        let connect = |to: &str| reactor.handle().connect(to.parse().unwrap(), None);
        for _ in 0..3 {
            assert!(connect("10.0.0.1:80").is_ok());
        }
        assert_eq!(guard.0.load(Ordering::Relaxed), 1);
        let refused = connect("10.0.0.1:81").map(drop).unwrap_err();
        assert_eq!(refused.to_string(), "not this one");
        assert_eq!(guard.0.load(Ordering::Relaxed), 2);
    }
}
