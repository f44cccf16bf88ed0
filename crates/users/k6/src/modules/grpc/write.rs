//! What scripts call on a stream.

use loadline_js::{Args, Ctx, Exception};
use loadline_proto::{Message as _, from_json};

use super::invoke::json_of;
use super::stream::{EVENTS, Stream};
use crate::host::Host;
use crate::log::LogLevel;
use crate::modules::go_error::go_error;
use crate::modules::sockets;

/// `on(event, handler)`
pub(super) fn on(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    args.this_host::<Stream>()?;
    let (event, handler) = (args.get(0).to_text()?, args.get(1));
    if handler.is_nullish() {
        let text = format!("handler for {event:?} event isn't a callable function");
        return Err(go_error(ctx, text));
    }
    if !handler.is_function() {
        return Err(Exception::type_error(format!(
            "could not convert function call parameter 1: could not convert {} to func(sobek.Value, sobek.Value) (sobek.Value, error)",
            handler.to_text()?
        )));
    }
    match EVENTS.iter().position(|known| *known == event) {
        Some(slot) => sockets::add_handler(ctx, &args.this(), slot, handler),
        None => {
            let text = format!(
                "can't register {event} event handler: unknown GRPC stream's event type: {event}"
            );
            Host::from_ctx(ctx).log(LogLevel::Warning, text);
            Ok(())
        }
    }
}

/// `write(message)`
pub(super) fn write(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let stream = args.this_host::<Stream>()?;
    if !stream.writable.get() {
        return Ok(());
    }
    let message = args.get(0);
    if message.is_nullish() {
        stream.warn_empty(ctx);
        return Ok(());
    }
    let text = json_of(&message)?;
    match from_json(&text, &stream.method.input(), &stream.types) {
        Ok(message) => stream.send(ctx, &args.this(), &message.encode_to_vec()),
        Err(error) => {
            let text = format!("can't serialise request object to protocol buffer: {error}");
            stream.refuse(ctx, &args.this(), text);
        }
    }
    Ok(())
}

/// `end()`
pub(super) fn end(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let stream = args.this_host::<Stream>()?;
    if stream.writable.replace(false) {
        stream.finish(ctx);
    }
    Ok(())
}
