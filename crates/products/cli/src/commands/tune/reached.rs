//! The peers that a study's load connects to: each is locked before the first connection, so that two
//! studies exclude each other also where only a script names what they share.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};
use loadline_knobs::lock::{LockError, LockSubject, StudyLock};
use loadline_session::PeerPolicy;

/// What a study has locked, and the first peer that it could not lock.
#[derive(Debug)]
pub(super) struct ReachedPeers {
    guard: Arc<LockingPolicy>,
    refused: Receiver<LockError>,
}

/// Locks what load reaches.
#[derive(Debug)]
struct LockingPolicy {
    lock: StudyLock,
    refused: Sender<LockError>,
}

impl ReachedPeers {
    /// Adds to what `lock` has.
    pub(super) fn new(lock: StudyLock) -> Self {
        let (sender, refused) = crossbeam_channel::unbounded();
        Self {
            guard: Arc::new(LockingPolicy {
                lock,
                refused: sender,
            }),
            refused,
        }
    }

    /// Is asked before load connects.
    pub(super) fn guard(&self) -> Arc<dyn PeerPolicy> {
        self.guard.clone()
    }

    /// What could not be locked, as soon as that is known.
    pub(super) const fn refused(&self) -> &Receiver<LockError> {
        &self.refused
    }
}

impl PeerPolicy for LockingPolicy {
    fn admit(&self, peer: SocketAddr) -> io::Result<()> {
        let locked = self.lock.add(&LockSubject::from_peer(peer));
        locked.map_err(|error| {
            let told = io::Error::other(error.to_string());
            // A study that has ended needs no word.
            let _ = self.refused.send(error);
            told
        })
    }
}
