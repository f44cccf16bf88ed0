//! `k6/timers`: the global timers by name.

use loadline_js::{Ctx, Exception, Exports};

const NAMES: [&str; 4] = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"];

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    for name in NAMES {
        exports.add(name, ctx.global().get(name)?);
    }
    Ok(exports)
}
