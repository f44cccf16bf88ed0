//! Errors as k6's Go code throws them.

use loadline_js::{Attributes, Ctx, Exception};

/// An error as k6 throws those of its own: named `GoError`.
pub(crate) fn go_error(ctx: &Ctx, message: impl Into<String>) -> Exception {
    let error = match Exception::error(message).into_value(ctx) {
        Ok(error) => error,
        Err(exception) => return exception,
    };
    match error.define("name", "GoError", Attributes::HIDDEN) {
        Ok(()) => Exception::thrown(error),
        Err(exception) => exception,
    }
}
