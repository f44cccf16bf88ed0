//! Timers of a socket, as scripts set them. Their callbacks are stored in a slot of the
//! socket's object, by number.

use std::time::Duration;

use loadline_js::{Args, Ctx, Exception, Value};

use super::socket::{SLOT_TIMERS, Socket};
use crate::modules::go_error::go_error;

/// `setTimeout(callback, ms)`, `setInterval(callback, ms)`
pub(super) fn set(ctx: &Ctx, args: &Args<'_>, repeats: bool) -> Result<(), Exception> {
    let socket = args.this_host::<Socket>()?;
    let (callback, millis) = (args.get(0), args.get(1));
    if !callback.is_function() && !callback.is_undefined() {
        return Err(Exception::type_error(format!(
            "could not convert function call parameter 0: could not convert {} to sobek.Callable",
            callback.to_text()?
        )));
    }
    let millis = if millis.is_undefined() {
        0.0
    } else {
        millis.to_number()?
    };
    let length = Duration::try_from_secs_f64(millis / 1e3).unwrap_or_default();
    if length.is_zero() {
        let name = if repeats { "setInterval" } else { "setTimeout" };
        return Err(go_error(
            ctx,
            format!("{name} requires a >0 timeout parameter, received {millis:.2}"),
        ));
    }
    let id = socket.timers.borrow_mut().add(ctx.now(), length, repeats);
    let object = args.this();
    let callbacks = match object.slot(SLOT_TIMERS).filter(Value::is_object) {
        Some(callbacks) => callbacks,
        None => {
            let made = ctx.object()?;
            object.set_slot(SLOT_TIMERS, made.clone());
            made
        }
    };
    callbacks.set(ctx.atom(&id.to_string()), callback)
}

/// The function of the timer that is due; `id` is its number.
pub(super) fn take_due(
    ctx: &Ctx,
    socket: &Socket,
    object: &Value,
    id: u64,
) -> Result<Value, Exception> {
    let repeats = socket.timers.borrow_mut().take(ctx.now());
    let key = ctx.atom(&id.to_string());
    let callbacks = object.slot(SLOT_TIMERS).unwrap_or_else(|| ctx.undefined());
    let callback = callbacks.get(&key)?;
    if !repeats {
        callbacks.delete(&key)?;
    }
    Ok(callback)
}
