//! Web globals that k6 does not have and scripts ask for: `URL`, `URLSearchParams`,
//! `TextEncoder`, `TextDecoder`, `structuredClone`.
//!
//! Each is made when a script first uses it, so a script that uses none pays nothing.

mod clone;
mod iteration;
mod params;
mod text;
mod url;

use loadline_js::{Ctx, Exception, Value};

/// Adds the globals.
pub(super) fn install_globals(ctx: &Ctx) -> Result<(), Exception> {
    type Make = fn(&Ctx) -> Result<Value, Exception>;
    let globals: [(&str, Make); 5] = [
        ("URL", url::class),
        ("URLSearchParams", params::class),
        ("TextEncoder", text::encoder),
        ("TextDecoder", text::decoder),
        ("structuredClone", clone::function),
    ];
    let global = ctx.global();
    for (name, make) in globals {
        global.lazy(name, move |ctx, _| make(ctx))?;
    }
    Ok(())
}
