//! `k6/ws`: a WebSocket that blocks its user.
//!
//! `connect(url, params?, socket => ...)` returns when either side has closed the socket. Until
//! then its handlers and timers run one after the other, on the user's coroutine.

mod socket;
mod socket_object;
mod socket_timers;
mod timers;

use std::rc::Rc;
use std::task::Poll;

use loadline_js::{Args, Ctx, Exception, Exports, Value};
use loadline_metrics::builtin;
use loadline_net::WsEvent;

use super::http::{HttpUser, headers_of};
use super::sockets;
use super::sockets::dial::{self, Dial, DialResult, Session};
use crate::host::Host;
use crate::host::WorkerNetwork;
use crate::modules::go_error::go_error;
use socket::{Event, GOING_AWAY, Socket};

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    sockets::install(ctx)?;
    socket_object::install(ctx)?;
    let mut exports = Exports::new();
    exports.add("connect", ctx.function("connect", 3, connect)?);
    Ok(exports)
}

/// `connect(url, params?, setup)`
fn connect(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        let message = "using websockets in the init context is not supported";
        return Err(go_error(ctx, message));
    }
    let url = args.get(0).to_text()?;
    let (params, setup) = match args.len() {
        3 => (args.get(1), args.get(2)),
        2 => (ctx.undefined(), args.get(1)),
        _ => return Err(go_error(ctx, "invalid number of arguments to ws.connect")),
    };
    if !setup.is_function() {
        return Err(go_error(
            ctx,
            "last argument to ws.connect must be a function",
        ));
    }
    let dial = read_params(ctx, url, &params)?;
    let (agent, worker) = dial::means(ctx)?;
    let mut dialed = ctx.block_on(Box::pin(dial.open(&worker, &agent)))?;
    let session = Session::new(ctx, &dial, &dialed, false);
    let opened = std::mem::replace(&mut dialed.socket, Err(String::new()));
    let outcome = match opened {
        Ok(socket) => {
            let socket = Rc::new(Socket::new(socket, session));
            attend(ctx, &worker, &socket, &setup)
                .and_then(|()| response(ctx, &dial.url, &dialed, ""))
        }
        Err(error) if host.shared.settings().throw => Err(go_error(ctx, error)),
        Err(_) if dialed.response.has_head() => response(ctx, "", &dialed, ""),
        Err(error) => response(ctx, "", &dialed, &error),
    };
    if !ctx.is_interrupted() {
        session.record_end(ctx);
    }
    outcome
}

fn read_params(ctx: &Ctx, url: String, params: &Value) -> Result<Dial, Exception> {
    let user = HttpUser::from_ctx(ctx);
    let mut dial = Dial {
        url,
        headers: Vec::new(),
        protocols: Vec::new(),
        deflate: false,
        jar: sockets::jar_of(&user, params)?,
        tags: Vec::new(),
        base: sockets::base_tags(ctx),
    };
    let mut own = Vec::new();
    if params.is_object() {
        own = sockets::headers_of(params)?;
        dial.tags = sockets::tags_of(params)?
            .map_err(|error| go_error(ctx, format!("invalid ws.connect() metric tags: {error}")))?;
        if params.has("compression")? {
            let algorithm = params.get("compression")?.to_text()?;
            dial.deflate = deflates(ctx, algorithm.trim(), true)?;
        }
    }
    dial.headers = dial::headers(ctx, own);
    Ok(dial)
}

/// Whether messages are to be compressed; k6 knows one way.
pub(super) fn deflates(ctx: &Ctx, algorithm: &str, may_be_empty: bool) -> Result<bool, Exception> {
    match algorithm {
        "deflate" => Ok(true),
        "" if may_be_empty => Ok(false),
        other => Err(go_error(
            ctx,
            format!(
                "unsupported compression algorithm '{other}', supported algorithm is 'deflate'"
            ),
        )),
    }
}

