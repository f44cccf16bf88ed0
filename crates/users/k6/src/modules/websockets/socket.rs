//! One socket: its state, what it sends, and how it handles what it receives.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::task::Waker;
use std::time::Duration;

use loadline_js::{Ctx, Exception, Value};
use loadline_metrics::builtin;
use loadline_net::{WebSocket, WsEvent};
use loadline_units::Time;

use super::blob;
use super::events::Event;
use crate::host::{Host, IterationHook};
use crate::log::LogLevel;
use crate::modules::http::millis;
use crate::modules::sockets::dial::{self, Dial, DialResult, Session};

/// How long the other side may go on sending after our close.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);

/// `readyState`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Connecting,
    Open,
    Closing,
    Closed,
}

/// The sockets a user has made in an iteration. Sockets still open at its end, because it
/// failed or was interrupted, are closed: scripts may keep them.
#[derive(Default)]
pub(super) struct Sockets(RefCell<Vec<Weak<Socket>>>);

impl Sockets {
    /// Notes a socket of the calling user's.
    pub(super) fn note(ctx: &Ctx, socket: &Rc<Socket>) {
        let sockets = Host::hook::<Self>(ctx);
        let mut noted = sockets.0.borrow_mut();
        noted.retain(|socket| socket.upgrade().is_some_and(|s| s.state() != State::Closed));
        noted.push(Rc::downgrade(socket));
    }
}

impl IterationHook for Sockets {
    fn end(&self) -> (u64, u64) {
        for socket in self.0.take().iter().filter_map(Weak::upgrade) {
            socket.state.set(State::Closed);
            drop(socket.connection.take());
        }
        (0, 0)
    }
}

/// A socket of a script's.
pub(super) struct Socket {
    pub(super) url: String,
    state: Cell<State>,
    /// Bytes of messages that were sent and not yet written, as scripts see it.
    buffered: Cell<u64>,
    as_blobs: Cell<bool>,
    protocol: RefCell<String>,
    extensions: RefCell<Vec<String>>,
    connection: RefCell<Option<WebSocket>>,
    /// The reading task, woken when something waits to be written.
    reader: RefCell<Option<Waker>>,
    session: Cell<Option<Session>>,
    /// Code and reason of the close, from either side.
    closing: RefCell<Option<(u16, String)>>,
    /// When a close of ours went out.
    close_sent: Cell<Option<Time>>,
    /// A close asked for before there was a connection.
    early_close: RefCell<Option<(u16, String)>>,
    /// When each ping went out, by its payload.
    pings: RefCell<BTreeMap<String, Time>>,
}

impl Socket {
    pub(super) fn new(url: String) -> Self {
        Self {
            url,
            state: Cell::new(State::Connecting),
            buffered: Cell::new(0),
            as_blobs: Cell::new(true),
            protocol: RefCell::default(),
            extensions: RefCell::default(),
            connection: RefCell::default(),
            reader: RefCell::default(),
            session: Cell::new(None),
            closing: RefCell::default(),
            close_sent: Cell::new(None),
            early_close: RefCell::default(),
            pings: RefCell::default(),
        }
    }

    pub(super) fn state(&self) -> State {
        self.state.get()
    }

    pub(super) fn buffered(&self) -> u64 {
        self.buffered.get()
    }

    pub(super) fn protocol(&self) -> String {
        self.protocol.borrow().clone()
    }

    pub(super) fn extensions(&self) -> Vec<String> {
        self.extensions.borrow().clone()
    }

