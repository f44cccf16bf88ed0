//! `send`, `ping` and `close` of a socket.

use loadline_js::{Args, Ctx, Exception, Value};

use super::blob::Blob;
use super::socket::{Socket, State};
use crate::modules::go_error::go_error;
use crate::modules::go_text;

/// The code of a close that gives none.
const NORMAL_CLOSURE: i64 = 1000;
/// Most bytes of a reason.
const REASON_BYTES_MAX: usize = 123;

/// `send(data)`
pub(super) fn send(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let socket = open_socket(ctx, args)?;
    let data = args.get(0);
    if data.is_string() {
        let text = data.to_text()?;
        socket.send(ctx, &args.this(), false, text.as_bytes());
        return Ok(());
    }
    let bytes = match data.host::<Blob>() {
        Some(blob) => Some(blob.bytes().to_vec()),
        None if data.is_array_buffer() || data.is_typed_array() => data.to_bytes(),
        None => None,
    };
    match bytes {
        Some(bytes) => {
            socket.send(ctx, &args.this(), true, &bytes);
            Ok(())
        }
        None => {
            let kind = kind_of(&data);
            Err(go_error(ctx, format!("unsupported send type {kind}")))
        }
    }
}

/// Go's name for the type of what cannot be sent.
fn kind_of(data: &Value) -> String {
    if data.is_nullish() {
        return "<nil>".to_owned();
    }
    if data.is_function() {
        return "func(sobek.FunctionCall) sobek.Value".to_owned();
    }
    if data.is_date() {
        return "time.Time".to_owned();
    }
    go_text::type_name(data).to_string()
}

/// `ping()`
pub(super) fn ping(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    open_socket(ctx, args)?.ping(ctx, &args.this());
    Ok(())
}

fn open_socket(ctx: &Ctx, args: &Args<'_>) -> Result<std::rc::Rc<Socket>, Exception> {
    let socket = args.this_host::<Socket>()?;
    if socket.state() == State::Open {
        return Ok(socket);
    }
    Err(go_error(ctx, "InvalidStateError"))
}

/// `close(code?, reason?)`
pub(super) fn close(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let socket = args.this_host::<Socket>()?;
    if matches!(socket.state(), State::Closing | State::Closed) {
        return Ok(());
    }
    let code = match args.get(0) {
        code if code.is_undefined() => 0,
        code => code.to_i64()?,
    };
    let reason = match args.get(1) {
        reason if reason.is_undefined() => String::new(),
        reason => reason.to_text()?,
    };
    let code = match code {
        0 => NORMAL_CLOSURE,
        1000 | 3000..=4999 => code,
        other => {
            let message = format!(
                "InvalidAccessError: Failed to execute 'close' on 'WebSocket': The close code must be either 1000, or between 3000 and 4999. {other} is neither"
            );
            return Err(go_error(ctx, message));
        }
    };
    if reason.len() > REASON_BYTES_MAX {
        let message = "SyntaxError: Failed to execute 'close' on 'WebSocket': The message must not be greater than 123 bytes";
        return Err(go_error(ctx, message));
    }
    let code = u16::try_from(code).expect("one of those above");
    socket.close(ctx, &args.this(), code, &reason);
    Ok(())
}
