//! `console`: writes lines to the log.

use loadline_js::{Args, Attributes, Ctx, Exception, Value, inspect};

use crate::host::Host;
use crate::log::{Entry, LogLevel};
use crate::modules::failure::Failure;
use crate::modules::sockets;

pub(super) fn install(ctx: &Ctx) -> Result<(), Exception> {
    let console = ctx.object()?;
    let levels = [
        ("debug", LogLevel::Debug),
        ("error", LogLevel::Error),
        ("info", LogLevel::Info),
        ("log", LogLevel::Info),
        ("warn", LogLevel::Warning),
    ];
    for (name, level) in levels {
        let function = ctx.function(name, 1, move |ctx, args| log_line(ctx, args, level))?;
        // As in k6, where a host object's methods cannot be replaced.
        console.define(name, function, Attributes::FIXED)?;
    }
    ctx.global().set("console", console)
}

fn log_line(ctx: &Ctx, args: &Args<'_>, level: LogLevel) -> Result<(), Exception> {
    let mut parts = Vec::with_capacity(args.len());
    for value in args.rest(0) {
        parts.push(match error_text(&value) {
            Some(text) => text,
            None => inspect(&value)?,
        });
    }
    let entry = Entry::new(level, parts.join(" ")).with("source", "console");
    Host::from_ctx(ctx).shared.log(entry);
    Ok(())
}

/// The text of an error that is no exception, as handlers of sockets and promises get it.
fn error_text(value: &Value) -> Option<String> {
    sockets::error_text(value).or_else(|| Failure::text_of(value))
}