/// Runs the socket until it is closed; closes it on a script that fails.
fn attend(
    ctx: &Ctx,
    worker: &Rc<WorkerNetwork>,
    socket: &Rc<Socket>,
    setup: &Value,
) -> Result<(), Exception> {
    let object = socket_object::object(ctx, socket)?;
    let outcome = setup
        .invoke(std::slice::from_ref(&object))
        .and_then(|_| Event::Open.fire(&object, &[]))
        .and_then(|()| run(ctx, worker, socket, &object));
    if outcome.is_err() && !ctx.is_interrupted() {
        // It is too late to report what its handlers throw.
        let _ = socket.close(ctx, &object, GOING_AWAY);
    }
    socket.end(ctx, &object);
    outcome
}

/// What happened while the user waited.
enum Next {
    Came(WsEvent),
    Due(u64),
}

fn run(
    ctx: &Ctx,
    worker: &Rc<WorkerNetwork>,
    socket: &Rc<Socket>,
    object: &Value,
) -> Result<(), Exception> {
    while !socket.is_closed() {
        let due = socket.timers.borrow().next();
        let mut sleep = due.map(|(at, id)| (Box::pin(worker.network.handle().sleep_until(at)), id));
        let next = ctx.block_on(std::future::poll_fn(|cx| {
            // First: a server that never stops sending must not keep a timer from running.
            if let Some((sleep, id)) = &mut sleep
                && sleep.as_mut().poll(cx).is_ready()
            {
                return Poll::Ready(Next::Due(*id));
            }
            socket.poll_event(cx).map(Next::Came)
        }))?;
        match next {
            Next::Due(id) => {
                let callback = socket_timers::take_due(ctx, socket, object, id)?;
                callback.invoke(&[])?;
            }
            Next::Came(event) => handle(ctx, socket, object, event)?,
        }
    }
    Ok(())
}

fn handle(ctx: &Ctx, socket: &Socket, object: &Value, event: WsEvent) -> Result<(), Exception> {
    match event {
        WsEvent::Text(bytes) => {
            socket
                .session
                .record(ctx, &[(builtin::WS_MSGS_RECEIVED, 1.0)]);
            let text = ctx.string(&String::from_utf8_lossy(&bytes))?;
            Event::Message.fire(object, &[text])
        }
        WsEvent::Binary(bytes) => {
            socket
                .session
                .record(ctx, &[(builtin::WS_MSGS_RECEIVED, 1.0)]);
            Event::BinaryMessage.fire(object, &[ctx.array_buffer(bytes)?])
        }
        WsEvent::Ping => Event::Ping.fire(object, &[]),
        WsEvent::Pong(id) => {
            socket.track_pong(ctx, &id);
            Event::Pong.fire(object, &[])
        }
        WsEvent::Close { code, reason } => ended(ctx, socket, object, code, &reason),
        WsEvent::Lost => {
            let (code, reason) = dial::ABNORMAL_CLOSE;
            ended(ctx, socket, object, code, reason)
        }
        WsEvent::Broken(_) => socket.close(ctx, object, GOING_AWAY),
    }
}

/// The other side has ended it.
fn ended(
    ctx: &Ctx,
    socket: &Socket,
    object: &Value,
    code: u16,
    reason: &str,
) -> Result<(), Exception> {
    if !dial::is_expected(code) {
        let error = sockets::error_object(ctx, dial::close_text(code, reason))?;
        error.set("code", code)?;
        error.set("text", reason)?;
        Event::Error.fire(object, &[error])?;
    }
    socket.close(ctx, object, code)
}

/// `{url, status, headers, body, error}`
fn response(ctx: &Ctx, url: &str, dialed: &DialResult, error: &str) -> Result<Value, Exception> {
    let object = ctx.object()?;
    let head = &dialed.response.head;
    object.set("url", url)?;
    object.set("status", head.status())?;
    object.set("headers", headers_of(ctx, head)?)?;
    object.set("body", &*String::from_utf8_lossy(&dialed.response.body))?;
    object.set("error", error)?;
    Ok(object)
}
