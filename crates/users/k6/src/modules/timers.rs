//! `k6/timers`: the global timers by name.

use loadline_js::{Ctx, Exception, Exports, Value};

use crate::modules::go_error::go_error;

const NAMES: [&str; 4] = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"];

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    for name in NAMES {
        exports.add(name, ctx.global().get(name)?);
    }
    Ok(exports)
}

/// k6's words for a callback that is none.
pub(super) fn no_callback(ctx: &Ctx, name: &str, value: &Value) -> Exception {
    if value.is_nullish() {
        return go_error(ctx, format!("{name}'s callback isn't a callable function"));
    }
    match value.to_text() {
        Ok(text) => Exception::type_error(format!(
            "could not convert function call parameter 0: could not convert {text} to sobek.Callable"
        )),
        Err(exception) => exception,
    }
}
