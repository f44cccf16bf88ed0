//! The connections of one client: idle ones, shared ones, ones being made.
//!
//! The rules for HTTP/1.1 are those of k6's transport: the latest used again first, at most
//! so many idle per host (one more is closed), so many in all (the oldest is closed), no
//! time-out. A connection that ended or spoke while idle is dropped when it is looked at.
//! HTTP/2 has one connection per origin, shared by all exchanges: while the first one to a
//! server is being made, the others wait to see what it speaks.

use std::cell::RefCell;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::http1::Http1;
use crate::http2::Http2;

/// Who a connection leads to, as looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'u> {
    pub(crate) secure: bool,
    pub(crate) host: &'u str,
    pub(crate) port: u16,
    /// A proxy that passes on what it is asked; not the server itself.
    pub(crate) proxy: bool,
}

/// Who a connection leads to.
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

/// A connection and where it leads; boxed, so that lending it moves a pointer.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) origin: Origin,
    pub(crate) connection: Http1,
}

/// What is known of an origin that may speak HTTP/2.
#[derive(Debug)]
enum Multiplexed {
    /// The first connection is being made; these wait for it.
    Coming(Vec<Waker>),
    Http2(Http2),
    /// It speaks HTTP/1.1 only.
    Never,
}

/// Connections, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    #[expect(clippy::vec_box, reason = "a connection is lent by moving its box")]
    idle: Vec<Box<Kept>>,
    multiplexed: Vec<(Origin, Multiplexed)>,
}

impl Pool {
    /// Takes the connection to `target` that was used last and is still good.
    pub(crate) fn take(&mut self, target: Target<'_>) -> Option<Box<Kept>> {
        loop {
            let at = self.idle.iter().rposition(|kept| kept.origin.is(target))?;
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

    /// Drops the connections not in use.
    pub(crate) fn clear(&mut self) {
        self.idle.clear();
        self.multiplexed
            .retain(|(_, known)| !matches!(known, Multiplexed::Http2(shared) if shared.is_idle()));
    }

    /// How many connections are not in use.
    pub(crate) fn len(&self) -> usize {
        let shared = self.multiplexed.iter();
        let idle = shared.filter(|(_, k)| matches!(k, Multiplexed::Http2(h2) if h2.is_idle()));
        self.idle.len() + idle.count()
    }

    fn find(&mut self, target: Target<'_>) -> Option<usize> {
        self.multiplexed.iter().position(|(o, _)| o.is(target))
    }

    /// The HTTP/2 connection to `target`; waits while one is being made. `Err` is the duty
    /// to make one and say what it speaks; `Ok(None)` says HTTP/2 is not spoken there.
    fn poll_shared(
        &mut self,
        target: Target<'_>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Http2>, Origin>> {
        let Some(at) = self.find(target) else {
            let origin = Origin::from(target);
            self.multiplexed
                .push((origin.clone(), Multiplexed::Coming(Vec::new())));
            return Poll::Ready(Err(origin));
        };
        match &mut self.multiplexed[at].1 {
            Multiplexed::Never => Poll::Ready(Ok(None)),
            Multiplexed::Http2(shared) if shared.is_open() => Poll::Ready(Ok(Some(shared.clone()))),
            ended @ Multiplexed::Http2(_) => {
                *ended = Multiplexed::Coming(Vec::new());
                Poll::Ready(Err(target.into()))
            }
            Multiplexed::Coming(waiting) => {
                if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                    waiting.push(cx.waker().clone());
                }
                Poll::Pending
            }
        }
    }

    fn settle(&mut self, origin: &Origin, outcome: Option<Multiplexed>) {
        let Some(at) = self.multiplexed.iter().position(|(o, _)| o == origin) else {
            return;
        };
        let before = match outcome {
            Some(known) => std::mem::replace(&mut self.multiplexed[at].1, known),
            None => self.multiplexed.swap_remove(at).1,
        };
        if let Multiplexed::Coming(waiting) = before {
            for waker in waiting {
                waker.wake();
            }
        }
    }
}

/// What is to be done for a server that may speak HTTP/2.
pub(crate) enum Shared {
    /// Use this connection.
    Http2(Http2),
    /// It does not speak it.
    Never,
    /// Connect, and say what it speaks.
    Find(Finding),
}

/// The connection to `target` that all share, once it is known whether there is one.
pub(crate) async fn shared(pool: &Rc<RefCell<Pool>>, target: Target<'_>) -> Shared {
    let found = std::future::poll_fn(|cx| pool.borrow_mut().poll_shared(target, cx)).await;
    match found {
        Ok(Some(http2)) => Shared::Http2(http2),
        Ok(None) => Shared::Never,
        Err(origin) => Shared::Find(Finding {
            pool: pool.clone(),
            origin: Some(origin),
        }),
    }
}

/// The duty to find out what a server speaks. Dropped, it passes to one who waits.
pub(crate) struct Finding {
    pool: Rc<RefCell<Pool>>,
    origin: Option<Origin>,
}

impl Finding {
    pub(crate) fn http2(mut self, shared: Http2) {
        self.settle(Some(Multiplexed::Http2(shared)));
    }

    pub(crate) fn never(mut self) {
        self.settle(Some(Multiplexed::Never));
    }

    fn settle(&mut self, outcome: Option<Multiplexed>) {
        if let Some(origin) = self.origin.take() {
            self.pool.borrow_mut().settle(&origin, outcome);
        }
    }
}

impl Drop for Finding {
    fn drop(&mut self) {
        self.settle(None);
    }
}
