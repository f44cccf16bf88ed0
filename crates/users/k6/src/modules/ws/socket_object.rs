//! The object that scripts see of a socket: its methods.

use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};

use super::socket::{Event, GOING_AWAY, Socket};
use super::socket_timers;
use crate::modules::go_error::go_error;
use crate::modules::sockets;

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
    proto.method("setTimeout", 2, |ctx, args| {
        socket_timers::set(ctx, args, false)
    })?;
    proto.method("setInterval", 2, |ctx, args| {
        socket_timers::set(ctx, args, true)
    })?;
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
