//! One HTTP/2 connection: many exchanges of one user at once.
//!
//! The `h2` crate implements the protocol. The connection is polled by a task of its own and, so
//! that a request is sent at once, also by the exchange that queued it. Exchanges beyond the
//! server's limit of streams wait for a free one.
//!
//! Elsewhere: one exchange in `exchange`, heads in `message`, bytes in `io`.

mod answer;
mod exchange;
mod frames;
mod io;
mod message;

pub(crate) use answer::{Answer, AnswerError, too_many_interim};
pub(crate) use message::reason;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use h2::SendStream;
use h2::client::{Builder, Connection, SendRequest};
use loadline_reactor::ReactorHandle;

use crate::failure::{Cause, Http2Scope};
use crate::http2::io::{Io, Wire};
use crate::stream::Stream;
use crate::tls::TlsInfo;

/// The window of a stream and of a connection, in bytes: Go's.
const STREAM_WINDOW: u32 = 4 << 20;
const CONNECTION_WINDOW: u32 = 1 << 30;
/// The protocol's default window, with which a connection that may be widened begins.
const NARROW_WINDOW: u32 = 65_535;
/// The largest response head, in bytes.
const HEAD_LIMIT: u32 = 1 << 20;

/// The windows of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Windows {
    /// Those of Go's HTTP client.
    Wide,
    /// Small until [`Http2::widen`]: an answer that will be rejected need not be transferred.
    Narrow,
}

/// A connection in use. Clones are the same connection.
#[derive(Clone)]
pub(crate) struct Http2(Rc<Shared>);

struct Shared {
    sender: RefCell<SendRequest<Bytes>>,
    /// `None` once it has ended.
    connection: RefCell<Option<Connection<Io, Bytes>>>,
    wire: Rc<Wire>,
    driver: RefCell<Waker>,
    /// The number of exchanges in progress or waiting.
    active: Cell<usize>,
    allowed: Cell<usize>,
    waiting: RefCell<Vec<Waker>>,
    narrow: Cell<bool>,
    remote: SocketAddr,
    tls: Option<TlsInfo>,
}

impl Http2 {
    /// Begins HTTP/2 on `stream`.
    pub(crate) async fn start(
        stream: Stream,
        handle: &ReactorHandle,
        windows: Windows,
    ) -> Result<Self, Cause> {
        let (on_stream, on_all) = match windows {
            Windows::Wide => (STREAM_WINDOW, CONNECTION_WINDOW),
            Windows::Narrow => (NARROW_WINDOW, NARROW_WINDOW),
        };
        let (remote, tls) = (stream.remote(), stream.tls());
        let wire = Rc::new(Wire::from_stream(&stream));
        let io = Io::new(stream, wire.clone());
        let shaken = Builder::new()
            .initial_window_size(on_stream)
            .initial_connection_window_size(on_all)
            .max_header_list_size(HEAD_LIMIT)
            .enable_push(false)
            .handshake::<_, Bytes>(io)
            .await;
        let (sender, connection) = shaken.map_err(|error| cause_of(&error, &wire, 0))?;
        let shared = Rc::new(Shared {
            allowed: Cell::new(sender.current_max_send_streams()),
            sender: RefCell::new(sender),
            connection: RefCell::new(Some(connection)),
            wire,
            driver: RefCell::new(Waker::noop().clone()),
            active: Cell::new(0),
            waiting: RefCell::default(),
            narrow: Cell::new(windows == Windows::Narrow),
            remote,
            tls,
        });
        handle.spawn(Driver(Rc::downgrade(&shared)));
        Ok(Self(shared))
    }

    pub(crate) fn remote(&self) -> SocketAddr {
        self.0.remote
    }

    pub(crate) fn tls(&self) -> Option<TlsInfo> {
        self.0.tls
    }

    /// The bytes that passed the socket so far: sent, received.
    pub(crate) fn passed(&self) -> (u64, u64) {
        self.0.wire.passed.get()
    }

    /// Whether no exchange is in progress.
    pub(crate) fn is_idle(&self) -> bool {
        self.0.active.get() == 0
    }

    /// Whether another exchange may begin; `false` after GOAWAY and after the end.
    pub(crate) fn is_open(&self) -> bool {
        let mut cx = Context::from_waker(Waker::noop());
        self.0.connection.borrow().is_some()
            && !matches!(
                self.0.sender.borrow_mut().poll_ready(&mut cx),
                Poll::Ready(Err(_))
            )
    }

