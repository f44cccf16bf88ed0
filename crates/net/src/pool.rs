//! Idle connections of one client, the latest used again first.
//!
//! The rules are those of k6's transport: at most so many per host (one more is closed),
//! so many in all (the oldest is closed), no time-out. A connection that ended or spoke
//! while idle is dropped when it is looked at.

use crate::http1::Http1;
use crate::url::Url;

/// Who a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    secure: bool,
    host: Box<str>,
    port: u16,
}

impl Origin {
    /// The origin of `url`, whose port is `port`.
    pub(crate) fn of(url: &Url, port: u16) -> Self {
        Self {
            secure: url.is_secure(),
            host: url.host_name().into(),
            port,
        }
    }

    fn is_of(&self, url: &Url, port: u16) -> bool {
        self.port == port && self.secure == url.is_secure() && *self.host == *url.host_name()
    }
}

/// A connection and where it leads; boxed, so that lending it moves a pointer.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) origin: Origin,
    pub(crate) connection: Http1,
}

/// Idle HTTP/1.1 connections, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    #[expect(clippy::vec_box, reason = "a connection is lent by moving its box")]
    idle: Vec<Box<Kept>>,
}

impl Pool {
    /// Takes the connection to `url`'s origin that was used last and is still good.
    pub(crate) fn take(&mut self, url: &Url, port: u16) -> Option<Box<Kept>> {
        loop {
            let at = self
                .idle
                .iter()
                .rposition(|kept| kept.origin.is_of(url, port))?;
            let mut kept = self.idle.remove(at);
            if !kept.connection.is_stale() {
                return Some(kept);
            }
        }
    }

    /// Keeps a connection for later, within the limits.
    pub(crate) fn put(&mut self, kept: Box<Kept>, max_per_host: usize, max: usize) {
        let same = self.idle.iter().filter(|k| k.origin == kept.origin).count();
        if same >= max_per_host || max == 0 {
            return;
        }
        if self.idle.len() >= max {
            self.idle.remove(0);
        }
        self.idle.push(kept);
    }

    pub(crate) fn clear(&mut self) {
        self.idle.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.idle.len()
    }
}