    pub(super) fn binary_type(&self) -> &'static str {
        if self.as_blobs.get() {
            "blob"
        } else {
            "arraybuffer"
        }
    }

    /// Whether there is such a type.
    pub(super) fn set_binary_type(&self, kind: &str) -> bool {
        match kind {
            "blob" => self.as_blobs.set(true),
            "arraybuffer" => self.as_blobs.set(false),
            _ => return false,
        }
        true
    }

    pub(super) fn send(self: &Rc<Self>, ctx: &Ctx, object: &Value, binary: bool, bytes: &[u8]) {
        let size = bytes.len() as u64;
        self.buffered.set(self.buffered.get() + size);
        self.write(ctx, object, size, |socket| socket.send(binary, bytes));
    }

    pub(super) fn ping(self: &Rc<Self>, ctx: &Ctx, object: &Value) {
        let id = self.pings.borrow().len().to_string();
        self.write(ctx, object, 0, |socket| socket.ping(id.as_bytes()));
        self.pings.borrow_mut().insert(id, ctx.now());
    }

    /// Begins to close, from this side.
    pub(super) fn close(self: &Rc<Self>, ctx: &Ctx, object: &Value, code: u16, reason: &str) {
        let was = self.state.replace(State::Closing);
        *self.closing.borrow_mut() = Some((code, String::new()));
        if was == State::Connecting {
            *self.early_close.borrow_mut() = Some((code, reason.to_owned()));
        } else {
            self.close_sent.set(Some(ctx.now()));
            self.write(ctx, object, 0, |socket| socket.close(code, reason));
        }
    }

    /// Whether the other side goes on sending long after it was told that this one closes.
    fn is_close_ignored(&self, ctx: &Ctx) -> bool {
        let sent = self.close_sent.get();
        sent.is_some_and(|sent| ctx.now().since(sent) > CLOSE_PATIENCE)
    }

    /// Writes, and accounts for it on the event loop once it is out: as in k6, messages,
    /// pings and closes all count.
    fn write(
        self: &Rc<Self>,
        ctx: &Ctx,
        object: &Value,
        size: u64,
        what: impl FnOnce(&mut WebSocket) -> Result<(), loadline_net::WriteError>,
    ) {
        let written = match self.connection.borrow_mut().as_mut() {
            Some(connection) => what(connection).map_err(|error| error.to_string()),
            None => return,
        };
        if let Some(reader) = self.reader.borrow_mut().take() {
            reader.wake();
        }
        let waiting = self.clone();
        let out = std::future::poll_fn(move |cx| {
            let mut connection = waiting.connection.borrow_mut();
            match connection.as_mut() {
                Some(connection) => connection.poll_written(cx),
                None => std::task::Poll::Ready(()),
            }
        });
        let (socket, object) = (self.clone(), object.clone());
        ctx.spawn(out, move |ctx, ()| {
            let failed = written.err().or_else(|| {
                let connection = socket.connection.borrow();
                connection.as_ref()?.write_failure().map(str::to_owned)
            });
            if let Some(error) = failed {
                return socket.closed(ctx, &object, Some(&error));
            }
            socket
                .buffered
                .set(socket.buffered.get().saturating_sub(size));
            socket.record(ctx, builtin::WS_MSGS_SENT, 1.0);
            Ok(())
        });
    }

    fn record(&self, ctx: &Ctx, metric: loadline_metrics::MetricId, value: f64) {
        if let Some(session) = self.session.get() {
            session.record(ctx, &[(metric, value)]);
        }
    }

    /// Waits in the background for the next message.
    fn read_on(self: &Rc<Self>, ctx: &Ctx, object: &Value) {
        let reading = self.clone();
        let next = std::future::poll_fn(move |cx| {
            let mut connection = reading.connection.borrow_mut();
            let Some(connection) = connection.as_mut() else {
                return std::task::Poll::Ready(None);
            };
            let polled = connection.poll_event(cx).map(Some);
            if polled.is_pending() {
                *reading.reader.borrow_mut() = Some(cx.waker().clone());
            }
            polled
        });
        let (socket, object) = (self.clone(), object.clone());
        ctx.spawn(next, move |ctx, event| {
            let Some(event) = event else { return Ok(()) };
            let is_end = matches!(
                event,
                WsEvent::Close { .. } | WsEvent::Lost | WsEvent::Broken(_)
            );
            if !is_end && socket.is_close_ignored(ctx) {
                return socket.closed(ctx, &object, None);
            }
            let goes_on = socket.handle(ctx, &object, event)?;
            if goes_on {
                socket.read_on(ctx, &object);
            }
            Ok(())
        });
    }

    /// Whether something may come after `event`.
    fn handle(
        self: &Rc<Self>,
        ctx: &Ctx,
        object: &Value,
        event: WsEvent,
    ) -> Result<bool, Exception> {
        match event {
            WsEvent::Text(bytes) => {
                let text = ctx.string(&String::from_utf8_lossy(&bytes))?;
                self.message(ctx, object, text)?;
            }
            WsEvent::Binary(bytes) => {
                let data = if self.as_blobs.get() {
                    blob::new_object(ctx, bytes)?
                } else {
                    ctx.array_buffer(bytes)?
                };
                self.message(ctx, object, data)?;
            }
            WsEvent::Ping => {
                let event = Event::Ping.object(ctx, object, Vec::new())?;
                Event::Ping.fire(object, &event)?;
            }
            WsEvent::Pong(id) => {
                self.track_pong(ctx, &id);
                let event = Event::Pong.object(ctx, object, Vec::new())?;
                Event::Pong.fire(object, &event)?;
            }
            WsEvent::Close { code, reason } => {
                if let Some(connection) = self.connection.borrow_mut().as_mut() {
                    // The answer; a close of ours may have gone out before.
                    let _ = connection.close(code, "");
                }
                self.ended(ctx, object, code, &reason)?;
                return Ok(false);
            }
            WsEvent::Lost => {
                self.ended(ctx, object, dial::ABNORMAL_CLOSE.0, dial::ABNORMAL_CLOSE.1)?;
                return Ok(false);
            }
            WsEvent::Broken(_) => {
                self.closed(ctx, object, None)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn message(&self, ctx: &Ctx, object: &Value, data: Value) -> Result<(), Exception> {
        if self.state.get() != State::Open {
            return Ok(());
        }
        self.record(ctx, builtin::WS_MSGS_RECEIVED, 1.0);
        let origin = ctx.string(&self.url)?;
        let members = vec![("data", data), ("origin", origin)];
        let event = Event::Message.object(ctx, object, members)?;
        let heard = Event::Message.fire(object, &event);
        self.or_fail(ctx, object, heard)
    }

    /// A handler that throws ends the socket, and the iteration.
    fn or_fail(
        &self,
        ctx: &Ctx,
        object: &Value,
        heard: Result<(), Exception>,
    ) -> Result<(), Exception> {
        if let Err(exception) = &heard
            && !ctx.is_interrupted()
        {
            // As in k6, the length of its session is not recorded. It is too late to report
            // what its handlers throw now.
            self.session.set(None);
            let _ = self.closed(ctx, object, Some(&exception.message()));
        }
        heard
    }

    fn track_pong(&self, ctx: &Ctx, id: &[u8]) {
        let id = String::from_utf8_lossy(id);
        let sent = self.pings.borrow().get(&*id).copied();
        match sent {
            Some(sent) => {
                let length = millis(ctx.now().since(sent));
                self.record(ctx, builtin::WS_PING, length);
            }
            None => {
                let message = format!("received pong for unknown ping ID {id}");
                Host::from_ctx(ctx).log(LogLevel::Warning, message);
            }
        }
    }

    /// The other side has ended it.
    fn ended(&self, ctx: &Ctx, object: &Value, code: u16, reason: &str) -> Result<(), Exception> {
        *self.closing.borrow_mut() = Some((code, reason.to_owned()));
        let error = (!dial::is_expected(code)).then(|| dial::close_text(code, reason));
        self.closed(ctx, object, error.as_deref())
    }

    /// The socket is closed: tells the script, once.
    fn closed(&self, ctx: &Ctx, object: &Value, error: Option<&str>) -> Result<(), Exception> {
        if self.state.replace(State::Closed) == State::Closed {
            return Ok(());
        }
        if self.connection.take().is_some()
            && let Some(session) = self.session.get()
        {
            session.record_end(ctx);
        }
        if let Some(reader) = self.reader.borrow_mut().take() {
            reader.wake();
        }
        if let Some(error) = error {
            let members = vec![("error", ctx.string(error)?)];
            let event = Event::Error.object(ctx, object, members)?;
            Event::Error.fire(object, &event)?;
        }
        let closing = self.closing.borrow().clone();
        let mut members = Vec::with_capacity(2);
        let (code, reason) = closing.map_or((None, String::new()), |(c, r)| (Some(c), r));
        if let Some(code) = code {
            members.push(("code", ctx.number(f64::from(code))));
        }
        members.push(("reason", ctx.string(&reason)?));
        let event = Event::Close.object(ctx, object, members)?;
        Event::Close.fire(object, &event)
    }
}

/// The handshake is over, well or not.
pub(super) fn connected(
    ctx: &Ctx,
    socket: &Rc<Socket>,
    object: &Value,
    dial: &Dial,
    dialed: DialResult,
) -> Result<(), Exception> {
    let session = Session::new(ctx, dial, &dialed, true);
    socket.session.set(Some(session));
    let head = &dialed.response.head;
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let extensions = head.fields().get_all("Sec-WebSocket-Extensions");
    *socket.extensions.borrow_mut() = extensions.map(text).collect();
    match dialed.socket {
        Err(error) => return socket.closed(ctx, object, Some(&error)),
        Ok(connection) => *socket.connection.borrow_mut() = Some(connection),
    }
    let protocol = head.fields().get("Sec-WebSocket-Protocol");
    *socket.protocol.borrow_mut() = protocol.map(text).unwrap_or_default();
    socket.read_on(ctx, object);
    let early = socket.early_close.take();
    if let Some((code, reason)) = early {
        socket.write(ctx, object, 0, |socket| socket.close(code, &reason));
        return Ok(());
    }
    socket.state.set(State::Open);
    let event = Event::Open.object(ctx, object, Vec::new())?;
    let heard = Event::Open.fire(object, &event);
    socket.or_fail(ctx, object, heard)
}
