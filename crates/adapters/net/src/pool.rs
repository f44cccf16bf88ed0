//! The connections of one client: idle, shared, and in the making.
//!
//! The rules for HTTP/1.1 are those of k6's transport: the connection used last is reused first,
//! one more idle connection than the limit per host is closed, the oldest is closed at the limit
//! per client, and there is no idle timeout. An idle connection that was closed or received bytes
//! is dropped when it is checked. HTTP/2 has one connection per origin, which all exchanges
//! share: while the first one is being made, the others wait to see which protocol the server
//! speaks.

use std::cell::RefCell;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::http1::Http1;
use crate::http2::Http2;

/// The origin of a connection, borrowed for a look-up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'u> {
    pub(crate) secure: bool,
    pub(crate) host: &'u str,
    pub(crate) port: u16,
    /// The peer is a proxy that forwards requests, not the server.
    pub(crate) proxy: bool,
}

/// The origin of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    secure: bool,
    host: Box<str>,
    port: u16,
    proxy: bool,
}

impl Origin {
    fn is(&self, target: Target<'_>) -> bool {
        self.port == target.port
            && self.secure == target.secure
            && self.proxy == target.proxy
            && *self.host == *target.host
    }
}

impl From<Target<'_>> for Origin {
    fn from(target: Target<'_>) -> Self {
        Self {
            secure: target.secure,
            host: target.host.into(),
            port: target.port,
            proxy: target.proxy,
        }
    }
}

/// An idle connection with its origin. Boxed, so that lending it moves only a pointer.
#[derive(Debug)]
pub(crate) struct PooledConnection {
    pub(crate) origin: Origin,
    pub(crate) connection: Http1,
}

/// What is known about an origin that may speak HTTP/2.
#[derive(Debug)]
enum OriginState {
    /// The first connection is being made; these tasks wait for it.
    Coming(Vec<Waker>),
    Http2(Http2),
    /// It speaks only HTTP/1.1.
    Never,
}

/// Connections, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    #[expect(clippy::vec_box, reason = "a connection is lent by moving its box")]
    idle: Vec<Box<PooledConnection>>,
    multiplexed: Vec<(Origin, OriginState)>,
}

impl Pool {
    /// Takes the connection to `target` that was used last and is still usable.
    pub(crate) fn take(&mut self, target: Target<'_>) -> Option<Box<PooledConnection>> {
        loop {
            let at = self.idle.iter().rposition(|kept| kept.origin.is(target))?;
            let mut kept = self.idle.remove(at);
            if !kept.connection.is_stale() {
                return Some(kept);
            }
        }
    }

    /// Keeps a connection for later, within the limits.
    pub(crate) fn put(&mut self, kept: Box<PooledConnection>, max_per_host: usize, max: usize) {
        let same = self.idle.iter().filter(|k| k.origin == kept.origin).count();
        if same >= max_per_host || max == 0 {
            return;
        }
        if self.idle.len() >= max {
            self.idle.remove(0);
        }
        self.idle.push(kept);
    }

    /// Drops the idle connections.
    pub(crate) fn clear(&mut self) {
        self.idle.clear();
        self.multiplexed
            .retain(|(_, known)| !matches!(known, OriginState::Http2(shared) if shared.is_idle()));
    }

    /// The number of idle connections.
    pub(crate) fn len(&self) -> usize {
        let shared = self.multiplexed.iter();
        let idle = shared.filter(|(_, k)| matches!(k, OriginState::Http2(h2) if h2.is_idle()));
        self.idle.len() + idle.count()
    }

    fn find(&mut self, target: Target<'_>) -> Option<usize> {
        self.multiplexed.iter().position(|(o, _)| o.is(target))
    }

    /// The HTTP/2 connection to `target`; waits while one is being made. `Err` asks the caller to
    /// make one and report its protocol; `Ok(None)` says that the server does not speak HTTP/2.
    fn poll_shared(
        &mut self,
        target: Target<'_>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Http2>, Origin>> {
        let Some(at) = self.find(target) else {
            let origin = Origin::from(target);
            self.multiplexed
                .push((origin.clone(), OriginState::Coming(Vec::new())));
            return Poll::Ready(Err(origin));
        };
        match &mut self.multiplexed[at].1 {
            OriginState::Never => Poll::Ready(Ok(None)),
            OriginState::Http2(shared) if shared.is_open() => Poll::Ready(Ok(Some(shared.clone()))),
            ended @ OriginState::Http2(_) => {
                *ended = OriginState::Coming(Vec::new());
                Poll::Ready(Err(target.into()))
            }
            OriginState::Coming(waiting) => {
                if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                    waiting.push(cx.waker().clone());
                }
                Poll::Pending
            }
        }
    }

    fn settle(&mut self, origin: &Origin, outcome: Option<OriginState>) {
        let Some(at) = self.multiplexed.iter().position(|(o, _)| o == origin) else {
            return;
        };
        let before = match outcome {
            Some(known) => std::mem::replace(&mut self.multiplexed[at].1, known),
            None => self.multiplexed.swap_remove(at).1,
        };
        if let OriginState::Coming(waiting) = before {
            for waker in waiting {
                waker.wake();
            }
        }
    }
}

/// How to connect to a server that may speak HTTP/2.
pub(crate) enum Shared {
    /// Use this connection.
    Http2(Http2),
    /// The server does not speak HTTP/2.
    Never,
    /// Connect, and report the protocol.
    Find(ProtocolProbe),
}

/// The shared connection to `target`, once it is known whether there is one.
pub(crate) async fn shared(pool: &Rc<RefCell<Pool>>, target: Target<'_>) -> Shared {
    let found = std::future::poll_fn(|cx| pool.borrow_mut().poll_shared(target, cx)).await;
    match found {
        Ok(Some(http2)) => Shared::Http2(http2),
        Ok(None) => Shared::Never,
        Err(origin) => Shared::Find(ProtocolProbe {
            pool: pool.clone(),
            origin: Some(origin),
        }),
    }
}

/// The task of finding out which protocol a server speaks. If it is dropped, a waiting exchange
/// takes over.
pub(crate) struct ProtocolProbe {
    pool: Rc<RefCell<Pool>>,
    origin: Option<Origin>,
}

impl ProtocolProbe {
    pub(crate) fn http2(mut self, shared: Http2) {
        self.settle(Some(OriginState::Http2(shared)));
    }

    pub(crate) fn never(mut self) {
        self.settle(Some(OriginState::Never));
    }

    fn settle(&mut self, outcome: Option<OriginState>) {
        if let Some(origin) = self.origin.take() {
            self.pool.borrow_mut().settle(&origin, outcome);
        }
    }
}

impl Drop for ProtocolProbe {
    fn drop(&mut self) {
        self.settle(None);
    }
}