    /// Waits for the server's first frame, which has its settings.
    ///
    /// # Errors
    /// Why it did not arrive; `EOF` if nothing arrived at all.
    pub(crate) async fn greeted(&self) -> Result<(), Cause> {
        /// The length of a frame's head.
        const FRAME_HEAD_BYTES: u64 = 9;
        std::future::poll_fn(|cx| {
            let shared = &self.0;
            *shared.wire.watcher.borrow_mut() = Some(cx.waker().clone());
            let ended = shared.drive().is_ready();
            let read = shared.wire.read.get();
            if ended && (1..FRAME_HEAD_BYTES).contains(&read) {
                // Go reads the head first, so a short one is this error whatever its length.
                return Poll::Ready(Err(Cause::Other("unexpected EOF".to_owned())));
            }
            if ended {
                return Poll::Ready(Err(shared.ending()));
            }
            if read >= FRAME_HEAD_BYTES {
                return Poll::Ready(Ok(()));
            }
            shared.waiting.borrow_mut().push(cx.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// Sends the head of a request whose body follows later.
    ///
    /// # Errors
    /// Why the connection accepts none.
    pub(crate) fn begin(
        &self,
        head: http::Request<()>,
    ) -> Result<(Answer, SendStream<Bytes>), Cause> {
        let queued = self.0.sender.borrow_mut().send_request(head, false);
        let (answer, stream) = queued.map_err(|error| self.0.cause_of(&error, 0))?;
        Ok((Answer::new(answer, &self.0.wire), stream))
    }

    /// Ends the connection: its server does what none should.
    pub(crate) fn abandon(&self, cause: &Cause) {
        let mut kept = self.0.wire.cause.borrow_mut();
        kept.get_or_insert_with(|| cause.clone());
        drop(kept);
        // Its other streams fail with the same cause.
        drop(self.0.connection.take());
        self.0.wake_waiting();
    }

    /// Widens the windows, now that the answer is wanted.
    pub(crate) fn widen(&self) {
        if !self.0.narrow.replace(false) {
            return;
        }
        if let Some(connection) = self.0.connection.borrow_mut().as_mut() {
            connection.set_target_window_size(CONNECTION_WINDOW);
            // Rejected only while an earlier change is not acknowledged; retried then.
            let changed = connection.set_initial_window_size(STREAM_WINDOW);
            self.0.narrow.set(changed.is_err());
        }
    }

    /// Moves bytes now, not on the driver's next turn.
    pub(crate) fn drive_now(&self) {
        // Each stream gets the error on its own.
        let _ = self.0.drive();
    }

    /// k6's cause for an error of `h2` on the stream with this number.
    pub(crate) fn cause(&self, error: &h2::Error, stream: u32) -> Cause {
        self.0.cause_of(error, stream)
    }

    /// Waits until the server allows another stream.
    pub(crate) async fn slot(&self) -> Slot {
        std::future::poll_fn(|cx| {
            let shared = &self.0;
            if shared.active.get() >= shared.allowed.get() && shared.connection.borrow().is_some() {
                let mut waiting = shared.waiting.borrow_mut();
                if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                    waiting.push(cx.waker().clone());
                }
                return Poll::Pending;
            }
            shared.active.set(shared.active.get() + 1);
            Poll::Ready(Slot(shared.clone()))
        })
        .await
    }
}

impl Shared {
    /// Why the connection ended.
    fn ending(&self) -> Cause {
        let mut cx = Context::from_waker(Waker::noop());
        let told = self.sender.borrow_mut().poll_ready(&mut cx);
        match told {
            Poll::Ready(Err(error)) if error.is_go_away() => cause_of(&error, &self.wire, 0),
            _ if self.wire.read.get() == 0 => Cause::Other("EOF".to_owned()),
            _ => Cause::Other("unexpected EOF".to_owned()),
        }
    }

    /// k6's cause for an error of `h2` on a stream.
    fn cause_of(&self, error: &h2::Error, stream: u32) -> Cause {
        if !error.is_reset() && !error.is_go_away() {
            // Streams that survive a GOAWAY and then the connection fail because of the GOAWAY.
            let mut cx = Context::from_waker(Waker::noop());
            if let Poll::Ready(Err(end)) = self.sender.borrow_mut().poll_ready(&mut cx)
                && end.is_go_away()
                && end.is_remote()
            {
                return cause_of(&end, &self.wire, stream);
            }
        }
        cause_of(error, &self.wire, stream)
    }

    /// Moves bytes in both directions; ready when the connection has ended. The driver
    /// is woken when more can be done, whatever calls it.
    fn drive(&self) -> Poll<()> {
        let driver = self.driver.borrow().clone();
        let mut cx = Context::from_waker(&driver);
        let mut place = self.connection.borrow_mut();
        let Some(connection) = place.as_mut() else {
            return Poll::Ready(());
        };
        let ended = Pin::new(connection).poll(&mut cx).is_ready();
        if ended {
            // Each stream gets the error on its own.
            *place = None;
        }
        drop(place);
        let allowed = self.sender.borrow().current_max_send_streams();
        if ended || allowed != self.allowed.replace(allowed) {
            self.wake_waiting();
        }
        if ended {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }

    fn wake_waiting(&self) {
        for waker in self.waiting.take() {
            waker.wake();
        }
    }
}

/// The permit for one open stream.
pub(crate) struct Slot(Rc<Shared>);

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slot")
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.active.set(self.0.active.get() - 1);
        self.0.wake_waiting();
    }
}

/// Polls a connection while it is in use.
struct Driver(std::rc::Weak<Shared>);

impl Future for Driver {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Some(shared) = self.0.upgrade() else {
            return Poll::Ready(());
        };
        if !shared.driver.borrow().will_wake(cx.waker()) {
            *shared.driver.borrow_mut() = cx.waker().clone();
        }
        shared.drive()
    }
}

impl Drop for Shared {
    /// The connection is not used any more: it is closed at once, as in Go, and the driver polls
    /// a last time.
    fn drop(&mut self) {
        self.driver.get_mut().wake_by_ref();
    }
}

impl fmt::Debug for Http2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http2")
            .field("remote", &self.0.remote)
            .field("active", &self.0.active)
            .finish_non_exhaustive()
    }
}

/// k6's cause for an error of `h2` on a connection and on its stream with this number.
fn cause_of(error: &h2::Error, wire: &Wire, stream: u32) -> Cause {
    let code = error.reason().map_or(0, u32::from);
    if error.is_reset() {
        let scope = Http2Scope::Stream {
            id: stream,
            by_server: error.is_remote(),
        };
        Cause::Http2(scope, code)
    } else if error.is_go_away() && error.is_remote() {
        Cause::Http2(Http2Scope::GoAway, code)
    } else if error.is_go_away() {
        Cause::Http2(Http2Scope::Connection, code)
    } else if let Some(cause) = wire.cause.borrow().as_ref() {
        cause.clone()
    } else {
        Cause::Other(error.to_string())
    }
}
