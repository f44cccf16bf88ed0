//! The object that scripts see of a socket: its handlers and its methods.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::task::{Context, Poll};

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_metrics::builtin;
use loadline_net::{WebSocket, WriteError, WsEvent};
use loadline_units::Time;

use super::timers::{self, Timers};
use super::{GOING_AWAY, go_error};
use crate::modules::http::millis;
use crate::modules::sockets;
use crate::modules::sockets::dial::Session;

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
    const ALL: [(&'static str, Self); 7] = [
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
pub(super) const TIMERS: usize = Event::ALL.len();

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

/// The prototype, which all users of a realm share.
struct Prototype(Value);

/// Makes it.
pub(super) fn install(ctx: &Ctx) -> Result<(), Exception> {
    let proto = ctx.object()?;
    proto.method("on", 2, on)?;
    proto.method("send", 1, |ctx, args| {
        let socket = args.this_host::<Socket>()?;
        let text = match args.get(0) {
            text if text.is_nullish() => String::new(),
            text => text.to_text()?,
        };
        socket.send(ctx, &args.this(), false, text.as_bytes())
    })?;
    proto.method("sendBinary", 1, send_binary)?;
    proto.method("ping", 0, |ctx, args| {
        args.this_host::<Socket>()?.ping(ctx, &args.this())
    })?;
    proto.method("setTimeout", 2, |ctx, args| timers::set(ctx, args, false))?;
    proto.method("setInterval", 2, |ctx, args| timers::set(ctx, args, true))?;
    proto.method("close", 1, |ctx, args| {
        let socket = args.this_host::<Socket>()?;
        let code = if args.is_empty() {
            GOING_AWAY
        } else {
            // Go truncates larger values.
            let code = args.get(0).to_i64()? & 0xffff;
            u16::try_from(code).unwrap_or(GOING_AWAY)
        };
        socket.close(ctx, &args.this(), code)
    })?;
    ctx.set_common(Rc::new(Prototype(proto)));
    Ok(())
}

/// A script's hold on `socket`.
pub(super) fn object(ctx: &Ctx, socket: &Rc<Socket>) -> Result<Value, Exception> {
    let shape = ctx.common::<Prototype>().expect("made with the module");
    ctx.host_object(&shape.0, socket.clone())
}

/// `on(event, handler)`; other events and handlers are passed over.
fn on(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    args.this_host::<Socket>()?;
    let (name, handler) = (args.get(0).to_text()?, args.get(1));
    let event = Event::ALL.iter().find(|(known, _)| *known == name);
    match event {
        Some((_, event)) if handler.is_function() => {
            sockets::add_handler(ctx, &args.this(), *event as usize, handler)
        }
        _ => Ok(()),
    }
}

/// `sendBinary(buffer)`
fn send_binary(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let socket = args.this_host::<Socket>()?;
    if args.is_empty() {
        return Err(go_error(ctx, "missing argument, expected ArrayBuffer"));
    }
    let message = args.get(0);
    if message.is_array_buffer()
        && let Some(bytes) = message.to_bytes()
    {
        return socket.send(ctx, &args.this(), true, &bytes);
    }
    let kind = if message.is_nullish() {
        message.to_text()?
    } else {
        message.get("constructor")?.get("name")?.to_text()?
    };
    Err(go_error(
        ctx,
        format!("expected ArrayBuffer as argument, received: {kind}"),
    ))
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
        sockets::forget_handlers(ctx, object, TIMERS + 1);
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

    fn send(&self, ctx: &Ctx, object: &Value, binary: bool, bytes: &[u8]) -> Result<(), Exception> {
        let sent = self.write(|connection| connection.send(binary, bytes));
        self.told(ctx, object, sent)?;
        self.session.record(ctx, &[(builtin::WS_MSGS_SENT, 1.0)]);
        Ok(())
    }

    fn ping(&self, ctx: &Ctx, object: &Value) -> Result<(), Exception> {
        let id = self.pings.borrow().len().to_string();
        let sent = self.write(|connection| connection.ping(id.as_bytes()));
        if sent.is_ok() {
            self.pings.borrow_mut().insert(id, ctx.now());
        }
        self.told(ctx, object, sent)
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
    fn told(
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
        self.told(ctx, object, sent)?;
        Event::Close.fire(object, &[ctx.number(f64::from(code))])
    }
}
