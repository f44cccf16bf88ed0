//! An open socket and the handlers of its events.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::task::{Context, Poll};

use loadline_js::{Ctx, Exception, Value};
use loadline_metrics::builtin;
use loadline_net::{WebSocket, WriteError, WsEvent};
use loadline_units::Time;

use super::timers::Timers;
use crate::modules::http::millis;
use crate::modules::sockets;
use crate::modules::sockets::dial::Session;

/// Why a user leaves when a script gives no code.
pub(super) const GOING_AWAY: u16 = 1001;

/// The events of a socket. Handlers are in the slot of the event's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Open,
    Message,
    BinaryMessage,
    Ping,
    Pong,
    Close,
    Error,
}

impl Event {
    pub(super) const ALL: [(&'static str, Self); 7] = [
        ("open", Self::Open),
        ("message", Self::Message),
        ("binaryMessage", Self::BinaryMessage),
        ("ping", Self::Ping),
        ("pong", Self::Pong),
        ("close", Self::Close),
        ("error", Self::Error),
    ];

    /// Calls the handlers.
    pub(super) fn fire(self, object: &Value, args: &[Value]) -> Result<(), Exception> {
        sockets::call_handlers(object, self as usize, args)
    }
}

/// The slot of the functions that timers call, by the timers' numbers.
pub(super) const SLOT_TIMERS: usize = Event::ALL.len();

/// An open socket.
pub(super) struct Socket {
    /// Absent once it is over.
    connection: RefCell<Option<WebSocket>>,
    pub(super) session: Session,
    pub(super) timers: RefCell<Timers>,
    closed: Cell<bool>,
    /// When each ping went out, by its payload.
    pings: RefCell<BTreeMap<String, Time>>,
}

impl Socket {
    pub(super) fn new(connection: WebSocket, session: Session) -> Self {
        Self {
            connection: RefCell::new(Some(connection)),
            session,
            timers: RefCell::default(),
            closed: Cell::new(false),
            pings: RefCell::default(),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// What comes next.
    pub(super) fn poll_event(&self, cx: &mut Context<'_>) -> Poll<WsEvent> {
        match self.connection.borrow_mut().as_mut() {
            Some(connection) => connection.poll_event(cx),
            None => Poll::Pending,
        }
    }

    /// Lets go of the connection, and of what holds on to `object`: a script may keep it.
    pub(super) fn end(&self, ctx: &Ctx, object: &Value) {
        self.closed.set(true);
        drop(self.connection.take());
        sockets::forget_handlers(ctx, object, SLOT_TIMERS + 1);
    }

    fn write(
        &self,
        what: impl FnOnce(&mut WebSocket) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        match self.connection.borrow_mut().as_mut() {
            Some(connection) => what(connection),
            None => Err(WriteError::CloseSent),
        }
    }

    pub(super) fn send(
        &self,
        ctx: &Ctx,
        object: &Value,
        binary: bool,
        bytes: &[u8],
    ) -> Result<(), Exception> {
        let sent = self.write(|connection| connection.send(binary, bytes));
        self.report_unsent(ctx, object, sent)?;
        self.session.record(ctx, &[(builtin::WS_MSGS_SENT, 1.0)]);
        Ok(())
    }

    pub(super) fn ping(&self, ctx: &Ctx, object: &Value) -> Result<(), Exception> {
        let id = self.pings.borrow().len().to_string();
        let sent = self.write(|connection| connection.ping(id.as_bytes()));
        if sent.is_ok() {
            self.pings.borrow_mut().insert(id, ctx.now());
        }
        self.report_unsent(ctx, object, sent)
    }

    /// Accounts for the way there and back of a ping of ours.
    pub(super) fn track_pong(&self, ctx: &Ctx, id: &[u8]) {
        let id = String::from_utf8_lossy(id);
        if let Some(sent) = self.pings.borrow().get(&*id) {
            let length = millis(ctx.now().since(*sent));
            self.session.record(ctx, &[(builtin::WS_PING, length)]);
        }
    }

    /// Tells the script of a message that was not written.
    fn report_unsent(
        &self,
        ctx: &Ctx,
        object: &Value,
        sent: Result<(), WriteError>,
    ) -> Result<(), Exception> {
        match sent {
            Ok(()) => Ok(()),
            Err(error) => {
                let error = sockets::error_object(ctx, error.to_string())?;
                Event::Error.fire(object, &[error])
            }
        }
    }

    /// Closes it, once, and tells the script.
    pub(super) fn close(&self, ctx: &Ctx, object: &Value, code: u16) -> Result<(), Exception> {
        if self.closed.replace(true) {
            return Ok(());
        }
        let sent = self.write(|connection| connection.close(code, ""));
        self.report_unsent(ctx, object, sent)?;
        Event::Close.fire(object, &[ctx.number(f64::from(code))])
    }
}
